// What a check may cost: a time, and the operations that a file states it needs. Both checkers
// count the latter alike, before they begin (docs/certificates/costs.md), so that a file which asks
// for too much is refused at once and not after its memory or time is gone.
#pragma once

#include <chrono>
#include <functional>
#include <limits>

#include "accountants/proof/arithmetic/numbers.hpp"

namespace plaudit::proof {

struct Limits {
  double timeout = 600;     ///< seconds
  double operations = 3e9;  ///< of a file, as docs/certificates/costs.md counts them
  /// Interval operations at 128 bits that are really done: for writers, which share out their time.
  double work = std::numeric_limits<double>::infinity();
  /// Called now and then. What it throws ends the check; a std::exception is taken for a reason why
  /// nothing is proven.
  std::function<void()> look = [] {};
};

class Budget {
 public:
  explicit Budget(const Limits& limits);

  /// Announces operations of the file. @throws TooDear where all that were announced are too many.
  void announce(const Integer& operations);
  /// Announces values of laws that are kept. @throws TooDear where all of them are too many.
  void keep(const Integer& values);
  /// Counts operations at the working precision that are about to be done. @throws OutOfTime where
  /// the time is over, or they exceed the limit of writers.
  void spend(double operations);
  /// What was counted and not refused.
  double spent() const { return spent_; }

 private:
  Limits limits_;
  Integer announced_;
  Integer kept_;
  double spent_ = 0;
  std::chrono::steady_clock::time_point start_;
};

/// For answers, whose work is limited by lib/work/work_limit.hpp alone.
Budget unlimited_budget();

}  // namespace plaudit::proof
