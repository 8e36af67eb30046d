#include "lib/analysis/gauss_legendre.hpp"

#if defined(PLAUDIT_FLINT3) && PLAUDIT_FLINT3
#include <flint/arb_hypgeom.h>
#else
#include <arb_hypgeom.h>
#endif

#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {
constexpr double logarithms_of_node = 12;  ///< what a node costs, nominally
}

QuadratureRule gauss_legendre(std::size_t points) {
  QuadratureRule rule{std::vector<Ball>(points), std::vector<Ball>(points)};
  for (std::size_t i = 0; i < (points + 1) / 2; ++i) {
    if ((i & 15) == 0) check_work_limit();
    arb_hypgeom_legendre_p_ui_root(rule.nodes[i].raw(), rule.weights[i].raw(), points, i,
                                   affordable_precision(logarithms_of_node));
    rule.nodes[points - 1 - i] = -rule.nodes[i];
    rule.weights[points - 1 - i] = rule.weights[i];
  }
  return rule;
}

// Proof: docs/proofs/laplace.md#gauss
Ball gauss_legendre_error(std::size_t points, const Ball& rho, const Ball& greatest) {
  if (points == 0 || !certainly_greater(rho, Ball(1))) return positive_infinity();
  const auto exponent = static_cast<std::uint64_t>(2 * points - 1);
  const Ball bound = ldexp(greatest, 3) / ((rho - Ball(1)) * power(rho, exponent));
  return PLAUDIT_BOUND("gauss_legendre.error", bound, ldexp(bound, -40)).upper();
}

}  // namespace plaudit
