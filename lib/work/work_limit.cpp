#include "lib/work/work_limit.hpp"

#include <algorithm>
#include <atomic>

#include "lib/constants.hpp"
#include "lib/work/interruption.hpp"
#include "lib/work/resident_memory.hpp"
#include "lib/work/unlimited_work.hpp"

namespace plaudit {

constinit thread_local double detail::work_done = 0;

namespace {

constexpr double infinite = infinity;
constexpr double longest_seconds = 1e9;  ///< some 30 years: longer limits are as good as this one
constexpr double room_for_promise = 2;   ///< a share is lengthened to twice the promised work

constinit thread_local double share_end = infinite;  ///< of work_done()
constinit thread_local double longest_share_end = infinite;
constinit thread_local double most_resident = infinite;  ///< by the scopes of this thread
constinit thread_local int unlimited = 0;                ///< scopes of UnlimitedWork
thread_local std::optional<Deadline> deadline;
thread_local Deadline::Clock::time_point next_look;  ///< at the resident size

std::atomic<double> most_resident_of_process = infinite;

/// Between two looks at the resident size: some 10 MB may be written meanwhile.
constexpr std::chrono::milliseconds between_looks(3);

double resident_limit() noexcept {
  return std::min(most_resident, most_resident_of_process.load(std::memory_order_relaxed));
}

void look_at_memory(double more) {
  if (unlimited > 0) return;
  const double limit = resident_limit();
  if (resident_bytes() + more <= limit) return;
  if (trimmed_resident_bytes() + more > limit) throw MemoryLimitReached();
}

void check_limits(double late, std::chrono::milliseconds later) {
  check_interruption();
  if (unlimited > 0) return;
  if (work_done() >= share_end + late) throw WorkShareReached();
  const bool bounded = resident_limit() < infinite;
  if (!deadline && !bounded) return;
  const Deadline::Clock::time_point now = Deadline::Clock::now();
  if (deadline && now >= deadline->time + later) throw WorkLimitReached("time limit reached");
  if (bounded && now >= next_look) {
    next_look = now + between_looks;
    look_at_memory(0);
  }
}

/// Infinity counts as the longest limit, NaN as no time at all.
double seconds_of(double seconds) { return seconds > 0 ? std::min(seconds, longest_seconds) : 0; }

}  // namespace

Deadline::Deadline(double seconds, std::optional<double> planned)
    : time(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                              std::chrono::duration<double>(seconds_of(seconds)))),
      work_end(work_done() + seconds_of(planned.value_or(seconds))) {}

WorkLimit::WorkLimit(const Deadline& wanted) : former_(deadline) {
  deadline = wanted;
  if (!former_) return;
  deadline->time = std::min(former_->time, wanted.time);
  deadline->work_end = std::min(former_->work_end, wanted.work_end);
}

WorkLimit::~WorkLimit() { deadline = former_; }

WorkShare::WorkShare(double nominal_seconds, double most)
    : former_(share_end), former_most_(longest_share_end) {
  longest_share_end = std::min(longest_share_end, work_done() + std::max(0.0, most));
  share_end =
      std::min({share_end, longest_share_end, work_done() + std::max(0.0, nominal_seconds)});
}

WorkShare::~WorkShare() {
  share_end = former_;
  longest_share_end = former_most_;
}

void promise_work(double nominal_seconds) {
  if (unlimited > 0) return;
  if (!(work_done() + nominal_seconds < longest_share_end)) throw WorkShareReached();
  share_end =
      std::clamp(work_done() + room_for_promise * nominal_seconds, share_end, longest_share_end);
}

// The default limit applies only where no limit of the whole process was set.
MemoryLimit::MemoryLimit(std::size_t bytes) : former_(most_resident) {
  if (bytes == default_memory_limit && most_resident_of_process.load() < infinite) return;
  most_resident = std::min(most_resident, resident_bytes() + static_cast<double>(bytes));
}

MemoryLimit::~MemoryLimit() { most_resident = former_; }

void set_memory_limit(std::size_t bytes) noexcept {
  most_resident_of_process.store(static_cast<double>(bytes), std::memory_order_relaxed);
}

void check_memory(double bytes) {
  if (resident_limit() < infinite) look_at_memory(bytes);
}

UnlimitedWork::UnlimitedWork() noexcept { ++unlimited; }
UnlimitedWork::~UnlimitedWork() { --unlimited; }

UncountedWork::UncountedWork() noexcept : before_(work_done()) {}
UncountedWork::~UncountedWork() { detail::work_done = before_; }

double work_seconds_left() noexcept {
  return std::max(0.0, std::min(deadline ? deadline->work_end : infinite, share_end) - work_done());
}

double promisable_work_seconds() noexcept {
  return std::max(
      0.0, std::min(deadline ? deadline->work_end : infinite, longest_share_end) - work_done());
}

double wall_seconds_left() noexcept {
  if (!deadline || unlimited > 0) return infinite;
  return std::chrono::duration<double>(deadline->time - Deadline::Clock::now()).count();
}

void check_work_limit(double nominal_seconds) {
  count_work(nominal_seconds);
  check_limits(0, std::chrono::milliseconds(0));
}

void check_work_overrun() { check_limits(0.02, std::chrono::milliseconds(50)); }

}  // namespace plaudit
