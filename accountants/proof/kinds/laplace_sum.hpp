// n-fold Laplace noise of one ratio a = sensitivity / scale, exactly: a finite sum with integer
// coefficients.
//
// docs/proofs/laplace.md#sum: with x_k = a (n - 2k) - eps,
//   delta(eps) = 2^{1-n} e^{(eps-na)/2} sum_{k: x_k > 0} C(n,k) sum_{j>=1} K_{k,j} (x_k/2)^j / j!,
// sum_j K_{k,j} x^j = x (1+x)^{n-k} (1-x)^k / (1-x^2). The sum over the draws that fall between the
// atoms may stop early (#truncation), the first k may be left out (#window): each with a bound.
// Everything else is rounding.
#pragma once

#include "accountants/proof/arithmetic/budget.hpp"
#include "accountants/proof/kinds/proof.hpp"

namespace plaudit::proof {

struct LaplaceChoices {
  unsigned long draws = 1;    ///< continuous draws that are kept, 1 .. n
  unsigned long first = 0;    ///< the k with which the sum starts, 0 .. n
  Rational order = 1;         ///< > 0: of the moment that bounds more draws
  Rational window_order = 1;  ///< > 0: of the one that bounds the k left out
  Rational part = 0;          ///< in (0, 1 / (1 + 2 window_order)]: their continuous draws
};

inline constexpr ErrorTerm laplace_truncation_term{"laplace_sum.truncation",
                                                   "docs/proofs/laplace.md#truncation"};
inline constexpr ErrorTerm laplace_window_term{"laplace_sum.window",
                                               "docs/proofs/laplace.md#window"};

/// @param epsilon below the greatest loss n a. @throws Rejected where the choices are out of range.
template <class Real>
ProofOf<Real> laplace_sum(const Rational& ratio, unsigned long steps, const Real& epsilon,
                          const LaplaceChoices& choices, Budget& budget);

/// What it costs, in operations (docs/certificates/costs.md#laplace).
Integer cost_of_laplace_sum(const Rational& ratio, unsigned long steps, const Rational& epsilon,
                            const LaplaceChoices& choices, long bits);

}  // namespace plaudit::proof
