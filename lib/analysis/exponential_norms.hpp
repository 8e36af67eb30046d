// Upper bounds in binary64 of sums of |e^{w l}| and |e^{w l} - 1| over the pieces of a path, for
// all w of an arc at once: every operation is rounded upward.
//
// On a piece l is only known to lie in a disk. An arc is known by ranges of C, S >= 0 and of the
// sine and cosine of an angle g, with Re(w l) = C Re l + S D(l), D(l) = sin(g) Re l - cos(g) Im l
// (docs/certificates/bent.md#norms; the bounds: docs/proofs/hyperbola.md#doubles).
#pragma once

#include <vector>

namespace plaudit {

/// |l - (real + i imaginary)| <= error and |l| <= modulus on a piece that weighs e^log_weight.
struct DoublePiece {
  double log_weight, real, imaginary, error, modulus;
};
struct DoubleRange {
  double low, high;
};
struct DoubleArc {
  DoubleRange level, reach, sine, cosine;  ///< C, S, sin g, cos g
  double size;                             ///< >= |w|
};
/// e^log_unit times these numbers bound the sums of |e^{w l} - 1| and |e^{w l}| times the weights.
struct DoubleNorms {
  double log_unit, minus_one, plain;
};
/// Upper bounds for all w of the arc; infinite where a number of the arc, or an exponent, is.
DoubleNorms norms_above(const std::vector<DoublePiece>& pieces, const DoubleArc& arc);
/// Upper bound of D(l) on all pieces, and of 0.
double steepest_above(const std::vector<DoublePiece>& pieces, const DoubleRange& sine,
                      const DoubleRange& cosine);

}  // namespace plaudit
