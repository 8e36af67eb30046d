// Choices for sums of losses on a lattice (accountants/proof/kinds/lattice.hpp), in floating point.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "accountants/plan/lattice_sketch.hpp"
#include "accountants/proof/kinds/lattice.hpp"

namespace plaudit {

/// The tilt of the contour and a period that serves.
struct LatticeTilt {
  double tilt = 1;
  double right_order = 2;  ///< of the moments that bound the aliases
  double left_order = 1;
  double length = 0;     ///< of the period, as a loss
  double value = 0;      ///< log M(tilt)
  double cancelled = 0;  ///< nats by which the terms exceed delta
  double log_delta = 0;
};

/// For delta near an epsilon to a relative accuracy of about e^-nats. The length is infinite where
/// no period serves. @param greatest of all losses, may be infinite.
LatticeTilt plan_tilt(const LatticeSketch& sketch, double epsilon, double nats, double mesh,
                      double greatest);
/// log of what an alias may be.
double log_of_alias(double log_delta, double nats);
/// A double with few bits near x: certificates have short numbers.
double short_order(double x);

struct RangePlan {
  std::vector<proof::LatticeRange> ranges = {};
  bool known = true;   ///< false: RangeLimits.known or .bounds was passed; ranges are not complete
  bool enough = true;  ///< false: RangeLimits.most was passed; nodes that matter are bounded too
};
using LatticeFactors = std::vector<std::unique_ptr<proof::LatticeFactor<Ball>>>;

/// A law of which a factor was made, where its bounds may be estimated in doubles.
struct RangeLaw {
  const proof::LawOnLattice<Ball>* law = nullptr;  ///< none: the factor's own bounds are asked
  long times = 0;                                  ///< its mesh in meshes of the line
};
using RangeLaws = std::vector<RangeLaw>;  ///< one for each factor

struct RangeLimits {
  long known;   ///< a node at this index or a later one cannot be summed
  double most;  ///< nodes that may be summed
  double bounds = std::numeric_limits<double>::infinity();  ///< that may be asked of the factors
};
/// Which indices of half a period are summed: the terms of each range of the others amount to less
/// than about e^-nats of delta by the factors' bounds, or by their estimates where a law is given.
RangePlan plan_ranges(const LatticeFactors& factors, const RangeLaws& laws,
                      const proof::PeriodLine<Ball>& line, const LatticeTilt& plan, double epsilon,
                      double nats, const RangeLimits& limits);

/// The precision at which rounding is below e^-nats of delta.
long bits_of_lattice(const LatticeTilt& plan, double epsilon, double nats, double steps,
                     double mesh, long period);

}  // namespace plaudit
