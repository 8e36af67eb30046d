// Floating-point cumulants of a law given by (or approximated by) weighted points. Heuristics only.
#pragma once

#include <vector>

#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

class AtomEstimate {
 public:
  void add(double loss, double log_mass);
  CumulantEstimate cumulant(double t) const;

 private:
  std::vector<double> losses_;
  std::vector<double> log_masses_;
};

}  // namespace plaudit
