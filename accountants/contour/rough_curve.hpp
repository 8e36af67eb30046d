// Rough values of a privacy curve, by which contours are placed: log delta at an epsilon, and the
// epsilon of a delta. Nothing here enters a bound.
//
// They are saddle-point values of the composition without its rare components. Where moments are
// ruled by a few huge draws, those of the composition without such draws, or of one draw alone.
#pragma once

#include <memory>

#include "accountants/contour/frequent_composition.hpp"

namespace plaudit {

/// Nats beyond the wanted ones that parameters are chosen for.
inline constexpr double slack_nats = 3;

/// Heuristic: at this order the moments are those of a few huge draws, which shows in a variance
/// of the tilted loss that jumps on the way or just beyond. The saddle point says far too much
/// there.
bool variance_jumps(CumulantTable& table, double order);

class RoughCurve {
 public:
  /// The composition must outlive it.
  RoughCurve(const ComposedLoss& loss, int digits);

  /// Works from now on with the composition without components of probability e^log_mass, or less.
  void leave_out(double log_mass);
  /// The same, so that at such a delta the wanted digits are not touched.
  void leave_out_below(double log_delta, double nats);
  bool has_ground() const { return ground_ != nullptr; }
  /// The composition that is worked with; contours that are made of it share it.
  const std::shared_ptr<FrequentComposition>& ground() const { return ground_; }
  CumulantTable& table() { return ground_->table; }

  /// log delta(epsilon), within what a band is known to allow.
  double log_delta(double epsilon, const Enclosure& band);
  /// Positive.
  double epsilon(double log_delta);

 private:
  double saddle_log_delta(double epsilon);
  double epsilon_guess(double log_delta);
  double epsilon_of_one_draw(double log_delta, double least, double greatest) const;

  const ComposedLoss& loss_;
  double wanted_nats_;
  std::shared_ptr<FrequentComposition> ground_;
};

}  // namespace plaudit
