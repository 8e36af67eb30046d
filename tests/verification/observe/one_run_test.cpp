// Guesses about one run: the closed form against exact sums and known numbers, false alarms of
// runs that attain it, lower ends, ties, pairs, bets.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "lib/balls/precision.hpp"
#include "mechanisms/language/spec.hpp"
#include "mechanisms/spec_error.hpp"
#include "support/slow.hpp"
#include "verification/observe/one_run_claim.hpp"
#include "verification/observe/sequence.hpp"

using namespace plaudit;

namespace {

Rational raised_to(const Rational& x, std::uint64_t n) {
  return {pow(numerator(x), n), pow(denominator(x), n)};
}

/// P(Bin(r, lambda / (1 + lambda)) = i), i = 0 .. r.
std::vector<Rational> binomial(std::uint64_t r, const Rational& lambda) {
  std::vector<Rational> law;
  Integer choose = 1;
  for (std::uint64_t i = 0; i <= r; ++i) {
    law.push_back(Rational(choose) * raised_to(lambda, i) / raised_to(1 + lambda, r));
    choose = choose * Integer(r - i) / Integer(i + 1);
  }
  return law;
}

Rational tail_of(const std::vector<Rational>& law, std::uint64_t v) {
  Rational sum = 0;
  for (std::uint64_t i = v; i < law.size(); ++i) sum += law[i];
  return sum;
}

Rational closed_form(const Guesses& guesses, const Rational& lambda, const Rational& delta) {
  const auto law = binomial(guesses.guessed, lambda);
  const Rational beta = tail_of(law, guesses.right);
  const Rational share =
      Rational(guesses.canaries) * delta * beta / (Rational(guesses.right) * law[guesses.right]);
  return share >= 1 ? Rational(1) : 1 - (1 - beta) * (1 - share);
}

/// Within a unit of the last of the digits that are stated.
bool agrees(const Ball& x, const char* stated) {
  const PrecisionScope scope(128);
  const std::string text = stated;
  const std::size_t exponent = std::min(text.find('e'), text.size());
  const std::size_t decimals = exponent - text.find('.') - 1;
  Rational unit = 1 / Rational(pow(Integer(10), decimals));
  if (exponent < text.size()) unit = unit * parse_rational("1" + text.substr(exponent));
  const Rational value = parse_rational(text);
  return certainly_less_equal(x, Ball(value + unit)) && certainly_less_equal(Ball(value - unit), x);
}

OneRunObservation seen(const char* spec, const OneRunQuestion& question) {
  AnswerOptions options;
  options.digits = 10;
  return observe_one_run(parse_spec(spec), question, options);
}

const Rational a_millionth(1, 1'000'000);

Score score_at(int value) { return {0, value}; }

}  // namespace

TEST_CASE("the closed form, exactly") {
  for (const std::uint64_t r : {1U, 4U, 9U}) {
    for (std::uint64_t v = 1; v <= r; ++v) {
      for (const Rational& lambda : {Rational(1), Rational(3, 2), Rational(20)}) {
        for (const Rational& delta : {Rational(0), Rational(1, 1000), Rational(1, 30)}) {
          const Guesses guesses{12, r, v};
          const Rational exactly = closed_form(guesses, lambda, delta);
          const Ball found = greatest_probability(guesses, lambda, Ball(delta));
          const PrecisionScope scope(200);
          CHECK(certainly_less_equal(Ball(exactly).lower(), found));
          CHECK(certainly_less_equal(found, Ball(exactly) * Ball(Rational(1'000'001, 1'000'000))));
        }
      }
    }
  }
  CHECK(certainly_less_equal(Ball(1), greatest_probability({5, 5, 0}, 2, Ball(0))));
}

