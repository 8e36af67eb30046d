#include "lib/work/thread_caches.hpp"

#include <flint/flint.h>

#include <thread>

namespace plaudit {

namespace {

const std::thread::id first_thread = std::this_thread::get_id();

// Balls of static storage outlive the thread-local objects of the first thread: it frees nothing.
struct ThreadCaches {
  ThreadCaches() noexcept {}  // not trivial, so that it is made where it is first met
  ~ThreadCaches() {
    if (std::this_thread::get_id() != first_thread) flint_cleanup();
  }
};

}  // namespace

void release_caches_at_thread_end() noexcept { thread_local const ThreadCaches caches; }

}  // namespace plaudit
