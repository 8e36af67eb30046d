// The cumulant generating function of a composition in floating point, tabulated on demand: the
// ground on which parameters are chosen. Nothing here enters a bound.
#pragma once

#include <map>
#include <optional>

#include "mechanisms/composition.hpp"

namespace plaudit {

class CumulantTable {
 public:
  /// @param interpolates between knots, which is off by some 1e-7 of K: too much where K is large
  /// beside the nats that matter.
  explicit CumulantTable(const ComposedLoss& loss, bool interpolates = true);
  /// Looks at some laws only where there are very many (sketch.hpp).
  static CumulantTable of_some(const ComposedLoss& loss) {
    CumulantTable table(loss);
    table.sketches_ = true;
    return table;
  }
  /// The laws that are looked at.
  const ComposedLoss& laws();

  /// K, K', K'' at t > 0 or t < -1 by interpolation between knots x = e^(k/4), where x is t, or
  /// -1 - t. K(t) - K(0) and K(t) - K(-1) are nearly powers of x: their logs are cubic (Hermite) in
  /// log x. Where the power changes fast, knots are e^(k/16) or e^(k/64); where it does even there,
  /// the cumulants are computed at t itself.
  CumulantEstimate at(double t);
  /// K(-u) for 0 < u <= 1, from K(-u) - K(0) + u K'(0), which is nearly a multiple of u^2.
  double between_poles(double u);

  /// Saddle point: the t > 0 with K'(t) = epsilon + 1/t + 1/(1 + t).
  double saddle(double epsilon);
  /// Saddle-point approximation of log delta(epsilon) at t = saddle(epsilon).
  double log_delta(double epsilon, double t);
  /// The epsilon whose saddle-point approximation of log delta is the given one; may be negative.
  double epsilon_for(double log_delta);

 private:
  struct Knot {
    double log_rise;  ///< log(K - K at the end of the side)
    double power;     ///< d log_rise / d log x
    double mean;
    double log_variance;
  };
  static constexpr int levels = 3;
  const Knot& knot(int level, int k, bool negative);
  /// The order where the increasing excess changes its sign, sought from the last one found.
  template <class Excess>
  double crossing_order(Excess&& excess);

  const ComposedLoss& loss_;
  const CumulantEstimate& itself(double t);

  bool interpolates_;
  bool sketches_ = false;
  std::optional<ComposedLoss> sketch_;         ///< once sketches_ is false again, if there is one
  std::map<double, CumulantEstimate> values_;  ///< where they are not interpolated
  double last_order_ = 1;
  std::map<int, Knot> positive_[levels];
  std::map<int, Knot> negative_[levels];
  std::map<int, Knot> between_;
  // Computed when they are first asked for: of many laws each takes as long as all else.
  double log_finite_mass();
  double log_q_mass();
  double mean_at_zero();  ///< K'(0)
  std::optional<double> log_finite_mass_;
  std::optional<double> log_q_mass_;
  std::optional<double> mean_at_zero_;
};

}  // namespace plaudit
