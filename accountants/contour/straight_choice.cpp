// From epsilon, nats of accuracy and about log delta to a line: t, h = 2 pi / P and the number of
// nodes, by the bounds of docs/proofs/straight_contour.md#periodisation in doubles.
//
// The table has K = log M; `target` is the log of what aliases shall stay below. minimise()
// searches the orders of their bounds, in logarithms: a gap is |t' - t| or, left of the poles, u +
// t; an excess is u - 1, with both residues; an order is u in (0, 1], with one. least_period is the
// least P at t (right_period, left_period, left_period_one_residue, or up to an end of the
// support). choose_on adds nodes up to least_height, bits and seconds, which stay infinite where no
// period or height is found, or nodes or bits are too many. choose_straight tries shares of the
// saddle point as t (choose_at); choose_one_sided, choose_without_residue and choose_left_of_poles
// have a t and P of their own. best_... are the orders with the least bounds at a given P;
// LineAliases, which evaluates the bounds in balls, asks for them.
#include "accountants/contour/straight_choice.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "accountants/cost_models.hpp"
#include "accountants/cumulants/order_search.hpp"
#include "lib/analysis/least_value.hpp"
#include "lib/analysis/log_sums.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

// None of these enters a bound: a bad one makes a line dearer, or its band wider.
constexpr double most_nodes = 3e5;
/// The cost of a node, on average, as a part of that in balls: where all terms have many steps, and
/// on the left of the poles, most nodes are small and summed in doubles.
constexpr std::uint64_t many_steps = 30;
constexpr double price_of_many_steps = 0.2;
constexpr double price_on_the_left = 0.45;
constexpr double room_in_period = 1.02;  ///< for the epsilons around the one asked for
constexpr double most_bits = 1e5;        ///< refused: near the end of a support ever more cancels
constexpr double bits_for_rounding = 64;
/// Nats by which aliases and nodes left out shall be below what is wanted: each less than half.
constexpr double nats_of_half = 0.7;
constexpr double tiny = 1e-300;              ///< keeps quotients and logarithms finite
constexpr int refinements_of_scan = 8;       ///< steps of Brent's method after a scan
constexpr double least_share_of_gap = 0.05;  ///< of usual_gap, where another gap is taken off
constexpr double step_of_scan = 0.75;        ///< in the logarithm of the order
constexpr long most_steps_of_scan = 100;

// Ranges of orders. For a period: e^-9 to e^6 times a scale, about 1 / deviation. For the least
// alias at a period P: from e^-5 / P (an excess u - 1 from e^-7, an order in (0, 1] from e^-9 / P)
// to most_gaps or most_excesses / P and most_abscissas times the abscissa.
constexpr double log_below_scale = 9;
constexpr double log_above_scale = 6;
constexpr double log_below_gap = 5;
constexpr double log_least_excess = -7;
constexpr double most_gaps = 1e3;
constexpr double most_excesses = 1e4;
constexpr double most_abscissas = 1e3;

constexpr double room_in_support = 1.001;  ///< that the end of a support is surely reached
constexpr double room_of_aliases = 1.01;   ///< times the least period for which they are small
// The period of a line left of the poles: from the whole support down.
constexpr int most_periods = 60;
constexpr double shorter_period = 4;     ///< ratio of the first periods that are tried
constexpr double accurate_period = 1.1;  ///< ratio of the periods at which bisection ends

// The height where the nodes end, by guesses that let the fall grow with the square of the height.
constexpr int most_heights = 40;
constexpr double accurate_height = 1.08;  ///< ends it: over a height that does not suffice
constexpr double accurate_fall = 1.1;     ///< ends it too: the fall less a nat, over the wanted one
constexpr double room_of_step = 1.02;     ///< by which a guess goes too far
constexpr double shortest_step = 0.3;     ///< ratio of a guess to the one before, at least
constexpr double longest_step = 4;

