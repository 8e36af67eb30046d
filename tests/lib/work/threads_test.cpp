#include "lib/work/threads.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <vector>

namespace plaudit {

namespace {

/// Touches so many pages of 4 kB of the stack; returns what was written there.
int touch_stack(int pages) {
  std::array<volatile char, 4096> page;
  page[0] = 1;
  return pages <= 1 ? page[0] : page[0] + touch_stack(pages - 1);
}

}  // namespace

TEST_CASE("a thread has room for 4 MB on its stack, whatever a thread has by itself") {
  std::vector<int> touched(3);
  std::vector<std::function<void()>> tasks{[] {}};  // the first one is on the calling thread
  for (int& each : touched) {
    tasks.emplace_back([&each] { each = touch_stack(1000); });
  }
  run_together(tasks);
  for (const int each : touched) CHECK(each == 1000);
}

TEST_CASE("the exception of the earliest task that threw is thrown") {
  std::vector<int> done(4);
  std::vector<std::function<void()>> tasks;
  for (std::size_t i = 0; i < done.size(); ++i) {
    tasks.emplace_back([&done, i] {
      done[i] = 1;
      if (i >= 2) throw std::runtime_error(i == 2 ? "two" : "three");
    });
  }
  CHECK_THROWS_WITH_AS(run_together(tasks), "two", std::runtime_error);
  CHECK(done == std::vector<int>{1, 1, 1, 1});
}

}  // namespace plaudit
