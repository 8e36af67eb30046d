// The edges of what proofs are made of: budgets that are used up, boxes without a logarithm, angles
// and numbers that are too large, and sums at more bits than fixed point has.
#include <doctest/doctest.h>

#include "accountants/proof/arithmetic/balls.hpp"
#include "accountants/proof/arithmetic/budget.hpp"
#include "accountants/proof/arithmetic/exponential_sums.hpp"
#include "accountants/proof/arithmetic/power_sums.hpp"
#include "accountants/proof/arithmetic/rejected.hpp"
#include "lib/analysis/fixed/fixed_exponentials.hpp"
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
  proof::Budget fresh({});
  CHECK_THROWS_AS(fresh.keep(Integer(1) << 200), proof::TooDear);
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
  const Interval left = proof::hull(Interval(-2), Interval(-1));
  const Interval across = proof::spread(proof::scaled(Interval(1), -60));
  CHECK_THROWS_AS(proof::log(proof::Complex{left, across}), proof::Rejected);
  CHECK_THROWS_AS(proof::log(proof::Complex{-1, 0}), proof::Rejected);
  for (const int side : {1, -1}) {  // the angle is side (pi - arctan 2^-60)
    const proof::Complex found =
        proof::log(proof::Complex{-1, side * proof::scaled(Interval(1), -60)});
    const Interval least = proof::scaled(Interval(1), -58);
    CHECK(proof::below(proof::abs(found.im - side * proof::pi()), least));
    CHECK(proof::below(proof::abs(found.re), least));
  }
}

TEST_CASE("of an angle beyond 2^64 cosine and sine are known to lie in [-1, 1]") {
  const PrecisionScope scope(64);
  const Interval far = proof::scaled(Interval(3), 64);
  for (const Interval& each : {proof::cos(far), proof::sin(far), proof::cos(-far)}) {
    CHECK(mpfr_cmp_si(each.low(), -1) == 0);
    CHECK(mpfr_cmp_si(each.high(), 1) == 0);
  }
  const Interval last = proof::scaled(Interval(1), 63);
  const Interval found = proof::cos(last);
  CHECK(proof::below(proof::half_width(found), proof::scaled(Interval(1), -60)));
  const PrecisionScope finer(200);
  CHECK(proof::below(proof::abs(found - proof::cos(last)), proof::scaled(Interval(1), -58)));
}

TEST_CASE(
    "sums of powers reject a base whose box reaches beyond |E|^2 = 1 + 1/count, and no other") {
  const PrecisionScope scope(64);
  proof::Budget work = proof::unlimited_budget();
  const long count = 50;
  const auto sums = [&](const Rational& squared) {
    const Interval size = proof::hull(Interval(1), proof::sqrt(Interval(squared)));
    return proof::power_sums({proof::Complex{1, 0}}, {proof::Complex{size, 0}}, count, work);
  };
  const Rational least(1, 10000);
  CHECK(sums(1 + (1 - least) / count).size() == count);
  CHECK_THROWS_AS(sums(1 + (1 + least) / count), proof::Rejected);
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
    CHECK((limbs_of_exponentials(bits - 24, 3) > 0) == (bits == 100));  // as the sums ask
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
      for (const Ball& each :
           {found[i].real(), found[i].imaginary(), ball_of(other[i].re), ball_of(other[i].im)}) {
        CHECK(each.relative_accuracy_bits() > bits - 50);
      }
    }
  }
}
