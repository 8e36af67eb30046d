// Notation as on the proof page, whose steps the comments name.
#include "accountants/bent/bent_contour.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lib/analysis/strip_quadrature.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm quadrature_z_term{"bent.quadrature_z", "docs/proofs/bent_contour.md#assembly"};
constexpr ErrorTerm truncation_term{"bent.truncation", "docs/proofs/bent_contour.md#truncation"};
constexpr ErrorTerm quadrature_y_term{"bent.quadrature_y",
                                      "docs/proofs/bent_contour.md#quadrature-in-y"};
constexpr ErrorTerm tails_term{"bent.tails", "docs/proofs/bent_contour.md#omitted-points"};
constexpr ErrorTerm rounding_term{"bent.rounding", "ball arithmetic"};

constexpr long bound_bits = 64;
constexpr double most_seconds = 20;     // predicted cost of nodes that are still made
constexpr int effort_of_estimate = 40;  // candidates, where only the cost is asked for
constexpr int effort_of_search = 250;
constexpr double worth_more_search = 0.03;  // seconds of a plan that came of few candidates
constexpr double nats_more = 2;             // than the digits wanted

// By what error terms usually exceed the model (nats); and what is no reason to plan again.
constexpr double first_more_z = 1.5;
constexpr double first_more_y = 1.2;
constexpr double first_more_tails = 2;
constexpr double share_more_tails = 0.15;  // of the nats wanted
constexpr double tolerated_excess = 0.6;

// A band that is too wide: delta is smaller than estimated, and was seen (its upper end is above
// the width) or not.
constexpr int most_enlargements = 2;
constexpr double seen_nats = 2;
constexpr double smaller_if_seen = 0.5;
constexpr double smaller_if_unseen = 5;

// Plans are made again for error terms that are too large.
constexpr int most_tightenings = 4;
constexpr double most_excess = 1e3;  // nats asked for at once
constexpr double excess_and_more = 0.7;
constexpr double more_tails_at_once = 3;  // points far out cost little, another round much
constexpr double excess_of_search = 25;   // beyond, the contour is searched for again

BentGoal first_goal(double digits, double log_delta) {
  const double nats = digits * std::log(10.0) + nats_more;
  return {nats, log_delta,    first_more_z,
          0,    first_more_y, first_more_tails + share_more_tails * nats};
}

}  // namespace

bool BentContour::applies(const ComposedLoss& loss) {
  bool mixture_found = false;
  for (const ComposedLoss::Term& term : loss.terms()) {
    if (term.loss->facts().gaussian_mean) continue;
    const GaussianMixture* mixture = term.loss->facts().gaussian_mixture;
    if (mixture == nullptr || !BentPath::applies(*mixture)) return false;
    mixture_found = true;
  }
  return mixture_found;
}

BentPlan BentContour::first_plan(const ComposedLoss& loss, double epsilon, double digits,
                                 double log_delta) {
  BentPlan none;
  none.seconds = infinity;
  if (!applies(loss)) return none;
  const BentProblem problem(loss);
  if (!std::isfinite(log_delta)) log_delta = estimate_log_delta(problem, epsilon);
  return plan_bent_contour(problem, epsilon, first_goal(digits, log_delta), effort_of_estimate);
}

BentContour::BentContour(const ComposedLoss& loss, const Ball& epsilon_near, double digits,
                         double log_delta_estimate, const BentPlan* start)
    : BentContour(BentProblem(loss), epsilon_near, digits, log_delta_estimate, start) {}

