// rare_draws was asked before largest_draw and used up its part of the limit in vain: 0.06 s of
// work with a limit of 30 s, 1.2 s with one of 60 s, 2.4 s with one of 120 s.
#include <doctest/doctest.h>

#include "accountants/session/answer.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/language/spec.hpp"

using namespace plaudit;

TEST_CASE("a far tail of few draws takes the same work under every limit") {
  const Composition run =
      parse_spec("group(poisson(gaussian(sigma=5.66), rate=1.87e-06), size=8)^41727");
  for (const double limit : {20.0, 60.0, 240.0}) {
    AnswerOptions how;
    how.timeout_seconds = limit;
    const double before = work_done();
    const Answer answer = Session(run, how).answer(Quantity::delta, parse_rational("2.01"));
    CAPTURE(limit);
    CHECK(answer.reached);
    CHECK(work_done() - before < 0.5);
  }
}
