// A scope in which no limit of time, work or memory ends a computation.
#pragma once

namespace plaudit {

/// While it lives, no limit of time, work or memory ends anything on this thread: for the few
/// operations that join and describe what was computed before a limit was met.
class UnlimitedWork {
 public:
  UnlimitedWork() noexcept;
  ~UnlimitedWork();
  UnlimitedWork(const UnlimitedWork&) = delete;
  UnlimitedWork& operator=(const UnlimitedWork&) = delete;
};

}  // namespace plaudit
