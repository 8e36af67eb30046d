// Interruption of computations from outside, such as by a user who presses a key: a scoped,
// thread-local setting, at which every long computation looks with the limits
// (lib/work/work_limit.hpp).
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace plaudit {

/// Time between two calls of the function that is asked whether to go on.
constexpr std::chrono::milliseconds between_questions(50);

/// While it lives, computations on this thread, and on those that they start by run_together(),
/// call `ask` about every twentieth of a second (or `between`), always on this thread. What it
/// throws ends them: from then on every look at the limits throws the same, on each of these
/// threads, also where no limit ends anything (lib/work/unlimited_work.hpp). It should be no
/// std::exception, which some computations take for a failure of one of their parts and go on.
/// Scopes nest: those around it are asked too.
class Interruption {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Interruption(std::function<void()> ask,
                        std::chrono::milliseconds between = between_questions);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// The innermost one in force on this thread; null where there is none.
  static Interruption* in_force() noexcept;

  /// Asks, if it is time to. @throws what `ask` threw, now or before.
  void look();
  /// From now on every look throws `reason`, unless an earlier reason is thrown already.
  void end_with(const std::exception_ptr& reason);

 private:
  std::function<void()> ask_;
  Interruption* outer_;
  std::chrono::milliseconds between_;
  const std::thread::id asked_on_ = std::this_thread::get_id();
  Clock::time_point next_question_;
  std::atomic<bool> ended_ = false;
  std::mutex ending_;
  std::exception_ptr reason_;  ///< written once, before ended_
};

/// While it lives, this thread works for another one, in which `whose` is in force (or null).
class SharedInterruption {
 public:
  explicit SharedInterruption(Interruption* whose) noexcept;
  ~SharedInterruption();
  SharedInterruption(const SharedInterruption&) = delete;
  SharedInterruption& operator=(const SharedInterruption&) = delete;

 private:
  Interruption* former_;
};

/// For loops and waits that look at no limit. @throws what `ask` of an interruption in force threw.
void check_interruption();

}  // namespace plaudit
