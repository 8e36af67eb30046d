#include "lib/work/threads.hpp"

#include <exception>
#include <system_error>
#include <thread>

#include "lib/balls/ball.hpp"

namespace plaudit {

void run_together(const std::vector<std::function<void()>>& tasks) {
  std::vector<std::exception_ptr> failures(tasks.size());
  const auto run = [&](std::size_t i) {
    try {
      tasks[i]();
    } catch (...) {
      failures[i] = std::current_exception();
    }
  };
  std::vector<std::thread> helpers;
  helpers.reserve(tasks.size());
  std::vector<std::size_t> here;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (i == 0) {
      here.push_back(i);
      continue;
    }
    try {
      helpers.emplace_back([&run, i] {
        release_caches_at_thread_end();
        run(i);
      });
    } catch (const std::system_error&) {  // no thread is to be had
      here.push_back(i);
    }
  }
  for (const std::size_t i : here) run(i);
  for (std::thread& helper : helpers) helper.join();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace plaudit
