#include "lib/analysis/unit_roots.hpp"

#include <doctest/doctest.h>

#include "lib/balls/precision.hpp"
#include "support/random.hpp"

using namespace plaudit;

TEST_CASE("roots of unity by tables are those of the exponential") {
  const PrecisionScope scope(160);
  for (const std::size_t size : {1UL, 2UL, 8UL, 64UL, 2048UL}) {
    const UnitRoots roots(size);
    for (std::size_t j = 0; j < 3 * size; j += 1 + size / 50) {
      const Ball angle =
          ldexp(pi(), 1) * Ball(static_cast<long>(j)) / Ball(static_cast<long>(size));
      CHECK(overlaps(roots(j), ComplexBall(cos(angle), sin(angle))));
      CHECK(roots(j).real().radius().upper_double() < 1e-45);
    }
  }
}

TEST_CASE("Fourier sums agree with the sum term by term, also beyond one period") {
  test::Random random(7);
  const PrecisionScope scope(160);
  for (const std::size_t size : {16UL, 256UL}) {
    const UnitRoots roots(size);
    for (const std::size_t terms : {1UL, 5UL, 64UL, 65UL, 700UL}) {
      std::vector<Ball> x;
      for (std::size_t i = 0; i < terms; ++i) x.push_back(Ball(random.uniform(-1, 1)));
      for (const std::size_t first : {0UL, 3UL, size - 1}) {
        for (const std::size_t k : {0UL, 1UL, 7UL, size / 2}) {
          ComplexBall sum;
          for (std::size_t i = 0; i < terms; ++i) sum += ComplexBall(x[i]) * roots((first + i) * k);
          const ComplexBall fast = fourier_sum(x, first, k, roots);
          CHECK(overlaps(fast, sum));
          CHECK(fast.real().radius().upper_double() < 1e-40);
        }
      }
    }
  }
}