/// Abscissas that are tried, as shares of the saddle point; the indices are those that are tried
/// first. Of nearly Gaussian losses the cost is flat in t. Those of heavy right tails want t well
/// below the saddle point: they are told by a variance of the tilted loss that rises beyond it.
constexpr double shares_of_saddle[] = {0.02, 0.05, 0.1, 0.17, 0.28, 0.45, 0.7, 1.0};
constexpr long usual_share = 7;
constexpr long share_of_heavy_tails = 4;
constexpr double heavy_order = 1.3;  ///< times the saddle point: where the variance is looked at
constexpr double heavy_rise = 1.5;   ///< ratio of the variances from which on tails are heavy
/// Predicted seconds at which no other abscissa is tried: a search shall cost less than the nodes.
constexpr double seconds_not_worth_a_search = 4e-4;

/// Argument of the least value of g on [low, high], looked for around `start`: a coarse scan to
/// both sides, each until it has led far above the least value, then Brent's method.
template <class Far, class Function>
double minimise(double low, double start, double high, Far&& is_far, Function&& g) {
  const double first = std::clamp(start, low, high);
  double best = first;
  double least = g(first);
  if (std::isnan(least)) least = infinity;
  for (const double side : {1.0, -1.0}) {
    const auto steps = clamped_integer((side > 0 ? high - first : first - low) / step_of_scan + 0.5,
                                       0, most_steps_of_scan);
    for (long i = 1; i <= steps; ++i) {
      const double x = std::clamp(first + side * static_cast<double>(i) * step_of_scan, low, high);
      const double y = g(x);
      if (y < least) {
        least = y;
        best = x;
      }
      if (is_far(y, least)) break;
    }
  }
  const LeastValue found = least_value(std::max(low, best - step_of_scan),
                                       std::min(high, best + step_of_scan), refinements_of_scan, g);
  return found.value < least ? found.at : best;
}

// How far above its least value a function is where a scan of it ends: periods have no second
// minimum that far down; logs of bounds.
bool is_far_for_periods(double y, double least) { return y > 4 * std::max(least, 0.0); }
bool is_far_for_bounds(double y, double least) { return y > least + 20; }

/// log of c(t') M(t') e^{-t' eps}, and of c(u-1) M(-u) e^{u eps}: Lemma 1 on both sides.
double log_upper_tail(CumulantTable& table, double order, double epsilon) {
  return estimate_log_chernoff_factor(order) + table.at(order).value - order * epsilon;
}
double log_lower_tail(CumulantTable& table, double excess, double epsilon) {
  return estimate_log_chernoff_factor(excess) + table.at(-1 - excess).value +
         (1 + excess) * epsilon;
}

/// The least period P for which the aliases stay below e^target: for each order the bound
/// e^{tail} / (e^{gap P} - 1) gives P = (tail - target) / gap, to be minimised over the order.
double right_period(CumulantTable& table, double t, double epsilon, double target, double scale) {
  const auto period = [&](double log_gap) {
    const double gap = std::exp(log_gap);
    return (log_upper_tail(table, t + gap, epsilon) - target) / gap;
  };
  const double middle = std::log(scale);
  return period(minimise(middle - log_below_scale, middle, middle + log_above_scale,
                         is_far_for_periods, period));
}
double left_period(CumulantTable& table, double t, double epsilon, double target, double scale) {
  const auto period = [&](double log_excess) {
    const double excess = std::exp(log_excess);
    return (log_lower_tail(table, excess, epsilon) - target) / (t + 1 + excess);
  };
  const double middle = std::log(scale);
  return period(minimise(middle - log_below_scale, middle, middle + log_above_scale,
                         is_far_for_periods, period));
}

/// With the residue at 0 alone: orders u in (0, 1].
double left_period_one_residue(CumulantTable& table, double t, double epsilon, double target,
                               double scale) {
  const auto period = [&](double log_order) {
    const double order = std::exp(log_order);
    return (table.between_poles(order) + order * epsilon - target) / (t + order);
  };
  const double low = std::min(std::log(scale), 0.0) - log_below_scale;
  return period(minimise(low, std::log(scale), 0, is_far_for_periods, period));
}

}  // namespace

