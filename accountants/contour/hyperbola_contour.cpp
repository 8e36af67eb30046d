#include "accountants/contour/hyperbola_contour.hpp"

#include <cmath>
#include <optional>
#include <stdexcept>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "accountants/proof/evidence.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "mechanisms/mixtures/mixture_loss.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm hyperbola_rounding_term{"bent.rounding", "ball arithmetic"};

constexpr double most_seconds = 20;     // predicted cost of nodes that are still made
constexpr int effort_of_estimate = 40;  // attempts, where only the cost is asked for
constexpr int effort_of_search = 250;
constexpr double worth_more_search = 0.03;  // seconds from which on a first plan is improved
constexpr double nats_more = 2;             // than the digits wanted
constexpr long bits_of_kappa = 128;
constexpr long bits_without_nodes = 128;

// Plans are made again where the band is too wide: the model behind them is rough, or delta smaller
// than estimated; and where a hypothesis fails that the model met.
constexpr int most_rounds = 5;
constexpr double nats_at_once = 0.7;  // more than the band is too wide
constexpr double least_nats_at_once = 3;
constexpr double most_nats_at_once = 1e3;
constexpr double nats_of_search = 25;  // beyond, the contour is searched for again, not its steps

/// Bits of the evidence beyond twice those of the digits: a writer of certificates keeps 2^-(half
/// of the bits) of a bound to spare.
constexpr long spare_bits_to_check = 16;

const GaussianMixture* mixture_of(const ComposedLoss::Term& term) {
  const GaussianMixture* mixture = rooted_mixture(*term.loss);
  const bool fits = mixture != nullptr && mixture->sensitivities.size() >= 2 &&
                    mixture->sensitivities.front() == 0;
  return fits ? mixture : nullptr;
}

HyperbolaGoal goal_of(const HyperbolaContour::Place& place) {
  return {place.epsilon, place.saddle, place.log_delta,
          place.log_delta - place.digits * log_ten - nats_more};
}

}  // namespace

proof::HyperbolaLaw hyperbola_law(const ComposedLoss& loss) {
  proof::HyperbolaLaw law;
  law.removes = loss.direction() == Direction::remove;
  for (const ComposedLoss::Term& term : loss.terms()) {
    if (const auto mean = term.loss->facts().gaussian_mean) {
      law.mean += *mean * Rational(term.count);
      continue;
    }
    const GaussianMixture* mixture = mixture_of(term);
    if (mixture == nullptr) {
      throw std::domain_error("hyperbola: a factor has no component at sensitivity 0");
    }
    proof::MixtureLaw factor{
        {}, mixture->probabilities, term.count, Rational(1 / mixture->radicand)};
    for (const Rational& sensitivity : mixture->sensitivities) {
      factor.rates.push_back(sensitivity / mixture->sigma);
    }
    law.mixtures.push_back(std::move(factor));
  }
  if (law.mixtures.empty()) throw std::domain_error("hyperbola: only Gaussian factors");
  return law;
}

bool HyperbolaContour::applies(const ComposedLoss& loss) {
  bool mixture_found = false;
  for (const ComposedLoss::Term& term : loss.terms()) {
    if (term.loss->facts().gaussian_mean) continue;
    if (mixture_of(term) == nullptr) return false;
    mixture_found = true;
  }
  return mixture_found;
}

HyperbolaPlan HyperbolaContour::first_plan(const ComposedLoss& loss, const Place& place) {
  if (!applies(loss)) return {};
  return plan_hyperbola(hyperbola_law(loss), goal_of(place), effort_of_estimate);
}

HyperbolaContour::HyperbolaContour(const ComposedLoss& loss, const Place& place,
                                   const HyperbolaPlan* start)
    : HyperbolaContour(hyperbola_law(loss), place, start) {}

