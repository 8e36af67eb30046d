// Values of the continuous part of A(W) = E_Q f^W for Poisson-sampled Laplace noise on the nodes of
// a folded line: one Gauss-Legendre rule in l for all of them, as a product of two matrices.
//
// Theorem: docs/proofs/laplace.md#sampled-values
#pragma once

#include <vector>

#include "accountants/sweep/sampled_density.hpp"
#include "lib/balls/complex_ball.hpp"
#include "lib/balls/error_term.hpp"

namespace plaudit {

inline constexpr ErrorTerm sampled_quadrature_term{"sampled_laplace.quadrature",
                                                   "docs/proofs/laplace.md#sampled-values"};

/// The nodes W = r + i (k h + 2 pi j / D), 0 <= k <= nodes, |j| <= direct.
struct SampledNodes {
  Ball r;
  Ball h;
  std::uint64_t nodes = 0;
  std::uint64_t direct = 0;
};

struct SampledRule {
  std::size_t points = 0;
  double ellipse = 2;  ///< rho of the error bound
};

/// Upper bound of the error of the rule in each value of C(W), Re W = r and |Im W| <= s.
Ball sampled_rule_error(const SampledLaplaceLaw& law, const Ball& r, const Ball& s,
                        const SampledRule& rule);

struct SampledValues {
  /// c_k(j) = e^(-jw x_2) C(W_k + jw), w = 2 pi i / D, C(W) the integral of q(x) e^(Wx):
  /// [k][direct + j].
  std::vector<std::vector<ComplexBall>> values;
  Ball quadrature;  ///< the error in each of them (in the radii)
};

SampledValues sampled_values(const SampledLaplaceLaw& law, const SampledDensity& density,
                             const SampledNodes& nodes, const SampledRule& rule);

}  // namespace plaudit
