// Orders t and first guesses, in floating point. Heuristics only: nothing here enters a band.
//
// With K the composed cumulant function and log c(t) = t log t - (1+t) log(1+t):
//   at fixed eps     log c(t) + K(t) - t eps is convex in t; its slope is K' - eps + log(t/(1+t));
//   at fixed delta   (log c(t) + K(t) - log delta) / t, the eps that Lemma 1 certifies, has the
//                    sign of its slope from t (K' + log(t/(1+t))) - (log c + K - log delta), which
//                    increases in t.
#pragma once

#include <functional>

#include "accountants/cumulants/chernoff_factor.hpp"
#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

using CumulantFunction = std::function<CumulantEstimate(double)>;

/// The t > 0 that minimises the bound of Lemma 1 (docs/proofs/chernoff.md#chernoff): of delta at
/// eps, or of eps at log delta. @param start where the search begins.
double chernoff_order_at_epsilon(const CumulantFunction& cumulant, double epsilon,
                                 double start = 4);
double chernoff_order_at_delta(const CumulantFunction& cumulant, double log_delta,
                               double start = 4);

/// eps(delta) by the saddle-point approximation; a few percent off at worst for many steps.
double estimate_epsilon(const CumulantFunction& cumulant, double log_delta);

}  // namespace plaudit
