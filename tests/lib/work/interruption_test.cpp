#include "lib/work/interruption.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "lib/balls/ball.hpp"
#include "lib/balls/precision.hpp"
#include "lib/work/threads.hpp"
#include "lib/work/unlimited_work.hpp"
#include "lib/work/work_limit.hpp"

using namespace plaudit;

namespace {

struct Pressed {};

/// Throws when it is asked for the so manieth time.
struct Key {
  int presses_at;
  int asked = 0;
  std::thread::id by = {};
  void operator()() {
    by = std::this_thread::get_id();
    if (++asked == presses_at) throw Pressed();
  }
};

/// Never ends by itself.
[[noreturn]] void look_for_ever() {
  for (;;) check_work_limit();
}

}  // namespace

TEST_CASE("a computation without a limit is asked again and again, and ends by what was thrown") {
  Key key{3};
  const Interruption interruption(std::ref(key));
  CHECK_THROWS_AS(look_for_ever(), Pressed);
  CHECK(key.asked == 3);
  SUBCASE("every later look ends the same way, and nobody is asked again") {
    CHECK_THROWS_AS(check_work_limit(), Pressed);
    CHECK_THROWS_AS(check_interruption(), Pressed);
    const UnlimitedWork unlimited;
    CHECK_THROWS_AS(check_work_limit(), Pressed);
    CHECK(key.asked == 3);
  }
}

TEST_CASE("ball arithmetic asks on behalf of loops that look at no limit") {
  Key key{1};
  const Interruption interruption(std::ref(key));
  const auto loop = [] {
    const PrecisionScope scope(1000);
    for (Ball x(1);;) x = exp(x) / (1 + exp(x));
  };
  CHECK_THROWS_AS(loop(), Pressed);
}

TEST_CASE("threads that work for the one that is asked end with it") {
  Key key{2};
  const Interruption interruption(std::ref(key));
  std::atomic<int> ended = 0;
  const auto work = [&] {
    try {
      look_for_ever();
    } catch (const Pressed&) {
      ++ended;
      throw;
    }
  };
  SUBCASE("all work for ever") {
    CHECK_THROWS_AS(run_together({work, work, work}), Pressed);
    CHECK(ended == 3);
  }
  SUBCASE("the thread that is asked has nothing to do but to wait") {
    CHECK_THROWS_AS(run_together({[] {}, work, work}), Pressed);
    CHECK(ended == 2);
  }
  SUBCASE("what is no std::exception ends the others too") {
    struct Other {};
    Key never{-1};
    const Interruption inner(std::ref(never));
    CHECK_THROWS_AS(run_together({[] { look_for_ever(); }, [] { throw Other(); }}), Other);
  }
  CHECK((key.asked == 0 || key.by == std::this_thread::get_id()));
}

TEST_CASE("a failure of one thread does not end the others") {
  std::atomic<int> ended = 0;
  Key never{-1};
  const Interruption interruption(std::ref(never));
  const auto work = [&] { ++ended; };
  CHECK_THROWS_AS(run_together({[] { throw std::runtime_error("x"); }, work, work}),
                  std::runtime_error);
  CHECK(ended == 2);
  CHECK_NOTHROW(check_work_limit());
}

TEST_CASE("scopes nest: the outer one is asked too, and the inner one ends with its scope") {
  Key outer{1};
  Key never{-1};
  {
    const Interruption around(std::ref(outer));
    const Interruption inside(std::ref(never));
    CHECK_THROWS_AS(look_for_ever(), Pressed);
  }
  CHECK_NOTHROW(check_interruption());
}
