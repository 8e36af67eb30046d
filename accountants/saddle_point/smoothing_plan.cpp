#include "accountants/saddle_point/smoothing_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "accountants/cumulants/chernoff_factor.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"

namespace plaudit {

namespace {

constexpr int pairs_of_cell = points_of_cell / 2;
constexpr double bounded_derivative = points_of_cell + 1;
constexpr double least_radius = 0.25;  ///< of those that are tried, each sqrt 2 times the former
constexpr int radii = 11;
constexpr double difference = 1.0 / 16;  ///< of orders, in 1/d, for the third and fourth cumulants
// sup of He_2 phi / 6, He_3 phi / 24 and He_5 phi / 72: what terms of cumulants do to a
// distribution
constexpr double of_third = 0.0665;
constexpr double of_fourth = 0.023;
constexpr double of_sixth = 0.032;
constexpr double fine = 2e-3;         ///< errors over the distance that is expected
constexpr double finest = 1e-13;      ///< distance that is expected, at the least
constexpr double coarsest = 0.2;      ///< and at the most
constexpr double coarser = 4;         ///< errors, where a line would have too many cells
constexpr double usual_nats = 12;     ///< for which the cost of a line is estimated
constexpr double widest_mesh = 0.25;  ///< h: the size of phi - gamma changes little in a cell
constexpr double least_height = 4.5;
constexpr double next_height = 1.2;
constexpr int most_cells = 400;
constexpr double most_evaluations = 100000;  ///< of the integrand, for all values of a line
constexpr double farthest = 1e15;            ///< T / H at most
constexpr double share_beyond = 0.4;  ///< of beta log(T / H), the distance that T beyond H costs
constexpr double least_bound = 1e-300;
constexpr int heights = 16;  ///< that are tried below that of the line

/// The distance that is expected, by the third and fourth cumulants.
double expected_distance(const ComposedLoss& loss, double t, const CumulantEstimate& at,
                         bool edgeworth) {
  const double d = std::sqrt(at.variance);
  const double w = difference / d;
  const double above = loss.estimate_cumulant(t + w).variance / at.variance;
  const double below = loss.estimate_cumulant(t - w).variance / at.variance;
  const double third = std::fabs(above - below) / (2 * difference);
  const double fourth = std::fabs(above - 2 + below) / (difference * difference);
  const double small = of_fourth * fourth + of_sixth * third * third;
  const double expected =
      edgeworth ? small * std::min(1.0, fourth + third * third) : of_third * third + small;
  return std::isfinite(expected) ? std::clamp(expected, finest, coarsest) : coarsest;
}

/// Takes the radius at which E cosh(RX) / R^11 is least, and returns the logarithm of that.
double choose_reach(const ComposedLoss& loss, const CumulantEstimate& at, LineChoice& choice) {
  double least = infinity;
  double radius = least_radius;
  for (int i = 0; i < radii; ++i, radius *= std::numbers::sqrt2) {
    const double w = radius / choice.deviation;
    const auto rise = [&](double x) {
      return loss.estimate_cumulant(choice.t + x).value - at.value - x * at.mean;
    };
    const double value =
        std::max(rise(w), rise(-w)) - log_two / 2 - bounded_derivative * std::log(radius);
    if (!(value < least)) break;
    least = value;
    choice.reach = w;
  }
  return least;
}

/// What interpolation misses of (phi - gamma) / s is e to this times h^10.
double log_interpolation_error(double log_moment) {
  double of_normal = -std::lgamma(bounded_derivative + 1);
  for (int k = 1; k < 2 * bounded_derivative; k += 2) of_normal += std::log(k) / 2;
  double sum = std::max(log_moment, of_normal);
  for (int i = 1; i <= pairs_of_cell; ++i) sum += 2 * std::log(i - 0.5);
  return sum;
}

/// u |K(u)| in floating point, K being Prawitz' kernel.
double weight_at(double u) {
  const double q = u > 0 ? u * (1 - u) / std::tan(std::numbers::pi * u) : 1 / std::numbers::pi;
  return std::hypot(u * (1 - u), q + u / std::numbers::pi) / 2;
}

/// |phi - gamma| / s at kh, k = 1 .. N.
std::vector<double> sizes_of(const TiltedLine& line, const HermiteCoefficients& c) {
  const double h = line.mesh.estimate();
  std::vector<double> sizes;
  for (std::size_t k = 1; k <= line.choice.cells; ++k) {
    const double s = h * static_cast<double>(k);
    std::complex<double> sum = 0;
    std::complex<double> power = 1;
    for (const double each : c) {
      sum += each * power;
      power *= std::complex<double>(0, s);
    }
    const std::complex<double> phi(line.values[k].real().estimate(),
                                   line.values[k].imaginary().estimate());
    sizes.push_back(std::abs(phi - sum * std::exp(-s * s / 2)) / s);
  }
  return sizes;
}

}  // namespace

std::optional<LineChoice> choose_line(const ComposedLoss& loss, double t, bool edgeworth) {
  const CumulantEstimate at = loss.estimate_cumulant(t);
  if (!(at.variance > 0) || !std::isfinite(at.variance) || !std::isfinite(at.mean)) return {};
  LineChoice choice{t, at.mean, std::sqrt(at.variance), 0, 0, 0, 0};
  const double log_error = log_interpolation_error(choose_reach(loss, at, choice));
  if (!std::isfinite(log_error)) return {};
  double points = 1;
  for (const ComposedLoss::Term& term : loss.terms()) {
    points += term.loss->estimate_line_points(t, least_height / choice.deviation, usual_nats) *
              term.loss->price_of_line_point();
  }
  const double most = std::min<double>(most_cells, most_evaluations / points);
  if (most < 2 * points_of_cell) return {};
  // The errors that are wanted, or the least that so many cells allow.
  double wanted = fine * expected_distance(loss, t, at, edgeworth);
  for (;; wanted *= coarser) {
    const double h =
        std::min(widest_mesh, std::exp((std::log(wanted) - log_error) / points_of_cell));
    double height = std::max(least_height, std::sqrt(-2 * std::log(wanted)));
    while (height < most * h &&
           loss.estimate_log_decay(t, height / choice.deviation) > std::log(wanted)) {
      height *= next_height;
    }
    const bool coarsest_yet = wanted * coarser > fine * coarsest;
    if (height > most * h && !coarsest_yet) continue;
    height = std::min(height, most * h);
    choice.nats = -std::log(wanted);
    choice.cells = static_cast<std::size_t>(
        clamped_integer(std::ceil(height / h), points_of_cell, long{most_cells}));
    choice.step = height / static_cast<double>(choice.cells) / choice.deviation;
    return choice;
  }
}

HermiteCoefficients form_with(const TiltedLine& line, int terms) {
  // i^-1 log phi(s) / s = k_1 + i k_2 s / 2 - k_3 s^2 / 6 - ...: polynomials in s^2 through the
  // first values, by Newton's differences
  const double h = line.mesh.estimate();
  std::array<double, pairs_of_cell> odd{};
  std::array<double, pairs_of_cell> even{};
  for (std::size_t k = 1; k <= pairs_of_cell; ++k) {
    const ComplexBall value = log(line.values[k]);
    const double s = h * static_cast<double>(k);
    odd[k - 1] = value.imaginary().estimate() / s;
    even[k - 1] = -2 * value.real().estimate() / (s * s);
  }
  const auto node = [&](std::size_t k) { return std::pow(h * static_cast<double>(k + 1), 2); };
  const auto coefficients = [&](std::array<double, pairs_of_cell> y) {
    for (std::size_t level = 1; level < y.size(); ++level) {
      for (std::size_t k = y.size() - 1; k >= level; --k) {
        y[k] = (y[k] - y[k - 1]) / (node(k) - node(k - level));
      }
    }
    std::array<double, pairs_of_cell> result{};
    for (std::size_t k = y.size(); k-- > 0;) {  // Horner, times (x - node) each time
      for (std::size_t j = result.size(); j-- > 0;) {
        result[j] = (j > 0 ? result[j - 1] : 0) - node(k) * result[j];
      }
      result[0] += y[k];
    }
    return result;
  };
  const auto odd_series = coefficients(odd);
  const auto even_series = coefficients(even);
  const double third = -6 * odd_series[1];
  const double fourth = -12 * even_series[1];
  const double fifth = 120 * odd_series[2];
  HermiteCoefficients c{};
  c[0] = 1;
  c[1] = odd_series[0];
  c[2] = (even_series[0] - 1) / 2;
  if (terms > 0) c[3] = third / 6;
  if (terms > 1) {
    c[4] = fourth / 24;
    c[6] = third * third / 72;
  }
  if (terms > 2) {
    c[5] = fifth / 120;
    c[7] = third * fourth / 144;
    c[9] = third * third * third / 1296;
  }
  for (double& each : c) {
    if (!std::isfinite(each)) each = 0;
  }
  return c;
}

ChosenForm choose_form(const TiltedLine& line, bool edgeworth) {
  const double t = line.choice.t;
  const double h = line.mesh.estimate();
  const double low = t * line.choice.deviation;
  const double high = (t + 1) * line.choice.deviation;
  ChosenForm best{form_with(line, 0), 0};
  double least = infinity;
  for (int terms = 0; terms <= (edgeworth ? most_terms : 0); ++terms) {
    const HermiteCoefficients c = form_with(line, terms);
    // what makes 2 c(t) D and E, but for factors that all forms share
    double distance = 0;
    double smooth = 0;
    double s = 0;
    for (const double size : sizes_of(line, c)) {
      s += h;
      distance += size;
      smooth += size * s / std::hypot(low, s) / std::hypot(high, s);
    }
    const double error = std::min(2 * std::exp(estimate_log_chernoff_factor(t)) * distance,
                                  line.choice.deviation * smooth);
    if (error < least) best = {c, terms};
    least = std::min(least, error);
  }
  return best;
}

SmoothingHeight choose_height(const TiltedLine& line, const HermiteCoefficients& c) {
  const double h = line.mesh.estimate();
  const std::size_t cells = line.choice.cells;
  const std::vector<double> sizes = sizes_of(line, c);
  const double beta = line.beyond.upper_double();
  const double root = std::sqrt(std::numbers::pi / 2);
  const double reach = h * static_cast<double>(cells);
  const double top = std::min(root / (share_beyond * (beta + least_bound)), farthest * reach);
  const SmoothingHeight whole{cells, std::max(1.0, top / reach)};
  SmoothingHeight best = whole;
  double least = infinity;
  for (int i = 0; i <= heights; ++i) {
    const SmoothingHeight height =
        i == heights ? whole
                     : SmoothingHeight{cells * static_cast<std::size_t>(i + 1) / heights, 1};
    if (height.cells == 0) continue;
    const double scaled = static_cast<double>(height.cells) * height.beyond;
    double sum = root / (h * scaled) + share_beyond * beta * std::log(height.beyond);
    for (std::size_t k = 0; k < height.cells; ++k) {
      sum += 2 * h * weight_at((static_cast<double>(k) + 0.5) / scaled) * sizes[k];
    }
    if (sum < least) {
      least = sum;
      best = height;
    }
  }
  return best;
}

}  // namespace plaudit
