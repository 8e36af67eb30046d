#include "accountants/rare/largest_draw_sum.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "accountants/cumulants/chernoff_factor.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/mixtures/rare_draw_loss.hpp"

namespace plaudit {

constinit const ErrorTerm largest_draw_others{"largest_draw.others",
                                              "docs/proofs/largest_draw.md#slices"};
constinit const ErrorTerm largest_draw_pairs{"largest_draw.pairs",
                                             "docs/proofs/largest_draw.md#split"};

namespace {

constexpr double nats_of_bounds = 12;     ///< relative accuracy e^-12 of A_Z(1+t)^(n-1), A_Y(1+t)^n
constexpr double least_nats_of_line = 3;  ///< of a part that hardly matters beside delta
constexpr double dearest_line = 20;       ///< seconds, by the model of costs

void require_affordable(const StraightChoice& choice) {
  if (!(choice.seconds < dearest_line)) {
    throw std::domain_error("largest_draw: no contour of affordable length");
  }
  promise_work(choice.seconds);
}

}  // namespace

LargestDrawSum::LargestDrawSum(const ComposedLoss& loss, const LargestDrawPlan& plan,
                               double epsilon, double nats)
    : loss_(loss),
      mixture_(*loss.terms()[0].loss->facts().gaussian_mixture),
      whole_(loss.terms()[0].loss),
      steps_(loss.terms()[0].count) {
  const PrecisionScope scope(bits_ +
                             precision_bits(2 * std::log2(2 + static_cast<double>(steps_))));
  bits_ = working_precision();
  const auto wanted = [&](double log_size) {
    return std::max(nats + log_size - plan.log_delta, least_nats_of_line);
  };
  double cut = infinity;  // without a line or an order the bound is 1
  if (plan.line_below) {
    cut = add_line_below(plan.end, epsilon, wanted(plan.log_below), plan.log_below);
  } else if (plan.order > 0) {
    cut = bound_below(plan.end, plan.order);
  }
  double high = plan.start;
  for (const LargestDrawSlice& slice : plan.slices) {
    slices_.push_back(bounded(slice, high));
    high = slice.low;
  }
  // A bound of runs without a draw beyond a greater Y holds too.
  if (plan.line_below ? high != cut : !(high <= cut))
    throw std::logic_error("largest_draw: slices with a gap");
  mass_beyond_ = Ball(steps_) * mass_above(mixture_, Ball(plan.start));
  if (plan.line_beyond) {
    add_line_beyond(plan.start, epsilon, wanted(plan.log_beyond), plan.log_beyond);
  }
}

/// Returns the Y that the line has.
double LargestDrawSum::add_line_below(double end, double epsilon, double nats, double log_delta) {
  auto part = std::make_shared<FrequentDrawLoss>(mixture_, end, whole_);
  const double cut = part->cut();
  below_ = std::make_unique<Line>(ComposedLoss({{std::move(part), steps_}}, loss_.direction()));
  StraightChoice choice =
      choose_without_residue(below_->loss, below_->table, epsilon, nats, log_delta);
  require_affordable(choice);
  below_->contour = std::make_unique<StraightContour>(below_->loss, below_->table, epsilon, choice);
  bits_ = std::max(bits_, below_->contour->bits());
  return cut;
}

// Proof: docs/proofs/largest_draw.md#split
void LargestDrawSum::add_line_beyond(double start, double epsilon, double nats, double log_delta) {
  std::vector<ComposedLoss::Term> terms;
  if (steps_ > 1) terms.push_back({whole_, steps_ - 1});
  terms.push_back({std::make_shared<RareDrawLoss>(mixture_, start, whole_), 1});
  beyond_ = std::make_unique<Line>(ComposedLoss(std::move(terms), loss_.direction()));
  const StraightChoice choice =
      choose_left_of_poles(beyond_->loss, beyond_->table, epsilon, nats,
                           log_delta - std::log(static_cast<double>(steps_)));
  require_affordable(choice);
  beyond_->contour =
      std::make_unique<StraightContour>(beyond_->loss, beyond_->table, epsilon, choice);
  bits_ = std::max(bits_, beyond_->contour->bits());
  pairs_ = ldexp(square(mass_above(mixture_, Ball(start))) * Ball(steps_) * Ball(steps_ - 1), -1);
}

/// Returns the Y that the bound has. Proof: docs/proofs/largest_draw.md#slices
double LargestDrawSum::bound_below(double end, double order) {
  const CutIntegral cut(mixture_, end);
  order_below_ = Ball(order);
  nothing_from_ = Ball(steps_) * cut.ratio()->log_value(Ball(cut.cut()));
  log_below_ = (Ball(steps_) * log(cut.on_axis(order_below_ + Ball(1),
                                               nats_of_bounds + std::log(loss_.steps()))) +
                log_chernoff_factor(order_below_))
                   .upper();
  return cut.cut();
}

// Proof: docs/proofs/largest_draw.md#slices
LargestDrawSum::Slice LargestDrawSum::bounded(const LargestDrawSlice& slice, double high) const {
  check_work_limit();
  Slice result;
  result.mass = Ball(steps_) * mass_above(mixture_, Ball(slice.low));
  result.greatest = LikelihoodRatio(mixture_).log_value(Ball(high));
  result.order = Ball(slice.order);
  if (!(slice.order > 0)) return result;
  const CutIntegral cut(mixture_, slice.others);
  result.another = Ball(steps_ - 1) * mass_above(mixture_, Ball(cut.cut()));
  result.log_rest = (Ball(steps_ - 1) * log(cut.on_axis(result.order + Ball(1),
                                                        nats_of_bounds + std::log(loss_.steps()))) +
                     log_chernoff_factor(result.order))
                        .upper();
  return result;
}

// Proof: docs/proofs/largest_draw.md#slices
Ball LargestDrawSum::of_slice(const Slice& slice, const Ball& epsilon) const {
  const Ball gap = epsilon - slice.greatest;
  if (!certainly_positive(slice.order)) return slice.mass;
  const Ball rest =
      PLAUDIT_BOUND("largest_draw.another", slice.another, Ball(0)) +
      PLAUDIT_BOUND("largest_draw.rest", exp(slice.log_rest - slice.order * gap), Ball(0));
  return slice.mass * (rest.is_finite() ? min(rest, Ball(1)) : Ball(1));
}

Ball LargestDrawSum::of_runs_below(const Ball& epsilon) const {
  if (!certainly_positive(order_below_)) return Ball(1);
  if (certainly_greater_equal(epsilon, nothing_from_)) return Ball(0);
  const Ball bound = exp(log_below_ - order_below_ * epsilon);
  return bound.is_finite() ? min(bound, Ball(1)) : Ball(1);
}

// Proof: docs/proofs/largest_draw.md#split
Enclosure LargestDrawSum::delta(const Ball& epsilon) {
  Enclosure result;
  result.accountant = "largest_draw";
  const PrecisionScope scope(bits_);
  Ball lower;
  Ball upper;
  std::string parts;
  const auto add = [&](Line& line, const Ball& factor, const char* name) {
    const Enclosure part = line.contour->delta(epsilon);
    lower += factor * part.lower;
    upper += factor * part.upper;
    for (const Ledger::Entry& entry : part.ledger.entries()) {
      result.ledger.note({entry.name.c_str(), entry.theorem.c_str()}, factor * entry.size);
    }
    parts += (parts.empty() ? "" : ", ") + std::string(name) + " by " +
             std::to_string(line.contour->nodes().size()) + " nodes";
  };
  Ball others;
  if (below_) {
    add(*below_, Ball(1), "no huge draw");
  } else {
    others += PLAUDIT_BOUND("largest_draw.below", of_runs_below(epsilon), Ball(0));
  }
  if (beyond_) {
    add(*beyond_, Ball(steps_), "one huge draw");
    lower -= result.ledger.add(largest_draw_pairs, pairs_);
  } else {
    others += PLAUDIT_BOUND("largest_draw.beyond", mass_beyond_, Ball(0));
  }
  for (const Slice& slice : slices_) others += of_slice(slice, epsilon);
  upper += result.ledger.add(largest_draw_others, others);
  result.lower = max(lower, Ball(0)).lower();
  result.upper = min(upper, Ball(1)).upper();
  if (!result.upper.is_finite()) result.upper = Ball(1);
  result.method = parts + ", " + std::to_string(slices_.size()) + " slices bounded, " +
                  std::to_string(bits_) + " bits";
  return result;
}

}  // namespace plaudit
