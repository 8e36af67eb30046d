// The root of an increasing function, enclosed: Newton's rule on midpoints finds it, two certain
// signs prove it (intermediate value theorem).
#pragma once

#include <optional>

#include "lib/balls/ball.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"

namespace plaudit {

/// @param y near the root. @param least_size of y, against which distances are measured.
/// @param value g(y), increasing and continuous. @param change Newton's step g(y) / g'(y).
/// Nothing where the signs remain undecided.
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
  // The function itself may be wide: the distance starts at what the balls can tell apart at all.
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
