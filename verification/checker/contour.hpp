// delta from a straight contour for a product of lines (docs/certificates/straight.md).
// Proof: docs/proofs/straight_contour.md#periodisation docs/proofs/straight_contour.md#one-residue
#pragma once

#include "verification/checker/kinds.hpp"
#include "verification/checker/lines/line_product.hpp"

namespace plaudit::proof {

/// Encloses the finite part of delta, errors included. Takes all fields.
Proof prove_contour(Fields& choices, const LineProduct& product, const Rational& epsilon,
                    Budget& budget);

/// The same of delta itself, with the mass at infinity; nothing may have been moved there.
Proof prove_total(Fields& choices, const LineProduct& product, const Rational& epsilon,
                  Budget& budget);

}  // namespace plaudit::proof
