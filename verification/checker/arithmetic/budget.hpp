// What a check may cost: a time limit, and a number of interval operations, each weighed by the
// working precision. Loops announce their work before they begin, so that a file which asks for
// too much is refused at once and not after its memory or time is gone.
#pragma once

#include <chrono>
#include <functional>

namespace plaudit::checker {

struct Limits {
  double timeout = 600;     ///< seconds
  double operations = 3e9;  ///< at 128 bits
  /// Called now and then. What it throws ends the check; a std::exception is taken for a reason why
  /// nothing is proven.
  std::function<void()> look = [] {};
};

class Budget {
 public:
  explicit Budget(const Limits& limits);

  /// Announces this many operations at the working precision. @throws Rejected where they, or the
  /// time gone by, exceed what is left.
  void spend(double operations);
  /// What was announced and not refused.
  double spent() const { return spent_; }

 private:
  Limits limits_;
  double spent_ = 0;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace plaudit::checker
