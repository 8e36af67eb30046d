// The exact Laplace sum against closed forms, brute-force convolution and other accountants.
#include <doctest/doctest.h>

#include <tuple>

#include "accountants/registry.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/interval.hpp"
#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/laws/laplace_loss.hpp"
#include "support/curves.hpp"
#include "support/random.hpp"
#include "support/sabotage.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

Enclosure exact_sum(const std::string& spec, const char* epsilon, int digits) {
  return accountant("laplace_sum")
      ->open(loss_from(spec, Direction::remove), Goal{digits})
      ->delta(parse_rational(epsilon));
}

/// n = 2 by splitting the second draw: two atoms in closed form, the curve by Gauss-Legendre-free
/// midpoint sums with a proven error (the integrand is monotone in l).
Interval two_steps(const Rational& ratio, const Rational& epsilon, int cells) {
  const PrecisionScope scope(128);
  const LaplaceLoss loss(ratio);
  const Ball a(ratio);
  const Ball eps(epsilon);
  const Ball atoms = ldexp(loss.delta(eps - a), -1) + ldexp(exp(-a), -1) * loss.delta(eps + a);
  Ball low;
  Ball high;
  for (int i = 0; i < cells; ++i) {
    const Ball left = -a + ldexp(a, 1) * Ball(i) / Ball(cells);
    const Ball right = -a + ldexp(a, 1) * Ball(i + 1) / Ball(cells);
    const Ball mass = ldexp(exp(ldexp(right - a, -1)) - exp(ldexp(left - a, -1)), -1);
    low += mass * loss.delta(eps - left);
    high += mass * loss.delta(eps - right);
  }
  return enclose(hull(atoms + low, atoms + high));
}

}  // namespace

TEST_CASE("one step is 1 - e^((eps - a)/2)") {
  const PrecisionScope scope(256);
  for (const char* epsilon : {"0", "0.05", "0.0999", "-0.05", "-0.1", "-3", "0.1", "2"}) {
    const Enclosure band = exact_sum("laplace(scale=10)", epsilon, 40);
    const Rational x = parse_rational(epsilon);
    Ball exact = -expm1(ldexp(Ball(x) - Ball(Rational(1, 10)), -1));
    if (x >= Rational(1, 10)) exact = Ball(0);
    if (x <= Rational(-1, 10)) exact = -expm1(Ball(x));
    INFO("epsilon ", std::string(epsilon), " ", show(band));
    CHECK(!misses(band, exact));
    CHECK(reached(band, 40));
  }
}

TEST_CASE("two steps lie between monotone sums over the second one") {
  for (const char* ratio : {"1/10", "1", "5"}) {
    for (const char* part : {"0", "1/3", "1", "-1/2", "19/10"}) {
      const Rational a = parse_rational(ratio);
      const Rational epsilon = a * parse_rational(part);
      const Interval wide = two_steps(a, epsilon, 4000);
      const std::string spec = "laplace(scale=1, sensitivity=" + std::string(ratio) + ")^2";
      const Enclosure band = accountant("laplace_sum")
                                 ->open(loss_from(spec, Direction::add), Goal{30})
                                 ->delta(epsilon);
      INFO(spec, " at ", to_string(epsilon), " ", show(band));
      CHECK(holds(band, band.lower));
      CHECK(certainly_less_equal(exact_ball(wide.lower), band.upper));
      CHECK(certainly_less_equal(band.lower, exact_ball(wide.upper)));
      CHECK(reached(band, 30));
    }
  }
}

