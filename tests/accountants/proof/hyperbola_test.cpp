// The proof on a hyperbola from deliberately poor choices: few nodes, wide steps, short paths,
// strips that reach nearly to what limits them. The bounds carry these bands, and each must still
// hold the truth; and choices are only taken where the hypotheses of the theorem hold.
#include "accountants/proof/kinds/hyperbola.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "lib/exact/checked_integer.hpp"
#include "support/containment.hpp"
#include "support/exact.hpp"
#include "support/hyperbola.hpp"
#include "support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;
using proof::HyperbolaChoices;
using proof::HyperbolaLaw;
using proof::PathChoices;

namespace {

struct HyperbolaCase {
  std::string spec;
  Direction direction;
  Rational epsilon;
};

std::vector<HyperbolaCase> hyperbola_cases() {
  const auto remove = Direction::remove, add = Direction::add;
  return {{"poisson(gaussian(sigma=0.65), rate=0.01)^2", remove, 1},
          {"poisson(gaussian(sigma=0.65), rate=0.01)^2", add, Rational(1, 100)},
          {"poisson(gaussian(sigma=1), rate=0.3)", add, Rational(1, 5)},
          {"poisson(gaussian(sigma=0.5), rate=0.5)", remove, 2},
          {"poisson(gaussian(sigma=0.8), rate=0.05)^3", remove, Rational(1, 20)},
          {"poisson(gaussian(sigma=0.65), rate=0.02) * gaussian(sigma=2)", remove, 1},
          {"poisson(gaussian(sigma=0.65), rate=0.02)^2 * gaussian(sigma=3)", add, Rational(1, 50)},
          {"poisson(gaussian(sigma=0.7), rate=0.1) * mixture(sigma=1, sensitivities=[0, 0.25, 1], "
           "probabilities=[0.9, 0.05, 0.05])",
           remove, 1}};
}

struct Band {
  Ball low, high;
  bool holds(const Enclosure& truth) const {
    return certainly_less_equal(low.lower(), truth.upper) &&
           certainly_less_equal(truth.lower, high.upper());
  }
};

Band band_of(const HyperbolaLaw& law, const HyperbolaChoices& choices, long bits,
             const Rational& epsilon) {
  const PrecisionScope scope(bits);
  proof::Budget budget = proof::unlimited_budget();
  proof::HyperbolaSum<Ball> sum(law, choices, budget);
  sum.prepare();
  const proof::ProofOf<Ball> found = sum.at(Ball(epsilon));
  return {found.low, found.high};
}

/// What the theorem asks of the hyperbola; a strip that fails it by a part in 10^9 may pass.
bool strip_is_free(const HyperbolaLaw& law, const HyperbolaChoices& choices) {
  const double angle = estimate(choices.angle), strip = estimate(choices.strip);
  const double limit = law.mean == 0 ? std::numbers::pi / 2 : std::numbers::pi / 4;
  const double nearest =
      estimate(choices.center) +
      estimate(choices.scale) * std::sin(law.removes ? angle - strip : angle + strip);
  return angle - strip > -1e-9 && angle + strip < limit + 1e-9 &&
         (law.removes ? nearest > 1 - 1e-9 : nearest < 1e-9);
}

HyperbolaChoices poorer(const HyperbolaChoices& good, const HyperbolaLaw& law, Random& random) {
  HyperbolaChoices poor = good;
  double scale = estimate(good.scale), angle = estimate(good.angle), strip = estimate(good.strip);
  double center = estimate(good.center);
  const auto part = [](long n, double share) {
    return std::max(1L, static_cast<long>(static_cast<double>(n) * share));
  };
  const double wider = random.uniform(1, 4);
  poor.per_arc = part(good.per_arc, 1 / wider);
  poor.step = exactly(estimate(good.step) * static_cast<double>(good.per_arc) /
                      static_cast<double>(poor.per_arc));
  poor.arcs = part(good.arcs, random.uniform(random.one_in(3) ? 0.2 : 0.8, 1.1));
  poor.arcs_beyond = part(good.arcs_beyond, random.one_in(2) ? 1 : random.uniform(0, 1));
  if (random.one_in(6)) {
    angle *= std::exp(random.uniform(-0.7, 0.7));
    poor.angle = exactly(angle);
  }
  if (random.one_in(4)) {
    scale *= std::exp(random.uniform(-1.5, 1.5));
    poor.scale = exactly(scale);
  }
  if (random.one_in(2)) {  // the edge of the strip next to the pole, or to what decays
    strip = angle * random.uniform(0.3, 0.99);
    const double near = std::exp(random.uniform(-7, 0));
    center =
        (law.removes ? 1 + near : -near) - scale * std::sin(angle + (law.removes ? -1 : 1) * strip);
    if (random.one_in(8)) center += (law.removes ? -1 : 1) * random.uniform(0, 1.2) * near;
    poor.strip = exactly(strip);
    poor.center = exactly(center);
  }
  for (PathChoices& path : poor.paths) {
    const double step = random.one_in(2) ? std::exp(random.uniform(0, 1.2)) : 1;
    path.step = exactly(estimate(path.step) * step);
    path.first = static_cast<long>(static_cast<double>(path.first) / step *
                                   (random.one_in(3) ? random.uniform(0.3, 1) : 1));
    path.last = static_cast<long>(static_cast<double>(path.last) / step *
                                  (random.one_in(3) ? random.uniform(0.3, 1) : 1));
    path.accuracy = exactly(random.uniform(0.02, 0.5));
  }
  return poor;
}

HyperbolaChoices good_choices(const HyperbolaCase& each, double digits) {
  return contour_of(loss_of_spec(each.spec, each.direction), estimate(each.epsilon), digits)
      .plan()
      .choices;
}

Enclosure truth_of(const HyperbolaCase& each) {
  return contour_of(loss_of_spec(each.spec, each.direction), estimate(each.epsilon), 22)
      .delta(each.epsilon);
}

}  // namespace

