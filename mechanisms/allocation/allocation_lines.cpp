#include "mechanisms/allocation/allocation_lines.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "lib/analysis/strip_quadrature.hpp"
#include "lib/balls/gamma.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"

namespace plaudit {

namespace {

constexpr double most_nodes = 2e6;
constexpr double most_order = 400;                           ///< m
constexpr double least_c_of_moments = 1;                     ///< c = m - r
constexpr long orders_more[] = {0, 1, 2, 4, 7, 12, 20, 33};  ///< than the least m: those tried
// Costs of a line, cost_of_nodes() and choose(): bad ones make it slower.
constexpr double nats_that_double_cost = 100;
constexpr double cost_of_terms = 1.0 / 100;   ///< for each product of derivatives of phi
constexpr double cost_of_height = 1.0 / 100;  ///< for each unit of the heights served
constexpr double spare_nats_of_moments = 8;   ///< for each error beyond the nats asked
constexpr double least_nats = 6;
// Number of the parts of cuts(), over asinh(y/c) sqrt(c / nats), and the most of them.
constexpr double parts_of_heights = 0.7;
constexpr double most_parts = 40;
// Searches for theta and for omega = 2 pi / step.
constexpr int angles_tried = 20;
constexpr int halvings_of_omega = 6;
constexpr double first_omega = 4;
constexpr double most_omega = 1e7;
constexpr long spare_bits_of_moments = 40;
constexpr double share_of_step = 0.8;       ///< of the longest stride, that a lattice must keep
constexpr long most_multiple = 10'000'000;  ///< of the unit
constexpr int most_parts_more = 8;          ///< finer units tried
constexpr int terms_looked_at = 40;         ///< u where log_terms() looks for its greatest term
constexpr double grid_of_psi = 0.125;       ///< of u, for log_psi()
constexpr double nats_of_no_matter = 8;  ///< below log t: k of log_terms() that are not looked at
constexpr double longest_window = 1e4;   ///< of u
constexpr double share_on_the_left = 0.05;  ///< more nodes on the left: tables serve other orders

double nats_of_errors(double asked) { return std::max(asked, least_nats) + spare_nats_of_moments; }

/// log of the bound of the aliases relative to A(r), at the height y.
double log_error(double c, double y, double theta, double omega) {
  const double front = estimate_log_gamma(c, 0) - estimate_log_gamma(c, y);
  const double first = std::atan((y + omega) / c);
  const double above = -c * std::log(std::cos(first)) - first * y - omega * (first - theta);
  const double second = std::atan((omega - y) / c);
  if (!(first > theta && second > -theta)) return infinity;
  const double below = -c * std::log(std::cos(second)) + second * y - omega * (second + theta);
  return front + std::max(above, below) + log_two;
}

/// The least omega, about, at which the aliases at these heights are below e^-p; nothing where it
/// is very large.
std::optional<double> least_omega(double c, const AllocationLines::Heights& heights, double theta,
                                  double p) {
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
double log_front(double c, const AllocationLines::Heights& heights, double theta) {
  double front = -infinity;
  for (const double part : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const double y = heights.at(part);
    front = std::max(front, -theta * y - estimate_log_gamma(c, y));
  }
  return front;
}

struct Turned {
  double theta;
  double omega;  ///< 2 pi over the longest step
};

/// The line is turned towards the saddle points of the integrand, so that Gamma(v) does not cancel;
/// the step serves all heights.
std::optional<Turned> best_turned(double c, const AllocationLines::Heights& heights, double p) {
  std::optional<Turned> best;
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
      best = {theta, *enough};
    }
    if (heights.high == 0) break;
  }
  return best;
}

/// Cost of phi at one point, or of one product, relative to few bits.
double cost_of_bits(const AllocationLines::Line& line) {
  return std::pow(1 + line.nats_of_transform / nats_that_double_cost, 1.5);
}

/// Cost of the nodes of a line; 1 is a node of few bits and no derivatives.
double cost_of_nodes(const AllocationLines::Line& line) {
  const auto terms = static_cast<double>(line.order + 1);
  return static_cast<double>(line.size()) * cost_of_bits(line) *
         (1 + terms * terms * cost_of_terms);
}

}  // namespace

AllocationLines::AllocationLines(const Rational& squared_rate, std::uint64_t steps)
    : squared_rate_(squared_rate),
      steps_(steps),
      estimate_(std::sqrt(plaudit::estimate(squared_rate)), static_cast<double>(steps)) {}

