// The evaluator of lattice sums where a factor's value may be 0: it is enclosed by a square, whose
// size enters the band.
#include "accountants/proof/kinds/lattice.hpp"

#include <doctest/doctest.h>

#include "accountants/proof/arithmetic/balls.hpp"
#include "accountants/proof/arithmetic/intervals.hpp"
#include "lib/balls/precision.hpp"

using namespace plaudit;

namespace {

/// P(L = 0) = 0.9, P(L = 1) = 0.1, three times.
template <class Real>
proof::ProofOf<Real> delta_at(const Rational& tilt, const Rational& epsilon, bool may_vanish) {
  proof::Budget budget = proof::unlimited_budget();
  proof::LatticeChoices choices;
  choices.tilt = tilt;
  choices.right_order = 9;
  choices.period = 64;
  choices.ranges = {{32, true}};
  const proof::Number<Real> step{Real(1), Rational(1)};
  const proof::PeriodLine<Real> line(step.value, Real(tilt), choices.period);
  const proof::LawOnLattice<Real> law{.offset = {Real(0), Rational(0)},
                                      .mesh = step,
                                      .indices = {0, 1},
                                      .masses = {Real(Rational(9, 10)), Real(Rational(1, 10))}};
  typename proof::LatticeContour<Real>::Factors factors;
  factors.push_back(proof::lattice_factor(law, 3, 1, line, budget));
  CHECK(may_be_zero(factors[0]->at(choices.period / 2)) == may_vanish);
  proof::LatticeContour<Real> contour(std::move(factors), line, step, choices, budget);
  return contour.at({Real(epsilon), epsilon});
}

template <class Real>
void check_values(const Rational& tilt, bool may_vanish) {
  const proof::ProofOf<Real> found = delta_at<Real>(tilt, Rational(1, 2), may_vanish);
  const Rational truth = parse_rational("0.117506450367198573887908611612");
  const Rational unit = parse_rational("1e-29");
  CHECK(at_most(bottom(found.low), Real(Rational(truth + unit))));
  CHECK(at_most(Real(Rational(truth - unit)), top(found.high)));
  CHECK(at_most(found.high - found.low, Real(exact_rational(Ball(1e-12)))));
}

}  // namespace

TEST_CASE("values that may be 0 are enclosed: M(t + i pi) = (0.9 - 0.1 e^t)^3 at t = log 9") {
  // at 64 bits an enclosure of the value there contains 0
  const Rational tilt =
      parse_rational("2.19722457733621938279049047384505140929498111564549890346939");
  const PrecisionScope scope(64);
  check_values<Ball>(tilt, true);
  check_values<proof::Interval>(tilt, true);
}

TEST_CASE("at a tilt where no value is 0") {
  const PrecisionScope scope(64);
  check_values<Ball>(2, false);
  check_values<proof::Interval>(2, false);
}
