// What stands behind the public PrivacyLoss, for the files that define its functions.
#pragma once

#include <memory>
#include <mutex>

#include "api/core.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit::inline v0 {

struct PrivacyLossData {
  core::Composition composition;
  core::ComposedLoss composed;
  std::string spec;
  PrivacyLoss::Limits limits;
  mutable std::mutex mutex = {};  ///< of the tails
  mutable std::unique_ptr<ComposedTails> tails = {};

  bool is_single() const { return composed.terms().size() == 1 && composed.terms()[0].count == 1; }
  const core::PrivacyLoss& single() const {
    if (!is_single()) {
      throw SpecError("PrivacyLoss: this function asks for one mechanism, once, not " +
                      abbreviated(spec));
    }
    return *composed.terms()[0].loss;
  }
};

/// The limits of one call.
struct Limited {
  explicit Limited(const PrivacyLoss::Limits& limits)
      : memory(limits.memory_bytes), time(limits.timeout_seconds) {}
  MemoryLimit memory;
  WorkLimit time;
};

/// @throws std::invalid_argument where nobody should ask for so many.
long bits_of_digits_wanted(int digits);

/// Accurate relative to itself, or, for a value that may be 0, absolutely.
bool accurate(const Ball& value, long bits, bool absolute);

}  // namespace plaudit::inline v0
