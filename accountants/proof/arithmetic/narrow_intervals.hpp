// exp, expm1, erfc, log, arctangent, cosine and sine of an interval whose ends are near each other,
// from one value of MPFR in place of one for each end.
//
// MPFR rounds each value as it is told to, so that it or its neighbour bounds the true one on
// either side; how far the function moves from there to the other end is bounded by its derivative.
// Proof: docs/proofs/narrow_intervals.md#ends
#pragma once

#include <optional>
#include <utility>

#include "accountants/proof/arithmetic/intervals.hpp"

namespace plaudit::proof {

// Nothing where the interval is not narrow beside its place, has an end that is no number, or a
// value that MPFR's exponents do not hold: then each end has a value of its own.
std::optional<Interval> narrow_exp(const Interval& x);
std::optional<Interval> narrow_expm1(const Interval& x);
std::optional<Interval> narrow_erfc(const Interval& x);
/// Nothing where x may be 0 or less, of the arctangent where it may be 0.
std::optional<Interval> narrow_log(const Interval& x);
std::optional<Interval> narrow_arctangent(const Interval& x);
/// Cosine and sine.
std::optional<std::pair<Interval, Interval>> narrow_turn(const Interval& angle);

}  // namespace plaudit::proof
