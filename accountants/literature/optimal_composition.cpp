// Optimal composition of (eps, delta)-private steps, of which nothing else is used.
//
// Steps that are two-point laws (pure, approximate, randomized_response): exactly, by the binomial
// sum (Kairouz, Oh and Viswanath, 2015) or the sum over combinations (Murtagh and Vadhan, 2016),
// or between two roundings of the losses where there are too many combinations. Compositions that
// hold other mechanisms: an upper bound, each step replaced by one point of its curve.
// Proof: docs/proofs/reference_methods.md#binomial, docs/proofs/reference_methods.md#product,
//   docs/proofs/reference_methods.md#rounding, docs/proofs/reference_methods.md#steps
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "accountants/accountant.hpp"
#include "accountants/cumulants/order_search.hpp"
#include "accountants/inversion.hpp"
#include "accountants/literature/step_privacy.hpp"
#include "accountants/literature/two_point_rounding.hpp"
#include "accountants/literature/two_point_sum.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/refine.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/text.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm tail_term{"optimal_composition.tail", "terms left out of the binomial sum"};
constexpr ErrorTerm optimal_step_term{"optimal_composition.step", "delta of each step at its eps"};
constexpr ErrorTerm rounding_of_sum{"optimal_composition.arithmetic",
                                    "ball arithmetic (radius of the sum)"};
constexpr long more_bits = 128;  ///< of the first precision, beyond the wanted and the lost bits
// Precision is raised by at most these: for each wanted bit, and in any case.
constexpr long most_bits_of_bit = 8;
constexpr long most_other_bits = 20000;

/// The curve of two-point laws.
class TwoPointCurve {
 public:
  TwoPointCurve(ComposedLoss loss, long precision)
      : loss_(std::move(loss)), sum_(TwoPointSum::affordable(loss_)), bits_(precision) {}

  const ComposedLoss& loss() const { return loss_; }

  void delta(Enclosure& band, const Rational& epsilon) {
    if (const auto end = loss_.exact_greatest_loss(); end && epsilon >= *end) {
      const PrecisionScope scope(bits_ + 128);
      narrow(band, loss_.mass_at_infinity());
      band.method = "epsilon beyond the support of the privacy loss";
      return;
    }
    if (!sum_)
      return rounded(band, estimate(epsilon), [&](const auto& value) {
        const Ball found = value(Ball(epsilon));
        narrow(band, found);
      });
    raised(band, [&] {
      narrow(band, value(Ball(epsilon), band));
      return missing_bits(band.lower, band.upper, bits_);
    });
  }

  void epsilon(Enclosure& band, const Rational& delta) {
    double start = 0;
    const double finite = plaudit::estimate(delta) - loss_.mass_at_infinity().estimate();
    if (delta < 1) {
      const double log_delta = finite > 0 ? std::log(finite) : estimate_log(delta);
      start = estimate_epsilon([&](double t) { return loss_.estimate_cumulant(t); }, log_delta);
    }
    Ball guess(std::isfinite(start) && start > 0 ? start : 0.0);
    if (!sum_)
      return rounded(band, guess.estimate(), [&](const auto& value) {
        const PrecisionScope scope(256);
        const Crossing found = invert_curve(loss_, value, delta, guess, bits_);
        narrow(band, found.lower, found.upper);
      });
    raised(band, [&] {
      const Crossing found = invert_curve(
          loss_, [&](const Ball& x) { return value(x, band); }, delta, guess, bits_);
      narrow(band, found.lower, found.upper);
      if (band.upper.is_finite()) guess = ldexp(band.lower + band.upper, -1).middle();
      return missing_bits(band.lower, band.upper, bits_);
    });
  }

 private:
  Ball value(const Ball& epsilon, Enclosure& band) {
    const TwoPointSum::Value finite = sum_->delta(epsilon);
    const Ball infinite = loss_.mass_at_infinity();
    const Ball mass = Ball(1) - infinite;
    const Ball total = infinite + mass * finite.sum;
    Ledger ledger;
    const Ball tail = ledger.add(tail_term, mass * finite.rest);
    ledger.note(rounding_of_sum, total.radius());
    band.ledger = std::move(ledger);
    return hull(total, total + tail);
  }

  template <class Attempt>
  void raised(Enclosure& band, Attempt&& attempt) {
    const long start = bits_ + more_bits + sum_->lost_bits();
    long used = start;
    const bool done = refine(start, start + most_bits_of_bit * bits_ + most_other_bits, [&] {
      used = working_precision();
      return attempt();
    });
    if (!done) band.remark = "precision limit reached";
    band.method = sum_->describe() + ", " + std::to_string(used) + " bits";
  }

  template <class Work>
  void rounded(Enclosure& band, double near, Work&& work) {
    try {
      const TwoPointRounding rounding(loss_, near);
      const PrecisionScope scope(256);
      const Ball infinite = loss_.mass_at_infinity();
      work([&](const Ball& x) {
        check_work_limit();
        Enclosure finite = rounding.delta(x);
        band.ledger = std::move(finite.ledger);
        return infinite + (Ball(1) - infinite) * hull(finite.lower, finite.upper);
      });
      band.method = "losses rounded to multiples of " + general_text(rounding.mesh(), 3);
      band.remark = "too many combinations of distinct eps for the exact sum";
    } catch (const std::domain_error& error) {
      band.remark = error.what();
    }
  }

