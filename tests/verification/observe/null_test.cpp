// False alarms: over all outcomes of a true claim, in exact rationals, they are at most the level.
#include <doctest/doctest.h>

#include <map>
#include <vector>

#include "lib/balls/precision.hpp"
#include "verification/observe/observation.hpp"

using namespace plaudit;

namespace {

/// C(n, i) a^i (d - a)^(n - i), i = 0, 1, ...: the law of a count, times d^n.
std::vector<Integer> outcomes(std::uint64_t trials, const Integer& a, const Integer& d,
                              std::uint64_t most) {
  std::vector<Integer> law;
  Integer choose = 1;
  for (std::uint64_t i = 0; i <= most; ++i) {
    law.push_back(choose * pow(a, i) * pow(d - a, trials - i));
    choose = choose * Integer(trials - i) / Integer(i + 1);
  }
  return law;
}

Rational at_most_exactly(std::uint64_t count, std::uint64_t trials, const Rational& rate) {
  Integer sum = 0;
  for (const Integer& each : outcomes(trials, numerator(rate), denominator(rate), count))
    sum += each;
  return {sum, pow(denominator(rate), trials)};
}

/// The lowest of some lines, of which the last is 1.
struct Lines {
  std::vector<std::pair<Rational, Rational>> of;  ///< delta, lambda
  Rational tau(const Rational& x) const {
    Rational least = 1;
    for (const auto& [delta, lambda] : of) least = std::min(least, Rational(delta + lambda * x));
    return least;
  }
  GreatestPower power(const Rational& slack = 0) const {
    return [this, slack](const Rational& x) {
      const Rational lower = std::max(Rational(tau(x) - slack), Rational(0));
      return Span{Ball(lower).lower(), Ball(tau(x)).upper()};
    };
  }
};

const std::vector<Lines> claims{
    {{{0, 1}}},                                                    // nothing is learned
    {{{0, 3}, {Rational(2, 3), Rational(1, 3)}}},                  // (log 3, 0)
    {{{Rational(1, 4), 1}}},                                       // (0, 1/4)
    {{{Rational(1, 10), 2}, {Rational(11, 20), Rational(1, 2)}}},  // (log 2, 1/10)
};

bool alarm(const ErrorCounts& counts, const Rational& level, const GreatestPower& power,
           const Rational& start = Rational(1, 4)) {
  const Span found = two_sided(local_level(counts, start, power));
  return verdict_of({found.lower, found.upper}, level) == ObservedVerdict::refuted;
}

}  // namespace

TEST_CASE("a limit is a limit, and the least") {
  for (const std::uint64_t trials : {1U, 7U, 40U}) {
    for (std::uint64_t count = 0; count < trials; count += 3) {
      for (const Rational& level : {Rational(1, 40), Rational(1, 1000), Rational(9, 10)}) {
        CAPTURE(trials);
        CAPTURE(count);
        const Rational limit = rate_limit({count, trials}, level);
        CHECK(at_most_exactly(count, trials, limit) <= level);
        CHECK(at_most_exactly(count, trials, limit - Rational(1, limit_denominator())) > level);
      }
    }
    CHECK(rate_limit({trials, trials}, Rational(1, 40)) == 1);
  }
}

TEST_CASE("the level of counts is the supremum that it is said to be") {
  const PrecisionScope scope(200);
  for (const Lines& claim : claims) {
    for (const Rational& slack : {Rational(0), Rational(1, 7)}) {
      const GreatestPower power = claim.power(slack);
      for (std::uint64_t k = 0; k <= 6; k += 2) {
        for (std::uint64_t j = 0; j <= 9; j += 3) {
          const LocalLevel found = local_level({{k, 7}, {j, 10}}, Rational(1, 5), power);
          Ball most(0);
          for (int i = 0; i <= 400; ++i) {
            const Rational x(i, 400);
            const Ball here = min(at_most({k, 7}, x), at_most({j, 10}, 1 - claim.tau(x)));
            most = max(most, here.lower());
          }
          CHECK(certainly_less_equal(most, found.upper));
          if (slack == 0 && !certainly_less(Ball(1) / 2, found.lower)) {
            CHECK(certainly_less_equal(found.upper, Ball(Rational(1002, 1000)) * found.lower));
            CHECK(certainly_less(found.lower, Ball(Rational(105, 100)) * most));
          }
          CHECK(certainly_less_equal(found.lower, found.upper));
        }
      }
    }
  }
}

