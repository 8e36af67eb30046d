// Upper bounds in binary64 of sums of |e^{w l}| and |e^{w l} - 1| over the pieces of a path, for
// all w of an arc at once: every operation is rounded upward.
//
// On a piece l is only known to lie in a disk; Re(w l) = C Re l + S D(l) with D(l) = sin(g) Re l -
// cos(g) Im l, C and S in ranges, S >= 0 (docs/certificates/bent.md#norms).
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
  DoubleRange level, reach, sine, cosine;
  double size;
};
/// Times e^log_unit.
struct DoubleNorms {
  double log_unit, minus_one, plain;
};
/// Upper bounds for all w of the arc, every operation rounded upward; infinite where doubles do
/// not suffice.
DoubleNorms norms_above(const std::vector<DoublePiece>& pieces, const DoubleArc& arc);
/// Upper bound of D(l), and of 0.
double steepest_above(const std::vector<DoublePiece>& pieces, const DoubleRange& sine,
                      const DoubleRange& cosine);

}  // namespace plaudit
