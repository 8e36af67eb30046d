// Distribution functions of one epoch of many steps: of S = X_1 + .. + X_t, X_i independent
// lognormal variables of mean 1, under their law and under the same tilted by S/t.
//
// Method: their Laplace transforms phi(s)^t and phi(s)^(t-1) phi(e^(a^2) s), summed over
// equidistant nodes s of a vertical line; phi by the trapezoidal rule on a line turned by 45
// degrees, which serves all nodes. About as many nodes are needed as the greatest y has deviations
// of S, however many steps there are. Errors: aliases on both sides, nodes left out, the rule for
// phi. They are absolute, not relative to a tail. Proof: docs/proofs/random_allocation.md#epoch
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "lib/balls/complex_ball.hpp"
#include "mechanisms/allocation/allocation_estimate.hpp"

namespace plaudit {

class AllocationEpoch {
 public:
  /// @param squared_rate a^2 > 0. @param steps t >= 2.
  AllocationEpoch(const Rational& squared_rate, std::uint64_t steps);

  /// P(S <= y), that is P(log(S/t) <= x) at y = t e^x: F_0 under the law, F_1 under the tilted one.
  struct Below {
    Ball plain;
    Ball tilted;
  };
  /// At the working precision, for finite x; from any thread.
  Below at(const Ball& x) const;
  /// Heuristic: whether the line for x has few nodes at the working precision.
  bool is_cheap(const Ball& x) const;

  /// A line of nodes s_k = c + i k step: heuristics, valid wherever the conditions of the proof
  /// hold, which make() checks: 0 < c < g, 0 < turn < pi/2, a half_width < pi/4, count >= 2.
  struct Choice {
    double c = 0, step = 0;
    std::size_t count = 0;                 ///< of nodes
    double g = 0;                          ///< order of the bound of the aliases from below
    double turn = 0;                       ///< beta of the bound of the nodes left out
    double nats = 0;                       ///< accuracy of phi
    double rule_step = 0, half_width = 0;  ///< of the rule for phi
    long rule_points = 0;
  };
  /// The same at y by one line. @throws std::domain_error where a condition fails.
  Below at_sum(const Ball& y, const Choice& choice) const;

 private:
  struct Line;
  double period_of(int index, long bits) const;
  int class_of(double y, long bits) const;
  double estimate_point(const Ball& x) const;
  Below at_point(const Ball& x) const;
  double log_phi(double s) const { return one_.log_psi(0, std::log(s)); }
  double log_left_out(double height, double c, double* turn) const;
  Choice choose(int index, long bits) const;
  const Choice& choice_for(int index, long bits) const;
  Line make(const Choice& choice) const;
  Below on(const Line& line, const Ball& y) const;

  Rational squared_rate_;
  std::uint64_t steps_;
  double rate_, deviation_;
  AllocationEstimate one_;  ///< of a single variable
  mutable std::mutex mutex_;
  mutable std::map<std::pair<long, int>, Choice> choices_;
  mutable std::map<std::pair<long, int>, std::shared_ptr<const Line>> lines_;
};

}  // namespace plaudit
