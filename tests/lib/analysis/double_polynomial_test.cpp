// Horner's rule in doubles against the same polynomial in balls.
#include "lib/analysis/double_polynomial.hpp"

#include <array>

#include "support/containment.hpp"
#include "support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

Ball value_in_balls(const std::vector<Ball>& coefficients, const Ball& x) {
  Ball sum;
  for (std::size_t k = coefficients.size(); k-- > 0;) sum = sum * x + coefficients[k];
  return sum;
}

}  // namespace

TEST_CASE("values are within the stated error of the exact polynomial") {
  Random random(411);
  const PrecisionScope scope(400);
  for (int i = 0; i < trials(200); ++i) {
    const long degree = random.integer(0, 40);
    const double decay = random.uniform(-1, 6);
    const int scale = static_cast<int>(random.integer(-900, 200));
    const bool doubles = random.one_in(2);  // else enclosures whose radii are part of the error
    std::vector<Ball> coefficients;
    for (long k = 0; k <= degree; ++k) {
      const double size =
          std::ldexp(random.uniform(-1, 1), scale) * std::exp2(-decay * static_cast<double>(k));
      coefficients.emplace_back(size);
      if (!doubles) coefficients.back() /= Ball(3);
    }
    const DoublePolynomial polynomial(coefficients);
    const double step = std::ldexp(static_cast<double>(random.integer(1, 1 << 12)), -24);
    const long first = random.integer(-1000, 1000);
    std::array<double, 37> values{};
    polynomial.values_at(first, step, values.size(), values.data());
    for (std::size_t j = 0; j < values.size(); ++j) {
      const Ball x = Ball(first + static_cast<long>(j)) * Ball(step);
      if (!certainly_less_equal(abs(x), Ball(1))) continue;
      const Ball exact = value_in_balls(coefficients, x);
      CAPTURE(degree);
      CHECK_FALSE(certainly_greater(abs(exact - Ball(values[j])), polynomial.error()));
    }
  }
}

TEST_CASE("what the coefficients are not known to is part of the error") {
  const PrecisionScope scope(128);
  const std::vector<Ball> coefficients{widened(Ball(1), Ball(0x1p-20)), Ball(1)};
  CHECK(certainly_greater_equal(DoublePolynomial(coefficients).error(), Ball(0x1p-20)));
}

TEST_CASE("the rounding of Horner's rule is seen where the coefficients are doubles") {
  // (1 + x)^30 - (1 + x)^30 about: the value is far below its terms
  const PrecisionScope scope(400);
  std::vector<Ball> coefficients;
  Ball binomial(1);
  for (long k = 0; k <= 30; ++k) {
    coefficients.push_back(k % 2 == 0 ? binomial : -binomial);
    binomial *= Ball(30 - k);
    binomial /= Ball(k + 1);
  }
  const DoublePolynomial polynomial(coefficients);  // (1 - x)^30
  double greatest = 0;
  for (long j = 900; j < 1000; ++j) {
    double value = 0;
    polynomial.values_at(j, 0x1p-10, 1, &value);
    const Ball x = Ball(j) * Ball(0x1p-10);
    const Ball error = abs(value_in_balls(coefficients, x) - Ball(value));
    CHECK_FALSE(certainly_greater(error, polynomial.error()));
    greatest = std::max(greatest, error.estimate());
  }
  CHECK(greatest > 1e-9);
}

TEST_CASE("an overflow has no error bound") {
  CHECK_FALSE(DoublePolynomial({Ball(0x1p1000), Ball(0x1p1000)}).error().is_finite());
  CHECK_THROWS_AS(DoublePolynomial({}), std::invalid_argument);
}

TEST_CASE("short doubles") {
  CHECK(is_short(0x1.fffffep-30));
  CHECK_FALSE(is_short(0x1.ffffffp-30));
  CHECK(is_short(0x1p-1000));
  Random random(412);
  for (int i = 0; i < trials(1000); ++i) {
    const double x = std::exp2(random.uniform(-40, 3));
    const double below = short_at_most(x);
    CHECK(is_short(below));
    CHECK(below <= x);
    CHECK(below > x * (1 - 0x1p-22));
  }
}
