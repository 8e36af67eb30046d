// Choice of the lines of nodes from which A(r - iy), the moments of the mean of t independent
// lognormal variables, are computed at some heights y: accurate enough, and cheap, by floating
// point. Choices prove nothing: whoever evaluates a line bounds its errors
// (allocation_moments.hpp). Notation: docs/proofs/random_allocation.md#mellin, c = m - r.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "lib/analysis/lognormal_transform.hpp"
#include "mechanisms/allocation/allocation_estimate.hpp"

namespace plaudit {

class AllocationLines {
 public:
  /// A line of nodes: u_j = j step, first <= j <= last, turned by theta.
  struct Line {
    std::uint64_t order = 0;  ///< m
    double theta = 0;         ///< the turn
    Rational step;
    Rational unit;  ///< that step, a^2 and the rule of phi are multiples of
    long units_of_step = 1, units_of_rate = 1;  ///< step / unit and a^2 / unit
    long first = 0, last = 0;
    double nats_of_transform = 0;  ///< phi is computed to about e^-nats_of_transform, absolutely
    std::size_t size() const { return static_cast<std::size_t>(last - first + 1); }
  };
  /// How A(r - iy) can be had for the heights y from low to high, to about e^-nats A(r): choices in
  /// floating point, which whoever evaluates them has to check.
  struct Plan {
    Line line;
    LognormalTransform::Rule transform;
    double right_order;            ///< q of the bound of the nodes on the right that are left out
    long first_gamma, last_gamma;  ///< nodes of G, Gamma(v) by the same line (#quotient)
    double bits;                   ///< to compute with
  };
  /// The heights that a line of nodes serves.
  struct Heights {
    double low, high;
    double at(double part) const { return low + part * (high - low); }
  };

  /// @param squared_rate a^2 > 0. @param steps t >= 1.
  AllocationLines(const Rational& squared_rate, std::uint64_t steps);

  /// log A(r), mean and variance of log(S/t) under the law tilted by r.
  CumulantEstimate estimate(double r) const { return estimate_.at(r); }
  /// Whether r is too great for any line of nodes.
  static bool is_of_high_order(double r);
  /// @throws std::domain_error where the moment is of too high an order, or too dear.
  Line choose(double r, const Heights& heights, double nats) const;
  /// @throws std::domain_error where the moment is of too high an order, or too dear.
  Plan plan(double r, double low, double high, double nats) const;
  /// Whether the line is good enough for these heights.
  bool serves(const Line& line, double r, const Heights& heights, double nats) const;
  /// Ends of the parts into which the heights from 0 to y are cut. Over each of them arg v changes
  /// so little that the terms of one turned line exceed its sum by few nats more than are wanted.
  static std::vector<double> cuts(double r, double y, double nats);
  /// Bits to compute with.
  static long bits_for(const Line& line, double nats);
  /// The order q for which the bound of the nodes on the right from u on is least.
  double best_right_order(double c, double r, double theta, double u) const;
  /// What the nodes of all lines up to the height y cost, in simple ones.
  double estimate_points(double r, double y, double nats) const;

 private:
  std::optional<Line> choose_for(long order, double r, const Heights& heights, double nats) const;
  void put_on_lattice(Line& line, double longest_step) const;
  double log_psi(std::uint64_t order, double u) const;
  double log_terms(std::uint64_t order, double c, double theta, double low, double high) const;
  double log_right_rest(double c, double r, double theta, double u) const;
  double log_right_bound(double q, double c, double r, double theta, double u) const;

  Rational squared_rate_;
  std::uint64_t steps_;
  AllocationEstimate estimate_;
  mutable std::mutex mutex_;
  mutable std::map<std::pair<std::uint64_t, long>, double> psi_;  ///< of the grid, by order
};

}  // namespace plaudit
