// With fewer digits wanted, draws were taken for a single huge one although none of them was huge
// at the saddle point. The first guess of epsilon was 54 in place of 132: 6 s of work for five and
// six digits, 0.05 s for four and seven.
#include <doctest/doctest.h>

#include "accountants/session/answer.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/language/spec.hpp"

using namespace plaudit;

TEST_CASE("fewer digits of capped batches that are replaced take no longer than more of them") {
  const Composition run = parse_spec(
      "truncated_poisson(gaussian(sigma=0.549, sensitivity=1.77), rate=0.00524, cap=87, "
      "population=52600, adjacency=replace)^598");
  AnswerOptions how;
  how.direction = DirectionChoice::add;
  for (const int digits : {4, 5, 6, 7}) {
    how.digits = digits;
    const double before = work_done();
    const Answer answer = Session(run, how).answer(Quantity::epsilon, parse_rational("4.2e-29"));
    CAPTURE(digits);
    CHECK(answer.reached);
    CHECK(work_done() - before < 0.5);
  }
}
