#include "mechanisms/allocation/allocation_moments.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <optional>
#include <stdexcept>

#include "lib/analysis/lognormal_transform.hpp"
#include "lib/analysis/power_series.hpp"
#include "lib/analysis/power_sums.hpp"
#include "lib/analysis/strip_quadrature.hpp"
#include "lib/balls/error_term.hpp"
#include "lib/balls/gamma.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm alias_term{"allocation.aliases", "docs/proofs/random_allocation.md#mellin"};
constexpr ErrorTerm left_term{"allocation.nodes_on_the_left",
                              "docs/proofs/random_allocation.md#mellin"};
constexpr ErrorTerm right_term{"allocation.nodes_on_the_right",
                               "docs/proofs/random_allocation.md#mellin"};

constexpr double most_nodes = 2e6;
constexpr double most_order = 400;
constexpr std::uint64_t most_integer = 4000;
constexpr long bits_of_integers = 128;
constexpr long bits_of_difference = 2;
constexpr double seconds_of_product = 1e-7;
constexpr double least_c_of_moments = 1;
constexpr long orders_more[] = {0, 1, 2, 4, 7, 12, 20, 33};
constexpr double nats_that_double_cost = 100;
constexpr double cost_of_terms = 1.0 / 100;
constexpr double cost_of_height = 1.0 / 100;
constexpr double spare_nats_of_moments = 8;
constexpr double coarse_nats = 12;  ///< of A(r) where it only scales an error
constexpr double least_nats = 6;
// The heights of a line are cut into parts, each with nodes of its own.
constexpr double parts_of_heights = 0.7;
constexpr double most_parts = 40;
constexpr int angles_tried = 20;
constexpr int halvings_of_omega = 6;
constexpr double first_omega = 4;
constexpr double most_omega = 1e7;
constexpr long spare_bits_of_moments = 40;
constexpr double bits_of_count = 1.5;  ///< for each octave of the number of values
constexpr double share_of_step = 0.8;  ///< what rounding steps to a lattice may lose
constexpr long most_multiple = 10'000'000;
constexpr int most_parts_more = 8;
constexpr int terms_looked_at = 40;
constexpr double grid_of_psi = 0.125;
constexpr double nats_of_no_matter = 8;
constexpr double longest_window = 1e4;
constexpr std::size_t most_tables = 48;
// What a line is given beyond what is asked, so that it serves the next one, too.
constexpr double more_height = 1.1;
constexpr double more_nats = 2;
constexpr double share_on_the_left = 0.05;

}  // namespace

AllocationMoments::AllocationMoments(const Rational& squared_rate, std::uint64_t steps)
    : squared_rate_(squared_rate),
      steps_(steps),
      estimate_(std::sqrt(plaudit::estimate(squared_rate)), static_cast<double>(steps)) {}

// ---- elementary bounds

// Proof: docs/proofs/random_allocation.md#elementary
Ball AllocationMoments::elementary_bound(const Ball& r) const {
  const Ball half = ldexp(Ball(squared_rate_), -1);
  if (certainly_less_equal(r, Ball(0))) {
    const Ball p = -r;
    return exp(half * p + half * square(p) / Ball(steps_)).upper();
  }
  if (certainly_nonnegative(r) && certainly_less_equal(r, Ball(1))) return Ball(1);
  if (certainly_greater_equal(r, Ball(1))) return exp(half * r * (r - Ball(1))).upper();
  return max(elementary_bound(r.lower()), elementary_bound(r.upper()));
}

// Proof: docs/proofs/random_allocation.md#elementary
Ball AllocationMoments::integer_moment(std::uint64_t m) const {
  if (m <= 1) return Ball(1);
  const Ball half = ldexp(Ball(squared_rate_), -1);
  const Ball steps(steps_);
  std::vector<ComplexBall> f;
  for (std::uint64_t k = 0; k <= m; ++k) {
    f.emplace_back(exp(half * Ball(k) * (Ball(k) - Ball(1))) / (factorial(k) * power(steps, k)));
  }
  return series_power(f, steps_, m + 1)[m].real() * factorial(m);
}

