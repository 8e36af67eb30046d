// Mechanisms whose pair is that of a curve: profiles, parallel composition.
#include "verification/checker/curves/curve_laws.hpp"
#include "verification/checker/curves/one_step.hpp"
#include "verification/checker/laws/released_laws.hpp"
#include "verification/checker/specs/builders.hpp"
#include "verification/checker/specs/stated_points.hpp"

namespace plaudit::proof {

// Proof: docs/proofs/curves.md#bounds
Mechanism privacy_profile(const Arguments& arguments) {
  const auto& epsilons = arguments.typed<std::vector<Rational>>("epsilons");
  const auto& deltas = arguments.typed<std::vector<Rational>>("deltas");
  if (epsilons.size() != deltas.size() || epsilons.empty() || epsilons.size() > 10'000) {
    arguments.fail("epsilons", "must be as many as the deltas, 1 to 10000");
  }
  std::vector<CurvePoint> points;
  bool says_something = false;
  for (std::size_t i = 0; i < epsilons.size(); ++i) {
    const bool rises = i == 0 ? epsilons[i] >= 0 : epsilons[i] > epsilons[i - 1];
    if (!rises) arguments.fail("epsilons", "must rise from 0 or more");
    if (deltas[i] < 0 || deltas[i] > 1) arguments.fail("deltas", "must lie in [0, 1]");
    says_something = says_something || deltas[i] < 1;
    points.push_back({epsilons[i], deltas[i]});
  }
  if (!says_something) arguments.fail("deltas", "say nothing");
  Mechanism result;
  result.text =
      "privacy_profile(epsilons=" + list_text(epsilons) + ", deltas=" + list_text(deltas) + ")";
  result.operations = Integer(400 * points.size());
  result.one_record = true;
  set_law(result, law(curve_law(points)));
  return result;
}

namespace {

using Part = std::shared_ptr<const Mechanism>;

bool is_below(const Mechanism& low, const Mechanism& high) {
  if (low.text == high.text) return true;
  return low.symmetric && high.symmetric && nowhere_above(*low.remove, *high.remove);
}

/// Those whose curves may be the greatest somewhere.
std::vector<Part> that_matter(std::vector<Part> parts) {
  for (std::size_t i = 0; i < parts.size();) {
    bool below = false;
    for (std::size_t j = 0; j < parts.size() && !below; ++j) {
      below = i != j && is_below(*parts[i], *parts[j]);
    }
    if (below) {
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
  return parts;
}

/// The maximum of the curves of several parts: exactly of two laws of few known losses, else at
/// points. Proof: docs/proofs/curves.md#parallel
void set_greatest(Mechanism& result, const Arguments& arguments) {
  const Mechanism& first = *result.parts.front();
  const Mechanism& second = *result.parts.back();
  const auto* one = std::get_if<Finite>(first.remove.get());
  const auto* other = std::get_if<Finite>(second.remove.get());
  const bool symmetric = std::all_of(result.parts.begin(), result.parts.end(),
                                     [](const Part& p) { return p->symmetric; });
  if (result.parts.size() == 2 && symmetric && one != nullptr && other != nullptr &&
      are_compared(*one, *other)) {
    set_law(result, law(greater_of(*one, *other)));
    return;
  }
  Integer operations = 0;
  for (const Part& part : result.parts) {
    for (const auto& each : {part->remove, part->add}) {
      if (!has_closed_curve(*each)) arguments.fail("a part", "has a curve without a closed form");
    }
    operations += operations_at_point(*part->remove);
  }
  // where all parts have H(x) = 1 - x + x H(1/x), points with x >= 1 bound both directions
  set_stated_curve(
      result, arguments, symmetric, operations,
      [parts = result.parts](Direction direction, const Rational& epsilon, Budget& budget) {
        Interval greatest = 0;
        for (const Part& part : parts) {
          const auto& own = direction == Direction::remove ? part->remove : part->add;
          const Interval value = one_step_curve(*own, Interval(epsilon), budget).value;
          greatest = max(greatest, value);
        }
        return greatest;
      });
}

}  // namespace

// Proof: docs/proofs/curves.md#parallel
Mechanism parallel(const Arguments& arguments) {
  Mechanism result;
  std::vector<Part> all;
  std::string kind;
  const std::size_t count = arguments.places();
  if (count < 2 || count > 6) arguments.fail("", "must be one of 2 to 6 mechanisms");
  for (std::size_t i = 0; i < count; ++i) {
    const Part part = std::make_shared<const Mechanism>(arguments.inner(i));
    const std::string& own = part->adjacency.kind;
    if (!part->one_record && own != "zero_out") arguments.fail("a part", "is not for one record");
    if (std::holds_alternative<Bounded>(*part->remove)) arguments.fail("a part", "has no pair");
    if (own != "as_stated") {
      if (!kind.empty() && own != kind) arguments.fail("a part", "is for another adjacency");
      kind = own;
    }
    result.text += (i == 0 ? "parallel(" : ", ") + part->text;
    result.operations += part->operations;
    if (part->parts.empty()) {
      all.push_back(part);
    } else {  // what a parallel part consists of
      all.insert(all.end(), part->parts.begin(), part->parts.end());
    }
  }
  result.text += ")";
  result.operations += 1'000'000;
  result.adjacency = {kind.empty() ? "add_remove" : kind, 1, true};
  result.one_record = result.adjacency.kind == "add_remove";
  result.parts = that_matter(std::move(all));
  const Mechanism& first = *result.parts.front();
  if (result.parts.size() == 1) {
    result.remove = first.remove;
    result.add = first.add;
    result.symmetric = first.symmetric;
    return result;
  }
  set_greatest(result, arguments);
  return result;
}

}  // namespace plaudit::proof
