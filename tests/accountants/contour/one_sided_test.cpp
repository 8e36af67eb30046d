// Lines whose period reaches to an end of the support: their aliases on one-step curves that are
// known exactly, and their bands against other engines, other lines and other precisions.
#include <doctest/doctest.h>

#include <numbers>

#include "accountants/contour/line_aliases.hpp"
#include "accountants/contour/straight_choice.hpp"
#include "accountants/contour/straight_contour.hpp"
#include "accountants/registry.hpp"
#include "lib/balls/precision.hpp"
#include "support/containment.hpp"
#include "support/curves.hpp"
#include "support/losses.hpp"
#include "support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

/// One line of its own for delta at epsilon.
Enclosure one_sided_delta(const ComposedLoss& loss, double epsilon, double nats, double log_delta) {
  CumulantTable table(loss);
  const StraightChoice choice = choose_one_sided(loss, table, epsilon, nats, log_delta);
  REQUIRE(std::isfinite(choice.seconds));
  CHECK(choice.one_sided);
  return StraightContour(loss, table, epsilon, choice).delta(Ball(epsilon));
}

}  // namespace

TEST_CASE("the aliases that delta and psi bound themselves") {
  Random random(141);
  int large = 0;
  for (const ComposedLoss& loss :
       {loss_from("gaussian(sigma=1)"), loss_from("poisson(gaussian(sigma=0.6), rate=0.2)"),
        loss_from("laplace(scale=0.25)"), two_atoms(2.5, Rational(1, 2), -1, Rational(1, 4)),
        two_atoms(4, Rational(1, 1000), 1, Rational(3, 4))}) {
    const PrivacyLoss& step = *loss.terms()[0].loss;
    CumulantTable table(loss);
    for (int i = 0; i < trials(150); ++i) {
      const PrecisionScope scope(128);
      const bool negative = random.one_in(2);
      const double t =
          negative ? -1 - std::exp(random.uniform(-3, 1.5)) : std::exp(random.uniform(-3, 1.5));
      const double period = std::exp(random.uniform(-1, 2.5));
      const double epsilon = random.uniform(-3, 5);
      LineAliases aliases(loss, table, {t, period, true});
      const Ball p(period), eps(epsilon);
      const auto finite = [&](const Ball& x) { return step.delta(x) - loss.mass_at_infinity(); };
      const auto psi = [&](const Ball& x) {
        return finite(x) - loss.finite_mass() + loss.q_mass() * exp(x);
      };
      Ball truth;
      for (int j = 1; j <= 60; ++j) {
        const Ball shift = Ball(j) * p;
        truth += negative ? exp(Ball(t) * shift) * clipped_nonnegative(finite(eps + shift))
                          : exp(-Ball(t) * shift) * clipped_nonnegative(psi(eps - shift));
      }
      const Ball bound = aliases.of_one_sided(eps, p, finite(eps).upper());
      INFO(step.describe(), " t ", t, " period ", period, " epsilon ", epsilon);
      CHECK(certainly_less_equal(truth.lower(), bound));
      large +=
          certainly_greater(ldexp(truth, 2), bound) ? 1 : 0;  // and it is no bound of everything
    }
  }
  CHECK(large > trials(50));
}

TEST_CASE("the same bounds where they are next to equalities") {
  // delta is nearly constant far left, e^-y psi(y) far right
  const ComposedLoss loss = two_atoms(2.5, Rational(1, 2), -1, Rational(1, 4));
  const PrivacyLoss& step = *loss.terms()[0].loss;
  CumulantTable table(loss);
  const PrecisionScope scope(256);
  const auto finite = [&](const Ball& x) { return step.delta(x) - loss.mass_at_infinity(); };
  const Ball p(3), left(-60), right(60);
  Ball above, below;
  for (int j = 1; j <= 12; ++j) {
    const Ball shift = Ball(j) * p;
    above += exp(Ball(-1.5) * shift) * finite(left + shift);
    below += exp(-Ball(0.5) * shift) *
             (finite(right - shift) - loss.finite_mass() + loss.q_mass() * exp(right - shift));
  }
  const auto close = [](const Ball& truth, const Ball& bound) {
    CHECK(certainly_less_equal(truth, bound));
    CHECK(certainly_less(bound, truth * Ball(1.0001)));
  };
  close(above, LineAliases(loss, table, {-1.5, 3, true}).of_one_sided(left, p, finite(left)));
  close(below, LineAliases(loss, table, {0.5, 3, true}).of_one_sided(right, p, finite(right)));
}

