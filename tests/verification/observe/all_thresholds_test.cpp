// All thresholds at once: order statistics under limits, against the exact recursion; false alarms
// over all orders of the scores, and in draws.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>

#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "mechanisms/language/spec.hpp"
#include "mechanisms/spec_error.hpp"
#include "support/slow.hpp"
#include "verification/observe/all_thresholds.hpp"
#include "verification/observe/observe_all.hpp"

using namespace plaudit;

namespace {

Rational power_of(const Rational& x, std::size_t n) {
  return {pow(numerator(x), n), pow(denominator(x), n)};
}

/// P(U_(i) <= c_i for all i), by the first violated index, exactly.
Rational all_within(const Limits& c) {
  std::vector<Rational> within{1};
  for (std::size_t k = 1; k <= c.size(); ++k) {
    Rational left = 1;
    Integer choose = 1;
    for (std::size_t i = 1; i <= k; ++i) {
      left -= Rational(choose) * power_of(1 - c[i - 1], k - i + 1) * within[i - 1];
      choose = choose * Integer(k - i + 1) / Integer(i);
    }
    within.push_back(left);
  }
  return within.back();
}

bool contains(const Span& span, const Rational& x) {
  const PrecisionScope scope(400);
  return certainly_less_equal(span.lower, Ball(x).upper()) &&
         certainly_less_equal(Ball(x).lower(), span.upper);
}

bool narrow(const Span& span, double relative) {
  return (span.upper - span.lower).estimate() <= relative * span.upper.estimate() + 1e-280;
}

Limits exact_limits(std::size_t n, const Rational& b) {
  Limits limits;
  for (std::size_t k = 0; k < n; ++k) limits.push_back(rate_limit({k, n}, b));
  return limits;
}

/// tau(x) = x: nothing is learned. Whether counts (k, j) are an alarm, of n runs of each kind.
using Alarms = std::vector<std::vector<bool>>;

Alarms alarms_at(std::size_t n, const Rational& level, bool once) {
  const GreatestPower power = [](const Rational& x) {
    return Span{Ball(x).lower(), Ball(x).upper()};
  };
  Alarms alarms(n + 1, std::vector<bool>(n + 1));
  for (std::size_t k = 0; k <= n; ++k) {
    for (std::size_t j = 0; j <= n; ++j) {
      const LocalLevel found = local_level({{k, n}, {j, n}}, Rational(1, 2), power);
      if (certainly_less(Ball(1) / 2, found.upper)) continue;
      const Ball p_value =
          once ? two_sided(found).upper : 2 * local_violation_above(n, exact_rational(found.upper));
      alarms[k][j] = certainly_less_equal(p_value, Ball(level));
    }
  }
  return alarms;
}

/// Of scores in falling order, 1 with the record: whether some threshold is an alarm.
bool any_alarm(const std::vector<int>& order, std::size_t n, const Alarms& alarms) {
  std::size_t positives[2] = {0, 0};
  for (const int member : order) {
    ++positives[member];
    if (alarms[positives[0]][n - positives[1]]) return true;
  }
  return false;
}

/// An upper limit of the share of alarms, exceeded with a probability of at most a millionth.
double least_rate(std::uint64_t alarms, std::uint64_t draws) {
  const Rational others = rate_limit({draws - alarms, draws}, Rational(1, 1'000'000));
  return estimate(1 - others);
}

}  // namespace

TEST_CASE("order statistics under limits: the exact recursion") {
  std::mt19937_64 generator(1);
  for (const std::size_t n : {1U, 2U, 5U, 12U, 25U}) {
    for (int round = 0; round < 8; ++round) {
      Limits c;
      for (std::size_t i = 0; i < n; ++i) {
        c.push_back(round == 0 ? Rational(1, 3) : Rational(generator() % 1000, 1000));
      }
      std::sort(c.begin(), c.end());
      if (round == 1) c.front() = 0;
      if (round == 2) c.back() = 1;
      CAPTURE(n);
      CAPTURE(round);
      const Span found = violation(c);
      CHECK(contains(found, 1 - all_within(c)));
      CHECK(narrow(found, 1e-9));
    }
  }
}

TEST_CASE("the note's number: n = 20, local level 1/100, limits rounded up to 2^-40") {
  Limits c;
  const Integer whole = Integer(1) << 40;
  for (const Rational& limit : exact_limits(20, Rational(1, 100))) {
    c.emplace_back(-floor_of(-(limit * Rational(whole))), whole);
  }
  const Rational exactly = 1 - all_within(c);
  const Rational stated = parse_rational("0.087156996674");
  CHECK(exactly < stated + Rational(1, 2'000'000'000'000));
  CHECK(exactly > stated - Rational(1, 2'000'000'000'000));
  CHECK(contains(violation(c), exactly));
  CHECK(narrow(violation(c), 1e-12));
}

