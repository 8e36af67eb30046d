// Counts against claimed runs: published truths, both directions, lower ends, bad questions.
#include "verification/observe/observation.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "lib/analysis/normal/normal_quantile.hpp"
#include "lib/balls/precision.hpp"
#include "mechanisms/language/spec.hpp"
#include "mechanisms/spec_error.hpp"
#include "verification/claims/exact_json.hpp"
#include "verification/observe/power.hpp"
#include "verification/observe/scores.hpp"

using namespace plaudit;

namespace {

const Rational millionth(1, 1000000);
const Rational small_delta(1, 100000);

ObserveQuestion question_of(std::uint64_t k1, std::uint64_t n1, std::uint64_t k0, std::uint64_t n0,
                            const Rational& level = millionth) {
  return {errors_of({k1, n1, k0, n0}), level, {0, small_delta}};
}

bool near(const Ball& x, const char* decimal) {
  return certainly_less(abs(x - Ball(parse_rational(decimal))), Ball(Rational(1, 1000000000000)));
}

Observation observed(const char* spec, const ObserveQuestion& question,
                     DirectionChoice direction = DirectionChoice::both) {
  AnswerOptions options;
  options.direction = direction;
  options.digits = 10;
  return observe(parse_spec(spec), question, options);
}

bool within(const ObservedPValue& p_value, const char* decimal) {
  const Ball exact(parse_rational(decimal));
  return certainly_less(p_value.lower, exact) && certainly_less(exact, p_value.upper) &&
         certainly_less(p_value.upper, Ball(Rational(1002, 1000)) * p_value.lower);
}

}  // namespace

TEST_CASE("limits, epsilons and mu of 312 and 3 of 1000, and of no errors") {
  const PrecisionScope scope(200);
  const FromCounts found = from_counts(question_of(312, 1000, 3, 1000));
  CHECK(near(Ball(found.fpr), "0.021937562897"));
  CHECK(near(Ball(found.fnr), "0.756681029803"));
  CHECK(near(found.epsilons[0], "2.406172848804"));
  CHECK(near(found.epsilons[1], "2.406131749643"));
  CHECK(near(found.mu, "1.319615716055"));
  const FromCounts best = from_counts(question_of(1000, 1000, 0, 1000));
  CHECK(near(Ball(best.fpr), "0.014403914338"));
  CHECK(best.fnr == best.fpr);
  CHECK(near(best.epsilons[0], "4.225746622590"));
}

TEST_CASE("lower ends are lower ends") {
  for (const auto& [k1, k0] : {std::pair{312, 3}, std::pair{999, 700}, std::pair{500, 300}}) {
    const FromCounts found = from_counts(
        question_of(static_cast<std::uint64_t>(k1), 1000, static_cast<std::uint64_t>(k0), 1000));
    const PrecisionScope scope(2000);
    for (std::size_t i = 0; i < 2; ++i) {
      const Rational delta = i == 0 ? Rational(0) : small_delta;
      const Ball ratio = exp(found.epsilons[i]);
      const bool one = certainly_less_equal(ratio * Ball(found.fpr), Ball(1 - found.fnr - delta));
      const bool other = certainly_less_equal(ratio * Ball(found.fnr), Ball(1 - found.fpr - delta));
      CHECK((one || other));
    }
    CHECK(certainly_less_equal(
        found.mu, -*normal_quantile(Ball(found.fpr)) - *normal_quantile(Ball(found.fnr))));
    CHECK(certainly_positive(found.mu));
  }
  // Counts that show nothing, the other way round too.
  for (const auto& [k1, k0] : {std::pair{500U, 500U}, std::pair{3U, 312U}, std::pair{0U, 1000U},
                               std::pair{1000U, 1000U}}) {
    const FromCounts found = from_counts(question_of(k1, 1000, k0, 1000));
    CHECK(found.mu.is_exact_zero());
    CHECK(found.epsilons[0].is_exact_zero());
    CHECK(found.epsilons[1].is_exact_zero());
  }
}

