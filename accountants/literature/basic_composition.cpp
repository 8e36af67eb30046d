// Basic composition: the epsilons and the deltas of the steps add up.
//
//   delta(sum n_i eps_i) <= sum n_i delta_i(eps_i), delta_i the curve of the i-th step.
// Proof: docs/proofs/reference_methods.md#basic
#include <algorithm>
#include <cmath>

#include "accountants/accountant.hpp"
#include "accountants/closed/closed_form.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/mixtures/gaussian_mixture.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm delta_term{"basic_composition.delta", "sum of the deltas of the steps"};
constexpr ErrorTerm epsilon_term{"basic_composition.epsilon", "sum of the epsilons of the steps"};
constexpr long basic_bits = 192;
// Up to so many factors, of so many Gaussian components each, an answer takes milliseconds.
constexpr std::size_t few_terms = 8;
constexpr std::size_t few_components = 20;
// The search for the delta that all steps have: halvings, and its logarithm from, and how closely.
constexpr int most_splits = 60;
constexpr double least_common_log = -700;
constexpr double same_common_log = 1e-6;

class BasicCurve final : public NarrowingCurve {
 public:
  BasicCurve(const ComposedLoss& loss, const Goal& goal)
      : NarrowingCurve(loss, "basic_composition") {
    const std::shared_ptr<const Accountant> one_step = closed_form_accountant();
    for (const ComposedLoss::Term& term : loss_.terms()) {
      curves_.push_back(one_step->open(ComposedLoss({{term.loss, 1}}, loss_.direction()), goal));
    }
  }

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    say(band);
    const PrecisionScope scope(basic_bits);
    const std::vector<Rational> parts = split(epsilon);
    Ball sum;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      sum += steps(i) * curves_[i]->delta(parts[i]).upper;
    }
    narrow(band, band.lower, band.ledger.add(delta_term, sum));
  }

  void narrow_epsilon(Enclosure& band, const Rational& delta) override {
    say(band);
    const PrecisionScope scope(basic_bits);
    // Each step gets its own mass at infinity and an equal share of what is left of delta.
    std::vector<Rational> infinite;
    Rational left = delta;
    Integer count = 0;
    for (const ComposedLoss::Term& term : loss_.terms()) {
      infinite.push_back(exact_rational(term.loss->mass_at_infinity().upper()));
      left -= infinite.back() * Integer(term.count);
      count += Integer(term.count);
    }
    if (left < 0) return;
    const Rational share = left / count;
    Ball sum;
    for (std::size_t i = 0; i < curves_.size(); ++i) {
      check_work_limit();
      sum += steps(i) *
             curves_[i]->epsilon(std::min(Rational(1), Rational(infinite[i] + share))).upper;
    }
    if (!sum.is_finite()) return;
    narrow(band, band.lower, band.ledger.add(epsilon_term, sum));
  }

 private:
  Ball steps(std::size_t i) const { return Ball(loss_.terms()[i].count); }

  /// Rationals eps_i with sum n_i eps_i = epsilon exactly: the epsilons at which all steps have
  /// about the same delta, shifted by the same amount (heuristic; any split is valid).
  std::vector<Rational> split(const Rational& epsilon) {
    const std::vector<ComposedLoss::Term>& terms = loss_.terms();
    Integer count = 0;
    for (const ComposedLoss::Term& term : terms) count += Integer(term.count);
    std::vector<Rational> parts(terms.size(), Rational(epsilon / count));
    if (terms.size() == 1 || epsilon <= 0) return parts;
    double low = least_common_log;
    double high = 0;
    for (int i = 0; i < most_splits && high - low > same_common_log; ++i) {
      const double level = (low + high) / 2;
      Rational used = 0;
      bool finite = true;
      for (std::size_t j = 0; j < terms.size() && finite; ++j) {
        check_work_limit();
        const double mass = terms[j].loss->mass_at_infinity().upper_double();
        const Rational target =
            checked_rational(std::min(1.0, mass + std::exp(level)), "a step's delta");
        const double part = curves_[j]->epsilon(target).upper.estimate();
        finite = std::isfinite(part);
        if (finite) {
          parts[j] = checked_rational(part, "a step's eps");
          used += parts[j] * Integer(terms[j].count);
        }
      }
      (finite && used <= epsilon ? high : low) = level;
    }
    Rational used = 0;
    for (std::size_t j = 0; j < terms.size(); ++j) used += parts[j] * Integer(terms[j].count);
    const Rational shift = (epsilon - used) / count;
    for (Rational& part : parts) part += shift;
    return parts;
  }

  static void say(Enclosure& band) {
    band.method = "sums over the steps";
    band.remark = "an upper bound: basic composition";
  }

  std::vector<std::unique_ptr<PrivacyCurve>> curves_;  ///< of one step of each factor
};

class BasicComposition final : public Accountant {
 public:
  std::string_view name() const override { return "basic_composition"; }
  std::string_view summary() const override {
    return "epsilons and deltas of the steps add up: an upper bound for any composition";
  }
  std::string_view theorem() const override { return "docs/proofs/reference_methods.md#basic"; }
  std::optional<std::string> refusal(const ComposedLoss&) const override { return std::nullopt; }
  Offer offer(const ComposedLoss& loss) const override {
    const bool instant =
        loss.terms().size() <= few_terms &&
        std::all_of(loss.terms().begin(), loss.terms().end(), [](const auto& term) {
          const LossFacts& facts = term.loss->facts();
          const GaussianMixture* mixture = facts.gaussian_mixture;
          return !facts.costly_tails &&
                 (mixture == nullptr || mixture->sensitivities.size() <= few_components);
        });
    return {.of = Offer::Of::bounds, .cost = instant ? Offer::Cost::instant : Offer::Cost::usual};
  }
  std::unique_ptr<PrivacyCurve> curve(const ComposedLoss& loss, const Goal& goal) const override {
    return std::make_unique<BasicCurve>(loss, goal);
  }
};

}  // namespace

std::shared_ptr<const Accountant> basic_composition_accountant();
std::shared_ptr<const Accountant> basic_composition_accountant() {
  return std::make_shared<BasicComposition>();
}

}  // namespace plaudit