  ComposedLoss loss_;
  std::unique_ptr<TwoPointSum> sum_;
  long bits_;
};

/// The two-point laws (eps_i, 0) of the estimates: their cumulants are those of finite losses.
ComposedLoss laws_of(const std::vector<StepPrivacy::Estimate>& steps) {
  std::vector<ComposedLoss::Term> terms;
  terms.reserve(steps.size());
  for (const StepPrivacy::Estimate& step : steps) {
    terms.push_back(
        {TwoPointLoss::of_epsilon(checked_rational(step.epsilon, "the eps of a step"), 0),
         static_cast<std::uint64_t>(checked_integer(step.count, "the number of steps"))});
  }
  return {std::move(terms), Direction::remove};
}

double mass_of(const std::vector<StepPrivacy::Estimate>& steps) {
  double sum = 0;
  for (const StepPrivacy::Estimate& step : steps) sum += step.count * step.delta;
  return sum;
}

class OptimalCurve final : public NarrowingCurve {
 public:
  OptimalCurve(const ComposedLoss& loss, const Goal& goal)
      : NarrowingCurve(loss, "optimal_composition"),
        steps_(loss_),
        bits_(bits_of_digits(goal.digits)) {
    if (steps_.is_given()) given_ = std::make_unique<TwoPointCurve>(loss_, bits_);
  }

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    if (given_) return given_->delta(band, epsilon);
    const double at = estimate(epsilon);
    const double level = steps_.best_level(
        StepPrivacy::lowest_log_level, StepPrivacy::highest_log_level, [&](const auto& steps) {
          const ComposedLoss laws = laws_of(steps);
          const auto cumulant = [&](double t) { return laws.estimate_cumulant(t); };
          const double t = chernoff_order_at_epsilon(cumulant, at);
          const double log_tail =
              std::min(0.0, estimate_log_chernoff_factor(t) + cumulant(t).value - t * at);
          const double sum = mass_of(steps) + std::exp(log_tail);
          return sum < 1 ? std::log(sum) : infinity;
        });
    above(band, level, [&](TwoPointCurve& curve, Enclosure& bound) {
      bound = trivial_delta(curve.loss(), epsilon);
      curve.delta(bound, epsilon);
    });
  }

  void narrow_epsilon(Enclosure& band, const Rational& delta) override {
    if (given_) return given_->epsilon(band, delta);
    if (delta <= 0 || delta >= 1) return;
    const double goal = estimate(delta);
    const double high =
        estimate_log(delta) - std::log(steps_.chosen_steps()) - StepPrivacy::just_below;
    const double level =
        steps_.best_level(high - StepPrivacy::levels_searched, high, [&](const auto& steps) {
          const double rest = goal - mass_of(steps);
          if (!(rest > 0)) return infinity;
          const ComposedLoss laws = laws_of(steps);
          return estimate_epsilon([&](double t) { return laws.estimate_cumulant(t); },
                                  std::log(rest));
        });
    above(band, level, [&](TwoPointCurve& curve, Enclosure& bound) {
      bound = trivial_epsilon(curve.loss(), delta);
      curve.epsilon(bound, delta);
    });
  }

 private:
  /// The curve of the steps' two-point laws lies above the composition's.
  template <class Query>
  void above(Enclosure& band, double level, Query&& query) {
    Ledger ledger;
    TwoPointCurve curve(steps_.certified(level, optimal_step_term, ledger), bits_);
    Enclosure bound;
    query(curve, bound);
    narrow(band, band.lower, bound.upper);
    band.ledger = std::move(ledger);
    for (const Ledger::Entry& entry : bound.ledger.entries()) {
      band.ledger.note({entry.name.c_str(), entry.theorem.c_str()}, entry.size);
    }
    band.method = bound.method;
    band.remark = "an upper bound: only one point of each step's curve is used";
  }

  StepPrivacy steps_;
  long bits_;
  std::unique_ptr<TwoPointCurve> given_;
};

class OptimalComposition final : public Accountant {
 public:
  std::string_view name() const override { return "optimal_composition"; }
  std::string_view summary() const override {
    return "pure, approximate, randomized_response: exact; others by one point of each curve";
  }
  std::string_view theorem() const override {
    return "docs/proofs/reference_methods.md#binomial, docs/proofs/reference_methods.md#product, "
           "docs/proofs/reference_methods.md#rounding, docs/proofs/reference_methods.md#steps";
  }
  std::optional<std::string> refusal(const ComposedLoss&) const override { return std::nullopt; }
  Offer offer(const ComposedLoss&) const override { return {.of = Offer::Of::bounds}; }
  std::unique_ptr<PrivacyCurve> curve(const ComposedLoss& loss, const Goal& goal) const override {
    return std::make_unique<OptimalCurve>(loss, goal);
  }
};

}  // namespace

std::shared_ptr<const Accountant> optimal_composition_accountant();
std::shared_ptr<const Accountant> optimal_composition_accountant() {
  return std::make_shared<OptimalComposition>();
}

}  // namespace plaudit
