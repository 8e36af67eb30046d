// Floating-point picture of a composition of lattice laws: chooses tilt, period and precision of
// the folded contour. Heuristics only: nothing here enters a band.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "accountants/cumulants/order_search.hpp"
#include "mechanisms/laws/lattice_law.hpp"

namespace plaudit {

class LatticeSketch {
 public:
  void add(const LatticeLaw& law, std::uint64_t count);
  /// Of a law that tells its own cumulants.
  void add(std::function<CumulantEstimate(double)> cumulant, std::uint64_t count);

  /// K, K', K'' of the composed finite part. Kept: the same orders are tried for every epsilon.
  const CumulantEstimate& cumulant(double t) const;
  /// Saddle point: the t > 0 with K'(t) = epsilon + 1/t + 1/(1+t).
  double saddle(double epsilon) const;
  /// Saddle-point approximation of log delta at t = saddle(epsilon).
  double log_delta(double epsilon, double t) const;
  /// The epsilon at which that is so large, about.
  double epsilon_for(double log_delta) const;

  /// An order of the moment that bounds an alias, and the period that it asks for.
  struct Alias {
    double order;
    double period;  ///< least period for which the alias is below the wanted size
  };
  /// Right alias: order t' > t; left alias: order u in (0, 1]. `log_size`: log of the wanted size.
  Alias right_alias(double t, double epsilon, double log_size) const;
  Alias left_alias(double t, double epsilon, double log_size) const;

 private:
  struct Part {
    double loss;
    double log_mass;
  };
  struct Term {
    std::vector<Part> parts;
    double count;
    std::function<CumulantEstimate(double)> cumulant = {};  ///< in place of parts
  };
  template <class Loss, class LogMass>
  void add(std::size_t points, std::uint64_t count, Loss&& loss, LogMass&& log_mass);
  CumulantEstimate sum_at(double t) const;

  std::vector<Term> terms_;
  mutable std::map<double, CumulantEstimate> known_;  ///< by the order
};

}  // namespace plaudit
