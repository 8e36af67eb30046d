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

TEST_CASE("power sums: misuse and time") {
  CHECK_THROWS_AS(power_sums(std::vector<ComplexBall>(2), std::vector<ComplexBall>(3), 4),
                  std::logic_error);
  const WorkLimit limit(0);
  CHECK_THROWS_AS(power_sums(std::vector<ComplexBall>(2), std::vector<ComplexBall>(2), 4),
                  WorkLimitReached);
}
