// The working precision of ball arithmetic, as a scoped, thread-local setting, and what its
// operations nominally cost at that precision (lib/work/work_limit.hpp).
//
// Operators on Ball and ComplexBall round to the precision in force on the calling thread. Every
// operation stays an enclosure at any precision, so the setting influences widths, never truth.
#pragma once

#include "lib/work/work_limit.hpp"

namespace plaudit {

/// The highest precision that can be set.
constexpr long most_precision = 10'000'000;

/// A wanted precision as an integer within [0, most_precision], 0 for a NaN (a low precision makes
/// bands wide, never wrong).
long precision_bits(double wanted);

namespace detail {
/// Precision of one thread and the nominal seconds of its operations; read by every one of them.
struct Precision {
  long bits = 64;
  double seconds_of_logarithm = 2.2e-7;
  double seconds_of_product = 2.7e-8;
  double seconds_of_sum = 2.16e-8;
  bool costly = false;   ///< a single operation may outlast a limit
  double next_look = 0;  ///< the counted work at which the limits are looked at again
};
extern constinit thread_local Precision precision;

/// Nominal seconds of ball arithmetic between two looks at the limits.
constexpr double between_looks = 2e-3;

/// Looks at the limits, before an operation of so many seconds that were counted.
void look_at_limits(double seconds);

inline long afforded(double seconds) {
  const double done = count_work(seconds);
  if (precision.costly || done >= precision.next_look || done < precision.next_look - between_looks)
    look_at_limits(seconds);
  return precision.bits;
}
}  // namespace detail

/// Bits of working precision in force on this thread (64 until set).
inline long working_precision() noexcept { return detail::precision.bits; }

/// The same, before an operation that costs as much as so many real logarithms: counts them as work
/// and looks at the limits now and then. At millions of bits a single operation takes seconds.
/// @throws WorkLimitReached where a limit is met, or the operation would certainly outlast it.
inline long affordable_precision(double logarithms) {
  return detail::afforded(logarithms * detail::precision.seconds_of_logarithm);
}
/// The same, for so many real products (a division is about three, a complex product four).
inline long affordable_product(double products = 1) {
  return detail::afforded(products * detail::precision.seconds_of_product);
}
/// The same, for so many sums, or what costs as much: comparisons, ends of balls, conversions. They
/// are counted, but the limits are not looked at.
inline long affordable_sum(double sums = 1) noexcept {
  count_work(sums * detail::precision.seconds_of_sum);
  return detail::precision.bits;
}

/// Sets the working precision for its lifetime and restores the former one.
class PrecisionScope {
 public:
  /// @param bits wanted precision, clamped to [32, most_precision].
  explicit PrecisionScope(long bits) noexcept;
  ~PrecisionScope();
  PrecisionScope(const PrecisionScope&) = delete;
  PrecisionScope& operator=(const PrecisionScope&) = delete;

 private:
  long former_;
};

}  // namespace plaudit
