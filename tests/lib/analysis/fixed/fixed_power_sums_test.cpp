// Sums in fixed point against direct sums of many more bits: exact terms, where only what is cut
// off counts, and balls of which the exact numbers are the ends.
#include "lib/analysis/fixed/fixed_power_sums.hpp"

#include <doctest/doctest.h>
#include <algorithm>

#include <cmath>
#include <numbers>

#include "lib/balls/precision.hpp"
#include "tests/support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

struct Terms {
  std::vector<ComplexBall> weights;
  std::vector<ComplexBall> bases;
};

/// A number of so many bits in [-size, size].
Ball dyadic(Random& random, double size, long bits) {
  const PrecisionScope scope(bits);
  Ball x = Ball(random.uniform(-size, size));
  for (long done = 50; done < bits; done += 50)
    x += ldexp(Ball(random.uniform(-size, size)), -done);
  return x.middle();
}

ComplexBall in_disk(Random& random, double radius, long bits) {
  const double share = radius / std::sqrt(2.0);
  return {dyadic(random, share, bits), dyadic(random, share, bits)};
}

Terms exact_terms(Random& random, std::size_t points, double radius, long bits) {
  Terms terms;
  for (std::size_t j = 0; j < points; ++j) {
    terms.weights.push_back(in_disk(random, 1, bits));
    terms.bases.push_back(in_disk(random, radius, bits));
  }
  return terms;
}

/// The sums at 2000 bits that are not in the balls.
std::size_t missed(const std::vector<ComplexBall>& sums, const Terms& exact) {
  const PrecisionScope scope(2000);
  std::vector<ComplexBall> power(exact.bases.size(), ComplexBall(1));
  std::size_t result = 0;
  for (const ComplexBall& sum : sums) {
    const ComplexBall truth = dot(exact.weights, power);
    if (!contains(sum.real(), truth.real()) || !contains(sum.imaginary(), truth.imaginary())) {
      ++result;
    }
    for (std::size_t j = 0; j < power.size(); ++j) power[j] *= exact.bases[j];
  }
  return result;
}

double widest(const std::vector<ComplexBall>& sums) {
  double result = 0;
  for (const ComplexBall& sum : sums) {
    result = std::max(
        {result, sum.real().radius().upper_double(), sum.imaginary().radius().upper_double()});
  }
  return result;
}

/// About x: a multiple of 2^-125, the unit of two limbs, and nearly one more, which is cut off.
Ball just_below_a_unit(Random& random, double x) {
  const PrecisionScope more(300);
  return Ball(std::ldexp(std::floor(std::ldexp(x, 40)), -40)) +
         ldexp(Ball(random.integer(0, 1 << 30)), -124) + ldexp(Ball(0.999), -125);
}

ComplexBall widened_by(const ComplexBall& z, const Ball& real, const Ball& imaginary) {
  return {widened(z.real(), real), widened(z.imaginary(), imaginary)};
}

}  // namespace

TEST_CASE("fixed power sums: exact terms of more bits than are kept") {
  Random random(41);
  for (int i = 0; i < 60; ++i) {
    const long bits = 60 + 50 * (i % 14);
    const std::size_t points = i % 3 == 0 ? 1 : i % 3 == 1 ? 37 : 300;
    const std::size_t count = i % 2 == 0 ? 25 : 130;
    const PrecisionScope scope(bits);
    const Terms terms = exact_terms(random, points, 1.0, 900);
    const auto sums = fixed_power_sums(terms.weights, terms.bases, count);
    REQUIRE(sums.has_value());
    INFO(bits, " bits, ", points, " points, ", count, " sums");
    CHECK(missed(*sums, terms) == 0);
    CHECK(widest(*sums) <
          std::ldexp(static_cast<double>(points * (points + count)), static_cast<int>(30 - bits)));
  }
}

TEST_CASE("fixed power sums: what is cut off of products alone, of weights alone") {
  Random random(42);
  for (int i = 0; i < 400; ++i) {
    const PrecisionScope scope(128);
    Terms terms = exact_terms(random, 1, 1.2, 100);  // bases are kept whole
    const ComplexBall one(Ball(1));
    if (i % 2 == 0) {
      terms.weights = {one};
    } else {  // powers of -i/2^k are whole, weights are not
      terms.weights = {in_disk(random, 1, 900)};
      terms.bases = {ComplexBall(Ball(0), Ball(-1))};
    }
    const auto sums = fixed_power_sums(terms.weights, terms.bases, 30);
    if (!sums) continue;  // a base beyond the disk grows too large
    CHECK(missed(*sums, terms) == 0);
  }
}

TEST_CASE("fixed power sums: the ends of balls, narrow and wide") {
  Random random(43);
  for (int i = 0; i < 300; ++i) {
    const PrecisionScope scope(128);
    const Ball of_weights(i % 3 == 0 ? 0.0 : std::exp2(random.uniform(-80, -2)));
    const Ball of_bases(i % 3 == 1 ? 0.0 : std::exp2(random.uniform(-80, i % 6 == 0 ? -2 : -12)));
    Terms balls =
        exact_terms(random, 1 + static_cast<std::size_t>(i % 5), i % 6 == 0 ? 0.5 : 0.9, 60);
    Terms ends;
    const bool alike = i % 2 == 0;
    for (std::size_t j = 0; j < balls.bases.size(); ++j) {
      const auto end = [&](const ComplexBall& z, const Ball& radius) {
        const PrecisionScope more(300);
        // outward, so that errors add up
        const auto moved = [&](const Ball& x) {
          const bool up = alike ? certainly_positive(x) : random.one_in(2);
          return up ? x + radius : x - radius;
        };
        return ComplexBall(moved(z.real()), moved(z.imaginary()));
      };
      ends.weights.push_back(end(balls.weights[j], of_weights));
      ends.bases.push_back(end(balls.bases[j], of_bases));
      balls.weights[j] = widened_by(balls.weights[j], of_weights, of_weights);
      balls.bases[j] = widened_by(balls.bases[j], of_bases, of_bases);
    }
    const auto sums = fixed_power_sums(balls.weights, balls.bases, 40);
    if (!sums) continue;
    CHECK(missed(*sums, ends) == 0);
  }
}

