#include "lib/analysis/double_polynomial.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr std::size_t lanes = 16;          ///< points that are evaluated side by side
constexpr int short_bits = 24;             ///< of a short double: 53 less those of k <= 2^28
constexpr double largest_sum = 1e300;      ///< of |C_k|: no value overflows below it
constexpr double seconds_of_step = 4e-10;  ///< nominal, of a product and a sum

}  // namespace

DoublePolynomial::DoublePolynomial(const std::vector<Ball>& coefficients) {
  Ball distance;
  coefficients_.reserve(coefficients.size());
  for (const Ball& exact : coefficients) {
    coefficients_.push_back(exact.estimate());
    distance += abs(exact - Ball(coefficients_.back()));
  }
  bound_error(PLAUDIT_BOUND("blocks.coefficients", distance, Ball(0)));
}

DoublePolynomial::DoublePolynomial(std::vector<double> coefficients, const Ball& distance)
    : coefficients_(std::move(coefficients)) {
  bound_error(distance);
}

// binary64 bound: docs/proofs/blocks.md#horner
void DoublePolynomial::bound_error(const Ball& distance) {
  if (coefficients_.empty()) throw std::invalid_argument("a polynomial without coefficients");
  double sum = 0;
  for (const double coefficient : coefficients_) sum += std::fabs(coefficient);
  const Ball size = Ball(sum) * Ball(1 + 0x1p-20);  // with the roundings of the sum
  const auto degree = static_cast<long>(coefficients_.size()) - 1;
  const Ball roundings = ldexp(Ball(2 * degree), -53);
  const Ball gamma = roundings / (Ball(1) - roundings);
  const Ball horner = PLAUDIT_BOUND("blocks.horner", gamma * size, Ball(0));
  error_ = (horner + distance + ldexp(Ball(degree), -1074)).upper();
  if (!certainly_less(size, Ball(largest_sum))) error_ = positive_infinity();
}

void DoublePolynomial::values_at(long first, double step, std::size_t count, double* values) const {
  check_work_limit(seconds_of_step * static_cast<double>(count * coefficients_.size()));
  std::array<double, lanes> x{};
  std::array<double, lanes> sum{};
  for (std::size_t begin = 0; begin < count; begin += lanes) {
    for (std::size_t i = 0; i < lanes; ++i) {
      x[i] = static_cast<double>(first + static_cast<long>(begin + i)) * step;
      sum[i] = coefficients_.back();
    }
    for (std::size_t k = coefficients_.size() - 1; k-- > 0;) {
      const double c = coefficients_[k];
      for (std::size_t i = 0; i < lanes; ++i) sum[i] = sum[i] * x[i] + c;
    }
    std::copy_n(sum.begin(), std::min(lanes, count - begin), values + begin);
  }
}

bool is_short(double x) {
  int exponent = 0;
  const double scaled = std::ldexp(std::frexp(x, &exponent), short_bits);
  return std::floor(scaled) == scaled;
}

double short_at_most(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  return std::ldexp(std::floor(std::ldexp(mantissa, short_bits)), exponent - short_bits);
}

}  // namespace plaudit
