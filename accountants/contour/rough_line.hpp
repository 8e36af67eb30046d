// The sum over the nodes of a straight line in floating point: about delta, with its slope. It
// steers the search for a crossing and enters no bound.
//
// Notation and sum: docs/proofs/straight_contour.md#periodisation.
#pragma once

#include <complex>
#include <vector>

#include "accountants/contour/straight_choice.hpp"
#include "lib/balls/complex_ball.hpp"

namespace plaudit {

class RoughLine {
 public:
  /// @param nodes M(z_k) / (z_k (1 + z_k)) for k = 0, 1, ..., the first one halved.
  RoughLine(const StraightChoice& choice, const std::vector<ComplexBall>& nodes, double finite_mass,
            double q_mass, double infinite_mass);

  struct Value {
    double log;
    double slope;  ///< of the log, by epsilon
  };
  /// The log of delta over e^log_unit; not a number where a double does not see delta.
  Value at(double epsilon, double log_unit) const;

 private:
  double t_;
  double h_;
  double log_scale_ = 0;  ///< of the nodes, with the front factor h / pi
  std::vector<std::complex<double>> nodes_;
  double p_residue_ = 0;
  double q_residue_ = 0;
  double infinite_mass_;
};

}  // namespace plaudit
