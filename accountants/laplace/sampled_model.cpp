#include "accountants/laplace/sampled_model.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "lib/analysis/log_sums.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"

namespace plaudit {

namespace {

constexpr int panels = 64;              ///< of Simpson's rule
constexpr std::size_t parts_tried = 8;  ///< in the bound of the curve
constexpr int arcs_seen = 32;
constexpr int ellipses_tried = 28;
constexpr double least_height = 0.02;  ///< of the ellipse's half-axis, and the greatest
constexpr double greatest_height = 3.05;
constexpr double most_points = 20000;
constexpr double least_points = 8;

/// log of the integral of q(x) e^(rx), over l by Simpson's rule.
double log_of_curve(const SampledShape& shape, double r) {
  std::vector<double> logs;
  double greatest = -infinity;
  for (int i = 0; i <= panels; ++i) {
    const double l = shape.a * (2.0 * i / panels - 1);
    const double weight = i == 0 || i == panels ? 1 : (i % 2 == 0 ? 2 : 4);
    logs.push_back(std::log(weight) - (l + shape.a) / 2 +
                   r * std::log1p(shape.rate * std::expm1(l)));
    greatest = std::max(greatest, logs.back());
  }
  double sum = 0;
  for (const double each : logs) sum += std::exp(each - greatest);
  return greatest + std::log(sum * 2 * shape.a / (3.0 * panels) / 4);
}

}  // namespace

SampledShape::SampledShape(const SampledLaplaceLaw& law)
    : a(estimate(law.ratio)), rate(estimate(law.rate)) {
  const PrecisionScope scope(64);
  const SampledDensity density = sampled_density(law, most_sampled_parts + 1);
  top = density.top.estimate();
  bottom = density.bottom.estimate();
  width = density.width.estimate();
  for (const Ball& each : density.at_top) log_top.push_back(each.estimate_log());
  for (const Ball& each : density.at_bottom) log_bottom.push_back(each.estimate_log());
}

SampledModel::SampledModel(const SampledShape& shape, double r, double log_size)
    : shape_(shape), r_(r), log_size_(log_size) {
  high_atom_ = std::exp(r * shape.top - shape.a - log_size) / 2;
  low_atom_ = std::exp(r * shape.bottom - log_size) / 2;
  log_rest_.push_back(log_of_curve(shape, r) - log_size);
  for (std::size_t i = 0; i < most_sampled_parts; ++i) {
    const double low = shape.log_bottom[i] + r * shape.bottom - log_size;
    const double high = shape.log_top[i] + r * shape.top - log_size;
    if (r >= 0) {
      const double ends = low > high ? low + std::log1p(-std::exp(high - low)) : -infinity;
      log_rest_.push_back(estimate_log_sum(ends, std::log(r) + log_rest_[i]));
    } else {
      const double next = shape.log_bottom[i + 1] + r * shape.bottom - log_size;
      log_rest_.push_back(next +
                          std::min(std::log(shape.width), -std::log(std::exp(next - low) - r)));
    }
  }
}

double SampledModel::atoms(double s) const {
  const double whole = high_atom_ + low_atom_;
  const double sine = std::pow(std::sin(s * shape_.width / 2), 2);
  return std::sqrt(std::max(whole * whole - 4 * high_atom_ * low_atom_ * sine, 0.0));
}

double SampledModel::curve(double x) const {
  const double log_x = std::log(x);
  double least = infinity;
  double sum = 0;
  for (std::size_t i = 0; i <= parts_tried; ++i) {
    least = std::min(least, sum + std::exp(log_rest_[i] - static_cast<double>(i) * log_x));
    const double power = static_cast<double>(i + 1) * log_x + log_size_;
    sum += std::exp(shape_.log_top[i] + r_ * shape_.top - power) +
           std::exp(shape_.log_bottom[i] + r_ * shape_.bottom - power);
  }
  return least;
}

double SampledModel::parts(double s, std::size_t count, double u) const {
  const double log_u = std::log(u);
  const double turn = std::cos(s * shape_.width);
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double power = static_cast<double>(i + 1) * log_u - log_size_;
    const double high = std::exp(shape_.log_top[i] + r_ * shape_.top + power);
    const double low = std::exp(shape_.log_bottom[i] + r_ * shape_.bottom + power);
    sum += std::sqrt(std::max(high * high + low * low - 2 * high * low * turn, 0.0));
  }
  return sum;
}

double SampledModel::log_on_ellipse(double rho, double s) const {
  const double wide = shape_.a * (rho + 1 / rho) / 2;
  const double high = shape_.a * (rho - 1 / rho) / 2;
  double greatest = -infinity;
  for (int i = 0; i <= arcs_seen; ++i) {
    const double angle = std::numbers::pi * i / arcs_seen;
    const std::complex<double> l(wide * std::cos(angle), high * std::sin(angle));
    const std::complex<double> f = 1 - shape_.rate + shape_.rate * std::exp(l);
    greatest = std::max(greatest, r_ * std::log(std::abs(f)) + s * std::fabs(std::arg(f)) -
                                      (l.real() + shape_.a) / 2);
  }
  return greatest - log_size_;
}

SampledRule SampledModel::rule(double s, double log_target) const {
  SampledRule best{0, 2};
  double fewest = infinity;
  for (int i = 0; i < ellipses_tried; ++i) {
    const double height = least_height * std::pow(greatest_height / least_height,
                                                  i / static_cast<double>(ellipses_tried - 1));
    const double sine = height / shape_.a;
    const double rho = sine + std::sqrt(1 + sine * sine);
    const double missing = log_on_ellipse(rho, s) + std::log(2 * shape_.a / (rho - 1)) - log_target;
    const double points = (missing / std::log(rho) + 1) / 2;
    if (points < fewest) {
      fewest = points;
      best.ellipse = rho;
    }
  }
  if (fewest < most_points) {
    best.points = static_cast<std::size_t>(
        checked_integer(std::ceil(std::max(fewest, least_points)), "the number of points"));
  }
  return best;
}

}  // namespace plaudit
