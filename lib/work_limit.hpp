// A time limit that long computations honour, as a scoped, thread-local setting.
#pragma once

#include <chrono>
#include <optional>
#include <stdexcept>

namespace plaudit {

/// Thrown by check_work_limit(): the computation is given up, nothing was concluded from it.
class WorkLimitReached : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// While it lives, check_work_limit() on this thread throws once `seconds` have passed. Scopes
/// nest; the earliest limit counts.
class WorkLimit {
 public:
  using Clock = std::chrono::steady_clock;
  explicit WorkLimit(double seconds);
  ~WorkLimit();
  WorkLimit(const WorkLimit&) = delete;
  WorkLimit& operator=(const WorkLimit&) = delete;

 private:
  std::optional<Clock::time_point> former_;
};

/// Seconds left before the limit (infinity without one).
double work_seconds_left();

/// To be called at least every few milliseconds of work. @throws WorkLimitReached
void check_work_limit();

}  // namespace plaudit
