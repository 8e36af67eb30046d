// How runs are told apart by their largest draw, so that all parts but one or two are negligible:
// choices in floating point. Nothing here enters a bound.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "accountants/cumulants/cumulant_table.hpp"
#include "mechanisms/mixtures/cut_integral.hpp"
#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/mixtures/mixture_estimate.hpp"

namespace plaudit {

/// The runs whose largest draw is in (low, high], high the low end of the slice before, or y1.
/// Their part is bounded as in docs/proofs/largest_draw.md#slices.
struct LargestDrawSlice {
  double low = 0;
  double others = 0;  ///< Z: the bound counts all runs in which another draw exceeds it
  double order = 0;   ///< t of the moment that bounds the other runs; 0: P(y > low) is enough
};

/// Which parts are summed and which are bounded.
struct LargestDrawPlan {
  double start = 0;          ///< y1: beyond it one huge draw makes delta, or nothing does
  bool line_beyond = false;  ///< whether the part beyond y1 is summed
  std::vector<LargestDrawSlice> slices;  ///< from y1 down to Y
  /// Y: the low end of the last slice, or y1; or beyond, for a bound. A short_double, since
  /// CutIntegral cuts at such a number: at any other one, draws between the two would be lost, and
  /// LargestDrawSum throws a std::logic_error.
  double end = 0;
  bool line_below = false;  ///< whether the part of runs without a draw beyond Y is summed
  double order = 0;         ///< t > 0 of the bound of that part, where it is not
  double log_beyond = 0;    ///< about the log of the part of runs with a draw beyond y1
  double log_below = 0;     ///< about the log of that of runs without a draw beyond Y
  double log_delta = 0;     ///< about log delta
};

/// Plans for one composition, whose one law is a Gaussian mixture in the direction "remove".
class LargestDrawPlanner {
 public:
  explicit LargestDrawPlanner(const ComposedLoss& loss);

  /// @throws std::domain_error where other parts are not negligible to e^-nats.
  LargestDrawPlan plan(double epsilon, double nats);
  /// The epsilon of a delta. @throws std::domain_error where delta is not in the far tail.
  double epsilon(double log_delta);
  /// About -d log delta / d epsilon.
  double slope(double epsilon);

 private:
  struct Part {
    double log_size = 0;
    double loss_of_others = 0;  ///< what the other draws lose in it
  };

  double point_of(double loss) const;
  double log_mass_above(double y) const;
  double least_of_edge(double order, double most) const;
  const CutIntegral& cut_at(double y);
  Part beyond(double epsilon);
  double below(double epsilon, double& end);
  void require_huge_draws(double epsilon);
  double log_size(double epsilon);
  /// A slice whose bound is below e^needed, with Z and the order that make it so; nothing where
  /// there is none.
  std::optional<LargestDrawSlice> slice(double low, double high, double epsilon, double needed);
  double order_below(double end, double epsilon, double& log_bound);
  double start_of_rare(double epsilon, double others, double needed);
  bool add_slices(LargestDrawPlan& plan, double epsilon, double last, double needed,
                  bool until_bounded);

  const ComposedLoss& loss_;
  const GaussianMixture& mixture_;
  MixtureEstimate estimate_;
  CumulantTable table_;
  double steps_;
  double deviation_;  ///< of the loss of all steps
  std::map<double, std::unique_ptr<CutIntegral>> cuts_;
  double last_order_ = 1;
};

}  // namespace plaudit