// Proof: docs/proofs/random_allocation.md#elementary
void AllocationMoments::extend_integers(std::uint64_t most) const {
  if (most < integers_.size()) return;
  const std::uint64_t m = most + most / 2;
  check_work_limit(seconds_of_product * static_cast<double>(m) * static_cast<double>(m));
  // k (t + 1) < n makes differences, of which each costs a few bits
  const PrecisionScope scope(bits_of_integers +
                             (m > steps_ ? bits_of_difference * static_cast<long>(m - steps_) : 0));
  const Ball half = ldexp(Ball(squared_rate_), -1);
  // f_k = E X^k / k!; n g_n = sum_k (k (t + 1) - n) f_k g_(n-k)
  std::vector<Ball> f;
  Ball inverse_factorial(1);
  for (std::uint64_t k = 0; k <= m; ++k) {
    if (k > 1) inverse_factorial /= Ball(k);
    f.push_back(exp(half * Ball(k) * (Ball(k) - Ball(1))) * inverse_factorial);
  }
  std::vector<Ball> g(m + 1);  // backwards: g_n at m - n
  std::vector<Ball> weighted(m + 1);
  g[m] = Ball(1);
  integers_.assign(1, Ball(1));
  Ball scale(1);  // n! / t^n
  for (std::uint64_t n = 1; n <= m; ++n) {
    check_work_limit();
    for (std::uint64_t k = 1; k <= n; ++k) weighted[k] = f[k] * (Ball(k * (steps_ + 1)) - Ball(n));
    g[m - n] = dot(weighted.data() + 1, g.data() + (m - n + 1), n) / Ball(n);
    scale *= Ball(n) / Ball(steps_);
    integers_.push_back(g[m - n] * scale);
  }
}

