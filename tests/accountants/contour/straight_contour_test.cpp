// The straight contour against truth that does not come from it: closed forms, quadratures made by
// other means, finite sums; and against itself on other lines and at other precisions.
#include "accountants/contour/straight_contour.hpp"

#include <doctest/doctest.h>

#include <numbers>

#include "accountants/closed/closed_form.hpp"
#include "accountants/contour/contour.hpp"
#include "lib/work/work_limit.hpp"
#include "support/curves.hpp"
#include "support/random.hpp"
#include "support/reference_table.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

Enclosure contour_delta(const ComposedLoss& loss, const Rational& epsilon, int digits) {
  return contour_accountant()->open(loss, Goal{digits})->delta(epsilon);
}

/// Upper bound of (upper - lower) / upper.
double width(const Enclosure& band) { return relative_width(band.lower, band.upper); }

}  // namespace

TEST_CASE("delta of poisson(gaussian(1.5), 0.01)^10000 at 1, to 38 digits") {
  // Two independent computations (contour of other parameters, Fourier accountant at 1e-12) agree
  // with the leading digits; the table of the Fourier accountant's paper prints 0.0496014103163.
  const ComposedLoss loss =
      loss_from("poisson(gaussian(sigma=1.5), rate=0.01)^10000", Direction::remove);
  const PrecisionScope scope(256);
  const Ball value = printed("0.0496014103148257756069437717920834431101", 39);
  const Enclosure band = contour_delta(loss, 1, 38);
  CHECK(reached(band, 38));
  CHECK_BAND_MEETS(band, value);
  CHECK_BAND_HOLDS(contour_delta(loss, 1, 30), value);
}

TEST_CASE("compositions of Gaussians against their closed form, n = 1 .. 10^6") {
  for (const long n : {1L, 2L, 7L, 100L, 10000L, 1000000L}) {
    const std::string spec = "gaussian(sigma=1)^" + std::to_string(n);
    const ComposedLoss loss = loss_from(spec, Direction::remove);
    const Rational mu(n, 2);
    const double spread = std::sqrt(static_cast<double>(n));
    for (const int digits : {15, 50, 100}) {
      for (const double place : {-1.0, 0.0, 3.0}) {
        // eps near the mean loss, below and above
        const Rational epsilon = Rational(n, 2) + exactly(std::floor(8 * place * spread) / 8);
        const Enclosure band = contour_delta(loss, epsilon, digits);
        const PrecisionScope scope(900);
        INFO(spec, " at ", to_string(epsilon), ", digits ", digits);
        CHECK(reached(band, digits));
        CHECK_BAND_HOLDS(band, gaussian_delta(mu, Ball(epsilon)));
      }
    }
  }
}

TEST_CASE("epsilon of Gaussians: the closed form's curve passes through the band") {
  for (const long n : {1L, 30L, 10000L}) {
    const ComposedLoss loss =
        loss_from("gaussian(sigma=3)^" + std::to_string(n), Direction::remove);
    const Rational mu(n, 18);
    for (const char* delta : {"0.01", "1e-5", "1e-30"}) {
      const Enclosure band =
          contour_accountant()->open(loss, Goal{20})->epsilon(parse_rational(delta));
      const PrecisionScope scope(400);
      const Ball target(parse_rational(delta));
      INFO("n = ", n, ", delta = ", std::string(delta), ", ", show(band));
      CHECK(reached(band, 20));
      CHECK(certainly_less_equal(target, gaussian_delta(mu, band.lower)));
      CHECK(certainly_less_equal(gaussian_delta(mu, band.upper), target));
    }
  }
}

TEST_CASE("two steps against one quadrature of the one-step curve") {
  int narrow = 0;
  for (const auto& row : reference_table("two_steps.tsv")) {
    const ComposedLoss loss = loss_from(row[0], direction_named(row[1]));
    const auto curve = contour_accountant()->open(loss, Goal{8});
    const WorkShare limit(0.1);  // a band that stays wide must be right as well
    const Enclosure band = curve->delta(parse_rational(row[2]));
    const PrecisionScope scope(256);
    INFO(row[0], ", ", row[1], ", epsilon ", row[2]);
    CHECK_BAND_MEETS(band, printed(row[3], 42));
    narrow += reached(band, 8) ? 1 : 0;
  }
  CHECK(narrow >= 5);
}

TEST_CASE("two steps, the straight line itself") {
  // Few nodes decay slowly at two steps: a wide band, but never a wrong one.
  for (const auto& row : reference_table("two_steps.tsv")) {
    const Rational epsilon = parse_rational(row[2]);
    const double near = estimate(epsilon);
    for (const double period : {6.0, 14.0, 30.0}) {
      for (const double t : {0.5, 2.0}) {
        StraightChoice choice;
        choice.t = t;
        choice.h = 2 * std::numbers::pi / period;
        choice.nodes = 60;
        choice.nats = 30;
        const StraightLine line(row[0], direction_named(row[1]), near, choice);
        const Enclosure band = line.delta(epsilon);
        const PrecisionScope scope(256);
        INFO(row[0], ", ", row[1], ", epsilon ", row[2], ", t ", t, ", period ", period);
        CHECK_BAND_HOLDS(band, printed(row[3], 42));
      }
    }
  }
}

