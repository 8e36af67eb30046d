#include "lib/precision.hpp"

#include <algorithm>
#include <cmath>

#include "lib/work_limit.hpp"

namespace plaudit {

namespace {
thread_local long bits_in_force = 64;

/// Below this no operation takes longer than a few hundredths of a second.
constexpr long costly_bits = 100'000;
/// Of one logarithm, measured: half of 0.85 s at a million bits, growing like the power 1.3.
constexpr double seconds_per_million_bits = 0.4;
}  // namespace

long working_precision() noexcept { return bits_in_force; }

long affordable_precision(double logarithms) {
  if (bits_in_force > costly_bits) {
    const double millions = static_cast<double>(bits_in_force) / 1e6;
    const double seconds = logarithms * seconds_per_million_bits * std::pow(millions, 1.3);
    if (seconds > work_seconds_left()) throw WorkLimitReached("time limit reached");
  }
  return bits_in_force;
}

PrecisionScope::PrecisionScope(long bits) noexcept : former_(bits_in_force) {
  bits_in_force = std::clamp(bits, 32L, most_precision);
}

PrecisionScope::~PrecisionScope() { bits_in_force = former_; }

}  // namespace plaudit
