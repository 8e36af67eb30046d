// A check, before many balls are made, that the memory limit leaves room for them.
#pragma once

#include "lib/balls/ball.hpp"
#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

/// For so many real balls of the working precision. @throws MemoryLimitReached
inline void check_memory_of_balls(double count) {
  constexpr long inline_bits = 128;  // up to here the ball itself holds the digits
  const long bits = working_precision();
  const double limbs = bits > inline_bits ? static_cast<double>(bits) / 8 + 16 : 0;
  check_memory(count * (static_cast<double>(sizeof(Ball)) + limbs));
}

}  // namespace plaudit
