// From the JSON of a file to laws in exact rationals (parse_pld), and from such a law to a privacy
// loss in balls (loss_of). A mass is an interval [lower, upper], a single number one of width 0.
//
// parse_pld bounds the number of values and the nesting (json_size) before a tree is made (parsed),
// then reads adjacency and laws (Reader). Loss i is that of a list, or offset + (first + i) mesh.
// It refuses unknown and repeated fields, numbers that are neither texts nor integers, and laws
// that are not shown to be those of a pair of probabilities (check_sums, by written_law.hpp).
// loss_of leaves out losses whose mass is certainly 0, looks for a lattice of the others
// (common_lattice), keeps what is known without rounding (exactly), and gives FiniteLoss the atoms
// (l, p, e^-l p) at its caller's precision. p encloses the whole interval: what is computed from it
// holds for each law that the file may mean (docs/proofs/discrete.md#file).
#include "mechanisms/forms/pld_file.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "lib/work/interruption.hpp"
#include "mechanisms/language/arguments.hpp"
#include "mechanisms/language/file_access.hpp"
#include "mechanisms/language/json_size.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

using Json = nlohmann::json;

constexpr std::size_t longest_file = 64 << 20;  ///< bytes
constexpr std::size_t most_values = 4'000'000;  ///< of the JSON, lists and objects included
constexpr std::size_t deepest = 20;             ///< brackets in brackets
constexpr std::size_t most_losses = 1'000'000;  ///< of one law
constexpr std::size_t longest_adjacency = 200;  ///< bytes
/// Greatest place of a loss on its lattice: laws that reach further are kept without one.
constexpr long most_points = 4'000'000;

/// Reads the fields of one file; `where` is the path of the field for messages. They never quote
/// what the file has there: who names a file in a spec need not be allowed to read it.
class Reader {
 public:
  explicit Reader(std::string name) : name_(std::move(name)) {}

  [[noreturn]] void fail(const std::string& where, const std::string& what) const {
    throw SpecError("pld: " + name_ + ": " + where + " " + what);
  }

  void check_keys(const Json& object, const std::string& where,
                  const std::vector<std::string>& known) const {
    if (!object.is_object()) fail(where, "must be an object");
    for (const auto& item : object.items()) {
      if (std::find(known.begin(), known.end(), item.key()) != known.end()) continue;
      std::string names;
      for (const std::string& name : known) names += (names.empty() ? "" : ", ") + name;
      fail(where, "has an unknown field; known are " + names);
    }
  }

  /// A text with an exact number, or a JSON integer. JSON numbers with a point are refused: most
  /// programs write and read them as binary fractions next to what is meant.
  Rational number(const Json& value, const std::string& where) const {
    check_interruption();
    if (value.is_number_integer() && value.is_number_unsigned()) {
      return Rational(Integer(value.get<std::uint64_t>()));
    }
    if (value.is_number_integer()) return Rational(Integer(value.get<std::int64_t>()));
    if (!value.is_string()) fail(where, "must be a text such as \"0.1\" or \"1/3\", or an integer");
    const auto& text = value.get_ref<const std::string&>();
    check_interruption();
    try {
      return syntax::parse_number(text, "");
    } catch (const SpecError&) {
      fail(where, "must be a number of the spec language");
    }
  }

  WrittenLaw::Mass mass(const Json& value, const std::string& where) const {
    WrittenLaw::Mass result;
    if (value.is_array()) {
      if (value.size() != 2) fail(where, "must be a mass or [lower, upper]");
      result = {number(value[0], where), number(value[1], where)};
    } else {
      result.lower = result.upper = number(value, where);
    }
    if (result.lower < 0) fail(where, "must be >= 0");
    if (result.upper < result.lower) fail(where, "must have its lower end first");
    if (result.upper > 1) fail(where, "must be <= 1");
    return result;
  }

  WrittenLaw law(const Json& object, const std::string& where) const {
    check_keys(object, where, {"losses", "lattice", "masses", "infinite"});
    if (object.contains("losses") == object.contains("lattice")) {
      fail(where, "must have one of losses and lattice");
    }
    if (!object.contains("masses") || !object["masses"].is_array() || object["masses"].empty()) {
      fail(where + ".masses", "must be a list of masses");
    }
    const Json& masses = object["masses"];
    if (masses.size() > most_losses) fail(where + ".masses", "must have at most 10^6 masses");
    WrittenLaw result;
    result.losses = losses(object, where, masses.size());
    for (std::size_t i = 0; i < masses.size(); ++i) {
      result.masses.push_back(mass(masses[i], where + ".masses[" + std::to_string(i) + "]"));
    }
    if (object.contains("infinite")) {
      result.infinite = mass(object["infinite"], where + ".infinite");
    }
    check_sums(result, where);
    return result;
  }

