// The edges of what proofs are made of: budgets that are used up, boxes without a logarithm, angles
// and numbers that are too large, and sums at more bits than fixed point has.
#include <doctest/doctest.h>

#include "accountants/proof/arithmetic/balls.hpp"
#include "accountants/proof/arithmetic/budget.hpp"
#include "accountants/proof/arithmetic/exponential_sums.hpp"
#include "accountants/proof/arithmetic/rejected.hpp"
#include "lib/analysis/fixed_exponentials.hpp"
#include "support/containment.hpp"

using namespace plaudit;
using namespace plaudit::test;
using proof::Interval;

TEST_CASE("a budget refuses what is announced, kept, done or waited for beyond its limits") {
  proof::Budget few({.operations = 100});
  few.announce(60);
  CHECK_THROWS_WITH_AS(few.announce(41),
                       "the check needs 101 operations, and at most 100 are allowed",
                       proof::TooDear);
  proof::Budget whole({});
  whole.keep(4'000'000);
  CHECK_THROWS_WITH_AS(whole.keep(1),
                       "the laws have 4000001 values, and at most 4000000 are allowed",
                       proof::TooDear);
  CHECK_THROWS_AS(whole.keep(Integer(1) << 200), proof::TooDear);
  const PrecisionScope scope(128);
  proof::Budget writer({.work = 10});
  writer.spend(10);
  CHECK_THROWS_AS(writer.spend(1), proof::OutOfTime);
  CHECK(writer.spent() == 10);
  proof::Budget brief({.timeout = 0});
  CHECK_THROWS_WITH_AS(brief.spend(1), "the check needs more time than the time limit allows",
                       proof::OutOfTime);
}

TEST_CASE("a logarithm of a box that touches the cut is rejected, next to it it is not") {
  const PrecisionScope scope(64);
  const Interval around = proof::hull(Interval(-1), Interval(1));
  CHECK_THROWS_AS(proof::log(proof::Complex{around, around}), proof::Rejected);
  CHECK_THROWS_AS(proof::log(proof::Complex{-1, 0}), proof::Rejected);
  const proof::Complex upper = proof::log(proof::Complex{-1, 1});
  CHECK(proof::at_most(proof::abs(upper.im - 3 * proof::scaled(proof::pi(), -2)),
                       proof::scaled(Interval(1), -50)));
  const proof::Complex lower = proof::log(proof::Complex{-1, -1});
  CHECK(proof::at_most(proof::abs(lower.im + 3 * proof::scaled(proof::pi(), -2)),
                       proof::scaled(Interval(1), -50)));
}

TEST_CASE("of an angle beyond 2^64 cosine and sine are known to lie in [-1, 1]") {
  const PrecisionScope scope(64);
  const Interval far = proof::scaled(Interval(3), 64);
  for (const Interval& each : {proof::cos(far), proof::sin(far), proof::cos(-far)}) {
    CHECK(mpfr_cmp_si(each.low(), -1) == 0);
    CHECK(mpfr_cmp_si(each.high(), 1) == 0);
  }
  const Interval last = proof::scaled(Interval(1), 63);
  CHECK(proof::below(proof::half_width(proof::cos(last)), proof::scaled(Interval(1), -60)));
}

TEST_CASE("integers as texts and as machine numbers") {
  CHECK(proof::shown(12345) == "12345");
  CHECK(proof::shown(Integer(1) << 100) == "over 2^100");
  CHECK(proof::to_long(-7) == -7);
  CHECK(proof::to_long(Integer(1) << 70) == std::numeric_limits<long>::max());
  CHECK(proof::to_long(-(Integer(1) << 70)) == std::numeric_limits<long>::min());
  CHECK(proof::read_law_number("1e-1000", "p") == parse_rational("1e-1000"));
  CHECK_THROWS_AS(proof::read_law_number("1e-1001", "p"), proof::Rejected);
  CHECK_THROWS_AS(proof::read_law_number(std::string(1001, '1'), "p"), proof::Rejected);
}

TEST_CASE("sums of exponentials are the same in fixed point, in balls and in intervals") {
  proof::Budget work = proof::unlimited_budget();
  for (const long bits : {100L, 2000L}) {
    CAPTURE(bits);
    const PrecisionScope scope(bits);
    CHECK((limbs_of_exponentials(bits, 3) > 0) == (bits == 100));
    proof::ExponentialRule<Ball> balls;
    proof::ExponentialRule<Interval> intervals;
    for (const int j : {1, 2, 3}) {
      const Rational l(j, 7);
      const Rational c(-j, 3);
      balls.exponents.emplace_back(Ball(l), Ball(c / 5));
      intervals.exponents.push_back({Interval(l), Interval(Rational(c / 5))});
      balls.log_weights.emplace_back(Ball(c));
      intervals.log_weights.push_back({Interval(c), 0});
    }
    const std::vector<ComplexBall> w{{Ball(Rational(-1, 3)), Ball(2)}, {Ball(0), Ball(-3)}};
    const std::vector<proof::Complex> v{{Interval(Rational(-1, 3)), 2}, {0, -3}};
    const auto found = proof::exponential_sums(balls, w, work);
    const auto other = proof::exponential_sums(intervals, v, work);
    REQUIRE(found.size() == 2);
    REQUIRE(other.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
      const auto ball_of = [](const Interval& x) {
        return hull(Ball(proof::lower(x)), Ball(proof::upper(x)));
      };
      CHECK_OVERLAPS(found[i].real(), ball_of(other[i].re));
      CHECK_OVERLAPS(found[i].imaginary(), ball_of(other[i].im));
      CHECK(found[i].real().relative_accuracy_bits() > bits - 50);
      CHECK(ball_of(other[i].im).relative_accuracy_bits() > bits - 20);
    }
  }
}