TEST_CASE("the exact sum meets the contour and moments, and more draws do not change it") {
  Random random(61);
  for (int i = 0; i < trials(12); ++i) {
    const long n = random.integer(20, 400);
    const double ratio = std::exp(random.uniform(-1, 1));
    char text[80];
    std::snprintf(text, sizeof text, "laplace(scale=1, sensitivity=%.3g)^%ld", ratio, n);
    const double epsilon = ratio * static_cast<double>(n) * random.uniform(0.05, 0.9);
    const ComposedLoss loss = loss_from(text, Direction::remove);
    const Rational at = exactly(epsilon);
    const Enclosure few = accountant("laplace_sum")->open(loss, Goal{4})->delta(at);
    const Enclosure many = accountant("laplace_sum")->open(loss, Goal{30})->delta(at);
    const Enclosure contour = accountant("contour")->open(loss, Goal{12})->delta(at);
    const Enclosure moments = accountant("moments")->open(loss, Goal{12})->delta(at);
    INFO(text, " at ", epsilon, " ", show(many), " ", show(contour));
    CHECK_BANDS_OVERLAP(few, many);
    CHECK_BANDS_OVERLAP(contour, many);
    CHECK_BANDS_OVERLAP(moments, many);
    CHECK(reached(many, 30));
    CHECK(reached(few, 4));
  }
}

TEST_CASE("epsilon of Laplace compositions inverts delta") {
  const ComposedLoss loss = loss_from("laplace(scale=10)^100", Direction::remove);
  const auto curve = accountant("laplace_sum")->open(loss, Goal{25});
  const Enclosure epsilon = curve->epsilon(parse_rational("1e-6"));
  CHECK(reached(epsilon, 25));
  const PrecisionScope scope(200);
  const Enclosure above = curve->delta(Rational(exact_rational(epsilon.lower)));
  CHECK(certainly_greater_equal(above.upper, Ball(parse_rational("1e-6"))));
  const Enclosure below = curve->delta(Rational(exact_rational(epsilon.upper)));
  CHECK(certainly_less_equal(below.lower, Ball(parse_rational("1e-6"))));
  // beyond the support nothing is left
  CHECK(curve->delta(10).upper.is_exact_zero());
  CHECK(curve->epsilon(parse_rational("1e-300")).upper.estimate() <= 10);
}

TEST_CASE("dropping the truncation of the Laplace sum gives a wrong band") {
  const std::string spec = "laplace(scale=10)^300";
  const Enclosure exact = exact_sum(spec, "3", 60);
  sabotage::scale("laplace_sum.truncation", 0);
  int wrong = 0;
  for (const int digits : {1, 2, 3, 5}) {
    // from k = 1: what is left out at the start, two-sided, would hide it
    const Enclosure band = accountant("laplace_sum(first=1)")
                               ->open(loss_from(spec, Direction::remove), Goal{digits})
                               ->delta(3);
    if (misses(band, exact.lower)) ++wrong;
  }
  sabotage::clear();
  CHECK(wrong > 0);
  for (const int digits : {1, 2, 3, 5}) CHECK_BANDS_OVERLAP(exact_sum(spec, "3", digits), exact);
}

TEST_CASE("dropping what is left out at the start of the sum gives a wrong band") {
  const ComposedLoss loss = loss_from("laplace(scale=10)^300", Direction::remove);
  const Rational epsilon = parse_rational("3");
  const auto from = [&](long first) {
    return accountant("laplace_sum(first=" + std::to_string(first) + ")")
        ->open(loss, Goal{12})
        ->delta(epsilon);
  };
  const Enclosure exact = exact_sum("laplace(scale=10)^300", "3", 60);
  int wrong = 0;
  for (const long first : {5, 60, 90, 120}) {
    CHECK_BAND_HOLDS(from(first), exact.lower);
    const Scaled none("laplace_sum.window", 0);
    if (misses(from(first), exact.lower)) ++wrong;
  }
  CHECK(wrong >= 2);
  CHECK(reached(from(5), 12));
}

TEST_CASE("terms of one law are one power, whatever their scales") {
  const std::string specs[] = {
      "laplace(scale=2)^100",
      "laplace(scale=2, sensitivity=1)^40 * laplace(scale=4, sensitivity=2)^60"};
  const Enclosure one = exact_sum(specs[0], "20", 30);
  const Enclosure other = exact_sum(specs[1], "20", 30);
  CHECK_BANDS_OVERLAP(one, other);
  CHECK(reached(one, 30));
  CHECK(reached(other, 30));
}

