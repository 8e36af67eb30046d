#include "mechanisms/bent/hyperbola.hpp"

#include "lib/mutant.hpp"

namespace plaudit {

// cosh x = sinh x + e^-x splits Re(w l); |sin g cosh x + i cos g sinh x|^2 = sin^2 g + sinh^2 x
// <= cosh^2 x bounds |w|.
// Proof: docs/proofs/bent_contour.md#hyperbola
HyperbolaArc::HyperbolaArc(const Hyperbola& hyperbola, const Ball& from, const Ball& to)
    : sine(hyperbola.sine()),
      cosine(hyperbola.cosine()),
      coefficient(hull(hyperbola.center() + hyperbola.scale() * sine * exp(-from),
                       hyperbola.center() +
                           hyperbola.scale() * sine *
                               exp(-PLAUDIT_BOUND("hyperbola.coefficient_at_far_end", to, from)))),
      growth_from(hyperbola.scale() * sinh(PLAUDIT_BOUND("hyperbola.growth_at_start", from, to))),
      growth_to(hyperbola.scale() * sinh(PLAUDIT_BOUND("hyperbola.growth_at_far_end", to, from))),
      modulus((abs(hyperbola.center()) +
               hyperbola.scale() * cosh(PLAUDIT_BOUND("hyperbola.modulus_at_far_end", to, from)))
                  .upper()),
      infinite(false) {}

HyperbolaArc::HyperbolaArc(const Hyperbola& hyperbola, const Ball& from)
    : sine(hyperbola.sine()),
      cosine(hyperbola.cosine()),
      coefficient(hull(hyperbola.center() + hyperbola.scale() * sine * exp(-from),
                       PLAUDIT_BOUND("hyperbola.coefficient_at_infinity", hyperbola.center(),
                                     hyperbola.center() + hyperbola.scale() * sine * exp(-from)))),
      growth_from(hyperbola.scale() * sinh(from)),
      infinite(true) {}

}  // namespace plaudit
