// What attackers can reach: against closed forms, in both directions, and bad questions.
#include "verification/meaning/best_tests.hpp"

#include <doctest/doctest.h>

#include "lib/balls/precision.hpp"
#include "mechanisms/language/spec.hpp"
#include "verification/meaning/trade_off.hpp"

using namespace plaudit;

namespace {

bool contains(const Enclosure& band, const Ball& exact) {
  return !certainly_less(exact, band.lower) && !certainly_less(band.upper, exact);
}

BestTests tests_of(const char* spec, DirectionChoice direction = DirectionChoice::both) {
  AnswerOptions options;
  options.direction = direction;
  return {parse_spec(spec), options};
}

}  // namespace

TEST_CASE("the Gaussian: advantage, and the success at priors") {
  const PrecisionScope scope(300);
  BestTests tests = tests_of("gaussian(sigma=1)");
  const Ball half(Rational(1, 2));
  const Answer advantage = tests.advantage();
  CHECK(advantage.reached);
  CHECK(contains(advantage.band, normal_cdf(half) - normal_cdf(-half)));
  CHECK(contains(tests.success(Rational(1, 2)).band, normal_cdf(half)));
  // With prior p: Phi at the threshold x = log((1-p) / p): p Phi(1/2 - x) + (1-p) Phi(1/2 + x).
  for (const Rational& prior : {Rational(1, 100), Rational(1, 3), Rational(9, 10)}) {
    CAPTURE(to_string(prior));
    const Ball x = log(Ball(Rational((1 - prior) / prior)));
    const Ball exact =
        Ball(prior) * normal_cdf(half - x) + Ball(Rational(1 - prior)) * normal_cdf(half + x);
    const Answer success = tests.success(prior);
    CHECK(success.reached);
    CHECK(contains(success.band, exact));
    CHECK(success.directions.size() == 2);
  }
}

TEST_CASE("Gaussians: the closed form meets the thresholds, at any rate and number of steps") {
  for (const char* spec : {"gaussian(sigma=1)", "gaussian(sigma=2)^3 * gaussian(variance=7)",
                           "gaussian(sigma=40)^580"}) {
    for (const char* fpr : {"0.7191", "1/100", "1e-9"}) {
      CAPTURE(spec);
      CAPTURE(fpr);
      BestTests tests = tests_of(spec);
      const Answer closed = tests.true_positive_rate(parse_rational(fpr));
      CHECK(closed.reached);
      CHECK(closed.band.accountant == "closed_form");
      TradeOff thresholds(parse_spec(spec), Direction::remove, 60);
      const Span other = thresholds.by_thresholds(parse_rational(fpr), 6).power;
      CHECK_FALSE(certainly_less(other.upper, closed.band.lower));
      CHECK_FALSE(certainly_less(closed.band.upper, other.lower));
      CHECK(certainly_less(other.upper - other.lower, other.upper * Ball(Rational(1, 1000))));
    }
  }
  const Answer far =
      tests_of("gaussian(sigma=1)^580").false_negative_rate(parse_rational("0.7191"));
  CHECK(far.reached);
  CHECK(certainly_positive(far.band.lower));
  CHECK(tests_of("gaussian(sigma=1)").true_positive_rate(0).band.upper.is_exact_zero());
}

TEST_CASE("randomized response: all rational, all exact") {
  BestTests tests = tests_of("randomized_response(probability=3/4)");
  const auto exactly = [](const Answer& answer, const Rational& value) {
    REQUIRE(answer.band.exact.has_value());
    CHECK(*answer.band.exact == value);
    CHECK(answer.reached);
  };
  exactly(tests.advantage(), Rational(1, 2));
  exactly(tests.success(Rational(1, 2)), Rational(3, 4));
  exactly(tests.success(0), 1);
  exactly(tests.success(1), 1);
  exactly(tests.false_negative_rate(Rational(1, 8)), Rational(5, 8));
  exactly(tests.true_positive_rate(Rational(1, 4)), Rational(3, 4));
  exactly(tests.true_positive_rate(Rational(5, 8)), Rational(7, 8));
  // 3/8 of true ones to 1/8 of false ones; with prior 1/10, 3/80 to 9/80.
  exactly(tests.predictive_value(Rational(1, 2), Rational(1, 8)), Rational(3, 4));
  exactly(tests.predictive_value(Rational(1, 10), Rational(1, 8)), Rational(1, 4));
  exactly(tests.predictive_value(1, Rational(1, 8)), 1);
  exactly(tests.predictive_value(0, Rational(1, 8)), 0);
}

