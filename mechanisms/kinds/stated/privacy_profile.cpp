// privacy_profile(epsilons, deltas): any mechanism that is (epsilon, delta)-private for each of
// these pairs of numbers, in both directions.
//
// What they allow together is the pair of the greatest curve below all of them.
// Proof: docs/proofs/curves.md#bounds
#include <algorithm>

#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/piecewise_curve.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

constexpr std::size_t most_profile_points = 10'000;

MechanismPointer build_privacy_profile(const Arguments& arguments) {
  const std::vector<Rational>& epsilons = arguments.list("epsilons");
  const std::vector<Rational>& deltas = arguments.list("deltas");
  if (epsilons.size() != deltas.size() || epsilons.empty()) {
    throw SpecError("privacy_profile: epsilons and deltas must be as many, one at least");
  }
  if (epsilons.size() > most_profile_points) {
    throw SpecError("privacy_profile: at most " + std::to_string(most_profile_points) + " points");
  }
  std::vector<CurveBound> bounds;
  for (std::size_t i = 0; i < epsilons.size(); ++i) {
    const bool rises = i == 0 ? epsilons[i] >= 0 : epsilons[i] > epsilons[i - 1];
    if (!rises) arguments.reject("epsilons", shown(epsilons[i]));
    if (deltas[i] < 0 || deltas[i] > 1) arguments.reject("deltas", shown(deltas[i]));
    bounds.push_back({epsilons[i], deltas[i]});
  }
  if (*std::min_element(deltas.begin(), deltas.end()) == 1) {
    throw SpecError("privacy_profile: deltas of 1 say nothing");
  }
  const std::string spec =
      "privacy_profile(epsilons=" + list_text(epsilons) + ", deltas=" + list_text(deltas) + ')';
  PiecewiseLaw law = piecewise_loss("privacy loss of " + spec, std::move(bounds), true, true);
  Attainment attainment{.attained = Attained::yes,
                        .why = "a mechanism that draws its output by this pair has it",
                        .of_a_class = true};
  if (!law.exact) {
    attainment = {Attained::unknown,
                  "of its bounds some lie too near to a straight line to be told"};
  }
  return std::make_shared<SymmetricMechanism>(spec, std::move(law.loss), std::move(attainment));
}

}  // namespace

MechanismKind privacy_profile_kind();
MechanismKind privacy_profile_kind() {
  return {
      .name = "privacy_profile",
      .summary = "any mechanism that is (epsilon, delta)-private for each of several epsilons",
      .parameters = {{"epsilons", "a list of rising numbers >= 0"},
                     {"deltas", "a list of as many numbers from 0 to 1"}},
      .adjacency = "as_stated: the one for which it is private so in both directions; both alike",
      .theorem =
          "the greatest curve that these bounds allow is that of a pair "
          "(docs/proofs/curves.md#bounds)",
      .example = "privacy_profile(epsilons=[0, 0.5, 1], deltas=[0.3, 0.1, 0.01])",
      .build = build_privacy_profile,
  };
}

}  // namespace plaudit
