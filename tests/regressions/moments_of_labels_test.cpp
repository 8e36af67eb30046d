// Moments of laws with many labels took more points than `moments` allowed itself at any order, so
// that it halved the order to 1e-18: epsilon was at most 2e19.
#include "accountants/registry.hpp"
#include "support/curves.hpp"
#include "tests/support/exact.hpp"

using namespace plaudit;
using namespace plaudit::test;

TEST_CASE("moments of batches with replacement, beside what has nothing but moments") {
  const std::pair<const char*, int> cases[] = {
      {"with_replacement(gaussian(sigma=0.729), batch=5, population=74379)^42 * zcdp(rho=0.00615)",
       20},
      {"with_replacement(gaussian(sigma=1.74), batch=8, population=604)^586 * "
       "cdp(mu=0.0797, tau=0.258)",
       40},
  };
  for (const auto& each : cases) {
    const ComposedLoss loss = loss_from(each.first, Direction::remove);
    const Enclosure band =
        accountant("moments")->open(loss, Goal{6})->epsilon(parse_rational("6.8e-9"));
    INFO(each.first, " ", show(band));
    CHECK(certainly_less(band.upper, Ball(each.second)));
  }
}
