// The way out of a call that nothing can interrupt, or that would end the process, for work that
// the program does in its own process: the program starts anew, with a variable of the environment
// that tells it not to try again.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace plaudit::cli {

/// While it lives, and once so much time has passed, or at a fault (an abort, a stack overflow, a
/// division by zero), this process executes the program once more with the same arguments, by
/// execve in the handler of the signal: whatever runs is left behind. Nothing may have been written
/// before. For the only thread of a process.
class StartAnew {
 public:
  explicit StartAnew(std::chrono::milliseconds after);
  ~StartAnew();
  StartAnew(const StartAnew&) = delete;
  StartAnew& operator=(const StartAnew&) = delete;

  /// Whether this system can do it, and this process is not one that was started so.
  static bool possible();
};

}  // namespace plaudit::cli
