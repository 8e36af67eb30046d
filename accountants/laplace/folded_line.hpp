// n-fold Laplace noise on a vertical line, the infinite line folded into one period of its atoms.
//
// Theorem (docs/proofs/laplace.md#folding): with v = 2z + 1, M_1 = A + B / v, and A, B change only
// their sign from z to z + i pi / a. With the node distance h = pi / (a Q), Q odd, the nodes of the
// corrected trapezoid (straight_contour.md#periodisation) fall into Q classes of equal A and B up
// to the sign; the sum over one class is that of a rational function of v, in Bernoulli
// polynomials. So nothing has to decay along the line, and the number of nodes does not depend on
// n. The nodes do not depend on eps: one object answers a whole range of eps rigorously, tightly
// near the eps it was made for.
#pragma once

#include <vector>

#include "accountants/contour/line_aliases.hpp"
#include "accountants/laplace/folded_curve.hpp"
#include "accountants/laplace/folded_sums.hpp"
#include "accountants/plan/laplace_power.hpp"

namespace plaudit {

struct FoldedChoice {
  double t = 0;               ///< abscissa of the line
  std::uint64_t classes = 1;  ///< Q, odd
  bool both_residues = true;
  std::uint64_t nodes = 0;   ///< classes -nodes .. nodes are summed
  std::uint64_t direct = 0;  ///< terms |j| <= direct of a class one by one
  std::size_t orders = 0;    ///< powers of 1/j kept for the others
  long bits = 64;
  double seconds = 0;  ///< predicted cost; infinite where no usable parameters were found
};

/// The cheapest line for delta(epsilon) to relative accuracy e^-nats. Heuristic.
FoldedChoice choose_folded(const ComposedLoss& loss, const LaplacePower& power,
                           CumulantTable& table, double epsilon, double nats, double log_delta);

class FoldedLine final : public CurveLine {
 public:
  FoldedLine(const ComposedLoss& loss, const LaplacePower& power, CumulantTable& table,
             const FoldedChoice& choice);

  Enclosure delta(const Ball& epsilon) override;
  long bits() const override { return choice_.bits; }

 private:
  struct Class {
    std::vector<ComplexBall> direct;  ///< F(v_j), j = -J .. J
    std::vector<ComplexBall> orders;  ///< coefficients of j^-2, j^-3, ...
  };

  void add_class(std::uint64_t k);
  Ball expansion_error(const ComplexBall& v, const ComplexBall& ratio, const Ball& power) const;
  Ball omitted_classes() const;

  const ComposedLoss& loss_;
  LaplacePower power_;
  FoldedChoice choice_;
  LineAliases aliases_;
  Ball a_, t_, h_;
  std::vector<Class> classes_;
  FoldedSums sums_;
  Ball expansion_;  ///< sum over the classes of what the orders left out amount to
  Ball omitted_;    ///< bound of the classes left out, without e^{-t eps}
};

}  // namespace plaudit