TEST_CASE("poor choices: every band holds the truth, all that are taken satisfy the hypotheses") {
  Random random(91);
  int taken = 0, informative = 0, refused = 0;
  for (const HyperbolaCase& each : hyperbola_cases()) {
    const HyperbolaLaw law = hyperbola_law(loss_of_spec(each.spec, each.direction));
    const Enclosure truth = truth_of(each);
    const HyperbolaChoices start = good_choices(each, 6);
    for (int i = 0; i < trials(20); ++i) {
      const HyperbolaChoices poor = poorer(start, law, random);
      INFO(each.spec, " strip ", estimate(poor.strip), " of ", estimate(poor.angle), " center ",
           estimate(poor.center), " scale ", estimate(poor.scale), " step ", estimate(poor.step),
           " arcs ", poor.arcs, " + ", poor.arcs_beyond);
      try {
        const Band band = band_of(law, poor, random.integer(40, 80), each.epsilon);
        ++taken;
        CHECK(strip_is_free(law, poor));
        CHECK(band.holds(truth));
        informative += certainly_less(band.high, Ball(1)) && certainly_positive(band.low) ? 1 : 0;
      } catch (const proof::Rejected&) {
        ++refused;
      }
    }
  }
  MESSAGE(taken, " taken ", informative, " informative ", refused, " refused");
  CHECK(taken > trials(30));
  CHECK(informative > trials(10));
  CHECK(refused > trials(10));
}

// Where the factors have decayed, their product minus one is about -1 and no longer small.
TEST_CASE("sums that end early: every band holds the truth") {
  int taken = 0;
  for (const HyperbolaCase& each : hyperbola_cases()) {
    const HyperbolaLaw law = hyperbola_law(loss_of_spec(each.spec, each.direction));
    const Enclosure truth = truth_of(each);
    const HyperbolaChoices good = good_choices(each, 6);
    for (int tenths = 1; tenths <= 10; tenths += 3) {
      HyperbolaChoices poor = good;
      poor.arcs = std::max(1L, good.arcs * tenths / 10);
      poor.arcs_beyond = tenths % 3 == 0 ? 0 : good.arcs - poor.arcs + good.arcs_beyond;
      INFO(each.spec, " arcs ", poor.arcs, " + ", poor.arcs_beyond);
      try {
        CHECK(band_of(law, poor, 64, each.epsilon).holds(truth));
        ++taken;
      } catch (const proof::Rejected&) {
      }
    }
  }
  CHECK(taken > 10);
}

