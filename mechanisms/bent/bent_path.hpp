// One factor of the bent-contour engine: a Gaussian mixture with smallest sensitivity 0, seen in
// the variable v in which its top component is e^v, and the path on which it is integrated.
//
// y (in units of the noise) = origin + sigma v, and
//   f(y) / f(-inf) = 1 + e^v + sum_i e^{a_i v + b_i},   0 < a_i < 1,   f(-inf) = p_0.
// The path is the image of the real line under
//   V(xi) = xi + i (rise + slope S(xi)),   S(xi) = bend log(1 + e^{(xi - knee) / bend}),
// and the strip |Im xi| <= half_width is where the trapezoid rule needs analyticity. On its image
// f has no zeros and log(f / p_0) a branch that is real on the real axis (claim C1 below).
#pragma once

#include <vector>

#include "lib/balls/ball.hpp"
#include "lib/balls/complex_ball.hpp"
#include "mechanisms/mixtures/gaussian_mixture.hpp"

namespace plaudit {

/// Parameters of a path; doubles, taken as exact numbers.
struct BentShape {
  double rise;        ///< Im v far to the left
  double slope;       ///< d Im v / d Re v far to the right, in (0, 1)
  double bend;        ///< length over which the path turns
  double knee;        ///< where it turns
  double half_width;  ///< of the strip of analyticity that is used
  bool operator==(const BentShape&) const = default;
};

/// The mixture in the variable v, at the working precision of its making.
struct MixtureInV {
  explicit MixtureInV(const GaussianMixture& mixture);

  std::vector<Ball> rate;    ///< a_i of the components strictly between the first and the top one
  std::vector<Ball> offset;  ///< b_i
  Ball least_rate;           ///< min(1, a_i)
  Ball sigma;                ///< dy / dv
  Ball origin;               ///< y at v = 0
  Ball lambda;               ///< -log p_0

  /// f / p_0 - 1, and (1 + sum_i e^{a_i v + b_i}) e^{-v}.
  ComplexBall excess(const ComplexBall& v) const;
  ComplexBall remainder(const ComplexBall& v) const;
  /// d/dv of log(1 + excess), and of log(excess).
  ComplexBall logistic(const ComplexBall& v) const;
  ComplexBall excess_rate(const ComplexBall& v) const;
};

class BentPath {
 public:
  /// True for a mixture with at least two components, the first sensitivity being 0.
  static bool applies(const GaussianMixture& mixture);

  /// Verifies claim C1 in ball arithmetic. @throws std::domain_error when it is not certain.
  BentPath(const GaussianMixture& mixture, const BentShape& shape);

  const GaussianMixture& mixture() const { return mixture_; }
  const BentShape& shape() const { return shape_; }
  /// e^v exceeds the sum of all other terms wherever Re v is larger than this.
  double dominance() const { return dominance_; }

  /// V(xi), and V'(xi) (pass null where it is not wanted), for |Im xi| <= half_width.
  ComplexBall point(const ComplexBall& xi, ComplexBall* derivative) const;
  /// log(f / p_0) at a point or rectangle of the image of the strip. Not finite, or very wide,
  /// where the rectangle is too large to tell the branch.
  ComplexBall log_ratio(const MixtureInV& in_v, const ComplexBall& v) const;
  /// log of that on some branch, tight on rectangles.
  ComplexBall log_log_ratio(const MixtureInV& in_v, const ComplexBall& v) const;

 private:
  void verify() const;

  GaussianMixture mixture_;
  BentShape shape_;
  double dominance_ = 0;
};

}  // namespace plaudit
