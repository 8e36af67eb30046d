// Laplace noise of several scales, and lattice laws beside it: the folded straight contour, at a
// cost that does not depend on the numbers of steps.
//
// Theorem: docs/proofs/laplace.md#folded-product; the evaluation is in product_fold.hpp, the search
// for a line and for epsilon in folded_curve.hpp.
#include <cmath>
#include <stdexcept>

#include "accountants/laplace/product_fold.hpp"
#include "lib/balls/precision.hpp"

namespace plaudit {

namespace {

/// Few steps are for the exact sum.
constexpr double many_steps = 150;

Side side_of_product(const ComposedLoss& loss, const Rational& epsilon) {
  const auto end = loss.exact_greatest_loss();
  return end && epsilon >= *end ? Side::above : Side::inside;
}

FoldedMethod product_method(const ComposedLoss& composition) {
  return {"laplace_product_folded",
          [fold = *product_fold(composition)](const ComposedLoss& loss, CumulantTable& table,
                                              const LineAim& aim) -> std::unique_ptr<CurveLine> {
            const ProductChoice choice = choose_product(loss, fold, table, aim);
            if (!std::isfinite(choice.seconds)) return nullptr;
            return std::make_unique<ProductLine>(loss, fold, table, choice);
          },
          [composition](const Rational& epsilon) { return side_of_product(composition, epsilon); }};
}

class LaplaceProductFolded final : public Accountant {
 public:
  std::string_view name() const override { return "laplace_product_folded"; }
  std::string_view summary() const override {
    return "Laplace noise of several scales, beside laws on rational lattices: a contour folded "
           "into one period of all atoms; any numbers of steps";
  }
  std::string_view theorem() const override { return "docs/proofs/laplace.md#folded-product"; }
  std::optional<std::string> refusal(const ComposedLoss& loss) const override {
    if (product_fold(loss)) return std::nullopt;
    return "laplace_product_folded needs laplace mechanisms, and beside them only laws on rational "
           "lattices without a mass at infinity";
  }
  Offer offer(const ComposedLoss& loss) const override {
    if (loss.steps() < many_steps) return {};
    const auto fold = product_fold(loss);
    const bool several = fold && (fold->noises.size() > 1 || !fold->others.empty());
    return {.cost = several ? Offer::Cost::small : Offer::Cost::usual};
  }
  std::unique_ptr<PrivacyCurve> open(const ComposedLoss& loss, const Goal& goal) const override {
    if (const auto reason = refusal(loss)) throw std::invalid_argument(*reason);
    return folded_curve(loss, goal, product_method(loss));
  }
};

}  // namespace

std::shared_ptr<const Accountant> laplace_product_folded_accountant();
std::shared_ptr<const Accountant> laplace_product_folded_accountant() {
  return std::make_shared<LaplaceProductFolded>();
}

}  // namespace plaudit
