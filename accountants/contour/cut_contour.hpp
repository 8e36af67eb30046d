// The straight contour on a composition whose rare draws were moved to L = inf.
//
// Where moments of the needed order are ruled by a single absurd draw, the composition without such
// draws has tame moments; delta lies between its curve without and with the moved mass.
// Proof: docs/proofs/cut.md#cut
#pragma once

#include <memory>

#include "accountants/contour/straight_contour.hpp"

namespace plaudit {

/// The changed composition, its cumulants, and the mass that was moved.
struct CutComposition {
  CutComposition(ComposedLoss cut, const Ball& infinite)
      : loss(std::move(cut)), table(CumulantTable::of_some(loss)), infinite_before(infinite) {}
  CutComposition(const CutComposition&) = delete;
  CutComposition& operator=(const CutComposition&) = delete;

  ComposedLoss loss;
  CumulantTable table;
  Ball infinite_before;  ///< the mass at infinity of the whole

  /// The mass that was moved to infinity.
  Ball moved() const;
};

/// @param log_mass about the log of the mass to move; null where no factor has rare draws.
std::shared_ptr<CutComposition> cut_composition(const ComposedLoss& loss, double log_mass);

class CutContour {
 public:
  CutContour(std::shared_ptr<CutComposition> cut, double epsilon, const StraightChoice& choice);

  /// Encloses the total delta of the unchanged composition.
  Enclosure delta(const Ball& epsilon);
  long bits() const { return contour_.bits(); }

 private:
  std::shared_ptr<CutComposition> cut_;
  StraightContour contour_;
};

}  // namespace plaudit
