// Sums in fixed point against those in balls, at both numbers of limbs and many scales.
#include "lib/analysis/fixed/fixed_exponentials.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

#include "lib/balls/precision.hpp"
#include "tests/support/containment.hpp"

using namespace plaudit;

namespace {

struct Case {
  std::vector<ComplexBall> w, l, m;
};

Case random_case(std::mt19937_64& random, double size_of_w, double size_of_l, double size_of_m,
                 std::size_t terms) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto number = [&](double size) {
    return ComplexBall(Ball(size * uniform(random)), Ball(size * uniform(random)));
  };
  Case result;
  for (int k = 0; k < 20; ++k) result.w.push_back(number(size_of_w));
  for (std::size_t j = 0; j < terms; ++j) {
    result.l.push_back(number(size_of_l));
    result.m.push_back(number(size_of_m));
  }
  return result;
}

ComplexBall plain_sum(const Case& c, const ComplexBall& w, double* log_greatest) {
  ComplexBall sum;
  for (std::size_t j = 0; j < c.l.size(); ++j) {
    const ComplexBall term = exp(w * c.l[j] + c.m[j]);
    sum += term;
    *log_greatest = std::max(*log_greatest, abs(term).estimate_log());
  }
  return sum;
}

}  // namespace

TEST_CASE("sums in fixed point contain those in balls and are narrow") {
  const PrecisionScope scope(300);
  std::mt19937_64 random(11);
  for (const long bits : {0L, 80L, 140L}) {
    for (const double size : {1e-3, 1.0, 30.0, 1e4, 1e6}) {
      for (const std::size_t terms : {std::size_t{1}, std::size_t{7}, std::size_t{200}}) {
        const Case c = random_case(random, size, 10, 30, terms);
        const auto sums = fixed_exponential_sums(c.w, c.l, c.m, bits);
        REQUIRE(sums);
        for (std::size_t k = 0; k < c.w.size(); ++k) {
          double log_greatest = -1e300;
          const ComplexBall plain = plain_sum(c, c.w[k], &log_greatest);
          CHECK(test::holds((*sums)[k], plain));
          CHECK((*sums)[k].real().radius().estimate_log() <
                log_greatest - 0.69 * static_cast<double>(bits));
        }
      }
    }
  }
}

TEST_CASE("rounding alone: terms of many sizes, all angles, exact arguments") {
  const PrecisionScope scope(300);
  Case c;
  for (int k = 0; k <= 2000; ++k) {
    c.w = {ComplexBall(Ball(k), Ball(0))};
    c.l = {ComplexBall(Ball(1) / Ball(7), Ball(1) / Ball(11))};
    c.m = {ComplexBall()};
    for (const long bits : {0L, 140L}) {
      c.l[0] = ComplexBall(Ball(0.1328125), Ball(0.0908203125));
      double unused = 0;
      const auto sums = fixed_exponential_sums(c.w, c.l, c.m, bits);
      REQUIRE(sums);
      CHECK(test::holds((*sums)[0], plain_sum(c, c.w[0], &unused)));
    }
  }
}

TEST_CASE("radii of the arguments enter") {
  const PrecisionScope scope(300);
  std::mt19937_64 random(12);
  const Ball error(1e-12);
  for (int kind = 0; kind < 3; ++kind) {
    const Case middle = random_case(random, 20, 3, 5, 10);
    Case wide = middle;
    Case end = middle;
    for (auto* each : {&wide, &end}) {
      for (ComplexBall& z : kind == 0 ? each->w : kind == 1 ? each->l : each->m) {
        z = each == &wide ? widened(z, error) : z + ComplexBall(error);
      }
    }
    const auto sums = fixed_exponential_sums(wide.w, wide.l, wide.m, 80);
    REQUIRE(sums);
    for (std::size_t k = 0; k < wide.w.size(); ++k) {
      double unused = 0;
      CHECK(test::holds((*sums)[k], plain_sum(end, end.w[k], &unused)));
    }
  }
}

TEST_CASE("far smaller terms, real exponents of both signs") {
  const PrecisionScope scope(600);
  for (const int sign : {-1, 1}) {
    Case c;
    for (int j = 0; j < 300; ++j) {
      c.l.emplace_back(Ball(-j), Ball(0.125 * j));
      c.m.emplace_back(Ball(0), Ball(0));
    }
    c.w = {ComplexBall(Ball(sign), Ball(0)), ComplexBall(Ball(0), Ball(sign))};
    for (const long bits : {80L, 140L}) {
      const auto sums = fixed_exponential_sums(c.w, c.l, c.m, bits);
      REQUIRE(sums);
      for (std::size_t k = 0; k < 2; ++k) {
        double unused = 0;
        CHECK(test::holds((*sums)[k], plain_sum(c, c.w[k], &unused)));
      }
    }
  }
}

TEST_CASE("what fixed point cannot do is refused") {
  const ComplexBall one(1);
  const ComplexBall large(Ball(1e5), Ball(0));
  const ComplexBall unknown(positive_infinity());
  const ComplexBall wide = widened(one, Ball(0.5));
  CHECK(fixed_exponential_sums({one}, {one}, {one}, 80));
  CHECK_FALSE(fixed_exponential_sums({large}, {large}, {one}, 80));
  CHECK_FALSE(fixed_exponential_sums({one}, {unknown}, {one}, 80));
  CHECK_FALSE(fixed_exponential_sums({wide}, {one}, {one}, 80));
  CHECK_FALSE(fixed_exponential_sums({one}, {one}, {one}, 200));
  CHECK_THROWS_AS(fixed_exponential_sums({one}, {}, {}, 80), std::invalid_argument);
  CHECK(limbs_of_exponentials(60, 100) == 2);
  CHECK(limbs_of_exponentials(140, 100) == 3);
  CHECK(limbs_of_exponentials(160, 100) == 0);
}

TEST_CASE("turns: doubles within the bound of cosines and sines") {
  const PrecisionScope scope(300);
  std::mt19937_64 random(13);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const double size : {1e-6, 1.0, 1e3, 1e6}) {
    for (const double inexact : {0.0, 1e-12}) {
      std::vector<Ball> l;
      for (int j = 0; j < 500; ++j) l.emplace_back(widened(Ball(20 * uniform(random)), inexact));
      const FixedTurns turns(l);
      const Ball s = widened(Ball(size * uniform(random)), inexact);
      std::vector<double> real;
      std::vector<double> imaginary;
      const double error = turns.at(s, real, imaginary);
      REQUIRE(error < 1e-4);
      if (inexact == 0) CHECK(error < 0x1p-52);
      double worst = 0;
      for (std::size_t j = 0; j < l.size(); ++j) {
        // the ends of both balls
        for (const Ball& angle :
             {s.middle() * l[j].middle(), s.upper() * l[j].upper(), s.lower() * l[j].lower()}) {
          const Ball off_real = abs(Ball(real[j]) - cos(angle));
          const Ball off_imaginary = abs(Ball(imaginary[j]) - sin(angle));
          CHECK(certainly_less(off_real, Ball(error)));
          CHECK(certainly_less(off_imaginary, Ball(error)));
          worst = std::max({worst, off_real.upper_double(), off_imaginary.upper_double()});
        }
      }
      CHECK(worst > 0.05 * error);
    }
  }
  std::vector<double> unused;
  CHECK(FixedTurns({Ball(1e5)}).at(Ball(1e5), unused, unused) == HUGE_VAL);
  CHECK(FixedTurns({positive_infinity()}).at(Ball(1), unused, unused) == HUGE_VAL);
}
