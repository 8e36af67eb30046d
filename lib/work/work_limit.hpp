// Limits that long computations honour, as scoped, thread-local settings: of time, of work, of
// memory.
//
// Work is counted, not timed: every operation adds what it nominally costs, in seconds, to a
// counter of its thread (ball arithmetic by itself, other loops by the argument of
// check_work_limit()). What is planned and divided goes by this count, so that the same question
// has the same answer on any machine at any load, as long as no limit of time or memory is hit.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <stdexcept>

namespace plaudit {

/// Thrown by check_work_limit(): the computation is given up, nothing was concluded from it.
/// what() is fit to be a remark on the band.
class WorkLimitReached : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The same, for want of memory: the process holds too much, or an allocation would make it so.
class MemoryLimitReached : public WorkLimitReached {
 public:
  MemoryLimitReached() : WorkLimitReached("memory limit reached") {}
};

/// The same, because a WorkShare is used up: no clock had a part in it.
class WorkShareReached : public WorkLimitReached {
 public:
  WorkShareReached() : WorkLimitReached("share of work used up") {}
};

/// A point in time, and what may be planned until then.
class Deadline {
 public:
  using Clock = std::chrono::steady_clock;
  /// So many seconds from now. @param planned what work_seconds_left() says now, where that is not
  ///   the same.
  explicit Deadline(double seconds, std::optional<double> planned = std::nullopt);

  Clock::time_point time;
  double work_end;  ///< of this thread's work_done()
};

/// While it lives, check_work_limit() on this thread throws once the time has passed. Scopes nest;
/// the earliest limit counts.
class WorkLimit {
 public:
  explicit WorkLimit(double seconds) : WorkLimit(Deadline(seconds)) {}
  explicit WorkLimit(const Deadline& deadline);
  ~WorkLimit();
  WorkLimit(const WorkLimit&) = delete;
  WorkLimit& operator=(const WorkLimit&) = delete;

 private:
  std::optional<Deadline> former_;
};

/// While it lives, check_work_limit() on this thread throws WorkShareReached once so many nominal
/// seconds of work were done: at the same operation in every run. Scopes nest.
class WorkShare {
 public:
  explicit WorkShare(double nominal_seconds) : WorkShare(nominal_seconds, nominal_seconds) {}
  /// @param most nominal seconds to which promise_work() may lengthen it.
  WorkShare(double nominal_seconds, double most);
  ~WorkShare();
  WorkShare(const WorkShare&) = delete;
  WorkShare& operator=(const WorkShare&) = delete;

 private:
  double former_;
  double former_most_;
};

/// To be called before work of so many nominal seconds, by a model of its cost. The share in force
/// is lengthened, as far as it may be, to twice that. @throws WorkShareReached where the work
/// exceeds even the greatest length: nothing is begun that the share would end.
void promise_work(double nominal_seconds);

constexpr std::size_t default_memory_limit = 2'000'000'000;

/// While it lives, check_work_limit() on this thread throws MemoryLimitReached once the process has
/// grown by more than `bytes` (resident size) since. Scopes nest; the least limit counts.
class MemoryLimit {
 public:
  explicit MemoryLimit(std::size_t bytes);
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  double former_;
};

/// A limit of the resident size of the whole process, for all threads from now on (none until set).
void set_memory_limit(std::size_t bytes) noexcept;

/// Bytes resident now; 0 where the system does not say.
double resident_bytes() noexcept;

/// To be called before so many bytes are allocated at once. @throws MemoryLimitReached where the
/// process would certainly hold more than it may.
void check_memory(double bytes);

namespace detail {
extern constinit thread_local double work_done;
}

/// Nominal seconds of work that this thread has done since it began.
inline double work_done() noexcept { return detail::work_done; }

/// Adds to them, and returns the new number. Never throws: for code that no exception may leave.
inline double count_work(double nominal_seconds) noexcept {
  return detail::work_done += nominal_seconds;
}

/// When it ends, the counter of work is what it was before: for tables that are made once for all
/// threads, whose cost would be charged to the computation that happens to need them first.
class UncountedWork {
 public:
  UncountedWork() noexcept;
  ~UncountedWork();
  UncountedWork(const UncountedWork&) = delete;
  UncountedWork& operator=(const UncountedWork&) = delete;

 private:
  double before_;
};

/// Seconds of the limits in force that work_done() has not used up (infinity without a limit): what
/// may be planned. No clock is read.
double work_seconds_left() noexcept;

/// The same with all that promise_work() may add.
double promisable_work_seconds() noexcept;

/// Seconds of the clock until the time limit: not to be planned by, only to give up by.
double wall_seconds_left() noexcept;

/// Nominal cost of one turn of a loop that says nothing else.
constexpr double default_work = 1e-6;

/// To be called at least every few milliseconds of work. @param nominal_seconds of the work since
///   the last call, other than ball arithmetic. @throws WorkLimitReached
void check_work_limit(double nominal_seconds = default_work);

/// The same without counting, 20 nominal milliseconds beyond a share, 50 of the clock beyond a time
/// limit. Ball arithmetic calls it, so that a loop without check_work_limit() is ended too.
void check_work_overrun();

/// To be called at each turn of a loop whose turns take less time than a look at the limits: looks
/// at every 1024th of them, and counts the work of those until the next look. @param turn from 0.
/// @param turns of the loop. @param nominal_seconds of one turn, other than ball arithmetic.
inline void check_work_limit_in_turn(std::size_t turn, std::size_t turns,
                                     double nominal_seconds = 0) {
  if (turn % 1024 != 0) return;
  check_work_limit(nominal_seconds *
                   static_cast<double>(std::min<std::size_t>(1024, turns - turn)));
}

}  // namespace plaudit
