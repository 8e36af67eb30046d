#include "mechanisms/cells/density_series.hpp"

#include <algorithm>
#include <cmath>

#include "lib/analysis/increasing_root.hpp"
#include "lib/balls/complex_ball.hpp"
#include "lib/balls/error_term.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm taylor_term{"blocks.taylor", "docs/proofs/blocks.md#disk"};

constexpr double reach_of_rate = 0.6;    ///< v times the greatest rate, v the radius in y
constexpr double nats_of_reach = 3;      ///< that phi may vary by within v
constexpr double greatest_change = 0.6;  ///< t of the proof: relative change of f'/f within v
constexpr int shrinkings_of_reach = 5;   ///< halvings of v before a disk is given up
constexpr double radii_of_disk = 3;      ///< R is at least this multiple of the series' radius
constexpr double series_nats = 37.5;     ///< 2^-54
constexpr long least_degree = 8;
constexpr long most_degree = 48;
constexpr int root_doublings = 1000;
constexpr int root_halvings = 80;

/// sum_{j=1}^{k} a_j b_{k-j}; b is stored backward, b_m in backward[size - 1 - m].
Ball convolution(const std::vector<Ball>& a, const std::vector<Ball>& backward, std::size_t k) {
  return dot(&a[1], &backward[backward.size() - k], k);
}

}  // namespace

DensitySeries::DensitySeries(const GaussianMixture& mixture, Direction direction)
    : f_(mixture), estimate_(mixture), removes_(direction == Direction::remove), varying_(1) {
  for (std::size_t i = 0; i < mixture.sensitivities.size(); ++i) {
    rates_.push_back(mixture.rate(i));
    probabilities_.emplace_back(mixture.probabilities[i]);
    weights_.push_back(mixture.weight(i));
    if (mixture.sensitivities[i] == 0) varying_ = Ball(Rational(1 - mixture.probabilities[i]));
  }
}

/// Encloses y with f(y) = e^loss, if there is certainly one.
std::optional<Ball> DensitySeries::root(double loss) const {
  const bool constant = rates_.front().is_exact_zero();
  if (constant) {
    const Ball rest = expm1(Ball(loss)) + varying_;
    if (!certainly_positive(rest)) return std::nullopt;
    if (rates_.size() == 2) {
      return log(rest / varying_) / rates_.back() + ldexp(rates_.back(), -1);
    }
  }
  double low = -1;
  double high = 1;
  for (int i = 0; i < root_doublings && estimate_.log_f(low) > loss; ++i) low *= 2;
  for (int i = 0; i < root_doublings && estimate_.log_f(high) < loss; ++i) high *= 2;
  for (int i = 0; i < root_halvings; ++i) {
    const double middle = (low + high) / 2;
    (estimate_.log_f(middle) < loss ? low : high) = middle;
  }
  const Ball target = exp(Ball(loss));
  return increasing_root(
      Ball((low + high) / 2), Ball(1), [&](const Ball& x) { return f_.value(x) - target; },
      [&](const Ball& x) {
        const Ball value = f_.value(x);
        return (value - target) / (value * f_.mean_rate(x));
      });
}

// Proof: docs/proofs/blocks.md#disk
std::optional<DensitySeries::Disk> DensitySeries::disk(const Ball& y) const {
  const double near = y.estimate();
  double reach =
      std::min(reach_of_rate / rates_.back().estimate(), nats_of_reach / (1 + std::fabs(near)));
  std::vector<Ball> parts;  // of f at y
  Ball value;
  Ball slope;
  for (std::size_t i = 0; i < rates_.size(); ++i) {
    parts.push_back(weights_[i] * exp(rates_[i] * y));
    value += parts.back();
    slope += parts.back() * rates_[i];
  }
  const Ball rate = slope / value;
  for (int k = 0; k < shrinkings_of_reach; ++k, reach /= 2) {
    const Ball side = widened(Ball(0), Ball(reach));
    const ComplexBall square(side, side);
    // f' / f = a - sum (a - a_i) w_i e^{a_i y} / f, a the greatest rate: less blurred than f' / f
    ComplexBall values;
    ComplexBall missing;
    for (std::size_t i = 0; i < rates_.size(); ++i) {
      const ComplexBall part = ComplexBall(parts[i]) * exp(square * ComplexBall(rates_[i]));
      values += part;
      missing += part * ComplexBall(rates_.back() - rates_[i]);
    }
    const ComplexBall rates = ComplexBall(rates_.back()) - missing / values;
    const Ball change = abs(rates - ComplexBall(rate)).upper() / rate;
    if (!certainly_less(change, Ball(greatest_change))) continue;
    Disk result{y, Ball(reach), Ball(0), Ball(0)};
    result.least_rate =
        PLAUDIT_BOUND("blocks.least_rate", (Ball(1) - change) * rate, Ball(8) * rate);
    result.radius = result.least_rate * result.reach;
    return result;
  }
  return std::nullopt;
}

