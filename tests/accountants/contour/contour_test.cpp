// The accountant `contour`: inversion, monotonicity, the configurations it was made for, equal
// compositions written differently, and all accountants against each other on random ones.
#include "accountants/contour/contour.hpp"

#include <doctest/doctest.h>

#include "accountants/registry.hpp"
#include "lib/work/work_limit.hpp"
#include "support/curves.hpp"
#include "support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

std::unique_ptr<PrivacyCurve> contour(const std::string& spec, Direction direction,
                                      int digits = 12) {
  return contour_accountant()->open(loss_from(spec, direction), Goal{digits});
}

std::string subsampled_spec(const char* sigma, const char* rate, const char* steps) {
  return std::string("poisson(gaussian(sigma=") + sigma + "), rate=" + rate + ")^" + steps;
}

/// The rational value of an end of a band.
Rational end(const Ball& x) { return exact_rational(x); }

struct Configuration {
  const char* sigma;
  const char* rate;
  const char* steps;
};

constexpr Configuration configurations[] = {{"0.8", "0.004", "1000"},  {"0.65", "0.01", "2000"},
                                            {"1", "0.01", "10000"},    {"1.5", "0.01", "10000"},
                                            {"0.5", "0.01", "100000"}, {"4", "0.00033", "10000"},
                                            {"1", "0.01", "1000000"},  {"10", "0.1", "10000000"}};

}  // namespace

TEST_CASE("12 digits on the configurations of training runs") {
  for (const Configuration& each : configurations) {
    const std::string spec = subsampled_spec(each.sigma, each.rate, each.steps);
    for (const Direction direction : both_directions) {
      const auto curve = contour(spec, direction);
      Rational last = -1;
      for (const char* delta : {"1e-5", "1e-10", "1e-15", "1e-30", "1e-100"}) {
        const Rational target = parse_rational(delta);
        const Enclosure epsilon = curve->epsilon(target);
        INFO(spec, ", ", std::string(name_of(direction)), ", delta ", std::string(delta), ", ",
             show(epsilon));
        CHECK(epsilon.certified);
        CHECK_MESSAGE(reached(epsilon, 12), epsilon.remark);
        if (!epsilon.upper.is_finite()) continue;
        CHECK(end(epsilon.upper) > last);  // decreasing in delta
        last = end(epsilon.lower);
        // the curve itself, by nodes of its own, on both sides of the band
        const auto fresh = contour(spec, direction, 14);
        if (certainly_positive(epsilon.lower)) {
          const Enclosure before = fresh->delta(end(epsilon.lower));
          CHECK(!certainly_less(before.upper, Ball(target)));
        }
        const Enclosure after = fresh->delta(end(epsilon.upper));
        const PrecisionScope scope(1000);
        CHECK(!certainly_greater(after.lower, Ball(target)));
        CHECK_MESSAGE(reached(after, 12), after.remark);
      }
    }
  }
}

TEST_CASE("epsilon(delta) and delta(epsilon) are inverse") {
  for (const char* spec : {"poisson(gaussian(sigma=1), rate=0.01)^3000", "gaussian(sigma=20)^100",
                           "mixture(sigma=4, sensitivities=[0.5, 1, 2], probabilities=[0.5, 0.25, "
                           "0.25])^40"}) {
    for (const Direction direction : both_directions) {
      const auto curve = contour(spec, direction, 15);
      for (const char* text : {"0.25", "0.001", "1e-7", "1e-25"}) {
        const Rational target = parse_rational(text);
        const Enclosure band = curve->epsilon(target);
        INFO(std::string(spec), ", ", std::string(name_of(direction)), ", delta ",
             std::string(text), ", ", show(band));
        if (certainly_greater(band.lower, Ball(1e-6))) {
          const Rational low = end(band.lower);
          const PrecisionScope scope(1000);
          const Ball value(target);
          // strictly before the band delta is larger, strictly after it smaller
          CHECK(certainly_greater(curve->delta(low * Rational(999999, 1000000)).lower, value));
          const Rational high = end(band.upper);
          CHECK(certainly_less(curve->delta(high * Rational(1000001, 1000000)).upper, value));
          // and delta(epsilon) leads back
          const Enclosure there = curve->delta((low + high) / 2);
          const PrecisionScope wide(4096);
          if (certainly_positive(there.lower) && certainly_less(there.upper, Ball(1))) {
            const Enclosure back = curve->epsilon(end(there.upper));
            CHECK(!certainly_less(Ball(end(band.upper)), back.lower));
          }
        }
      }
    }
  }
}

