// Laplace noise of several scales, and its Poisson samples at several rates, together: a vertical
// line that turns at a height.
//
// Theorem: docs/proofs/turned_line.md#turned; the evaluation is in turned_line.hpp, the search for
// a line and for epsilon in folded_curve.hpp.
#include <algorithm>
#include <cmath>

#include "accountants/laplace/turned_line.hpp"
#include "accountants/laplace/usual_atoms.hpp"
#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr double most_choices = 15000;     ///< of the ends of all factors but one
constexpr double usual_nats_of_turn = 50;  ///< for an estimate of the number of atoms
constexpr double most_powers = 4000;       ///< sum of count + 1 over the laws with two ends

/// Atoms alone, at rational losses, and their masses are 1.
bool is_atomic(const PrivacyLoss& law) {
  return has_rational_losses(law) && law.exact_mass_at_infinity() == Rational(0) &&
         law.exact_q_mass() == Rational(1);
}

bool is_noise(const PrivacyLoss& law) { return law.facts().laplace || law.facts().sampled_laplace; }

bool applies(const ComposedLoss& loss) {
  const auto& terms = loss.terms();
  return std::any_of(terms.begin(), terms.end(),
                     [](const auto& term) { return is_noise(*term.loss); }) &&
         std::all_of(terms.begin(), terms.end(), [](const auto& term) {
           return has_two_ends(*term.loss) || is_atomic(*term.loss);
         });
}

bool fits(const ComposedLoss& loss) {
  double choices = 1;
  double powers = 0;
  double greatest = 1;
  for (const ComposedLoss::Term& term : loss.terms()) {
    const auto count = static_cast<double>(term.count);
    if (!has_two_ends(*term.loss)) {
      choices *= losses_within(*term.loss, count, usual_nats_of_turn);
      continue;
    }
    choices *= count + 1;
    powers += count + 1;
    greatest = std::max(greatest, count + 1);
  }
  return choices / greatest <= most_choices && powers <= most_powers;
}

Side side_of_ends(const ComposedLoss& loss, const Rational& epsilon) {
  if (certainly_greater_equal(Ball(epsilon), loss.greatest_loss())) return Side::above;
  if (certainly_less_equal(Ball(epsilon), loss.least_loss())) return Side::below;
  return Side::inside;
}

FoldedMethod turned_method(const ComposedLoss& composition) {
  return {"turned_laplace",
          [](const ComposedLoss& loss, CumulantTable& table,
             const LineAim& aim) -> std::unique_ptr<CurveLine> {
            const TurnedChoice choice = choose_turned(loss, table, aim);
            if (!std::isfinite(choice.seconds)) return nullptr;
            promise_work(choice.seconds);
            return std::make_unique<TurnedLine>(loss, choice);
          },
          [composition](const Rational& epsilon) { return side_of_ends(composition, epsilon); }};
}

class TurnedLaplace final : public Accountant {
 public:
  std::string_view name() const override { return "turned_laplace"; }
  std::string_view summary() const override {
    return "Laplace noise of several scales and its Poisson samples at several rates, few factors: "
           "a contour that turns where each choice of atoms falls";
  }
  std::string_view theorem() const override { return "docs/proofs/turned_line.md#turned"; }
  std::optional<std::string> refusal(const ComposedLoss& loss) const override {
    if (!applies(loss)) {
      return "turned_laplace needs laplace mechanisms or Poisson samples of them, and beside them "
             "only laws of two losses or on rational lattices, without a mass at infinity";
    }
    if (fits(loss)) return std::nullopt;
    return "turned_laplace would need too many choices of atoms for so many compositions";
  }
  Offer offer(const ComposedLoss& loss) const override {
    const auto is_sampled = [](const ComposedLoss::Term& term) {
      return term.loss->facts().sampled_laplace.has_value();
    };
    const auto& terms = loss.terms();
    const bool first =
        loss.steps() > 1 && std::any_of(terms.begin(), terms.end(), is_sampled) && !refusal(loss);
    return {.cost = first ? Offer::Cost::small : Offer::Cost::usual, .announced = true};
  }
  std::unique_ptr<PrivacyCurve> curve(const ComposedLoss& loss, const Goal& goal) const override {
    return folded_curve(loss, goal, turned_method(loss));
  }
};

}  // namespace

std::shared_ptr<const Accountant> turned_laplace_accountant();
std::shared_ptr<const Accountant> turned_laplace_accountant() {
  return std::make_shared<TurnedLaplace>();
}

}  // namespace plaudit
