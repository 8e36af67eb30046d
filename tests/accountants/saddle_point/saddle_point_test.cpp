// The certified bands of saddle_point and berry_esseen against contour and closed forms, and the
// estimates against both.
#include "accountants/saddle_point/saddle_point.hpp"

#include <cmath>

#include "accountants/closed/closed_form.hpp"
#include "accountants/contour/contour.hpp"
#include "accountants/registry.hpp"
#include "accountants/saddle_point/berry_esseen_bound.hpp"
#include "lib/work/work_limit.hpp"
#include "support/curves.hpp"
#include "support/random_specs.hpp"
#include "support/sampled_gaussians.hpp"
#include "tests/support/exact.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

Enclosure delta_of(const std::string& name, const ComposedLoss& loss, const char* epsilon) {
  return accountant(name)->open(loss, {10})->delta(parse_rational(epsilon));
}
Enclosure epsilon_of(const std::string& name, const ComposedLoss& loss, const char* delta) {
  return accountant(name)->open(loss, {10})->epsilon(parse_rational(delta));
}

/// |estimate - truth| / truth.
double relative_error(const Enclosure& estimate, const Enclosure& truth) {
  return std::fabs((estimate.lower / truth.lower).estimate() - 1);
}

}  // namespace

TEST_CASE("bands hold the contour's value on random compositions") {
  Random random(311);
  int informative = 0;
  for (int i = 0; i < trials(12); ++i) {
    const std::string spec = random_spec(random, 3);
    const auto direction = random.one_in(2) ? Direction::add : Direction::remove;
    const ComposedLoss loss = loss_from(spec, direction);
    const Rational delta = parse_rational(random_delta(random));
    const Rational epsilon = exactly(random.one_in(5) ? -0.25 : std::exp(random.uniform(-3, 3)));
    INFO(spec, " ", std::string(name_of(direction)), " delta ", to_string(delta), " epsilon ",
         to_string(epsilon));
    const auto bands = [&](const char* name) {
      const WorkShare limit(0.5);  // what was not settled by then is a wider band
      const auto curve = accountant(name)->open(loss, {12});
      return std::pair{curve->delta(epsilon), curve->epsilon(delta)};
    };
    try {
      const auto truth = bands("contour");
      for (const char* name : {"saddle_point", "saddle_point(mode=edgeworth)", "berry_esseen",
                               "berry_esseen(form=tails)"}) {
        INFO(std::string(name));
        const auto found = bands(name);
        CHECK_BANDS_OVERLAP(found.first, truth.first);
        CHECK_BANDS_OVERLAP(found.second, truth.second);
        informative += certainly_positive(found.first.lower) ? 1 : 0;
      }
    } catch (const WorkLimitReached&) {  // nothing was claimed
    }
  }
  CHECK(informative > 0);
}

TEST_CASE("atoms and a mass at infinity: the band holds the binomial sum") {
  // 300 steps: L = 1/8 with 3/8, -1/8 with 3/5, else infinite
  constexpr int n = 300;
  const Rational high(3, 8);
  const Rational low(3, 5);
  const ComposedLoss loss = two_atoms(0.125, high, -0.125, low, n);
  for (const char* text : {"0", "0.6", "2.1"}) {
    const Rational epsilon = parse_rational(text);
    const PrecisionScope scope(400);
    Ball exact = loss.mass_at_infinity();
    Ball weight = power(Ball(low), n);  // C(n, k) high^k low^(n-k)
    for (int k = 0; k <= n; ++k) {
      const Ball at(Rational(2 * k - n, 8));
      exact += weight * clipped_nonnegative(max(Ball(0), -expm1(Ball(epsilon) - at)));
      weight *= Ball(high) / Ball(low) * Ball(Rational(n - k, k + 1));
    }
    for (const char* name : {"saddle_point", "saddle_point(mode=edgeworth)", "berry_esseen",
                             "berry_esseen(form=tails)"}) {
      INFO(std::string(name));
      CHECK_BAND_MEETS(delta_of(name, loss, text), exact);
    }
  }
}