TEST_CASE("a prior whose odds are the loss of an atom: both sides of the jump of the slope") {
  // At prior 1/4 guessing "no" and the test are equally good: 3/4.
  const Answer success = tests_of("randomized_response(probability=3/4)").success(Rational(1, 4));
  CHECK(success.reached);
  CHECK(contains(success.band, Ball(Rational(3, 4))));
}

TEST_CASE("both directions: the attacker who does better") {
  const char* spec = "poisson(gaussian(sigma=0.8), rate=0.004)^1000";
  const Rational fpr(1, 1000);
  const Answer both = tests_of(spec).false_negative_rate(fpr);
  const Answer remove = tests_of(spec, DirectionChoice::remove).false_negative_rate(fpr);
  const Answer add = tests_of(spec, DirectionChoice::add).false_negative_rate(fpr);
  REQUIRE(both.directions.size() == 2);
  REQUIRE(remove.directions.size() == 1);
  CHECK(certainly_less(remove.band.upper, add.band.lower));  // sampling helps one side more
  CHECK(overlaps(both.band.lower, remove.band.lower));
  CHECK(overlaps(both.band.upper, remove.band.upper));
  const Answer power = tests_of(spec).true_positive_rate(fpr);
  const PrecisionScope scope(200);
  CHECK(certainly_less(abs(both.band.lower + power.band.upper - Ball(1)), Ball(1e-15)));
}

TEST_CASE("what is known together: success lies between the tests and the curve") {
  const PrecisionScope scope(200);
  for (const char* spec : {"laplace(scale=2)^3", "poisson(gaussian(1), 0.01)^100",
                           "pure(epsilon=0.3)^5", "gaussian(2) * laplace(1)"}) {
    CAPTURE(spec);
    BestTests tests = tests_of(spec, DirectionChoice::remove);
    const Answer advantage = tests.advantage();
    for (const Rational& rate : {Rational(1, 1000), Rational(1, 10), Rational(1, 2)}) {
      const Answer power = tests.true_positive_rate(rate);
      CHECK(!certainly_less(advantage.band.upper, power.band.lower - Ball(rate)));
      const Rational prior(1, 5);
      const Ball right =
          Ball(prior) * power.band.lower + Ball(Rational(1 - prior)) * Ball(Rational(1 - rate));
      CHECK(!certainly_less(tests.success(prior).band.upper, right.lower()));
      const Answer value = tests.predictive_value(prior, rate);
      const Ball odds = Ball(prior) * power.band.lower;
      CHECK(!certainly_less(value.band.upper,
                            (odds / (odds + Ball(Rational((1 - prior) * rate)))).lower()));
    }
  }
}

TEST_CASE("bad questions are refused by name") {
  BestTests tests = tests_of("gaussian(1)");
  CHECK_THROWS_WITH_AS(tests.false_negative_rate(2), doctest::Contains("fpr"),
                       std::invalid_argument);
  CHECK_THROWS_AS(tests.true_positive_rate(-1), std::invalid_argument);
  CHECK_THROWS_WITH_AS(tests.success(Rational(3, 2)), doctest::Contains("prior"),
                       std::invalid_argument);
  CHECK_THROWS_AS(tests.predictive_value(Rational(1, 2), 0), std::invalid_argument);
  AnswerOptions options;
  options.accountant = "moments";
  CHECK_THROWS_AS(BestTests(parse_spec("gaussian(1)"), options), std::invalid_argument);
}

TEST_CASE("a limit of time: a wide band that says why") {
  AnswerOptions options;
  options.timeout_seconds = 1e-4;
  BestTests tests(parse_spec("poisson(gaussian(sigma=0.8), rate=0.004)^100000"), options);
  const Answer answer = tests.false_negative_rate(Rational(1, 1000));
  CHECK(!answer.reached);
  CHECK(!answer.band.remark.empty());
  CHECK(certainly_less_equal(answer.band.upper, Ball(1)));
}

TEST_CASE("a listener that throws hears nothing of later questions of another number") {
  bool busy = true;
  int heard = 0;
  AnswerOptions options;
  options.proven = [&](const Answer&) {
    if (busy) throw std::invalid_argument("enough");
    ++heard;
  };
  BestTests tests(parse_spec("poisson(gaussian(sigma=1), rate=0.1)^10"), options);
  CHECK_THROWS_AS(tests.advantage(), std::invalid_argument);
  busy = false;
  // Deltas of the curve are no probabilities of a right guess.
  CHECK(tests.success(Rational(1, 3)).reached);
  CHECK(heard == 0);
}
