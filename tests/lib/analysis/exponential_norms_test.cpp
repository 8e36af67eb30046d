// Norms over pieces in doubles, against points of the pieces and of the arc.
#include "lib/analysis/exponential_norms.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "lib/balls/complex_ball.hpp"
#include "lib/balls/precision.hpp"
#include "support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

constexpr double infinity_of_doubles = std::numeric_limits<double>::infinity();

DoubleRange random_range(Random& random, double low, double high) {
  const double a = random.uniform(low, high);
  return {a, random.one_in(2) ? a : a + random.uniform(0, (high - low) / 4)};
}

Ball at(const DoubleRange& range, int corner) { return Ball(corner == 0 ? range.low : range.high); }

struct Worst {
  Ball minus_one, plain, steepest;
};

/// Upper and lower bounds differ only by rounding: a piece at all corners of what it may be.
Worst worst_of(const std::vector<DoublePiece>& pieces, const DoubleArc& arc) {
  Worst sum{Ball(0), Ball(0), Ball(0)};
  for (const DoublePiece& piece : pieces) {
    Ball growth = Ball(-1e300);
    for (int k = 0; k < 64; ++k) {
      const Ball sine = at(arc.sine, k & 1), cosine = at(arc.cosine, k >> 1 & 1);
      const Ball error(piece.error);
      const Ball steepness = sine * Ball(piece.real) - cosine * Ball(piece.imaginary) + error;
      const Ball real = Ball(piece.real) + ((k >> 2 & 1) == 0 ? error : -error);
      growth =
          max(growth, at(arc.level, k >> 3 & 1) * real + at(arc.reach, k >> 4 & 1) * steepness);
      sum.steepest = max(sum.steepest, steepness);
    }
    const Ball plain = exp(growth), weight = exp(Ball(piece.log_weight));
    sum.plain += weight * plain;
    sum.minus_one +=
        weight * min(Ball(1) + plain, Ball(arc.size) * Ball(piece.modulus) * max(Ball(1), plain));
  }
  return sum;
}

}  // namespace

TEST_CASE("norms over pieces: above the worst corner, and next to it") {
  Random random(41);
  for (int i = 0; i < trials(400); ++i) {
    const PrecisionScope scope(128);
    DoubleArc arc{random_range(random, -3, 8), random_range(random, 0, 5),
                  random_range(random, 0, 1), random_range(random, 0, 1),
                  std::exp(random.uniform(-6, 4))};
    if (random.one_in(3)) arc.reach.low = 0;
    std::vector<DoublePiece> pieces;
    for (long n = random.integer(1, 20); n > 0; --n) {
      const double size = std::exp(random.uniform(-20, 3));
      const double error = random.one_in(3) ? 0 : size * random.uniform(0, 0.3);
      pieces.push_back({random.uniform(-60, 5), size * random.uniform(-1, 1),
                        size * random.uniform(-1, 1), error, size * 1.5 + error});
    }
    const DoubleNorms found = norms_above(pieces, arc);
    const Worst worst = worst_of(pieces, arc);
    const Ball unit = exp(Ball(found.log_unit));
    CHECK(certainly_less_equal(worst.plain.lower(), (unit * Ball(found.plain)).upper()));
    CHECK(certainly_less_equal(worst.minus_one.lower(), (unit * Ball(found.minus_one)).upper()));
    CHECK(certainly_less(unit * Ball(found.plain), worst.plain * Ball(1 + 1e-6)));
    CHECK(certainly_less(unit * Ball(found.minus_one), worst.minus_one * Ball(1 + 1e-6)));
    const double steepest = steepest_above(pieces, arc.sine, arc.cosine);
    CHECK(certainly_less_equal(worst.steepest, Ball(steepest)));
    CHECK(certainly_less_equal(Ball(steepest), worst.steepest + Ball(1e-12)));
  }
}

TEST_CASE("sums of exact terms are not rounded downward") {
  // e^0 = 1 counts a little more; what the sums of many terms lose is more than that at no time
  std::vector<DoublePiece> pieces(20000, DoublePiece{0, 0, 0, 0, 0x1p-60});
  pieces.front().log_weight = 1;
  const DoubleArc arc{{0, 0}, {0, 0}, {0, 0}, {1, 1}, 1};
  const DoubleNorms found = norms_above(pieces, arc);
  const PrecisionScope scope(128);
  CHECK(certainly_less_equal(exp(Ball(1)) + Ball(19999),
                             exp(Ball(found.log_unit)) * Ball(found.plain)));
}

TEST_CASE("what is not finite bounds nothing") {
  const std::vector<DoublePiece> pieces{{0, 0, 1, 0, 1}};
  const DoubleArc good{{0, 1}, {0, 1}, {0, 1}, {0, 1}, 1};
  REQUIRE(norms_above(pieces, good).plain < infinity_of_doubles);
  for (int k = 0; k < 5; ++k) {
    for (const double bad : {infinity_of_doubles, std::nan("")}) {
      DoubleArc arc = good;
      (k == 0   ? arc.level.high
       : k == 1 ? arc.reach.high
       : k == 2 ? arc.sine.high
       : k == 3 ? arc.cosine.high
                : arc.size) = bad;
      const DoubleNorms found = norms_above(pieces, arc);
      CHECK_FALSE(found.plain < infinity_of_doubles);
      CHECK_FALSE(found.minus_one < infinity_of_doubles);
    }
  }
  CHECK_FALSE(norms_above({{0, 0, 1, infinity_of_doubles, 1}}, good).plain < infinity_of_doubles);
}
