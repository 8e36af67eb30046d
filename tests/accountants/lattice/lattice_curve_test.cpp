// Mode lattice of the Fourier accountant against binomial sums in balls.
#include "accountants/lattice/lattice_curve.hpp"

#include <doctest/doctest.h>

#include "support/curves.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

/// delta of n copies of the pair of pure(e) with mass m at infinity each, by direct summation.
Ball binomial_delta(const Ball& e, const Ball& infinite, long n, const Ball& epsilon) {
  const Ball p = Ball(1) / (Ball(1) + exp(-e));
  Ball term = power(p, static_cast<std::uint64_t>(n));
  Ball sum;
  for (long k = 0; k <= n; ++k) {
    const Ball loss = Ball(n - 2 * k) * e;
    if (!certainly_greater(loss, epsilon)) break;
    sum += term * -expm1(epsilon - loss);
    term *= Ball(n - k) * (Ball(1) - p) / (Ball(k + 1) * p);
  }
  const Ball finite = power(Ball(1) - infinite, static_cast<std::uint64_t>(n));
  return Ball(1) - finite + finite * sum;
}

}  // namespace

TEST_CASE("compositions of two-point laws: 30 digits, equal to the binomial sums") {
  const PrecisionScope scope(400);
  for (const long n : {1L, 2L, 30L, 1000L}) {
    for (const char* text : {"0.05", "0.5", "4.2"}) {
      const Rational at = parse_rational(text);
      for (const char* infinite : {"0", "1e-8"}) {
        const std::string one = std::string(infinite) == "0"
                                    ? "pure(epsilon=0.1)"
                                    : "approximate(epsilon=0.1, delta=1e-8)";
        const ComposedLoss loss = loss_from(one + "^" + std::to_string(n), Direction::remove);
        REQUIRE_FALSE(lattice_refusal(loss));
        const Enclosure band = lattice_curve(loss, {30})->delta(at);
        const Ball exact = binomial_delta(Ball(parse_rational("0.1")),
                                          Ball(parse_rational(infinite)), n, Ball(at));
        INFO(one, "^", n, " at ", std::string(text), " ", show(band));
        CHECK(!misses(band, exact));
        if (certainly_greater(exact, Ball(1e-100))) CHECK(reached(band, 30));
      }
    }
  }
}

TEST_CASE("epsilon on a lattice inverts delta") {
  const PrecisionScope scope(400);
  const ComposedLoss loss = loss_from("pure(epsilon=0.1)^500", Direction::remove);
  const Enclosure band = lattice_curve(loss, {25})->epsilon(parse_rational("1e-9"));
  CHECK(reached(band, 25));
  const auto at = [&](const Ball& x) {
    return binomial_delta(Ball(parse_rational("0.1")), Ball(0), 500, x);
  };
  CHECK(certainly_less_equal(at(band.upper), Ball(parse_rational("1.0000000000000000001e-9"))));
  CHECK(certainly_greater_equal(at(band.lower), Ball(parse_rational("0.9999999999999999999e-9"))));
}

// Each spectrum has a peak where the other one has none, in the same block.
TEST_CASE("laws of different meshes: what is only bounded is bounded where it is") {
  const PrecisionScope scope(200);
  const ComposedLoss loss =
      loss_from("discrete_gaussian(sigma=4)^10 * discrete_gaussian(sigma=6)^10", Direction::remove);
  const Enclosure band = lattice_curve(loss, {10})->epsilon(parse_rational("1e-6"));
  CHECK(reached(band, 10));
  // the contour's band, between Gaussians
  CHECK(certainly_less_equal(band.lower, Ball(parse_rational("4.6107139519589"))));
  CHECK(certainly_greater_equal(band.upper, Ball(parse_rational("4.6107139518445"))));
}

TEST_CASE("what is not on one lattice is refused") {
  CHECK(lattice_refusal(loss_from("gaussian(sigma=1)", Direction::remove)));
  CHECK(lattice_refusal(
      loss_from("pure(epsilon=0.1) * poisson(pure(epsilon=0.2), rate=0.5)", Direction::remove)));
}
