// Integrals of analytic functions over a segment, enclosed by adaptive Gauss-Legendre rules (F.
// Johansson, "Numerical integration in arbitrary-precision ball arithmetic", ICMS 2018; Arb's
// acb_calc_integrate).
#pragma once

#include <functional>

#include "lib/balls/complex_ball.hpp"

namespace plaudit {

/// f(x, analytic): encloses f on the rectangle x at the working precision. If `analytic` is set and
/// f is not certainly analytic on all of x, the result must not be finite.
using Integrand = std::function<ComplexBall(const ComplexBall& x, bool analytic)>;

/// Encloses the integral of f over [a, b]. The goal is an error of at most `tolerance`, or 2^-p of
/// the integral, p the working precision. @throws WorkLimitReached, and what f throws.
ComplexBall certified_integral(const Integrand& f, const Ball& a, const Ball& b,
                               const Ball& tolerance);

}  // namespace plaudit
