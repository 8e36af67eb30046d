#include "mechanisms/hyperbola.hpp"

namespace plaudit {

// cosh x = sinh x + e^-x splits Re(w l); |sin g cosh x + i cos g sinh x|^2 = sin^2 g + sinh^2 x
// <= cosh^2 x bounds |w|.
// Proof: docs/proofs/bent_contour.md#hyperbola
HyperbolaArc::HyperbolaArc(const Hyperbola& hyperbola, const Ball& from, const Ball& to)
    : sine(hyperbola.sine()),
      cosine(hyperbola.cosine()),
      coefficient(hull(hyperbola.center() + hyperbola.scale() * sine * exp(-from),
                       hyperbola.center() + hyperbola.scale() * sine * exp(-to))),
      growth_from(hyperbola.scale() * sinh(from)),
      growth_to(hyperbola.scale() * sinh(to)),
      modulus((abs(hyperbola.center()) + hyperbola.scale() * cosh(to)).upper()),
      infinite(false) {}

HyperbolaArc::HyperbolaArc(const Hyperbola& hyperbola, const Ball& from)
    : sine(hyperbola.sine()),
      cosine(hyperbola.cosine()),
      coefficient(
          hull(hyperbola.center() + hyperbola.scale() * sine * exp(-from), hyperbola.center())),
      growth_from(hyperbola.scale() * sinh(from)),
      infinite(true) {}

}  // namespace plaudit