LinePeriod least_period(const ComposedLoss& loss, CumulantTable& table, double t, double epsilon,
                        double target) {
  LinePeriod result;
  const double scale = std::max(t, 1 / std::sqrt(std::max(table.at(t).variance, tiny)));
  const double reach = loss.greatest_loss().upper_double() - epsilon;
  const double back = epsilon - loss.least_loss().lower_double();
  const double right =
      std::min(right_period(table, t, epsilon, target, scale), reach * room_in_support);
  double left = std::min(left_period(table, t, epsilon, target, scale), back * room_in_support);
  if (left > right) {  // worth a look at the other form
    const double one = left_period_one_residue(table, t, epsilon, target, scale);
    result.both_residues = !(one < left);
    left = std::min(left, one);
  }
  result.period =
      std::max(std::max(right, left) * room_of_aliases, 1 / t);  // keeps e^{tP} - 1 away from 0
  return result;
}

namespace {

/// The least height S beyond which the truncated nodes stay below the target; 0 if not found.
double least_height(const ComposedLoss& loss, double t, double wanted_at_one, double variance,
                    double period) {
  double height = std::sqrt(2 * std::max(wanted_at_one, 1.0) / std::max(variance, tiny));
  double low = 0;
  double high = 0;
  for (int i = 0; i < most_heights; ++i) {
    check_work_limit();
    const double wanted = wanted_at_one - std::log(std::numbers::pi * height);
    const double decay = -loss.estimate_log_decay(t, height);
    if (!std::isfinite(decay)) return 0;
    if (decay >= wanted) {
      high = height;
      if ((low > 0 && high / low < accurate_height) || decay < wanted * accurate_fall + 1)
        return high;
    } else {
      low = height;
    }
    if (height * period > 2 * std::numbers::pi * most_nodes) return high;
    height *= std::clamp(std::sqrt(std::max(wanted, 0.5) / std::max(decay, 1e-9)) * room_of_step,
                         shortest_step, longest_step);
    if (low > 0 && high > 0 && (height <= low || height >= high)) height = std::sqrt(low * high);
  }
  return high;
}

StraightChoice choose_on(const ComposedLoss& loss, CumulantTable& table, double t,
                         const LinePeriod& line, double epsilon, double nats, double log_delta,
                         double further_nats) {
  StraightChoice choice;
  choice.seconds = infinity;
  const CumulantEstimate k = table.at(t);
  const double period = line.period;
  choice.both_residues = line.both_residues;
  if (!std::isfinite(period)) return choice;

  const double excess = k.value - t * epsilon - log_delta;
  const double height = least_height(table.laws(), t, nats + further_nats + excess + nats_of_half,
                                     k.variance, period);
  if (!(height > 0)) return choice;
  const double nodes = std::max(2.0, std::ceil(height * period / (2 * std::numbers::pi)));
  if (!(nodes < most_nodes)) return choice;

  choice.t = t;
  choice.h = 2 * std::numbers::pi / period;
  choice.nodes = static_cast<std::size_t>(checked_integer(nodes, "the number of nodes"));
  choice.nats = nats;
  choice.further_nats = further_nats;
  choice.log_delta = log_delta;
  choice.no_residue = line.no_residue;
  const double log_residue = line.log_residue.value_or(-t * period);
  choice.cancellation = std::max({0.0, excess, line.no_residue ? 0.0 : log_residue - log_delta});
  double points = 0;
  double priced_points = 0;
  bool composed = true;
  const std::vector<ComposedLoss::Term>& looked_at = table.laws().terms();
  const auto terms = static_cast<double>(loss.terms().size());
  const double of_each = terms / static_cast<double>(looked_at.size());
  for (const ComposedLoss::Term& term : looked_at) {
    composed = composed && static_cast<double>(term.count) >= many_steps * of_each;
    const double more =
        of_each *
        term.loss->estimate_line_points(
            t, height, nats + std::max(0.0, excess) + std::log(static_cast<double>(term.count)));
    points += more;
    priced_points += more * term.loss->price_of_line_point();
  }
  const double bits =
      (nats + choice.cancellation + std::log(loss.steps())) / log_two + bits_for_rounding;
  if (!(bits < most_bits)) return choice;
  const double price = t < 0 ? price_on_the_left : composed ? price_of_many_steps : 1;
  choice.seconds = costs::straight_line(points, priced_points, nodes, bits, price);
  return choice;
}

StraightChoice choose_at(const ComposedLoss& loss, CumulantTable& table, double t, double epsilon,
                         double nats, double log_delta, double further_nats) {
  const LinePeriod line = least_period(loss, table, t, epsilon, log_delta - nats - nats_of_half);
  return choose_on(loss, table, t, line, epsilon, nats, log_delta, further_nats);
}

/// log of the gap of an alias less `other`, were the tilted loss normal: the period over its
/// variance.
double usual_gap(CumulantTable& table, double t, double period, double other) {
  const double gap = period / std::max(table.at(t).variance, tiny);
  return std::log(std::max(gap - other, least_share_of_gap * gap));
}

}  // namespace

