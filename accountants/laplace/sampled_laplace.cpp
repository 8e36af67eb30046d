// n-fold Poisson-sampled Laplace noise: a contour folded into one period of the two atoms.
//
// Theorem: docs/proofs/laplace.md#sampled; the evaluation is in sampled_line.hpp, the search for a
// line and for epsilon in folded_curve.hpp.
#include <cmath>

#include "accountants/laplace/sampled_line.hpp"
#include "lib/balls/precision.hpp"

namespace plaudit {

namespace {

/// The ends are n times logarithms of numbers that are transcendental, so balls decide: where they
/// do not at this precision, the line answers.
Side side_of_sampled(const SampledLaplacePower& power, const Rational& epsilon) {
  const SampledDensity density = sampled_density(power.law, 0);
  const Ball steps(power.steps);
  const Ball place(power.law.direction == Direction::remove ? epsilon : Rational(-epsilon));
  const Side beyond_top = power.law.direction == Direction::remove ? Side::above : Side::below;
  const Side beyond_bottom = power.law.direction == Direction::remove ? Side::below : Side::above;
  if (certainly_greater_equal(place, steps * density.top)) return beyond_top;
  if (certainly_less_equal(place, steps * density.bottom)) return beyond_bottom;
  return Side::inside;
}

FoldedMethod sampled_method(const SampledLaplacePower& power) {
  return {"sampled_laplace",
          [power](const ComposedLoss& loss, CumulantTable& table,
                  const LineAim& aim) -> std::unique_ptr<CurveLine> {
            const SampledChoice choice = choose_sampled(loss, power, table, aim);
            if (!std::isfinite(choice.seconds)) return nullptr;
            return std::make_unique<SampledLine>(loss, power, table, choice);
          },
          [power](const Rational& epsilon) { return side_of_sampled(power, epsilon); }};
}

class SampledLaplace final : public Accountant {
 public:
  std::string_view name() const override { return "sampled_laplace"; }
  std::string_view summary() const override {
    return "n-fold Poisson-sampled Laplace noise: a contour folded into one period of its two "
           "atoms; any n, any number of digits";
  }
  std::string_view theorem() const override { return "docs/proofs/laplace.md#sampled"; }
  std::optional<std::string> refusal(const ComposedLoss& loss) const override {
    if (sampled_laplace_power(loss)) return std::nullopt;
    return "sampled_laplace needs Poisson-sampled laplace mechanisms of one ratio sensitivity / "
           "scale and one rate";
  }
  Offer offer(const ComposedLoss& loss) const override {
    const auto power = sampled_laplace_power(loss);
    const bool several = power && power->steps > 1;  // one step is a closed form
    return {.cost = several ? Offer::Cost::small : Offer::Cost::usual};
  }
  std::unique_ptr<PrivacyCurve> curve(const ComposedLoss& loss, const Goal& goal) const override {
    return folded_curve(loss, goal, sampled_method(*sampled_laplace_power(loss)));
  }
};

}  // namespace

std::shared_ptr<const Accountant> sampled_laplace_accountant();
std::shared_ptr<const Accountant> sampled_laplace_accountant() {
  return std::make_shared<SampledLaplace>();
}

}  // namespace plaudit
