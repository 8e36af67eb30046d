// Law files: docs/mechanisms.md, "pld". Proof: docs/proofs/discrete.md#file
#include "verification/checker/laws/written_laws.hpp"

#include "accountants/proof/arithmetic/rejected.hpp"
#include "verification/checker/laws/law_text.hpp"

namespace plaudit::proof {

namespace {

constexpr std::size_t most_masses = 1'000'000;

/// A text with an exact number, or an integer.
Rational number(const Json& value, const std::string& where) {
  if (value.is_number_integer()) return Rational(Integer(value.get<long>()));
  require(value.is_string(), where + " must be an exact number as text, or an integer");
  return read_law_number(value.get_ref<const std::string&>(), where);
}

Mass mass(const Json& value, const std::string& where) {
  Mass result;
  if (value.is_array()) {
    require(value.size() == 2, where + " must be a mass or [lower, upper]");
    result = {number(value[0], where), number(value[1], where)};
  } else {
    result.lower = result.upper = number(value, where);
  }
  require(result.lower >= 0 && result.lower <= result.upper && result.upper <= 1,
          where + " is no mass");
  return result;
}

std::vector<Rational> lattice_losses(Fields fields, std::size_t count) {
  const Rational mesh = number(fields.raw("mesh"), fields.where() + ".mesh");
  require(mesh > 0, fields.where() + ": the mesh must be positive");
  Rational point = 0;
  if (fields.has("offset")) point = number(fields.raw("offset"), fields.where() + ".offset");
  if (fields.has("first")) {
    const Rational first = number(fields.raw("first"), fields.where() + ".first");
    require(denominator(first) == 1, fields.where() + ": first must be an integer");
    point += first * mesh;
  }
  fields.done();
  std::vector<Rational> losses;
  for (std::size_t i = 0; i < count; ++i, point += mesh) losses.push_back(point);
  return losses;
}

std::vector<Rational> listed_losses(const Json& list, std::size_t count, const std::string& where) {
  require(list.is_array() && list.size() == count, where + " must have one loss per mass");
  std::vector<Rational> losses;
  for (const Json& each : list) {
    losses.push_back(number(each, where));
    require(losses.size() == 1 || losses[losses.size() - 2] < losses.back(),
            where + " must increase strictly");
  }
  return losses;
}

StatedLaw read_law(Fields fields, Budget& budget) {
  StatedLaw law;
  const std::string& where = fields.where();
  require(fields.has("losses") != fields.has("lattice"),
          where + " must have either losses or lattice");
  const Json& masses = fields.raw("masses");
  require(masses.is_array() && !masses.empty() && masses.size() <= most_masses,
          where + ": masses must be a list of 1 to 10^6");
  for (const Json& each : masses) law.masses.push_back(mass(each, where + ".masses"));
  law.losses = fields.has("lattice")
                   ? lattice_losses(fields.object("lattice"), masses.size())
                   : listed_losses(fields.raw("losses"), masses.size(), where + ".losses");
  if (fields.has("infinite")) law.infinite = mass(fields.raw("infinite"), where + ".infinite");
  fields.done();
  require_possible(law, where, budget);
  return law;
}

StatedLaw without_empty(const StatedLaw& law) {
  StatedLaw kept{{}, {}, law.infinite};
  for (std::size_t i = 0; i < law.losses.size(); ++i) {
    if (law.masses[i].upper == 0) continue;
    kept.losses.push_back(law.losses[i]);
    kept.masses.push_back(law.masses[i]);
  }
  require(!kept.losses.empty(), "a law has no finite loss");
  return kept;
}

Interval enclosed(const Mass& m) {
  return m.lower == m.upper ? Interval(m.lower) : hull(Interval(m.lower), Interval(m.upper));
}
std::optional<Rational> exactly(const Mass& m) {
  return m.lower == m.upper ? std::optional<Rational>(m.lower) : std::nullopt;
}

std::shared_ptr<const Law> finite(const StatedLaw& all) {
  const auto law = std::make_shared<const StatedLaw>(without_empty(all));
  Finite::Exact exact;
  exact.stated = true;
  exact.infinite = exactly(law->infinite);
  exact.lattice = common_lattice(law->losses);
  bool q_is_known = true;
  Rational q_mass = 0;
  for (std::size_t i = 0; i < law->losses.size(); ++i) {
    const std::optional<Rational> p = exactly(law->masses[i]);
    const std::optional<Rational> q = law->losses[i] == 0 ? p : std::nullopt;
    exact.atoms.push_back({law->losses[i], p, q});
    q_is_known = q_is_known && q;
    if (q) q_mass += *q;
  }
  if (q_is_known) exact.q_mass = q_mass;
  const auto masses = [law] {
    Finite::Masses result;
    result.infinite = enclosed(law->infinite);
    for (std::size_t i = 0; i < law->losses.size(); ++i) {
      const Interval loss(law->losses[i]);
      const Interval p = enclosed(law->masses[i]);
      result.atoms.push_back({loss, p, p * exp(-loss)});
      result.q_mass += result.atoms.back().q;
    }
    result.q_mass = min(result.q_mass, 1);
    return result;
  };
  std::vector<Rational> least;
  std::vector<Rational> greatest;
  for (const Mass& mass : law->masses) {
    least.push_back(mass.lower);
    greatest.push_back(mass.upper);
  }
  const std::string text =
      law_text("Stated", {{"l", numbers_text(law->losses)},
                          {"least p", numbers_text(least)},
                          {"greatest p", numbers_text(greatest)},
                          {"infinite", numbers_text({law->infinite.lower, law->infinite.upper})}});
  return std::make_shared<const Law>(Finite(text, masses, std::move(exact)));
}

Adjacency stated(const std::string& text) {
  require(!text.empty() && text.size() <= longest_adjacency,
          "files: an adjacency has 1 to 200 characters");
  if (text == "as_stated") return {};
  if (text == "none") return {"none", 1, false};
  if (text == "add/remove") return {"add_remove", 1, true};
  if (text == "zero-out") return {"zero_out", 1, true};
  return {text, 1, true};
}

}  // namespace

WrittenLaws read_laws(const Json& content, const std::string& path, Budget& budget) {
  Fields fields(content, "laws." + in_quotes(path));
  if (fields.has("description")) fields.text("description");
  WrittenLaws result;
  const std::string adjacency = fields.text("adjacency");
  result.adjacency = stated(adjacency);
  result.symmetric = fields.has("both");
  if (result.symmetric) {
    const StatedLaw both = read_law(fields.object("both"), budget);
    result.remove = result.add = finite(both);
    result.summary = summary(path, adjacency, true, both, both, budget);
  } else {
    const StatedLaw remove = read_law(fields.object("remove"), budget);
    const StatedLaw add = read_law(fields.object("add"), budget);
    result.remove = finite(remove);
    result.add = finite(add);
    result.summary = summary(path, adjacency, false, remove, add, budget);
  }
  fields.done();
  return result;
}

}  // namespace plaudit::proof
