#include "lib/exact/rational.hpp"

#include <cmath>
#include <limits>

#include "tests/support/containment.hpp"
#include "tests/support/random.hpp"

using namespace plaudit;
using plaudit::test::Random;
using plaudit::test::trials;

TEST_CASE("decimals and fractions are read exactly") {
  CHECK(parse_rational("0.1") == Rational(1, 10));
  CHECK(parse_rational("12") == 12);
  CHECK(parse_rational("-0") == 0);
  CHECK(parse_rational("007") == 7);
  CHECK(parse_rational("+.5") == Rational(1, 2));
  CHECK(parse_rational("5.") == 5);
  CHECK(parse_rational("1e-3") == Rational(1, 1000));
  CHECK(parse_rational("1E+3") == 1000);
  CHECK(parse_rational("-2.50e1") == -25);
  CHECK(parse_rational("1/256") == Rational(1, 256));
  CHECK(parse_rational("0.5/3e4") == Rational(1, 60000));
  CHECK(parse_rational("-1/-4") == Rational(1, 4));
  CHECK(parse_rational("000000000000000000010.010") == Rational(1001, 100));
  CHECK(parse_rational("0e99999") == 0);
}

TEST_CASE("what is not a number is refused") {
  for (const char* text : {"",         " ",         "abc",
                           "nan",      "inf",       "-",
                           "+",        ".",         "e5",
                           "1e",       "1e+",       "1 ",
                           " 1",       "1..2",      "1.2.3",
                           "--1",      "0x10",      "1,5",
                           "1/0",      "1/0.0",     "/2",
                           "1/",       "1/2/3",     "1e1e1",
                           "1e100001", "1e-100001", "1e99999999999999999999",
                           "1e5.5",    "\xc2\xbd",  "1_000"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_rational(text), NumberError);
  }
  CHECK_THROWS_AS(parse_rational(std::string(10001, '1')), NumberError);
  CHECK_NOTHROW(parse_rational(std::string(10000, '1')));
  CHECK_THROWS_AS(parse_rational(std::string_view("1\0", 2)), NumberError);
}

TEST_CASE("the printed text is read back as the same number") {
  Random random(21);
  for (int i = 0; i < trials(2000); ++i) {
    const Rational q = random.rational();
    CAPTURE(to_string(q));
    CHECK(parse_rational(to_string(q)) == q);
  }
  for (const char* text : {"0", "0.1", "1e-7", "1e+7", "-2.5", "1/3", "1234567", "12345678", "1e-5",
                           "0.0001", "123456789e50", "1e-100000", "-7/11"}) {
    const Rational q = parse_rational(text);
    CHECK(parse_rational(to_string(q)) == q);
  }
  CHECK(to_string(Rational(1, 10)) == "0.1");
  CHECK(to_string(parse_rational("1e-5")) == "1e-5");
  CHECK(to_string(Rational(1, 3)) == "1/3");
  CHECK(to_string(Rational(-5)) == "-5");
}

TEST_CASE("estimates are near, whatever the size") {
  CHECK(estimate(Rational(1, 3)) == doctest::Approx(1.0 / 3));
  CHECK(estimate(parse_rational("1e400")) == std::numeric_limits<double>::infinity());
  CHECK(estimate(parse_rational("-1e5000")) == -std::numeric_limits<double>::infinity());
  CHECK(estimate(parse_rational("1e-5000")) == 0);
  CHECK(estimate(Rational(0)) == 0);
  CHECK(estimate_log(parse_rational("1e-1000")) == doctest::Approx(-1000 * std::log(10.0)));
  CHECK(estimate_log(parse_rational("-1e1000")) == doctest::Approx(1000 * std::log(10.0)));
  CHECK(estimate_log(Rational(0)) == -std::numeric_limits<double>::infinity());
  Random random(22);
  for (int i = 0; i < trials(200); ++i) {
    const double x = random.number();
    CHECK(estimate(test::exactly(x)) == doctest::Approx(x));
  }
}

TEST_CASE("the greatest common divisor of rationals") {
  CHECK(common_divisor(Rational(1, 6), Rational(1, 4)) == Rational(1, 12));
  CHECK(common_divisor(Rational(4), Rational(6)) == Rational(2));
  CHECK(common_divisor(0, Rational(3, 7)) == Rational(3, 7));
  CHECK(common_divisor(Rational(3, 7), 0) == Rational(3, 7));
}
