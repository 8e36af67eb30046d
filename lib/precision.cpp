#include "lib/precision.hpp"

#include <algorithm>

namespace plaudit {

namespace {
thread_local long bits_in_force = 64;
}

long working_precision() noexcept { return bits_in_force; }

PrecisionScope::PrecisionScope(long bits) noexcept : former_(bits_in_force) {
  bits_in_force = std::clamp(bits, 32L, 10'000'000L);
}

PrecisionScope::~PrecisionScope() { bits_in_force = former_; }

}  // namespace plaudit
