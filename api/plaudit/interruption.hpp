// A scope within which a function of yours can end calls that take long, as when a key is pressed.
//
//   struct Stopped {};
//   const plaudit::Interruptible interruptible([&] { if (pressed) throw Stopped(); });
//   plaudit::epsilon(run, "1e-5");  // throws Stopped soon after it was pressed
#pragma once

#include <functional>
#include <memory>

namespace plaudit {

inline namespace v0 {

/// While it lives, every long call on this thread calls `ask` about every twentieth of a second, on
/// this thread, also while other threads work for the call. What `ask` throws ends the call and all
/// of its threads, and the call throws it. It must be no std::exception, which some calls take for
/// the failure of one of their parts and go on. Scopes nest: the outer ones are asked too.
class Interruptible {
 public:
  explicit Interruptible(std::function<void()> ask);
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

  /// For loops of your own: calls each `ask` in force on this thread for which it is time.
  static void look();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace v0
}  // namespace plaudit
