#include "accountants/closed/closed_form.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "accountants/cumulants/order_search.hpp"
#include "accountants/inversion.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/plan/threshold_plan.hpp"
#include "accountants/proof/arithmetic/rejected.hpp"
#include "accountants/proof/evidence.hpp"
#include "accountants/refusals.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/refine.hpp"
#include "lib/exact/checked_integer.hpp"
#include "mechanisms/laws/laplace_loss.hpp"
#include "mechanisms/laws/range_loss.hpp"
#include "mechanisms/replacement/replacement_loss.hpp"

namespace plaudit {

namespace {

/// One step of one mechanism.
bool is_single_step(const ComposedLoss& loss) {
  return loss.terms().size() == 1 && loss.terms()[0].count == 1;
}

/// The distribution functions of such a step are quadratures of their own, not expressions.
bool has_costly_tails(const ComposedLoss& loss) {
  return is_single_step(loss) && loss.terms()[0].loss->facts().costly_tails;
}

/// Attempts at a law by intervals, each with more bits, that do not halve the band: then it ends.
constexpr int most_in_vain = 3;

// Bits of delta that a bracket is to give beyond those wanted, for the band and its certificate;
// once precision was raised, it is to give `lost_bits` less than that has.
constexpr long bits_of_bracket = 16;
constexpr long bits_of_certified_bracket = 24;
constexpr long lost_bits = 40;
constexpr long bits_of_proof = 64;    ///< of a checker's precision, beyond twice those wanted
constexpr long bits_of_printing = 6;  ///< that are printed beyond those wanted, at least

constexpr ErrorTerm rounding_term{"closed_form.rounding",
                                  "ball arithmetic (radius of the expression)"};

/// The curve of a law that certificates evaluate without choices; nothing for other laws.
std::optional<Ball> plain_curve(const PrivacyLoss& law, const Ball& epsilon) {
  const LossFacts& facts = law.facts();
  if (facts.laplace) return proof::curve(proof::Laplace{facts.laplace->ratio()}, epsilon);
  if (facts.range) return proof::curve(proof::Range{facts.range->epsilon()}, epsilon);
  if (const auto& sampled = facts.sampled_laplace) {
    const bool removes = sampled->direction == Direction::remove;
    const auto base = proof::of_sampled(sampled->rate, removes, epsilon);
    if (!base) return removes ? -expm1(epsilon) : Ball(0);
    return base->front * proof::curve(proof::Laplace{sampled->ratio}, base->place);
  }
  if (facts.replacement) {
    const proof::LabelCurve<Ball> curve(facts.replacement->rate(), epsilon);
    return facts.replacement->mass_at_infinity() +
           facts.replacement->mean([&](const Ball& distance) { return curve.at(distance); });
  }
  return std::nullopt;
}

/// mu of the composition if every factor's loss is Gaussian, nothing otherwise.
std::optional<Rational> gaussian_composition_mean(const ComposedLoss& loss) {
  Rational sum = 0;
  for (const ComposedLoss::Term& term : loss.terms()) {
    const std::optional<Rational> mean = term.loss->facts().gaussian_mean;
    if (!mean) return std::nullopt;
    sum += *mean * Integer(term.count);
  }
  if (sum <= 0) return std::nullopt;
  return sum;
}

class ClosedFormCurve final : public NarrowingCurve {
 public:
  ClosedFormCurve(const ComposedLoss& loss, const Goal& goal)
      : NarrowingCurve(loss, "closed_form"),
        mean_(gaussian_composition_mean(loss_)),
        law_(*loss_.terms()[0].loss),
        by_intervals_(!mean_ && law_.facts().by_intervals),
        budget_(proof::unlimited_budget()),
        bits_(bits_of_digits(goal.digits)) {
    if (mean_) return;
    set_increasing(dynamic_cast<const MixtureLoss*>(&law_));
    set_increasing(dynamic_cast<const MirroredLoss*>(&law_));
  }

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    const long start = bits_ + 32 + size_bits(epsilon);
    raise_precision(band, start, [&] {
      narrow(band, value(Ball(epsilon)));
      return missing_bits(band.lower, band.upper, bits_);
    });
    keep_evidence(band, [&] { return std::pair(Ball(epsilon), Ball(epsilon)); });
  }

  void narrow_epsilon(Enclosure& band, const Rational& delta) override {
    Ball guess(delta > 0 && delta < 1 ? first_guess(estimate_log(delta)) : 0.0);
    raise_precision(band, bits_ + 64, [&] {
      guess = narrow_crossing(
          band, [&](const Ball& x) { return value(x); }, delta, guess, bits_);
      return missing_bits(band.lower, band.upper, bits_);
    });
    if (!band.upper.is_finite()) return;
    keep_evidence(band, [&] {
      const Ball printed = ldexp(band.upper, -bits_ - bits_of_printing);
      return std::pair(band.lower - printed, band.upper + printed);
    });
  }

 private:
  using Choices = proof::ThresholdChoices;

  /// Sets how a law is bracketed and proven whose likelihood ratio increases along a line.
  template <class Loss>
  void set_increasing(const Loss* loss) {
    if (loss == nullptr) return;
    plan_ = [loss](const Ball& low, const Ball& high, long bits) {
      return plan_threshold(*loss, low, high, bits);
    };
    prove_ = [this, law = plain_law(*loss)](const Ball& epsilon, const Choices& choices) {
      return proof::threshold(law, epsilon, choices, budget_);
    };
  }

