// tree(steps, sigma, ...): tree aggregation: noisy sums over all complete dyadic intervals of the
// steps, as DP-FTRL uses them. Proof: docs/proofs/matrix.md#tree
#include "mechanisms/forms/matrix_mechanism.hpp"
#include "mechanisms/language/registry.hpp"

namespace plaudit {

namespace {

MechanismPointer build_tree(const Arguments& arguments) {
  const std::uint64_t steps = arguments.count("steps", 1'000'000);
  return matrix_mechanism("tree", "tree(steps=" + std::to_string(steps), steps, gram_of_tree(steps),
                          arguments);
}

}  // namespace

MechanismKind tree_kind();
MechanismKind tree_kind() {
  return {
      .name = "tree",
      .summary =
          "noise N(0, sigma^2) on the sum over each complete dyadic interval of steps, as in "
          "DP-FTRL",
      .parameters = matrix_parameters({{"steps", "an integer from 1 to 10^6"}}),
      .adjacency =
          "as_stated: the one for which a record moves each of at most `participations` steps, any "
          "two "
          "of them `min_separation` apart, by at most `sensitivity`; both alike",
      .theorem =
          "as for matrix; a step is in floor(log2 steps) + 1 intervals at most "
          "(docs/proofs/matrix.md#tree)",
      .example = "tree(steps=1000, sigma=4)",
      .build = build_tree,
  };
}

}  // namespace plaudit