TEST_CASE("monotone in epsilon, in delta and in n") {
  for (const Direction direction : both_directions) {
    const auto curve = contour("poisson(gaussian(sigma=1), rate=0.02)^400", direction);
    Enclosure last = curve->delta(-2);
    for (int i = -19; i <= 60; ++i) {
      const Enclosure here = curve->delta(Rational(i, 10));
      INFO("epsilon ", i, "/10, ", show(here), " after ", show(last));
      CHECK(!certainly_greater(here.lower, last.upper));
      last = here;
    }
    Ball least(0);
    for (const char* delta : {"0.3", "0.1", "0.01", "1e-3", "1e-6", "1e-12", "1e-24", "1e-60"}) {
      const Enclosure epsilon = curve->epsilon(parse_rational(delta));
      CHECK(!certainly_less(epsilon.upper, least));
      least = epsilon.lower;
    }
    Ball before(0);
    for (const char* steps : {"50", "60", "100", "1000", "5000", "100000"}) {
      const Enclosure delta = contour(subsampled_spec("1", "0.02", steps), direction)->delta(1);
      INFO("steps ", std::string(steps));
      CHECK(!certainly_less(delta.upper, before));
      before = delta.lower;
    }
  }
}

TEST_CASE("the same composition in other words") {
  const std::pair<const char*, const char*> pairs[] = {
      {"poisson(gaussian(sigma=2), rate=1)^50", "gaussian(sigma=2)^50"},
      {"mixture(sigma=2, sensitivities=[1], probabilities=[1])^50", "gaussian(sigma=2)^50"},
      {"mixture(sigma=1, sensitivities=[0, 1], probabilities=[0.98, 0.02])^300",
       "poisson(gaussian(sigma=1), rate=0.02)^300"},
      {"mixture(sigma=2, sensitivities=[0, 2], probabilities=[0.98, 0.02])^300",
       "poisson(gaussian(sigma=1), rate=0.02)^300"},
      {"group(poisson(gaussian(sigma=3), rate=0.02), size=1)^300",
       "poisson(gaussian(sigma=3), rate=0.02)^300"},
      {"gaussian(sigma=4)^16 * poisson(gaussian(sigma=1), rate=0.01)^300",
       "gaussian(sigma=1) * poisson(gaussian(sigma=1), rate=0.01)^300"},
      {"poisson(gaussian(sigma=1), rate=0.05)^60 * poisson(gaussian(sigma=2), rate=0.05)^60",
       "(poisson(gaussian(sigma=2), rate=0.05) * poisson(gaussian(sigma=1), rate=0.05))^60"}};
  for (const auto& each : pairs) {
    const std::string one = each.first;
    const std::string other = each.second;
    for (const Direction direction : both_directions) {
      for (const Rational& epsilon : {Rational(0), Rational(1, 2), Rational(3)}) {
        const Enclosure a = contour(one, direction)->delta(epsilon);
        const Enclosure b = contour(other, direction)->delta(epsilon);
        INFO(one, " and ", other, ", ", std::string(name_of(direction)), ", epsilon ",
             to_string(epsilon));
        CHECK_BANDS_OVERLAP(a, b);
        CHECK(reached(a, 12));
        CHECK(reached(b, 12));
      }
    }
  }
}

TEST_CASE("a power by hand: terms that are not merged") {
  const ComposedLoss merged = loss_from("poisson(gaussian(sigma=2), rate=0.2)^40", Direction::add);
  std::vector<ComposedLoss::Term> terms;
  for (int i = 0; i < 40; ++i) terms.push_back({merged.terms()[0].loss, 1});
  const ComposedLoss split(std::move(terms), Direction::add);
  const Enclosure a = contour_accountant()->open(merged, Goal{12})->delta(1);
  const Enclosure b = contour_accountant()->open(split, Goal{12})->delta(1);
  CHECK_BANDS_OVERLAP(a, b);
  CHECK(reached(a, 12));
}