// Proof: docs/proofs/random_allocation.md#elementary
Ball AllocationMoments::between_integers(const Ball& r) const {
  const auto n =
      static_cast<std::uint64_t>(clamped_integer(std::floor(r.estimate()), 0, most_index));
  const Ball share = r - Ball(n);
  if (n > most_integer || n > 2 * steps_ || !certainly_nonnegative(share) ||
      !certainly_less_equal(share, Ball(1))) {
    // log A is convex and 0 at 0 and at 1
    const bool beyond_one = certainly_greater_equal(r, Ball(1));
    return hull(Ball(beyond_one ? 1 : 0), elementary_bound(r));
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  extend_integers(n + 2);
  const Ball& first = integers_[n];
  const Ball& second = integers_[n + 1];
  const Ball& third = integers_[n + 2];
  const Ball rest = Ball(1) - share;
  return hull(second * exp(rest * log(second / third)),
              exp(PLAUDIT_BOUND("allocation.between_integers", rest, share) * log(first) +
                  share * log(second)));
}

// Proof: docs/proofs/random_allocation.md#decay
Ball AllocationMoments::log_decay(const Ball& y) const {
  return -(Ball(squared_rate_) * square(y) /
           ldexp(PLAUDIT_BOUND("allocation.decay", Ball(steps_), Ball(std::uint64_t{1})), 1));
}

double AllocationMoments::estimate_log_decay(double y) const {
  return -plaudit::estimate(squared_rate_) * y * y / (2 * static_cast<double>(steps_));
}

// ---- choices in floating point

/// log of the bound of the aliases relative to A(r), at the height y.
double AllocationMoments::log_error(double c, double y, double theta, double omega) const {
  const double front = estimate_log_gamma(c, 0) - estimate_log_gamma(c, y);
  const double first = std::atan((y + omega) / c);
  const double above = -c * std::log(std::cos(first)) - first * y - omega * (first - theta);
  const double second = std::atan((omega - y) / c);
  if (!(first > theta && second > -theta)) return infinity;
  const double below = -c * std::log(std::cos(second)) + second * y - omega * (second + theta);
  return front + std::max(above, below) + log_two;
}

/// log of the bound of one node at u on the right, relative to 1 / |Gamma(v)|.
double AllocationMoments::log_right_rest(double c, double r, double theta, double u) const {
  const double a2 = plaudit::estimate(squared_rate_);
  const auto value = [&](double q) {
    const double x = r - q;
    const double moment = x > 1   ? a2 * x * (x - 1) / 2
                          : x > 0 ? 0
                                  : -a2 * x / 2 + a2 * x * x / (2 * static_cast<double>(steps_));
    return (c + q) * (std::log(c + q) - 1 - std::log(std::cos(theta))) + moment - q * u;
  };
  double best = infinity;
  for (double q = 0.5; q < 2000; q *= 1.25) best = std::min(best, value(q));
  return best;
}

double AllocationMoments::best_right_order(double c, double r, double theta, double u) const {
  const double a2 = plaudit::estimate(squared_rate_);
  double best = 1;
  double least = infinity;
  for (double q = 0.25; q < 4000; q *= 1.12) {
    const double x = r - q;
    const double moment = x > 1   ? a2 * x * (x - 1) / 2
                          : x > 0 ? 0
                                  : -a2 * x / 2 + a2 * x * x / (2 * static_cast<double>(steps_));
    const double value =
        (c + q) * (std::log(c + q) - 1 - std::log(std::cos(theta))) + moment - q * u;
    if (value < least) {
      least = value;
      best = q;
    }
  }
  return short_double(best);
}

/// The least omega, about, at which the aliases at these heights are below e^-p; nothing where it
/// is very large.
std::optional<double> AllocationMoments::least_omega(double c, const Heights& heights, double theta,
                                                     double p) const {
  const auto enough = [&](double omega) {
    for (const double part : {0.0, 0.5, 1.0}) {
      if (!(log_error(c, heights.at(part), theta, omega) < -p)) return false;
    }
    return true;
  };
  double high = first_omega;
  while (high < most_omega && !enough(high)) high *= 2;
  if (high >= most_omega) return std::nullopt;
  double low = high / 2;
  for (int i = 0; i < halvings_of_omega; ++i) {
    const double middle = (low + high) / 2;
    (enough(middle) ? high : low) = middle;
  }
  return high;
}

/// log of e^(-theta y) / |Gamma(v)| at its largest.
double AllocationMoments::log_front(double c, const Heights& heights, double theta) const {
  double front = -infinity;
  for (const double part : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const double y = heights.at(part);
    front = std::max(front, -theta * y - estimate_log_gamma(c, y));
  }
  return front;
}

/// Heights in parts over each of which arg Gamma(v) turns little beside what is affordable.
std::vector<double> AllocationMoments::cuts(double r, double y, double nats) const {
  const double c = std::max(least_c_of_moments, -r);
  const double p = std::max(nats, least_nats) + spare_nats_of_moments;
  const double turned = std::asinh(y / c);
  const double count =
      std::clamp(std::round(parts_of_heights * turned * std::sqrt(c / p)), 1.0, most_parts);
  std::vector<double> ends{0};
  for (double i = 1; i < count; ++i) ends.push_back(c * std::sinh(turned * i / count));
  ends.push_back(y);
  return ends;
}

/// Of phi at one point, and of one product.
double AllocationMoments::cost_of_bits(const Line& line) {
  return std::pow(1 + line.nats_of_transform / nats_that_double_cost, 1.5);
}

/// In nodes of few bits and no derivatives.
double AllocationMoments::cost_of_nodes(const Line& line) {
  const auto terms = static_cast<double>(line.order + 1);
  return static_cast<double>(line.size()) * cost_of_bits(line) *
         (1 + terms * terms * cost_of_terms);
}

AllocationMoments::Line AllocationMoments::choose(double r, const Heights& heights,
                                                  double nats) const {
  const long least = clamped_integer(std::ceil(r + least_c_of_moments), 0, most_index);
  if (is_of_high_order(r)) {
    throw std::domain_error("random allocation: a moment of too high an order");
  }
  // Greater orders make shorter lines of costlier nodes.
  std::optional<Line> best;
  double least_cost = infinity;
  long former = -1;
  for (const long more : orders_more) {
    const long order = std::max(least + more, 0L);
    if (order == former) continue;
    former = order;
    const std::optional<Line> line = choose_for(order, r, heights, nats);
    if (!line) continue;
    const double height = heights.high - heights.low;
    const double cost = cost_of_nodes(*line) + static_cast<double>(line->size()) *
                                                   cost_of_bits(*line) * height * cost_of_height;
    if (cost < least_cost) {
      least_cost = cost;
      best = line;
    } else {
      break;
    }
  }
  if (!best) throw std::domain_error("random allocation: too many nodes");
  return *best;
}

/// An upper bound of log Psi, which falls: its value at a place of a grid on the left.
double AllocationMoments::log_psi(std::uint64_t order, double u) const {
  if (order > static_cast<std::uint64_t>(estimate_.greatest_order())) return 0;
  const auto place = clamped_integer(std::floor(u / grid_of_psi), -most_index, most_index);
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto [known, fresh] = psi_.try_emplace({order, place}, 0);
  if (fresh) {
    known->second =
        estimate_.log_psi(static_cast<int>(order), static_cast<double>(place) * grid_of_psi);
  }
  return known->second;
}

/// log of how many times A(r) an error of phi may be in the sum of the nodes between low and high.
/// One of phi(e^(a^2 k) s), of one of t factors, enters Psi_m with a factor of about t^(1-k) times
/// m over k times e^(a^2 k (k-1) / 2) and Psi_(m-k) of the others.
double AllocationMoments::log_terms(std::uint64_t order, double c, double theta, double low,
                                    double high) const {
  const double log_steps = std::log(static_cast<double>(steps_));
  const double a2 = plaudit::estimate(squared_rate_);
  const double others = 1 - 1 / static_cast<double>(steps_);
  const double turned = std::log(std::cos(theta));
  const auto log_moment = [&](double k) { return a2 * k * (k - 1) / 2 - (k - 1) * log_steps; };
  double log_binomial = 0;
  double most = -infinity;
  for (std::uint64_t k = 0; k <= order; ++k) {
    const auto left = static_cast<double>(order - k);
    const auto drawn = static_cast<double>(k);
    if (k > 0) log_binomial += std::log((left + 1) / drawn);
    const double weight = log_binomial + log_moment(drawn);
    if (weight + std::max(0.0, log_moment(left)) < log_steps - nats_of_no_matter) continue;
    for (int i = 0; i <= terms_looked_at; ++i) {
      const double u = low + (high - low) * i / terms_looked_at;
      most = std::max(most, c * u + weight + others * log_psi(order - k, u + turned));
    }
  }
  return most;
}

std::optional<AllocationMoments::Line> AllocationMoments::choose_for(long order, double r,
                                                                     const Heights& heights,
                                                                     double nats) const {
  const double p = std::max(nats, least_nats) + spare_nats_of_moments;
  Line line;
  line.order = static_cast<std::uint64_t>(order);
  const double c = static_cast<double>(order) - r;
  // The line is turned towards the saddle points of the integrand, so that Gamma(v) does not
  // cancel; the step serves all heights.
  double omega = 0;
  double least_cost = infinity;
  const double from = std::atan(heights.low / c);
  const double to = std::atan(heights.high / c);
  for (int i = 0; i < angles_tried; ++i) {
    const double theta = short_double(from + (to - from) * i / (angles_tried - 1));
    const std::optional<double> enough = least_omega(c, heights, theta, p);
    if (!enough) continue;
    // as if S/t were 1
    const double terms = c * (std::log(c / std::cos(theta)) - 1) + log_front(c, heights, theta);
    const double cost = *enough * (p + terms) * (p + terms);
    if (cost < least_cost) {
      least_cost = cost;
      omega = *enough;
      line.theta = theta;
    }
    if (heights.high == 0) break;
  }
  if (omega == 0) return std::nullopt;
  const double longest_step = 2 * std::numbers::pi / omega;

  // Where the nodes end.
  const double size = estimate(r).value;
  const double front = log_front(c, heights, line.theta);
  const double wanted = size - p - front;
  const double at_order = estimate(static_cast<double>(order)).value;
  const double low = (wanted - at_order) / c;
  double high = std::max(low, 0.0);
  while (high < longest_window && log_right_rest(c, r, line.theta, high) > wanted) high += 0.25;
  if (!((high - low) / longest_step < most_nodes)) return std::nullopt;
  line.nats_of_transform =
      p + std::max(0.0, log_terms(line.order, c, line.theta, low, high) + front - size);

  // One lattice for the nodes, the derivatives of phi and the rule that gives phi.
  const double a2 = plaudit::estimate(squared_rate_);
  const double stride =
      LognormalTransform::longest_stride(std::sqrt(a2), line.theta, line.nats_of_transform);
  // The nodes meet the derivatives of phi, which lie a^2 apart: one value serves both.
  const bool finer = a2 >= longest_step;
  const long multiple = finer ? clamped_integer(std::ceil(a2 / longest_step), 1, most_multiple)
                              : clamped_integer(std::floor(longest_step / a2), 1, most_multiple);
  const double coarse = finer ? a2 / static_cast<double>(multiple) : a2;
  long parts = clamped_integer(std::ceil(coarse / stride), 1, most_multiple);
  const auto kept = [&] {
    const double units = stride * static_cast<double>(parts) / coarse;
    return std::floor(units) / units;
  };
  for (int i = 0; i < most_parts_more && kept() < share_of_step; ++i) ++parts;
  line.units_of_rate = (finer ? multiple : 1) * parts;
  line.units_of_step = (finer ? 1 : multiple) * parts;
  line.unit = squared_rate_ / line.units_of_rate;
  line.step = line.unit * line.units_of_step;
  const double step = plaudit::estimate(line.step);
  const double more = share_on_the_left * (high - low);
  line.first = checked_integer(std::floor((low - more) / step), "random allocation: the nodes");
  line.last = checked_integer(std::ceil(high / step), "random allocation: the nodes");
  return line;
}

long AllocationMoments::bits_for(const Line& line, double nats) const {
  return spare_bits_of_moments +
         precision_bits((std::max(nats, line.nats_of_transform) +
                         2 * std::log(2.0 + static_cast<double>(line.size()))) /
                        log_two);
}

AllocationMoments::Plan AllocationMoments::plan(double r, double low, double high,
                                                double nats) const {
  const Heights heights{low, high};
  Plan plan;
  plan.line = choose(r, heights, nats);
  // Sums of powers keep the errors of their terms while the terms fall as e^(-theta y).
  const double lost = plan.line.theta * (high - low);
  plan.line.nats_of_transform += lost;
  std::optional<LognormalTransform::Rule> rule;
  for (int i = 0; i <= most_parts_more && !rule; ++i) {
    if (i > 0) {
      plan.line.units_of_rate *= 2;
      plan.line.units_of_step *= 2;
      plan.line.unit /= 2;
    }
    rule = LognormalTransform::choose(std::sqrt(plaudit::estimate(squared_rate_)),
                                      plaudit::estimate(plan.line.unit), plan.line.theta,
                                      plan.line.nats_of_transform);
  }
  if (!rule) throw std::domain_error("random allocation: no rule for the transform");
  plan.transform = *rule;
  const double step = plaudit::estimate(plan.line.step);
  const double c = static_cast<double>(plan.line.order) - r;
  plan.right_order =
      best_right_order(c, r, plan.line.theta, step * static_cast<double>(plan.line.last + 1));
  // e^(cu) bounds the nodes of the gamma function on the left, e^(cu - e^u cos theta) on the right
  const double front = log_front(c, heights, plan.line.theta);
  const double cosine = std::cos(plan.line.theta);
  const double below = -std::max(nats, least_nats) - spare_nats_of_moments;
  plan.first_gamma = checked_integer(std::floor((below - front) / (c * step)),
                                     "random allocation: the nodes of the gamma function");
  const auto size = [&](long k) {
    const double u = step * static_cast<double>(k);
    return c * u - std::exp(u) * cosine + front;
  };
  plan.last_gamma =
      clamped_integer(std::ceil(std::log(c / cosine) / step), -most_index, most_index);
  while (size(plan.last_gamma) > below) ++plan.last_gamma;
  plan.bits = static_cast<double>(bits_for(plan.line, nats));
  return plan;
}

bool AllocationMoments::is_of_high_order(double r) {
  return std::ceil(r + least_c_of_moments) > most_order;
}

double AllocationMoments::estimate_points(double r, double y, double nats) const {
  if (is_of_high_order(r)) return infinity;
  double points = 0;
  const std::vector<double> ends = cuts(r, y, nats);
  for (std::size_t i = 1; i < ends.size(); ++i) {
    points += cost_of_nodes(choose(r, {ends[i - 1], ends[i]}, nats));
  }
  return points;
}

// ---- values

namespace {

/// The last coefficient of f^t that f tells, t >= 1.
ComplexBall coefficient_of_power(const std::vector<ComplexBall>& f, std::uint64_t t) {
  const std::size_t m = f.size() - 1;
  if (t < m || f[0].may_be_zero()) return series_power(f, t, m + 1)[m];
  // g = (f / f_0)^t has n g_n = sum_k (k (t + 1) - n) (f_k / f_0) g_(n-k), as f g' = t f' g.
  const ComplexBall inverse = ComplexBall(1) / f[0];
  std::vector<ComplexBall> relative;
  relative.reserve(f.size());
  for (const ComplexBall& each : f) relative.push_back(each * inverse);
  std::vector<ComplexBall> g(m + 1);
  std::vector<ComplexBall> weighted(m + 1);
  g[m] = ComplexBall(1);  // backwards: g_n at m - n
  for (std::size_t n = 1; n <= m; ++n) {
    for (std::size_t k = 1; k <= n; ++k) {
      weighted[k] = relative[k];
      weighted[k].scale(Ball(t + 1) * Ball(std::uint64_t{k}) - Ball(std::uint64_t{n}));
    }
    g[m - n] = dot(weighted.data() + 1, g.data() + (m - n + 1), n);
    g[m - n].divide_by(n);
  }
  return g[0] * large_power(f[0], t);
}

}  // namespace

// Proof: docs/proofs/random_allocation.md#mellin
std::vector<ComplexBall> AllocationMoments::nodes(const Line& line) const {
  const std::uint64_t m = line.order;
  const auto rate = std::sqrt(plaudit::estimate(squared_rate_));
  const double unit = plaudit::estimate(line.unit);
  const auto rule = LognormalTransform::choose(rate, unit, line.theta, line.nats_of_transform);
  if (!rule) {
    throw std::domain_error("random allocation: no rule for the transform");
  }
  const long shift = line.units_of_rate;
  const long first = line.first * line.units_of_step;
  const long last = line.last * line.units_of_step + static_cast<long>(m) * shift;
  const LognormalTransform transform({squared_rate_, line.unit, -log(Ball(steps_)), line.theta},
                                     *rule, first, last);
  // m! / t^m times the m-th coefficient of (sum_k e^(a^2 k (k-1) / 2) phi(e^(u + a^2 k)) x^k /
  // k!)^t
  const Ball half = ldexp(Ball(squared_rate_), -1);
  const Ball steps(steps_);
  std::vector<Ball> factors;
  for (std::uint64_t k = 0; k <= m; ++k) {
    factors.push_back(exp(half * Ball(k) * (Ball(k) - Ball(1))) / (factorial(k) * power(steps, k)));
  }
  const Ball front = factorial(m);
  std::vector<std::optional<ComplexBall>> known(static_cast<std::size_t>(last - first) + 1);
  const auto phi = [&](long i) -> const ComplexBall& {
    auto& value = known[static_cast<std::size_t>(i - first)];
    if (!value) value = transform.at(i);
    return *value;
  };
  std::vector<ComplexBall> result;
  result.reserve(line.size());
  std::vector<ComplexBall> f(m + 1);
  for (long j = line.first; j <= line.last; ++j) {
    check_work_limit();
    const long i = j * line.units_of_step;
    for (std::uint64_t k = 0; k <= m; ++k) {
      f[k] = phi(i + static_cast<long>(k) * shift);
      f[k].scale(factors[k]);
    }
    if (m == 0) {
      result.push_back(large_power(f[0], steps_));
    } else {
      result.push_back(coefficient_of_power(f, steps_));
      result.back().scale(front);
    }
  }
  return result;
}

namespace {

/// A bound of the aliases relative to A(r) and Gamma(c) / |Gamma(c + iy)|, for two angles.
/// Proof: docs/proofs/random_allocation.md#mellin
Ball alias_factor(const Ball& c, const Ball& y, const Ball& theta, const Ball& omega) {
  const double near_c = c.estimate();
  const double near_y = y.estimate();
  const double near_omega = omega.estimate();
  const auto term = [&](double angle, const Ball& gap, const Ball& log_size) {
    // 1 / (e^(omega gap) - 1) cos(angle)^-c e^(log_size)
    if (!certainly_positive(gap)) return positive_infinity();
    return exp(log_size - c * log(cos(Ball(angle)))) / expm1(omega * gap);
  };
  const double above = std::atan((near_y + near_omega) / near_c);
  const double below = std::atan((near_omega - near_y) / near_c);
  return PLAUDIT_BOUND("allocation.alias_above",
                       term(above, Ball(above) - theta, -(Ball(above) * y)), Ball(0)) +
         PLAUDIT_BOUND("allocation.alias_below", term(below, Ball(below) + theta, Ball(below) * y),
                       Ball(0));
}

}  // namespace

// ---- tables

bool AllocationMoments::serves(const Line& line, double r, const Heights& heights,
                               double nats) const {
  const double p = std::max(nats, least_nats) + spare_nats_of_moments;
  const double c = static_cast<double>(line.order) - r;
  if (!(c > 0) || (heights.high == 0 && line.theta != 0)) return false;
  const double step = plaudit::estimate(line.step);
  const double omega = 2 * std::numbers::pi / step;
  for (const double part : {0.0, 0.5, 1.0}) {
    if (!(log_error(c, heights.at(part), line.theta, omega) < -p)) return false;
  }
  const double front = log_front(c, heights, line.theta);
  const double size = estimate(r).value;
  const double low = step * static_cast<double>(line.first);
  const double high = step * static_cast<double>(line.last);
  const double at_order = estimate(static_cast<double>(line.order)).value;
  if (c * low + at_order + front > size - p) return false;
  if (log_right_rest(c, r, line.theta, high) + front > size - p) return false;
  return log_terms(line.order, c, line.theta, low, high) + front - size <=
         line.nats_of_transform - p;
}

std::shared_ptr<const AllocationMoments::Table> AllocationMoments::kept_table(
    double r, const Heights& heights, double nats) const {
  std::vector<std::shared_ptr<const Table>> kept;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    kept = heights.high > 0 ? turned_tables_ : tables_;
  }
  std::shared_ptr<const Table> best;
  for (const auto& table : kept) {
    if ((!best || table->line.size() < best->line.size()) &&
        serves(table->line, r, heights, nats)) {
      best = table;
    }
  }
  return best;
}

