// Which laws some pair of probabilities has: the least mass of Q against all corners of the
// intervals, and its comparison with 1 at any distance.
#include "mechanisms/forms/written_law.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "lib/balls/ball.hpp"
#include "lib/balls/precision.hpp"

using namespace plaudit;

namespace {

double q_of(const WrittenLaw& law, const std::vector<Rational>& masses) {
  double q = 0;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    q += estimate(masses[i]) * std::exp(-estimate(law.losses[i]));
  }
  return q;
}

/// The least over the corners of {p in the intervals, sum 1}, in which all but one mass are ends;
/// infinity where there is none.
double least_of_corners(const WrittenLaw& law) {
  const std::size_t places = law.losses.size() + 1;  // the last one is infinity
  const auto mass = [&](std::size_t i) -> const WrittenLaw::Mass& {
    return i + 1 < places ? law.masses[i] : law.infinite;
  };
  double least = INFINITY;
  for (std::size_t free = 0; free < places; ++free) {
    for (std::size_t ends = 0; ends < std::size_t{1} << places; ++ends) {
      std::vector<Rational> p;
      Rational rest = 1;
      for (std::size_t i = 0; i < places; ++i) {
        p.push_back((ends >> i & 1) != 0 ? mass(i).upper : mass(i).lower);
        if (i != free) rest -= p.back();
      }
      p[free] = rest;
      if (rest < mass(free).lower || rest > mass(free).upper) continue;
      p.pop_back();
      least = std::min(least, q_of(law, p));
    }
  }
  return least;
}

/// The multiple of 2^-bits next to 1/e, below or above.
Rational beside_one_over_e(long bits, bool above) {
  const PrecisionScope precision(bits + 64);
  const Rational below = exact_rational(floor(ldexp(exp(Ball(-1)), bits)));
  const Rational unit(1, Integer(1) << static_cast<unsigned long>(bits));
  return (above ? below + 1 : below) * unit;
}

}  // namespace

TEST_CASE("the least mass of Q is that of the best corner") {
  std::mt19937 random(41);
  const auto digit = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  int possible = 0;
  for (int trial = 0; trial < 600; ++trial) {
    WrittenLaw law;
    const int size = digit(1, 5);
    int loss = digit(-12, 3);
    for (int i = 0; i < size; ++i, loss += digit(1, 8)) {
      const int lower = digit(0, 30);
      const int upper = digit(0, 3) == 0 ? lower : digit(lower, 60);
      law.losses.push_back(Rational(loss, 4));
      law.masses.push_back({Rational(lower, 100), Rational(upper, 100)});
    }
    const int lower = digit(0, 5);
    law.infinite = {Rational(lower, 100), Rational(digit(lower, 20), 100)};
    const double least = least_of_corners(law);
    const auto masses = masses_of_least_q(law);
    REQUIRE(masses.has_value() == std::isfinite(least));
    if (!masses) continue;
    ++possible;
    CHECK(std::fabs(q_of(law, *masses) - least) < 1e-12 * least);
    if (std::fabs(least - 1) > 1e-9) {
      CHECK(q_is_at_most_one(law.losses, *masses) == std::optional(least < 1));
    }
  }
  CHECK(possible > 100);
}

TEST_CASE("a mass of Q next to 1 is told from it, until it is too near") {
  for (const long bits : {10L, 300L, 3000L, 30000L}) {
    CHECK(q_is_at_most_one({-1}, {beside_one_over_e(bits, false)}) == std::optional(true));
    CHECK(q_is_at_most_one({-1}, {beside_one_over_e(bits, true)}) == std::optional(false));
  }
  CHECK_FALSE(q_is_at_most_one({-1}, {beside_one_over_e(70000, false)}));
  CHECK_FALSE(q_is_at_most_one({-1}, {beside_one_over_e(70000, true)}));
}

TEST_CASE("a mass of Q of exactly 1, and numbers beyond all exponents") {
  const Rational huge = parse_rational("1e100000");
  CHECK(q_is_at_most_one({0}, {1}) == std::optional(true));
  CHECK(q_is_at_most_one({-1, 0, 2}, {0, 1, 0}) == std::optional(true));
  CHECK(q_is_at_most_one({-huge, 1}, {Rational(1) / huge, Rational(1, 2)}) == std::optional(false));
  CHECK(q_is_at_most_one({0, huge}, {Rational(1, 2), Rational(1, 2)}) == std::optional(true));
}
