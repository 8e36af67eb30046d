// Powers of truncated power series, and of numbers, with integer exponents of any size.
#pragma once

#include <vector>

#include "lib/balls/complex_ball.hpp"

namespace plaudit {

/// z^n: by products for small n, by the logarithm for large n; a ball that meets 0 gives a disk.
ComplexBall large_power(const ComplexBall& z, std::uint64_t n);

/// The first `count` coefficients of f^n for the polynomial f (its coefficient of y^i at i).
std::vector<ComplexBall> series_power(const std::vector<ComplexBall>& f, std::uint64_t n,
                                      std::size_t count);

/// The first `count` coefficients of (a + d y / (1 + c y))^n, one from the two before it: radii
/// may grow by 1.3 bits a coefficient, where c is large beside d / a and count beside n.
// Proof: docs/proofs/laplace.md#folded-product (evaluation)
std::vector<ComplexBall> series_fraction_power(const ComplexBall& a, const ComplexBall& d,
                                               const ComplexBall& c, std::uint64_t n,
                                               std::size_t count);

/// The first `count` coefficients of f g.
std::vector<ComplexBall> series_product(const std::vector<ComplexBall>& f,
                                        const std::vector<ComplexBall>& g, std::size_t count);

/// The first `count` coefficients of f / (1 + a y).
std::vector<ComplexBall> series_quotient(const std::vector<ComplexBall>& f, const ComplexBall& a,
                                         std::size_t count);

}  // namespace plaudit
