// Gauss-Legendre rules with enclosed nodes and weights, and the error of a rule on functions that
// are analytic in an ellipse.
//
// One rule serves many integrands at once, where adaptive integration (certified_integral.hpp)
// would take each on its own. Theorem: docs/proofs/laplace.md#gauss
#pragma once

#include <vector>

#include "lib/balls/ball.hpp"

namespace plaudit {

struct QuadratureRule {
  std::vector<Ball> nodes;  ///< in (-1, 1), decreasing
  std::vector<Ball> weights;
};

/// The rule of so many points, at the working precision.
QuadratureRule gauss_legendre(std::size_t points);

/// Upper bound of |integral over [-1, 1] - rule| for functions that are analytic inside and on the
/// ellipse with the foci -1, 1 and the semi-axes (rho + 1/rho)/2, (rho - 1/rho)/2 and at most
/// `greatest` there in modulus; +inf unless rho > 1 certainly.
Ball gauss_legendre_error(std::size_t points, const Ball& rho, const Ball& greatest);

}  // namespace plaudit