TEST_CASE("limits that are decided are on their side, however small the level") {
  for (const std::size_t n : {1U, 7U, 60U}) {
    for (const char* text : {"1/3", "1/1000", "1e-9", "1e-60", "1e-150"}) {
      const Rational b = parse_rational(text);
      const Limits below = decided_limits(n, b, true);
      const Limits above = decided_limits(n, b, false);
      const PrecisionScope scope(300);
      for (std::size_t k = 0; k < n; ++k) {
        CAPTURE(k);
        CHECK(certainly_less_equal(Ball(b), at_most({k, n}, below[k])));
        CHECK(certainly_less_equal(at_most({k, n}, above[k]), Ball(b)));
        CHECK(estimate(above[k] - below[k]) <= 1e-9 * estimate(above[k]));
      }
      CHECK(certainly_less_equal(local_violation_below(n, b), local_violation_above(n, b)));
      const Ball most = local_violation_above(n, b);
      CHECK(certainly_less_equal(Ball(b), Ball(Rational(1'000'001, 1'000'000)) * most));
      CHECK(certainly_less_equal(most, Ball(static_cast<long>(n + 1)) * Ball(b)));
      if (n == 7 && b > Rational(1, 1'000'000'000'000)) {
        // Limits that are rounded up have no more.
        const PrecisionScope fine(400);
        CHECK(certainly_less_equal(Ball(Rational(1 - all_within(exact_limits(n, b)))), most));
      }
    }
  }
}

TEST_CASE("simultaneous limits keep their level, and use most of it") {
  for (const std::size_t n : {1U, 3U, 30U, 200U}) {
    for (const Rational& level : {Rational(1, 40), Rational(1, 2'000'000)}) {
      CAPTURE(n);
      const Limits limits = simultaneous_limits(n, level);
      const Span found = violation(limits);
      CHECK(certainly_less_equal(found.upper, Ball(level)));
      CHECK(found.lower.estimate() > 0.9 * estimate(level));
    }
  }
}

TEST_CASE("false alarms over all orders of the scores") {
  // Where nothing is learned all orders are as probable.
  for (const std::size_t n : {3U, 5U, 6U}) {
    for (const Rational& level : {Rational(1, 3), Rational(1, 20)}) {
      const Alarms alarms = alarms_at(n, level, false);
      const Alarms at_the_best_one = alarms_at(n, level, true);
      std::vector<int> order(n, 0);
      order.resize(2 * n, 1);
      std::uint64_t all = 0;
      std::uint64_t alarm = 0;
      std::uint64_t at_best = 0;
      do {
        ++all;
        alarm += any_alarm(order, n, alarms) ? 1 : 0;
        at_best += any_alarm(order, n, at_the_best_one) ? 1 : 0;
      } while (std::next_permutation(order.begin(), order.end()));
      CHECK(Rational(alarm, all) <= level);
      CHECK(at_best >= alarm);
    }
  }
}

TEST_CASE("false alarms in draws: all thresholds keep the level, the best threshold does not") {
  const std::size_t n = 30;
  const std::uint64_t draws = static_cast<std::uint64_t>(plaudit::test::usually(3'000, 100'000));
  std::vector<int> order(n, 0);
  order.resize(2 * n, 1);
  std::mt19937_64 generator(7);
  for (const Rational& level : {Rational(3, 10), Rational(1, 20), Rational(1, 100)}) {
    const Alarms alarms = alarms_at(n, level, false);
    const Alarms argmax = alarms_at(n, level, true);  // the practice: no price for the choice
    std::uint64_t alarm = 0;
    std::uint64_t at_best = 0;
    for (std::uint64_t i = 0; i < draws; ++i) {
      std::shuffle(order.begin(), order.end(), generator);
      alarm += any_alarm(order, n, alarms) ? 1 : 0;
      at_best += any_alarm(order, n, argmax) ? 1 : 0;
    }
    CAPTURE(to_string(level));
    CHECK(least_rate(alarm, draws) <= estimate(level));
    CHECK(at_best >= alarm);
  }
}

