// P(L > x) and Q(L > x) of a composition from the nodes of one straight contour.
//
// With z_k = t + i k h, P = 2 pi / h and w > 0, sums of M(z_k) (1 - e^{-z_k w}) / (z_k^2 w) enclose
// the average of P(x < L < inf) over [x, x + w], and the same with 1 + z_k in place of z_k outside
// of M that of Q(L > x): the kernel 1 / z of the tail itself, smoothed, so that the sums converge
// absolutely. The averages to the right and to the left of x are on either side of the tail.
// Errors: aliases, nodes left out, and rounding; no two values of delta are subtracted, so d digits
// cost the nodes of d digits.
// Proof: docs/proofs/tails.md#line
#pragma once

#include <memory>
#include <vector>

#include "accountants/contour/straight_contour.hpp"
#include "accountants/tails/spans.hpp"

namespace plaudit {

class TailLine {
 public:
  /// Upper and lower bounds, exact balls.
  struct Masses {
    Ball p_lower, p_upper;  ///< of P(L > x), the mass at infinity included
    Ball q_lower, q_upper;  ///< of Q(L > x)
  };

  /// The cheapest line for about these digits at x; null where none was found that takes at most
  /// most_seconds as predicted, or where not all moments of the law are known. The loss is kept.
  static std::unique_ptr<TailLine> near(const ComposedLoss& loss, const Rational& x, double digits,
                                        double most_seconds);

  /// This line and no other; x is where it is narrow, w > 0.
  /// @throws std::invalid_argument for one residue and t <= 0, where docs/proofs/tails.md#line says
  /// nothing.
  TailLine(const ComposedLoss& loss, std::unique_ptr<CumulantTable> table, double x,
           const StraightChoice& choice, const Rational& width);

  /// Certified at any x, narrow near the one the line was made for.
  Masses at(const Rational& x);

 private:
  /// Encloses the average over [x, x + w] of the tail of P or of Q.
  Span average(const Ball& x, bool of_q);
  /// The nodes with the kernel of P or of Q in place of that of delta.
  std::vector<ComplexBall> with_kernel(bool of_q) const;

  const ComposedLoss& loss_;
  std::unique_ptr<CumulantTable> table_;
  StraightContour contour_;
  Ball width_;
  std::vector<ComplexBall> p_nodes_;
  std::vector<ComplexBall> q_nodes_;
};

}  // namespace plaudit
