// Parameters of the rotated line, in floating point. Heuristics only: every bound is evaluated
// again, in balls, at what is chosen here.
#pragma once

#include "accountants/cumulants/cumulant_table.hpp"
#include "accountants/laplace/end_law.hpp"
#include "accountants/laplace/folded_curve.hpp"

namespace plaudit {

struct TurnedChoice {
  double epsilon = 0;         ///< for which the rules are laid out
  double t = 1;               ///< abscissa of the line
  double height = 1;          ///< T, where it turns
  double deviation = 1;       ///< of the tilted loss
  double scale = 1;           ///< on which the integrand varies near the real axis
  std::size_t points = 32;    ///< of each rule
  double log_near = -60;      ///< log of what a rule may err by, in delta, up to T,
  double log_far = -60;       ///< the same above it,
  double log_cut = -60;       ///< and of what may be cut off
  double nats = 40;           ///< to which the laws are evaluated
  double nats_of_atoms = 60;  ///< e^-that much mass of the other laws' atoms may be left out
  bool turns = true;          ///< false: beyond T the line is bounded, not integrated
  long bits = 128;
  double seconds = 0;  ///< predicted cost; infinite where there is no such line
};

/// What the laws are to be for this line.
EndAccuracy accuracy_of(const TurnedChoice& choice);

TurnedChoice choose_turned(const ComposedLoss& loss, CumulantTable& table, const LineAim& aim);

}  // namespace plaudit
