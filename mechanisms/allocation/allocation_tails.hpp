// Distribution functions of V = log(S/t) under a law and under the same tilted by e^V, from values
// of its moment generating function on vertical lines: sums with the kernel 1 / z of the tail.
// The Gaussian factor of V (docs/proofs/random_allocation.md#decay) makes them converge. Errors:
// aliases, nodes left out, and the radius of the sum.
// Proof: docs/proofs/random_allocation.md#tails
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "lib/balls/complex_ball.hpp"
#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

class AllocationTails {
 public:
  /// The law: that of V, by A(w) = E e^(wV), with A(0) = A(1) = 1.
  class Law {
   public:
    virtual ~Law() = default;
    /// A(r), r real, to about e^-nats relative to itself.
    virtual Ball moment(const Ball& r, double nats) const = 0;
    /// A(r - i k step), k < count, to about e^-nats A(r).
    virtual std::vector<ComplexBall> on_line(const Ball& r, const Ball& step, std::size_t count,
                                             double nats) const = 0;
    /// g > 0 with |A(r + iy)| <= A(r) e^(-g y^2).
    virtual Ball decay() const = 0;
    virtual CumulantEstimate estimate(double r) const = 0;
  };

  /// @param law outlives this.
  explicit AllocationTails(const Law& law);

  /// V <= x and V > x: the one that its line computes is accurate relative to itself, the other is
  /// 1 less that.
  struct Masses {
    Ball below;
    Ball above;
  };
  struct Both {
    Masses plain;   ///< under the law
    Masses tilted;  ///< under e^V times the law
  };
  /// At the working precision; from any thread.
  Both at(const Ball& x) const;

  /// A line, chosen in doubles. Whatever has left <= 0, left < r < right, right >= 1 and a finite
  /// step > 0 gives true bounds, a bad choice wide ones.
  struct Choice {
    double r = 0;                ///< not 0, not 1
    double step = 0;             ///< of nodes
    std::size_t count = 0;       ///< of nodes
    double right = 1, left = 0;  ///< orders of the bounds of aliases
    double nats = 0;             ///< accuracy of the nodes
  };
  /// The same by a line that is made for this call and not kept. @param x best exact: its radius
  /// widens the sum.
  Both at(const Ball& x, const Choice& choice) const;

 private:
  struct Line;
  std::shared_ptr<const Line> line_for(double x) const;
  /// A line, and the least and greatest x for which it is made.
  struct Class {
    double r, least, greatest;
  };
  static double place(int index);
  Class class_of(double x) const;
  Choice choose(const Class& chosen, long bits) const;
  Line make(const Choice& choice) const;
  Masses on(const Line& line, const Ball& x, int tilt) const;
  Both on(const Line& line, const Ball& x) const { return {on(line, x, 0), on(line, x, 1)}; }
  static Both anything();
  Both at_point(const Ball& x) const;

  const Law& law_;
  mutable std::mutex mutex_;
  mutable std::map<int, double> cumulants_;
  mutable std::map<std::pair<long, double>, std::shared_ptr<const Line>> lines_;
};

}  // namespace plaudit
