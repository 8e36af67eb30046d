// Density mode: the straight contour (Theorem 1) on values of M from Riemann sums of the tilted
// density of one step. What is here only drives and describes; the sums are in density_loss.cpp.
#include "accountants/fourier/fourier_density.hpp"

#include "accountants/contour/contour.hpp"
#include "accountants/fourier/density_loss.hpp"
#include "lib/balls/precision.hpp"
#include "lib/text.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm aliasing_term{"density.aliasing", "Poisson summation (part of the radius)"};
constexpr ErrorTerm tails_term{"density.tails", "monotone tails (part of the radius)"};
constexpr ErrorTerm transform_term{"density.transform", "Theorem 10 (part of the radius)"};

using Records = std::vector<std::shared_ptr<DensityRecord>>;

ComposedLoss by_density(const ComposedLoss& loss, Records& records) {
  std::vector<ComposedLoss::Term> terms;
  for (const ComposedLoss::Term& term : loss.terms()) {
    records.push_back(std::make_shared<DensityRecord>());
    terms.push_back(
        {std::make_shared<DensityLoss>(term.loss, loss.direction(), records.back()), term.count});
  }
  return ComposedLoss(std::move(terms), loss.direction());
}

class DensityCurve final : public PrivacyCurve {
 public:
  DensityCurve(const ComposedLoss& loss, const Goal& goal) {
    // The contour accountant sees losses that know no other values of M than the sums: its other
    // engines, which need more of a loss, do not apply.
    curve_ = contour_accountant()->open(by_density(loss, records_), goal);
  }

  Enclosure delta(const Rational& epsilon) override { return described(curve_->delta(epsilon)); }
  Enclosure epsilon(const Rational& delta) override { return described(curve_->epsilon(delta)); }

 private:
  Enclosure described(Enclosure band) const {
    band.accountant = "fourier";
    const bool contour = band.method.rfind("straight contour", 0) == 0;
    if (!contour) return band;
    std::string text = "density";
    Ball aliasing;
    Ball tails;
    Ball rounding;
    for (const auto& record : records_) {
      text += ", mesh " + general_text(record->mesh, 4) + ", " + std::to_string(record->points) +
              " points, transform of " + std::to_string(record->transform) +
              (record->doubles ? "" : " (balls)");
      aliasing = max(aliasing, record->aliasing_share);
      tails = max(tails, record->tails_share);
      rounding = max(rounding, record->rounding_share);
    }
    band.method = text + "; " + band.method;
    const PrecisionScope scope(64);
    const std::vector<Ledger::Entry> entries = band.ledger.entries();
    for (const Ledger::Entry& entry : entries) {
      if (entry.name != "contour.quadrature") continue;
      band.ledger.note(aliasing_term, entry.size * aliasing);
      band.ledger.note(tails_term, entry.size * tails);
      band.ledger.note(transform_term, entry.size * rounding);
    }
    return band;
  }

  Records records_;
  std::unique_ptr<PrivacyCurve> curve_;
};

}  // namespace

std::optional<std::string> density_refusal(const ComposedLoss& loss) {
  for (const ComposedLoss::Term& term : loss.terms()) {
    if (term.loss->gaussian_mixture() == nullptr) {
      return "density mode knows the densities of Gaussian mechanisms and their mixtures only";
    }
  }
  return std::nullopt;
}

std::unique_ptr<PrivacyCurve> density_curve(const ComposedLoss& loss, const Goal& goal) {
  return std::make_unique<DensityCurve>(loss, goal);
}

}  // namespace plaudit
