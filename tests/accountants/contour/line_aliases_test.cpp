// The bounds of the aliases of a straight line against the aliases themselves, on one-step curves
// that are known exactly, with periods so short that the aliases are large; and the band they make.
#include "accountants/contour/line_aliases.hpp"

#include <doctest/doctest.h>

#include <numbers>

#include "accountants/contour/contour.hpp"
#include "accountants/contour/straight_contour.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/precision.hpp"
#include "support/containment.hpp"
#include "support/losses.hpp"
#include "support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

struct Curve {
  ComposedLoss loss;
  double lowest, highest;  ///< epsilons that matter

  const PrivacyLoss& step() const { return *loss.terms()[0].loss; }
  Ball infinite() const { return loss.mass_at_infinity(); }
  /// delta of the finite part, what it lacks of its mass, and that without the Q side.
  Ball finite_delta(const Ball& x) const { return step().delta(x) - infinite(); }
  Ball chi(const Ball& x) const { return loss.finite_mass() - finite_delta(x); }
  Ball psi(const Ball& x) const { return loss.q_mass() * exp(x) - chi(x); }
};

std::vector<Curve> curves() {
  return {{loss_from("gaussian(sigma=1)"), -4, 6},
          {loss_from("gaussian(sigma=0.4)"), -6, 12},
          {loss_from("poisson(gaussian(sigma=0.6), rate=0.2)"), -0.2, 6},
          {loss_from("laplace(scale=0.25)"), -5, 5},
          {loss_from("randomized_response(epsilon=3)"), -4, 4},
          {two_atoms(2.5, Rational(1, 2), -1, Rational(1, 4)), -2, 3},
          {two_atoms(4, Rational(1, 1000), 1, Rational(3, 4)), 0.5, 5}};
}

}  // namespace

TEST_CASE("the aliases are below their bounds, and the band of the corrected sum holds delta") {
  Random random(101);
  int finite = 0, large = 0;
  for (const Curve& curve : curves()) {
    CumulantTable table(curve.loss);
    for (int i = 0; i < trials(150); ++i) {
      const PrecisionScope scope(128);
      const double t = std::exp(random.uniform(-3, 1.5));
      const double period = std::exp(random.uniform(-1, 2.5));
      const double epsilon = random.uniform(curve.lowest, curve.highest);
      const bool both = random.one_in(2);
      LineAliases aliases(curve.loss, table, {t, period, both});
      const Ball p(period), eps(epsilon);
      const Ball right = aliases.right(eps, p), left = aliases.left(eps, p);
      Ball above, below;  // A+ = sum e^{t j P} delta(eps + j P), A- or B on the other side
      for (int j = 1; j <= 60; ++j) {
        const Ball shift = Ball(j) * p;
        above += exp(Ball(t) * shift) * clipped_nonnegative(curve.finite_delta(eps + shift));
        const Ball other = both ? curve.psi(eps - shift) : curve.chi(eps - shift);
        below += exp(-Ball(t) * shift) * clipped_nonnegative(other);
      }
      INFO(curve.step().describe(), " t ", t, " period ", period, " epsilon ", epsilon, " both ",
           both);
      // by the mass of Q, where that is said to be enough
      CHECK(certainly_less_equal(below.lower(), aliases.left(eps, p, Ball(1e300))));
      // no bound on the right is no reason for a worse one on the left
      if (left.is_finite()) {
        CHECK(
            certainly_less_equal(aliases.left(eps, p, positive_infinity()).upper(), left.upper()));
      }
      CHECK(certainly_less_equal(above.lower(), right));
      CHECK(certainly_less_equal(below.lower(), left));
      if (!right.is_finite() || !left.is_finite()) continue;
      ++finite;
      large += certainly_greater(right + left, Ball(0.01)) ? 1 : 0;
      const Ball exact = curve.finite_delta(eps);
      const Ball corrected = exact + above + (both ? below : -below);
      for (const double share : {-1.0, 0.0, 1.0}) {
        const Ball error(1e-5);
        const Enclosure band =
            aliases.band(corrected + Ball(share) * error, right, left, error, eps, Ledger());
        const Ball delta = exact + curve.infinite();
        CHECK(certainly_less_equal(band.lower, delta.upper()));
        CHECK(certainly_less_equal(delta.lower(), band.upper));
      }
      // a sum that says nothing leaves what holds in any case, and Lemma 1
      const Enclosure rest =
          aliases.band(exact + Ball(0.9), Ball(0.95), Ball(0), Ball(0.95), eps, Ledger());
      CHECK(certainly_less_equal(rest.lower, (exact + curve.infinite()).upper()));
      CHECK(certainly_less_equal((exact + curve.infinite()).lower(), rest.upper));
    }
  }
  CHECK(finite > trials(200));
  CHECK(large > trials(100));
}

