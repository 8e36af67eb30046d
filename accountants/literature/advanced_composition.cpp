// Advanced composition: the concentration of the privacy losses of (eps_i, delta_i)-private steps.
//
// With s > 0 and m an upper bound of the mean of the sum of the losses,
//   delta(m + s) <= sum n_i delta_i + exp(-s^2 / (2 sum n_i eps_i^2)),
// with m = sum n_i eps_i (e^{eps_i} - 1)                        (bound=published: Dwork, Rothblum
// and Vadhan, 2010), sum n_i eps_i^2 (bound=square), or the mean itself, sum n_i eps_i
// tanh(eps_i / 2)  (bound=improved). The steps are those of step_privacy.hpp; with step=linear,
// which gives the number that Abadi et al. print, nothing is proven and the answer is an estimate.
// Proof: docs/proofs/reference_methods.md#advanced, docs/proofs/reference_methods.md#steps,
// docs/proofs/reference_methods.md#amplified
#include <cmath>

#include "accountants/accountant.hpp"
#include "accountants/literature/step_privacy.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm hoeffding_term{"advanced_composition.hoeffding",
                                   "Hoeffding's inequality for the sum of the privacy losses"};
constexpr ErrorTerm advanced_step_term{"advanced_composition.step",
                                       "delta of each step at its eps"};
constexpr long advanced_bits = 192;

enum class Bound { improved, published, square };

class AdvancedCurve final : public NarrowingCurve {
 public:
  AdvancedCurve(const ComposedLoss& loss, Bound bound, StepForm form)
      : NarrowingCurve(loss, "advanced_composition"),
        steps_(loss_, form),
        bound_(bound),
        form_(form) {}

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    say(band);
    const PrecisionScope scope(advanced_bits);
    const double at = estimate(epsilon);
    const double level = steps_.best_level(
        StepPrivacy::lowest_log_level, StepPrivacy::highest_log_level, [&](const auto& steps) {
          double mean = 0;
          double squares = 0;
          double mass = 0;
          for (const StepPrivacy::Estimate& step : steps) {
            mean += step.count * step.epsilon * factor(step.epsilon);
            squares += step.count * step.epsilon * step.epsilon;
            mass += step.count * step.delta;
          }
          const double s = at - mean;
          const double tail = s > 0 ? std::exp(-s * s / (2 * squares)) : 1.0;
          return mass + tail < 1 ? std::log(mass + tail) : infinity;
        });
    const Sums sums = certified(level, band.ledger);
    const Ball s = Ball(epsilon) - sums.mean;
    if (!certainly_positive(s)) return;
    const Ball tail =
        sums.squares.is_exact_zero() ? Ball(0) : exp(-square(s) / ldexp(sums.squares, 1));
    const Ball above = sums.infinite + band.ledger.add(hoeffding_term, tail);
    narrow(band, band.lower, above.upper());
  }

  void narrow_epsilon(Enclosure& band, const Rational& delta) override {
    say(band);
    const PrecisionScope scope(advanced_bits);
    if (delta <= 0 || delta >= 1) return;
    const double goal = estimate(delta);
    const double high = steps_.is_given() ? 0
                                          : estimate_log(delta) - std::log(steps_.chosen_steps()) -
                                                StepPrivacy::just_below;
    const double level =
        steps_.best_level(high - StepPrivacy::levels_searched, high, [&](const auto& steps) {
          double mean = 0;
          double squares = 0;
          double rest = goal;
          for (const StepPrivacy::Estimate& step : steps) {
            mean += step.count * step.epsilon * factor(step.epsilon);
            squares += step.count * step.epsilon * step.epsilon;
            rest -= step.count * step.delta;
          }
          return rest > 0 ? mean + std::sqrt(-2 * squares * std::log(rest)) : infinity;
        });
    const Sums sums = certified(level, band.ledger);
    const Ball rest = Ball(delta) - sums.infinite;
    if (!certainly_positive(rest)) return;
    // exp(-s^2 / (2 squares)) <= rest
    const Ball s = sqrt(clipped_nonnegative(-ldexp(sums.squares, 1) * log(rest)));
    band.ledger.note(hoeffding_term, rest.upper());
    const Ball above = sums.mean + charged(hoeffding_term, s);
    narrow(band, band.lower, max(Ball(0), above).upper());
  }

 private:
  struct Sums {
    Ball mean;      ///< upper bound of the mean of the losses
    Ball squares;   ///< sum n_i eps_i^2
    Ball infinite;  ///< upper bound of the mass at infinity, sum n_i delta_i
  };

  double factor(double epsilon) const {
    if (bound_ == Bound::square) return epsilon;
    return bound_ == Bound::published ? std::expm1(epsilon) : std::tanh(epsilon / 2);
  }

  /// The mean of one loss, or more, divided by eps.
  Ball factor(const Ball& epsilon) const {
    if (bound_ == Bound::square) return epsilon;
    const Ball growth = expm1(epsilon);
    return bound_ == Bound::published ? growth : growth / (exp(epsilon) + Ball(1));
  }

  // Proof: docs/proofs/reference_methods.md#advanced
  Sums certified(double level, Ledger& ledger) {
    const ComposedLoss laws = steps_.certified(level, advanced_step_term, ledger);
    Sums sums;
    for (const ComposedLoss::Term& term : laws.terms()) {
      const TwoPointLoss& law = *term.loss->facts().two_points;
      const Ball epsilon = law.epsilon();
      const Ball count(term.count);
      sums.mean += count * epsilon * factor(epsilon);
      sums.squares += count * square(epsilon);
      sums.infinite += count * Ball(law.mass());
    }
    return sums;
  }

  void say(Enclosure& band) const {
    band.method = bound_ == Bound::published  ? "Dwork, Rothblum and Vadhan"
                  : bound_ == Bound::improved ? "exact mean"
                                              : "mean at most eps^2";
    if (form_ == StepForm::amplified) band.method += ", amplified steps";
    if (form_ == StepForm::linear) band.method += ", steps (q eps_0, q delta_0)";
    band.remark = form_ == StepForm::linear
                      ? "an estimate: that the steps are (q eps_0, q delta_0)-private is no theorem"
                      : "an upper bound: advanced composition";
  }

  /// With steps that nobody proved: an estimate, a number and no band.
  void describe(Enclosure& band) override {
    if (form_ != StepForm::linear) return;
    band.certified = false;
    if (!band.exact && band.upper.is_finite()) band.lower = band.upper;
  }

  StepPrivacy steps_;
  Bound bound_;
  StepForm form_;
};

