// Proof: docs/proofs/tradeoff.md#cuts
#include "verification/meaning/curve_cuts.hpp"

#include "lib/mutant.hpp"

namespace plaudit {

namespace {

/// A line below D(u) + a u on one piece, by its heights at both ends.
struct CutLine {
  Ball left;
  Ball right;
};

/// The least slope D may have to the right of this point: the greatest of the secants before it.
Ball slope_to_the_right(const CutCurve& curve, std::size_t i) {
  const std::vector<CurvePoint>& at = curve.points;
  Ball best = -curve.q_mass.upper();  // convex, and D(0) = 1: nowhere is it steeper
  for (std::size_t j = 0; j < i; ++j) {
    const Ball run = at[i].u - at[j].u;
    if (!certainly_positive(run)) continue;
    const Ball rise = PLAUDIT_BOUND("curve_cuts.rise_before", at[i].lower - at[j].upper,
                                    at[i].upper - at[j].lower);
    best = max(best, rise / run).lower();
  }
  return best;
}

/// The greatest slope D may have to the left of this point.
Ball slope_to_the_left(const CutCurve& curve, std::size_t i) {
  const std::vector<CurvePoint>& at = curve.points;
  Ball best(0);  // D does not rise
  for (std::size_t k = i + 1; k < at.size(); ++k) {
    const Ball run = at[k].u - at[i].u;
    if (!certainly_positive(run)) continue;
    const Ball rise = PLAUDIT_BOUND("curve_cuts.rise_after", at[k].upper - at[i].lower,
                                    at[k].lower - at[i].upper);
    best = min(best, rise / run).upper();
  }
  return best;
}

/// The least height of a mixture of both lines, which is below the higher one everywhere.
Ball least_of_mixture(const CutLine& one, const CutLine& other, const Ball& share) {
  const Ball rest = Ball(1) - share;
  return min(share * one.left + rest * other.left, share * one.right + rest * other.right).lower();
}

/// The best bound on a piece that both lines are below, and about where the higher one is least.
struct CutPiece {
  Ball bound;
  Ball place;  ///< as a share of the piece
};

CutPiece on_piece(const CutLine& falling, const CutLine& rising) {
  CutPiece piece{least_of_mixture(falling, rising, Ball(1)), Ball(0)};
  const Ball other = least_of_mixture(falling, rising, Ball(0));
  if (certainly_less(piece.bound, other)) piece = {other, Ball(1)};
  const Ball fall = (falling.left - falling.right).middle();
  const Ball rise = (rising.right - rising.left).middle();
  if (!certainly_positive(fall) || !certainly_positive(rise)) return piece;
  const Ball share = (rise / (rise + fall)).middle();  // of the falling line: the mixture is level
  if (!certainly_nonnegative(share) || !certainly_less_equal(share, Ball(1))) return piece;
  const Ball level = least_of_mixture(falling, rising, share);
  if (!certainly_less(piece.bound, level)) return piece;
  const Ball place = (falling.left - rising.left) / (fall + rise);
  return {level, max(Ball(0), min(Ball(1), place.middle()))};
}

}  // namespace

LeastHeight least_height(const CutCurve& curve, const Ball& a) {
  const std::vector<CurvePoint>& at = curve.points;
  const std::size_t last = at.size() - 1;
  LeastHeight least{(curve.infinite + a * at[last].u).lower(), last - 1, at[last].u};
  for (std::size_t i = 0; i < last; ++i) {
    const CurvePoint& from = at[i];
    const CurvePoint& to = at[i + 1];
    const Ball run = to.u - from.u;
    const Ball left = a * from.u;
    const Ball right = a * to.u;
    const CutLine falling{from.lower + left,
                          from.lower + slope_to_the_right(curve, i) * run + right};
    const CutLine rising{to.lower - slope_to_the_left(curve, i + 1) * run + left, to.lower + right};
    const CutPiece piece = on_piece(falling, rising);
    if (certainly_less(piece.bound, least.bound)) {
      least = {piece.bound, i, (from.u + piece.place * run).middle()};
    }
  }
  return least;
}

}  // namespace plaudit
