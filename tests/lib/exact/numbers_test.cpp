// Our integers and rationals against Boost's own arithmetic (cpp_int), which shares nothing with
// GMP.
#include "lib/exact/numbers.hpp"

#include <doctest/doctest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <limits>
#include <sstream>
#include <type_traits>

#include "tests/support/random.hpp"

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;
using plaudit::Integer;
using plaudit::Rational;
using plaudit::test::Random;
using plaudit::test::trials;

static_assert(!std::is_constructible_v<Rational, double>, "doubles are checked on their way in");
static_assert(!std::is_constructible_v<Integer, double>);
static_assert(!std::is_constructible_v<Integer, bool>);

namespace {

/// The same integer in both types: mostly of several words, sometimes small or a power of two.
struct Pair {
  Integer ours;
  cpp_int theirs;

  explicit Pair(Random& random) {
    const long words = random.one_in(3) ? 1 : random.integer(1, 5);
    for (long i = 0; i < words; ++i) {
      const long word = random.one_in(4) ? random.integer(0, 2) : random.integer(0, 1L << 62);
      ours = ours * Integer(1L << 62) + word;
      theirs = theirs * (cpp_int(1) << 62) + word;
    }
    if (random.one_in(2)) {
      ours = -ours;
      theirs = -theirs;
    }
  }
};

std::string text(const Rational& x) {
  std::ostringstream out;
  out << x;
  return out.str();
}

}  // namespace

TEST_CASE("integers: every operation as Boost's") {
  Random random(71);
  for (int i = 0; i < trials(2000); ++i) {
    const Pair a(random);
    const Pair b(random);
    INFO(a.ours, " ", b.ours);
    CHECK(a.ours.str() == a.theirs.str());
    CHECK((a.ours + b.ours).str() == cpp_int(a.theirs + b.theirs).str());
    CHECK((a.ours - b.ours).str() == cpp_int(a.theirs - b.theirs).str());
    CHECK((a.ours * b.ours).str() == cpp_int(a.theirs * b.theirs).str());
    CHECK((-a.ours).str() == cpp_int(-a.theirs).str());
    CHECK(abs(a.ours).str() == cpp_int(abs(a.theirs)).str());
    CHECK(gcd(a.ours, b.ours).str() == cpp_int(gcd(a.theirs, b.theirs)).str());
    CHECK(lcm(a.ours, b.ours).str() == cpp_int(lcm(a.theirs, b.theirs)).str());
    CHECK((a.ours << 67).str() == cpp_int(a.theirs << 67).str());
    CHECK(pow(a.ours, 5).str() == cpp_int(pow(a.theirs, 5)).str());
    CHECK((a.ours < b.ours) == (a.theirs < b.theirs));
    CHECK((a.ours == b.ours) == (a.theirs == b.theirs));
    CHECK(a.ours == Integer(a.theirs.str().c_str()));
    if (b.theirs == 0) {
      CHECK_THROWS_AS(a.ours / b.ours, std::overflow_error);
      CHECK_THROWS_AS(a.ours % b.ours, std::overflow_error);
      continue;
    }
    CHECK((a.ours / b.ours).str() == cpp_int(a.theirs / b.theirs).str());
    CHECK((a.ours % b.ours).str() == cpp_int(a.theirs % b.theirs).str());
    CHECK(msb(b.ours) == msb(cpp_int(abs(b.theirs))));
  }
}

TEST_CASE("rationals: every operation as Boost's") {
  Random random(72);
  const auto number = [&] {
    const Pair above(random);
    Pair below(random);
    while (below.theirs == 0) below = Pair(random);
    // Boost's refuses some negative denominators
    const bool minus = below.theirs < 0;
    return std::pair(Rational(above.ours, below.ours),
                     cpp_rational(minus ? cpp_int(-above.theirs) : above.theirs,
                                  minus ? cpp_int(-below.theirs) : below.theirs));
  };
  for (int i = 0; i < trials(2000); ++i) {
    const auto first = number();
    const auto second = number();
    const Rational& a = first.first;
    const Rational& b = second.first;
    const cpp_rational& boost_a = first.second;
    const cpp_rational& boost_b = second.second;
    INFO(a, " ", b);
    CHECK(text(a) == boost_a.str());
    CHECK(numerator(a).str() == numerator(boost_a).str());
    CHECK(denominator(a).str() == denominator(boost_a).str());
    CHECK(text(a + b) == cpp_rational(boost_a + boost_b).str());
    CHECK(text(a - b) == cpp_rational(boost_a - boost_b).str());
    CHECK(text(a * b) == cpp_rational(boost_a * boost_b).str());
    CHECK(text(-a) == cpp_rational(-boost_a).str());
    CHECK(text(abs(a)) == cpp_rational(abs(boost_a)).str());
    CHECK((a < b) == (boost_a < boost_b));
    CHECK((a == b) == (boost_a == boost_b));
    CHECK((a < 3) == (a < Rational(3)));
    CHECK((7U > a) == (boost_a < 7));
    if (b == 0) {
      CHECK_THROWS_AS(a / b, std::overflow_error);
    } else {
      CHECK(text(a / b) == cpp_rational(boost_a / boost_b).str());
    }
  }
}

TEST_CASE("numbers: machine integers at their ends, and copies") {
  constexpr long least = std::numeric_limits<long>::min();
  constexpr unsigned long most = std::numeric_limits<unsigned long>::max();
  CHECK(Integer(least).str() == "-9223372036854775808");
  CHECK(Integer(most).str() == "18446744073709551615");
  CHECK(Integer(least).to<long>() == least);
  CHECK(Integer(most).to<unsigned long>() == most);
  CHECK_THROWS_AS(Integer(most).to<long>(), std::overflow_error);
  CHECK_THROWS_AS(Integer(-1).to<unsigned>(), std::overflow_error);
  CHECK_THROWS_AS(Rational(1, 0), std::overflow_error);
  CHECK_THROWS_AS(Integer("12x"), std::invalid_argument);
  CHECK(Rational(6, -4) == Rational(-3, 2));
  CHECK(denominator(Rational(6, -4)) == 2);
  Rational a(1, 3);
  Rational moved = std::move(a);
  a = moved;
  CHECK(a == moved);
  const Rational& same = a;
  a = same;
  CHECK(a == Rational(1, 3));
  a /= same;
  CHECK(a == 1);
}
