// The working precision of ball arithmetic, as a scoped, thread-local setting, and what its
// operations nominally cost at that precision (lib/work/work_limit.hpp).
//
// Operators on Ball and ComplexBall round to the precision in force on the calling thread. Every
// operation stays an enclosure at any precision, so the setting influences widths, never truth.
#pragma once

namespace plaudit {

/// The highest precision that can be set.
constexpr long most_precision = 10'000'000;

/// Bits of working precision in force on this thread (64 until set).
long working_precision() noexcept;

/// The same, for an operation that costs about as much as so many real logarithms, which are
/// counted as work. A single one takes seconds at millions of bits, where no loop around it can
/// keep a time limit.
/// @throws WorkLimitReached where it would certainly outlast the limit in force.
long affordable_precision(double logarithms);
/// The same, for so many real products (a division is about three, a complex product four).
long affordable_product(double products = 1);

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