BentContour::BentContour(BentProblem problem, const Ball& epsilon_near, double digits,
                         double log_delta_estimate, const BentPlan* start)
    : problem_(std::move(problem)) {
  const double epsilon = epsilon_near.estimate();
  double log_delta = log_delta_estimate;
  if (!std::isfinite(log_delta)) log_delta = estimate_log_delta(problem_, epsilon);
  {
    const PrecisionScope scope(128);
    if (!certainly_positive(kappa(epsilon_near.middle()))) return;  // the trivial range
  }
  BentGoal goal = first_goal(digits, log_delta);
  plan_ = start != nullptr && start->seconds < worth_more_search
              ? *start
              : plan_bent_contour(problem_, epsilon, goal, effort_of_search, start);
  for (int round = 0; plan_.feasible; ++round) {
    tighten(epsilon_near.middle(), epsilon, goal);
    if (plan_.seconds > most_seconds) throw std::domain_error("bent contour: too expensive");
    build_values();
    const Enclosure band = delta(epsilon_near.middle());
    const double log_width = (band.upper - band.lower).estimate_log();
    const double log_upper = band.upper.estimate_log();
    if (!(log_width > log_upper - digits * std::log(10.0)) || round == most_enlargements) return;
    // delta is smaller than estimated, or not seen at all yet
    goal.log_delta = std::min(log_upper, goal.log_delta) -
                     (log_width < log_upper - seen_nats ? smaller_if_seen : smaller_if_unseen);
    goal.more_bits += std::max(
        0.0, band.ledger.entries().front().size.estimate_log() - (goal.log_delta - goal.nats));
    plan_ = plan_bent_contour(problem_, epsilon, goal, effort_of_search, &plan_);
  }
  throw std::domain_error("bent contour: no feasible parameters found");
}

BentContour::BentContour(BentProblem problem, const BentPlan& plan)
    : problem_(std::move(problem)), plan_(plan) {
  build_bounds();
  build_values();
}

// The model behind a plan is rough: look at the error bounds, which need no values of the nodes,
// and ask more of the terms that are too large.
void BentContour::tighten(const Ball& epsilon_near, double epsilon, BentGoal& goal) {
  for (int round = 0;; ++round) {
    build_bounds();
    const PrecisionScope scope(96);
    Ledger ledger;
    const bool removes = problem_.direction == Direction::remove;
    errors((removes ? exp(epsilon_near) : Ball(1)) / pi(), kappa(epsilon_near), ledger);
    double worst = 0;
    for (const Ledger::Entry& entry : ledger.entries()) {
      double excess = entry.size.estimate_log() - (goal.log_delta - goal.nats - 1);
      if (!(excess > 0)) continue;
      if (!(excess < most_excess)) excess = most_excess;
      worst = std::max(worst, excess);
      double& more = entry.name == quadrature_z_term.name   ? goal.more_z
                     : entry.name == truncation_term.name   ? goal.more_truncation
                     : entry.name == quadrature_y_term.name ? goal.more_y
                                                            : goal.more_tails;
      more += excess + excess_and_more;
      if (&more == &goal.more_tails) more += more_tails_at_once;
    }
    if (worst <= tolerated_excess || round == most_tightenings) return;
    BentPlan next = worst < excess_of_search
                        ? replan_bent_contour(problem_, epsilon, goal, plan_)
                        : plan_bent_contour(problem_, epsilon, goal, effort_of_search, &plan_);
    if (!next.feasible || next.seconds > most_seconds) return;
    plan_ = std::move(next);
  }
}

Ball BentContour::kappa(const Ball& epsilon) const {
  Ball total = problem_.direction == Direction::remove ? epsilon : -epsilon;
  for (const BentProblem::Factor& factor : problem_.mixtures) {
    total -= Ball(factor.count) * log(Ball(factor.mixture.probabilities[0]));
  }
  return total;
}

// What holds at every epsilon: max(0, 1 - e^eps) <= delta <= 1, and without Gaussian factors, as
// L >= -n lambda (remove) or L <= n lambda (add),
//   remove: delta <= 1 - e^eps + max(0, e^kappa - 1);   add: delta <= max(0, 1 - e^-kappa).
// Proof: docs/proofs/bent_contour.md#trivial-range
void BentContour::intersect_trivial(const Ball& epsilon, const Ball& kappa, Enclosure& band) const {
  const Ball gap = -expm1(epsilon);  // 1 - e^eps
  Ball most(1);
  if (problem_.gaussian_mean == 0) {
    const bool removes = problem_.direction == Direction::remove;
    const Ball excess = clipped_nonnegative(removes ? expm1(kappa) : -expm1(-kappa));
    const Ball bound = removes ? PLAUDIT_BOUND("bent.trivial_gap", gap, Ball(0)) + excess : excess;
    if (bound.is_finite()) most = min(most, clipped_nonnegative(bound)).upper();
  }
  Ball least = clipped_nonnegative(gap).lower();
  if (!least.is_finite()) least = Ball(0);
  if (!certainly_greater_equal(band.lower, least)) band.lower = least;
  if (!certainly_less_equal(band.upper, most)) band.upper = most;
  if (certainly_less(band.upper, band.lower)) {
    throw std::logic_error("bent contour: enclosure contradicts the trivial bounds");
  }
}

