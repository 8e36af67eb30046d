// toeplitz(coefficients, steps, sigma, ...): the matrix mechanism whose encoder is the lower
// triangular Toeplitz matrix of these coefficients, which may be fewer than the steps (banded).
// Proof: docs/proofs/matrix.md#adaptive
#include "mechanisms/forms/matrix_mechanism.hpp"
#include "mechanisms/language/registry.hpp"

namespace plaudit {

namespace {

MechanismPointer build_toeplitz(const Arguments& arguments) {
  const std::vector<Rational>& coefficients = arguments.list("coefficients");
  if (coefficients.empty() || coefficients.size() > 2000 || coefficients[0] == 0) {
    arguments.reject("coefficients", std::to_string(coefficients.size()) + " of them");
  }
  const std::uint64_t steps = arguments.count("steps", 1'000'000);
  std::string spec = "toeplitz(coefficients=[";
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    spec += (i > 0 ? ", " : "") + to_string(coefficients[i]);
  }
  spec += "], steps=" + std::to_string(steps);
  return matrix_mechanism("toeplitz", spec, steps, gram_of_toeplitz(coefficients, steps),
                          arguments);
}

}  // namespace

MechanismKind toeplitz_kind();
MechanismKind toeplitz_kind() {
  return {
      .name = "toeplitz",
      .summary =
          "the matrix mechanism of a lower triangular Toeplitz matrix, banded where it has few "
          "coefficients",
      .parameters =
          matrix_parameters({{"coefficients", "a list of up to 2000 numbers, the first one not 0"},
                             {"steps", "an integer from 1 to 10^6"}}),
      .adjacency =
          "as_stated: the one for which a record moves each of at most `participations` steps, any "
          "two "
          "of them `min_separation` apart, by at most `sensitivity`; both alike",
      .theorem =
          "as for matrix (docs/proofs/matrix.md#adaptive); exact where the bands are at most "
          "min_separation",
      .example =
          "toeplitz(coefficients=[1, 0.5, 0.375], steps=100, sigma=4, participations=10, "
          "min_separation=10)",
      .build = build_toeplitz,
  };
}

}  // namespace plaudit
