#include "lib/balls/decimal.hpp"

#include <cmath>

#include "tests/support/containment.hpp"
#include "tests/support/random.hpp"

using namespace plaudit;
using plaudit::test::Random;
using plaudit::test::trials;

TEST_CASE("printed ends are read back as a superset of the ball") {
  Random random(31);
  for (int i = 0; i < trials(2000); ++i) {
    const PrecisionScope scope(random.precision());
    const Ball x = random.ball();
    const int digits = static_cast<int>(random.integer(2, 60));
    const std::string below = decimal_below(x, digits);
    const std::string above = decimal_above(x, digits);
    const Rational p = random.point_of(x);
    CAPTURE(x.to_string());
    CAPTURE(below);
    CAPTURE(above);
    CHECK(parse_rational(below) <= p);
    CHECK(parse_rational(above) >= p);
    // and no wider than the digits asked for, or a little of the ball's own radius
    const PrecisionScope exact(4096);
    const Rational low = exact_rational(x.lower());
    const Rational unit =
        (low < 0 ? Rational(-low) : low) / pow(Integer(10), static_cast<unsigned>(digits - 1));
    const Rational slack = exact_rational(x.radius()) / (1 << 20);
    CHECK(low - parse_rational(below) <= unit + slack);
  }
}

TEST_CASE("a radius far below a short midpoint is not rounded up to it") {
  const PrecisionScope scope(400);
  const Ball x = widened(Ball(0.5), Ball(parse_rational("1e-80")));
  CHECK(parse_rational(decimal_below(x, 90)) > parse_rational("0.5") - parse_rational("2e-80"));
  CHECK(parse_rational(decimal_above(x, 90)) < parse_rational("0.5") + parse_rational("2e-80"));
}

TEST_CASE("texts of simple numbers") {
  CHECK(decimal_below(Ball(0.5), 5) == "0.5");
  CHECK(decimal_above(Ball(0.5), 5) == "0.5");
  CHECK(decimal_below(Ball(0), 5) == "0");
  CHECK(decimal_below(Ball(-2), 5) == "-2");
  CHECK(decimal_below(Ball(1000), 2) == "1000");
  CHECK(decimal_below(Ball(Rational(1, 3)), 5) == "0.33333");
  CHECK(decimal_above(Ball(Rational(1, 3)), 5) == "0.33334");
  CHECK(decimal_below(Ball(Rational(-1, 3)), 5) == "-0.33334");
  CHECK(decimal_above(Ball(Rational(-1, 3)), 5) == "-0.33333");
  CHECK(decimal_above(Ball(0.99999), 3) == "1");
  CHECK(decimal_above(positive_infinity(), 5) == "inf");
  CHECK(decimal_below(-positive_infinity(), 5) == "-inf");
  CHECK(decimal_below(Ball(std::nan("")), 5) == "-inf");
  CHECK(decimal_above(Ball(std::nan("")), 5) == "inf");
  const PrecisionScope scope(64);
  CHECK(decimal_above(Ball(parse_rational("1.5e-30")), 12) == "1.50000000001e-30");
  CHECK(decimal_below(exp(Ball(-1e5)), 3) == "3.56e-43430");
}

TEST_CASE("rationals are printed on the side that is asked for, next to themselves") {
  Random random(32);
  for (int i = 0; i < trials(2000); ++i) {
    const Rational q = random.rational();
    const int digits = static_cast<int>(random.integer(2, 40));
    const Rational below = parse_rational(decimal_below(q, digits));
    const Rational above = parse_rational(decimal_above(q, digits));
    CAPTURE(to_string(q));
    CHECK(below <= q);
    CHECK(q <= above);
    Rational unit = abs(q);
    for (int k = 1; k < digits; ++k) unit /= 10;
    CHECK(above - below <= unit);
  }
  CHECK(decimal_above(Rational(1, 3), 5) == "0.33334");
  CHECK(decimal_below(Rational(-1, 3), 5) == "-0.33334");
}