double best_right_gap(CumulantTable& table, double t, double epsilon, double period) {
  return std::exp(minimise(
      std::log(1 / period) - log_below_gap, usual_gap(table, t, period, 0),
      std::log(most_gaps / period + most_abscissas * t), is_far_for_bounds, [&](double x) {
        return log_upper_tail(table, t + std::exp(x), epsilon) - log_expm1(std::exp(x) * period);
      }));
}

double best_left_excess(CumulantTable& table, double t, double epsilon, double period) {
  return std::exp(minimise(log_least_excess, usual_gap(table, t, period, t + 1),
                           std::log(most_excesses / period + most_abscissas * (1 + t)),
                           is_far_for_bounds, [&](double x) {
                             return log_lower_tail(table, std::exp(x), epsilon) -
                                    log_expm1((t + 1 + std::exp(x)) * period);
                           }));
}

double best_left_order(CumulantTable& table, double t, double epsilon, double period) {
  const double low = std::min(std::log(1 / period), 0.0) - log_below_scale;
  return std::exp(
      minimise(low, usual_gap(table, t, period, t), 0, is_far_for_bounds, [&](double x) {
        const double order = std::exp(x);
        return table.between_poles(order) + order * epsilon - log_expm1((t + order) * period);
      }));
}

namespace {

/// log of c(u-1) M(-u) e^{u eps} / (e^{gap P} - 1) at u = gap - t.
double log_alias_left_of_poles(CumulantTable& table, double t, double gap, double epsilon,
                               double period) {
  return log_lower_tail(table, gap - t - 1, epsilon) - log_expm1(gap * period);
}

}  // namespace

double best_gap_left_of_poles(CumulantTable& table, double t, double epsilon, double period) {
  const double scale = std::log(1 / period);
  return std::exp(minimise(scale - log_below_gap, usual_gap(table, t, period, 0),
                           scale + std::log(most_gaps), is_far_for_bounds, [&](double x) {
                             return log_alias_left_of_poles(table, t, std::exp(x), epsilon, period);
                           }));
}

StraightChoice choose_left_of_poles(const ComposedLoss& loss, CumulantTable& table, double epsilon,
                                    double nats, double log_delta) {
  const double target = log_delta - nats - nats_of_half;
  // A+ / delta is about e^(tP), and the pole at -1 is kept away from
  const auto abscissa = [&](double period) {
    return -std::max(nats + nats_of_half, period + 1) / period;
  };
  const auto reaches = [&](double period) {
    const double t = abscissa(period);
    const double gap = best_gap_left_of_poles(table, t, epsilon, period);
    return log_alias_left_of_poles(table, t, gap, epsilon, period) < target;
  };
  StraightChoice best;
  best.seconds = infinity;
  const double support = epsilon - loss.least_loss().lower_double();
  if (!(support > 0)) return best;
  double high = support * room_in_period;
  if (!std::isfinite(support)) {
    high = epsilon + std::sqrt(std::max(table.at(-1).variance, tiny));
    for (int i = 0; i < most_periods && !reaches(high); ++i) {
      check_work_limit();
      high *= shorter_period;
    }
    if (!reaches(high)) return best;
  }
  double low = high / shorter_period;
  for (int i = 0; i < most_periods && reaches(low); ++i) {
    check_work_limit();
    high = low;
    low /= shorter_period;
  }
  while (high / low > accurate_period) {
    check_work_limit();
    const double middle = std::sqrt(low * high);
    (reaches(middle) ? high : low) = middle;
  }
  LinePeriod line{high * (high < support ? room_of_aliases : 1), true};
  // m0 and q0 e^eps, which are small for a part of a law
  line.log_residue =
      std::max(loss.finite_mass().estimate_log(), loss.q_mass().estimate_log() + epsilon);
  best = choose_on(loss, table, abscissa(line.period), line, epsilon, nats, log_delta, 0);
  best.one_sided = true;
  return best;
}

