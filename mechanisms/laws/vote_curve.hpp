// Curves of shuffled k-ary randomized response: n messages, of which T tell something, each for one
// of two values with probability 1/2, while the others weigh something under both.
//
// Of n independent numbers each is e - x or 1 - e x with the probability `share` each, else
// (1 - x) w, w being `heavy` with the probability `rate` and `light` otherwise. The curve is the
// mean of the positive part of their sum, divided by n; the P-mass of the event that the sum is
// positive is that of i e + j + W, over n, its Q-mass that of i + j e + W, i + j = T.
// Proof: docs/proofs/shuffle.md#categories
#pragma once

#include <cstdint>
#include <vector>

#include "lib/balls/ball.hpp"

namespace plaudit {

/// The masses of Binomial(n, rate) from `first` on, but for those that are rarer than `rare` times
/// the likeliest.
struct BinomialMasses {
  std::uint64_t first = 0;
  std::vector<Ball> masses;

  /// Upper bound of what all others have.
  Ball outside() const;
};
BinomialMasses binomial_masses(std::uint64_t n, const Ball& rate, double rare);

/// What is drawn by each message that tells nothing.
struct OtherMessages {
  Ball rate;  ///< of `heavy`, in [0, 1]
  Ball heavy;
  Ball light;  ///< at most `heavy`
};

class VoteCurve {
 public:
  /// Above: the sums W are spread over fewer points, so that the curve does not fall. Below: they
  /// are told apart in as few cells only, whose masses are exact.
  enum class Side { above, below };

  VoteCurve(std::uint64_t users, const Ball& e, const Ball& share, const OtherMessages& others,
            Side side);

  /// Masses of an event: at best that of a positive sum at x >= 1.
  struct Event {
    Ball p;
    Ball q;
  };
  Event event_at(const Ball& x) const;
  /// Above: at least the curve at x >= 1.
  Ball at(const Ball& x) const;

 private:
  /// Values of W that are taken as one value, with factors of what they add to the masses.
  struct Cell {
    Ball place;  ///< that value
    Ball both;   ///< of P(i >= I), in P and Q
    Ball apart;  ///< of I P(i = I), added to P and taken from Q
  };
  /// All for T = `votes`, i ~ Binomial(votes, 1/2); k = 0 is i = votes / 2.
  struct Row {
    std::uint64_t votes;
    std::vector<Cell> cells;   ///< of W
    std::vector<Ball> tails;   ///< P(i >= votes / 2 + k)
    std::vector<Ball> pushed;  ///< i P(i = votes / 2 + k)
  };
  struct Sums {
    Ball both;
    Ball apart;
  };

  std::vector<Cell> cells_of(std::uint64_t votes, const Ball& weight, std::uint64_t messages,
                             const OtherMessages& others, Side side) const;
  static void fill(Row& row);
  static Sums sums_of(const Row& row, const Cell& cell, std::uint64_t least);

  Ball e_;
  std::vector<Row> rows_;
  Ball rest_;  ///< upper bound of the P-mass of all other rows
};

}  // namespace plaudit
