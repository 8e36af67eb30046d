#include "accountants/laplace/sampled_choice.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "accountants/contour/straight_choice.hpp"
#include "accountants/cost_models.hpp"
#include "accountants/laplace/sampled_model.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr std::uint64_t most_sampled_nodes = 30000;
constexpr std::uint64_t most_sampled_direct = 1536;
constexpr double most_sampled_orders = 600;
constexpr double most_sampled_classes = 1e15;
constexpr double nats_of_sampled_term = 1.5;  ///< that each error term is below what is wanted
constexpr double nats_of_quadrature = 6;      ///< the same of the rule for the values
constexpr int sampled_heights_seen = 8;       ///< classes at which orders are estimated
constexpr double sampled_spare_bits = 48;
constexpr double sampled_worse_for_sure = 2.5;  ///< times the best cost: no greater J is tried
constexpr double kappas_tried[] = {0.12, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8};

// Products of balls: of powers at a point, of a term of a matrix product, of a node's n-th power,
// of a coefficient of a composition and of a power of series.
constexpr double products_of_power = 1.5;
constexpr double products_of_dot = 0.12;
constexpr double products_of_node = 20;
constexpr double products_of_series = 1;

constexpr double sampled_shares_tried[] = {1.0, 0.6, 0.35, 0.15, 0.06, 0.02, 0.005};
/// Abscissas in units of 1 / D, also tried: near the end of the support the saddle point is far out
/// and its line needs many nodes; lines at these lose digits by cancellation instead.
constexpr double abscissas_tried[] = {10.0, 3.0, 1.0};
constexpr double sampled_cheap_seconds = 2e-2;  ///< where no other is tried
constexpr double share_of_time = 0.3;           ///< that one line may take

/// A line, and what is wanted of it.
struct SampledAim {
  const SampledModel& model;
  double n;
  LineAim aim;
  double t;
  double h;
  double log_size;  ///< log A(r)
  double width;     ///< D
  double lost;      ///< nats that cancel in the sum
  double share;     ///< log of what may be left out of each class, relative to A(r)^n
};

/// What the nodes |j| > J of the classes take.
struct TailCost {
  std::size_t parts = 0;
  double orders = infinity;
  double kappa = 0.5;
  double log_growth = 0;  ///< of the coefficients, relative to A(r)^n
};

/// The fewest classes on either side, of `all`, that leave no more than e^target; nothing where
/// they are too many.
std::optional<std::uint64_t> fewest_sampled_nodes(const SampledAim& line, std::uint64_t all,
                                                  double target) {
  const auto left_out = [&](std::uint64_t nodes) {
    const double count = static_cast<double>(nodes);
    const double s = (count + 1) * line.h;
    const double bound = line.model.atoms(s) + line.model.curve(std::hypot(s, line.model.r()));
    return line.n * (std::log(std::min(bound, 1.0)) + line.log_size) - line.t * line.aim.epsilon -
           std::log(std::numbers::pi * line.h * (count + 0.5));
  };
  std::uint64_t low = 0;
  std::uint64_t high = 1;
  while (high < all && left_out(high) > target) {
    low = high;
    high *= 2;
    if (high > 2 * most_sampled_nodes) return std::nullopt;
  }
  high = std::min(high, all);
  while (high > low + 1) {
    const std::uint64_t middle = (low + high) / 2;
    (left_out(middle) > target ? low : high) = middle;
  }
  if (high > most_sampled_nodes) return std::nullopt;
  return high;
}

/// The fewest powers of 1/j at the circle of this kappa; infinity where they do not converge.
TailCost orders_at(const SampledAim& line, std::uint64_t nodes, double j, std::size_t parts,
                   double kappa) {
  TailCost cost{parts, 0, kappa, 0};
  const double turn = 2 * std::numbers::pi / line.width;
  const double radius = 1 / (kappa * turn * (j + 1));
  const double r = line.model.r();
  for (int i = 0; i <= sampled_heights_seen; ++i) {
    const double s = line.h * static_cast<double>(nodes) * i / sampled_heights_seen;
    const double room = 1 - radius * std::hypot(r, s);
    const double other = 1 - radius * std::hypot(r - 1, s);
    if (!(room > 0.05) || !(other > 0.05)) return {parts, infinity, kappa, 0};
    const double growth =
        line.n * std::log(line.model.atoms(s) + line.model.parts(s, parts, radius / room)) -
        std::log(room * other);
    const double rest = growth + std::log(2 / (turn * turn * (j + 0.5) * (1 - kappa))) - line.share;
    cost.orders = std::max(cost.orders, std::ceil(rest / -std::log(kappa)));
    cost.log_growth = std::max(cost.log_growth, growth);
  }
  cost.orders = std::max(cost.orders, 1.0);
  return cost;
}

TailCost cost_of_tail(const SampledAim& line, std::uint64_t nodes, std::uint64_t direct) {
  const auto j = static_cast<double>(direct);
  const double turn = 2 * std::numbers::pi / line.width;
  const double x = turn * (j + 0.5);
  const double front = std::log(2 / (turn * turn * j)) - line.share;
  double greatest = 0;
  double powered = 0;
  for (int i = 0; i <= sampled_heights_seen; ++i) {
    const double s = line.h * static_cast<double>(nodes) * i / sampled_heights_seen;
    greatest = std::max(greatest, line.model.atoms(s) + line.model.curve(x));
  }
  powered = line.n * std::log(greatest);
  if (powered + front <= 0) return {0, 0, 0.5, 0};
  TailCost best;
  for (std::size_t parts = 1; parts <= most_sampled_parts; ++parts) {
    const double rest = line.model.log_rest(parts) - static_cast<double>(parts) * std::log(x);
    if (std::log(line.n) + rest + powered + front > 0 || rest > 0) continue;
    for (const double kappa : kappas_tried) {
      const TailCost cost = orders_at(line, nodes, j, parts, kappa);
      if (cost.orders < best.orders) best = cost;
    }
    break;
  }
  return best;
}