TEST_CASE("Gaussians only: the normal approximation is exact") {
  const ComposedLoss loss = loss_from("gaussian(sigma=10)^100 * gaussian(sigma=3)^7");
  const Enclosure truth = delta_of("closed_form", loss, "2.5");
  for (const char* name : {"saddle_point", "saddle_point(mode=edgeworth)", "berry_esseen",
                           "berry_esseen(form=tails)"}) {
    INFO(std::string(name));
    const Enclosure band = delta_of(name, loss, "2.5");
    CHECK_BANDS_OVERLAP(band, truth);
    CHECK(relative_width(band.lower, band.upper) < 1e-8);
  }
}

TEST_CASE("Gaussians beside other steps narrow the band") {
  const char* few = "poisson(gaussian(sigma=2), rate=0.01)^10000";
  const char* more = "poisson(gaussian(sigma=2), rate=0.01)^10000 * gaussian(sigma=1)";
  const Enclosure alone = delta_of("saddle_point", loss_from(few), "2");
  const Enclosure beside = delta_of("saddle_point", loss_from(more), "5");
  CHECK_BANDS_OVERLAP(beside, delta_of("contour", loss_from(more), "5"));
  CHECK(relative_width(beside.lower, beside.upper) < relative_width(alone.lower, alone.upper));
}

TEST_CASE("the width falls with the root of the number of steps, up to 10^12 of them") {
  double former = 1;
  struct Case {
    const char* spec;
    double most;
  };
  for (const Case& each : {Case{"poisson(gaussian(sigma=10), rate=0.01)^1000000", 0.06},
                           Case{"poisson(gaussian(sigma=100), rate=0.01)^100000000", 6e-3},
                           Case{"poisson(gaussian(sigma=10000), rate=0.01)^1000000000000", 6e-5}}) {
    INFO(std::string(each.spec));
    const ComposedLoss loss = loss_from(each.spec);
    const Enclosure band = delta_of("saddle_point", loss, "2");
    CHECK_BANDS_OVERLAP(band, delta_of("contour", loss, "2"));
    const double width = relative_width(band.lower, band.upper);
    CHECK(width < each.most);
    CHECK(width < former / 5);
    former = width;
    const Enclosure inverse = epsilon_of("saddle_point", loss, "1e-5");
    CHECK_BANDS_OVERLAP(inverse, epsilon_of("contour", loss, "1e-5"));
    CHECK(relative_width(inverse.lower, inverse.upper) < width);
  }
}

TEST_CASE("each charged term carries weight: without it the band is wrong") {
  struct Case {
    const char* term;
    const char* name;
    const char* spec;
    const char* epsilon;
  };
  const char* usual = "poisson(gaussian(sigma=1), rate=0.01)^1000";
  const char* rare = "poisson(gaussian(sigma=4), rate=0.00033)^10000";
  for (const Case& each :
       {Case{"saddle_point.berry_esseen", "saddle_point", usual, "1"},
        Case{"saddle_point.berry_esseen", "saddle_point(mode=edgeworth)", usual, "1"},
        Case{"saddle_point.published", "saddle_point(mode=published)", usual, "1"},
        Case{"saddle_point.cut", "saddle_point(mode=edgeworth)", rare, "0.028"},
        Case{"berry_esseen.normal_approximation", "berry_esseen", usual, "1"},
        Case{"berry_esseen.normal_approximation", "berry_esseen(form=tails)", usual, "1"}}) {
    const char* const term = each.term;
    const char* const name = each.name;
    INFO(std::string(term), " in ", std::string(name));
    const ComposedLoss loss = loss_from(each.spec);
    const Enclosure truth = delta_of("contour", loss, each.epsilon);
    const Enclosure honest = delta_of(name, loss, each.epsilon);
    CHECK_BANDS_OVERLAP(honest, truth);
    CHECK(certainly_positive(ledger_size(honest, term)));
    sabotage::scale(term, 0);
    bool wrong = false;
    try {
      wrong = !plaudit::test::overlaps(delta_of(name, loss, each.epsilon), truth);
    } catch (const std::logic_error&) {  // contradicts what is trivially true
      wrong = true;
    }
    sabotage::clear();
    CHECK(wrong);
  }
}