// No factor decays where there is none, so here the angles are limited by their own hypothesis, and
// the contour alone makes the errors: strips, sums that end early, e^{mu w (w - 1)}.
TEST_CASE("Gaussian factors alone: every band holds the closed form") {
  Random random(93);
  int informative = 0, steep = 0;
  for (int i = 0; i < trials(400); ++i) {
    HyperbolaLaw law;
    law.removes = !random.one_in(4);
    law.mean = exactly(std::exp(random.uniform(-4, 1.5)));
    const Rational epsilon = exactly((law.removes ? 1 : -1) * std::exp(random.uniform(-2, 4)));
    HyperbolaChoices choices;
    const double angle = random.uniform(0.05, 0.9), strip = angle * random.uniform(0.1, 0.999);
    const double scale = std::exp(random.uniform(-2, 2));
    const double near = random.one_in(8) ? -0.01 : std::exp(random.uniform(-3, 1.5));
    choices.angle = exactly(angle);
    choices.strip = exactly(strip);
    choices.scale = exactly(scale);
    choices.center = exactly((law.removes ? 1 + near : -near) -
                             scale * std::sin(angle + (law.removes ? -1 : 1) * strip));
    choices.per_arc = random.integer(1, 6);
    choices.arcs = random.integer(1, 20);
    choices.arcs_beyond = random.integer(0, 15);
    choices.step = exactly(random.uniform(0.05, 0.4) / static_cast<double>(choices.per_arc));
    INFO("mean ", estimate(law.mean), " epsilon ", estimate(epsilon), " center ",
         estimate(choices.center), " scale ", scale, " angle ", angle, " strip ", strip, " step ",
         estimate(choices.step), " arcs ", choices.arcs, " + ", choices.arcs_beyond);
    std::optional<Band> band;
    try {
      band = band_of(law, choices, random.integer(40, 80), epsilon);
    } catch (const proof::Rejected&) {
    }
    if (!strip_is_free(law, choices)) {
      ++steep;
      CHECK_FALSE(band);
    }
    if (!band) continue;
    const PrecisionScope scope(200);
    const Ball mu(law.mean), x(epsilon), deviation = sqrt(ldexp(mu, 1));
    const Ball truth =
        normal_cdf((mu - x) / deviation) - exp(x) * normal_cdf((-mu - x) / deviation);
    CHECK(certainly_less_equal(band->low.lower(), truth));
    CHECK(certainly_less_equal(truth, band->high.upper()));
    informative += certainly_less(ldexp(band->high - band->low, 3), Ball(1)) ? 1 : 0;
  }
  MESSAGE(informative, " informative ", steep, " steep");
  CHECK(informative > trials(30));
  CHECK(steep > trials(50));
}

// Far in the tail M is large: an error of one factor enters multiplied by powers of the others.
TEST_CASE("large moments on coarse paths: every band holds the truth") {
  for (const auto& [count, epsilon] : {std::pair{3, 8}, {40, 30}}) {
    const HyperbolaCase each{"poisson(gaussian(sigma=1), rate=0.3)^" + std::to_string(count),
                             Direction::remove, epsilon};
    const HyperbolaLaw law = hyperbola_law(loss_of_spec(each.spec, each.direction));
    const Enclosure truth = truth_of(each);
    const HyperbolaChoices good = good_choices(each, 20);
    int informative = 0;
    for (double wider = 1.5; wider < 16; wider *= 1.4) {
      HyperbolaChoices poor = good;
      PathChoices& path = poor.paths[0];
      path.step = exactly(estimate(path.step) * wider);
      path.first = std::lround(static_cast<double>(path.first) / wider) - 1;
      path.last = std::lround(static_cast<double>(path.last) / wider) + 1;
      INFO(each.spec, ": steps of the path wider by ", wider);
      const Band band = band_of(law, poor, 160, each.epsilon);
      CHECK(band.holds(truth));
      informative += certainly_less(ldexp(band.high, 12), Ball(1)) ? 1 : 0;
    }
    CHECK(informative > 2);
  }
}

TEST_CASE("balls and intervals find the same band and errors") {
  for (const HyperbolaCase& each : hyperbola_cases()) {
    const HyperbolaLaw law = hyperbola_law(loss_of_spec(each.spec, each.direction));
    const HyperbolaChoices choices = good_choices(each, 4);
    const PrecisionScope scope(96);
    proof::Budget budget = proof::unlimited_budget();
    proof::HyperbolaSum<Ball> balls(law, choices, budget);
    proof::HyperbolaSum<proof::Interval> intervals(law, choices, budget);
    balls.prepare();
    intervals.prepare();
    const auto a = balls.at(Ball(each.epsilon));
    const auto b = intervals.at(proof::Interval(each.epsilon));
    REQUIRE(a.errors.size() == b.errors.size());
    for (std::size_t i = 0; i < a.errors.size(); ++i) {
      CHECK(a.errors[i].term == b.errors[i].term);
      const double ratio = a.errors[i].size.estimate() / estimate(upper(b.errors[i].size));
      CHECK(std::fabs(ratio - 1) < 1e-5);  // exponentials from above, to the power of the counts
    }
    CHECK(certainly_less_equal(Ball(lower(b.low)), a.high.upper()));
    CHECK(certainly_less_equal(a.low.lower(), Ball(upper(b.high))));
  }
}

