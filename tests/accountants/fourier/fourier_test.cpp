// The Fourier accountant: bands hold the values of other accountants, and reach their goal.
#include <doctest/doctest.h>

#include "accountants/closed/closed_form.hpp"
#include "accountants/contour/contour.hpp"
#include "accountants/registry.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/mixtures/gaussian_mixture_loss.hpp"
#include "support/curves.hpp"
#include "support/mixtures.hpp"
#include "support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

void check_both(const std::string& name, const ComposedLoss& loss, const Rational& epsilon,
                const Rational& delta, int digits, bool reach) {
  Enclosure truth;
  Enclosure inverse_truth;
  try {
    const WorkShare limit(0.5);
    const auto exact = contour_accountant()->open(loss, {6});
    truth = exact->delta(epsilon);
    inverse_truth = exact->epsilon(delta);
  } catch (const WorkLimitReached&) {
    return;
  }
  const WorkShare limit(reach ? 60 : 0.5);
  const auto curve = accountant(name)->open(loss, {digits});
  CAPTURE(name);
  CAPTURE(loss.terms()[0].loss->describe());
  CAPTURE(loss.terms()[0].count);
  CAPTURE(to_string(epsilon));
  CAPTURE(to_string(delta));
  const Enclosure at = curve->delta(epsilon);
  CHECK_BANDS_OVERLAP(at, truth);
  const Enclosure inverse = curve->epsilon(delta);
  CHECK_BANDS_OVERLAP(inverse, inverse_truth);
  if (reach) {
    CHECK_MESSAGE(reached(at, digits), show(at), at.remark);
    CHECK_MESSAGE(reached(inverse, digits), show(inverse), inverse.remark);
  }
}

const Rational usual_delta = parse_rational("1e-6");

}  // namespace

TEST_CASE("grid: the bands hold the contour's, and are as narrow as asked") {
  const struct {
    const char* spec;
    const char* epsilon;
  } cases[] = {
      {"poisson(gaussian(sigma=0.8), rate=0.004)^1000", "1.5"},
      {"poisson(gaussian(sigma=1), rate=0.01)^10000", "7"},
      {"poisson(gaussian(sigma=4), rate=0.01)^1000", "0.1"},
      {"poisson(gaussian(sigma=1), rate=0.01)^100 * gaussian(sigma=10)^5", "1.25"},
      {"mixture(sigma=2, sensitivities=[0,1,2], probabilities=[0.9, 0.075, 0.025])^200", "1"},
      {"poisson(gaussian(sigma=2), rate=1/2)^7", "3"}};
  for (const auto& each : cases) {
    for (const auto direction : {Direction::remove, Direction::add}) {
      check_both("fourier(mode=grid)", loss_from(each.spec, direction),
                 parse_rational(each.epsilon), usual_delta, 3, true);
    }
  }
}

TEST_CASE(
    "where nobody asked for digits, a usual width: and more digits where they are asked for") {
  const struct {
    const char* spec;
    const char* epsilon;
  } cases[] = {{"poisson(gaussian(sigma=0.8), rate=0.004)^1000", "1.5"},
               {"poisson(gaussian(sigma=4), rate=0.00033)^10000", "0.02"},
               {"poisson(gaussian(sigma=10), rate=0.1)^10000000", "650"},
               {"gaussian(sigma=30)^4 * poisson(gaussian(sigma=2), rate=1/2)^3", "1/4"}};
  for (const auto& each : cases) {
    for (const auto direction : {Direction::remove, Direction::add}) {
      const ComposedLoss loss = loss_from(each.spec, direction);
      CAPTURE(loss.terms()[0].loss->describe());
      const auto exact = contour_accountant()->open(loss, Goal{10});
      for (const char* name : {"fourier", "prv"}) {
        CAPTURE(name);
        const bool by_fourier = std::string(name) == "fourier";
        const auto usual = accountant(name)->open(loss, Goal{12, false});
        const Enclosure band = usual->epsilon(usual_delta);
        CHECK_BANDS_OVERLAP(band, exact->epsilon(usual_delta));
        CHECK(reached(band, 1));
        CHECK(certainly_less_equal(band.upper - band.lower,
                                   Ball(Rational(1, by_fourier ? 1000 : 50))));
        const Rational epsilon = parse_rational(each.epsilon);
        const Enclosure at = usual->delta(epsilon);
        CHECK_BANDS_OVERLAP(at, exact->delta(epsilon));
        CHECK(reached(at, by_fourier ? 3 : 1));
      }
      for (const int digits : {2, 5}) {
        const auto asked = accountant("fourier")->open(loss, Goal{digits});
        CHECK(reached(asked->epsilon(usual_delta), digits));
      }
    }
  }
}

TEST_CASE("grid: random compositions") {
  Random random(411);
  for (int i = 0; i < trials(3); ++i) {
    const GaussianMixture mixture = random_mixture(random);
    const auto direction = random.one_in(2) ? Direction::add : Direction::remove;
    const auto count = static_cast<std::uint64_t>(random.integer(2, 300));
    const ComposedLoss loss({{gaussian_mixture_loss(mixture, direction), count}}, direction);
    CAPTURE(spec_of(mixture));
    check_both("fourier(mode=grid)", loss, exactly(random.uniform(0, 3)), usual_delta, 2, false);
    check_both("fourier(mode=grid, mesh=0.01)", loss, exactly(random.uniform(0, 3)), usual_delta, 2,
               false);
    check_both("privacy_buckets(buckets=500)", loss, exactly(random.uniform(0, 3)), usual_delta, 2,
               false);
  }
}

TEST_CASE("buckets: first order without correction, second with") {
  const ComposedLoss loss = loss_from("poisson(gaussian(sigma=1.5), rate=0.01)^100");
  const auto width = [&](const char* name) {
    const Enclosure band = accountant(name)->open(loss, {3})->delta(1);
    return relative_width(band.lower, band.upper);
  };
  const double coarse = width("privacy_buckets(buckets=20000, correction=off)");
  const double fine = width("privacy_buckets(buckets=80000, correction=off)");
  CHECK(fine < coarse / 3.5);
  CHECK(fine > coarse / 8);
  CHECK(width("privacy_buckets(buckets=20000)") < width("privacy_buckets(buckets=5000)") / 8);
  CHECK(width("privacy_buckets(buckets=20000)") < coarse / 100);
}
