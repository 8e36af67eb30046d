// The curves that have a closed form, by an arithmetic that shares nothing with the accountants.
//
// Evaluated from the text of the spec (its syntax tree: none of the mechanisms' code) by intervals
// of MPFR with directed rounding (none of Arb). What is covered:
//   compositions of Gaussians                   Phi, Phi
//   one step of a Gaussian mixture, of its      the likelihood ratio increases with the output: its
//     Poisson samples and of groups of records  root is bracketed, then Phi
//   one step of Laplace noise                   elementary
//   randomized response, pure and approximate   a binomial sum (Kairouz, Oh, Viswanath 2015)
//     mechanisms of one epsilon, composed
// Proof: docs/proofs/closed_forms.md#mixture
// Proof: docs/proofs/closed_forms.md#binomial
#pragma once

#include <optional>
#include <string>

#include "mechanisms/direction.hpp"
#include "verification/crosscheck/directed.hpp"

namespace plaudit {

/// Encloses delta(epsilon) of this direction; relative width below 10^-15 where 3200 bits suffice.
/// Nothing where no form applies, or a binomial sum has over 200000 terms.
std::optional<Directed> closed_form_delta(const std::string& spec, Direction direction,
                                          const Rational& epsilon);

}  // namespace plaudit