/// @param bits to compute with beyond those of the line
std::shared_ptr<const AllocationMoments::Table> AllocationMoments::table_for(double r,
                                                                             const Heights& heights,
                                                                             double nats,
                                                                             double bits) const {
  if (auto kept = kept_table(r, heights, nats)) return kept;
  const Line line =
      choose(r, {heights.low / more_height, heights.high * more_height}, nats + more_nats);
  const PrecisionScope scope(
      std::max(working_precision(), bits_for(line, nats + more_nats) + precision_bits(bits)));
  auto table = std::make_shared<const Table>(Table{line, nodes(line)});
  const std::lock_guard<std::mutex> lock(mutex_);
  auto& kept = heights.high > 0 ? turned_tables_ : tables_;
  if (kept.size() == most_tables) kept.erase(kept.begin());
  kept.push_back(table);
  return table;
}

Ball AllocationMoments::on_axis(const Ball& r, double nats) const {
  if (r.is_exact_zero() || (r - Ball(1)).is_exact_zero()) return Ball(1);
  if (steps_ == 1) return exp(ldexp(Ball(squared_rate_) * r * (r - Ball(1)), -1));
  if (!r.is_finite()) return positive_infinity();
  if (is_of_high_order(r.estimate())) return between_integers(r);
  const auto table = table_for(r.estimate(), {0, 0}, nats, 0);
  const PrecisionScope scope(std::max(working_precision(), bits_for(table->line, nats)));
  if (const std::optional<Ball> value = by_table(r, *table)) return *value;
  // few nats make so coarse a line that the bound of its aliases is not below A(r)
  return nats < 2 * coarse_nats ? on_axis(r, nats + coarse_nats) : positive_infinity();
}

