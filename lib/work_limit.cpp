#include "lib/work_limit.hpp"

#include <algorithm>
#include <limits>

namespace plaudit {

namespace {
thread_local std::optional<WorkLimit::Clock::time_point> limit;
constexpr double longest_seconds = 1e9;
}  // namespace

WorkLimit::WorkLimit(double seconds) : former_(limit) {
  const auto duration = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(std::clamp(seconds, 0.0, longest_seconds)));
  const Clock::time_point wanted = Clock::now() + duration;
  limit = former_ ? std::min(*former_, wanted) : wanted;
}

WorkLimit::~WorkLimit() { limit = former_; }

double work_seconds_left() {
  if (!limit) return std::numeric_limits<double>::infinity();
  return std::chrono::duration<double>(*limit - WorkLimit::Clock::now()).count();
}

void check_work_limit() {
  if (limit && WorkLimit::Clock::now() >= *limit) throw WorkLimitReached("time limit reached");
}

}  // namespace plaudit
