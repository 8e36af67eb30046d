#include "accountants/lattice/lattice_spectrum.hpp"

#include <algorithm>
#include <cmath>

#include "lib/balls/error_term.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm transform_term{"lattice.transform", "docs/proofs/fourier.md#rounding"};
constexpr double unit_roundoff = 0x1p-53;
constexpr double least_error = 1e-290;  ///< above what underflows in a transform

/// What the doubles differ by from the exact x_j, in l1: one rounding to double per term and
/// one per addition into its place, each at most unit_roundoff (2^-1074 absolutely) of partial sums
/// that are at most the sum of absolute values; the factor 1 + 2^-20 covers the additions that
/// formed `lost`, the radii of the balls, and `norm`.
// binary64 bound: docs/proofs/lattice.md#spectrum
Ball spread_of_doubles(std::size_t terms, std::size_t size, double lost, double norm) {
  const std::size_t folds = terms / size;
  const auto places = static_cast<double>(folds + 2);
  return (Ball(lost) + Ball(norm) * Ball(places * unit_roundoff) +
          Ball(static_cast<double>(terms)) * Ball(0x1p-1070)) *
         Ball(1 + 0x1p-20);
}

/// The terms x_j as doubles, in their order, and what the proof needs of them.
struct RoundedTerms {
  std::vector<double> values;
  double lost = 0;    ///< sum of the radii
  double norm = 0;    ///< sum of |values|
  double square = 0;  ///< sum of |values| (j - middle)^2
  double reach = 0;   ///< greatest |j - middle|
};

RoundedTerms rounded_terms(const std::vector<Ball>& terms) {
  RoundedTerms result;
  result.values.reserve(terms.size());
  double first = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const double value = terms[i].estimate();
    result.values.push_back(value);
    result.lost += terms[i].radius_double();
    result.norm += std::fabs(value);
    first += std::fabs(value) * static_cast<double>(i);
  }
  const double middle = std::round(first / result.norm);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const double distance = static_cast<double>(i) - middle;
    result.square += std::fabs(result.values[i]) * distance * distance;
    result.reach = std::max(result.reach, std::fabs(distance));
  }
  return result;
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
  std::vector<Ball>& terms = result.weights;
  terms = law.tilted(tilt);
  Ball sum;
  for (const Ball& term : terms) sum += term;
  result.divisor = sum.middle();
  const Ball inverse = Ball(1) / result.divisor;
  for (Ball& term : terms) term *= inverse;
  const RoundedTerms rounded = rounded_terms(terms);
  const std::size_t points = size / stride;
  const Ball spread = spread_of_doubles(terms.size(), points, rounded.lost, rounded.norm);
  const double gain = radix_two_error(size);
  result.error = charged(
      transform_term,
      spread + Ball(gain) * (Ball(rounded.norm) + spread) * Ball(1 + 0x1p-20) + Ball(least_error));
  result.stride = stride;
  const auto mask = [&](std::size_t period) {
    return static_cast<std::size_t>(static_cast<unsigned long>(law.first)) & (period - 1);
  };
  ComplexVector data(points);
  for (std::size_t i = 0; i < terms.size(); ++i) {
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