// Proof: docs/proofs/random_allocation.md#real-moments
std::optional<Ball> AllocationMoments::by_nodes(const Ball& r, const Line& line) const {
  return by_table(r, {line, nodes(line)});
}

std::optional<Ball> AllocationMoments::by_table(const Ball& r, const Table& table) const {
  const Line& line = table.line;
  const Ball c = Ball(line.order) - r;
  if (!certainly_positive(c) || line.theta != 0) return std::nullopt;
  const Ball step(line.step);
  const std::vector<ComplexBall>& psi = table.psi;
  Ball sum;
  for (long j = line.first; j <= line.last; ++j) {
    sum += psi[static_cast<std::size_t>(j - line.first)].real() * exp(c * step * Ball(j));
  }
  const Ball front = reciprocal_gamma(ComplexBall(c)).real() * step;
  sum *= front;
  const Ball omega = ldexp(pi(), 1) / step;
  const Ball rho = charged(alias_term, alias_factor(c, Ball(0), Ball(0), omega));
  const Ball rest = charged(left_term, front * left_rest(line, c)) +
                    charged(right_term, front * right_rest(line, c, r));
  if (!certainly_less(rho, Ball(1)) || !rest.is_finite()) return std::nullopt;
  const Ball lower = (sum / (Ball(1) + rho)).lower();
  const Ball upper = ((sum + rest) / (Ball(1) - rho)).upper();
  return clipped_nonnegative(hull(lower, upper));
}

