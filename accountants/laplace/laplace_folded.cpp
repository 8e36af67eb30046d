// n-fold Laplace noise for any n: the folded straight contour, at a cost that does not depend on n.
//
// Theorem: docs/proofs/laplace.md#folding; the evaluation is in folded_line.hpp, the search for a
// line and for epsilon in folded_curve.hpp.
#include <cmath>
#include <stdexcept>

#include "accountants/laplace/folded_line.hpp"

namespace plaudit {

namespace {

/// Exactly, where balls may not decide.
Side side_of_support(const LaplacePower& power, const Rational& epsilon) {
  const Rational end = power.loss->ratio() * Integer(power.steps);
  if (epsilon >= end) return Side::above;
  return epsilon <= -end ? Side::below : Side::inside;
}

FoldedMethod laplace_method(const LaplacePower& power) {
  return {"laplace_folded",
          [power](const ComposedLoss& loss, CumulantTable& table,
                  const LineAim& aim) -> std::unique_ptr<CurveLine> {
            const FoldedChoice choice =
                choose_folded(loss, power, table, aim.epsilon, aim.nats, aim.log_delta);
            if (!std::isfinite(choice.seconds)) return nullptr;
            return std::make_unique<FoldedLine>(loss, power, table, choice);
          },
          [power](const Rational& epsilon) { return side_of_support(power, epsilon); }};
}

class LaplaceFolded final : public Accountant {
 public:
  std::string_view name() const override { return "laplace_folded"; }
  std::string_view summary() const override {
    return "n-fold Laplace noise: a contour folded into one period of the atoms; any n, any number "
           "of digits";
  }
  std::string_view theorem() const override { return "docs/proofs/laplace.md#folding"; }
  std::optional<std::string> refusal(const ComposedLoss& loss) const override {
    if (laplace_power(loss)) return std::nullopt;
    return "laplace_folded needs laplace mechanisms of one ratio sensitivity / scale";
  }
  Offer offer(const ComposedLoss& loss) const override {
    return {.cost = laplace_power(loss) ? Offer::Cost::small : Offer::Cost::usual};
  }
  std::unique_ptr<PrivacyCurve> open(const ComposedLoss& loss, const Goal& goal) const override {
    if (const auto reason = refusal(loss)) throw std::invalid_argument(*reason);
    // The law lives as long as its composition, of which the curve keeps a copy.
    return folded_curve(loss, goal, laplace_method(*laplace_power(loss)));
  }
};

}  // namespace

std::shared_ptr<const Accountant> laplace_folded_accountant();
std::shared_ptr<const Accountant> laplace_folded_accountant() {
  return std::make_shared<LaplaceFolded>();
}

}  // namespace plaudit
