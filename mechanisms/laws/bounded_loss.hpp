// A privacy loss of which nothing is known but upper bounds of its moments, as concentrated
// differential privacy states them.
//
// For every pair (P, Q) of outputs of neighbouring data sets, in both directions:
//   K(t) <= linear t + quadratic t^2      for 0 <= t < limit - 1,
//   K(t) <= negative t + quadratic t^2    for -limit < t <= -1,
// K(t) = log E_P[e^{tL}], and E_P[L] <= linear; or, where they are known of some orders
// alone, K(t) and K(-1 - t) are at most the greatest of the lines at t for 0 <= t <= limit - 1.
// There is no worst pair: what this law answers are enclosures that hold for each pair within these
// bounds, so the lower ends say next to nothing. Proof: docs/proofs/bounded_moments.md#moments
#pragma once

#include <memory>
#include <vector>

#include "mechanisms/composition.hpp"
#include "mechanisms/laws/moment_bound.hpp"

namespace plaudit {

class BoundedLoss final : public PrivacyLoss {
 public:
  struct Point {
    Rational t;
    Rational value;
  };
  struct Line {
    Rational slope;
    Rational at_zero;
  };
  struct Bounds {
    Rational linear;                  ///< >= 0
    Rational quadratic;               ///< > 0
    Rational negative;                ///< <= linear
    std::optional<Rational> limit;    ///< > 1: of the orders 1 + t; none: all orders
    std::vector<Line> lines = {};     ///< where there are any these bound alone, limit included
    std::vector<Line> reversed = {};  ///< those of K(-1 - t), where they are others
    /// How each point of the lines was proven, where that takes choices.
    std::shared_ptr<const std::vector<MomentBound>> proven = nullptr;
  };
  /// By the lower hull of (0, 0) and these points, K <= value at t. @param points t > 0 rising
  static Bounds bounds_at(const std::vector<Point>& points);
  BoundedLoss(std::string name, Bounds bounds);

  /// Orders t of moments lie below this double, and are certainly bounded up to it.
  double greatest_order() const;

  /// The orders t at which the bound has corners, rounded down: of them one is often the best.
  std::vector<double> corners() const;

  /// False: M itself is not known.
  bool has_moments() const override { return false; }
  /// Encloses log M(t) of each pair; up to +inf beyond the limit.
  Ball log_mgf(const Ball& t) const override;
  /// @throws std::logic_error
  ComplexBall log_mgf(const ComplexBall& z) const override;
  Ball p_above(const Ball& x) const override;
  Ball q_above(const Ball& x) const override;
  Ball p_atom(const Ball& x) const override;
  std::optional<Ball> density(const Ball&) const override { return std::nullopt; }
  Ball delta(const Ball& epsilon) const override;
  Ball q_mass() const override;
  Ball least_loss() const override;
  Ball greatest_loss() const override;
  /// The upper bound and its derivatives.
  CumulantEstimate estimate_cumulant(double t) const override;
  double estimate_log_decay(double, double) const override { return 0; }
  double estimate_line_points(double, double, double) const override { return 1; }
  std::string describe() const override { return name_; }

 private:
  const std::vector<Line>& lines(bool reversed) const {
    return reversed && !bounds_.reversed.empty() ? bounds_.reversed : bounds_.lines;
  }
  static Ball greatest_line(const std::vector<Line>& lines, const Ball& t);

  std::string name_;
  Bounds bounds_;
};

/// The first factor of this kind; null where every law is known.
const BoundedLoss* bounded_factor(const ComposedLoss& loss);

/// What is attained by mechanisms of which bounds of moments alone are known.
inline Attainment moments_alone() {
  return {Attained::no_pair,
          "nothing but upper bounds of moments is known, and a mechanism that releases nothing is "
          "within them"};
}

/// The least greatest_order() of the factors; +inf where all laws are known.
double greatest_bounded_order(const ComposedLoss& loss);

}  // namespace plaudit
