// sparse_vector(threshold_scale, query_scale, sensitivity, positives): above-threshold answers with
// Laplace noise, of scale b_1 on the threshold, once, and b_2 on each query, until `positives` of
// them were above. Proof: docs/proofs/selection.md#sparse-vector
#include "lib/mutant.hpp"
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/laws/two_point_loss.hpp"
#include "mechanisms/registry.hpp"

namespace plaudit {

namespace {

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
  return std::make_shared<SymmetricMechanism>(spec + ')', TwoPointLoss::of_epsilon(epsilon, 0),
                                              true);
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
