// Hyperbolas against truth that does not come from them: the closed form of one step, one- and
// two-factor quadratures by other means; and against each other on other contours.
#include "accountants/contour/hyperbola_contour.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/mixtures/gaussian_mixture_loss.hpp"
#include "support/containment.hpp"
#include "support/hyperbola.hpp"
#include "support/reference_table.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

bool band_holds(const Enclosure& band, const Ball& truth) {
  return certainly_less_equal(band.lower, truth) && certainly_less_equal(truth, band.upper);
}
bool bands_meet(const Enclosure& a, const Enclosure& b) {
  return certainly_less_equal(a.lower, b.upper) && certainly_less_equal(b.lower, a.upper);
}

std::string list(const std::string& text) { return "[" + text + "]"; }

}  // namespace

TEST_CASE("one step: the closed form P(L > eps) - e^eps Q(L > eps)") {
  struct Case {
    const char *sigma, *rate, *epsilon;
    Direction direction;
  };
  for (const Case& c :
       {Case{"0.65", "0.01", "1", Direction::remove}, Case{"0.65", "0.01", "12", Direction::remove},
        Case{"0.65", "0.01", "0.005", Direction::add}, Case{"0.3", "1e-4", "5", Direction::remove},
        Case{"1", "0.3", "0.2", Direction::add}, Case{"1.5", "0.1", "0.5", Direction::remove}}) {
    const ComposedLoss loss = loss_of_spec(
        std::string("poisson(gaussian(sigma=") + c.sigma + "), rate=" + c.rate + ")", c.direction);
    const Rational epsilon = parse_rational(c.epsilon);
    for (const double digits : {10.0, 24.0}) {
      const Enclosure band = contour_of(loss, estimate(epsilon), digits).delta(epsilon);
      const PrecisionScope scope(400);
      const Rational q = parse_rational(c.rate);
      const Ball truth = gaussian_mixture_loss(
                             {parse_rational(c.sigma), {0, 1}, {Rational(1 - q), q}}, c.direction)
                             ->delta(Ball(epsilon));
      INFO(c.sigma, " ", c.rate, " at ", c.epsilon, ": ", show(band.lower), " ", show(band.upper));
      CHECK(band_holds(band, truth));
      CHECK(relative_width(band.lower, band.upper) < std::pow(10, -digits));
    }
  }
}

TEST_CASE("sigma is a root: the closed form of one step") {
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const ComposedLoss loss = loss_of_spec("poisson(gaussian(variance=0.4), rate=0.01)", direction);
    const Rational epsilon = parse_rational(direction == Direction::remove ? "1" : "0.005");
    const Enclosure band = contour_of(loss, estimate(epsilon), 10).delta(epsilon);
    const PrecisionScope scope(400);
    CHECK(band_holds(band, loss.terms()[0].loss->delta(Ball(epsilon))));
    CHECK(relative_width(band.lower, band.upper) < 1e-10);
  }
}

TEST_CASE("two factors: quadratures by another arithmetic") {
  for (const auto& row : reference_table("hyperbola_reference.tsv")) {
    const std::string mixture = "mixture(sigma=" + row[0] + ", sensitivities=" + list(row[1]) +
                                ", probabilities=" + list(row[2]) + ")";
    proof::HyperbolaLaw law;
    const Direction direction = row[4] == "add" ? Direction::add : Direction::remove;
    const Rational mean = parse_rational(row[3]);
    // of two specs one has the mixture twice; Gaussian factors have the mean sensitivity^2 / 2
    const ComposedLoss once = loss_of_spec(mixture + (mean == 0 ? "^2" : ""), direction);
    HyperbolaContour::Place place = place_of(once, estimate(parse_rational(row[5])), 20);
    law = hyperbola_law(once);
    law.mean = mean;
    INFO(row[0], " ", row[1], " ", row[2], " ", row[3], " ", row[4], " ", row[5]);
    const Ball truth = printed(row[6], 25);
    place.log_delta = truth.estimate_log();
    const HyperbolaContour contour(law, place);
    const Enclosure band = contour.delta(parse_rational(row[5]));
    const PrecisionScope scope(400);
    INFO(show(band.lower), " ", show(band.upper), " ", row[6]);
    CHECK(certainly_less_equal(band.lower, truth.upper()));
    CHECK(certainly_less_equal(truth.lower(), band.upper));
    CHECK(relative_width(band.lower, band.upper) < 1e-19);
  }
}

TEST_CASE("losses from specs, equal factors apart or as a power") {
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const Rational epsilon = direction == Direction::remove ? Rational(3) : Rational(1, 50);
    const ComposedLoss power =
        loss_of_spec("poisson(gaussian(sigma=0.65), rate=0.01)^5", direction);
    REQUIRE(HyperbolaContour::applies(power));
    const HyperbolaContour::Place place = place_of(power, estimate(epsilon), 14);
    const HyperbolaContour together(power, place);
    proof::HyperbolaLaw apart = hyperbola_law(power);
    apart.mixtures.push_back(apart.mixtures[0]);
    apart.mixtures[0].count = 2;
    apart.mixtures[1].count = 3;
    const HyperbolaContour separately(apart, place);
    const Enclosure a = together.delta(epsilon), b = separately.delta(epsilon);
    CHECK(relative_width(a.lower, a.upper) < 1e-13);
    CHECK(relative_width(b.lower, b.upper) < 1e-13);
    CHECK(bands_meet(a, b));
  }
  const ComposedLoss gaussian = loss_of_spec("gaussian(sigma=1)^3", Direction::add);
  CHECK_FALSE(HyperbolaContour::applies(gaussian));
  CHECK_THROWS_AS(contour_of(gaussian, 1, 10), std::domain_error);
}

