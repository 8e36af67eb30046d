// The data behind the public PrivacyLoss, for privacy_loss.cpp and law_description.cpp.
#pragma once

#include <memory>
#include <mutex>

#include "api/core.hpp"
#include "lib/balls/precision.hpp"
#include "lib/work/given_up.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit::inline v0 {

struct PrivacyLossData {
  core::Composition composition;
  core::ComposedLoss composed;
  std::string spec;
  PrivacyLoss::Limits limits;
  mutable std::mutex mutex = {};                      ///< guards `tails`
  mutable std::unique_ptr<ComposedTails> tails = {};  ///< of a composition, made when first asked

  bool is_single() const { return composed.terms().size() == 1 && composed.terms()[0].count == 1; }
  const core::PrivacyLoss& single() const {
    if (!is_single()) {
      throw SpecError("PrivacyLoss: this function asks for one mechanism, once, not " +
                      abbreviated(spec));
    }
    return *composed.terms()[0].loss;
  }
};

/// The limits of one call, in force while it lives.
struct Limited {
  explicit Limited(const PrivacyLoss::Limits& limits)
      : memory(limits.memory_bytes), time(limits.timeout_seconds) {}
  MemoryLimit memory;
  WorkLimit time;
};

/// Bits that hold so many decimal digits. @throws std::invalid_argument unless from 1 to 100000.
long bits_of_digits_wanted(int digits);

/// Whether the value is known to so many bits, relative to itself; with `absolute`, which is for
/// values that may be 0, a radius below 2^-bits suffices too.
bool accurate(const Ball& value, long bits, bool absolute);

/// What `f` finds from the tails of a composition; `otherwise` where a limit ends it before.
template <class Result, class Function>
Result of_tails(const PrivacyLossData& data, int digits, Result otherwise, Function&& f) {
  const PrecisionScope scope(bits_of_digits_wanted(digits) + 64);  // throws for bad digits
  const std::lock_guard<std::mutex> lock(data.mutex);
  const Limited limited(data.limits);
  try {
    if (!data.tails) {
      data.tails = std::make_unique<ComposedTails>(data.composition, data.composed.direction(),
                                                   data.limits.timeout_seconds);
    }
    return f(*data.tails);
  } catch (...) {
    given_up_unless_contradiction();
    return otherwise;
  }
}

}  // namespace plaudit::inline v0
