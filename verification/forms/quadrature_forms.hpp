// Curves by quadrature and convolution of densities with 100 digits of Boost.Multiprecision: a
// third arithmetic beside balls and intervals.
//
// Nothing here is certified: a value comes with the tolerance that its rule estimates of itself,
// ten times over, and a relative one that is stated beside each function. It shares the reading of
// the spec with the other forms (pairs.hpp), and with the closed ones the convolution of atoms.
#pragma once

#include <optional>
#include <vector>

#include "verification/forms/directed.hpp"
#include "verification/forms/pairs.hpp"

namespace plaudit {

/// delta of one step, the integral of (p - e^eps q)_+; 10^-20 of it.
std::optional<Directed> quadrature_delta(const std::vector<pairs::Step>& steps,
                                         const Rational& epsilon);
/// delta of two or three steps, by integrals of one step's curve; 10^-9 of it, 10^-4 where one
/// integral is within another.
std::optional<Directed> convolution_delta(const std::vector<pairs::Step>& steps,
                                          const Rational& epsilon);
/// delta of one epoch of random allocation to two or three steps; 10^-11 of it, or 10^-8.
std::optional<Directed> allocation_delta(const std::vector<pairs::Step>& steps,
                                         const Rational& epsilon);
/// The least bound of delta by one order, of factors with bounded moments and Gaussians; 10^-12.
std::optional<Directed> moments_delta(const std::vector<pairs::Step>& steps,
                                      const Rational& epsilon);
/// The Renyi divergence, the logarithm of the integral of p^order q^(1 - order); 10^-15.
std::optional<Directed> quadrature_renyi(const std::vector<pairs::Step>& steps,
                                         const Rational& order);
/// The greatest power of a test of Gaussians with this false positive rate, by quantiles; 10^-20.
std::optional<Directed> quantile_power(const std::vector<pairs::Step>& steps, const Rational& fpr);

}  // namespace plaudit
