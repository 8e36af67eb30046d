// Moments of the mean of t independent lognormal variables of mean 1:
//   A(w) = E (S/t)^w,  S = X_1 + .. + X_t,  X_i = e^(a y_i - a^2/2),  w complex, entire.
//
// Method: with phi the Laplace transform of one X, Psi_m(u) = E (S/t)^m e^(-e^u S/t) is made of the
// t-th power of phi and its derivatives, and Gamma(v) A(m - v) is the Mellin transform of Psi_m: a
// trapezoidal rule on lines turned so that Gamma(v) does not cancel, one for each part of the
// heights. Errors: aliases, nodes left out on either side, and what phi carries in its radius. All
// of them are relative to A at real points. Proof: docs/proofs/random_allocation.md#mellin
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "lib/analysis/lognormal_transform.hpp"
#include "mechanisms/allocation/allocation_estimate.hpp"
#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

class AllocationMoments {
 public:
  /// @param squared_rate a^2 > 0. @param steps t >= 1.
  AllocationMoments(const Rational& squared_rate, std::uint64_t steps);

  /// A(r), good to about e^-nats relative to itself.
  Ball on_axis(const Ball& r, double nats) const;
  /// A(r - i k step) for k < count, step > 0, each to about e^-nats A(r).
  LineValues on_line(const Ball& r, const Ball& step, std::size_t count, double nats) const;
  /// A(w) for one w.
  ComplexBall at(const ComplexBall& w, double nats) const;
  /// log of what |A(r + iy)| / A(r) is at most, for real r and y: -a^2 y^2 / (2t).
  /// Proof: docs/proofs/random_allocation.md#decay
  Ball log_decay(const Ball& y) const;

  double estimate_log_decay(double y) const;
  /// log A(r), mean and variance of log(S/t) under the law tilted by r.
  CumulantEstimate estimate(double r) const { return estimate_.at(r); }
  /// What the nodes of on_line up to the height y cost, in simple ones.
  double estimate_points(double r, double y, double nats) const;

  /// Upper bounds of A at real points from elementary inequalities.
  /// Proof: docs/proofs/random_allocation.md#elementary
  Ball elementary_bound(const Ball& r) const;
  /// A(m), m >= 0 an integer.
  /// Proof: docs/proofs/random_allocation.md#elementary
  Ball integer_moment(std::uint64_t m) const;
  /// A(r), r >= 0, from those of the integers around it.
  /// Proof: docs/proofs/random_allocation.md#elementary
  Ball between_integers(const Ball& r) const;

  /// A line of nodes: u_j = j step, first <= j <= last, turned by theta.
  struct Line {
    std::uint64_t order = 0;  ///< m
    double theta = 0;
    Rational step;
    Rational unit;  ///< that step, a^2 and the rule of phi are multiples of
    long units_of_step = 1, units_of_rate = 1;
    long first = 0, last = 0;
    double nats_of_transform = 0;
    std::size_t size() const { return static_cast<std::size_t>(last - first + 1); }
  };
  /// How A(r - iy) can be had for the heights y from low to high, to about e^-nats A(r): choices in
  /// floating point, which whoever evaluates them has to check.
  struct Plan {
    Line line;
    LognormalTransform::Rule transform;
    double right_order;            ///< for the bound of the nodes on the right that are left out
    long first_gamma, last_gamma;  ///< nodes for the gamma function by the same line
    double bits;                   ///< to compute with
  };
  /// @throws std::domain_error where the moment is of too high an order, or too dear.
  Plan plan(double r, double low, double high, double nats) const;
  /// A(r) by the nodes of a line that is not turned, at the working precision; nothing where the
  /// bound of its aliases is not below A(r) itself.
  std::optional<Ball> by_nodes(const Ball& r, const Line& line) const;
  /// A(r - i k step) for k < count likewise, from an upper bound of A(r).
  LineValues by_nodes(const Ball& r, const Ball& step, std::size_t count, const Line& line,
                      const Ball& axis) const;

 private:
  /// The heights that a line of nodes serves.
  struct Heights {
    double low, high;
    double at(double part) const { return low + part * (high - low); }
  };
  /// Those of k step, from <= k < to.
  struct Part {
    std::size_t from, to;
  };
  std::vector<double> cuts(double r, double y, double nats) const;
  Line choose(double r, const Heights& heights, double nats) const;
  std::optional<Line> choose_for(long order, double r, const Heights& heights, double nats) const;
  std::optional<double> least_omega(double c, const Heights& heights, double theta, double p) const;
  static bool is_of_high_order(double r);
  void extend_integers(std::uint64_t most) const;
  static double cost_of_bits(const Line& line);
  static double cost_of_nodes(const Line& line);
  double log_front(double c, const Heights& heights, double theta) const;
  double log_psi(std::uint64_t order, double u) const;
  double log_terms(std::uint64_t order, double c, double theta, double low, double high) const;
  double log_error(double c, double y, double theta, double omega) const;
  double log_right_rest(double c, double r, double theta, double u) const;
  /// Heuristic: the order q for which the bound of the nodes on the right from u on is least.
  double best_right_order(double c, double r, double theta, double u) const;
  /// h / Gamma(c) times these bound the nodes on the left and on the right that are left out.
  Ball left_rest(const Line& line, const Ball& c) const;
  Ball right_rest(const Line& line, const Ball& c, const Ball& r) const;
  /// Psi_m at the nodes.
  std::vector<ComplexBall> nodes(const Line& line) const;
  long bits_for(const Line& line, double nats) const;
  /// A line and Psi_m at its nodes, which know nothing of r: neighbouring lines share them.
  struct Table {
    Line line;
    std::vector<ComplexBall> psi;
  };
  /// Heuristic: whether the line is good enough for the heights up to y.
  bool serves(const Line& line, double r, const Heights& heights, double nats) const;
  std::shared_ptr<const Table> table_for(double r, const Heights& heights, double nats,
                                         double bits) const;
  std::shared_ptr<const Table> kept_table(double r, const Heights& heights, double nats) const;
  LineValues on_part(const Ball& r, const Ball& step, const Part& part, double nats,
                     const Ball& axis) const;
  std::optional<Ball> by_table(const Ball& r, const Table& table) const;
  LineValues by_table(const Ball& r, const Ball& step, const Part& part, const Table& table,
                      const Ball& axis) const;

  Rational squared_rate_;
  std::uint64_t steps_;
  AllocationEstimate estimate_;
  mutable std::mutex mutex_;
  mutable std::vector<Ball> integers_;                            ///< A(0), A(1), ..
  mutable std::map<std::pair<std::uint64_t, long>, double> psi_;  ///< of the grid, by order
  mutable std::vector<std::shared_ptr<const Table>> tables_;  ///< at real points; the latest last
  mutable std::vector<std::shared_ptr<const Table>> turned_tables_;
};

}  // namespace plaudit
