#include "lib/exact/simplest_rational.hpp"

#include <doctest/doctest.h>

#include <chrono>

#include "tests/support/random.hpp"

using namespace plaudit;
using plaudit::test::Random;
using plaudit::test::trials;

TEST_CASE("the rational of least denominator, against a search") {
  Random random(71);
  for (int i = 0; i < trials(300); ++i) {
    const Rational low(random.integer(0, 2000), random.integer(1, 60));
    const Rational high = low + Rational(random.integer(0, 40), random.integer(1, 3000));
    const Rational found = simplest_between(low, high);
    CAPTURE(to_string(low));
    CAPTURE(to_string(high));
    CHECK(low <= found);
    CHECK(found <= high);
    for (long d = 1; d <= 4000; ++d) {
      const Rational scaled = low * d;
      Integer least = numerator(scaled) / denominator(scaled);
      if (Rational(least) < scaled) ++least;
      if (Rational(least, d) > high) continue;
      CHECK(found == Rational(least, d));
      break;
    }
  }
  CHECK(simplest_between(0, 0) == 0);
  CHECK(simplest_between(Rational(7, 3), Rational(7, 3)) == Rational(7, 3));
  CHECK(simplest_between(Rational(1, 3), 5) == 1);
}

TEST_CASE("at ten thousand digits it takes no noticeable time") {
  const Integer ten = pow(Integer(10), 10000);
  const Rational low(pow(Integer(7), 11000), ten);
  const Rational high = low + Rational(Integer(1), ten);
  const auto start = std::chrono::steady_clock::now();
  const Rational found = simplest_between(low, high);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(2));
  CHECK(low <= found);
  CHECK(found <= high);
  CHECK(denominator(found) * denominator(found) < 100 * ten);
}
