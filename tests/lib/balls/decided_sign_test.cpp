// Signs from enclosures at rising precision.
#include "lib/balls/decided_sign.hpp"

#include <doctest/doctest.h>

using namespace plaudit;

TEST_CASE("the sign of a number that is not 0 is found, however small it is") {
  const Rational near = parse_rational(
      "1.098612288668109691395245236922525704647490557822749451734694333637494293218608966873615");
  CHECK(decided_sign(bits_against(near), [&] { return log(Ball(3)) - Ball(near); }) == 1);
  CHECK(decided_sign(bits_against(near), [&] { return Ball(near) - log(Ball(3)); }) == -1);
  CHECK(decided_sign(1024, [] { return Ball(0); }) == 0);
}

TEST_CASE("what no precision shows is not decided") {
  CHECK_FALSE(decided_sign(4096, [] { return log(Ball(9)) - ldexp(log(Ball(3)), 1); }));
  CHECK_FALSE(decided_sign(4096, [] { return Ball(1) / Ball(0); }));
  CHECK_FALSE(decided_sign(4096, [] { return widened(Ball(0), Ball(1)); }));
}

TEST_CASE("whole parts and lengths of rationals") {
  CHECK(floor_of(Rational(7, 2)) == 3);
  CHECK(floor_of(Rational(-7, 2)) == -4);
  CHECK(floor_of(Rational(-4)) == -4);
  CHECK(floor_of(Rational(0)) == 0);
  CHECK(floor_of(Rational(1, 3)) == 0);
  CHECK(floor_of(Rational(-1, 3)) == -1);
  CHECK(exact_sign(Rational(-1, 3)) == -1);
  CHECK(exact_sign(0) == 0);
  CHECK(bit_size(Rational(1, 1024)) == 10);
  CHECK(bit_size(0) == 1);
}
