#include "lib/work/threads.hpp"

#include <pthread.h>

#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>

#include "lib/work/interruption.hpp"
#include "lib/work/thread_caches.hpp"

namespace plaudit {

namespace {

/// Threads of std::thread have 128 kB of stack with musl and 512 kB on macOS, where GMP and FLINT
/// keep temporaries; these have what the first thread usually has.
constexpr std::size_t stack_bytes = 8U << 20U;

/// A thread that does `task`, which has to outlive it; nothing where none is to be had.
std::optional<pthread_t> thread_for(std::function<void()>& task) {
  pthread_attr_t how;
  if (pthread_attr_init(&how) != 0) return std::nullopt;
  pthread_t thread{};
  const auto run = [](void* what) -> void* {
    (*static_cast<std::function<void()>*>(what))();
    return nullptr;
  };
  const bool started = pthread_attr_setstacksize(&how, stack_bytes) == 0 &&
                       pthread_create(&thread, &how, run, &task) == 0;
  pthread_attr_destroy(&how);
  return started ? std::optional(thread) : std::nullopt;
}

class Together {
 public:
  explicit Together(const std::vector<std::function<void()>>& tasks)
      : tasks_(tasks), failures_(tasks.size()) {
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      on_helpers_.emplace_back([this, i] { help(i); });
    }
  }

  void run() {
    std::vector<pthread_t> helpers;
    helpers.reserve(tasks_.size());
    std::vector<std::size_t> here;
    here.reserve(tasks_.size());  // from here on nothing throws while helpers run
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      if (i == 0 || !start(i, helpers)) here.push_back(i);
    }
    for (const std::size_t i : here) run_one(i);
    wait(helpers.size());
    for (const pthread_t helper : helpers) pthread_join(helper, nullptr);
    for (const std::exception_ptr& failure : failures_) {
      if (failure) std::rethrow_exception(failure);
    }
  }

 private:
  /// False where no thread is to be had.
  bool start(std::size_t i, std::vector<pthread_t>& helpers) {
    const std::optional<pthread_t> helper = thread_for(on_helpers_[i]);
    if (helper) helpers.push_back(*helper);
    return helper.has_value();
  }

  void help(std::size_t i) {
    release_caches_at_thread_end();
    const SharedInterruption shared(interruption_);
    run_one(i);
    const std::lock_guard<std::mutex> lock(counting_);
    ++ended_;
    one_more_.notify_one();
  }

  void run_one(std::size_t i) {
    try {
      tasks_[i]();
    } catch (const std::exception&) {
      failures_[i] = std::current_exception();
    } catch (...) {  // an interruption, from wherever: the others end too
      failures_[i] = std::current_exception();
      if (interruption_ != nullptr) interruption_->end_with(failures_[i]);
    }
  }

  /// Until so many helpers have ended; questions whether to go on are asked meanwhile.
  void wait(std::size_t helpers) {
    std::unique_lock<std::mutex> lock(counting_);
    while (ended_ < helpers) {
      one_more_.wait_for(lock, between_questions);
      lock.unlock();
      try {
        check_interruption();
      } catch (...) {  // the helpers see the same
        failures_[0] = std::current_exception();
      }
      lock.lock();
    }
  }

  const std::vector<std::function<void()>>& tasks_;
  std::vector<std::function<void()>> on_helpers_;
  std::vector<std::exception_ptr> failures_;
  Interruption* const interruption_ = Interruption::in_force();
  std::mutex counting_;
  std::condition_variable one_more_;
  std::size_t ended_ = 0;
};

}  // namespace

void run_together(const std::vector<std::function<void()>>& tasks) { Together(tasks).run(); }

}  // namespace plaudit