  /// Encloses delta(eps) at the working precision.
  Ball value(const Ball& epsilon) {
    try {
      last_ = proven(epsilon);
    } catch (const proof::Rejected&) {  // until there are more digits
      last_ = {};
    }
    return hull(last_.low, last_.high);
  }

  proof::ProofOf<Ball> proven(const Ball& epsilon) {
    if (prove_) {
      const long bits = std::max(bits_ + bits_of_bracket, working_precision() - lost_bits);
      return prove_(epsilon, plan_(epsilon, epsilon, bits));
    }
    std::optional<Ball> value =
        mean_ ? gaussian_delta(*mean_, epsilon) : plain_curve(law_, epsilon);
    has_proof_ = value.has_value();
    if (!value) value = law_.delta(epsilon);
    return {.low = *value, .high = *value};
  }

  /// What proves the band again. @param ends the epsilons between which it is printed, at the
  /// working precision.
  template <class Ends>
  void keep_evidence(Enclosure& band, Ends&& ends) {
    if (!has_proof_) return;
    const long bits = std::max(used_bits_, 2 * bits_ + bits_of_proof);
    const PrecisionScope precision(bits);
    Choices choices;
    if (plan_) {
      const auto [low, high] = ends();
      choices = plan_(low, high, bits_ + bits_of_certified_bracket);
    }
    band.evidence = std::make_shared<proof::Evidence>(proof::Evidence{std::move(choices), bits});
  }

  double first_guess(double log_delta) const {
    if (!mean_) {
      return estimate_epsilon([&](double t) { return loss_.estimate_cumulant(t); }, log_delta);
    }
    const double mu = estimate(*mean_);
    return estimate_epsilon(
        [&](double t) {
          return CumulantEstimate{mu * t * (t + 1), mu * (2 * t + 1), 2 * mu};
        },
        log_delta);
  }

  /// Bits that e^eps loses to the size of eps.
  static long size_bits(const Rational& epsilon) {
    const double size = estimate_log(epsilon) / std::log(2.0);
    return clamped_integer(size, 0, 400000);
  }

  /// Repeats the attempt with more bits until it wants none, or to the limit of precision. Where
  /// the law is stated by intervals the loop ends too when more bits do not narrow the band.
  template <class Attempt>
  void raise_precision(Enclosure& band, long start, Attempt&& attempt) {
    used_bits_ = start;
    int in_vain = 0;
    const bool done = refine(start, start + 4 * bits_ + 20000, [&] {
      used_bits_ = working_precision();
      const Ball width = band.upper - band.lower;
      const long wanted = attempt();
      const bool narrower = certainly_less(ldexp(band.upper - band.lower, 1), width);
      in_vain = by_intervals_ && wanted > 0 && !narrower ? in_vain + 1 : 0;
      return in_vain == most_in_vain ? 0 : wanted;
    });
    if (!done) band.remark = "precision limit reached";
    if (in_vain == most_in_vain) {
      band.remark = "no precision narrows what the intervals of the law leave open";
      band.cause = Cause::law;
    }
  }

  void describe(Enclosure& band) override {
    for (const auto& error : last_.errors) band.ledger.note(*error.term, error.size);
    if (last_.low.is_finite()) band.ledger.note(rounding_term, last_.low.radius());
    band.method = std::string(mean_ ? "Gaussian" : "single step") + ", " +
                  std::to_string(used_bits_) + " bits";
  }

  long used_bits_ = 0;  ///< in the last attempt
  std::optional<Rational> mean_;
  const PrivacyLoss& law_;  ///< of the first term
  std::function<Choices(const Ball& low, const Ball& high, long bits)> plan_;
  std::function<proof::ProofOf<Ball>(const Ball& epsilon, const Choices& choices)> prove_;
  bool by_intervals_;
  bool has_proof_ = true;  ///< by an evaluator that certificates know
  proof::Budget budget_;
  long bits_;
  proof::ProofOf<Ball> last_;  ///< of the last evaluation of the curve, for the ledger
};

class ClosedForm final : public Accountant {
 public:
  std::string_view name() const override { return "closed_form"; }
  std::string_view summary() const override {
    return "Gaussians only, or a single step: a finite expression, any number of digits";
  }
  std::string_view theorem() const override {
    return "docs/proofs/hockey_stick.md#gaussian, docs/proofs/hockey_stick.md#one-step";
  }
  std::optional<std::string> refusal(const ComposedLoss& loss) const override {
    if (gaussian_composition_mean(loss) || is_single_step(loss)) return std::nullopt;
    return "closed_form needs a composition of Gaussians only, or a single step";
  }
  Offer offer(const ComposedLoss& loss) const override {
    return {.cost = has_costly_tails(loss) ? Offer::Cost::usual : Offer::Cost::instant};
  }
  std::unique_ptr<PrivacyCurve> curve(const ComposedLoss& loss, const Goal& goal) const override {
    return std::make_unique<ClosedFormCurve>(loss, goal);
  }
};

}  // namespace

Ball gaussian_delta(const Rational& mu, const Ball& epsilon) {
  return proof::curve(proof::Gaussian{mu}, epsilon);
}

std::shared_ptr<const Accountant> closed_form_accountant() {
  return std::make_shared<ClosedForm>();
}

}  // namespace plaudit
