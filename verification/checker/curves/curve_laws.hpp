// Finite laws that curves define. Of those that are the same in both directions H(x) = 1 - x + x
// H(1/x), x = e^eps, so that a curve is known by its part from x = 1 on.
// Theorems: docs/proofs/curves.md#pairs.
#pragma once

#include <memory>
#include <vector>

#include "verification/checker/laws/laws.hpp"

namespace plaudit::proof {

/// H(e^epsilon) <= delta.
struct CurvePoint {
  Rational epsilon;
  Rational delta;  ///< in [0, 1]
};

/// The pair of the greatest curve that these bounds allow, in both directions.
/// @param points by increasing epsilon, some delta below 1. @throws Rejected where corners are too
/// near to be told from straight pieces. Proof: docs/proofs/curves.md#bounds
Finite curve_law(const std::vector<CurvePoint>& points);

/// The pair of the greatest curve that these bounds of one direction allow; epsilon may be
/// negative.
/// @throws Rejected as above. Proof: docs/proofs/curves.md#bounds
Finite directed_curve_law(const std::vector<CurvePoint>& points);

/// Whether greater_of takes both laws: of few rational losses and a mass at infinity that is known.
bool are_compared(const Finite& first, const Finite& second);

/// The greater of two curves at each epsilon. @param symmetric laws of rational losses, of which
/// the mass at infinity is known. @throws Rejected where it is not decided which curve is greater.
/// Proof: docs/proofs/curves.md#maximum
Finite greater_of(const Finite& first, const Finite& second);

/// Whether the curve of `low` is certainly nowhere above that of `high`; both laws are those of
/// both directions. "No" may mean undecided. Proof: docs/proofs/curves.md#order
bool nowhere_above(const Law& low, const Law& high);

}  // namespace plaudit::proof