/// Coefficients of y(centre + radius X), X^0 .. X^(count - 1).
// Proof: docs/proofs/blocks.md#series
std::vector<Ball> DensitySeries::inverse(const Ball& y, const Ball& exp_loss, double radius,
                                         std::size_t count) const {
  const std::size_t components = rates_.size();
  std::vector<std::vector<Ball>> backward(components, std::vector<Ball>(count));
  std::vector<Ball> slopes(count);  // of f, backward
  const auto set = [&](std::size_t i, std::size_t k, const Ball& value) {
    backward[i][count - 1 - k] = value;
    slopes[count - 1 - k] += rates_[i] * value;
  };
  for (std::size_t i = 0; i < components; ++i) set(i, 0, weights_[i] * exp(rates_[i] * y));
  std::vector<Ball> multiples(count);  // k times the coefficient of X^k
  std::vector<Ball> result(count);
  result[0] = y;
  Ball power = exp_loss;  // e^loss radius^k / k!
  const Ball first_slope = slopes[count - 1];
  for (std::size_t k = 1; k < count; ++k) {
    const Ball degree(static_cast<long>(k));
    power *= Ball(radius);
    power /= degree;
    // multiples[k] is still 0
    multiples[k] = (degree * power - convolution(multiples, slopes, k)) / first_slope;
    result[k] = multiples[k] / degree;
    for (std::size_t i = 0; i < components; ++i) {
      if (rates_[i].is_exact_zero()) continue;
      set(i, k, rates_[i] * convolution(multiples, backward[i], k) / degree);
    }
  }
  return result;
}

namespace {

/// Coefficients of e^{h}, from those of h.
std::vector<Ball> exponential(const std::vector<Ball>& h) {
  const std::size_t count = h.size();
  std::vector<Ball> multiples(count);
  for (std::size_t k = 1; k < count; ++k) multiples[k] = h[k] * Ball(static_cast<long>(k));
  std::vector<Ball> backward(count);
  std::vector<Ball> result(count);
  result[0] = exp(h[0]);
  backward[count - 1] = result[0];
  for (std::size_t k = 1; k < count; ++k) {
    result[k] = convolution(multiples, backward, k) / Ball(static_cast<long>(k));
    backward[count - 1 - k] = result[k];
  }
  return result;
}

/// Coefficients of a product.
std::vector<Ball> product(const std::vector<Ball>& a, const std::vector<Ball>& b) {
  const std::size_t count = a.size();
  std::vector<Ball> backward(b.rbegin(), b.rend());
  std::vector<Ball> result(count);
  for (std::size_t k = 0; k < count; ++k) {
    result[k] = dot(a.data(), &backward[count - 1 - k], k + 1);
  }
  return result;
}

}  // namespace

std::optional<DensityPolynomial> DensitySeries::about(double centre, double radius) const {
  const double loss = removes_ ? centre : -centre;
  const std::optional<Ball> y = root(loss);
  if (!y) return std::nullopt;
  const std::optional<Disk> found = disk(*y);
  const Ball r(radius);
  if (!found || !certainly_less(Ball(radii_of_disk) * r, found->radius)) return std::nullopt;
  // |phi(y) e^{l}| and |y'| in the disk.
  // Proof: docs/proofs/blocks.md#disk
  const Ball exponent =
      PLAUDIT_BOUND("blocks.growth_in_disk",
                    abs(*y) * found->reach + ldexp(square(found->reach), -1), -Ball(60)) -
      ldexp(square(*y), -1) + (removes_ ? Ball(loss) + found->radius : Ball(0));
  const Ball largest = exp(exponent) / (found->least_rate * sqrt(ldexp(pi(), 1)));
  const Ball ratio = r / found->radius;
  // from `largest`, about nats_of_reach and the radius above the density, to 2^-54 of that
  const double wanted = nats_of_reach + series_nats + 1 + (removes_ ? found->radius.estimate() : 0);
  const long degree =
      clamped_integer(std::ceil(-wanted / ratio.estimate_log()), least_degree, most_degree);
  const auto count = static_cast<std::size_t>(degree) + 1;

  const std::vector<Ball> inverse_f = inverse(*y, exp(Ball(loss)), radius, count + 1);
  std::vector<Ball> slope(count);  // y' radius
  for (std::size_t k = 0; k < count; ++k) {
    slope[k] = inverse_f[k + 1] * Ball(static_cast<long>(k + 1));
  }
  const std::vector<Ball> short_y(inverse_f.begin(), inverse_f.end() - 1);
  std::vector<Ball> exponents = product(short_y, short_y);
  for (Ball& each : exponents) each = -ldexp(each, -1);
  if (removes_) {
    exponents[0] += Ball(loss);
    exponents[1] += r;
  }
  DensityPolynomial result;
  result.coefficients = product(exponential(exponents), slope);
  const Ball front = Ball(1) / (r * sqrt(ldexp(pi(), 1)));
  for (std::size_t k = 0; k < count; ++k) {
    result.coefficients[k] *= front;
    if (!removes_ && k % 2 == 1) result.coefficients[k] = -result.coefficients[k];
    if (!result.coefficients[k].is_finite()) return std::nullopt;
  }
  result.remainder = charged(
      taylor_term, largest * power(ratio, static_cast<std::uint64_t>(count)) / (Ball(1) - ratio));
  if (!result.remainder.is_finite()) return std::nullopt;
  return result;
}

}  // namespace plaudit
