// 1 + sum_j c_j (e^{w l_j} - 1) for many w: what a rule makes of a moment integral.
#pragma once

#include <vector>

#include "accountants/proof/arithmetic/balls.hpp"
#include "accountants/proof/arithmetic/budget.hpp"

namespace plaudit::proof {

/// l_j, and log c_j on any branch.
template <class Real>
struct ExponentialRule {
  std::vector<ComplexOf<Real>> exponents;
  std::vector<ComplexOf<Real>> log_weights;
};

/// At the working precision; rounding and the radii of w, l and log c are in the enclosures.
std::vector<ComplexBall> exponential_sums(const ExponentialRule<Ball>& rule,
                                          const std::vector<ComplexBall>& w, Budget& budget);
std::vector<Complex> exponential_sums(const ExponentialRule<Interval>& rule,
                                      const std::vector<Complex>& w, Budget& budget);

}  // namespace plaudit::proof