 private:
  std::vector<Rational> losses(const Json& object, const std::string& where,
                               std::size_t count) const {
    std::vector<Rational> result;
    if (object.contains("lattice")) {
      const Json& lattice = object["lattice"];
      const std::string place = where + ".lattice";
      check_keys(lattice, place, {"mesh", "offset", "first"});
      if (!lattice.contains("mesh")) fail(place, "must have a mesh");
      const Rational mesh = number(lattice["mesh"], place + ".mesh");
      if (mesh <= 0) fail(place + ".mesh", "must be > 0");
      Rational point =
          lattice.contains("offset") ? number(lattice["offset"], place + ".offset") : Rational(0);
      if (lattice.contains("first")) {
        const Rational first = number(lattice["first"], place + ".first");
        if (denominator(first) != 1) fail(place + ".first", "must be an integer");
        point += first * mesh;
      }
      for (std::size_t i = 0; i < count; ++i, point += mesh) result.push_back(point);
      return result;
    }
    const Json& list = object["losses"];
    if (!list.is_array() || list.size() != count) {
      fail(where + ".losses",
           "must be a list with one loss for each of the " + std::to_string(count) + " masses");
    }
    for (std::size_t i = 0; i < count; ++i) {
      const std::string place = where + ".losses[" + std::to_string(i) + "]";
      result.push_back(number(list[i], place));
      if (i > 0 && result[i] <= result[i - 1]) fail(place, "must be above the one before it");
    }
    return result;
  }

  /// Some pair of probabilities must have the law.
  void check_sums(const WrittenLaw& law, const std::string& where) const {
    const std::optional<std::vector<Rational>> masses = masses_of_least_q(law);
    if (!masses) fail(where + ".masses", "with infinite must be able to sum to exactly 1");
    const std::optional<bool> fits = q_is_at_most_one(law.losses, *masses);
    if (!fits) {
      fail(where + ".masses",
           "must leave Q, with the masses e^-loss P, a least sum that 65536 bits tell from 1");
    }
    if (!*fits) {
      fail(where + ".masses",
           "must leave Q, with the masses e^-loss P, at most 1 for some P with the sum 1");
    }
  }

  std::string name_;
};

/// The lattice that contains all losses, if it is not too fine.
std::optional<FiniteLoss::Lattice> common_lattice(const std::vector<Rational>& losses) {
  Integer whole = 1;  // common denominator
  for (const Rational& loss : losses) {
    check_interruption();
    whole = lcm(whole, denominator(loss));
    if (msb(whole) > 4096) return std::nullopt;
  }
  Integer step = 0;
  for (const Rational& loss : losses) {
    check_interruption();
    const Rational gap = (loss - losses.front()) * whole;
    step = gcd(step, numerator(gap));
  }
  if (step == 0) step = whole;  // a single loss
  FiniteLoss::Lattice lattice{Rational(step, whole), losses.front(), {}};
  for (const Rational& loss : losses) {
    check_interruption();
    const Rational place = (loss - losses.front()) / lattice.mesh;
    if (place > most_points) return std::nullopt;
    lattice.places.push_back(numerator(place).to<long>());
  }
  return lattice;
}

/// Words for the known ones; any other text is an adjacency of its own.
Adjacency stated_adjacency(const std::string& text) {
  if (text == "as_stated") return {};
  if (text == "none") return {Adjacency::none, 1, false};
  if (text == "add/remove") return Adjacency::of_one_record(Adjacency::add_remove);
  if (text == "zero-out") return Adjacency::of_one_record(Adjacency::zero_out);
  return Adjacency::of_one_record(text);
}

bool is_exact(const WrittenLaw::Mass& mass) { return mass.lower == mass.upper; }

Ball enclosed(const WrittenLaw::Mass& mass) {
  return is_exact(mass) ? Ball(mass.lower) : hull(Ball(mass.lower), Ball(mass.upper));
}

