#include "accountants/accountant.hpp"

#include "lib/precision.hpp"

namespace plaudit {

bool reached(const Enclosure& band, int digits) {
  if (!band.upper.is_finite()) return !band.lower.is_finite();
  const PrecisionScope scope(64 + 4 * static_cast<long>(digits));
  const Ball scale = power(Ball(10), static_cast<std::uint64_t>(digits));
  const PrecisionScope exact(4096 + 64 * static_cast<long>(digits));
  return certainly_less_equal((band.upper - band.lower) * scale, abs(band.upper));
}

}  // namespace plaudit
