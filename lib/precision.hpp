// The working precision of ball arithmetic, as a scoped, thread-local setting.
//
// Operators on Ball and ComplexBall round to the precision in force on the calling thread. Every
// operation stays an enclosure at any precision, so the setting influences widths, never truth.
#pragma once

namespace plaudit {

/// Bits of working precision in force on this thread (64 until set).
long working_precision() noexcept;

/// Sets the working precision for its lifetime and restores the former one.
class PrecisionScope {
 public:
  /// @param bits wanted precision, clamped to [32, 10'000'000].
  explicit PrecisionScope(long bits) noexcept;
  ~PrecisionScope();
  PrecisionScope(const PrecisionScope&) = delete;
  PrecisionScope& operator=(const PrecisionScope&) = delete;

 private:
  long former_;
};

}  // namespace plaudit
