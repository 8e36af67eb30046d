// sparse_vector(threshold_scale, query_scale, sensitivity, positives): above-threshold answers with
// Laplace noise, of scale b_1 on the threshold, once, and b_2 on each query, until `positives` of
// them were above. Proof: docs/proofs/selection.md#sparse-vector
#include <cmath>

#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "mechanisms/forms/attack.hpp"
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/two_point_loss.hpp"

namespace plaudit {

namespace {

/// One query, half a sensitivity below the threshold before and above it after. The difference of
/// the two noises exceeds x >= 0 with probability (b_1^2 e^(-x/b_1) - b_2^2 e^(-x/b_2)) / (2 (b_1^2
/// - b_2^2)), or e^(-x/b) (2 + x/b) / 4 where both scales are b. For scales that are nearly equal
/// the first form cancels as many bits as their squares agree in. Proof:
/// docs/proofs/attainment.md#one-query
MechanismPointer sparse_vector_attack(const Rational& threshold, const Rational& query,
                                      const Rational& sensitivity) {
  const Rational x = sensitivity / 2;
  const auto decay = [&](const Rational& scale) { return exp(-Ball(Rational(x / scale))); };
  Ball above;
  if (threshold == query) {
    above = decay(query) * Ball(Rational(2 + x / query)) / Ball(4);
  } else {
    const Rational one = threshold * threshold;
    const Rational other = query * query;
    const double kept = estimate_log(Rational(abs(one - other) / one)) / std::log(2.0);
    const PrecisionScope scope(working_precision() + precision_bits(-kept));
    above = (Ball(one) * decay(threshold) - Ball(other) * decay(query)) /
            Ball(Rational(2 * (one - other)));
  }
  above = PLAUDIT_BOUND("attack.sparse_vector", above, above / Ball(2));
  return two_point_attack(log((Ball(1) - above) / above));
}

MechanismPointer build_sparse_vector(const Arguments& arguments) {
  const Rational threshold = arguments.positive("threshold_scale");
  const Rational query = arguments.positive("query_scale");
  const Rational sensitivity = arguments.positive("sensitivity");
  const std::uint64_t positives = arguments.count("positives", 1'000'000);
  std::string spec =
      "sparse_vector(threshold_scale=" + to_string(threshold) + ", query_scale=" + to_string(query);
  if (sensitivity != 1) spec += ", sensitivity=" + to_string(sensitivity);
  if (positives != 1) spec += ", positives=" + std::to_string(positives);
  const Rational shifts = PLAUDIT_BOUND("sparse_vector.shift", Rational(2 * Integer(positives)),
                                        Rational(Integer(positives)));
  const Rational epsilon = sensitivity / threshold + shifts * sensitivity / query;
  return std::make_shared<SymmetricMechanism>(
      spec + ')', TwoPointLoss::of_epsilon(epsilon, 0),
      Attainment{Attained::unknown, "no queries are known whose answers have it",
                 sparse_vector_attack(threshold, query, sensitivity)});
}

}  // namespace

MechanismKind sparse_vector_kind();
MechanismKind sparse_vector_kind() {
  return {
      .name = "sparse_vector",
      .summary =
          "above-threshold answers with Laplace noise, the threshold drawn once, until `positives` "
          "were above",
      .parameters = {{"threshold_scale", "a number > 0, of the Laplace noise on the threshold"},
                     {"query_scale", "a number > 0, of the Laplace noise on each query"},
                     {"sensitivity", "a number > 0", "1"},
                     {"positives", "an integer from 1 to 10^6", "1"}},
      .adjacency =
          "as_stated: the one for which each query changes by at most `sensitivity`; both alike",
      .theorem =
          "it is epsilon-private for epsilon = sensitivity / threshold_scale + 2 positives "
          "sensitivity / "
          "query_scale, and the pair of pure dominates (docs/proofs/selection.md#sparse-vector)",
      .example = "sparse_vector(threshold_scale=2, query_scale=8)",
      .build = build_sparse_vector,
  };
}

}  // namespace plaudit
