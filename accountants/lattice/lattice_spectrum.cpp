#include "accountants/lattice/lattice_spectrum.hpp"

#include <algorithm>
#include <cmath>

#include "lib/balls/error_term.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm transform_term{"lattice.transform", "docs/proofs/fourier.md#rounding"};
constexpr double unit_roundoff = 0x1p-53;
constexpr double least_error = 1e-290;    ///< above what underflows in a transform
constexpr double seconds_of_term = 3e-8;  ///< nominal: rounded, weighed and put into its place

/// The x_j as doubles, in their order, and what the proof needs of them.
struct RoundedTerms {
  std::vector<double> values;
  Ball distance;      ///< of the exact ones, in l1
  double norm = 0;    ///< sum of |values|
  double square = 0;  ///< sum of |values| (j - middle)^2
  double reach = 0;   ///< greatest |j - middle|
};

RoundedTerms rounded_terms(const LatticeLaw& law, const Ball& tilt, const Ball& divisor) {
  RoundedTerms result;
  result.values = law.tilted_doubles(tilt, divisor, result.distance);
  double first = 0;
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    const double size = std::fabs(result.values[i]);
    result.norm += size;
    first += size * static_cast<double>(i);
  }
  const double middle = std::round(first / result.norm);
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    const double distance = static_cast<double>(i) - middle;
    result.square += std::fabs(result.values[i]) * distance * distance;
    result.reach = std::max(result.reach, std::fabs(distance));
  }
  return result;
}

/// What the data of the transform differ by from the exact x_j, in l1: the terms do, and each
/// addition into a place by at most unit_roundoff of partial sums that are at most the sum of
/// absolute values; the factor 1 + 2^-20 covers the additions that formed `norm`.
// binary64 bound: docs/proofs/lattice.md#spectrum
Ball spread_of_doubles(const RoundedTerms& terms, std::size_t size) {
  const std::size_t folds = terms.values.size() / size;
  const auto additions = static_cast<double>(folds + 1);
  return (terms.distance + Ball(terms.norm) * Ball(additions * unit_roundoff)) * Ball(1 + 0x1p-20);
}

/// pi^2 m0 m2 / K'^2 for the sums m0 of |x_j| and m2 of |x_j| (j - middle)^2; 1 + 2^-20
/// covers the roundings of the sums of doubles.
// binary64 bound: docs/proofs/lattice.md#between
Ball bound_between(const RoundedTerms& terms, const Ball& spread, std::size_t points) {
  const Ball cover(1 + 0x1p-20);
  const Ball sum = Ball(terms.norm) * cover + spread;
  const Ball squares = Ball(terms.square) * cover + spread * square(Ball(terms.reach));
  const Ball bound = square(pi() / Ball(static_cast<long>(points))) * sum * squares;
  return PLAUDIT_BOUND("lattice.between_values", bound, Ball(0)).upper();
}

}  // namespace

// binary64 bound: docs/proofs/lattice.md#spectrum
LatticeSpectrum spectrum_of(const LatticeLaw& law, const Ball& tilt, std::size_t size,
                            std::size_t stride) {
  LatticeSpectrum result;
  result.divisor = law.mgf(tilt).middle();
  check_work_limit(seconds_of_term * static_cast<double>(law.masses.size()));
  const RoundedTerms rounded = rounded_terms(law, tilt, result.divisor);
  const std::size_t points = size / stride;
  const Ball spread = spread_of_doubles(rounded, points);
  const double gain = radix_two_error(size);
  result.error = charged(
      transform_term,
      spread + Ball(gain) * (Ball(rounded.norm) + spread) * Ball(1 + 0x1p-20) + Ball(least_error));
  result.stride = stride;
  const auto mask = [&](std::size_t period) {
    return static_cast<std::size_t>(static_cast<unsigned long>(law.first)) & (period - 1);
  };
  ComplexVector data(points);
  for (std::size_t i = 0; i < rounded.values.size(); ++i) {
    data[(mask(points) + i) & (points - 1)] += rounded.values[i];
  }
  radix_two_transform(data, Sign::plus);
  result.values = std::move(data);
  if (stride > 1) {
    result.between = bound_between(rounded, spread, points);
    result.central = radix_two_first(rounded.values, mask(size), size, central_values, Sign::plus);
  }
  return result;
}

}  // namespace plaudit