// Proof: docs/proofs/random_allocation.md#mellin
Ball AllocationMoments::left_rest(const Line& line, const Ball& c) const {
  const Ball step(line.step);
  return PLAUDIT_BOUND("allocation.left_nodes", integer_moment(line.order), Ball(0)) *
         exp(c * step * Ball(line.first - 1)) / -expm1(-(c * step));
}

// Proof: docs/proofs/random_allocation.md#mellin
Ball AllocationMoments::right_rest(const Line& line, const Ball& c, const Ball& r) const {
  const Ball step(line.step);
  const Ball from = step * Ball(line.last + 1);
  const Ball q(best_right_order(c.estimate(), r.estimate(), line.theta, from.estimate()));
  const Ball power_of = c + q;
  const Ball base = log(power_of) - Ball(1) - log(cos(Ball(line.theta)));
  return PLAUDIT_BOUND("allocation.right_nodes", exp(power_of * base - q * from), Ball(0)) *
         elementary_bound(r - q) / -expm1(-(q * step));
}

LineValues AllocationMoments::on_line(const Ball& r, const Ball& step, std::size_t count,
                                      double nats) const {
  LineValues result;
  if (count == 0) return result;
  if (steps_ == 1) {
    const Ball half = ldexp(Ball(squared_rate_), -1);
    for (std::size_t k = 0; k < count; ++k) {
      if ((k & 63) == 0) check_work_limit();
      const ComplexBall w(r, -(step * Ball(static_cast<std::uint64_t>(k))));
      result.values.push_back(exp(ComplexBall(half) * w * (w - ComplexBall(1))));
    }
    return result;
  }
  const Ball axis = on_axis(r, std::min(nats, coarse_nats)).upper();
  const double near_step = step.estimate();
  std::vector<double> ends = cuts(r.estimate(), near_step * static_cast<double>(count - 1), nats);
  ends.back() = infinity;
  std::size_t from = 0;
  for (std::size_t i = 1; i < ends.size() && from < count; ++i) {
    std::size_t to = from;
    while (to < count && static_cast<double>(to) * near_step <= ends[i]) ++to;
    if (to == from) continue;
    LineValues part = on_part(r, step, {from, to}, nats, axis);
    result.points += part.points;
    result.quadrature = max(result.quadrature, part.quadrature).upper();
    std::move(part.values.begin(), part.values.end(), std::back_inserter(result.values));
    from = to;
  }
  return result;
}