/// The cost of all with the nodes |j| <= direct one by one; changes the choice where it is less.
double consider(const SampledAim& line, std::uint64_t direct, SampledChoice& choice) {
  const TailCost tail = cost_of_tail(line, choice.nodes, direct);
  if (!(tail.orders <= most_sampled_orders)) return infinity;
  const auto j = static_cast<double>(direct);
  const double s =
      line.h * static_cast<double>(choice.nodes) + 2 * std::numbers::pi / line.width * j;
  const SampledRule rule =
      line.model.rule(s, -(line.aim.nats + line.lost + std::log(line.n) + nats_of_quadrature));
  if (rule.points == 0) return infinity;
  const double nodes = static_cast<double>(choice.nodes) + 1;
  const double excess = std::max(line.lost, tail.log_growth + line.lost);
  const double bits = (line.aim.nats + excess) / log_two + 2 * std::log2(line.n + 1) +
                      3 * std::log2(2.0 + nodes) + std::log2(2 + j) +
                      std::log2(1 + line.t * std::fabs(line.aim.epsilon)) + sampled_spare_bits +
                      std::fabs(line.model.r()) * line.width;
  const auto points = static_cast<double>(rule.points);
  const auto parts = static_cast<double>(tail.parts);
  const double products =
      products_of_power * points * (nodes + j) +
      nodes * (2 * j + 1) * (products_of_dot * points + products_of_node) +
      nodes * tail.orders *
          (products_of_series * parts +
           products_of_dot * tail.orders * std::min(8.0, 1 + std::log2(line.n))) +
      tail.orders * (tail.orders + 4 * j);
  const double seconds = costs::folded_line(products, bits);
  if (seconds < choice.seconds) {
    choice.seconds = seconds;
    choice.direct = direct;
    choice.parts = tail.parts;
    choice.orders = static_cast<std::size_t>(clamped_integer(tail.orders, 0, 1000));
    choice.kappa = tail.kappa;
    choice.rule = rule;
    choice.bits = precision_bits(bits);
  }
  return seconds;
}

SampledChoice choose_sampled_at(const ComposedLoss& loss, const SampledLaplacePower& power,
                                const SampledShape& shape, CumulantTable& table, double t,
                                const LineAim& aim) {
  SampledChoice choice;
  choice.t = t;
  choice.seconds = infinity;
  const auto n = static_cast<double>(power.steps);
  const double target = aim.log_delta - aim.nats - nats_of_sampled_term;
  const LinePeriod least = least_period(loss, table, t, aim.epsilon, target);
  choice.both_residues = least.both_residues;
  const double classes = std::ceil(least.period / shape.width);
  if (!(classes < most_sampled_classes)) return choice;
  choice.classes = static_cast<std::uint64_t>(clamped_integer(classes, 1, most_index)) | 1;
  const double h = 2 * std::numbers::pi / (shape.width * static_cast<double>(choice.classes));
  const double all = table.at(t).value;
  const SampledModel model(shape, power.law.direction == Direction::remove ? 1 + t : -t, all / n);
  SampledAim line{model, n, aim, t, h, all / n, shape.width, 0, 0};
  const auto nodes = fewest_sampled_nodes(line, (choice.classes - 1) / 2, target);
  if (!nodes) return choice;
  choice.nodes = *nodes;
  // What may be left out of each class, without the factor e^{-t eps} h / pi.
  line.share = target + t * aim.epsilon - std::log(h / std::numbers::pi) -
               std::log(static_cast<double>(choice.nodes) + 1) - all;
  line.lost =
      std::max({0.0, all - t * aim.epsilon - aim.log_delta, -t * least.period - aim.log_delta});
  for (std::uint64_t direct = 1; direct <= most_sampled_direct;
       direct += std::max<std::uint64_t>(1, direct / 2)) {
    check_work_limit();
    if (consider(line, direct, choice) > sampled_worse_for_sure * choice.seconds) break;
  }
  return choice;
}

}  // namespace

SampledChoice choose_sampled(const ComposedLoss& loss, const SampledLaplacePower& power,
                             CumulantTable& table, const LineAim& aim) {
  const SampledShape shape(power.law);
  SampledChoice best;
  best.seconds = infinity;
  const double saddle = table.saddle(aim.epsilon);
  for (const double share : sampled_shares_tried) {
    check_work_limit();
    const SampledChoice choice = choose_sampled_at(loss, power, shape, table, saddle * share, aim);
    if (choice.seconds < best.seconds) best = choice;
    if (best.seconds < sampled_cheap_seconds) return best;
  }
  for (const double each : abscissas_tried) {
    const double t = each / shape.width;
    if (t > saddle) continue;
    const SampledChoice choice = choose_sampled_at(loss, power, shape, table, t, aim);
    if (choice.seconds < best.seconds) best = choice;
  }
  if (best.seconds > share_of_time * work_seconds_left()) best.seconds = infinity;
  return best;
}

}  // namespace plaudit