/// log of the bound, by moments of the order r - q, of one node at u on the right, relative to
/// 1 / |Gamma(v)|.
double AllocationLines::log_right_bound(double q, double c, double r, double theta,
                                        double u) const {
  const double a2 = plaudit::estimate(squared_rate_);
  const double x = r - q;
  const double moment = x > 1   ? a2 * x * (x - 1) / 2
                        : x > 0 ? 0
                                : -a2 * x / 2 + a2 * x * x / (2 * static_cast<double>(steps_));
  return (c + q) * (std::log(c + q) - 1 - std::log(std::cos(theta))) + moment - q * u;
}

/// The least of such bounds, about.
double AllocationLines::log_right_rest(double c, double r, double theta, double u) const {
  double best = infinity;
  for (double q = 0.5; q < 2000; q *= 1.25) {
    best = std::min(best, log_right_bound(q, c, r, theta, u));
  }
  return best;
}

double AllocationLines::best_right_order(double c, double r, double theta, double u) const {
  double best = 1;
  double least = infinity;
  for (double q = 0.25; q < 4000; q *= 1.12) {
    const double value = log_right_bound(q, c, r, theta, u);
    if (value < least) {
      least = value;
      best = q;
    }
  }
  return short_double(best);
}

std::vector<double> AllocationLines::cuts(double r, double y, double nats) {
  const double c = std::max(least_c_of_moments, -r);
  const double p = nats_of_errors(nats);
  const double turned = std::asinh(y / c);
  const double count =
      std::clamp(std::round(parts_of_heights * turned * std::sqrt(c / p)), 1.0, most_parts);
  std::vector<double> ends{0};
  for (double i = 1; i < count; ++i) ends.push_back(c * std::sinh(turned * i / count));
  ends.push_back(y);
  return ends;
}

AllocationLines::Line AllocationLines::choose(double r, const Heights& heights, double nats) const {
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

/// log Psi_m at the next point of a grid to the left of u, above that at u as Psi_m falls; 0 where
/// doubles do not hold the moments of one draw.
double AllocationLines::log_psi(std::uint64_t order, double u) const {
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

/// log of what an error 1 of phi makes at most in one term of the sum over the nodes between low
/// and high: an error of phi(e^(a^2 k) s), in one of t factors, enters Psi_m with the factor of
/// about t^(1-k) binomial(m, k) e^(a^2 k (k-1) / 2) times Psi_(m-k) of the other factors.
double AllocationLines::log_terms(std::uint64_t order, double c, double theta, double low,
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

std::optional<AllocationLines::Line> AllocationLines::choose_for(long order, double r,
                                                                 const Heights& heights,
                                                                 double nats) const {
  const double p = nats_of_errors(nats);
  Line line;
  line.order = static_cast<std::uint64_t>(order);
  const double c = static_cast<double>(order) - r;
  const std::optional<Turned> turned = best_turned(c, heights, p);
  if (!turned) return std::nullopt;
  line.theta = turned->theta;
  const double longest_step = 2 * std::numbers::pi / turned->omega;

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

  put_on_lattice(line, longest_step);
  const double step = plaudit::estimate(line.step);
  const double more = share_on_the_left * (high - low);
  line.first = checked_integer(std::floor((low - more) / step), "random allocation: the nodes");
  line.last = checked_integer(std::ceil(high / step), "random allocation: the nodes");
  return line;
}

/// One lattice for the nodes, the derivatives of phi and the rule that gives phi.
void AllocationLines::put_on_lattice(Line& line, double longest_step) const {
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
}

long AllocationLines::bits_for(const Line& line, double nats) {
  return spare_bits_of_moments +
         precision_bits((std::max(nats, line.nats_of_transform) +
                         2 * std::log(2.0 + static_cast<double>(line.size()))) /
                        log_two);
}

AllocationLines::Plan AllocationLines::plan(double r, double low, double high, double nats) const {
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
  const double below = -nats_of_errors(nats);
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

bool AllocationLines::is_of_high_order(double r) {
  return std::ceil(r + least_c_of_moments) > most_order;
}

double AllocationLines::estimate_points(double r, double y, double nats) const {
  if (is_of_high_order(r)) return infinity;
  double points = 0;
  const std::vector<double> ends = cuts(r, y, nats);
  for (std::size_t i = 1; i < ends.size(); ++i) {
    points += cost_of_nodes(choose(r, {ends[i - 1], ends[i]}, nats));
  }
  return points;
}

bool AllocationLines::serves(const Line& line, double r, const Heights& heights,
                             double nats) const {
  const double p = nats_of_errors(nats);
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

}  // namespace plaudit