LineValues AllocationMoments::on_part(const Ball& r, const Ball& step, const Part& part,
                                      double nats, const Ball& axis) const {
  const double bits_of_powers =
      bits_of_count * std::log2(2.0 + static_cast<double>(part.to - part.from));
  const double near_step = step.estimate();
  const auto table = table_for(
      r.estimate(),
      {near_step * static_cast<double>(part.from), near_step * static_cast<double>(part.to - 1)},
      nats, bits_of_powers);
  const PrecisionScope scope(
      std::max(working_precision(), bits_for(table->line, nats) + precision_bits(bits_of_powers)));
  return by_table(r, step, part, *table, axis);
}

// Proof: docs/proofs/random_allocation.md#mellin
LineValues AllocationMoments::by_nodes(const Ball& r, const Ball& step, std::size_t count,
                                       const Line& line, const Ball& axis) const {
  return by_table(r, step, {0, count}, {line, nodes(line)}, axis);
}

LineValues AllocationMoments::by_table(const Ball& r, const Ball& step, const Part& part,
                                       const Table& table, const Ball& axis) const {
  const Line& line = table.line;
  const Ball c = Ball(line.order) - r;
  if (!certainly_positive(c) || !certainly_nonnegative(step)) {
    throw std::domain_error("random allocation: no such line");
  }
  const Ball node_step(line.step);
  const Ball theta(line.theta);
  LineValues result;
  result.points = line.size();
  // A(m - v_k) Gamma(v_k) = h sum_j e^(v_k (u_j + i theta)) Psi_j, v_k = c + i k step
  std::vector<ComplexBall> weights = table.psi;
  std::vector<ComplexBall> bases;
  bases.reserve(weights.size());
  const Ball turned = -(step * theta);
  const Ball lowest = step * Ball(static_cast<std::uint64_t>(part.from));
  for (long j = line.first; j <= line.last; ++j) {
    if ((j & 63) == 0) check_work_limit();
    const Ball u = node_step * Ball(j);
    weights[static_cast<std::size_t>(j - line.first)] *=
        exp(ComplexBall(c * u - lowest * theta, c * theta + lowest * u));
    bases.push_back(exp(ComplexBall(turned, step * u)));
  }
  const std::size_t count = part.to - part.from;
  result.values = power_sums(weights, bases, count);
  const Ball omega = ldexp(pi(), 1) / node_step;
  const Ball gamma = Ball(1) / reciprocal_gamma(ComplexBall(c)).real();
  const Ball left = left_rest(line, c);
  const Ball right = right_rest(line, c, r);
  for (std::size_t k = 0; k < count; ++k) {
    if ((k & 15) == 0) check_work_limit();
    const Ball y = step * Ball(static_cast<std::uint64_t>(part.from + k));
    const ComplexBall over_gamma = reciprocal_gamma(ComplexBall(c, y));
    result.values[k] *= over_gamma;
    result.values[k].scale(node_step);
    const Ball size = abs(over_gamma).upper();
    const Ball aliases =
        charged(alias_term, axis * gamma.upper() * size * alias_factor(c, y, theta, omega));
    const Ball front = size * node_step * exp(-(theta * y));
    const Ball rest = charged(left_term, front * left) + charged(right_term, front * right);
    const Ball error = (aliases + rest).upper();
    result.quadrature = max(result.quadrature, error).upper();
    result.values[k] = widened(result.values[k], error);
  }
  return result;
}

ComplexBall AllocationMoments::at(const ComplexBall& w, double nats) const {
  return by_reflection(w, [&](const ComplexBall& above) {
    const Ball& r = above.real();
    const Ball y = above.imaginary();
    if (y.is_exact_zero()) return ComplexBall(on_axis(r, nats));
    if (steps_ == 1) return conjugate(on_line(r, y, 2, nats).values[1]);
    const Ball axis = on_axis(r, std::min(nats, coarse_nats)).upper();
    return conjugate(on_part(r, y, {1, 2}, nats, axis).values[0]);
  });
}

}  // namespace plaudit