/// What is known exactly of a law of which every loss can have a positive mass.
FiniteLoss::Exact exactly(const WrittenLaw& law) {
  FiniteLoss::Exact exact;
  if (law.masses.back().lower > 0) exact.greatest = law.losses.back();
  if (!is_exact(law.infinite)) return exact;
  exact.infinite = law.infinite.lower;
  if (law.losses.size() > most_exact_atoms) return exact;
  auto result = std::make_shared<ExactLaw>();
  result->infinite = law.infinite.lower;
  for (std::size_t i = 0; i < law.losses.size(); ++i) {
    if (!is_exact(law.masses[i])) return exact;
    const ExponentialSum mass(law.masses[i].lower);
    result->atoms.push_back({mass, mass.times(1, -law.losses[i])});
  }
  exact.law = std::move(result);
  return exact;
}

/// The file as JSON. A key twice in one object is refused: which of the two counts would be up to
/// the reader.
Json parsed(const std::string& text, const Reader& reader) {
  std::vector<std::set<std::string>> open;  // the keys of the objects around, from outside
  bool twice = false;
  const auto look = [&](int, Json::parse_event_t event, const Json& value) {
    check_interruption();
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key) {
      twice = !open.back().insert(value.get<std::string>()).second || twice;
    }
    return true;
  };
  Json root = Json::parse(text, look, false);
  if (root.is_discarded()) reader.fail("the file", "is not JSON");
  if (twice) reader.fail("the file", "must have no field twice in one object");
  return root;
}

}  // namespace

WrittenPair parse_pld(const std::string& text, const std::string& name) {
  const Reader reader(abbreviated(name));
  const JsonSize size = json_size(text);
  if (size.values > most_values) reader.fail("the file", "must have at most 4000000 values");
  if (size.depth > deepest) reader.fail("the file", "must have brackets at most 20 deep");
  const Json root = parsed(text, reader);
  reader.check_keys(root, "the file", {"description", "adjacency", "both", "remove", "add"});
  WrittenPair pair;
  if (!root.contains("adjacency") || !root["adjacency"].is_string()) {
    reader.fail("adjacency", "must be a text, e.g. \"add/remove\"");
  }
  const auto& adjacency = root["adjacency"].get_ref<const std::string&>();
  if (adjacency.empty() || adjacency.size() > longest_adjacency) {
    reader.fail("adjacency", "must be a text of 1 to 200 bytes, e.g. \"add/remove\"");
  }
  pair.adjacency = stated_adjacency(adjacency);
  pair.symmetric = root.contains("both");
  if (pair.symmetric == (root.contains("remove") || root.contains("add")) ||
      root.contains("remove") != root.contains("add")) {
    reader.fail("the file", "must have either both, or remove and add");
  }
  if (pair.symmetric) {
    pair.remove = pair.add = reader.law(root["both"], "both");
  } else {
    pair.remove = reader.law(root["remove"], "remove");
    pair.add = reader.law(root["add"], "add");
  }
  return pair;
}

WrittenPair read_pld_file(const std::string& path) {
  return parse_pld(read_allowed_file("pld: file", path, longest_file),
                   std::filesystem::path(path).filename().string());
}

std::shared_ptr<const PrivacyLoss> loss_of(const WrittenLaw& law, std::string description) {
  WrittenLaw kept;  // without losses of mass 0
  kept.infinite = law.infinite;
  for (std::size_t i = 0; i < law.losses.size(); ++i) {
    if (law.masses[i].upper == 0) continue;
    kept.losses.push_back(law.losses[i]);
    kept.masses.push_back(law.masses[i]);
  }
  if (kept.losses.empty()) {
    throw SpecError("pld: masses must have one that can be positive at a finite loss");
  }
  std::optional<FiniteLoss::Lattice> lattice = common_lattice(kept.losses);
  FiniteLoss::Exact exact = exactly(kept);
  if (!lattice) exact.losses = kept.losses;
  exact.by_intervals =
      !is_exact(kept.infinite) || !std::all_of(kept.masses.begin(), kept.masses.end(), is_exact);
  const auto provide = [kept = std::move(kept)] {
    FiniteLaw result;
    result.infinite = enclosed(kept.infinite);
    result.q_mass = Ball(0);
    for (std::size_t i = 0; i < kept.losses.size(); ++i) {
      const Ball loss(kept.losses[i]);
      const Ball p = enclosed(kept.masses[i]);
      result.atoms.push_back({loss, p, p * exp(-loss)});
      result.q_mass += result.atoms.back().q;
    }
    result.q_mass = min(result.q_mass, Ball(1));
    return result;
  };
  return std::make_shared<FiniteLoss>(std::move(description), provide, std::move(lattice),
                                      std::move(exact));
}

}  // namespace plaudit