TEST_CASE("fixed power sums: rows of fewer bits") {
  Random random(44);
  for (int i = 0; i < 200; ++i) {
    const PrecisionScope scope(350);
    const Terms terms = exact_terms(random, i % 2 == 0 ? 1 : 90, 1.0, 330);
    std::vector<long> bits;
    for (long k = 0; k < 50; ++k) bits.push_back(1000 - 24 * k);
    const auto sums = fixed_power_sums(terms.weights, terms.bases, 50, bits);
    REQUIRE(sums.has_value());
    CHECK(missed(*sums, terms) == 0);
    CHECK(sums->front().real().radius().upper_double() < 1e-85);
    CHECK(sums->back().real().radius().upper_double() < 1e-12);
    CHECK(sums->back().real().radius().upper_double() > 1e-40);
  }
}

TEST_CASE("fixed power sums: bases that lose nearly a unit in both parts, turned onto an axis") {
  Random random(45);
  for (int i = 0; i < 300; ++i) {
    Terms terms;
    terms.weights = {ComplexBall(Ball(1))};
    // u^15 turns what both parts lose, (1 + i) / 2^125, upward
    const double angle = std::numbers::pi / 60 * random.uniform(0.95, 1.05);
    terms.bases = {ComplexBall(just_below_a_unit(random, std::cos(angle)),
                               just_below_a_unit(random, std::sin(angle)))};
    const PrecisionScope scope(122);
    const auto sums = fixed_power_sums(terms.weights, terms.bases, 17);
    REQUIRE(sums.has_value());
    CHECK(missed(*sums, terms) == 0);
  }
}

TEST_CASE("fixed power sums: weights that lose nearly a unit in both parts, turned onto an axis") {
  Random random(47);
  for (int i = 0; i < 1000; ++i) {
    Terms terms;
    for (int j = 0; j < 5; ++j) {
      // sizes of both parts together are little more than a half: that is the unit of the sums
      terms.weights.push_back(
          ComplexBall(just_below_a_unit(random, 0.0508), just_below_a_unit(random, 0.0508)));
      // exact, and its square turns (1 + i) / 2^125 upward
      const double angle = std::numbers::pi / 8 * random.uniform(0.9, 1.1);
      terms.bases.push_back(ComplexBall(Ball(std::cos(angle)), Ball(std::sin(angle))));
    }
    const PrecisionScope scope(122);
    const auto sums = fixed_power_sums(terms.weights, terms.bases, 4);
    REQUIRE(sums.has_value());
    CHECK(missed(*sums, terms) == 0);
  }
}

TEST_CASE("fixed power sums: rows of fewer bits on the unit circle") {
  Random random(46);
  const std::vector<long> bits = {350, 350, 350, 350, 350, 350, 350, 350, 60, 60, 60, 60, 60, 60};
  for (int i = 0; i < 3000; ++i) {
    const PrecisionScope scope(350);
    const double of_weight = random.uniform(-4, 4);
    const double of_base = random.uniform(-4, 4);
    Terms terms;
    terms.weights = {ComplexBall(Ball(0.7 * std::cos(of_weight)), Ball(0.7 * std::sin(of_weight)))};
    terms.bases = {ComplexBall(Ball(std::cos(of_base)), Ball(std::sin(of_base)))};
    const auto sums = fixed_power_sums(terms.weights, terms.bases, 14, bits);
    REQUIRE(sums.has_value());
    CHECK(missed(*sums, terms) == 0);
  }
}

TEST_CASE("fixed power sums: what is left to balls") {
  const PrecisionScope scope(128);
  const std::vector<ComplexBall> one(1, ComplexBall(Ball(1)));
  CHECK(fixed_power_sums(one, one, 10).has_value());
  CHECK(!fixed_power_sums(one, one, 2).has_value());
  CHECK(!fixed_power_sums({}, {}, 10).has_value());
  CHECK(!fixed_power_sums({ComplexBall(Ball(0))}, one, 10).has_value());
  CHECK(!fixed_power_sums(one, {ComplexBall(Ball(3))}, 10).has_value());
  CHECK(!fixed_power_sums(one, {ComplexBall(Ball(1.5))}, 10).has_value());
  CHECK(!fixed_power_sums(one, {ComplexBall(positive_infinity())}, 10).has_value());
  CHECK(!fixed_power_sums({ComplexBall(positive_infinity())}, one, 10).has_value());
  CHECK_THROWS_AS(fixed_power_sums(one, one, 10, {64}), std::logic_error);
  const PrecisionScope long_one(5000);
  CHECK(!fixed_power_sums(one, one, 10).has_value());
}