TEST_CASE("scores against a claim: what the counts at its best threshold would say, and more") {
  std::mt19937_64 generator(3);
  std::normal_distribution<double> normal;
  const auto drawn = [&](double mean, int runs) {
    std::vector<Score> scores;
    for (int i = 0; i < runs; ++i) scores.push_back(score_of(normal(generator) + mean));
    return scores;
  };
  const Composition claim = parse_spec("gaussian(sigma=2)");
  AnswerOptions options;
  options.digits = 8;
  const Rational level(1, 20);
  const Scores far{drawn(2.5, 150), drawn(0, 120)};
  const ObservationAtAll refuted = observe_all(claim, far, level, {0, Rational(1, 100)}, options);
  CHECK(verdict_of(refuted.p_value, level) == ObservedVerdict::refuted);
  CHECK(certainly_less(refuted.p_value.upper, Ball(Rational(1, 1'000'000))));
  CHECK(narrow({refuted.p_value.lower, refuted.p_value.upper}, 1e-2));
  CHECK(certainly_less(Ball(1), refuted.found.mu));
  CHECK(certainly_less(refuted.found.mu, refuted.ceiling.mu));
  CHECK(certainly_less_equal(refuted.found.epsilons[1], refuted.found.epsilons[0]));
  CHECK(certainly_less(refuted.ceiling_p_value.upper, refuted.p_value.lower));
  // Its p-value is that of one threshold, made greater; no threshold has a smaller one.
  const ObserveQuestion there{refuted.counts, level, {}};
  const Observation one = observe(claim, there, options);
  CHECK(certainly_less(2 * one.p_value.upper, refuted.p_value.lower));
  CHECK(refuted.ceiling.fpr == simultaneous_limits(120, level / 2).front());
  for (const ErrorCounts& counts : best_counts(far)) {
    if (counts.false_positives.of % 7 != 0) continue;
    const Observation other = observe(claim, {counts, level, {}}, options);
    CHECK(certainly_less_equal(one.p_value.lower * Ball(Rational(998, 1000)), other.p_value.upper));
  }
  const Scores near{drawn(0.2, 80), drawn(0, 90)};
  const ObservationAtAll consistent = observe_all(claim, near, level, {0}, options);
  CHECK(verdict_of(consistent.p_value, level) == ObservedVerdict::consistent);
  CHECK(consistent.p_value.remark.empty());
}

TEST_CASE("the thresholds that count, and those who may ask") {
  const auto scores = [](std::initializer_list<int> values) {
    std::vector<Score> found;
    for (const int value : values) found.push_back({0, value});
    return found;
  };
  const auto best = best_counts({scores({5, 3, 3, 1}), scores({4, 2, 3, 0})});
  // At 5, 3 and 1: 0, 2 and 3 false positives, 3, 1 and 0 false negatives.
  REQUIRE(best.size() == 3);
  CHECK(best[0].false_positives.of == 0);
  CHECK(best[0].false_negatives.of == 3);
  CHECK(best[1].false_positives.of == 2);
  CHECK(best[1].false_negatives.of == 1);
  CHECK(best[2].false_positives.of == 3);
  CHECK(best[2].false_negatives.of == 0);
  const Composition claim = parse_spec("gaussian(sigma=2)");
  CHECK_THROWS_AS(observe_all(claim, {scores({1}), {}}, Rational(1, 20), {}, {}), SpecError);
  CHECK_THROWS_AS(observe_all(claim, {scores({1}), scores({1})}, 2, {}, {}), SpecError);
  Scores many{scores({1}), std::vector<Score>(most_runs_of_all_thresholds + 1, Score{0, 1})};
  CHECK_THROWS_AS(observe_all(claim, many, Rational(1, 20), {}, {}), SpecError);
  AnswerOptions none;
  none.timeout_seconds = 1e-9;
  const ObservationAtAll stopped =
      observe_all(claim, {scores({9, 8}), scores({1})}, Rational(1, 20), {}, none);
  CHECK(verdict_of(stopped.p_value, Rational(1, 20)) == ObservedVerdict::undecided);
}

namespace {

/// So many runs with each score.
std::vector<Score> runs_of(std::initializer_list<std::pair<int, std::size_t>> counts) {
  std::vector<Score> found;
  for (const auto& [score, runs] : counts) found.insert(found.end(), runs, Score{0, score});
  return found;
}

}  // namespace

TEST_CASE("the threshold that is asked first need not be the first one, nor say anything") {
  // None or one false positive, 2500 or 10 false negatives; the claim allows both.
  const Scores scores{runs_of({{9, 2500}, {4, 2490}, {0, 10}}), runs_of({{4, 1}, {0, 4999}})};
  const ObservationAtAll found =
      observe_all(parse_spec("gaussian(sigma=0.01)"), scores, Rational(1, 20), {0}, {});
  CHECK(verdict_of(found.p_value, Rational(1, 20)) == ObservedVerdict::consistent);
  CHECK(found.counts.false_positives.of == 1);
  CHECK(certainly_less_equal(Ball(1), found.p_value.upper));
}

TEST_CASE("a lower end of epsilon is that of counts which show one, at each delta") {
  // At the first threshold 1 - fnr - delta is below 0, and far from it.
  const Scores scores{runs_of({{9, 10}, {5, 130}, {1, 60}}), runs_of({{5, 40}, {1, 160}})};
  const ObservationAtAll found = observe_all(parse_spec("gaussian(sigma=0.1)"), scores,
                                             Rational(1, 20), {0, Rational(1, 10)}, {});
  CHECK(certainly_less(Ball(Rational(1, 5)), found.found.epsilons[1]));
  CHECK(certainly_less(found.found.epsilons[1], found.found.epsilons[0]));
}
