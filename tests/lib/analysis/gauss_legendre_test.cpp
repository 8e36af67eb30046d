#include "lib/analysis/gauss_legendre.hpp"

#include <doctest/doctest.h>

#include "lib/balls/precision.hpp"
#include "tests/support/containment.hpp"

using namespace plaudit;

namespace {

/// The rule on 1 / (pole - x).
Ball rule_on_pole(const QuadratureRule& rule, const Ball& pole) {
  Ball sum;
  for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
    sum += rule.weights[i] / (pole - rule.nodes[i]);
  }
  return sum;
}

}  // namespace

TEST_CASE("Gauss-Legendre rules are exact for polynomials") {
  for (const long bits : {53L, 128L, 512L}) {
    const PrecisionScope scope(bits);
    for (const std::size_t points : {1UL, 2UL, 7UL, 30UL}) {
      const QuadratureRule rule = gauss_legendre(points);
      for (std::uint64_t degree = 0; degree < 2 * points; ++degree) {
        Ball sum;
        for (std::size_t i = 0; i < points; ++i) {
          sum += rule.weights[i] * power(rule.nodes[i], degree);
        }
        const Ball exact = degree % 2 == 0 ? Ball(2) / Ball(degree + 1) : Ball(0);
        CHECK(overlaps(sum, exact));
        CHECK(sum.radius_double() < std::ldexp(1.0, static_cast<int>(20 - bits)));
      }
    }
  }
}

TEST_CASE(
    "the error of Gauss-Legendre rules beside a pole is within the bound, and not far below") {
  const PrecisionScope scope(1000);
  for (const double pole : {1.05, 1.5, 4.0}) {
    const Ball exact = log((Ball(pole) + Ball(1)) / (Ball(pole) - Ball(1)));
    for (const std::size_t points : {3UL, 10UL, 40UL}) {
      const Ball error = abs(rule_on_pole(gauss_legendre(points), Ball(pole)) - exact);
      for (const double share : {0.5, 0.9, 0.99}) {
        // the ellipse through a point between 1 and the pole
        const double end = 1 + share * (pole - 1);
        const Ball rho = (Ball(end) + sqrt(square(Ball(end)) - Ball(1))).lower();
        const Ball greatest = Ball(1) / (Ball(pole) - Ball(end));
        CHECK(certainly_less(error, gauss_legendre_error(points, rho, greatest)));
        if (share == 0.99 && points == 40) {
          CHECK(certainly_greater(error, ldexp(gauss_legendre_error(points, rho, greatest), -39)));
        }
      }
    }
  }
  CHECK_FALSE(gauss_legendre_error(10, Ball(1), Ball(1)).is_finite());
  CHECK_FALSE(gauss_legendre_error(0, Ball(2), Ball(1)).is_finite());
}
