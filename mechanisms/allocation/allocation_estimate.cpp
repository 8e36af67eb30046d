#include "mechanisms/allocation/allocation_estimate.hpp"

#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>
#include <numbers>

#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr double nats = 38;               ///< all digits of a double
constexpr double grid_step = 0.2;         ///< of u
constexpr double least_point = -40;       ///< of u: e^(cu) is at most e^-60 there, for c >= least_c
constexpr double most_points = 600;       ///< of a grid
constexpr double vanished = -700;         ///< log of what no longer counts
constexpr double least_c = 1.5;           ///< m is the least integer with c = m - r >= this
constexpr double greatest_c_of_grid = 8;  ///< beyond, the integrand is narrower than the grid
constexpr int highest_order = 500;        ///< greatest_order() at most
constexpr std::size_t most_known = 10'000;  ///< values of A kept
constexpr int highest_order_of_grids = 60;  ///< beyond, far_right()
constexpr double most_log_of_moment = 600;  ///< log E X^m, about, for m = greatest_order()

constexpr double least_rate = 1e-100;   ///< in place of smaller a, which would be divided by
constexpr double farthest_strip = 100;  ///< half-width in y
constexpr double farthest_shift = 100;  ///< -r a / t, beyond which the draws are nearly equal

constexpr double second_of_exponential = 1e-8;  ///< nominal

}  // namespace

AllocationEstimate::AllocationEstimate(double rate, double steps)
    : rate_(std::max(rate, least_rate)), steps_(steps) {
  greatest_order_ = static_cast<int>(
      clamped_integer(std::sqrt(2 * most_log_of_moment) / rate_, 3, highest_order));
  most_order_ = std::min(greatest_order_, highest_order_of_grids);
  // the rule of docs/proofs/random_allocation.md#transform at real points: its step is greatest
  // where v^2 = 2 nats, and grows with v up to there
  const double v = std::min({std::numbers::pi / 2 / rate_, farthest_strip, std::sqrt(2 * nats)});
  step_ = 2 * std::numbers::pi * v / (nats + v * v / 2);
}

AllocationEstimate::OneDraw AllocationEstimate::of_one_draw(int m, double log_s) const {
  // e^(-sX) moves y to the left, X^k to the right.
  const double reach = std::sqrt(2 * nats);
  // the mode is where y = -s a X: at most s a to the left, and log(s) / a
  const double left = std::min(std::max(log_s, 0.0) / rate_, std::exp(log_s) * rate_);
  const long first = clamped_integer(std::floor((-reach - left) / step_), -most_index, 0);
  const long last = clamped_integer(std::ceil((reach + m * rate_) / step_), 0, most_index);
  check_work_limit(second_of_exponential * static_cast<double>(last - first) * (m + 1));
  OneDraw result{-infinity, std::vector<double>(static_cast<std::size_t>(m) + 1)};
  std::vector<double>& f = result.moments;
  std::vector<double> bases;
  for (long l = first; l <= last; ++l) {
    const double y = static_cast<double>(l) * step_;
    bases.push_back(-y * y / 2 - std::exp(log_s + rate_ * y - rate_ * rate_ / 2));
    result.front = std::max(result.front, bases.back());
  }
  for (long l = first; l <= last; ++l) {
    const double base = bases[static_cast<std::size_t>(l - first)] - result.front;
    const double x = rate_ * static_cast<double>(l) * step_ - rate_ * rate_ / 2;
    if (base < vanished - m * std::fabs(x)) continue;
    if (m == 0) {
      f[0] += std::exp(base);
      continue;
    }
    // from the middle, so that neither end leaves the doubles where the other is in them
    const int middle = m / 2;
    double term = std::exp(base + middle * x - std::lgamma(middle + 1.0));
    const double factor = std::exp(x);
    double below = term;
    for (int k = middle; k <= m; ++k) {
      f[static_cast<std::size_t>(k)] += term;
      term *= factor / (k + 1);
    }
    for (int k = middle; k > 0; --k) {
      below *= k / factor;
      f[static_cast<std::size_t>(k - 1)] += below;
    }
  }
  return result;
}

double AllocationEstimate::log_psi(int m, double u) const {
  const OneDraw one = of_one_draw(m, u - std::log(steps_));
  const std::vector<double>& f = one.moments;
  if (!(f[0] > 0)) return -infinity;
  const double power = steps_ * (one.front + std::log(f[0] * step_) - log_sqrt_two_pi);
  if (m == 0) return power;
  // n g_n = sum_k (k (t + 1) - n) f_k g_(n-k), in the variable x / t
  std::vector<double> h{1};
  double scale = 1 / f[0];
  for (int k = 1; k <= m; ++k) {
    scale /= steps_;
    h.push_back(f[static_cast<std::size_t>(k)] * scale);
  }
  std::vector<double> g{1};
  double log_factorial = 0;
  for (int n = 1; n <= m; ++n) {
    log_factorial += std::log(n);
    double sum = 0;
    for (int k = 1; k <= n; ++k) {
      sum += (k * (steps_ + 1) - n) * h[static_cast<std::size_t>(k)] *
             g[static_cast<std::size_t>(n - k)];
    }
    g.push_back(sum / n);
  }
  return g.back() > 0 ? power + std::log(g.back()) + log_factorial : -infinity;
}