TEST_CASE("few draws and many steps: the window keeps the sum short") {
  const Enclosure band = exact_sum("laplace(scale=1000)^20000", "0.5", 30);
  CHECK(reached(band, 30));
  const Enclosure sharper = exact_sum("laplace(scale=1000)^20000", "0.5", 60);
  CHECK(reached(sharper, 60));
  CHECK_BANDS_OVERLAP(band, sharper);
}

TEST_CASE("what the Laplace sum refuses") {
  const auto refuses = [](const std::string& spec) {
    return accountant("laplace_sum")->refusal(loss_from(spec, Direction::remove)).has_value();
  };
  CHECK(refuses("gaussian(sigma=1)"));
  CHECK(refuses("laplace(scale=1) * laplace(scale=2)"));
  CHECK(refuses("laplace(scale=1)^1000000"));
  CHECK_FALSE(refuses("laplace(scale=1)^100"));
}

TEST_CASE("beyond the support and at its end no accountant is lost") {
  for (const char* spec : {"laplace(scale=10)", "approximate(epsilon=0.1, delta=1e-8)^3"}) {
    const ComposedLoss loss = loss_from(spec);
    for (const auto& candidate : accountants()) {
      if (candidate->refusal(loss) || candidate->estimates_only()) continue;
      INFO(std::string(spec), " by ", std::string(candidate->name()));
      const WorkShare limit(20);
      const auto curve = candidate->open(loss, Goal{4});
      for (const char* epsilon : {"0.1", "0.3", "1"}) {
        const Enclosure band = curve->delta(parse_rational(epsilon));
        CHECK(band.remark.find("time") == std::string::npos);
        if (std::string(epsilon) == "1") {
          const PrecisionScope scope(256);
          CHECK_BAND_HOLDS(band, loss.mass_at_infinity());
        }
      }
      CHECK(trivial_delta(loss, 1).upper.estimate() < 3.0001e-8);
    }
  }
}

TEST_CASE("scale 10: 30 digits lie in the bands of the other accountants") {
  struct Case {
    std::string steps;
    const char* epsilon;
    bool contours;
  };
  for (const Case& each :
       {Case{"1", "0.05", false}, Case{"2", "0.1", false}, Case{"10", "0.5", false},
        Case{"100", "2", false}, Case{"500", "4.5", true}}) {
    const ComposedLoss loss = loss_from("laplace(scale=10)^" + each.steps);
    const Rational at = parse_rational(each.epsilon);
    const Enclosure exact = accountant("laplace_sum")->open(loss, Goal{30})->delta(at);
    CHECK(reached(exact, 30));
    for (const char* name : {"fourier", "prv", "contour"}) {
      const WorkShare limit(0.5);
      const Enclosure band = accountant(name)->open(loss, Goal{4})->delta(at);
      INFO(each.steps, " steps, ", std::string(name), " ", show(band), " ", band.remark);
      CHECK_BAND_HOLDS(band, exact.lower);
      CHECK_BAND_HOLDS(band, exact.upper);
      if (std::string(name) != "contour" || each.contours) {
        CHECK(relative_width(band.lower, band.upper) < 0.5);
      }
    }
  }
}

bool is_quick(const ComposedLoss& loss) {
  return accountant("laplace_sum")->offer(loss).cost == Offer::Cost::small;
}

TEST_CASE("others are asked first where losses are so great that a row is too long a series") {
  CHECK(is_quick(loss_from("laplace(1)^2")));
  CHECK(is_quick(loss_from("laplace(1e-4)^2")));
  CHECK(!is_quick(loss_from("laplace(1e-9)^2")));
  CHECK(!accountant("laplace_sum")->refusal(loss_from("laplace(1e-9)^2")));
}
