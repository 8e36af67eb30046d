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

// Nothing where the interval is not narrow (log, arctangent: relative to its end nearest to 0), has
// an end that is no number, or a value beyond MPFR's exponents: then both ends are to be evaluated.
std::optional<Interval> narrow_exp(const Interval& x);
std::optional<Interval> narrow_expm1(const Interval& x);
std::optional<Interval> narrow_erfc(const Interval& x);
/// Nothing either for the log where x may be 0 or less, for the arctangent where x may be 0.
std::optional<Interval> narrow_log(const Interval& x);
std::optional<Interval> narrow_arctangent(const Interval& x);
/// Cosine and sine.
std::optional<std::pair<Interval, Interval>> narrow_turn(const Interval& angle);

}  // namespace plaudit::proof