TEST_CASE("no wider than moments, and ends that rise as delta falls") {
  std::vector<std::string> specs = sampled_gaussians;
  specs.insert(
      specs.end(),
      {"poisson(gaussian(sigma=1), rate=0.01)^100", "group(poisson(gaussian(1), 0.01), 3)^1000",
       "without_replacement(gaussian(1), 100, 10000, replace)^1000", "discrete_gaussian(10)^100",
       "poisson(gaussian(1), 0.01)^1000 * gaussian(5)^10 * laplace(20)^100",
       "randomized_response(0.1)^1000"});
  for (const std::string& spec : specs) {
    const ComposedLoss loss = loss_from(spec);
    for (const char* name : {"saddle_point", "saddle_point(mode=edgeworth)"}) {
      INFO(spec, " ", std::string(name));
      Ball former(0);
      for (const char* delta : {"1e-2", "1e-6", "1e-40"}) {
        CAPTURE(delta);
        const Enclosure plain = epsilon_of("moments", loss, delta);
        const Enclosure band = epsilon_of(name, loss, delta);
        CHECK_FALSE(certainly_less(band.lower, plain.lower));
        CHECK_FALSE(certainly_greater(band.upper, plain.upper));
        CHECK_FALSE(certainly_less(band.lower, former));
        former = band.lower;
        CHECK_BANDS_OVERLAP(band, epsilon_of("contour", loss, delta));
      }
    }
  }
}

TEST_CASE("Edgeworth's terms: at least five times narrower where several draws decide") {
  for (const std::string& spec : sampled_gaussians) {
    if (spec == sampled_gaussians[0]) continue;  // few draws decide there
    INFO(spec);
    const ComposedLoss loss = loss_from(spec);
    const Enclosure best = epsilon_of("saddle_point", loss, "1e-6");
    const Enclosure more = epsilon_of("saddle_point(mode=edgeworth)", loss, "1e-6");
    CHECK(certainly_less(Ball(5) * (more.upper - more.lower), best.upper - best.lower));
    CHECK_BANDS_OVERLAP(more, epsilon_of("contour", loss, "1e-6"));
  }
}

TEST_CASE("as published: the order of the saddle point, a wider band that holds the curve") {
  for (const char* spec : {"poisson(gaussian(sigma=2), rate=0.01)^10000", "laplace(scale=20)^5000",
                           "poisson(gaussian(sigma=1), rate=0.01)^1000000"}) {
    const ComposedLoss loss = loss_from(spec);
    for (const char* epsilon : {"0.5", "4"}) {
      INFO(std::string(spec), " ", std::string(epsilon));
      const Enclosure band = delta_of("saddle_point(mode=published)", loss, epsilon);
      CHECK_BANDS_OVERLAP(band, delta_of("contour", loss, epsilon));
    }
    const Enclosure published = epsilon_of("saddle_point(mode=published)", loss, "1e-6");
    CHECK_BANDS_OVERLAP(published, epsilon_of("contour", loss, "1e-6"));
    const Enclosure best = epsilon_of("saddle_point", loss, "1e-6");
    CHECK(certainly_less(best.upper - best.lower, published.upper - published.lower));
  }
  // below the order at which the printed bound is the larger one
  const ComposedLoss loss = loss_from("laplace(scale=20)^5000");
  const ComposedTilt low = composed_tilt(loss, 0.05);
  const Ball proven = published_error(low, Ball(1));
  const Ball ratio = low.third_absolute / (low.variance() * sqrt(low.variance()));
  const Ball printed = exp(low.log_mgf - Ball(0.05)) * exp(Ball(-0.05) * log(Ball(21))) * ratio;
  CHECK(certainly_less(printed * Ball(Rational(21, 20)), proven));
}