const AllocationEstimate::Grid& AllocationEstimate::grid(int m) const {
  const auto known = grids_.find(m);
  if (known != grids_.end()) return known->second;
  Grid made;
  made.first = least_point;
  double greatest = -infinity;
  while (static_cast<double>(made.logs.size()) < most_points) {
    const double u = made.first + grid_step * static_cast<double>(made.logs.size());
    const double value = log_psi(m, u);
    made.logs.push_back(value);
    greatest = std::max(greatest, value);
    if (u > 0 && !(value > greatest + vanished / 2 - greatest_c_of_grid * u)) break;
  }
  return grids_.emplace(m, std::move(made)).first->second;
}

/// r = m - c: log A = log I(c) - log Gamma(c), I(c) = int e^(cu) Psi_m(u) du.
CumulantEstimate AllocationEstimate::summed(double c, double first, double step,
                                            const std::vector<double>& logs) const {
  double greatest = -infinity;
  for (std::size_t j = 0; j < logs.size(); ++j) {
    greatest = std::max(greatest, c * (first + step * static_cast<double>(j)) + logs[j]);
  }
  double mass = 0;
  double mean = 0;
  const double centre = boost::math::digamma(c);
  double square = 0;
  for (std::size_t j = 0; j < logs.size(); ++j) {
    const double u = first + step * static_cast<double>(j);
    const double weight = std::exp(c * u + logs[j] - greatest);
    mass += weight;
    mean += weight * (u - centre);
    square += weight * (u - centre) * (u - centre);
  }
  mean /= mass;
  square /= mass;
  const double value = greatest + std::log(mass * step) - std::lgamma(c);
  const double variance = square - mean * mean - boost::math::trigamma(c);
  return {value, -mean, std::max(variance, 0.0)};
}

CumulantEstimate AllocationEstimate::by_mellin(double r) const {
  const int m = static_cast<int>(clamped_integer(std::ceil(r + least_c), 0, most_order_));
  const std::lock_guard<std::mutex> lock(mutex_);
  const Grid& points = grid(m);
  return summed(m - r, points.first, grid_step, points.logs);
}

/// c = -r large: the integrand is narrow, around u with d/du (c u + log Psi_0) = 0.
CumulantEstimate AllocationEstimate::far_left(double r) const {
  const double c = -r;
  constexpr int reach = 40;
  constexpr double step_of_width = 0.25;
  constexpr double apart = 1e-4;
  constexpr int halvings = 50;
  double low = least_point;
  double high = 10 + std::log(c) + rate_ * rate_ * (1 + c / steps_);
  for (int i = 0; i < halvings; ++i) {
    const double u = (low + high) / 2;
    const double slope = c + (log_psi(0, u + apart) - log_psi(0, u - apart)) / (2 * apart);
    (slope > 0 ? low : high) = u;
  }
  const double mode = (low + high) / 2;
  const double width = std::sqrt(1 / c + rate_ * rate_ / steps_);
  const double step = width * step_of_width;
  std::vector<double> logs;
  for (int j = -reach; j <= reach; ++j) logs.push_back(log_psi(0, mode + j * step));
  return summed(c, mode - reach * step, step, logs);
}

/// Large r: the greater of t^(1-r) E X^r, by one large draw, and of the moment of a lognormal S/t
/// that has its mean and variance.
CumulantEstimate AllocationEstimate::far_right(double r) const {
  const double a2 = rate_ * rate_;
  const double one = (1 - r) * std::log(steps_) + a2 * r * (r - 1) / 2;
  const double spread = std::log1p(std::expm1(std::min(a2, 700.0)) / steps_);
  const double all = spread * r * (r - 1) / 2;
  if (one > all) return {one, a2 * (r - 0.5) - std::log(steps_), a2};
  return {all, spread * (r - 0.5), spread};
}

CumulantEstimate AllocationEstimate::at(double r) const {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto known = known_.find(r);
    if (known != known_.end()) return known->second;
  }
  const CumulantEstimate found = computed(r);
  const std::lock_guard<std::mutex> lock(mutex_);
  if (known_.size() >= most_known) known_.clear();
  return known_.emplace(r, found).first->second;
}

CumulantEstimate AllocationEstimate::computed(double r) const {
  if (steps_ == 1) {
    const double a2 = rate_ * rate_;
    return {a2 * r * (r - 1) / 2, a2 * (r - 0.5), a2};
  }
  if (-r * rate_ > farthest_shift * steps_) {  // as for prod X_i^(1/t)
    const double a2 = rate_ * rate_;
    return {-a2 * r / 2 + a2 * r * r / (2 * steps_), -a2 / 2 + a2 * r / steps_, a2 / steps_};
  }
  if (r < -greatest_c_of_grid) return far_left(r);
  if (r + least_c > most_order_) return far_right(r);
  return by_mellin(r);
}

}  // namespace plaudit
