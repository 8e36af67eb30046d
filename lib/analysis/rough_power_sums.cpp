// binary64 bound: docs/proofs/straight_contour.md#sums-in-doubles
#include "lib/analysis/rough_power_sums.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lib/balls/ball_memory.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr long bits_of_powers = 128;  ///< of the balls that are converted: far more than a double's
constexpr double unit = 0x1p-53;
constexpr double underflow = 1e-290;            ///< more than all that is lost below 2^-1022
constexpr double seconds_of_product = 2e-9;     ///< nominal
constexpr double seconds_of_conversion = 2e-7;  ///< nominal

/// Covers the rounding of sums of so many doubles >= 0, and of fewer than 100 operations on these.
double own_rounding(std::size_t count) { return 1 + 2 * (static_cast<double>(count) + 100) * unit; }

/// Complex numbers in doubles, divided by 2^exponent, with sums and maxima over all of them.
struct Converted {
  std::vector<double> real;
  std::vector<double> imaginary;
  double all_errors = 0;  ///< sum of bounds of |number in the ball - double|; may be +inf
  double greatest_error = 0;
  double all_sizes = 0;  ///< sum of |re| + |im|
  double greatest_size = 0;

  explicit Converted(const std::vector<ComplexBall>& numbers, long exponent) {
    real.reserve(numbers.size());
    imaginary.reserve(numbers.size());
    for (const ComplexBall& z : numbers) {
      double error = 0;
      double size = 0;
      const auto convert = [&](const Ball& part) {
        const Ball x = ldexp(part, -exponent);
        const double near = x.estimate();
        // to nearest, and what the ball itself leaves open
        error += x.radius_double() + 2 * unit * std::fabs(near) + underflow;
        size += std::fabs(near);
        return near;
      };
      real.push_back(convert(z.real()));
      imaginary.push_back(convert(z.imaginary()));
      all_errors += error;
      greatest_error = std::max(greatest_error, error);
      all_sizes += size;
      greatest_size = std::max(greatest_size, size);
      if (!std::isfinite(error + size)) all_errors = greatest_error = infinity;
    }
    check_work_limit(static_cast<double>(numbers.size()) * seconds_of_conversion);
  }
};

/// Four sums side by side: the bound holds for every order of summation.
std::complex<double> product(const Converted& a, const Converted& b) {
  constexpr std::size_t sums = 4;
  double re[sums] = {};
  double im[sums] = {};
  const std::size_t whole = a.real.size() / sums * sums;
  for (std::size_t j = 0; j < whole; j += sums) {
    for (std::size_t i = 0; i < sums; ++i) {
      const double ar = a.real[j + i];
      const double ai = a.imaginary[j + i];
      const double br = b.real[j + i];
      const double bi = b.imaginary[j + i];
      re[i] += ar * br - ai * bi;
      im[i] += ar * bi + ai * br;
    }
  }
  for (std::size_t j = whole; j < a.real.size(); ++j) {
    re[0] += a.real[j] * b.real[j] - a.imaginary[j] * b.imaginary[j];
    im[0] += a.real[j] * b.imaginary[j] + a.imaginary[j] * b.real[j];
  }
  return {re[0] + re[1] + (re[2] + re[3]), im[0] + im[1] + (im[2] + im[3])};
}

/// Upper bound, but for own_rounding(), of the distance of product(a, b) from the exact sum.
double error_of_product(const Converted& a, const Converted& b) {
  const double terms = 2 * static_cast<double>(a.real.size()) + 8;
  const double rounding = PLAUDIT_BOUND("rough_sums.rounding", 1.001 * terms * unit, 0.0);
  const double sizes = a.all_sizes * b.greatest_size;
  return PLAUDIT_BOUND("rough_sums.weights", a.all_errors, 0.0) *
             (b.greatest_size + b.greatest_error) +
         a.all_sizes * PLAUDIT_BOUND("rough_sums.powers", b.greatest_error, 0.0) +
         rounding * sizes + underflow;
}

long exponent_of_greatest(const std::vector<ComplexBall>& numbers) {
  double greatest = -infinity;
  for (const ComplexBall& z : numbers) {
    greatest = std::max({greatest, z.real().estimate_log(), z.imaginary().estimate_log()});
  }
  return clamped_integer(greatest / log_two, -most_index, most_index);
}

void times(std::vector<ComplexBall>& numbers, const std::vector<ComplexBall>& factors) {
  for (std::size_t j = 0; j < numbers.size(); ++j) numbers[j] *= factors[j];
}

/// Balls around these that are rounded to the working precision.
std::vector<ComplexBall> rounded(const std::vector<ComplexBall>& numbers) {
  std::vector<ComplexBall> result;
  result.reserve(numbers.size());
  for (const ComplexBall& z : numbers) result.push_back(z * ComplexBall(1));
  return result;
}

}  // namespace

ComplexBall RoughSums::ball(std::size_t k) const {
  const Ball error(errors[k]);
  const ComplexBall near(widened(Ball(values[k].real()), error),
                         widened(Ball(values[k].imag()), error));
  return {ldexp(near.real(), exponent), ldexp(near.imaginary(), exponent)};
}

// With k = steps * b + a, as in power_sums: rows g_j u_j^(steps b) times columns u_j^a.
RoughSums rough_power_sums(const std::vector<ComplexBall>& exact_weights,
                           const std::vector<ComplexBall>& exact_bases, std::size_t count) {
  if (exact_weights.size() != exact_bases.size())
    throw std::logic_error("power_sums: lengths differ");
  const PrecisionScope scope(std::min(working_precision(), bits_of_powers));
  const std::vector<ComplexBall> weights = rounded(exact_weights);
  const std::vector<ComplexBall> bases = rounded(exact_bases);
  RoughSums result;
  result.values.resize(count);
  result.errors.resize(count);
  if (count == 0) return result;
  std::size_t steps = 1;
  while (steps * steps < count) ++steps;
  check_memory(16 * static_cast<double>(steps) * static_cast<double>(bases.size()));
  result.exponent = exponent_of_greatest(weights);

  std::vector<Converted> columns;
  std::vector<ComplexBall> power(bases.size(), ComplexBall(1));
  for (std::size_t a = 0; a < steps; ++a) {
    columns.emplace_back(power, 0);
    times(power, bases);
  }
  std::vector<ComplexBall> row = weights;
  for (std::size_t first = 0; first < count; first += steps) {
    const Converted scaled(row, result.exponent);
    for (std::size_t a = 0; a < steps && first + a < count; ++a) {
      check_work_limit(static_cast<double>(bases.size()) * seconds_of_product);
      result.values[first + a] = product(scaled, columns[a]);
      const double error = own_rounding(bases.size()) * error_of_product(scaled, columns[a]);
      result.errors[first + a] = std::isfinite(error) ? error : infinity;
    }
    times(row, power);
  }
  return result;
}

}  // namespace plaudit
