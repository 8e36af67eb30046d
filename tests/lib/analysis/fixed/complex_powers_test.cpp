// Powers in fixed point against repeated multiplication with many bits.
#include "lib/analysis/fixed/complex_powers.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "lib/balls/precision.hpp"
#include "tests/support/containment.hpp"
#include "tests/support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

ComplexBall many_bits(const ComplexBall& z, std::uint64_t n) {
  const PrecisionScope scope(3000);
  return power(z, n);
}

/// All angles, and those next to the axes.
ComplexBall on_circle(Random& random, double log_of_size) {
  double angle = random.uniform(-std::numbers::pi, std::numbers::pi);
  if (random.one_in(3)) {
    angle = std::numbers::pi / 2 * static_cast<double>(random.integer(-2, 2)) +
            random.uniform(-1, 1) * std::exp2(random.uniform(-80, 0));
  }
  const double size = std::exp(log_of_size);
  return {Ball(size * std::cos(angle)), Ball(size * std::sin(angle))};
}

}  // namespace

TEST_CASE("complex powers: exact numbers, all angles and sizes") {
  Random random(71);
  for (int i = 0; i < 4000; ++i) {
    const PrecisionScope scope(i % 2 == 0 ? 100 : 150);
    const auto n = static_cast<std::uint64_t>(std::exp2(random.uniform(0, 12)));
    const ComplexBall z = on_circle(random, random.uniform(-30, 30) / (i % 3 == 0 ? 1.0 : 1e3));
    const ComplexBall found = complex_powers({z}, n).front();
    INFO(i, " ", n);
    CHECK(holds(found, many_bits(z, n)));
    const double bits = (found.real().radius().estimate_log() - abs(found).estimate_log()) / 0.6931;
    CHECK(bits < std::log2(static_cast<double>(n)) + 16 - static_cast<double>(working_precision()));
  }
}

TEST_CASE("complex powers: the ends of balls") {
  Random random(72);
  for (int i = 0; i < 3000; ++i) {
    const PrecisionScope scope(i % 2 == 0 ? 100 : 150);
    const auto n = static_cast<std::uint64_t>(std::exp2(random.uniform(0, 8)));
    const ComplexBall z = on_circle(random, random.uniform(-3, 3));
    const Ball radius = abs(z) * Ball(std::exp2(random.uniform(-90, -20)));
    const ComplexBall found = complex_powers({widened(z, radius.lower())}, n).front();
    const PrecisionScope more(500);
    for (const int side : {-1, 1}) {
      const ComplexBall end(z.real() + Ball(side) * radius.lower(),
                            z.imaginary() - Ball(side) * radius.lower());
      CHECK(holds(found, many_bits(end, n)));
    }
  }
}

TEST_CASE("complex powers: what is left to balls") {
  const PrecisionScope scope(100);
  const ComplexBall near_zero = widened(ComplexBall(Ball(1e-3), Ball(0)), Ball(1e-2));
  CHECK(!complex_powers({near_zero}, 5).front().is_finite());
  const ComplexBall wide = widened(ComplexBall(Ball(1), Ball(1)), Ball(0.01));
  CHECK(holds(complex_powers({wide}, 5).front(), many_bits(ComplexBall(Ball(1.01), Ball(1)), 5)));
  const ComplexBall large = ldexp(ComplexBall(Ball(3), Ball(1)), 1000000);
  CHECK(holds(complex_powers({large}, 3).front(), many_bits(large, 3)));
  const ComplexBall one(Ball(1), Ball(0));
  CHECK(holds(complex_powers({one}, std::uint64_t{1} << 40).front(), one));
  CHECK(complex_powers({}, 3).empty());
  // one that is 0, or of a size that is refused, is no reason to refuse others
  const ComplexBall tiny = ldexp(ldexp(ComplexBall(Ball(1)), -(1L << 62)), -(1L << 62) - 5);
  for (const ComplexBall& odd : {ComplexBall(), large, tiny}) {
    const ComplexBall z(Ball(0.6), Ball(0.7));
    const std::vector<ComplexBall> both = complex_powers({odd, z}, 9);
    CHECK(holds(both[1], many_bits(z, 9)));
    CHECK(both[1].real().radius().estimate_log() <
          complex_powers({z}, 9)[0].real().radius().estimate_log() + 1e-9);
  }
  {
    const PrecisionScope longer(400);
    const ComplexBall z(Ball(0.7), Ball(-0.9));
    const ComplexBall found = complex_powers({z}, 7).front();
    CHECK(holds(found, many_bits(z, 7)));
    CHECK(found.real().radius().estimate_log() < -250);
  }
}
