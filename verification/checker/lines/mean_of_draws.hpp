// The mean of t independent lognormal variables of mean 1, S/t = (X_1 + .. + X_t)/t with
// X_i = e^(a y_i - a^2/2), and elementary bounds of A(r) = E (S/t)^r.
// Proof: docs/proofs/random_allocation.md#elementary
#pragma once

#include <cstdint>

#include "accountants/proof/arithmetic/budget.hpp"
#include "accountants/proof/arithmetic/intervals.hpp"

namespace plaudit::proof {

struct MeanOfDraws {
  Rational squared_rate;  ///< a^2 > 0
  std::uint64_t draws;    ///< t >= 1

  Interval count() const { return Interval(Integer(draws)); }
};

/// An upper bound of log A(r), r real.
Interval log_moment_bound(const MeanOfDraws& law, const Interval& r, Budget& budget);

}  // namespace plaudit::proof
