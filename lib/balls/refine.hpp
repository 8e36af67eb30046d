// A loop that raises the working precision until a result is accurate enough (Ziv's strategy).
#pragma once

#include <algorithm>

#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

/// Runs `attempt()` at growing working precision until it is content.
/// @param attempt callable without arguments; returns how many more bits it wants, 0 when done.
/// @return true when an attempt was content, false when `most_bits` was not enough. Each attempt's
/// result must be an enclosure on its own; this loop decides only when to stop.
template <class Attempt>
bool refine(long bits, long most_bits, Attempt&& attempt) {
  while (true) {
    check_work_limit();
    long wanted = 0;
    {
      const PrecisionScope scope(bits);
      wanted = attempt();
    }
    if (wanted <= 0) return true;
    if (bits >= most_bits) return false;
    bits = std::min(most_bits, bits + std::max(wanted, 32L));
  }
}

}  // namespace plaudit