TEST_CASE("gaussian(sigma=2): p-values by the closed form, found with 30 digits of mpmath") {
  const Observation found = observed("gaussian(sigma=2)", question_of(312, 1000, 3, 1000));
  CHECK(within(found.p_value, "3.1015119047914639e-28"));
  CHECK(verdict_of(found.p_value, millionth) == ObservedVerdict::refuted);
  CHECK(within(found.ceiling_p_value, "3.2724780415979597e-223"));
  const Observation weak = observed("gaussian(sigma=2)", question_of(120, 1000, 15, 1000));
  CHECK(within(weak.p_value, "0.00099913677322058585"));
  CHECK(verdict_of(weak.p_value, Rational(1, 1000)) == ObservedVerdict::refuted);
  CHECK(verdict_of(weak.p_value, Rational(99, 100000)) == ObservedVerdict::consistent);
  CHECK(verdict_of({}, millionth) == ObservedVerdict::undecided);
  // Twenty runs of each kind can never refute it at a millionth.
  const Observation few = observed("gaussian(sigma=2)", question_of(20, 20, 0, 20));
  CHECK(within(few.ceiling_p_value, "0.0000700336772785766"));
  CHECK(verdict_of(few.p_value, millionth) == ObservedVerdict::consistent);
}

TEST_CASE("both directions are one claim") {
  const char* spec = "poisson(gaussian(sigma=1), rate=1/10)^10";
  const ObserveQuestion question = question_of(700, 1000, 150, 1000);
  const Observation remove = observed(spec, question, DirectionChoice::remove);
  const Observation add = observed(spec, question, DirectionChoice::add);
  const Observation both = observed(spec, question);
  CHECK(verdict_of(both.p_value, millionth) == ObservedVerdict::refuted);
  // f_add is the inverse of f_remove, so that they allow the same pairs of rates.
  for (const Observation* one : {&remove, &add, &both}) {
    CHECK(certainly_less_equal(both.p_value.lower, one->p_value.upper));
    CHECK(certainly_less_equal(one->p_value.upper, Ball(Rational(101, 100)) * both.p_value.upper));
    CHECK(certainly_less_equal(remove.p_value.lower, one->p_value.upper));
  }
}

TEST_CASE("an exact law: randomized response") {
  // 3/4 of true positives at 1/4 of false ones is all there is: seen far beyond it, and at it.
  const char* spec = "randomized_response(probability=3/4)";
  const Observation beyond = observed(spec, question_of(900, 1000, 250, 1000));
  CHECK(verdict_of(beyond.p_value, millionth) == ObservedVerdict::refuted);
  const Observation at = observed(spec, question_of(750, 1000, 250, 1000));
  CHECK(verdict_of(at.p_value, millionth) == ObservedVerdict::consistent);
}

TEST_CASE("no time: what the counts say stands, and nothing is decided") {
  AnswerOptions options;
  options.timeout_seconds = 1e-9;
  std::optional<Observation> told;
  const Observation found = observe(parse_spec("poisson(gaussian(sigma=0.8), rate=0.004)^1000"),
                                    question_of(312, 1000, 3, 1000), options,
                                    [&](const Observation& known) { told = known; });
  REQUIRE(told);
  CHECK(near(found.found.epsilons[0], "2.406172848804"));
  CHECK(verdict_of(found.p_value, millionth) == ObservedVerdict::undecided);
  CHECK_FALSE(found.p_value.remark.empty());
}

TEST_CASE("bad questions") {
  CHECK_THROWS_AS(errors_of({1, 0, 0, 5}), SpecError);
  CHECK_THROWS_AS(errors_of({1, 1, 0, 0}), SpecError);
  CHECK_THROWS_AS(errors_of({6, 5, 0, 5}), SpecError);
  CHECK_THROWS_AS(errors_of({5, 5, 6, 5}), SpecError);
  CHECK_THROWS_AS(errors_of({5, most_observed_runs + 1, 5, 5}), SpecError);
  for (const Rational& level : {Rational(0), Rational(1), Rational(-1, 2), Rational(2)}) {
    CHECK_THROWS_AS(observed("gaussian(sigma=2)", question_of(1, 2, 1, 2, level)), SpecError);
  }
  ObserveQuestion question = question_of(1, 2, 1, 2);
  question.deltas = {Rational(-1, 2)};
  CHECK_THROWS_AS(observed("gaussian(sigma=2)", question), SpecError);
}

