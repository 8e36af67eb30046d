#include "accountants/rare/rare_draw_sum.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "accountants/cumulants/chernoff_factor.hpp"
#include "lib/analysis/strip_quadrature.hpp"
#include "lib/balls/binomial.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

constinit const ErrorTerm rare_draws_others{"rare_draws.others",
                                            "docs/proofs/rare_draws.md#others"};

namespace {

constexpr double spare_nats_of_terms = 4;
constexpr double least_nats_of_term = 3;
constexpr double spare_nats_of_rest = 10;
constexpr std::uint64_t most_terms = 80;
constexpr long bits_of_rest = 128;
// Far more points are predicted for great sigmas than there are: what a line may promise at most.
constexpr double most_seconds_of_line = 0.02;
constexpr double most_seconds_of_node = 1e-3;

/// The numbers of draws whose terms are not e^-nats of the greatest one.
RareDrawRange numbers_that_matter(const RareDrawPlan& plan, double epsilon, double nats) {
  RareDrawCases& cases = *plan.cases;
  const double least = plan.log_delta - nats;
  RareDrawRange range{plan.likeliest, plan.likeliest};
  const auto matters = [&](std::uint64_t k) {
    check_work_limit();
    if (range.last - range.first >= most_terms) {
      throw std::domain_error("rare_draws: too many numbers of rare draws matter");
    }
    return cases.log_size(k, epsilon) > least;
  };
  while (range.first > 0 && matters(range.first - 1)) --range.first;
  while (range.last < cases.steps() && matters(range.last + 1)) ++range.last;
  return range;
}

}  // namespace

// Proof: docs/proofs/rare_draws.md#others
Ball log_binomial_side(std::uint64_t n, std::uint64_t k, bool upward, const Ball& log_s,
                       const Ball& log_b) {
  const Ball first = log_binomial(n, k) + Ball(n - k) * log_s + Ball(k) * log_b;
  const Ball ratio = upward ? Ball(n - k) / Ball(k + 1) * exp(log_b - log_s)
                            : Ball(k) / Ball(n - k + 1) * exp(log_s - log_b);
  if (!certainly_less(ratio, Ball(1))) return positive_infinity();
  return (first - PLAUDIT_BOUND("rare_draws.series", log1p(-ratio), Ball(0))).upper();
}

RareDrawSum::RareDrawSum(const RareDrawPlan& plan, double epsilon, double nats)
    : RareDrawSum(plan, epsilon, nats,
                  numbers_that_matter(plan, epsilon, nats + spare_nats_of_terms)) {}

RareDrawSum::RareDrawSum(const RareDrawPlan& plan, double epsilon, double nats, RareDrawRange range)
    : cases_(plan.cases) {
  // Runs without rare draws whose greatest loss is below this epsilon still matter at smaller ones:
  // they are left out with what they may amount to there.
  if (range.first == 0 && certainly_less_equal(cases_->at(0).loss.greatest_loss(), Ball(epsilon))) {
    range.first = 1;
  }
  std::vector<Choice> choices;
  double seconds = 0;
  for (std::uint64_t k = range.first; k <= range.last; ++k) {
    const double below = plan.log_delta - cases_->log_size(k, epsilon);
    choices.push_back(
        chosen(k, epsilon, std::max(nats + spare_nats_of_terms - below, least_nats_of_term)));
    const StraightChoice& line = choices.back().line;
    seconds += std::min(line.seconds, most_seconds_of_line +
                                          static_cast<double>(line.nodes) * most_seconds_of_node);
  }
  promise_work(seconds);
  for (const Choice& choice : choices) add_line(choice, epsilon);
  const double enough = plan.log_delta - nats - spare_nats_of_rest;
  if (range.last < cases_->steps()) rests_.push_back(beyond(range.last + 1, true, epsilon, enough));
  if (range.first > 0) rests_.push_back(beyond(range.first - 1, false, epsilon, enough));
}

RareDrawSum::Choice RareDrawSum::chosen(std::uint64_t k, double epsilon, double nats) const {
  RareDrawCase& one = cases_->at(k);
  const double log_delta = one.table.log_delta(epsilon, one.table.saddle(epsilon));
  const StraightChoice line = choose_without_residue(one.loss, one.table, epsilon, nats, log_delta);
  if (!std::isfinite(line.seconds)) {
    throw std::domain_error("rare_draws: no contour of affordable length");
  }
  return {k, line};
}

void RareDrawSum::add_line(const Choice& choice, double epsilon) {
  RareDrawCase& one = cases_->at(choice.count);
  auto line = std::make_unique<StraightContour>(one.loss, one.table, epsilon, choice.line);
  bits_ = std::max(bits_, line->bits());
  const PrecisionScope scope(
      line->bits() + precision_bits(2 * std::log2(2 + static_cast<double>(cases_->steps()))));
  terms_.push_back(
      {choice.count, std::move(line), exp(log_binomial(cases_->steps(), choice.count))});
}

/// The terms from k on, upward or downward.
// Proof: docs/proofs/rare_draws.md#others
RareDrawSum::Rest RareDrawSum::beyond(std::uint64_t k, bool upward, double epsilon, double enough) {
  const std::uint64_t n = cases_->steps();
  const double start = cases_->at(upward ? k - 1 : k + 1).table.saddle(epsilon);
  const double order = short_double(cases_->order_of_series(k, upward, start, epsilon, enough));
  const PrecisionScope scope(bits_of_rest +
                             precision_bits(2 * std::log2(2 + static_cast<double>(n) * order)));
  const Ball t(order);
  const Ball end = k == 0 ? cases_->at(0).loss.greatest_loss().upper() : positive_infinity();
  if (!certainly_positive(t)) return {t, positive_infinity(), end};
  const Ball log_size =
      log_binomial_side(n, k, upward, cases_->frequent().log_mgf(t), cases_->rare().log_mgf(t));
  return {t, (log_size + log_chernoff_factor(t)).upper(), end};
}

Enclosure RareDrawSum::delta(const Ball& epsilon) {
  Enclosure result;
  result.accountant = "rare_draws";
  Ball lower;
  Ball upper;
  std::size_t nodes = 0;
  for (Term& term : terms_) {
    const Enclosure part = term.line->delta(epsilon);
    const PrecisionScope scope(term.line->bits());
    lower += term.choose * part.lower;
    upper += term.choose * part.upper;
    for (const Ledger::Entry& entry : part.ledger.entries()) {
      result.ledger.note({entry.name.c_str(), entry.theorem.c_str()}, term.choose * entry.size);
    }
    nodes += term.line->nodes().size();
  }
  const PrecisionScope scope(bits_);
  for (const Rest& rest : rests_) {
    if (certainly_greater_equal(epsilon, rest.nothing_from)) continue;
    upper += result.ledger.add(rare_draws_others, exp(rest.log_size - rest.order * epsilon));
  }
  result.lower = max(lower, Ball(0)).lower();
  result.upper = min(upper, Ball(1)).upper();
  if (!result.upper.is_finite()) result.upper = Ball(1);
  if (terms_.empty()) {
    result.method = "no number of rare draws on its own";
    return result;
  }
  const std::uint64_t least = terms_.front().count;
  const std::uint64_t most = terms_.back().count;
  result.method = std::to_string(least) + (most > least ? " to " + std::to_string(most) : "") +
                  " rare draws, " + std::to_string(nodes) + " nodes, " + std::to_string(bits_) +
                  " bits";
  return result;
}

}  // namespace plaudit
