// n-fold Poisson-sampled Laplace noise on a vertical line that is folded into one period of its two
// atoms (the periodic line).
//
// Theorem (docs/proofs/laplace.md#sampled): two atoms are always commensurable up to an offset.
// With the node distance h = 2 pi / (D Q), D the distance of the atoms, Q odd, the nodes of the
// corrected trapezoid (straight_contour.md#periodisation) fall into Q classes on which the atoms'
// part is the same up to a phase. The nodes |j| <= J of a class are summed one by one, from one
// quadrature rule for all of them; for the others the density is integrated by parts, and the n-th
// power of what that gives is expanded in powers of 1/j. The nodes do not depend on eps: one object
// answers a whole range of eps rigorously, tightly near the eps it was made for.
#pragma once

#include <vector>

#include "accountants/contour/line_aliases.hpp"
#include "accountants/laplace/folded_sums.hpp"
#include "accountants/laplace/sampled_choice.hpp"

namespace plaudit {

class SampledLine final : public CurveLine {
 public:
  SampledLine(const ComposedLoss& loss, const SampledLaplacePower& power, CumulantTable& table,
              const SampledChoice& choice);

  Enclosure delta(const Ball& epsilon) override;
  long bits() const override { return choice_.bits; }

 private:
  struct Class {
    std::vector<ComplexBall> direct;  ///< A^n / (W (W - 1)) without phases, j = -J .. J
    std::vector<ComplexBall>
        orders;  ///< coefficients of the powers y^2, y^3, ... over R^0, R^1, ...
  };

  void add_class(std::uint64_t k, const std::vector<ComplexBall>& curve);
  std::vector<ComplexBall> ends(const ComplexBall& node) const;
  void add_errors(const ComplexBall& node, const ComplexBall& atoms,
                  const std::vector<ComplexBall>& terms);
  std::vector<ComplexBall> expansion(const ComplexBall& node, const ComplexBall& atoms,
                                     const std::vector<ComplexBall>& terms) const;
  void set_curve_bounds(const Ball& at_zero);
  Ball curve_beyond(const Ball& size) const;
  Ball omitted_classes() const;
  Ball total(const Ball& epsilon) const;

  SampledLaplacePower power_;
  SampledChoice choice_;
  LineAliases aliases_;
  SampledDensity density_;
  Ball t_, r_, h_, turn_;  ///< turn: |w| = 2 pi / D
  Ball radius_;            ///< R of the circle in the bound of the expansion
  Ball quadrature_;
  std::vector<Class> classes_;
  FoldedSums sums_;
  std::vector<Ball> ends_beyond_;  ///< bounds of d_i(x_1) e^(r x_1) + d_i(x_2) e^(r x_2)
  std::vector<Ball> rest_beyond_;  ///< bounds of V_i >= |W|^i |R_i|
  Ball by_parts_;   ///< sum over the classes of what the integrations by parts left out amount to
  Ball expansion_;  ///< the same of the powers of 1/j left out
  Ball omitted_;    ///< bound of the classes left out, without e^{-t eps}
  long bits_of_sums_ = 64;
};

}  // namespace plaudit