TEST_CASE("scores: exact numbers, ties at the threshold, infinities") {
  const Scores scores = scores_from_csv(
      "run,score,member\n1,0.1,1\n2, 1/10 "
      ",1\n3,inf,1\n4,-inf,1\n5,0.0999999999999999999,0\n6,1e-1,0\n");
  REQUIRE(scores.with_record.size() == 4);
  REQUIRE(scores.without_record.size() == 2);
  const auto positives = [&](const char* threshold) {
    const RunCounts counts = counts_at(scores, score_of(threshold));
    CHECK(counts.with_record == 4);
    CHECK(counts.without_record == 2);
    return std::pair(counts.true_positives, counts.false_positives);
  };
  CHECK(positives("0.1") == std::pair<std::uint64_t, std::uint64_t>(3, 1));
  CHECK(positives("0.10000000000000000001") == std::pair<std::uint64_t, std::uint64_t>(1, 0));
  CHECK(positives("-inf") == std::pair<std::uint64_t, std::uint64_t>(4, 2));
  CHECK(positives("inf") == std::pair<std::uint64_t, std::uint64_t>(1, 0));
  CHECK(scores_from_csv("label;score\n1;2\n").with_record.size() == 1);
  for (const char* bad :
       {"", "score\n1\n", "member\n1\n", "score,member\nnan,1\n", "score,member\n1,2\n",
        "score,member\n1,\n", "score,member\n,1\n", "score,member\n1,1,1\n",
        "score,member,label\n1,1,1\n", "score,member,score\n1,1,1\n", "score,member\n1\n"}) {
    CAPTURE(bad);
    CHECK_THROWS_AS(scores_from_csv(bad), InputError);
  }
}

TEST_CASE("a split: one half chooses, the other is counted") {
  Scores scores;
  for (int i = 0; i < 41; ++i) scores.with_record.push_back({0, Rational(2 * i + 1, 2)});
  for (int i = 0; i < 30; ++i) scores.without_record.push_back({0, i - 25});
  std::optional<SplitCounts> first;
  bool differs = false;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const SplitCounts found = split_counts(scores, seed, millionth);
    CHECK(found.counts.with_record == 21);
    CHECK(found.counts.without_record == 15);
    CHECK(std::count(scores.with_record.begin(), scores.with_record.end(), found.threshold) == 1);
    const SplitCounts again = split_counts(scores, seed, millionth);
    CHECK(again.threshold == found.threshold);
    CHECK(again.counts.true_positives == found.counts.true_positives);
    // Of all runs at this threshold those of the other half are some.
    const RunCounts all = counts_at(scores, found.threshold);
    CHECK(found.counts.true_positives <= all.true_positives);
    CHECK(found.counts.false_positives <= all.false_positives);
    CHECK(all.true_positives - found.counts.true_positives <= 20);
    CHECK(all.false_positives - found.counts.false_positives <= 15);
    // The scores are well apart: the threshold is between them.
    CHECK(found.threshold <= Score{0, 12});
    differs = differs || (first && !(first->threshold == found.threshold));
    if (!first) first = found;
  }
  CHECK(differs);
  scores.without_record.resize(1);
  CHECK_THROWS_AS(split_counts(scores, 1, millionth), SpecError);
}

TEST_CASE("a split: a run is counted or chooses as often, wherever its line is") {
  for (const std::size_t place : {0U, 4U, 9U}) {
    Scores scores;
    for (int i = 0; i < 10; ++i) scores.with_record.push_back({0, i});
    scores.without_record.assign(10, Score{-1, 0});
    scores.without_record[place] = Score{1, 0};  // the one false positive at every threshold
    std::uint64_t counted = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
      counted += split_counts(scores, seed, millionth).counts.false_positives;
    }
    CHECK(counted > 140);
    CHECK(counted < 260);
  }
}

TEST_CASE("a plan is the same by either direction: the tests of one are those of the other") {
  const auto plan = [](DirectionChoice direction) {
    AnswerOptions options;
    options.direction = direction;
    options.digits = 6;
    return PlanOfRuns(parse_spec("poisson(gaussian(sigma=1), rate=0.1)^10"),
                      parse_spec("poisson(gaussian(sigma=0.8), rate=0.1)^10"), Rational(1, 20),
                      options)
        .power(4000, 600);
  };
  const RunsPower remove = plan(DirectionChoice::remove);
  const RunsPower add = plan(DirectionChoice::add);
  CHECK(remove.power > 0.2);
  CHECK(remove.power < 0.99);
  CHECK(add.power == doctest::Approx(remove.power).epsilon(0.02));
  CHECK(add.fpr == doctest::Approx(remove.fpr).epsilon(0.2));
}
