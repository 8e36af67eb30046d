// P(L = 1/10) of pure(epsilon=1/10) was answered by [-7.8e-10, 0.525]: the point and the atom are
// the same rational, but were compared as two balls, and the hull of "all" and "nothing" was not
// even kept within [0, 1]. P(L > 1/10), laplace, discrete noise and files had the same defect.
#include <plaudit/plaudit.hpp>

#include <doctest/doctest.h>

TEST_CASE("the mass of an atom at a point that no binary number is") {
  using namespace plaudit;
  for (const char* spec : {"pure(epsilon=0.1)", "laplace(scale=10)", "discrete_laplace(scale=10)",
                           "randomized_response(epsilon=0.1)"}) {
    CAPTURE(spec);
    const PrivacyLoss loss(parse(spec), Direction::remove);
    const Interval atom = loss.p_atom("0.1");
    CHECK(atom.lower > 0.49);
    CHECK(atom.upper - atom.lower < 1e-14);
    CHECK(loss.p_above("0.1").upper == 0);
    CHECK(loss.q_above("0.1").upper == 0);
  }
  const PrivacyLoss noise(parse("discrete_gaussian(variance=5)"), Direction::remove);
  const Interval atom = noise.p_atom("0.1");  // the outcome 0
  CHECK(atom.lower > 0.17);
  CHECK(atom.upper - atom.lower < 1e-14);
}
