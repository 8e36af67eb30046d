// The root of an increasing, continuous function, enclosed: Newton's rule on midpoints finds it,
// two certain signs prove it (intermediate value theorem).
#pragma once

#include <optional>

#include "lib/balls/ball.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"

namespace plaudit {

/// An interval around the root. @param y near the root. @param least_size the first distance of its
/// ends is relative to this, where |y| is less. @param value g(y), an enclosure. @param change
/// Newton's step g(y) / g'(y). Nothing where the signs remain undecided.
template <class Value, class Change>
std::optional<Ball> increasing_root(Ball y, const Ball& least_size, Value&& value,
                                    Change&& change) {
  const double nats = static_cast<double>(working_precision()) * log_two;
  for (int i = 0; i < 30; ++i) {
    const Ball step = change(y).middle();
    if (!step.is_finite()) break;
    y = (y - step).middle();
    if (step.estimate_log() < y.estimate_log() - nats) break;
  }
  // Values may be wide balls: the distance of the ends is doubled until both signs are certain.
  Ball distance = ldexp(max(abs(y), least_size), -working_precision() + 2).middle();
  for (long i = 0; i < 4 * working_precision(); ++i) {
    const Ball left = (y - distance).middle();
    const Ball right = (y + distance).middle();
    if (certainly_negative(value(left)) && certainly_positive(value(right))) {
      return hull(left, right);
    }
    distance = ldexp(distance, 1);
  }
  return std::nullopt;
}

}  // namespace plaudit