TEST_CASE("false alarms of small experiments, all outcomes, exactly") {
  const std::uint64_t n = 6;
  const std::uint64_t m = 8;
  bool any = false;
  for (const Lines& claim : claims) {
    const GreatestPower power = claim.power();
    for (const Rational& level : {Rational(1, 20), Rational(1, 3)}) {
      std::map<std::pair<std::uint64_t, std::uint64_t>, bool> alarms;
      for (std::uint64_t k = 0; k <= n; ++k) {
        for (std::uint64_t j = 0; j <= m; ++j)
          alarms[{k, j}] = alarm({{k, n}, {j, m}}, level, power);
      }
      for (int i = 0; i <= 60; ++i) {
        const Rational u(i, 60);
        const Rational v = 1 - claim.tau(u);
        const auto first = outcomes(n, numerator(u), denominator(u), n);
        const auto second = outcomes(m, numerator(v), denominator(v), m);
        Integer sum = 0;
        for (std::uint64_t k = 0; k <= n; ++k) {
          for (std::uint64_t j = 0; j <= m; ++j) {
            if (alarms[{k, j}]) sum += first[k] * second[j];
          }
        }
        any = any || sum > 0;
        CHECK(Rational(sum, pow(denominator(u), n) * pow(denominator(v), m)) <= level);
      }
    }
  }
  CHECK(any);
}

TEST_CASE("a fair coin for a test: 451 of 2^20 outcomes are false alarms at 1/20") {
  const Lines nothing{{{0, 1}}};
  const auto law = outcomes(10, 1, 2, 10);
  Integer sum = 0;
  for (std::uint64_t k = 0; k <= 10; ++k) {
    for (std::uint64_t j = 0; j <= 10; ++j) {
      if (alarm({{k, 10}, {j, 10}}, Rational(1, 20), nothing.power())) sum += law[k] * law[j];
    }
  }
  CHECK(sum == 451);
}

TEST_CASE("a claim of which both sides matter: the level is nearly used up") {
  // At the corner of (log 1000, 0) either count alone refutes: no level is left over.
  const Lines claim{{{0, 1000}, {Rational(999, 1000), Rational(1, 1000)}}};
  const std::uint64_t trials = 20000;
  const std::uint64_t most = 60;
  const Rational corner(1, 1001);
  REQUIRE(claim.tau(corner) == 1 - corner);
  const Rational level = Rational(102, 50) *
                         Rational(floor_of(at_most_exactly(12, trials, corner) * 1000000), 1000000);
  const auto law = outcomes(trials, 1, 1001, most);
  const GreatestPower power = claim.power();
  Integer quiet = 0;
  for (std::uint64_t k = 0; k <= most; ++k) {
    for (std::uint64_t j = 0; j <= most; ++j) {
      if (!alarm({{k, trials}, {j, trials}}, level, power, corner)) quiet += law[k] * law[j];
    }
  }
  const Integer all = pow(Integer(1001), 2 * trials);
  CHECK(Rational(quiet, all) >= 1 - level);
  CHECK(Rational(quiet, all) <= 1 - Rational(9, 10) * level);
}

TEST_CASE("both limits hold together but for the level") {
  const std::uint64_t trials = 10;
  const Rational level(1, 5);
  std::vector<FromCounts> limits;
  for (std::uint64_t k = 0; k <= trials; ++k) {
    limits.push_back(from_counts({{{k, trials}, {k, trials}}, level, {}}));
  }
  for (const Rational& side : {Rational(1, 5), Rational(1, 10)}) {
    for (std::uint64_t at = 0; at < 5; ++at) {
      // Just above a limit, where it fails as often as it may.
      const Rational rate = rate_limit({at, trials}, side) + Rational(1, 1000000);
      const auto law = outcomes(trials, numerator(rate), denominator(rate), trials);
      Integer fails = 0;
      for (std::uint64_t k = 0; k <= trials; ++k) {
        for (std::uint64_t j = 0; j <= trials; ++j) {
          if (limits[k].fpr < rate || limits[j].fnr < rate) fails += law[k] * law[j];
        }
      }
      CHECK(Rational(fails, pow(denominator(rate), 2 * trials)) <= level);
    }
  }
}
