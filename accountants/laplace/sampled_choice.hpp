// Parameters of the folded line of Poisson-sampled Laplace noise, in floating point. Heuristics
// only: every bound is evaluated again, in balls, at what is chosen here.
#pragma once

#include "accountants/cumulants/cumulant_table.hpp"
#include "accountants/laplace/folded_curve.hpp"
#include "accountants/laplace/sampled_values.hpp"
#include "accountants/sweep/sampled_density.hpp"

namespace plaudit {

struct SampledChoice {
  double t = 0;               ///< abscissa of the line
  std::uint64_t classes = 1;  ///< Q, odd
  bool both_residues = true;
  std::uint64_t nodes = 0;   ///< classes -nodes .. nodes are summed
  std::uint64_t direct = 1;  ///< J >= 1: nodes |j| <= J of a class one by one
  std::size_t parts = 0;     ///< I, integrations by parts; 0: the other nodes are bounded instead
  std::size_t orders = 0;    ///< powers of 1/j kept of the others
  double kappa = 0.5;        ///< |1/(jw)| is at most so much of the circle's radius
  SampledRule rule;
  long bits = 64;
  double seconds = 0;  ///< predicted cost; infinite where no usable parameters were found
};

/// The cheapest line for the aim.
SampledChoice choose_sampled(const ComposedLoss& loss, const SampledLaplacePower& power,
                             CumulantTable& table, const LineAim& aim);

}  // namespace plaudit
