// Renyi divergences of a composition, enclosed to any number of digits.
//
// D_alpha(P||Q) = log E_P[e^{(alpha-1) L}; L < inf] / (alpha - 1) for alpha > 0, alpha != 1, and
// +inf where alpha > 1 and P(L = inf) > 0. The divergences of independent factors add up, so that
// of a composition is K(alpha - 1) / (alpha - 1) (docs/proofs/chernoff.md#renyi).
#pragma once

#include "accountants/accountant.hpp"
#include "accountants/session/answer.hpp"

namespace plaudit {

/// @param order > 0, not 1. @throws std::invalid_argument naming the domain otherwise. An order
///   whose moment cannot be enclosed gives [0, inf] with a remark.
/// @param listener hears of the band as it narrows; nothing for none.
Enclosure renyi_divergence(const ComposedLoss& loss, const Rational& order, int digits,
                           const BandListener* listener = nullptr);

/// The same for the directions of the options, within their limits. Like delta, the answer is the
/// larger of the directions, end by end.
Answer renyi_answer(const Composition& composition, const Rational& order,
                    const AnswerOptions& options);

}  // namespace plaudit