TEST_CASE("the printed error bounds, against a plain sum") {
  // Of poisson(gaussian(sigma=1), rate=0.01)^2000: the third moment in floating point, at one
  // order.
  const double t = 2;
  const double rate = 0.01;
  double mass = 0;
  double mean = 0;
  double variance = 0;
  double third = 0;
  const auto sum = [&](const auto& add) {
    for (int i = -12 * 256; i <= 18 * 256; ++i) {
      const double y = i / 256.0;
      const double loss = std::log1p(rate * std::expm1(y - 0.5));
      add(std::exp((1 + t) * loss - y * y / 2) / 256 / std::sqrt(2 * std::acos(-1.0)), loss);
    }
  };
  sum([&](double w, double loss) { mass += w, mean += w * loss; });
  mean /= mass;
  sum([&](double w, double loss) {
    variance += w * (loss - mean) * (loss - mean) / mass;
    third += w * std::pow(std::fabs(loss - mean), 3) / mass;
  });
  const double n = 2000;
  const double scale =
      std::exp(n * std::log(mass) - 2 * t) * n * third / std::pow(n * variance, 1.5);
  const ComposedTilt tilt =
      composed_tilt(loss_from("poisson(gaussian(sigma=1), rate=0.01)^2000"), t);
  const PrintedBounds bounds = printed_bounds(tilt, Ball(2));
  const double slides = std::pow(t / (1 + t), t) * scale;
  const double paper = 1.12 * std::pow(t, t) / std::pow(1 + t, 1 + t) * scale;
  INFO(slides, " ", bounds.slides.lower_double(), " ", bounds.slides.upper_double());
  CHECK(bounds.slides.lower_double() <= slides * (1 + 1e-9));
  CHECK(bounds.slides.upper_double() >= slides * (1 - 1e-9));
  CHECK(bounds.paper.lower_double() <= paper * (1 + 1e-9));
  CHECK(bounds.paper.upper_double() >= paper * (1 - 1e-9));
  CHECK(bounds.slides.upper_double() < 1.3 * bounds.slides.lower_double());
}

TEST_CASE("estimates: never certified, and better with every order") {
  struct Case {
    const char* spec;
    const char* epsilon;
    double most;
  };
  for (const Case& each :
       {Case{"poisson(gaussian(sigma=2), rate=0.01)^10000", "2", 1e-4},
        Case{"poisson(gaussian(sigma=1.5), rate=0.02)^20000 * gaussian(sigma=3)^4", "12", 1e-4},
        Case{"laplace(scale=20)^5000", "20", 1e-3}}) {
    const char* const spec = each.spec;
    const char* const epsilon = each.epsilon;
    const double most = each.most;
    INFO(std::string(spec));
    const ComposedLoss loss = loss_from(spec);
    const Enclosure truth = delta_of("contour", loss, epsilon);
    double former = 0.1;
    for (const char* name :
         {"saddle_point_msd", "saddle_point_msd(order=4)", "saddle_point_msd(order=6)"}) {
      CAPTURE(name);
      const Enclosure found = delta_of(name, loss, epsilon);
      CHECK_FALSE(found.certified);
      const double error = relative_error(found, truth);
      CAPTURE(error);
      CHECK(error < former);
      former = error;
    }
    CHECK(former < most);
    const Enclosure clt = delta_of("saddle_point_clt", loss, epsilon);
    CHECK_FALSE(clt.certified);
    CHECK(relative_error(clt, truth) < 0.02);
  }
}

TEST_CASE("estimates of epsilon are inverse to those of delta") {
  const ComposedLoss loss = loss_from("poisson(gaussian(sigma=2), rate=0.01)^10000");
  for (const char* name : {"saddle_point_clt", "saddle_point_msd(order=4)"}) {
    const auto curve = accountant(name)->open(loss, {10});
    const Enclosure epsilon = curve->epsilon(parse_rational("1e-6"));
    CHECK_FALSE(epsilon.certified);
    const Enclosure back = curve->delta(exact_rational(epsilon.lower));
    CHECK(back.lower.estimate() == doctest::Approx(1e-6).epsilon(1e-7));
    CHECK(relative_error(epsilon, epsilon_of("contour", loss, "1e-6")) < 1e-3);
  }
  CHECK(accountant("saddle_point_msd")->estimates_only());
  CHECK_THROWS(accountant("saddle_point_msd(order=3)"));
  CHECK_THROWS(accountant("saddle_point_msd(order=8)"));
}

TEST_CASE("a loss without variance is refused") {
  const ComposedLoss loss = two_atoms(1, Rational(1, 4), 1, Rational(1, 2), 5);
  for (const auto& each : {saddle_point_accountant(), berry_esseen_accountant(),
                           saddle_point_msd_accountant(), saddle_point_clt_accountant()}) {
    REQUIRE(each->refusal(loss));
    CHECK_THROWS_AS(each->open(loss, {12}), std::invalid_argument);
  }
}
