#include "mechanisms/mixtures/mixture_density.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr double grid = 1.0 / 64;      ///< the ends of a window are multiples of it in y, so exact
constexpr double farthest_left = 1e5;  ///< |y| where the search for a monotone left tail ends
constexpr long block = 1024;  ///< points from one exponential to the next; between, products
constexpr double most_lattice_points = 1e9;

long checked_index(const Ball& x) {
  const double value = x.estimate();
  if (!(std::fabs(value) < most_lattice_points)) {
    throw std::domain_error("density: the lattice is too long");
  }
  return checked_integer(value, "density: the window");
}

}  // namespace

MixtureDensity::MixtureDensity(const GaussianMixture& mixture, const Ball& r)
    : f_(mixture), estimate_(mixture), r_(r), varying_(1) {
  for (std::size_t i = 0; i < mixture.sensitivities.size(); ++i) {
    if (mixture.sensitivities[i] == 0) {
      varying_ = Ball(Rational(1 - mixture.probabilities[i]));
      continue;
    }
    rates_.push_back(mixture.rate(i));
    weights_.push_back(mixture.weight(i));
    near_rates_.push_back(mixture.estimated_rate(i));
    near_log_weights_.push_back(weights_.back().estimate_log());
  }
  inverse_rate_ = Ball(1) / rates_.front();
  log_weight_ = log(weights_.front());
}

// Proof: docs/proofs/fourier.md#tails
MixtureDensity::Window MixtureDensity::window(const Ball& d, double nats) const {
  const double r = r_.estimate();
  const double greatest = estimate_.greatest_rate();
  const MixtureEstimate::Window rough = estimate_.window(r, nats + 2);
  // Where G is certainly monotone: decreasing above `high`, increasing below `low`.
  const double high = std::max({rough.high, r * greatest + grid, grid});
  double low = std::min(rough.low, -greatest - grid);
  for (; low > -farthest_left; low -= 0.25) {
    double rate = 0;
    estimate_.log_f(low, rate);
    if (-low > greatest + std::max(0.0, -r) * rate + grid) break;
  }
  const long top = checked_integer(std::ceil(high / grid), "density: the window");
  const long bottom = checked_integer(std::floor(low / grid), "density: the window");
  const Ball y_top = Ball(grid) * Ball(top);
  const Ball y_bottom = Ball(grid) * Ball(bottom);
  const Ball most = max(Ball(0), r_) * f_.greatest_rate();
  const Ball least = f_.greatest_rate() + max(Ball(0), -r_) * f_.mean_rate(y_bottom);
  if (!certainly_greater_equal(y_top, most) || !certainly_greater_equal(-y_bottom, least)) {
    throw std::domain_error("density: the tails are not certainly monotone");
  }
  Window result;
  const Ball l_top = f_.log_value(y_top);
  const Ball l_bottom = f_.log_value(y_bottom);
  result.last = checked_index(l_top / d) + 1;
  while (!certainly_greater_equal(d * Ball(result.last), l_top)) ++result.last;
  result.first = checked_index(l_bottom / d) - 1;
  while (!certainly_less_equal(d * Ball(result.first), l_bottom)) --result.first;
  // The points beyond the last and before the first one: at most the integrals of G there.
  const Ball right = f_.right_tail(r_, top, grid), left = f_.left_tail(r_, bottom, grid);
  result.outside = (PLAUDIT_BOUND("density.right_tail", right, Ball(0)) +
                    PLAUDIT_BOUND("density.left_tail", left, Ball(0)))
                       .upper();
  if (!result.outside.is_finite()) throw std::domain_error("density: no bound of the tails");
  return result;
}

// Proof: docs/proofs/fourier.md#root
MixtureDensity::Root MixtureDensity::root(const Ball& goal, double& near) const {
  if (rates_.size() == 1) return {(goal - log_weight_) * inverse_rate_, rates_[0]};
  const double target = goal.estimate();
  for (int i = 0; i < 60; ++i) {  // Newton on a convex function: heuristic
    double greatest = -1e300;
    for (std::size_t k = 0; k < near_rates_.size(); ++k) {
      greatest = std::max(greatest, near_log_weights_[k] + near_rates_[k] * near);
    }
    double sum = 0;
    double slope = 0;
    for (std::size_t k = 0; k < near_rates_.size(); ++k) {
      const double share = std::exp(near_log_weights_[k] + near_rates_[k] * near - greatest);
      sum += share;
      slope += share * near_rates_[k];
    }
    const double change = (target - greatest - std::log(sum)) * sum / slope;
    near += change;
    if (!(std::fabs(change) > 1e-15 * std::max(1.0, std::fabs(near)))) break;
  }
  const auto at = [this](const Ball& y, Ball& log_value) {
    Ball sum;
    Ball weighted;
    for (std::size_t k = 0; k < rates_.size(); ++k) {
      const Ball share = weights_[k] * exp(rates_[k] * y);
      sum += share;
      weighted += share * rates_[k];
    }
    log_value = log(sum);
    return weighted / sum;
  };
  const Ball centre(near);
  const Ball reach(std::ldexp(std::max(1.0, std::fabs(near)), -36));
  Ball value;
  const Ball slope = at(centre, value);
  const Ball spread = reach * square(rates_.back());  // of the slope within reach
  const Ball distance = goal - value;
  if (!certainly_less_equal(abs(distance), reach * (slope - spread))) {
    throw std::domain_error("density: the root of the likelihood ratio was not enclosed");
  }
  Root result;
  result.y =
      centre + distance / PLAUDIT_BOUND("density.slope_near_root", widened(slope, spread), slope);
  result.rate = at(PLAUDIT_BOUND("density.rate_at_root", result.y, centre), value);
  return result;
}