HyperbolaContour::HyperbolaContour(const proof::HyperbolaLaw& law, const Place& place,
                                   const HyperbolaPlan* start)
    : law_(law), budget_(proof::unlimited_budget()) {
  {
    const PrecisionScope scope(bits_of_kappa);
    if (!certainly_positive(kappa(Ball(place.epsilon)))) return;  // the trivial range
  }
  HyperbolaGoal goal = goal_of(place);
  plan_ = start != nullptr && start->seconds < worth_more_search
              ? *start
              : plan_hyperbola(law_, goal, effort_of_search, start);
  std::optional<std::domain_error> refusal;
  for (int round = 0; round < most_rounds; ++round) {
    if (!std::isfinite(plan_.seconds)) {
      if (refusal) throw std::domain_error(*refusal);
      throw std::domain_error("hyperbola: no feasible parameters found");
    }
    if (plan_.seconds > most_seconds) throw std::domain_error("hyperbola: too expensive");
    double more = least_nats_at_once;
    try {
      make();
      const Enclosure band = delta(Ball(place.epsilon));
      const double log_width = (band.upper - band.lower).estimate_log();
      const double log_upper = band.upper.estimate_log();
      const double lacking = log_width - (log_upper - place.digits * log_ten);
      if (!(lacking > 0)) break;
      refusal.reset();
      more = std::isfinite(lacking) ? std::min(lacking + nats_at_once, most_nats_at_once)
                                    : least_nats_at_once;
      goal.log_delta = std::min(goal.log_delta, log_upper);
    } catch (const proof::Rejected& reason) {
      sum_.reset();
      refusal.emplace(reason.what());
    }
    if (round + 1 == most_rounds) break;
    goal.log_error -= more;
    HyperbolaPlan next;
    if (!refusal && more < nats_of_search) next = replan_hyperbola(law_, goal, plan_);
    if (!std::isfinite(next.seconds)) next = plan_hyperbola(law_, goal, effort_of_search, &plan_);
    plan_ = std::move(next);
  }
  if (!sum_ && refusal) throw std::domain_error(*refusal);
  const auto bits_of_goal = precision_bits(2 * place.digits * log_ten / log_two);
  evidence_ = std::make_shared<proof::Evidence>(proof::Evidence{
      plan_.choices, std::max(plan_.bits_to_check, bits_of_goal) + spare_bits_to_check});
}

HyperbolaContour::HyperbolaContour(const proof::HyperbolaLaw& law, const HyperbolaPlan& plan)
    : law_(law), plan_(plan), budget_(proof::unlimited_budget()) {
  make();
}

void HyperbolaContour::make() {
  const PrecisionScope scope(plan_.bits);
  sum_ = std::make_unique<proof::HyperbolaSum<Ball>>(law_, plan_.choices, budget_);
  sum_->prepare();
}

Ball HyperbolaContour::kappa(const Ball& epsilon) const {
  Ball sum = law_.removes ? epsilon : -epsilon;
  for (const proof::MixtureLaw& mixture : law_.mixtures) {
    sum -= Ball(mixture.count) * log(Ball(mixture.probabilities.front()));
  }
  return sum;
}

// What holds at every epsilon: max(0, 1 - e^eps) <= delta <= 1, and without Gaussian factors, as
// L >= -n lambda (remove) or L <= n lambda (add),
//   remove: delta <= 1 - e^eps + max(0, e^kappa - 1);   add: delta <= max(0, 1 - e^-kappa).
// Proof: docs/proofs/hyperbola.md#trivial-range
void HyperbolaContour::intersect_trivial(const Ball& epsilon, const Ball& kappa,
                                         Enclosure& band) const {
  const Ball gap = -expm1(epsilon);  // 1 - e^eps
  Ball most(1);
  if (law_.mean == 0) {
    const Ball excess = clipped_nonnegative(law_.removes ? expm1(kappa) : -expm1(-kappa));
    const Ball bound =
        law_.removes ? PLAUDIT_BOUND("hyperbola.trivial_gap", gap, Ball(0)) + excess : excess;
    if (bound.is_finite()) most = min(most, clipped_nonnegative(bound)).upper();
  }
  Ball least = clipped_nonnegative(gap).lower();
  if (!least.is_finite()) least = Ball(0);
  if (!certainly_greater_equal(band.lower, least)) band.lower = least;
  if (!certainly_less_equal(band.upper, most)) band.upper = most;
  if (certainly_less(band.upper, band.lower)) {
    throw std::logic_error("hyperbola: enclosure contradicts the trivial bounds");
  }
}

Enclosure HyperbolaContour::delta(const Rational& epsilon) const {
  const PrecisionScope scope(plan_.bits);
  return delta(Ball(epsilon));
}

Enclosure HyperbolaContour::delta(const Ball& epsilon) const {
  const PrecisionScope scope(sum_ ? plan_.bits : bits_without_nodes);
  const Ball exponent = kappa(epsilon);
  Enclosure band;
  band.accountant = "contour";
  band.lower = Ball(0);
  band.upper = Ball(1);
  band.method = "hyperbola";
  if (sum_ && certainly_positive(exponent)) {
    const proof::PathChoices& path = plan_.choices.paths.front();
    band.method += ", " + std::to_string(sum_->nodes()) + " nodes, " +
                   std::to_string(path.last - path.first + 1) + " path points, " +
                   std::to_string(plan_.bits) + " bits";
    try {
      const proof::ProofOf<Ball> found = sum_->at(epsilon);
      const Ball whole = hull(found.low, found.high);
      Ball rest = whole.radius();
      for (const auto& error : found.errors) rest -= error.size;
      band.ledger.note(hyperbola_rounding_term, clipped_nonnegative(rest).upper());
      for (const auto& error : found.errors) band.ledger.note(*error.term, error.size);
      band.lower = found.low.lower();
      band.upper = found.high.upper();
      band.evidence = evidence_;
    } catch (const proof::Rejected& refusal) {
      band.remark = refusal.what();
    }
  }
  intersect_trivial(epsilon, exponent, band);
  return band;
}

}  // namespace plaudit