TEST_CASE("known numbers of the closed form and its inversion") {
  const Rational delta(1, 100'000);
  CHECK(agrees(greatest_probability({1000, 100, 90}, 3, Ball(delta)), "2.9910188547307e-4"));
  CHECK(agrees(greatest_probability({1000, 100, 90}, 3, Ball(0)), "1.3710056316795e-4"));
  CHECK(agrees(epsilon_of_guesses({1000, 100, 98}, delta, Rational(1, 20)), "2.722592741236"));
  CHECK(agrees(epsilon_of_guesses({1000, 100, 98}, 0, Rational(1, 20)), "2.723182319636"));
  CHECK(agrees(epsilon_of_guesses({1000, 1000, 750}, Rational(1, 100'000'000), a_millionth),
               "0.757175187297"));
  // No claim with m delta / v above the level can be refuted.
  CHECK(epsilon_of_guesses({1000, 1000, 1000}, delta, a_millionth).is_exact_zero());
  CHECK(agrees(mu_of_guesses({100, 100, 80}, Rational(1, 20), 1), "0.49"));
}

TEST_CASE("a run that attains the bound: false alarms at most the level, exactly") {
  // c from the law of the proof; the test refutes (log lambda, delta) where its bound is small.
  const std::uint64_t m = 12;
  const std::uint64_t r = 10;
  const Rational lambda(3, 2);
  const auto law = binomial(r, lambda);
  for (const Rational& delta : {Rational(1, 200), Rational(1, 20'000)}) {
    for (std::uint64_t v = 1; v <= r; ++v) {
      const Rational beta = tail_of(law, v);
      const Rational share = Rational(m) * delta * beta / (Rational(v) * law[v]);
      if (share > 1) continue;
      const Rational reached = beta + (1 - beta) * share;
      for (const Rational& level : {Rational(1, 10), Rational(1, 100), Rational(1, 1000)}) {
        const bool refuted =
            certainly_less_equal(greatest_probability({m, r, v}, lambda, Ball(delta)), Ball(level));
        if (refuted) CHECK(reached <= level);
      }
    }
  }
}

TEST_CASE("one run against a curve: known numbers") {
  const OneRunQuestion many{{{1000, 1000, 800}}, GuessedAs::both, a_millionth, {0}};
  const OneRunObservation found = seen("gaussian(sigma=2)", many);
  CHECK(certainly_less(found.found.p_value, Ball(parse_rational("0.01987"))));
  CHECK(certainly_less(Ball(parse_rational("0.00987")), found.none_below));
  CHECK(certainly_less(found.none_below, found.found.p_value));
  OneRunQuestion apart = many;
  apart.independent = true;
  CHECK(agrees(seen("gaussian(sigma=2)", apart).found.p_value, "3.1e-42"));
  const OneRunQuestion of_answers{{{200, 200, 196}}, GuessedAs::both, a_millionth, {0}, true};
  const char* answers = "randomized_response(probability=3/4)^5";
  const OneRunObservation alone = seen(answers, of_answers);
  CHECK(alone.found.line.delta == Rational(203, 256));
  CHECK(agrees(alone.found.p_value, "4.453989285975e-6"));
  // delta(log 27): sum over the atoms of [p - 27 q]_+, losses of 3 and 5 times log 3.
  const Rational q(1, 4);
  const Rational p(3, 4);
  const Rational delta = raised_to(p, 5) - 27 * raised_to(q, 5);
  CHECK(agrees(greatest_probability({200, 200, 196}, 27, Ball(delta)), "0.490236014144"));
  // The search comes near its best line, of any dependence.
  OneRunQuestion any = of_answers;
  any.independent = false;
  CHECK(certainly_less(seen(answers, any).found.p_value, Ball(parse_rational("0.4906"))));
}

TEST_CASE("one run: what is refuted, weights, guesses of one kind") {
  const OneRunQuestion question{
      {{1000, 1000, 970}}, GuessedAs::both, a_millionth, {0, Rational(1, 1000)}};
  const OneRunObservation found = seen("gaussian(sigma=2)", question);
  CHECK(certainly_less(found.found.p_value, Ball(a_millionth)));
  CHECK(certainly_less(Ball(Rational(1, 2)), found.found.mu));  // that of the claim
  CHECK(certainly_less(found.found.mu, found.ceiling.mu));
  CHECK(certainly_less(found.found.epsilons[1], found.found.epsilons[0]));
  CHECK(certainly_less(found.ceiling.p_value, found.found.p_value));
  // So many statements share the level.
  CHECK(certainly_less_equal(found.found.epsilons[0],
                             epsilon_of_guesses({1000, 1000, 970}, 0, a_millionth / 3)));
  CHECK(certainly_less(found.found.epsilons[0],
                       epsilon_of_guesses({1000, 1000, 970}, 0, a_millionth)));
  OneRunQuestion two = question;
  two.guesses.push_back({1000, 100, 60});
  const OneRunObservation weighted = seen("gaussian(sigma=2)", two);
  CHECK(weighted.found.guesses == 0);
  CHECK(certainly_less_equal(Ball(Rational(19, 10)) * found.found.p_value, weighted.found.p_value));
  CHECK(certainly_less_equal(weighted.found.mu, found.found.mu));
  OneRunQuestion in = question;
  in.as = GuessedAs::in;
  CHECK(certainly_less(seen("gaussian(sigma=2)", in).found.p_value, found.found.p_value));
  // Of a symmetric curve both directions are one, and their mean is the curve.
  AnswerOptions options;
  options.digits = 10;
  GuessedCurve curve(parse_spec("gaussian(sigma=2)"), options, GuessedAs::both);
  const Answer delta = Session(parse_spec("gaussian(sigma=2)"), options).answer(Quantity::delta, 1);
  CHECK(certainly_less_equal(delta.band.lower, curve.at(1)));
  for (const auto& bad : std::vector<Guesses>{
           {10, 0, 0}, {10, 11, 5}, {10, 5, 6}, {0, 0, 0}, {most_canaries + 1, 1, 1}}) {
    CHECK_THROWS_AS(check_guesses(bad), SpecError);
  }
  OneRunQuestion abstains = question;
  abstains.independent = true;
  abstains.guesses = {{1000, 900, 800}};
  CHECK_THROWS_AS(seen("gaussian(sigma=2)", abstains), SpecError);
  abstains.guesses.clear();
  CHECK_THROWS_AS(seen("gaussian(sigma=2)", abstains), SpecError);
}

TEST_CASE("guesses by scores: of equal ones the wrong come first") {
  const Scores scores{{score_at(5), score_at(3), score_at(3), score_at(0)},
                      {score_at(4), score_at(3), score_at(1), score_at(3)}};
  const auto right = [&](std::uint64_t in, std::uint64_t out) {
    const Guesses found = guesses_by_scores(scores, in, out);
    CHECK(found.canaries == 8);
    CHECK(found.guessed == in + out);
    return found.right;
  };
  CHECK(right(1, 0) == 1);
  CHECK(right(2, 0) == 1);
  CHECK(right(4, 0) == 1);  // two of the four threes, both without
  CHECK(right(6, 0) == 3);
  CHECK(right(0, 2) == 1);
  CHECK(right(0, 4) == 1);  // two of the four threes, both with
  CHECK(right(0, 6) == 3);
  CHECK(right(4, 4) == 2);
  const Scores alike{std::vector<Score>(5, score_at(1)), std::vector<Score>(5, score_at(1))};
  CHECK(guesses_by_scores(alike, 5, 5).right == 0);
  CHECK(guesses_in_pairs(alike, 1, std::nullopt).right == 0);
  CHECK_THROWS_AS(guesses_by_scores(scores, 5, 4), SpecError);
}

TEST_CASE("pairs: the same seed the same pairs, differences, infinities") {
  Scores scores;
  for (int i = 0; i < 20; ++i) {
    scores.with_record.push_back(score_at(3 * i + 10));
    scores.without_record.push_back(score_at(3 * i));
  }
  const Guesses all = guesses_in_pairs(scores, 5, std::nullopt);
  CHECK(all.canaries == 20);
  CHECK(all.guessed == 20);
  CHECK(all.right == guesses_in_pairs(scores, 5, 20).right);
  CHECK(guesses_in_pairs(scores, 5, 3).guessed == 3);
  CHECK_THROWS_AS(guesses_in_pairs(scores, 5, 21), SpecError);
  scores.without_record.assign(7, Score{-1, 0});
  CHECK(guesses_in_pairs(scores, 5, std::nullopt).right == 7);
  scores.with_record.assign(9, Score{-1, 0});
  CHECK(guesses_in_pairs(scores, 5, std::nullopt).right == 0);
}

TEST_CASE("scores that know nothing: alarms of coins and pairs in draws") {
  const std::uint64_t draws = static_cast<std::uint64_t>(plaudit::test::usually(2'000, 100'000));
  const std::uint64_t m = 60;
  std::mt19937_64 generator(11);
  for (const bool pairs : {false, true}) {
    // eps = 0: c is binomial; P(c >= v) = bound at lambda = 1.
    std::vector<double> bound;
    for (std::uint64_t v = 0; v <= m; ++v) {
      bound.push_back(
          greatest_probability({m, pairs ? m / 2 : 40, std::min(v, pairs ? m / 2 : 40)}, 1, Ball(0))
              .upper_double());
    }
    std::uint64_t alarms[3] = {0, 0, 0};
    const double levels[3] = {0.2, 0.05, 0.01};
    for (std::uint64_t i = 0; i < draws; ++i) {
      Scores scores;
      for (std::uint64_t j = 0; j < m; ++j) {
        const Score one = score_at(static_cast<int>(generator() % 50));
        const bool in = pairs ? j < m / 2 : generator() % 2 == 0;
        (in ? scores.with_record : scores.without_record).push_back(one);
      }
      const Guesses found =
          pairs ? guesses_in_pairs(scores, i, std::nullopt) : guesses_by_scores(scores, 20, 20);
      for (int k = 0; k < 3; ++k) alarms[k] += bound[found.right] <= levels[k] ? 1 : 0;
    }
    for (int k = 0; k < 3; ++k) {
      // Below a limit that the level exceeds with a probability of a a_millionth.
      const Rational others = rate_limit({draws - alarms[k], draws}, a_millionth);
      CHECK(estimate(1 - others) <= levels[k]);
    }
  }
}

TEST_CASE("bets: a known number, a fair game, what is refused") {
  const Bet bet{2, Rational(1, 20), Rational(1, 5)};
  const Rational found = e_value({120, 15, 0}, bet);
  CHECK(agrees(Ball(found), "425026.042958"));
  CHECK(p_value_of_bets(found) == 1 / found);
  CHECK(p_value_of_bets(Rational(1, 3)) == 1);
  CHECK(e_value({0, 0, 0}, bet) == 1);
  // A coin with P(right) = lambda P(wrong) + delta: the mean of a factor is 1.
  const Rational wrong = (1 - bet.delta) / (1 + bet.lambda);
  CHECK((1 - wrong) * e_value({1, 0, 0}, bet) + wrong * e_value({0, 1, 0}, bet) == 1);
  CHECK(e_value({0, 0, 1}, bet) < 1);
  for (const Bet& bad : {Bet{2, 0, Rational(3, 5)}, Bet{Rational(1, 2), 0, 0}, Bet{2, -1, 0},
                         Bet{2, 0, Rational(-1, 9)}}) {
    CHECK_THROWS_AS(e_value({1, 1, 1}, bad), SpecError);
  }
}
