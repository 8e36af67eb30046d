// From epsilon to y1, the slices and Y of docs/proofs/largest_draw.md#split, for the n = steps_
// draws of one Gaussian mixture. LargestDrawSum evaluates what is chosen here.
//
// An order is t, log_size the log of a part of delta, `needed` that of what is negligible; others
// is n - 1, or what these draws lose; CutIntegral has log A_Z, Z its cut. plan() estimates the part
// with a huge draw (beyond) and that without one (below), and has a line for each that is not
// negligible. y1 is that of start_of_rare or, without a line beyond it, has n P(y > y1) negligible.
// From there add_slices goes down to Y, that of below or where order_below finds a small bound of
// what is left; slice() finds Z and t that make the bound of #slices negligible. epsilon() inverts
// log_size, about log delta, by false position and halving. Refused (std::domain_error) are delta
// above e^-40, an epsilon in the bulk, huge draws without a part in the moments of a plain line
// (require_huge_draws), and what slices do not bound.
#include "accountants/rare/largest_draw_plan.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "accountants/cumulants/order_search.hpp"
#include "lib/analysis/log_sums.hpp"
#include "lib/analysis/strip_quadrature.hpp"
#include "lib/constants.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/mixtures/rare_draw_loss.hpp"

namespace plaudit {

namespace {

// Points y are outcomes in units of the noise, log f(y) their losses.
constexpr double greatest_log_of_tail = -40;  ///< log delta above which there is no plan
constexpr double deviations_of_bulk = 4;      ///< of the loss: no plan for an epsilon within them
constexpr double asymptotic_from = 20;        ///< x from which log Phi(-x) is its asymptotic series
constexpr double greatest_point = 1e7;        ///< y at which searches end
constexpr double greatest_cut = 3e4;          ///< y up to which integrals are cut
constexpr double nats_of_aliases = 35;        ///< of an ordinary line: they set the orders it needs
constexpr double negligible = -15;  ///< log of a share of huge draws in moments: as good as none
constexpr int bisections = 60;
constexpr double near_order = 1e-3;         ///< relative change with which below() ends
constexpr double spare_nats_of_slices = 5;  ///< of each part without a line, below e^-nats delta
constexpr std::size_t most_slices = 60;
constexpr double least_end = 0.5;    ///< least Y, and least Z of slices
constexpr int most_rounds = 12;      ///< of the iterations in beyond() and below()
constexpr double same_share = 1e-3;  ///< of (epsilon - others' loss) / y: change that ends beyond()
constexpr double share_of_others = 0.95;  ///< of epsilon: others' loss, or the gap of y1, at most
constexpr double share_of_huge = 0.9;     ///< of epsilon: others' loss above which no draw is huge
constexpr double least_apart = 2;       ///< distance in y of the modes of huge draws and of others
constexpr double greatest_of_bulk = 8;  ///< y of an only mode above which it is of huge draws
// The end of the bulk is searched from y = 1 on by steps of 0.25, or of 2% of y.
constexpr double first_of_edge = 1;
constexpr double step_of_edge = 0.25;
constexpr double share_of_edge = 0.02;
constexpr double wider = 2;  ///< a slice whose bound is too large is divided by it, so many times
constexpr int most_narrowings = 10;
// y1 lies where the loss is below epsilon by a gap: the least one that makes a slice below y1
// negligible, which ends at 1.5 times the gap, or where the density of draws is e^3 times as great.
constexpr double first_gap = 1e-9;  ///< the first one tried, at least, relative to epsilon
constexpr double next_gap = 2;      ///< factor to the next one
constexpr double same_gap = 1.2;    ///< ratio of gaps at which bisection ends
constexpr double gap_of_first_slice = 1.5;
constexpr double nats_of_first_slice = 3;
constexpr int most_starts = 40;     ///< gaps that are tried
constexpr int most_epsilons = 60;   ///< that are tried for a delta
constexpr double close_log = 0.02;  ///< of log delta, with which that ends
constexpr double greatest_log_epsilon = 16;
constexpr double share_of_slope = 0.01;  ///< of epsilon, to either side, for a difference quotient
constexpr double room_of_short = 1e-4;   ///< relative: short_double rounds down by less

/// log Phi(-x).
double log_normal_tail(double x) {
  if (x < asymptotic_from) return std::log(0.5 * std::erfc(x / std::numbers::sqrt2));
  return -x * x / 2 - std::log(x) - log_sqrt_two_pi - 1 / (x * x);
}

/// The cumulant function of so many draws up to the cut, at t.
CumulantEstimate draws_up_to(const CutIntegral& cut, double count, double t) {
  const CumulantEstimate one = cut.estimate(1 + t);
  return {count * one.value, count * one.mean, count * one.variance};
}

}  // namespace

LargestDrawPlanner::LargestDrawPlanner(const ComposedLoss& loss)
    : loss_(loss),
      mixture_(*loss.terms()[0].loss->facts().gaussian_mixture),
      estimate_(mixture_),
      table_(loss),
      steps_(loss.steps()),
      deviation_(std::sqrt(steps_ * std::max(estimate_.integral(1).variance, 1e-300))) {}

/// The y of a loss.
double LargestDrawPlanner::point_of(double loss) const {
  double low = 0;
  double high = 1;
  while (high < greatest_point && estimate_.log_f(high) < loss) high *= 2;
  for (int i = 0; i < bisections; ++i) {
    const double middle = (low + high) / 2;
    (estimate_.log_f(middle) < loss ? low : high) = middle;
  }
  return high;
}

/// log P(draw > y).
double LargestDrawPlanner::log_mass_above(double y) const {
  double sum = -infinity;
  for (std::size_t i = 0; i < mixture_.sensitivities.size(); ++i) {
    const double rate = plaudit::estimate(mixture_.sensitivities[i] / mixture_.sigma);
    sum = estimate_log_sum(
        sum, plaudit::estimate_log(mixture_.probabilities[i]) + log_normal_tail(y - rate));
  }
  return sum;
}

/// Where phi f^(1 + order) is least between the bulk and huge draws; `most` where it only falls.
double LargestDrawPlanner::least_of_edge(double order, double most) const {
  bool falls = false;
  for (double y = first_of_edge; y < most; y += std::max(step_of_edge, share_of_edge * y)) {
    double rate = 0;
    estimate_.log_f(y, rate);
    const bool rises = (1 + order) * rate > y;
    if (falls && rises) return y;
    if (!rises) falls = true;
  }
  return most;
}

const CutIntegral& LargestDrawPlanner::cut_at(double y) {
  if (!(y < greatest_cut)) throw std::domain_error("largest_draw: draws too far out");
  std::unique_ptr<CutIntegral>& found = cuts_[y];
  if (!found) found = std::make_unique<CutIntegral>(mixture_, y);
  return *found;
}

/// The part with one huge draw. With log p falling by the slope per unit of its loss, it is
///   n p_L(eps) E e^(slope B) / (slope (slope + 1)), B the loss of the other draws.
LargestDrawPlanner::Part LargestDrawPlanner::beyond(double epsilon) {
  const double others = steps_ - 1;
  Part part{-infinity, 0};
  for (int i = 0; i < most_rounds; ++i) {
    check_work_limit();
    const double loss = epsilon - part.loss_of_others;
    const double y = point_of(loss);
    double rate = 0;
    const double log_f = estimate_.log_f(y, rate);
    const double slope = y / rate - 1;
    if (!(slope > 0)) return {-infinity, 0};
    CumulantEstimate one{0, 0, 0};
    if (others > 0) {
      const double end = short_double(std::max(least_end, least_of_edge(slope, y)));
      one = cut_at(end).estimate(1 + slope);
    }
    part.log_size = std::log(steps_) - y * y / 2 - log_sqrt_two_pi + log_f - std::log(rate) -
                    slope * part.loss_of_others + others * one.value - std::log(slope) -
                    std::log1p(slope);
    const double next = std::clamp(others * one.mean, 0.0, share_of_others * epsilon);
    const double moved = std::fabs(next - part.loss_of_others);
    part.loss_of_others = i < 2 ? next : (next + part.loss_of_others) / 2;
    if (moved < same_share * (epsilon - next) / std::max(1.0, y)) break;
  }
  // with nearly all of the loss elsewhere there is no huge draw
  const bool none = part.loss_of_others > share_of_huge * epsilon;
  if (none || !std::isfinite(part.log_size)) part.log_size = -infinity;
  return part;
}

/// log of the part without a draw beyond `end`, by the saddle point t, and that end: where phi
/// f^(1 + t) is least between bulk and huge draws, so that these have no part in the moment of t.
double LargestDrawPlanner::below(double epsilon, double& end) {
  const double variance = deviation_ * deviation_;
  const double most = point_of(epsilon);
  double order = epsilon / variance;
  end = most;
  for (int i = 0; i < most_rounds; ++i) {
    check_work_limit();
    end = short_double(std::max(least_end, least_of_edge(order, most)));
    const CutIntegral& cut = cut_at(end);
    const auto cumulant = [&](double t) { return draws_up_to(cut, steps_, t); };
    if (steps_ * estimate_.log_f(end) <= epsilon) return -infinity;
    const double next = chernoff_order_at_epsilon(cumulant, epsilon, order);
    const CumulantEstimate k = cumulant(next);
    const double log_size = k.value - next * epsilon - std::log(next) - std::log1p(next) -
                            0.5 * std::log(2 * std::numbers::pi * k.variance);
    const bool done = std::fabs(next / order - 1) < near_order;
    order = next;
    if (done || i + 1 == most_rounds) return std::isfinite(log_size) ? log_size : -infinity;
  }
  return -infinity;
}

/// Whether huge draws have a share in the moments that an ordinary contour needs; where they have
/// none, it is short.
void LargestDrawPlanner::require_huge_draws(double epsilon) {
  const double saddle = table_.saddle(epsilon);
  const double variance = std::max(table_.at(saddle).variance, 1e-300);
  const double r = 1 + saddle + std::sqrt(2 * nats_of_aliases / variance);
  const double far = estimate_.mode_from(r * estimate_.greatest_rate(), r, 0);
  const double near = std::max(estimate_.mode_from(0, r, 0), 0.0);
  const auto height = [&](double y) { return r * estimate_.log_f(y) - y * y / 2; };
  const bool apart = far - near > least_apart;
  if (!apart && near > greatest_of_bulk) return;
  if (!apart || height(far) - height(near) + std::log(steps_) < negligible) {
    throw std::domain_error("largest_draw: huge draws have no part in the moments here");
  }
}

double LargestDrawPlanner::log_size(double epsilon) {
  if (epsilon < deviations_of_bulk * deviation_) return 0;
  double end = 0;
  const double frequent = below(epsilon, end);
  const Part rare = beyond(epsilon);
  const bool apart = point_of(epsilon - rare.loss_of_others) > end;
  return std::min(0.0, apart ? estimate_log_sum(rare.log_size, frequent) : frequent);
}

/// The bound (n-1) P(y > Z) + c(t) A_Z(1+t)^(n-1) e^(-t gap) with Z where the first part is small.
std::optional<LargestDrawSlice> LargestDrawPlanner::slice(double low, double high, double epsilon,
                                                          double needed) {
  check_work_limit();
  const double gap = epsilon - estimate_.log_f(high);
  if (!(gap > 0)) return std::nullopt;
  const double wanted = needed - std::log(steps_) - log_mass_above(low);
  if (wanted >= 0) return LargestDrawSlice{low, high, 0};
  const double others = steps_ - 1;
  double least = 0;
  double most = greatest_point;
  for (int i = 0; i < bisections; ++i) {
    const double middle = (least + most) / 2;
    (std::log(others) + log_mass_above(middle) > wanted - 1 ? least : most) = middle;
  }
  const double end = short_double(std::max(least_end, most * (1 + room_of_short)));
  const CutIntegral& cut = cut_at(end);
  const auto cumulant = [&](double t) { return draws_up_to(cut, others, t); };
  double order = chernoff_order_at_epsilon(cumulant, gap, last_order_);
  const double room = gap - others * estimate_.log_f(end);
  if (room > 0) order = std::min(order, (2 - wanted) / room);  // A_Z(1+t) <= f(Z)^t
  const double bound = estimate_log_chernoff_factor(order) + cumulant(order).value - order * gap;
  if (!(bound < wanted - 1)) return std::nullopt;
  last_order_ = order;
  return LargestDrawSlice{low, end, short_double(order)};
}

/// The best order t for the bound of the part of runs without a draw beyond `end`.
double LargestDrawPlanner::order_below(double end, double epsilon, double& log_bound) {
  const CutIntegral& cut = cut_at(end);
  const auto cumulant = [&](double t) { return draws_up_to(cut, steps_, t); };
  if (steps_ * estimate_.log_f(end) <= epsilon) {  // no such runs; any order
    log_bound = -infinity;
    return last_order_;
  }
  const double order = chernoff_order_at_epsilon(cumulant, epsilon, last_order_);
  log_bound = estimate_log_chernoff_factor(order) + cumulant(order).value - order * epsilon;
  return order;
}

/// y1: the greatest point with a slice below it whose part is negligible.
double LargestDrawPlanner::start_of_rare(double epsilon, double others, double needed) {
  const double most = std::log(share_of_others * epsilon);
  const auto usable = [&](double log_gap) {
    const double gap = std::exp(log_gap);
    const double high = point_of(epsilon - gap);
    const double low =
        std::max(point_of(epsilon - gap_of_first_slice * gap), high - nats_of_first_slice / high);
    return low < high && slice(low, high, epsilon, needed).has_value();
  };
  double low = std::log(std::max({deviation_, first_gap * epsilon, others}));
  double high = low;
  for (int i = 0; i < most_starts; ++i) {
    if (high > most) throw std::domain_error("largest_draw: several draws make delta here");
    if (usable(high)) break;
    low = high;
    high += std::log(next_gap);
  }
  while (high - low > std::log(same_gap)) {
    const double middle = (low + high) / 2;
    (usable(middle) ? high : low) = middle;
  }
  return point_of(epsilon - std::exp(high));
}

/// Slices from the plan's start down to `last`, or to where what is left is negligible.
bool LargestDrawPlanner::add_slices(LargestDrawPlan& plan, double epsilon, double last,
                                    double needed, bool until_bounded) {
  double high = plan.start;
  double width = 0;
  plan.end = short_double(plan.start);
  while (high > last) {
    if (plan.slices.size() >= most_slices) return false;
    const double half = high - point_of(epsilon - 2 * (epsilon - estimate_.log_f(high)));
    double step = high - last;
    std::optional<LargestDrawSlice> found = slice(last, high, epsilon, needed);
    if (!found) step = std::min(step, 8 * std::max(width, half > 0 ? half : high / 4));
    for (int i = 0; i < most_narrowings && !found; ++i) {
      step /= wider;
      found = slice(high - step, high, epsilon, needed);
    }
    if (!found || !(found->low < high)) return false;
    width = high - found->low;
    plan.slices.push_back(*found);
    high = found->low;
    plan.end = high;
    if (!until_bounded) continue;
    double log_bound = 0;
    const double end = short_double(high * (1 + room_of_short));
    const double order = order_below(end, epsilon, log_bound);
    if (log_bound < needed) {
      plan.end = end;
      plan.order = short_double(order);
      return true;
    }
  }
  return !until_bounded;
}

LargestDrawPlan LargestDrawPlanner::plan(double epsilon, double nats) {
  if (epsilon < deviations_of_bulk * deviation_) {
    throw std::domain_error("largest_draw: epsilon is not beyond the bulk");
  }
  require_huge_draws(epsilon);
  LargestDrawPlan plan;
  const Part rare = beyond(epsilon);
  double end = 0;
  plan.log_beyond = rare.log_size;
  plan.log_below = below(epsilon, end);
  if (point_of(epsilon - rare.loss_of_others) <= end) plan.log_beyond = -infinity;
  plan.log_delta = std::min(0.0, estimate_log_sum(plan.log_beyond, plan.log_below));
  if (!(plan.log_delta > -infinity)) throw std::domain_error("largest_draw: no estimate of delta");
  if (plan.log_delta > greatest_log_of_tail) {
    throw std::domain_error("largest_draw: delta is not in the far tail, below e^-40");
  }
  const double needed = plan.log_delta - nats - spare_nats_of_slices;
  plan.line_beyond = plan.log_beyond > needed;
  plan.line_below = plan.log_below > needed;
  if (plan.line_beyond) {
    plan.start = start_of_rare(epsilon, rare.loss_of_others, needed);
  } else {  // where even the mass beyond is negligible
    double low = 0;
    double high = greatest_point;
    for (int i = 0; i < bisections; ++i) {
      const double middle = (low + high) / 2;
      (std::log(steps_) + log_mass_above(middle) > needed ? low : high) = middle;
    }
    plan.start = high * (1 + room_of_short);
  }
  if (plan.line_below && plan.start <= end) {  // nothing between the lines
    plan.end = plan.start = short_double(plan.start);
    return plan;
  }
  if (!add_slices(plan, epsilon, plan.line_below ? end : least_end, needed, !plan.line_below)) {
    throw std::domain_error("largest_draw: several draws make delta here");
  }
  return plan;
}

double LargestDrawPlanner::epsilon(double log_delta) {
  if (log_delta > greatest_log_of_tail) {
    throw std::domain_error("largest_draw: delta is not in the far tail, below e^-40");
  }
  require_huge_draws(std::max(table_.epsilon_for(log_delta), deviation_));
  double low = std::log(deviations_of_bulk * deviation_);
  double high = low;
  do {
    high += log_two;
    if (high > greatest_log_epsilon) throw std::domain_error("largest_draw: too great an epsilon");
  } while (log_size(std::exp(high)) > log_delta && (low = high, true));
  double off_low = 0;  // of log delta, at the ends
  double off_high = 0;
  for (int i = 0; i < most_epsilons && high - low > 1e-13; ++i) {
    double share = 0.5;
    if (i % 3 != 2 && off_low > 0 && off_high < 0 && std::isfinite(off_high)) {
      share = std::clamp(off_low / (off_low - off_high), 0.001, 0.999);
    }
    const double middle = low + share * (high - low);
    const double off = log_size(std::exp(middle)) - log_delta;
    if (std::fabs(off) < close_log) return std::exp(middle);
    (off > 0 ? low : high) = middle;
    (off > 0 ? off_low : off_high) = off;
  }
  return std::exp((low + high) / 2);
}

double LargestDrawPlanner::slope(double epsilon) {
  return (log_size(epsilon * (1 - share_of_slope)) - log_size(epsilon * (1 + share_of_slope))) /
         (2 * share_of_slope * epsilon);
}

}  // namespace plaudit
