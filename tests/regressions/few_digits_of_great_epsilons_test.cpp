// The contour enclosed an epsilon only to the digits that were wanted. Where it is in the billions,
// delta changes by thousands of nats over three of them, far beyond what the nodes know: 16 s of
// work for two or three digits, 0.03 s for four.
#include <doctest/doctest.h>

#include "accountants/registry.hpp"
#include "accountants/session/answer.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/language/spec.hpp"

using namespace plaudit;

TEST_CASE("few digits of a great epsilon, and of one at a great order, take no longer than more") {
  for (const auto& [spec, delta] :
       {std::pair("tree(steps=37, sigma=4.78)^337606102611 * pure(epsilon=0.517)^3", "1.4e-58"),
        std::pair("exponential(epsilon=0.571)^3", "4.3e-28")}) {
    const auto& asked = spec;  // Clang captures no binding
    const ComposedLoss loss(parse_spec(spec), Direction::remove);
    for (const int digits : {1, 2, 3, 5}) {
      CAPTURE(asked);
      CAPTURE(digits);
      const double before = work_done();
      const Enclosure band =
          accountant("contour")->open(loss, Goal{digits, true})->epsilon(parse_rational(delta));
      CHECK(reached(band, digits));
      CHECK(work_done() - before < 0.5);
    }
  }
}
