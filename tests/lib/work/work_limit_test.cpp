// Limits of time, of counted work and of memory.
#include "lib/work/work_limit.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <limits>
#include <thread>
#include <vector>

#include "lib/balls/ball_memory.hpp"
#include "lib/balls/complex_ball.hpp"
#include "lib/balls/precision.hpp"
#include "lib/work/unlimited_work.hpp"

using namespace plaudit;

namespace {

void sleep_for(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

/// Turns of a loop of ball arithmetic until a share of that many nominal seconds is used up.
int turns_within(double nominal_seconds, double pause) {
  const WorkShare share(nominal_seconds);
  int turns = 0;
  try {
    for (Ball x(0.5);; ++turns) {
      x = exp(-x) * log(x + Ball(2));
      if (pause > 0 && turns % 100 == 0) sleep_for(pause);
      check_work_limit();
    }
  } catch (const WorkShareReached&) {
  }
  return turns;
}

}  // namespace

TEST_CASE("a share of work ends at the same operation, whatever the clock says") {
  const int turns = turns_within(1e-3, 0);
  CHECK(turns > 50);
  CHECK(turns_within(1e-3, 0) == turns);
  CHECK(turns_within(1e-3, 0.002) == turns);
  CHECK(turns_within(2e-3, 0) == doctest::Approx(2 * turns).epsilon(0.05));
}

TEST_CASE("shares nest, and the least one counts") {
  const WorkShare outer(1e-3);
  {
    const WorkShare inner(1.0);
    CHECK(work_seconds_left() < 1.1e-3);
    CHECK_THROWS_AS(check_work_limit(2e-3), WorkShareReached);
  }
  CHECK_THROWS_AS(check_work_limit(0), WorkShareReached);
  CHECK(work_seconds_left() == 0);
}

TEST_CASE("a promise lengthens a share as far as it goes, or ends it at once") {
  const WorkShare whole(1);
  {
    const WorkShare share(0.1, 0.5);
    CHECK(work_seconds_left() == doctest::Approx(0.1));
    CHECK(promisable_work_seconds() == doctest::Approx(0.5));
    promise_work(0.01);  // there is time for it
    CHECK(work_seconds_left() == doctest::Approx(0.1));
    promise_work(0.2);  // twice as much, for what is promised is not exact
    CHECK(work_seconds_left() == doctest::Approx(0.4));
    promise_work(0.4);
    CHECK(work_seconds_left() == doctest::Approx(0.5));
    count_work(0.2);
    CHECK_THROWS_AS(promise_work(0.4), WorkShareReached);
    CHECK(work_seconds_left() == doctest::Approx(0.3));
    const WorkShare inner(0.1);  // not to be lengthened
    CHECK_THROWS_AS(promise_work(0.2), WorkShareReached);
    CHECK(promisable_work_seconds() == doctest::Approx(0.1));
  }
  CHECK(work_seconds_left() == doctest::Approx(0.8));
}

TEST_CASE("what may be planned is counted work, never the clock") {
  CHECK(work_seconds_left() == std::numeric_limits<double>::infinity());
  const WorkLimit limit(100);
  const double before = work_seconds_left();
  CHECK(before == doctest::Approx(100));
  sleep_for(0.02);
  CHECK(work_seconds_left() == before);
  count_work(1);
  CHECK(work_seconds_left() == doctest::Approx(before - 1));
  CHECK(wall_seconds_left() < 100 - 0.02);
  CHECK(wall_seconds_left() > 50);
  const WorkLimit planned(Deadline(50, 7.0));
  CHECK(work_seconds_left() == doctest::Approx(7));
}

TEST_CASE("a time limit is one of the clock") {
  const WorkLimit limit(0.01);
  CHECK_NOTHROW(check_work_limit(1000));  // work beyond what was planned ends nothing
  sleep_for(0.02);
  CHECK_THROWS_WITH_AS(check_work_limit(0), "time limit reached", WorkLimitReached);
}

TEST_CASE("ball arithmetic counts itself, more at a higher precision") {
  const auto cost = [](long bits) {
    const PrecisionScope scope(bits);
    const double before = work_done();
    Ball x(2);
    for (int i = 0; i < 100; ++i) x = sqrt(exp(x) * x);
    ComplexBall z(x, x);
    for (int i = 0; i < 10; ++i) z = exp(z) / (z * z);
    return work_done() - before;
  };
  CHECK(cost(64) > 0);
  CHECK(cost(64) == doctest::Approx(cost(64)));
  CHECK(cost(10'000) > 20 * cost(64));
  CHECK(cost(100) > cost(64));
}

TEST_CASE("memory: growth beyond the limit is seen, and forgotten when it is freed") {
  if (resident_bytes() == 0) return;  // a system that does not say
  const MemoryLimit limit(64'000'000);
  CHECK_NOTHROW(check_memory(1e6));
  CHECK_THROWS_WITH_AS(check_memory(1e9), "memory limit reached", MemoryLimitReached);
  {
    const MemoryLimit longer(1'000'000'000);  // the least limit counts
    CHECK_THROWS_AS(check_memory(5e8), MemoryLimitReached);
    std::vector<char> much(100'000'000, 'x');
    CHECK(much[much.size() / 2] == 'x');
    sleep_for(0.01);
    CHECK_THROWS_AS(check_work_limit(), MemoryLimitReached);
  }
  sleep_for(0.01);
  CHECK_NOTHROW(check_work_limit());
  const PrecisionScope scope(100'000);
  CHECK_NOTHROW(check_memory_of_balls(100));
  CHECK_THROWS_AS(check_memory_of_balls(10'000), MemoryLimitReached);
}

TEST_CASE(
    "memory: without a limit nothing is refused, and one of the process holds for all threads") {
  CHECK_NOTHROW(check_memory(1e15));
  set_memory_limit(static_cast<std::size_t>(resident_bytes()) + 50'000'000);
  bool refused = false;
  std::thread([&] {
    try {
      check_memory(1e9);
    } catch (const MemoryLimitReached&) {
      refused = true;
    }
  }).join();
  CHECK(refused == (resident_bytes() > 0));
  {
    set_memory_limit(std::size_t{1} << 40);  // chosen: the default of a query is none besides
    const MemoryLimit usual(default_memory_limit);
    CHECK_NOTHROW(check_memory(1e11));
    const MemoryLimit other(1'000'000'000);
    CHECK_THROWS_AS(check_memory(1e11), MemoryLimitReached);
  }
  set_memory_limit(std::numeric_limits<std::size_t>::max());
  CHECK_NOTHROW(check_memory(1e15));
}

TEST_CASE("a loop of ball arithmetic that never looks at the limits is ended all the same") {
  const auto start = std::chrono::steady_clock::now();
  {
    const WorkLimit limit(0.05);
    CHECK_THROWS_AS(([] {
                      Ball x(0.5);
                      while (true) x = exp(-x);
                    })(),
                    WorkLimitReached);
  }
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(3));
  const WorkShare share(0.01);
  Ball x(0.5);
  CHECK_NOTHROW(check_work_limit(0.011 - 0.002));
  for (int i = 0; i < 1000; ++i) x = exp(-x);  // what follows a regular end is not ended
  CHECK_THROWS_AS(([&] {
                    while (true) x = exp(-x);
                  })(),
                  WorkShareReached);
}

TEST_CASE("what is made once for all threads is not counted") {
  const double before = work_done();
  {
    const UncountedWork kept;
    count_work(5);
  }
  CHECK(work_done() == before);
}

TEST_CASE("what describes a result is not ended") {
  const WorkLimit limit(0);
  const WorkShare share(0);
  const PrecisionScope scope(200'000);
  {
    const UnlimitedWork finishing;
    CHECK_NOTHROW(check_work_limit(1));
    CHECK_NOTHROW(check_work_overrun());
    CHECK_NOTHROW((void)affordable_product());
  }
  CHECK_THROWS_AS(check_work_limit(), WorkLimitReached);
}
