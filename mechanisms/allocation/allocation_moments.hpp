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
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "mechanisms/allocation/allocation_bounds.hpp"
#include "mechanisms/allocation/allocation_lines.hpp"
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
  /// log A(r), mean and variance of log(S/t) under the law tilted by r.
  CumulantEstimate estimate(double r) const { return lines_.estimate(r); }

  /// What is known of A without nodes.
  const AllocationBounds& bounds() const { return bounds_; }
  /// How its nodes are chosen.
  const AllocationLines& lines() const { return lines_; }

  using Line = AllocationLines::Line;
  /// A(r) by the nodes of a line that is not turned, at the working precision; nothing where the
  /// bound of its aliases is not below A(r) itself.
  std::optional<Ball> by_nodes(const Ball& r, const Line& line) const;
  /// A(r - i k step) for k < count likewise, from an upper bound of A(r).
  LineValues by_nodes(const Ball& r, const Ball& step, std::size_t count, const Line& line,
                      const Ball& axis) const;

 private:
  using Heights = AllocationLines::Heights;
  /// Those of k step, from <= k < to.
  struct Part {
    std::size_t from, to;
  };
  /// h / Gamma(c) times these bound the nodes on the left and on the right that are left out.
  Ball left_rest(const Line& line, const Ball& c) const;
  Ball right_rest(const Line& line, const Ball& c, const Ball& r) const;
  /// A line and Psi_m at its nodes. These do not depend on r and y: other orders and heights use
  /// them too, where AllocationLines::serves().
  struct Table {
    Line line;
    std::vector<ComplexBall> psi;
  };
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
  AllocationBounds bounds_;
  AllocationLines lines_;
  mutable std::mutex mutex_;
  mutable std::vector<std::shared_ptr<const Table>> tables_;  ///< at real points; the latest last
  mutable std::vector<std::shared_ptr<const Table>> turned_tables_;
};

}  // namespace plaudit
