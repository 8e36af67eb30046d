// A contour between Gaussians was taken for 0.03 s of work and took 0.7 s at every epsilon that was
// tried, next to a straight line that takes 0.02 s: six digits took 5 s of work, twelve 0.1 s.
#include <doctest/doctest.h>

#include "accountants/session/answer.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/language/spec.hpp"

using namespace plaudit;

TEST_CASE("fewer digits of batches with replacement take no longer than more of them") {
  const Composition run =
      parse_spec("with_replacement(gaussian(sigma=0.936), batch=94, population=9426)^9712");
  AnswerOptions how;
  how.direction = DirectionChoice::remove;
  for (const int digits : {6, 8}) {
    how.digits = digits;
    const double before = work_done();
    const Answer answer = Session(run, how).answer(Quantity::epsilon, Rational(18, 100'000'000));
    CAPTURE(digits);
    CHECK(answer.reached);
    CHECK(work_done() - before < 0.5);
  }
}