TEST_CASE("each error term is needed: scaled to zero, poor choices miss the truth") {
  const HyperbolaCase each = hyperbola_cases()[0];
  const HyperbolaLaw law = hyperbola_law(loss_of_spec(each.spec, each.direction));
  const Enclosure truth = truth_of(each);
  const HyperbolaChoices good = good_choices(each, 14);
  const auto check = [&](const HyperbolaChoices& poor, const char* name) {
    INFO(std::string(name));
    CHECK(band_of(law, poor, 128, each.epsilon).holds(truth));
    sabotage::scale(name, 0);
    const Band broken = band_of(law, poor, 128, each.epsilon);
    sabotage::clear();
    CHECK_FALSE(broken.holds(truth));
  };
  HyperbolaChoices poor = good;
  poor.step = exactly(3 * estimate(good.step));
  poor.arcs = good.arcs / 3 + 1;
  poor.arcs_beyond = good.arcs_beyond / 3 + 2;
  check(poor, "bent.quadrature_z");
  poor = good;
  poor.arcs = good.arcs * 6 / 10;
  poor.arcs_beyond += good.arcs - poor.arcs;
  check(poor, "bent.truncation");
  poor = good;
  poor.paths[0].step = exactly(2.5 * estimate(good.paths[0].step));
  poor.paths[0].first = good.paths[0].first * 2 / 5 - 1;
  poor.paths[0].last = good.paths[0].last * 2 / 5 + 1;
  check(poor, "bent.quadrature_y");
  poor = good;
  poor.paths[0].first = good.paths[0].first / 2;
  check(poor, "bent.tails");
}

TEST_CASE("hypotheses that fail are refused") {
  const HyperbolaCase each = hyperbola_cases()[0];
  const HyperbolaLaw law = hyperbola_law(loss_of_spec(each.spec, each.direction));
  const HyperbolaChoices good = good_choices(each, 8);
  const auto reason = [&](const std::function<void(HyperbolaChoices&)>& change) -> std::string {
    HyperbolaChoices bad = good;
    change(bad);
    try {
      band_of(law, bad, 96, each.epsilon);
    } catch (const proof::Rejected& refusal) {
      return refusal.what();
    }
    return "";
  };
  REQUIRE(reason([](HyperbolaChoices&) {}).empty());
  CHECK(reason([](auto& c) { c.center -= 5; }) == "bent: a pole lies on the strip of hyperbolas");
  CHECK(reason([](auto& c) { c.strip = c.angle; }) == "bent: no strip of hyperbolas");
  CHECK(reason([](auto& c) { c.angle = 2; }) == "bent: the hyperbola is too flat");
  CHECK(reason([](auto& c) { c.paths.clear(); }) == "bent: not for these factors");
  CHECK(reason([](auto& c) { c.arcs = 0; }) == "bent: no nodes");
  CHECK(reason([](auto& c) { c.paths[0].bend = c.paths[0].strip / 2; }) ==
        "bent: a path is not analytic on its strip");
  CHECK(reason([](auto& c) { c.paths[0].bend = 0; }) == "bent: no path");
  CHECK(reason([](auto& c) { c.paths[0].tilt = 1; }) == "bent: no path");
  CHECK(reason([](auto& c) { c.paths[0].rise = 3; }) == "bent: too many pieces");
  CHECK(reason([](auto& c) { c.paths[0].first = 1; }) ==
        "bent: a path is cut too early on the left");
  CHECK(reason([](auto& c) { c.paths[0].tilt = Rational(1, 20); }) ==
        "bent: a path is not tilted enough for the hyperbola, or cut too early on the right");
  const auto of_law = [&](const proof::MixtureLaw& mixture) -> std::string {
    HyperbolaLaw bad = law;
    bad.mixtures[0] = mixture;
    try {
      band_of(bad, good, 96, each.epsilon);
    } catch (const proof::Rejected& refusal) {
      return refusal.what();
    }
    return "";
  };
  const Rational half(1, 2);
  CHECK(of_law({{0}, {1}, 2}) == "bent: no mixture");
  CHECK(of_law({{0, 1}, {1, 0}, 2}) == "bent: no mixture");
  CHECK(of_law({{0, 2, 1}, {half, half / 2, half / 2}, 2}) == "bent: no mixture");
  CHECK(of_law({{half, 1}, {half, half}, 2}) == "bent: a mixture without a component at 0");
  // next to the axis the least growth of a factor is as fast as any decay
  CHECK(reason([](auto& c) {
          c.center = Rational(11, 10);
          c.strip = c.angle * Rational(999999, 1000000);
        }) == "bent: the integrand may not decay");
  // nothing is left of kappa where the factors grow as fast as e^{-kappa w} falls
  const HyperbolaCase small{"poisson(gaussian(sigma=0.65), rate=0.01)^2", Direction::add,
                            Rational(2, 100)};
  const HyperbolaLaw other = hyperbola_law(loss_of_spec(small.spec, small.direction));
  const HyperbolaChoices fine = good_choices({small.spec, small.direction, Rational(1, 100)}, 8);
  CHECK_THROWS_AS(band_of(other, fine, 96, Rational(3, 100)), proof::Rejected);
}