TEST_CASE("where delta is 1 but for next to nothing: what it lacks is not understated") {
  for (const char* spec : {"gaussian(sigma=1)^5", "gaussian(sigma=2)^40"}) {
    const ComposedLoss loss = loss_from(spec);
    const auto curve = contour_accountant()->open(loss, Goal{});
    for (const long epsilon : {-70L, -150L}) {
      const Enclosure band = curve->delta(Rational(epsilon));
      const PrecisionScope scope(600);
      // a Gaussian loss: mu = 5 / 2, resp. 5
      const Ball mu = spec[15] == '1' ? Ball(2.5) : Ball(5);
      const Ball deviation = sqrt(ldexp(mu, 1)), x(epsilon);
      const Ball delta =
          normal_cdf((mu - x) / deviation) - exp(x) * normal_cdf((-mu - x) / deviation);
      INFO(spec, " at ", epsilon);
      CHECK(certainly_less_equal(band.lower, delta));
      CHECK(certainly_less_equal(delta, band.upper));
      CHECK(certainly_less(Ball(1) - band.lower, ldexp(exp(x), 4)));
    }
  }
}

TEST_CASE("below the support delta is 1 less the mass of Q, which need not be 1") {
  const ComposedLoss loss = two_atoms(2.5, Rational(1, 2), 1, Rational(1, 4));
  const auto curve = contour_accountant()->open(loss, Goal{});
  const Enclosure band = curve->delta(Rational(1, 2));
  const PrecisionScope scope(300);
  const Ball delta =
      Ball(1) - exp(Ball(0.5)) * (ldexp(exp(Ball(-2.5)), -1) + ldexp(exp(Ball(-1)), -2));
  CHECK(certainly_less_equal(band.lower, delta.upper()));
  CHECK(certainly_less_equal(delta.lower(), band.upper));
}

TEST_CASE("residues of laws with less than all of the mass, on lines with a short period") {
  const ComposedLoss loss = two_atoms(2.5, Rational(1, 2), 0.5, Rational(1, 4));
  CumulantTable table(loss);
  for (const double epsilon : {0.7, 1.6}) {
    for (const double t : {0.4, 0.8}) {
      for (const bool both : {false, true}) {
        StraightChoice choice;
        choice.t = t;
        choice.h = 2 * std::numbers::pi / 6;
        choice.nodes = 3000;
        choice.nats = 40;
        choice.both_residues = both;
        StraightContour contour(loss, table, epsilon, choice);
        const PrecisionScope scope(200);
        const Enclosure band = contour.delta(Ball(epsilon));
        const Ball delta = loss.terms()[0].loss->delta(Ball(epsilon));
        INFO("t ", t, " epsilon ", epsilon, " both ", both);
        CHECK(certainly_less_equal(band.lower, delta.upper()));
        CHECK(certainly_less_equal(delta.lower(), band.upper));
      }
    }
  }
}

TEST_CASE("what holds in any case, at negative epsilons too") {
  for (const Curve& curve : curves()) {
    for (const long k : {-40L, -10L, -3L, -1L, 1L, 30L}) {
      const Rational epsilon(k, 10);
      const Enclosure band = trivial_delta(curve.loss, epsilon);
      const PrecisionScope scope(200);
      const Ball delta = curve.step().delta(Ball(epsilon));
      INFO(curve.step().describe(), " at ", k);
      CHECK(certainly_less_equal(band.lower, delta.upper()));
      CHECK(certainly_less_equal(delta.lower(), band.upper));
    }
  }
}