StraightChoice choose_straight(const ComposedLoss& loss, CumulantTable& table, double epsilon,
                               double nats, double log_delta, double further_nats) {
  StraightChoice best;
  best.seconds = infinity;
  const double saddle = table.saddle(epsilon);
  const bool heavy =
      table.at(heavy_order * saddle).variance > heavy_rise * table.at(saddle).variance;
  const long first = heavy ? share_of_heavy_tails : usual_share;
  // Whether it is the best so far.
  const auto improves = [&](long i) {
    check_work_limit();
    const StraightChoice choice = choose_at(loss, table, saddle * shares_of_saddle[i], epsilon,
                                            nats, log_delta, further_nats);
    if (!(choice.seconds < best.seconds)) return !std::isfinite(best.seconds);
    best = choice;
    return true;
  };
  const auto enough = [&] { return best.seconds < seconds_not_worth_a_search; };
  improves(first);
  for (const long step : {-1L, 1L}) {
    bool moved = false;
    for (long i = first + step; i >= 0 && i <= usual_share && !enough() && improves(i); i += step) {
      moved = true;
    }
    if (moved && std::isfinite(best.seconds)) break;  // there is one least value
  }
  return best;
}

double best_left_gap(CumulantTable& table, double t, double epsilon, double period) {
  const double most = std::log(t);
  const double least = std::min(std::log(1 / period) - log_below_gap, most - 1);
  return std::min(t, std::exp(minimise(least, usual_gap(table, t, period, 0), most,
                                       is_far_for_bounds, [&](double x) {
                                         const double gap = std::min(std::exp(x), t);
                                         return log_upper_tail(table, t - gap, epsilon) -
                                                log_expm1(gap * period);
                                       })));
}

StraightChoice choose_without_residue(const ComposedLoss& loss, CumulantTable& table,
                                      double epsilon, double nats, double log_delta) {
  const double t = table.saddle(epsilon);
  const double target = log_delta - nats - nats_of_half;
  // Losses are nearly Gaussian there: the orders of their aliases lie near the line.
  const double scale = std::sqrt(2 * nats / std::max(table.at(t).variance, tiny));
  const double right = right_period(table, t, epsilon, target, scale);
  const double most = std::min(scale, t);
  const auto period = [&](double log_gap) {
    const double gap = std::min(std::exp(log_gap), t);
    return (log_upper_tail(table, t - gap, epsilon) - target) / gap;
  };
  const double left = period(minimise(std::log(most) - log_below_scale, std::log(most),
                                      std::min(std::log(t), std::log(most) + log_above_scale),
                                      is_far_for_periods, period));
  const LinePeriod line{std::max(right, left) * room_of_aliases, true, true};
  return choose_on(loss, table, t, line, epsilon, nats, log_delta, 0);
}

StraightChoice choose_one_sided(const ComposedLoss& loss, CumulantTable& table, double epsilon,
                                double nats, double log_delta, double further_nats) {
  StraightChoice best;
  best.seconds = infinity;
  const auto consider = [&](double distance, auto&& abscissa) {
    if (!(distance > 0 && std::isfinite(distance))) return;
    const LinePeriod line{distance * room_in_period, true};
    const StraightChoice choice =
        choose_on(loss, table, abscissa(line.period), line, epsilon, nats, log_delta, further_nats);
    if (choice.seconds < best.seconds) best = choice;
  };
  // A+ / delta is about e^(tP), and the pole at -1 is kept away from
  consider(epsilon - loss.least_loss().lower_double(),
           [&](double period) { return -std::max(nats + nats_of_half, period + 1) / period; });
  // A- / psi is about e^(-(t+1)P), psi = delta - m0 + q0 e^eps
  const double log_psi =
      std::max(log_delta, std::log(std::max(std::expm1(epsilon), tiny))) + nats_of_half;
  consider(loss.greatest_loss().upper_double() - epsilon, [&](double period) {
    return std::max((nats + nats_of_half + log_psi - log_delta) / period - 1, 1 / period);
  });
  best.one_sided = true;
  return best;
}

}  // namespace plaudit
