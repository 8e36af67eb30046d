// The soak of the cross-check: 1000 random compositions over all mechanisms.
#include <doctest/doctest.h>

#include "support/random.hpp"
#include "verification/crosscheck/cross_check.hpp"

using namespace plaudit;
using namespace plaudit::test;

TEST_CASE("bands of all accountants and closed forms meet on 1000 random compositions") {
  CrossCheckOptions options;
  options.count = static_cast<std::size_t>(trials(1000));
  options.seed = 2026;
  options.threads = 2;
  options.seconds_each = 0.1;
  const CrossCheckReport report = cross_check(options, [](std::size_t) {});
  for (const std::string& defect : report.defects) FAIL_CHECK(defect);
  CHECK(report.checks == options.count);
  CHECK(report.comparisons > options.count);
}