TEST_CASE("rare participation and few steps, both directions, against other engines") {
  struct Case {
    const char* spec;
    Direction direction;
    const char* delta;
  };
  for (const Case& each :
       {Case{"poisson(gaussian(sigma=1.1817), rate=1.04e-5)^31", Direction::remove, "1e-9"},
        Case{"poisson(gaussian(sigma=1.1817), rate=1.04e-5)^31", Direction::add, "1e-9"},
        Case{"poisson(gaussian(sigma=8.7264), rate=1.05e-4)^3", Direction::remove, "1e-6"},
        Case{"poisson(gaussian(sigma=1), rate=0.5)^3", Direction::add, "1e-5"},
        Case{"poisson(gaussian(sigma=2), rate=0.01)^5", Direction::remove, "1e-5"},
        Case{"poisson(gaussian(sigma=2), rate=0.01)^4 * poisson(gaussian(sigma=1), rate=0.002)^3",
             Direction::remove, "1e-5"},
        Case{"mixture(sigma=2, sensitivities=[0, 1, 2], probabilities=[0.9, 0.06, 0.04])^8",
             Direction::add, "1e-4"}}) {
    const ComposedLoss loss = loss_from(each.spec, each.direction);
    INFO(each.spec);
    const Enclosure epsilon =
        accountant("contour")->open(loss, {6})->epsilon(parse_rational(each.delta));
    REQUIRE(epsilon.upper.is_finite());
    const double at = epsilon.upper.estimate();
    const double log_delta = estimate_log(parse_rational(each.delta));
    const Enclosure rough = one_sided_delta(loss, at, 12, log_delta);
    const Enclosure precise = one_sided_delta(loss, at, 40, log_delta);
    const Enclosure fine = one_sided_delta(loss, at, 80, log_delta);
    const PrecisionScope scope(400);
    CHECK_BAND_HOLDS(rough, hull(fine.lower, fine.upper));
    CHECK_BAND_HOLDS(precise, hull(fine.lower, fine.upper));
    CHECK((fine.upper - fine.lower).upper_double() < 1e-25 * fine.upper.estimate());
    // moments know nothing of contours
    const Enclosure other = accountant("moments")->open(loss, {4})->delta(exact_rational(Ball(at)));
    CHECK_FALSE(certainly_less(other.upper, fine.lower));
    CHECK_FALSE(certainly_less(fine.upper, other.lower));
  }
}

TEST_CASE("epsilon to 30 digits, as an independent program found it") {
  const ComposedLoss loss =
      loss_from("poisson(gaussian(sigma=1.1817), rate=1.04e-5)^31", Direction::remove);
  const Enclosure band = accountant("contour")->open(loss, {28})->epsilon(parse_rational("1e-9"));
  const PrecisionScope scope(400);
  const Ball printed(parse_rational("0.00050212705489532882137832296525"));
  const Ball found = widened(printed, Ball(parse_rational("1e-33")));
  CHECK_FALSE(certainly_less(found, band.lower));
  CHECK_FALSE(certainly_less(band.upper, found));
  CHECK((band.upper - band.lower).upper_double() < 1e-31);
}

TEST_CASE("one line answers every smaller epsilon") {
  const ComposedLoss loss =
      loss_from("poisson(gaussian(sigma=1.1817), rate=1.04e-5)^31", Direction::remove);
  CumulantTable table(loss);
  const StraightChoice choice = choose_one_sided(loss, table, 1e-3, 40, -25);
  StraightContour contour(loss, table, 1e-3, choice);
  for (const double epsilon : {9e-4, 3e-4, 1e-4, 1e-5, 0.0, -1e-4}) {
    const Enclosure band = contour.delta(Ball(epsilon));
    const Enclosure own = one_sided_delta(loss, epsilon, 60, -20);
    const PrecisionScope scope(400);
    INFO(epsilon);
    CHECK_BAND_HOLDS(band, hull(own.lower, own.upper));
    CHECK((band.upper - band.lower).upper_double() < 1e-10 * band.upper.estimate());
  }
}

TEST_CASE("a period that is too short is no error") {
  // then the support's end is within reach, and the usual bound of that alias stands
  const ComposedLoss loss = loss_from("poisson(gaussian(sigma=1), rate=0.1)^3", Direction::remove);
  CumulantTable table(loss);
  StraightChoice choice = choose_one_sided(loss, table, 0.5, 40, -12);
  const Enclosure whole = StraightContour(loss, table, 0.5, choice).delta(Ball(0.5));
  for (const double share : {0.95, 0.6, 0.3}) {
    StraightChoice shorter = choice;
    shorter.h = choice.h / share;
    const Enclosure band = StraightContour(loss, table, 0.5, shorter).delta(Ball(0.5));
    const PrecisionScope scope(400);
    CHECK_BAND_HOLDS(band, hull(whole.lower, whole.upper));
  }
}