TEST_CASE("a search goes on from an earlier plan, also from one that was made again") {
  const ComposedLoss loss =
      loss_of_spec("poisson(gaussian(sigma=0.65), rate=0.01)^5", Direction::remove);
  const HyperbolaContour::Place place = place_of(loss, 3, 14);
  const HyperbolaPlan first = HyperbolaContour::first_plan(loss, place);
  REQUIRE(std::isfinite(first.seconds));
  const HyperbolaPlan again = replan_hyperbola(
      hyperbola_law(loss), {3, place.saddle, place.log_delta, place.log_delta - 40}, first);
  REQUIRE(std::isfinite(again.seconds));
  HyperbolaPlan without = again;
  without.place.clear();
  const Enclosure alone = HyperbolaContour(loss, place).delta(Rational(3));
  for (const HyperbolaPlan& start : {first, again, without}) {
    const Enclosure band = HyperbolaContour(loss, place, &start).delta(Rational(3));
    CHECK(relative_width(band.lower, band.upper) < 1e-13);
    CHECK(bands_meet(alone, band));
  }
}

TEST_CASE("precisions and neighbouring epsilons overlap") {
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const ComposedLoss loss =
        loss_of_spec("poisson(gaussian(sigma=0.65), rate=0.01)^10", direction);
    const Rational at = direction == Direction::remove ? Rational(2) : Rational(1, 20);
    const HyperbolaContour coarse = contour_of(loss, estimate(at), 8);
    const HyperbolaContour fine = contour_of(loss, estimate(at), 25);
    for (const int percent : {70, 90, 100, 115, 140}) {
      const Rational epsilon = at * Rational(percent, 100);
      const Enclosure a = coarse.delta(epsilon), b = fine.delta(epsilon);
      INFO(percent, " ", show(a.lower), " ", show(a.upper), " ", show(b.lower), " ", show(b.upper));
      CHECK(bands_meet(a, b));
      if (percent == 100) CHECK(relative_width(b.lower, b.upper) < 1e-25);
    }
  }
}

TEST_CASE("trivial ranges") {
  // remove: delta = 1 - e^eps for eps <= -n lambda; add: delta = 0 for eps >= n lambda
  const char* spec = "poisson(gaussian(sigma=0.65), rate=0.01)^2";
  const HyperbolaContour remove = contour_of(loss_of_spec(spec, Direction::remove), 1, 10);
  const Enclosure below = remove.delta(Rational(-1));
  const PrecisionScope scope(200);
  CHECK(band_holds(below, -expm1(Ball(-1))));
  CHECK(relative_width(below.lower, below.upper) < 1e-20);
  const HyperbolaContour add = contour_of(loss_of_spec(spec, Direction::add), 1, 10);
  const Enclosure above = add.delta(Rational(1));
  CHECK(above.lower.is_exact_zero());
  CHECK(above.upper.is_exact_zero());
  // an epsilon too wide to tell the ranges apart
  const Enclosure wide = remove.delta(widened(Ball(0), Ball(1)));
  CHECK(certainly_less_equal(wide.lower, remove.delta(Rational(1)).lower));
  CHECK(certainly_less_equal(-expm1(Ball(-1)), wide.upper));
  // between: where kappa is positive and epsilon is not
  for (const Rational& epsilon : {Rational(-1, 100), Rational(-19, 1000), Rational(-1, 1000)}) {
    const Enclosure band = remove.delta(epsilon);
    CHECK(certainly_less_equal(-expm1(Ball(epsilon)).lower(), band.upper));
  }
}

// Whether a composition has a Gaussian factor was decided by the double of its mean, which is 0 for
// gaussian(sigma=1e200): 1 was subtracted from a product whose bounds hold without Gaussian factors
// only.
TEST_CASE("a Gaussian factor far below double's range is one") {
  const char* alone = "poisson(gaussian(sigma=0.5), rate=1e-6)";
  const ComposedLoss both =
      loss_of_spec(std::string(alone) + " * gaussian(sigma=1e200)", Direction::remove);
  const proof::HyperbolaLaw law = hyperbola_law(both);
  REQUIRE(law.mean != 0);
  REQUIRE(estimate(law.mean) == 0);
  const HyperbolaContour contour = contour_of(both, 2, 12);
  const Enclosure a = contour.delta(Rational(2));
  const Enclosure b = contour_of(loss_of_spec(alone, Direction::remove), 2, 12).delta(Rational(2));
  CHECK(bands_meet(a, b));
  CHECK(relative_width(a.lower, a.upper) < 1e-11);
  // as far as pi/4 only, where a factor without Gaussian ones may go farther
  HyperbolaPlan flat = contour.plan();
  flat.choices.angle = Rational(8, 10);
  CHECK_THROWS_AS(HyperbolaContour(law, flat), std::domain_error);
}
