// From the privacy curve delta(eps) to eps* = the least eps >= 0 with delta(eps) <= delta*.
//
// Proof: docs/proofs/inversion.md#cases
// The cases, in the order in which they are tried (delta is the total delta, m_inf = P(L = inf)):
//   delta(0) <= delta* certainly       eps* = 0
//   m_inf > delta* certainly           eps* = inf
//   m_inf = delta* exactly             eps* = max(0, ess sup of the finite part of L)
//   otherwise                          certified bracketing (lib/analysis/crossing.hpp); where
//                                      m_inf <= delta*, max(0, ess sup L) bounds eps* above too.
// What no certain comparison decides leaves that end at 0, resp. inf.
#pragma once

#include <functional>
#include <optional>

#include "accountants/accountant.hpp"
#include "lib/analysis/crossing.hpp"
#include "mechanisms/composition.hpp"

namespace plaudit {

/// The first three cases. @param at_zero encloses delta(0).
std::optional<Crossing> inversion_without_search(const ComposedLoss& loss, const Ball& at_zero,
                                                 const Rational& delta);

/// max(0, ess sup of the finite part of L), an upper bound of eps* (exact ball, possibly +inf)
/// provided that m_inf <= delta* certainly; +inf otherwise.
Ball greatest_epsilon(const ComposedLoss& loss, const Rational& delta);

/// A lower bound of eps* by the greatest atom of L alone; 0 where none is known.
/// Proof: docs/proofs/hockey_stick.md#trivial
Ball epsilon_of_greatest_atom(const ComposedLoss& loss, const Rational& delta);

/// All cases. @param curve encloses delta(eps) at an exact eps >= 0, at the working precision
/// (lib/analysis/crossing.hpp says which). @param guess heuristic. @param bits wanted relative
/// width 2^-bits. Where a limit of time or work ends the search, what the values of the curve have
/// shown until then, if that is anything. @throws WorkLimitReached if not.
Crossing invert_curve(const ComposedLoss& loss, const std::function<Ball(const Ball&)>& curve,
                      const Rational& delta, const Ball& guess, long bits);

/// Bits of relative width that `digits` decimal digits ask for.
long bits_of_digits(int digits);

/// How many more bits the interval [lower, upper] lacks of relative width 2^-bits: at most the
/// working precision, so that precision doubles at most; 0 when it is narrow enough.
long missing_bits(const Ball& lower, const Ball& upper, long bits);

}  // namespace plaudit
