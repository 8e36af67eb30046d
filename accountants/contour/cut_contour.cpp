#include "accountants/contour/cut_contour.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "lib/balls/precision.hpp"

namespace plaudit {

namespace {
constexpr long bits_of_masses = 128;
constexpr ErrorTerm cut_term{"contour.cut", "docs/proofs/cut.md#cut"};
}  // namespace

Ball CutComposition::moved() const {
  const PrecisionScope scope(bits_of_masses);
  return loss.mass_at_infinity() - infinite_before;
}

std::shared_ptr<CutComposition> cut_composition(const ComposedLoss& loss, double log_mass) {
  std::vector<ComposedLoss::Term> terms = loss.terms();
  bool any = false;
  for (ComposedLoss::Term& term : terms) {
    const double share =
        log_mass - std::log(static_cast<double>(term.count) * static_cast<double>(terms.size()));
    if (auto cut = term.loss->without_rare_draws(share)) {
      term.loss = std::move(cut);
      term.mechanism = nullptr;
      any = true;
    }
  }
  if (!any) return nullptr;
  const PrecisionScope scope(bits_of_masses);
  ComposedLoss result(std::move(terms), loss.direction());
  return std::make_shared<CutComposition>(std::move(result), loss.mass_at_infinity());
}

CutContour::CutContour(std::shared_ptr<CutComposition> cut, double epsilon,
                       const StraightChoice& choice)
    : cut_(std::move(cut)), contour_(cut_->loss, cut_->table, epsilon, choice) {}

// Proof: docs/proofs/cut.md#cut
Enclosure CutContour::delta(const Ball& epsilon) {
  Enclosure band = contour_.delta(epsilon);
  const PrecisionScope scope(contour_.bits());
  const Ball moved = band.ledger.add(cut_term, cut_->moved());
  band.lower = max(band.lower - moved, Ball(0)).lower();
  band.method += ", rare draws set aside";
  return band;
}

}  // namespace plaudit
