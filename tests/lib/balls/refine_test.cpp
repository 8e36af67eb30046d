#include "lib/balls/refine.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace plaudit;

TEST_CASE("precision rises by what an attempt asks for, at least 32 bits") {
  std::vector<long> seen;
  const long before = working_precision();
  const bool done = refine(64, 100000, [&] {
    seen.push_back(working_precision());
    return seen.size() == 1 ? 100L : seen.size() == 2 ? 1L : 0L;
  });
  CHECK(done);
  CHECK(seen == std::vector<long>{64, 164, 196});
  CHECK(working_precision() == before);
}

TEST_CASE("it gives up after an attempt at most_bits") {
  std::vector<long> seen;
  CHECK_FALSE(refine(64, 128, [&] {
    seen.push_back(working_precision());
    return 1000L;
  }));
  CHECK(seen == std::vector<long>{64, 128});
}

TEST_CASE("the work limit ends it, and scopes nest") {
  CHECK_NOTHROW(check_work_limit());
  {
    const WorkLimit limit(0);
    CHECK_THROWS_AS(refine(64, 128, [] { return 0L; }), WorkLimitReached);
    const WorkLimit longer(1000);  // the earliest limit counts
    CHECK_THROWS_AS(check_work_limit(), WorkLimitReached);
  }
  CHECK_NOTHROW(check_work_limit());
  const WorkLimit limit(1000);
  CHECK(work_seconds_left() > 900);
  CHECK(work_seconds_left() <= 1000);
}