class AdvancedComposition final : public Accountant {
 public:
  explicit AdvancedComposition(Bound bound = Bound::improved, StepForm form = StepForm::exact)
      : bound_(bound), form_(form) {}

  std::string_view name() const override { return "advanced_composition"; }
  std::string_view summary() const override {
    return "the advanced composition theorem, an upper bound for any composition";
  }
  std::string_view theorem() const override {
    return "docs/proofs/reference_methods.md#advanced, docs/proofs/reference_methods.md#steps, "
           "docs/proofs/reference_methods.md#amplified";
  }
  const std::vector<Parameter>& parameters() const override {
    static const std::vector<Parameter> parameters = {
        {"bound",
         "improved (the exact mean of the loss), published (eps (e^eps - 1)) or square (eps^2)",
         "improved"},
        {"step",
         "exact (of its curve), amplified (Gaussian noise by the textbook, sampled) or linear (the "
         "same times the rate: an estimate)",
         "exact"}};
    return parameters;
  }
  std::shared_ptr<const Accountant> with(const Arguments& settings) const override {
    const std::string bound = settings.word("bound", {"improved", "published", "square"});
    const std::string step = settings.word("step", {"exact", "amplified", "linear"});
    return std::make_shared<AdvancedComposition>(bound == "improved"    ? Bound::improved
                                                 : bound == "published" ? Bound::published
                                                                        : Bound::square,
                                                 step == "exact"       ? StepForm::exact
                                                 : step == "amplified" ? StepForm::amplified
                                                                       : StepForm::linear);
  }
  std::optional<std::string> refusal(const ComposedLoss& loss) const override {
    return StepPrivacy::refusal(loss, form_);
  }
  Offer offer(const ComposedLoss&) const override { return {.of = Offer::Of::bounds}; }
  bool estimates_only() const override { return form_ == StepForm::linear; }
  std::unique_ptr<PrivacyCurve> curve(const ComposedLoss& loss, const Goal&) const override {
    return std::make_unique<AdvancedCurve>(loss, bound_, form_);
  }

 private:
  Bound bound_;
  StepForm form_;
};

}  // namespace

std::shared_ptr<const Accountant> advanced_composition_accountant();
std::shared_ptr<const Accountant> advanced_composition_accountant() {
  return std::make_shared<AdvancedComposition>();
}

}  // namespace plaudit
