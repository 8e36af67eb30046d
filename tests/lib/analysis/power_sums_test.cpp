// power_sums against the direct sums, for lengths and counts around the block sizes.
#include "lib/analysis/power_sums.hpp"

#include <doctest/doctest.h>

#include <random>
#include <stdexcept>

#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"

using namespace plaudit;

TEST_CASE("power sums overlap the direct sums") {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const PrecisionScope scope(128);
  for (const std::size_t points : {0u, 1u, 63u, 64u, 65u, 130u}) {
    std::vector<ComplexBall> weights;
    std::vector<ComplexBall> bases;
    for (std::size_t j = 0; j < points; ++j) {
      weights.emplace_back(Ball(uniform(random)), Ball(uniform(random)));
      bases.emplace_back(Ball(0.7 * uniform(random)), Ball(0.7 * uniform(random)));
    }
    for (const std::size_t count : {0u, 1u, 2u, 3u, 40u}) {
      const std::vector<ComplexBall> sums = power_sums(weights, bases, count);
      REQUIRE(sums.size() == count);
      std::vector<ComplexBall> power(points, ComplexBall(1));
      for (std::size_t k = 0; k < count; ++k) {
        CHECK(overlaps(sums[k], dot(weights, power)));
        CHECK(abs(sums[k]).radius().upper_double() < 1e-30);
        for (std::size_t j = 0; j < points; ++j) power[j] *= bases[j];
      }
    }
  }
}

TEST_CASE("power sums of fewer bits: wider balls around the same sums") {
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const PrecisionScope scope(400);
  std::vector<ComplexBall> weights;
  std::vector<ComplexBall> bases;
  for (std::size_t j = 0; j < 90; ++j) {
    weights.emplace_back(Ball(uniform(random)) / Ball(3), Ball(uniform(random)));
    bases.emplace_back(Ball(0.7 * uniform(random)) / Ball(3), Ball(0.7 * uniform(random)));
  }
  const std::size_t count = 60;
  std::vector<long> bits;
  for (std::size_t k = 0; k < count; ++k) bits.push_back(1000 - 16 * static_cast<long>(k));
  const std::vector<ComplexBall> exact = power_sums(weights, bases, count);
  const std::vector<ComplexBall> fewer = power_sums(weights, bases, count, bits);
  const std::vector<ComplexBall> none =
      power_sums(weights, bases, count, std::vector<long>(60, 64));
  for (std::size_t k = 0; k < count; ++k) {
    const PrecisionScope finer(800);
    CHECK(overlaps(fewer[k], exact[k]));
    CHECK(overlaps(none[k], exact[k]));
    // with 8 sums in a row, the greatest number of bits among them holds
    const long asked = std::min(bits[k], 400L);
    CHECK(certainly_less(abs(fewer[k]).radius(), ldexp(Ball(1), 12 - asked)));
    CHECK(certainly_less(abs(none[k]).radius(), ldexp(Ball(1), 12 - 64)));
  }
  CHECK(certainly_less(abs(exact[20]).radius(), abs(none[20]).radius()));
}

TEST_CASE("power sums: misuse and time") {
  CHECK_THROWS_AS(power_sums(std::vector<ComplexBall>(2), std::vector<ComplexBall>(3), 4),
                  std::logic_error);
  CHECK_THROWS_AS(
      power_sums(std::vector<ComplexBall>(2), std::vector<ComplexBall>(2), 4, {64, 64, 64}),
      std::logic_error);
  const WorkLimit limit(0);
  CHECK_THROWS_AS(power_sums(std::vector<ComplexBall>(2), std::vector<ComplexBall>(2), 4),
                  WorkLimitReached);
}
