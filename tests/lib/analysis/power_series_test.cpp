#include "lib/analysis/power_series.hpp"

#include <doctest/doctest.h>

#include "lib/balls/precision.hpp"
#include "tests/support/containment.hpp"
#include "tests/support/random.hpp"

using namespace plaudit;
using plaudit::test::Random;
using plaudit::test::trials;

namespace {

/// The truncated product by its definition.
std::vector<ComplexBall> product(const std::vector<ComplexBall>& a,
                                 const std::vector<ComplexBall>& b, std::size_t count) {
  std::vector<ComplexBall> result(count);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size() && i + j < count; ++j) result[i + j] += a[i] * b[j];
  }
  return result;
}

ComplexBall random_point(Random& random) {
  return {Ball(random.uniform(-1, 1)), Ball(random.uniform(-1, 1))};
}

}  // namespace

TEST_CASE("powers of series are repeated products, below and above the switch to logarithms") {
  Random random(5);
  for (const long bits : {53L, 128L, 512L}) {
    const PrecisionScope scope(bits + 100);
    for (int i = 0; i < trials(12); ++i) {
      std::vector<ComplexBall> f;
      const long length = random.integer(1, 5);
      for (long j = 0; j < length; ++j) f.push_back(random_point(random));
      const std::size_t count = static_cast<std::size_t>(random.integer(1, 9));
      if (i % 4 == 3) f[0] = ComplexBall(0);
      for (const std::uint64_t n : {1UL, 2UL, 13UL, 64UL, 65UL, 100UL}) {
        std::vector<ComplexBall> expected{ComplexBall(1)};
        for (std::uint64_t k = 0; k < n; ++k) expected = product(expected, f, count);
        expected.resize(count);
        const std::vector<ComplexBall> more = series_product(expected, f, count);
        const std::vector<ComplexBall> by_hand = product(expected, f, count);
        for (std::size_t m = 0; m < count; ++m) CHECK(overlaps(more[m], by_hand[m]));
        const std::vector<ComplexBall> found = series_power(f, n, count);
        REQUIRE(found.size() == count);
        for (std::size_t m = 0; m < count; ++m) {
          CHECK(overlaps(found[m], expected[m]));
          CHECK(found[m].real().radius_double() < 1e-6);
        }
      }
    }
  }
}

TEST_CASE("powers of a constant and a fraction are those of its series") {
  Random random(8);
  const PrecisionScope scope(300);
  for (int i = 0; i < trials(60); ++i) {
    const ComplexBall a = i % 5 == 4 ? ComplexBall(0) : random_point(random);
    const ComplexBall d = random_point(random);
    const ComplexBall c = random_point(random);
    const auto count = static_cast<std::size_t>(random.integer(0, 20));
    const auto n = static_cast<std::uint64_t>(random.integer(0, i % 2 == 0 ? 9 : 900));
    std::vector<ComplexBall> fraction = series_quotient({ComplexBall(0), d}, c, count);
    if (count > 0) fraction[0] += a;
    const std::vector<ComplexBall> expected = series_power(fraction, n, count);
    const std::vector<ComplexBall> found = series_fraction_power(a, d, c, n, count);
    REQUIRE(found.size() == count);
    for (std::size_t m = 0; m < count; ++m) {
      CHECK(overlaps(found[m], expected[m]));
      CHECK(found[m].real().radius_double() <= 1e-60 * (1 + abs(expected[m]).upper_double()));
    }
  }
}

TEST_CASE("a quotient by 1 + a y times 1 + a y is the series") {
  Random random(6);
  for (int i = 0; i < trials(20); ++i) {
    std::vector<ComplexBall> f;
    for (int j = 0; j < 4; ++j) f.push_back(random_point(random));
    const ComplexBall a = random_point(random);
    const std::vector<ComplexBall> back = product(series_quotient(f, a, 8), {ComplexBall(1), a}, 8);
    for (std::size_t m = 0; m < 8; ++m) {
      CHECK(overlaps(back[m], m < f.size() ? f[m] : ComplexBall(0)));
    }
  }
}

TEST_CASE(
    "large powers of numbers in all four quadrants, on the negative axis and of balls about 0") {
  const PrecisionScope scope(256);
  for (const std::uint64_t n : {3UL, 64UL, 65UL, 1000UL, 1001UL}) {
    for (const double re : {-1.0, 0.0, 0.9}) {
      for (const double im : {-0.3, 0.0, 0.5}) {
        const ComplexBall z{Ball(re), Ball(im)};
        const ComplexBall found = large_power(z, n);
        CHECK(overlaps(found, power(z, n)));
        CHECK(found.real().radius_double() < 1e-30 * std::pow(1.2, static_cast<double>(n)));
      }
    }
    // a ball that straddles the cut of the logarithm
    const ComplexBall straddling(Ball(-1), widened(Ball(0), Ball(1e-60)));
    CHECK(overlaps(large_power(straddling, n), ComplexBall(n % 2 == 0 ? Ball(1) : Ball(-1))));
    CHECK(large_power(straddling, n).imaginary().radius_double() < 1e-50);
    const ComplexBall about_zero = disk(Ball(0.5));
    CHECK(overlaps(large_power(about_zero, n), ComplexBall(0)));
    CHECK(large_power(about_zero, n).is_finite());
  }
}
