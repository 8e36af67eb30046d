#include "lib/exact/checked_integer.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"

using namespace plaudit;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr long least_long = std::numeric_limits<long>::min();
constexpr long most_long = std::numeric_limits<long>::max();
}  // namespace

TEST_CASE("checked_integer: towards zero within the range, refused by name outside of it") {
  CHECK(checked_integer(2.9, "x") == 2);
  CHECK(checked_integer(-2.9, "x") == -2);
  CHECK(checked_integer(0x1p53, "x") == most_index);
  CHECK(checked_integer(-0x1p53, "x") == -most_index);
  for (const double x : {infinity, -infinity, not_a_number, 0x1p53 + 2, -0x1p53 - 2, 1e300}) {
    CHECK_THROWS_AS(checked_integer(x, "x"), IntegerError);
  }
  CHECK_THROWS_WITH(checked_integer(infinity, "the window"),
                    "the window is too large for an integer");
  CHECK_THROWS_WITH(checked_integer(not_a_number, "the window"), "the window is no number");
}

TEST_CASE(
    "clamped_integer: the nearer end outside of the range, the lower one for what is no number") {
  CHECK(clamped_integer(2.9, 0, 9) == 2);
  CHECK(clamped_integer(-2.9, -9, 9) == -2);
  CHECK(clamped_integer(-2.9, 0, 9) == 0);
  CHECK(clamped_integer(9.9, 0, 9) == 9);
  CHECK(clamped_integer(infinity, 0, 9) == 9);
  CHECK(clamped_integer(-infinity, 0, 9) == 0);
  CHECK(clamped_integer(not_a_number, 3, 9) == 3);
  // the ends themselves are no doubles
  CHECK(clamped_integer(0x1p63, least_long, most_long) == most_long);
  CHECK(clamped_integer(-0x1p63, least_long, most_long) == least_long);
  CHECK(clamped_integer(0x1p62, least_long, most_long) == 1L << 62);
}

TEST_CASE("precision_bits: never beyond what can be set") {
  CHECK(precision_bits(99.5) == 99);
  CHECK(precision_bits(-5) == 0);
  CHECK(precision_bits(infinity) == most_precision);
  CHECK(precision_bits(not_a_number) == 0);
}

TEST_CASE("affordable_precision: an operation that would outlast the limit is not begun") {
  const WorkLimit limit(0.01);
  {
    const PrecisionScope scope(20'000);
    CHECK(affordable_precision(1) == 20'000);
  }
  const PrecisionScope scope(5'000'000);
  CHECK(affordable_precision(1e-6) == 5'000'000);
  CHECK_THROWS_AS(affordable_precision(1), WorkLimitReached);
}

TEST_CASE("checked_rational: the double itself, or an exception by name") {
  CHECK(checked_rational(0.1, "x") != Rational(1, 10));
  CHECK(checked_rational(-0.375, "x") == Rational(-3, 8));
  CHECK(checked_rational(5e-324, "x") * 2 == checked_rational(1e-323, "x"));
  CHECK_THROWS_WITH_AS(checked_rational(infinity, "the step"), "the step is not finite",
                       IntegerError);
  CHECK_THROWS_AS(checked_rational(-infinity, "x"), IntegerError);
  CHECK_THROWS_WITH_AS(checked_rational(not_a_number, "x"), "x is no number", IntegerError);
}