TEST_CASE("other lines, other node distances, other precisions agree") {
  const char* specs[] = {
      "poisson(gaussian(sigma=1), rate=0.01)^1000",
      "poisson(gaussian(sigma=0.8), rate=0.004)^3000",
      ("mixture(sigma=2, sensitivities=[0, 1, 2], probabilities=[0.96875, 0.0234375, "
       "0.0078125])^1000"),
      "mixture(sigma=4, sensitivities=[0.5, 1, 2], probabilities=[0.5, 0.25, 0.25])^40",
      "gaussian(sigma=5)^10 * poisson(gaussian(sigma=2), rate=0.125)^200",
      "poisson(gaussian(sigma=1), rate=0.01)^500 * poisson(gaussian(sigma=2), rate=0.05)^700"};
  for (const char* spec : specs) {
    for (const Direction direction : both_directions) {
      const Rational epsilon(1);
      const StraightLine line(spec, direction, 1, 15);
      const Enclosure band = line.delta(epsilon);
      INFO(std::string(spec), ", ", std::string(name_of(direction)), ", t ", line.choice().t);
      CHECK(width(band) < 1e-14);
      const Enclosure precise = StraightLine(spec, direction, 1, 30).delta(epsilon);
      CHECK(width(precise) < 1e-29);
      CHECK_BANDS_OVERLAP(band, precise);
      for (const double share : {0.5, 0.8, 1.25}) {
        StraightChoice other = line.choice();
        other.t *= share;
        other.h *= 0.75;
        other.nodes *= 3;
        other.cancellation += 20;
        const Enclosure elsewhere = StraightLine(spec, direction, 1, other).delta(epsilon);
        INFO("share ", share);
        CHECK(width(elsewhere) < 1e-10);
        CHECK_BANDS_OVERLAP(elsewhere, precise);
      }
    }
  }
}

TEST_CASE("lines left of 0 and of -1") {
  // Theorem 1 holds for every t other than 0 and -1. The accountant uses t > 0, and t < -1 on
  // one-sided lines only (one_sided_test.cpp); orders for the aliases are searched for t > 0 only:
  // elsewhere the lower end may be trivial, D itself is not.
  for (const double t : {-3.0, -1.5, -0.5, -0.25, 0.75}) {
    for (const int epsilon : {-6, 0, 5, 9}) {
      StraightChoice choice;
      choice.t = t;
      choice.h = 2 * std::numbers::pi / 120;
      choice.nodes = 100;
      choice.nats = 60;
      choice.cancellation = 100;
      const StraightLine line("gaussian(sigma=1)^16", Direction::remove, epsilon, choice);
      const Enclosure band = line.delta(Ball(epsilon));
      const PrecisionScope scope(1000);
      INFO("t ", t, ", epsilon ", epsilon);
      const Ball truth = gaussian_delta(8, Ball(epsilon));
      CHECK_BAND_HOLDS(band, truth);
      CHECK(((band.upper - truth) / truth).upper_double() < 1e-8);
      if (t > 0) CHECK(width(band) < 1e-8);
    }
  }
}

TEST_CASE("no node but the real one") {
  // M hardly decays, so the nodes left out are nearly sum 1 / (k h)^2 = 1.64 / h^2.
  StraightChoice choice;
  choice.t = 0.01;
  choice.h = 5;
  choice.nodes = 0;
  choice.nats = 30;
  const StraightLine line("gaussian(sigma=1000)", Direction::remove, 0, choice);
  const PrecisionScope scope(200);
  for (const char* epsilon : {"0", "0.001", "-0.001", "0.1"}) {
    const Ball at(parse_rational(epsilon));
    CHECK_BAND_HOLDS(line.delta(at), gaussian_delta(Rational(1, 2000000), at));
  }
}

TEST_CASE("an epsilon far from the one the line was made for") {
  for (const double made_for : {0.0, 20.0, 60.0}) {
    const StraightLine line("gaussian(sigma=1)^50", Direction::remove, made_for, 15);
    for (const int epsilon : {-2000, -100, -30, -1, 0, 1, 10, 25, 40, 80, 150, 300, 10000}) {
      const Enclosure band = line.delta(Ball(epsilon));
      const PrecisionScope scope(30000);
      INFO("made for ", made_for, ", at ", epsilon);
      CHECK_BAND_HOLDS(band, gaussian_delta(25, Ball(epsilon)));
      CHECK(certainly_less_equal(band.upper, Ball(1)));
    }
  }
}

