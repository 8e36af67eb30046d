// Where the threshold of a calibration seems to be, in floating point: nothing here enters a bound.
#pragma once

#include <functional>
#include <optional>

namespace plaudit {

/// A guess of log v at the threshold, and of how log(delta / target) changes with log v there.
struct RoughThreshold {
  double log_value;
  double slope;  ///< 0 where no change of sign was found; log_value is then the last one tried
};

/// @param excess log(delta / target) at log v, falling or rising with it; NaN where it is not
/// known.
/// @param start, least, greatest of log v. @return nothing where the excess at `start` is not known
std::optional<RoughThreshold> rough_threshold(const std::function<double(double)>& excess,
                                              double start, double least, double greatest,
                                              bool falls);

}  // namespace plaudit
