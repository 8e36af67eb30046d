// Calls that can be given up from outside, such as by a user who presses a key.
//
//   struct Stopped {};
//   const plaudit::Interruptible interruptible([&] { if (pressed) throw Stopped(); });
//   plaudit::epsilon(run, "1e-5");  // throws Stopped soon after it was pressed
#pragma once

#include <functional>
#include <memory>

namespace plaudit {

inline namespace v0 {

/// While it lives, whatever takes long on this thread calls `ask` about every tenth of a second, on
/// this thread, also while other threads work for it. What `ask` throws ends the call, with all of
/// its threads, and comes out of it. Throw no std::exception: some calls take one for a failure of
/// one of their parts and go on. Scopes nest: those around it are asked too.
class Interruptible {
 public:
  explicit Interruptible(std::function<void()> ask);
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

  /// For waits of your own: asks, where it is time to, by all that live on this thread.
  static void look();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace v0
}  // namespace plaudit