TEST_CASE("an epsilon that is a ball") {
  const StraightLine line("gaussian(sigma=1)^9", Direction::remove, 5, 20);
  const PrecisionScope scope(200);
  const Ball epsilon = widened(Ball(5), Ball(Rational(1, 100)));
  const Enclosure band = line.delta(epsilon);
  for (const char* inside : {"4.99", "4.9951", "5", "5.00999"}) {
    CHECK_BAND_HOLDS(band, gaussian_delta(Rational(9, 2), Ball(parse_rational(inside))));
  }
}

TEST_CASE("mass at infinity and atoms, against finite sums") {
  // L = 1.5 or -0.75 or infinite, n times: delta is a binomial sum.
  const Rational high(3, 5), low(3, 8);
  const int n = 40;
  const ComposedLoss loss = two_atoms(1.5, high, -0.75, low, n);
  CumulantTable table(loss);
  const PrecisionScope scope(400);
  for (const double epsilon : {-3.0, 0.0, 8.0, 22.0, 40.0}) {
    Ball truth = loss.mass_at_infinity();
    Ball coefficient(1);
    for (int k = 0; k <= n; ++k) {  // k times the loss 1.5
      const Ball value = Ball(1.5) * Ball(k) - Ball(0.75) * Ball(n - k);
      if (certainly_greater(value, Ball(epsilon))) {
        truth += coefficient * power(Ball(high), static_cast<std::uint64_t>(k)) *
                 power(Ball(low), static_cast<std::uint64_t>(n - k)) *
                 -expm1(Ball(epsilon) - value);
      }
      coefficient = coefficient * Ball(n - k) / Ball(k + 1);
    }
    StraightChoice choice;
    choice.t = 0.5;
    choice.h = 2 * std::numbers::pi / 40;
    choice.nodes = 1500;
    choice.nats = 40;
    StraightContour contour(loss, table, epsilon, choice);
    const Enclosure band = contour.delta(Ball(epsilon));
    INFO("epsilon ", epsilon);
    CHECK_BAND_HOLDS(band, truth);
    CHECK(width(band) < 0.7);
    const auto curve = contour_accountant()->open(loss, Goal{5});
    const WorkShare limit(0.1);  // the accountant may be wide here, never wrong
    CHECK_BAND_HOLDS(curve->delta(exactly(epsilon)), truth);
  }
}

TEST_CASE("beyond the support the curve is exact") {
  // remove: L >= -n lambda, add: L <= n lambda, n lambda = 20 log(4/3) = 5.75...
  const std::string spec = "poisson(gaussian(sigma=1), rate=0.25)^20";
  const ComposedLoss remove = loss_from(spec, Direction::remove);
  const ComposedLoss add = loss_from(spec, Direction::add);
  const PrecisionScope scope(3000);
  for (const char* far : {"5.76", "6", "1000"}) {
    const Enclosure zero = contour_delta(add, parse_rational(far), 30);
    CHECK(zero.lower.is_exact_zero());
    CHECK(zero.upper.is_exact_zero());
    const Rational below = -parse_rational(far);
    const Enclosure band = contour_delta(remove, below, 30);
    CHECK(width(band) < 1e-30);
    CHECK_BAND_HOLDS(band, -expm1(Ball(below)));
  }
  // just inside, delta is positive, resp. above 1 - e^eps
  CHECK(certainly_positive(contour_delta(add, parse_rational("5.5"), 6).upper));
  const Enclosure inside = contour_delta(remove, parse_rational("-5.5"), 12);
  CHECK(!certainly_less(inside.upper, -expm1(Ball(parse_rational("-5.5")))));
}

TEST_CASE("negative epsilon: delta(-eps) of the one direction from the other") {
  // delta_remove(-e) = 1 - e^-e + e^-e delta_add(e), for every pair and its swap
  for (const char* spec : {"poisson(gaussian(sigma=1), rate=0.1)^60",
                           "mixture(sigma=3, sensitivities=[0.5, 1, 2], probabilities=[0.5, 0.25, "
                           "0.25])^30",
                           "gaussian(sigma=6)^20 * poisson(gaussian(sigma=2), rate=0.2)^30"}) {
    for (const char* text : {"0", "0.125", "1", "2"}) {
      const Rational epsilon = parse_rational(text);
      for (const Direction direction : both_directions) {
        const Direction other = direction == Direction::remove ? Direction::add : Direction::remove;
        const Enclosure here = contour_delta(loss_from(spec, direction), -epsilon, 15);
        const Enclosure there = contour_delta(loss_from(spec, other), epsilon, 15);
        const PrecisionScope scope(300);
        const Ball turned =
            -expm1(Ball(Rational(-epsilon))) + exp(Ball(Rational(-epsilon))) * band_of(there);
        INFO(std::string(spec), ", ", std::string(name_of(direction)), ", epsilon -",
             std::string(text));
        CHECK_OVERLAPS(band_of(here), turned);
        CHECK(reached(here, 12));
        CHECK(reached(there, 12));
      }
    }
  }
}
