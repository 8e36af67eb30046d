// Bounds on arcs of the hyperbola that do not depend on the factors: distances from the poles, the
// measure |w'| / |w (w - 1)| dx, and Gaussian factors. Proof: docs/proofs/bent_contour.md#norms
#pragma once

#include "mechanisms/bent/hyperbola.hpp"

namespace plaudit {

/// Upper bound of |e^{mean w (w - 1)}| on the arc from <= x <= to (x >= from without `to`).
Ball gaussian_bound(const Ball& mean, const Hyperbola& hyperbola, const Ball& from, const Ball* to);

/// Lower bound of |w - pole| on the arc whose ends are these.
Ball distance_from(const Ball& pole, const ComplexBall& first, const ComplexBall& last);

/// Upper bound of int |w'| / |w (w - 1)| dx over the arc, 0 <= from < to, and of step times its sum
/// over points `step` apart, any of those on the arc; `step` is 0 for the integral.
Ball arc_weight(const Hyperbola& hyperbola, const Ball& from, const Ball& to, const Ball& step);
/// The same for x >= from > 0.
Ball infinite_arc_weight(const Hyperbola& hyperbola, const Ball& from, const Ball& step);

}  // namespace plaudit
