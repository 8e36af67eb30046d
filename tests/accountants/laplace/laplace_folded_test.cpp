// The folded contour for Laplace noise of one scale against the exact sum, the contour and closed
// forms; the bounds of its line are tested in periodic_line_test.cpp.
#include <doctest/doctest.h>

#include "accountants/registry.hpp"
#include "lib/balls/precision.hpp"
#include "support/curves.hpp"
#include "support/random.hpp"
#include "support/slow.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

std::unique_ptr<PrivacyCurve> curve(const char* name, const std::string& spec, int digits) {
  return accountant(name)->open(loss_from(spec, Direction::remove), Goal{digits});
}

std::string power_of(const std::string& scale, const std::string& steps) {
  return "laplace(scale=" + scale + ")^" + steps;
}

}  // namespace

TEST_CASE("folded Laplace: one step is 1 - e^((eps - a)/2)") {
  const PrecisionScope scope(512);
  for (const char* epsilon : {"0", "0.05", "0.0999", "-0.05", "-0.1", "-3", "0.1", "2"}) {
    const Enclosure band =
        curve("laplace_folded", "laplace(scale=10)", 40)->delta(parse_rational(epsilon));
    const Rational x = parse_rational(epsilon);
    Ball exact = -expm1(ldexp(Ball(x) - Ball(Rational(1, 10)), -1));
    if (x >= Rational(1, 10)) exact = Ball(0);
    if (x <= Rational(-1, 10)) exact = -expm1(Ball(x));
    INFO("epsilon ", std::string(epsilon), " ", show(band));
    CHECK(!misses(band, exact));
    CHECK(reached(band, 40));
  }
}

TEST_CASE("folded Laplace: 30 digits at any number of steps, in delta and epsilon") {
  const PrecisionScope scope(1000);
  struct Case {
    std::string scale;
    std::string steps;
    bool summed;  // the exact sum takes less than a second
  };
  for (const Case& each :
       {Case{"100", "10000", true}, Case{"1000", "10000", true}, Case{"1000", "100000", true},
        Case{"10000", "100000", true}, Case{"10000", "1000000", false},
        Case{"100000", "1000000", true}, Case{"1000000", "1000000000000", false}}) {
    const std::string spec = power_of(each.scale, each.steps);
    const auto folded = curve("laplace_folded", spec, 30);
    for (const char* target : {"1e-2", "1e-6", "1e-15"}) {
      const Enclosure epsilon = folded->epsilon(parse_rational(target));
      INFO(spec, " at delta ", std::string(target), " ", show(epsilon), " ", epsilon.remark);
      CHECK(reached(epsilon, 30));
      const Rational at = exact_rational(epsilon.upper);
      const Enclosure delta = folded->delta(at);
      CHECK(reached(delta, 30));
      CHECK(certainly_less_equal(delta.lower, Ball(parse_rational(target))));
      if (!each.summed || (std::string_view(target) != "1e-6" && !slow_tests())) continue;
      const Enclosure sum = curve("laplace_sum", spec, 30)->delta(at);
      CHECK(reached(sum, 30));
      CHECK_BANDS_OVERLAP(delta, sum);
    }
  }
}

TEST_CASE("folded Laplace: random powers against the exact sum, 53, 128 and 512 bits") {
  Random random(62);
  for (int i = 0; i < trials(usually(16, 24)); ++i) {
    const long n = i % 4 == 0 ? random.integer(1, 6) : random.integer(7, 1500);
    const double ratio = std::exp(random.uniform(-7, 1));
    char text[80];
    std::snprintf(text, sizeof text, "laplace(scale=1, sensitivity=%.3g)^%ld", ratio, n);
    // within some deviations of the mean, or anywhere in the support
    const auto steps = static_cast<double>(n);
    const double deviation = ratio * std::sqrt(steps);
    double epsilon = ratio * steps * random.uniform(-0.9, 0.97);
    if (i % 3 != 0) {
      epsilon = std::min(ratio * ratio * steps / 2, 0.4 * ratio * steps) +
                deviation * random.uniform(-2, 7);
    }
    const Rational at = exactly(std::min(epsilon, 0.98 * ratio * steps));
    const int digits = i % 8 == 3 ? 155 : (i % 2 == 0 ? 16 : 39);
    const Enclosure folded = curve("laplace_folded", text, digits)->delta(at);
    const Enclosure sum = curve("laplace_sum", text, digits)->delta(at);
    INFO(text, " at ", to_string(at), " ", show(folded), " ", folded.remark);
    CHECK_BANDS_OVERLAP(folded, sum);
    CHECK(reached(folded, digits));
    CHECK(reached(sum, digits));
    if (i % 4 != 1 || digits == 155) continue;
    const Rational target = exact_rational(ldexp(sum.lower + sum.upper, -1).middle());
    if (target <= 0 || target >= 1) continue;
    const Enclosure inverse = curve("laplace_folded", text, digits)->epsilon(target);
    const Enclosure other = curve("laplace_sum", text, digits)->epsilon(target);
    CHECK_BANDS_OVERLAP(inverse, other);
    CHECK(reached(inverse, digits));
  }
}

TEST_CASE("folded Laplace: epsilon on the lattice of the atoms, both parities") {
  for (const char* steps : {"99", "100"}) {
    for (const char* epsilon : {"-1", "0", "0.1", "0.2", "1.9", "2", "2.05", "9.8"}) {
      const std::string spec = power_of("10", steps);
      const Enclosure folded = curve("laplace_folded", spec, 30)->delta(parse_rational(epsilon));
      const Enclosure sum = curve("laplace_sum", spec, 30)->delta(parse_rational(epsilon));
      INFO(spec, " at ", std::string(epsilon), " ", show(folded), " ", folded.remark);
      CHECK_BANDS_OVERLAP(folded, sum);
      CHECK(reached(folded, 30));
    }
  }
}

TEST_CASE("folded Laplace: the straight contour where its line is short") {
  for (const char* spec :
       {"laplace(scale=1)^1000", "laplace(scale=10)^5000", "laplace(scale=100)^1000000"}) {
    for (const char* target : {"1e-3", "1e-12"}) {
      const Enclosure folded = curve("laplace_folded", spec, 30)->epsilon(parse_rational(target));
      const Enclosure contour = curve("contour", spec, 30)->epsilon(parse_rational(target));
      INFO(std::string(spec), " ", show(folded));
      CHECK(reached(folded, 30));
      CHECK(reached(contour, 30));
      CHECK_BANDS_OVERLAP(folded, contour);
    }
  }
}

TEST_CASE("what the folded contour refuses, and terms of one law") {
  const auto refuses = [](const std::string& spec) {
    return accountant("laplace_folded")->refusal(loss_from(spec, Direction::remove)).has_value();
  };
  CHECK(refuses("gaussian(sigma=1)"));
  CHECK_FALSE(refuses("laplace(scale=1)^1000000"));
  const Enclosure one = curve("laplace_folded", "laplace(scale=2)^100", 30)->delta(20);
  const Enclosure other =
      curve("laplace_folded", "laplace(scale=2)^40 * laplace(scale=4, sensitivity=2)^60", 30)
          ->delta(20);
  CHECK_BANDS_OVERLAP(one, other);
  CHECK(reached(other, 30));
}
