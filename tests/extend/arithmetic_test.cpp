// Interval arithmetic as plug-ins write it: every result contains the exact one, and little more.
#include <doctest/doctest.h>
#include <plaudit/extend.hpp>
#include <sstream>

using namespace plaudit;

namespace {

Interval between(const char* lower, const char* upper) {
  return {interval(lower).lower, interval(upper).upper};
}

void is_near(const Interval& x, const char* lower, const char* upper) {
  CHECK(x.lower <= interval(lower).upper);
  CHECK(x.upper >= interval(upper).lower);
  CHECK(width(x) <= width(between(lower, upper)) + Real(1e-15));
}

}  // namespace

TEST_CASE("integers stand on either side") {
  const Interval x = interval("0.1");
  is_near(x + 1, "1.1", "1.1");
  is_near(1 + x, "1.1", "1.1");
  is_near(x - 2, "-1.9", "-1.9");
  is_near(x * 3, "0.3", "0.3");
  is_near(3 * x, "0.3", "0.3");
  is_near(x / 4, "0.025", "0.025");
  Interval sum = x;
  sum += 1;
  sum *= interval("2.5");
  sum -= x;
  sum /= 5;
  is_near(sum, "0.53", "0.53");
}

TEST_CASE("absolute values and powers of intervals around 0") {
  is_near(abs(between("-0.3", "0.2")), "0", "0.3");
  is_near(abs(between("-0.3", "-0.2")), "0.2", "0.3");
  is_near(abs(between("0.2", "0.3")), "0.2", "0.3");
  is_near(pow(between("-0.3", "0.2"), 2), "0", "0.09");
  is_near(pow(between("-0.3", "0.2"), 3), "-0.027", "0.008");
  is_near(pow(between("-0.3", "-0.2"), 2), "0.04", "0.09");
  is_near(pow(between("0.2", "0.3"), 4), "0.0016", "0.0081");
  is_near(pow(between("-2", "3"), 0), "1", "1");
  is_near(pow(between("-2", "3"), 1), "-2", "3");
  const Interval none{Real(-1), Real(0) / Real(0)};
  CHECK(isnan(abs(none).upper));
  CHECK(isnan(pow(none, 2).upper));
}

TEST_CASE("the complementary error function") {
  // erfc(1), to 30 digits
  const Interval x = erfc(interval(1));
  const Interval known = interval("0.157299207050285130658779364917");
  CHECK(!certainly_less(x, known));
  CHECK(!certainly_less(known, x));
  CHECK(width(x) < Real(1e-17));
}

TEST_CASE("width, middle and text") {
  CHECK(width(between("1", "3")) == 2);
  CHECK(midpoint(between("1", "3")) == 2);
  const Real far = 1 / Real(0);
  CHECK(midpoint({Real(1), far}) == 1);
  CHECK(midpoint({-far, Real(1)}) == 1);
  CHECK(midpoint({-far, far}) == 0);
  CHECK(isinf(width({Real(1), far})));
  CHECK(contains(between("1", "3"), Real(3)));
  CHECK(!contains(between("1", "3"), Real(3.5)));
  CHECK(contains(between("1", "3"), between("1.5", "2")));
  CHECK(!contains(between("1", "3"), between("1.5", "4")));
  std::ostringstream out;
  out.precision(3);
  out << between("1.23456", "1.23456") << ' ' << between("-1.23456", "2");
  CHECK(out.str() == "[1.23, 1.24] [-1.24, 2]");
}
