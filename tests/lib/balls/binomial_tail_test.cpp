// Tails of binomial laws against exact sums of rationals, at few and at many bits.
#include <doctest/doctest.h>

#include "lib/balls/binomial.hpp"
#include "lib/balls/precision.hpp"
#include "support/containment.hpp"

using namespace plaudit;

namespace {

Rational exact_tail(long n, const Rational& rate, long from) {
  Rational term = 1;
  for (long i = 0; i < n; ++i) term *= 1 - rate;
  Rational sum = 0;
  for (long k = 0; k <= n; ++k) {
    if (k >= from) sum += term;
    if (k < n) term = term * (n - k) / (k + 1) * rate / (1 - rate);
  }
  return sum;
}

}  // namespace

TEST_CASE("binomial tails contain the exact sums") {
  for (const long bits : {20L, 53L, 200L}) {
    const PrecisionScope scope(bits);
    for (const auto& [n, rate] : {std::pair{1L, Rational(1, 3)},
                                  {12L, Rational(1, 7)},
                                  {90L, Rational(2, 5)},
                                  {90L, Rational(49, 50)}}) {
      for (long k = 0; k <= n + 1; ++k) {
        const Rational exact = exact_tail(n, rate, k);
        const Ball tail =
            binomial_tail(static_cast<std::uint64_t>(n), rate, static_cast<std::uint64_t>(k));
        const PrecisionScope finer(2000);
        CHECK(contains(tail, Ball(exact)));
        if (exact == 0) {
          CHECK(tail.is_exact_zero());
        } else {  // accurate relative to itself
          CHECK(certainly_less_equal(tail.radius(), ldexp(Ball(exact), 4 - bits)));
        }
      }
    }
  }
  CHECK(contains(binomial_tail(7, Rational(1), 7), Ball(1)));
  CHECK(binomial_tail(7, Rational(1), 8).is_exact_zero());
}

TEST_CASE("binomial tails of large numbers") {
  const PrecisionScope scope(100);
  // the two sides of one point, by one sum upwards and one downwards
  const std::uint64_t n = 1'000'000'000;
  const Rational rate(1, 1000);
  const Ball up = binomial_tail(n, rate, 1'003'000);
  const Ball down = binomial_tail(n, 1 - rate, n - 1'003'000 + 1);  // of the records left out
  CHECK_OVERLAPS(up, Ball(1) - down);
  CHECK(certainly_positive(up));
  CHECK(up.estimate() == doctest::Approx(1.38e-3).epsilon(0.05));  // three deviations
}
