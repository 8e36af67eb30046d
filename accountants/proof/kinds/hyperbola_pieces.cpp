#include "accountants/proof/kinds/hyperbola_pieces.hpp"

#include "lib/mutant.hpp"

namespace plaudit::proof {

// Proof: docs/certificates/bent.md#norms
Norms<Interval> Pieces<Interval>::norms(const Arc<Interval>& arc) const {
  Norms<Interval> sum{0, 0};
  for (const Piece& piece : pieces_) {
    const Interval around = spread(piece.error);
    const Interval steepness = arc.sine * piece.value.re - arc.cosine * piece.value.im;
    const Interval growth =
        exp(top(arc.level * (piece.value.re + around) + arc.reach * (steepness + around)));
    const Interval furthest = abs(piece.value) + piece.error;
    sum.minus_one += piece.weight * min(Interval(1) + growth, arc.size * furthest * max(growth, 1));
    sum.plain += piece.weight * growth;
  }
  return sum;
}

Interval Pieces<Interval>::steepest(const Interval& sine, const Interval& cosine) const {
  Interval worst = 0;
  for (const Piece& piece : pieces_) {
    worst = max(worst, sine * piece.value.re - cosine * piece.value.im + piece.error);
  }
  return worst;
}

namespace {

DoubleRange range_of(const Ball& x) { return {x.lower_double(), x.upper_double()}; }

}  // namespace

void Pieces<Ball>::add(const Ball& log_density, const Ball& length, const ComplexBall& value,
                       const Ball& error) {
  const double real = value.real().estimate(), imaginary = value.imaginary().estimate();
  const Ball moved = abs(value - ComplexBall(Ball(real), Ball(imaginary)));
  pieces_.push_back(
      {(log_density + log(length)).upper_double(), real, imaginary,
       (PLAUDIT_BOUND("hyperbola.error_of_piece", error, Ball(0)) + moved).upper_double(),
       (abs(value) + error).upper_double()});
}

Norms<Ball> Pieces<Ball>::norms(const Arc<Ball>& arc) const {
  const DoubleNorms found =
      norms_above(pieces_, {range_of(arc.level), range_of(arc.reach), range_of(arc.sine),
                            range_of(arc.cosine), arc.size.upper_double()});
  const Ball unit = exp(Ball(found.log_unit));
  return {unit * Ball(found.minus_one), unit * Ball(found.plain)};
}

Ball Pieces<Ball>::steepest(const Ball& sine, const Ball& cosine) const {
  return Ball(steepest_above(pieces_, range_of(sine), range_of(cosine)));
}

}  // namespace plaudit::proof
