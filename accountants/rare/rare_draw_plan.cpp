#include "accountants/rare/rare_draw_plan.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lib/analysis/strip_quadrature.hpp"
#include "lib/balls/binomial.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/cut/rare_draw_loss.hpp"
#include "mechanisms/cut/soft_loss.hpp"

namespace plaudit {

namespace {

constexpr double least_distance = 2;   ///< of the two modes, in units of the noise
constexpr double step_of_start = 0.5;  ///< likewise
constexpr double share_of_start = 0.02;
constexpr double spare_nats_of_gap = 8;
// Soft edges.
constexpr double steepnesses_tried[] = {4, 6, 9};
constexpr double step_of_rare_edge = 0.5;
constexpr double step_of_modes = 0.25;
constexpr double reach_of_modes = 8;
constexpr double greatest_far_mode = 300;
constexpr double seconds_of_edges = 1e-5;
constexpr double room_behind_mode = 1;
constexpr double same_start = 1.5;
constexpr double factor_of_orders = 4;
constexpr int orders_between = 16;
constexpr double same_order = 1 + 1e-9;
constexpr double greatest_log_delta = -60;
constexpr int most_replans = 3;
constexpr int most_guesses = 40;
constexpr double same_log_delta = 0.02;
constexpr double least_guess = 1e-12;
constexpr double greatest_guess = 1e9;

/// Not in the far tail: there other contours are short, or nothing else is.
void require_far_tail(double log_delta) {
  if (log_delta > greatest_log_delta) {
    throw std::domain_error("rare_draws: delta is not in the far tail, below e^-60");
  }
}

double finite_or_nothing(double x) { return std::isfinite(x) ? x : -infinity; }

}  // namespace

// ---- the cases

RareDrawCases::RareDrawCases(const ComposedLoss& loss, const RareEdge& edge)
    : edge_(edge), steps_(loss.terms()[0].count), direction_(loss.direction()) {
  const auto& whole = loss.terms()[0].loss;
  const GaussianMixture& mixture = *whole->facts().gaussian_mixture;
  if (edge.soft()) {
    frequent_ = std::make_shared<SoftLoss>(mixture, edge, SoftIntegral::Side::frequent, whole);
    rare_ = std::make_shared<SoftLoss>(mixture, edge, SoftIntegral::Side::rare, whole);
  } else {
    frequent_ = std::make_shared<FrequentDrawLoss>(mixture, edge.start, whole);
    rare_ = std::make_shared<RareDrawLoss>(mixture, edge.start, whole);
  }
}

RareDrawCase& RareDrawCases::at(std::uint64_t k) {
  std::unique_ptr<RareDrawCase>& found = cases_[k];
  if (!found) {
    std::vector<ComposedLoss::Term> terms;
    if (k < steps_) terms.push_back({frequent_, steps_ - k});
    if (k > 0) terms.push_back({rare_, k});
    found = std::make_unique<RareDrawCase>(
        ComposedLoss(std::move(terms), direction_),
        estimate_log_choose(static_cast<double>(steps_), static_cast<double>(k)));
  }
  return *found;
}

double RareDrawCases::log_size(std::uint64_t k, double epsilon) {
  RareDrawCase& one = at(k);
  if (one.loss.greatest_loss().upper_double() <= epsilon) return -infinity;
  const double order = one.table.saddle(epsilon);
  const CumulantEstimate here = one.table.at(order);
  if (!std::isfinite(here.value) || !(here.variance > 0)) return -infinity;
  return finite_or_nothing(one.log_choose + one.table.log_delta(epsilon, order));
}

double RareDrawCases::order_of_series(std::uint64_t k, bool upward, double start, double epsilon,
                                      double enough) {
  RareDrawCase& one = at(k);
  const auto n = static_cast<double>(steps_);
  const auto count = static_cast<double>(k);
  const auto size = [&](double t) {
    const double far = rare_->estimate_cumulant(t).value;
    const double step = far - frequent_->estimate_cumulant(t).value;
    const double log_ratio = upward ? step + std::log((n - count) / (count + 1))
                                    : std::log(count / (n - count + 1)) - step;
    const double value = one.table.at(t).value;
    return std::isfinite(value) && log_ratio < 0
               ? value - t * epsilon - std::log(-std::expm1(log_ratio))
               : infinity;
  };
  double best = start;
  double least = size(best);
  const double own = one.table.saddle(epsilon);
  const double needed = enough - one.log_choose;  // where no run has such a loss, it falls forever
  for (int i = 0; i <= orders_between && least > needed; ++i) {
    const double t = start * std::pow(own / start, static_cast<double>(i) / orders_between);
    const double here = size(t);
    if (here < least) {
      least = here;
      best = t;
    }
  }
  if (!std::isfinite(least)) return best;
  for (double factor = factor_of_orders; factor > same_order && least > needed;) {
    check_work_limit();
    const double up = size(best * factor);
    const double down = size(best / factor);
    if (!(std::min(up, down) < least)) {
      factor = std::sqrt(factor);
      continue;
    }
    best = up < down ? best * factor : best / factor;
    least = std::min(up, down);
  }
  return best;
}

// The size is log-concave in k: C(n, k) is, and the least over t of what is linear in k is concave.
std::uint64_t RareDrawCases::likeliest(std::uint64_t near, double epsilon) {
  const auto size = [&](std::uint64_t k) { return log_size(k, epsilon); };
  const std::uint64_t middle = std::min(near, steps_);
  std::uint64_t best = middle;
  for (const bool upward : {false, true}) {
    std::uint64_t step = 1;
    std::uint64_t at = best;
    double here = size(at);
    while (step > 0) {
      check_work_limit();
      const bool room = upward ? steps_ - at >= step : at >= step;
      const double there = room ? size(upward ? at + step : at - step) : -infinity;
      if (there > here) {
        at = upward ? at + step : at - step;
        here = there;
        step *= 2;
      } else {
        step /= 2;
      }
    }
    best = at;
  }
  return best;
}

// ---- plans

RareDrawPlanner::RareDrawPlanner(const ComposedLoss& loss)
    : loss_(loss), mixture_(*loss.terms()[0].loss->facts().gaussian_mixture), table_(loss) {}

/// Y between the bulk of phi f^r and the mode of rare draws, where the integrand is least: so draws
/// next to Y matter least on either side, and at the orders of other numbers of rare draws too.
RareEdge RareDrawPlanner::edge_of_rare(double order, double nats, double draws) const {
  const double r = 1 + order;
  const double far = mixture_.mode_from(r * mixture_.greatest_rate(), r, 0);
  const auto height = [&](double y) { return r * mixture_.log_f(y) - y * y / 2; };
  double near = std::max(mixture_.mode_from(0, r, 0), 0.0);
  const bool one_mode = far - near < least_distance;
  if (one_mode) near = 0;  // all draws are rare, or none is
  if (far - near > least_distance) {
    const double needed =
        (one_mode ? height(far) : std::min(height(far), height(near))) - nats - spare_nats_of_gap;
    double best = 0;
    double least = needed;
    for (double y = near + room_behind_mode; y < far;
         y += std::max(step_of_start, share_of_start * y)) {
      check_work_limit();
      const double here = height(y);
      if (here < least) {
        least = here;
        best = y;
      } else if (best > 0) {
        break;  // rising towards the far mode
      }
      if (one_mode && best > 0) break;
    }
    if (best > 0) return {short_double(best)};
  }
  return soft_edge(order, nats, draws);
}

/// Where the draws overlap. With K rare draws in a run, the runs in which usual draws count as rare
/// ones, whose transforms do not fall, are the part leak^K, and those in which no rare draw counts
/// are lost^K; both are to be negligible.
RareEdge RareDrawPlanner::soft_edge(double order, double nats, double draws) const {
  const double r = 1 + order;
  const auto height = [&](double y) { return r * mixture_.log_f(y) - y * y / 2; };
  const double far = mixture_.mode_from(r * mixture_.greatest_rate(), r, 0);
  const double near = std::max(mixture_.mode_from(0, r, 0), 0.0);
  std::vector<std::pair<double, double>> points;  // y and the log of phi f^r
  double valley = near;
  double least = infinity;
  if (far - near > least_distance && far < greatest_far_mode) {
    for (double y = near - reach_of_modes; y < far + reach_of_modes; y += step_of_modes) {
      points.emplace_back(y, height(y));
      if (y > near && y < far && points.back().second < least) {
        least = points.back().second;
        valley = y;
      }
    }
  }
  check_work_limit(static_cast<double>(points.size()) * seconds_of_edges);
  const auto add = [](double& sum, double x) {
    const double most = std::max(sum, x);
    if (most > -infinity) sum = most + std::log1p(std::exp(std::min(sum, x) - most));
  };
  if (!(draws > 0)) {  // as many as the moment of all together has
    double usual = -infinity;
    double huge = -infinity;
    for (const auto& [y, log_size] : points) add(y < valley ? usual : huge, log_size);
    draws = loss_.steps() / (1 + std::exp(usual - huge));
  }
  RareEdge best;
  double greatest = 0;
  for (const double steepness : steepnesses_tried) {
    for (double start = near + step_of_rare_edge; start < far; start += step_of_rare_edge) {
      double leak = -infinity;
      double counted = -infinity;
      double lost = -infinity;
      for (const auto& [y, log_size] : points) {
        const double x = steepness * (y - start);
        const double log_rare = x > 0 ? -std::log1p(std::exp(-x)) : x - std::log1p(std::exp(x));
        if (y < valley) {
          add(leak, log_size + log_rare);
        } else {
          add(counted, log_size + log_rare);
          add(lost, log_size + log_rare - x);
        }
      }
      const double nats_here = draws * (counted - std::max(leak, lost));
      if (nats_here > greatest) {
        greatest = nats_here;
        best = {short_double(start), short_double(steepness)};
      }
    }
    if (greatest > nats + spare_nats_of_gap) return best;
  }
  throw std::domain_error("rare_draws: no gap between rare draws and the others at this point");
}

RareDrawPlan RareDrawPlanner::plan(double epsilon, double nats) {
  double order = table_.saddle(epsilon);
  require_far_tail(table_.log_delta(epsilon, order));
  std::uint64_t near = 1;
  RareDrawPlan result;
  for (int i = 0; i < most_replans; ++i) {
    const RareEdge edge = edge_of_rare(order, nats, i == 0 ? 0 : static_cast<double>(near));
    const bool same = latest_ && edge.steepness == latest_->edge().steepness &&
                      std::fabs(latest_->edge().start - edge.start) <= same_start;
    if (!same) latest_ = std::make_shared<RareDrawCases>(loss_, edge);
    if (i == 0) {  // as many as the saddle point of all together has
      const double rare = latest_->rare().estimate_cumulant(order).value;
      const double frequent = latest_->frequent().estimate_cumulant(order).value;
      const double share = 1 / (1 + std::exp(frequent - rare));
      near = static_cast<std::uint64_t>(
          std::max(1L, clamped_integer(share * static_cast<double>(latest_->steps()), 0,
                                       static_cast<long>(latest_->steps()))));
    }
    const std::uint64_t likeliest = latest_->likeliest(near, epsilon);
    result = {latest_, likeliest, latest_->log_size(likeliest, epsilon)};
    if (likeliest == 0) break;
    const double next = latest_->at(likeliest).table.saddle(epsilon);
    if (i > 0 && likeliest == near) break;
    near = likeliest;
    order = next;
  }
  if (!std::isfinite(result.log_delta)) throw std::domain_error("rare_draws: too small a delta");
  return result;
}

double RareDrawPlanner::epsilon(double log_delta, double nats) {
  require_far_tail(log_delta);
  double low = 0;
  double high = infinity;
  double guess = std::clamp(table_.epsilon_for(log_delta), least_guess, greatest_guess);
  for (int i = 0; i < most_guesses; ++i) {
    const RareDrawPlan found = plan(guess, nats);
    const double off = found.log_delta - log_delta;
    if (std::fabs(off) < same_log_delta) break;
    (off > 0 ? low : high) = guess;
    // Newton's rule: log delta falls by about the saddle point per unit of epsilon
    const double slope = found.cases->at(found.likeliest).table.saddle(guess);
    const double next = guess + off / slope;
    if (next > low && next < high && next < 2 * guess && next > guess / 2) {
      guess = next;
    } else if (std::isfinite(high)) {
      guess = low > 0 ? std::sqrt(low * high) : high / 2;
    } else {
      guess *= 2;
    }
  }
  return guess;
}

}  // namespace plaudit
