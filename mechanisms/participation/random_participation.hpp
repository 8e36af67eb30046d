// A record that takes part in steps at random, under correlated noise: the scheme, and the bounds
// that hold for every one.
//
// A lower triangular Toeplitz matrix C of nonnegative coefficients c_0, ..., c_(p-1) is released
// with N(0, sigma^2) noise. The record draws its steps T by itself, and moves each by at most the
// sensitivity. The pair is sum_T w_T N(m_T, 1) against N(0, 1), m_T = a C 1_T, a^2 = ratio. W is
// its likelihood ratio. Proof: docs/proofs/random_participation.md#pair
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "lib/exact/rational.hpp"

namespace plaudit {

struct RandomParticipation {
  std::vector<Rational> coefficients;  ///< >= 0, the first one not 0, at most `period` of them
  Rational ratio;                      ///< (sensitivity / sigma)^2
  std::size_t steps;
  std::size_t period;  ///< of balls in bins: the bins; of separated draws: the separation
  /// Of separated draws: the probability to take part wherever that is possible. None: a bin is
  /// drawn uniformly, and the record takes part in the steps that are this bin modulo the bins.
  std::optional<Rational> rate;
  /// Of separated draws: as if there had been steps before the first one for ever, of which nothing
  /// is released. Else nobody took part before.
  bool stationary = false;

  std::size_t bands() const { return coefficients.size(); }
};

/// Of stationary draws the probability to be free to take part: 1 / (1 + (separation - 1) rate).
Rational free_share(const RandomParticipation& scheme);

/// <m_r, m_s> / ratio of bins r and s: for each r by those s of which it is not 0.
using BinProducts = std::vector<std::map<std::size_t, Rational>>;
BinProducts products_of_bins(const RandomParticipation& scheme);

/// The greatest |m_T|^2, ratio included: both curves are at most those of N(m, 1) with this |m|^2.
Rational greatest_square(const RandomParticipation& scheme);

}  // namespace plaudit
