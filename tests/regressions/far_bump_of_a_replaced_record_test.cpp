// The moments of a replaced record's Poisson sample were bounded by e^16000 where their far bump is
// just too small to matter, for the points of the quadrature ended before it. Lines lost their
// bounds of aliases by that: at 12 digits nothing was known where 8 took 0.2 s.
#include <doctest/doctest.h>

#include "accountants/session/answer.hpp"
#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/language/spec.hpp"

using namespace plaudit;

TEST_CASE("a moment is bounded where its far bump is too small to matter") {
  const ComposedLoss loss(
      parse_spec("poisson(gaussian(sigma=18.8), rate=0.000154, adjacency=replace)"),
      Direction::remove);
  const PrecisionScope scope(64);
  for (const double t : {24000.0, 24578.0, 24598.0, 24816.0}) {
    CAPTURE(t);
    const double estimate = loss.estimate_cumulant(t).value;
    const double bound = log(loss.terms()[0].loss->mgf_upper(Ball(t), 20)).estimate();
    CHECK(bound == doctest::Approx(estimate).epsilon(1e-5));
  }
}

TEST_CASE("two steps with a replaced record are answered at few and many digits") {
  for (const int digits : {4, 8, 12, 20}) {
    CAPTURE(digits);
    AnswerOptions how;
    how.digits = digits;
    const double before = work_done();
    Session session(parse_spec("poisson(gaussian(sigma=5.44), rate=0.00048, adjacency=replace)^2"),
                    how);
    CHECK(session.answer(Quantity::epsilon, parse_rational("4.88e-10")).reached);
    CHECK(work_done() - before < 1);
  }
}
