// What a calibration knows: the values that were asked, and the nearest ones on both sides.
#pragma once

#include <optional>
#include <vector>

#include "verification/calibration/parameter_scale.hpp"
#include "verification/calibration/target_curve.hpp"

namespace plaudit {

struct Bracket {
  std::vector<Point> points;       ///< all that were asked, without their sessions
  std::optional<Point> low;        ///< the greatest value on the low side
  std::optional<Point> high;       ///< the least one on the high side
  std::optional<Point> doubt_low;  ///< the least and the greatest value that was not decided
  std::optional<Point> doubt_high;

  bool two_sided() const { return low && high; }
  /// Keeps the point. @return whether one of the sides is nearer than it was.
  /// @throws std::logic_error: the sides are the wrong way round.
  bool note(Point&& point);
  /// Strictly between the sides that are known.
  bool is_inside(const Rational& x) const;
};

}  // namespace plaudit
