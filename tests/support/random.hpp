// Seeded random inputs, biased to corners, after FLINT's randtest functions.
//
// PLAUDIT_TEST_MULTIPLIER (default 1) scales the number of trials; the seed of a case is fixed, so
// a failure repeats.
#pragma once

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

#include "lib/balls/ball.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/rational.hpp"

#include "tests/support/exact.hpp"

namespace plaudit::test {

inline int trials(int usual) {
  const char* text = std::getenv("PLAUDIT_TEST_MULTIPLIER");
  const double factor = text == nullptr ? 1 : std::atof(text);
  return std::max(1, static_cast<int>(usual * (factor > 0 ? factor : 1)));
}

/// For functions that count cases and may stop where they have found enough.
constexpr int all_of_them = std::numeric_limits<int>::max();

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Integer in [low, high].
  long integer(long low, long high) {
    return std::uniform_int_distribution<long>(low, high)(engine_);
  }
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  bool one_in(long n) { return integer(1, n) == 1; }

  /// 0, +-1, halves, neighbours of 1, huge, tiny, or an ordinary size.
  double number() {
    switch (integer(0, 9)) {
      case 0:
        return 0;
      case 1:
        return static_cast<double>(integer(-2, 2));
      case 2:
        return static_cast<double>(integer(-9, 9)) / 2;
      case 3:
        return 1 + uniform(-1, 1) * std::exp2(static_cast<double>(integer(-52, -10)));
      case 4:
        return sign() * std::exp2(uniform(-200, 200));
      case 5:
        return sign() * std::exp2(static_cast<double>(integer(-60, 60)));
      default:
        return uniform(-10, 10);
    }
  }
  double sign() { return one_in(2) ? 1 : -1; }

  Rational rational() {
    Rational q = exactly(number());
    if (one_in(2)) q += Rational(integer(-100, 100), integer(1, 100));
    return q;
  }

  /// Exact, narrow or wide, now and then around 0.
  Ball ball() {
    const Ball middle(number());
    if (one_in(3)) return middle;
    const double size = std::fabs(middle.estimate());
    const double radius =
        one_in(4) ? uniform(0, 4) : size * std::exp2(static_cast<double>(integer(-60, 1)));
    return widened(middle, Ball(radius));
  }

  /// A point of the ball, exactly: an end, the middle, or one between.
  Rational point_of(const Ball& x) {
    const PrecisionScope scope(4096);
    const Rational low = exact_rational(x.lower());
    const Rational high = exact_rational(x.upper());
    switch (integer(0, 3)) {
      case 0:
        return low;
      case 1:
        return high;
      default:
        return low + (high - low) * Rational(integer(0, 64), 64);
    }
  }

  long precision() { return one_in(4) ? integer(32, 64) : integer(65, 400); }

 private:
  std::mt19937_64 engine_;
};

}  // namespace plaudit::test