TEST_CASE("more digits: a narrower band in the same place") {
  for (const Direction direction : both_directions) {
    const char* spec = "poisson(gaussian(sigma=1), rate=0.01)^1000";
    const Rational delta = parse_rational("1e-6");
    Enclosure wide = contour(spec, direction, 6)->epsilon(delta);
    for (const int digits : {12, 30, 50}) {
      const Enclosure narrow = contour(spec, direction, digits)->epsilon(delta);
      CHECK_MESSAGE(reached(narrow, digits), narrow.remark);
      CHECK_BANDS_OVERLAP(wide, narrow);
      wide = narrow;
    }
  }
}

TEST_CASE("nodes made for one query serve the next ones") {
  const std::string spec = "poisson(gaussian(sigma=1.5), rate=0.01)^10000";
  const auto shared = contour(spec, Direction::remove);
  for (const char* text : {"1", "1.01", "0", "4", "0.5", "1", "30", "-1"}) {
    const Rational epsilon = parse_rational(text);
    const Enclosure a = shared->delta(epsilon);
    const Enclosure b = contour(spec, Direction::remove)->delta(epsilon);
    INFO("epsilon ", std::string(text));
    CHECK_BANDS_OVERLAP(a, b);
    CHECK(reached(a, 12));
  }
}

TEST_CASE("ends of the curve") {
  const auto curve = contour("poisson(gaussian(sigma=1), rate=0.25)^20", Direction::add);
  CHECK(curve->epsilon(1).upper.is_exact_zero());
  const Enclosure zero = curve->epsilon(0);  // n lambda = 20 log(4/3)
  const PrecisionScope scope(400);
  CHECK_BAND_MEETS(zero, Ball(20) * log(Ball(Rational(4, 3))));
  CHECK(reached(zero, 12));
  const Enclosure infinite =
      contour("poisson(gaussian(sigma=1), rate=0.25)^20", Direction::remove)->epsilon(0);
  CHECK(!infinite.lower.is_finite());
  // delta(0) = total variation: epsilon is 0 from there on
  const Enclosure at_zero = curve->delta(0);
  CHECK(curve->epsilon(end(at_zero.upper)).upper.is_exact_zero());
  CHECK(certainly_positive(curve->epsilon(end(at_zero.lower) * Rational(99, 100)).lower));
}

TEST_CASE("a tiny work limit leaves an honest band") {
  const char* spec = "poisson(gaussian(sigma=0.3), rate=1e-4)^3";
  const Enclosure truth = contour(spec, Direction::remove, 3)->delta(1);
  for (const double seconds : {0.0, 1e-4, 2e-3, 2e-2}) {
    const auto curve = contour(spec, Direction::remove, 30);
    const auto other = contour(spec, Direction::remove, 30);
    const WorkLimit limit(seconds);
    const Enclosure band = curve->delta(1);
    CHECK_BANDS_OVERLAP(band, truth);
    CHECK(certainly_less_equal(band.lower, band.upper));
    if (!reached(band, 30)) CHECK(!band.remark.empty());
    const Enclosure epsilon = other->epsilon(parse_rational("1e-9"));
    CHECK(certainly_less_equal(epsilon.lower, epsilon.upper));
    if (!reached(epsilon, 30)) CHECK(!epsilon.remark.empty());
  }
}

TEST_CASE("just before the end of the support: in time, however many bits it would take") {
  // The end is at 139.865050882165017...; the estimate of delta here is e^-10^7.
  const auto curve = contour(
      "laplace(scale=1.48)^207 * poisson(gaussian(sigma=3.04), rate=0.000186)", Direction::add);
  const PrecisionScope scope(4096);
  const WorkShare limit(1);
  CHECK(reached(curve->epsilon(parse_rational("1e-24")), 12));
  const Enclosure band = curve->delta(exactly(139.86505088216501));
  CHECK(!certainly_positive(band.lower));
  CHECK(certainly_nonnegative(band.upper));
  CHECK(!band.remark.empty());
}
