// The square of the sensitivity of a matrix mechanism, exactly or bounded from above.
//
// A record takes part in at most k of n steps, any two of them at least b apart, and moves each of
// these steps by a vector of norm at most 1. With the Gram matrix G of the encoder, what is
// released moves by at most sqrt(max sum_(i, j in pattern) |G_ij|). Proof:
// docs/proofs/matrix.md#participation
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "lib/exact/rational.hpp"

namespace plaudit {

/// Steps are numbered from 0.
struct Participation {
  std::size_t steps;
  std::size_t most;        ///< k >= 1
  std::size_t separation;  ///< b >= 1
};

/// The Gram matrix of an encoder.
struct Gram {
  std::function<Rational(std::size_t, std::size_t)> entry;
  std::size_t reach;  ///< entries are 0 where |i - j| >= reach
};

/// Work units (sums of two numbers) that greatest_square_sensitivity takes.
double participation_work(const Participation& who, std::size_t reach);

/// max over the patterns of sum |G_ij|: exactly where k = 1 or reach <= b, else an upper bound.
Rational greatest_square_sensitivity(const Participation& who, const Gram& gram);

}  // namespace plaudit