Enclosure BentContour::delta(const Rational& epsilon) const {
  const PrecisionScope scope(plan_.bits);
  return delta(Ball(epsilon));
}

// delta = main + (c / pi) h (Im F(0) / 2 + sum_{k >= 1} Im F(x_k)) up to the charged terms.
// Proof: docs/proofs/bent_contour.md#assembly
Enclosure BentContour::delta(const Ball& epsilon) const {
  const PrecisionScope scope(plan_.bits);
  const bool removes = problem_.direction == Direction::remove;
  const Ball exponent = kappa(epsilon);
  Enclosure band;
  band.accountant = "contour";
  band.method = "bent contour, " + std::to_string(nodes_.size()) + " nodes, " +
                std::to_string(factors_.empty() ? 0 : factors_.front().points()) +
                " path points, " + std::to_string(plan_.bits) + " bits";
  band.lower = Ball(0);
  band.upper = Ball(1);
  if (!certainly_positive(exponent) || !valued_) {  // trivial range, or too near to tell
    intersect_trivial(epsilon, exponent, band);
    return band;
  }
  Ball sum;
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    const Node& node = nodes_[k];
    const Ball term = (exp(ComplexBall(-exponent) * node.w) * node.value).imaginary();
    sum += k == 0 ? ldexp(term, -1) : term;
  }
  const Ball prefix = (removes ? exp(epsilon) : Ball(1)) / pi();
  const Ball step = log(Ball(2)) / Ball(static_cast<std::uint64_t>(plan_.per_octave));
  Ball value = prefix * step * sum;
  // Closing the contour to the right, the subtracted 1 leaves the poles at w = 0 and w = 1.
  if (plan_.subtract_one && !removes)
    value -= PLAUDIT_BOUND("bent.poles_of_subtracted_one", expm1(-exponent), Ball(0));
  band.ledger.note(rounding_term, value.radius());
  const Ball error = errors(prefix, exponent, band.ledger);
  band.lower = (value - error).lower();
  band.upper = (value + error).upper();
  if (!value.is_finite() || !error.is_finite()) {
    band.lower = Ball(0);
    band.upper = Ball(1);
    band.remark = "an error bound is not finite";
  }
  intersect_trivial(epsilon, exponent, band);
  return band;
}

Ball BentContour::errors(const Ball& prefix, const Ball& exponent, Ledger& ledger) const {
  const PrecisionScope scope(bound_bits);
  const Ball step = log(Ball(2)) / Ball(static_cast<std::uint64_t>(plan_.per_octave));
  // e^{-kappa Re w} decreases along every arc, so its value at the start bounds it
  Ball norms, omitted;
  for (const Block& block : blocks_) norms += block.weight * exp(-exponent * block.real);
  for (const Block& block : omitted_) omitted += block.weight * exp(-exponent * block.real);
  // Both halves of a hyperbola have the same norm: (c / 2 pi)(2 J+ + 2 J-) / (e^{2 pi nu/h} - 1)
  Ball total = ledger.add(quadrature_z_term,
                          prefix * norms * strip_trapezoid_factor(Ball(plan_.half_width), step));
  total += ledger.add(truncation_term, prefix * omitted);
  Ball quadrature, tails;
  for (const Node& node : nodes_) {
    const Ball decay = exp(-exponent * node.real);
    quadrature += decay * node.quadrature;
    tails += decay * node.tails;
  }
  total += ledger.add(quadrature_y_term, prefix * step * quadrature);
  total += ledger.add(tails_term, prefix * step * tails);
  return total.upper();
}

}  // namespace plaudit
