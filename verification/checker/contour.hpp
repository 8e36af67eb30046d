// delta from a straight contour for a product of lines (docs/certificates/straight.md).
// Proof: docs/proofs/straight_contour.md#periodisation docs/proofs/straight_contour.md#one-residue
#pragma once

#include "verification/checker/kinds.hpp"
#include "verification/checker/lines/line_product.hpp"

namespace plaudit::proof {

/// Bounds the finite part of delta, errors included: of the changed composition where draws were
/// moved to L = inf. Takes all fields.
Proof prove_contour(Fields& choices, const LineProduct& product, const Rational& epsilon,
                    Budget& budget);

/// Bounds delta itself, with the mass at infinity; nothing may have been moved there.
Proof prove_total(Fields& choices, const LineProduct& product, const Rational& epsilon,
                  Budget& budget);

}  // namespace plaudit::proof
