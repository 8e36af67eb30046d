#include "accountants/bent/bent_arcs.hpp"

#include "lib/mutant.hpp"

namespace plaudit {

// With w = 1/2 + u, Re u^2 has the x-derivative 2 a sinh x (u_a sin g - a cos 2g cosh x), so it
// decreases once the bracket is negative.
// Proof: docs/proofs/bent_contour.md#gaussian-factors
Ball gaussian_bound(const Ball& mean, const Hyperbola& hyperbola, const Ball& from,
                    const Ball* to) {
  const Ball& a = hyperbola.scale();
  const Ball double_cosine = square(hyperbola.cosine()) - square(hyperbola.sine());
  const Ball bracket =
      (hyperbola.center() - ldexp(Ball(1), -1)) * hyperbola.sine() - a * double_cosine * cosh(from);
  const bool falls = PLAUDIT_BOUND(
      "bent.gaussian_factor_falls",
      certainly_positive(double_cosine) && !certainly_positive(bracket.upper()), true);
  if (!falls && to == nullptr) return positive_infinity();
  const Ball x_cosh = falls ? cosh(from) : hull(cosh(from), cosh(*to));
  const Ball x_sinh = falls ? sinh(from) : hull(sinh(from), sinh(*to));
  const Ball real = hyperbola.center() + a * hyperbola.sine() * x_cosh;
  const Ball imaginary = a * hyperbola.cosine() * x_sinh;
  return exp((mean * (real * (real - Ball(1)) - square(imaginary))).upper()).upper();
}

// Re w and Im w >= 0 increase along the arc.
// Proof: docs/proofs/bent_contour.md#norms
Ball distance_from(const Ball& pole, const ComplexBall& first, const ComplexBall& last) {
  const Ball before =
      clipped_nonnegative(pole - PLAUDIT_BOUND("bent.pole_right_of_arc", last, first).real())
          .lower();
  const Ball after =
      clipped_nonnegative(PLAUDIT_BOUND("bent.pole_left_of_arc", first, last).real() - pole)
          .lower();
  const Ball height = PLAUDIT_BOUND("bent.pole_below_arc", first, last).imaginary();
  return sqrt(square(max(before, after)) + square(height)).lower();
}

// |w'|^2 = a^2 (sinh^2 x + cos^2 g) increases; an arc holds at most length / step + 1 points.
// Proof: docs/proofs/bent_contour.md#norms
Ball arc_weight(const Hyperbola& hyperbola, const Ball& from, const Ball& to, const Ball& step) {
  const ComplexBall first = hyperbola.point(from), last = hyperbola.point(to);
  const Ball& far = PLAUDIT_BOUND("bent.arc_derivative_at_far_end", to, from);
  const Ball derivative = hyperbola.scale() * sqrt(square(sinh(far)) + square(hyperbola.cosine()));
  const Ball denominator =
      (distance_from(Ball(0), first, last) * distance_from(Ball(1), first, last)).lower();
  if (!certainly_positive(denominator)) return positive_infinity();
  const Ball length = to - from + PLAUDIT_BOUND("bent.one_more_node_on_arc", step, Ball(0));
  return (length * derivative / denominator).upper();
}

// |w'| <= a cosh x, |w (w - 1)| >= (a cos g sinh x)^2, both bounds' quotient decreases.
// Proof: docs/proofs/bent_contour.md#norms, docs/proofs/bent_contour.md#truncation
Ball infinite_arc_weight(const Hyperbola& hyperbola, const Ball& from, const Ball& step) {
  const Ball first = step * cosh(from) / square(sinh(from));
  const Ball reach = PLAUDIT_BOUND("bent.infinite_arc", Ball(1) / sinh(from), Ball(0)) +
                     PLAUDIT_BOUND("bent.one_more_node_on_infinite_arc", first, Ball(0));
  return (reach / (hyperbola.scale() * square(hyperbola.cosine()))).upper();
}

}  // namespace plaudit