void MixtureDensity::cell_ends(const Ball& d, long first, long last,
                               const std::function<void(long, const Ball&)>& sink) const {
  std::vector<Ball> fine(static_cast<std::size_t>(block));
  for (long k = 0; k < block; ++k) fine[static_cast<std::size_t>(k)] = exp(d * Ball(k));
  const Ball constant = Ball(1) - varying_;
  double near = 0;
  Ball coarse;
  for (long j = first; j <= last + 1; ++j) {
    const long k = (j - first) % block;
    if (k == 0) {
      coarse = exp(d * ldexp(Ball(2 * j - 1), -1));
      check_work_limit();
    }
    const Ball rest = coarse * fine[static_cast<std::size_t>(k)] - constant;
    if (certainly_less_equal(rest, Ball(0))) {
      sink(j, -positive_infinity());
      continue;
    }
    if (!certainly_positive(rest)) {
      throw std::domain_error("density: a cell ends too near the end of the support");
    }
    sink(j, root(log(rest), near).y);
  }
}

void MixtureDensity::sample(const Ball& d, const Window& window, const Ball& scale,
                            const std::function<void(long, const Ball&)>& sink) const {
  std::vector<Ball> fine(static_cast<std::size_t>(block));
  for (long k = 0; k < block; ++k) fine[static_cast<std::size_t>(k)] = exp(d * Ball(k));
  const bool simple = rates_.size() == 1;
  const Ball constant = Ball(1) - varying_;
  const Ball front = d / sqrt(ldexp(pi(), 1));
  const Ball log_front = (simple ? log(front * inverse_rate_) : log(front)) - scale;
  const Ball slope = (r_ + Ball(1)) * d;
  double near = 0;
  Ball coarse;
  for (long j = window.first; j <= window.last; ++j) {
    const long k = (j - window.first) % block;
    if (k == 0) {
      coarse = exp(d * Ball(j));
      check_work_limit();
    }
    // f(y) = e^l splits into its constant part and the rest, which has to be positive.
    const Ball rest = coarse * fine[static_cast<std::size_t>(k)] - constant;
    if (certainly_less_equal(rest, Ball(0))) {
      sink(j, Ball(0));
      continue;
    }
    if (!certainly_positive(rest)) {
      throw std::domain_error("density: a point is too near the end of the support");
    }
    const Ball log_rest = log(rest);
    const Root at = root(log_rest, near);
    // phi e^{r l} / a with a = rate * rest / e^l
    Ball exponent = square(at.y);
    exponent = slope * Ball(j) - ldexp(exponent, -1) - log_rest + log_front;
    Ball value = exp(exponent);
    if (!simple) value /= at.rate;
    if (!value.is_finite()) throw std::domain_error("density: no finite value");
    sink(j, value);
  }
}

// Proof: docs/proofs/fourier.md#far
Ball MixtureDensity::fourth_order(const Ball& moment) const {
  const Ball& a = rates_.back();
  // Any eta in (0, pi / (2 a)] is valid; near 2 is best for small a.
  const Ball quarter = ldexp(pi(), -1) / a;
  const Ball eta = certainly_less(Ball(2), quarter) ? Ball(2) : quarter;
  const Ball sine = certainly_less(Ball(2), quarter) ? sin(a * eta) : Ball(1);
  const Ball shifted = r_ + Ball(4);
  // |f(y + i eta)|^r <= 2^{|r|/2} f^r for r < 0
  Ball bound = exp(ldexp(square(eta), -1) + ldexp(square(a), 3) +
                   max(Ball(0), -r_) * ldexp(log(Ball(2)), -1) +
                   max(Ball(0), -shifted) * ldexp(square(a), 2));
  bound *= power(Ball(4) / (exp(Ball(1)) * weights_.back() * sine), 4) * moment;
  return bound.is_finite() ? bound.upper() : positive_infinity();
}

}  // namespace plaudit
