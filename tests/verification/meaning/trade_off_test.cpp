// Trade-off functions: against closed forms, against exact sums over outcomes by brute force, and
// against each other: the two directions, the two routes.
#include "verification/meaning/trade_off.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "lib/balls/precision.hpp"
#include "mechanisms/language/spec.hpp"
#include "verification/meaning/threshold_guess.hpp"

using namespace plaudit;

namespace {

constexpr double timeout = 60;

bool contains(const Span& span, const Ball& exact) {
  return !certainly_less(exact, span.lower) && !certainly_less(span.upper, exact);
}

/// The width, relative to the power and to the false negative rate.
bool narrow(const Span& span, unsigned digits) {
  const Ball goal = power(Ball(Rational(1, 10)), digits);
  const Ball width = span.upper - span.lower;
  return certainly_less_equal(width, span.upper * goal) &&
         certainly_less_equal(width, (Ball(1) - span.lower) * goal);
}

/// Phi(mu - z) where P(N > z) = rate, z in balls by bisection.
Ball gaussian_power(const Ball& mu, const Rational& rate) {
  Ball low(-60);
  Ball high(60);
  for (int i = 0; i < 400; ++i) {
    const Ball middle = ldexp(low + high, -1).middle();
    const Ball tail = normal_cdf(-middle);
    if (certainly_less(Ball(rate), tail)) {
      low = middle;
    } else if (certainly_less(tail, Ball(rate))) {
      high = middle;
    } else {
      break;
    }
  }
  return normal_cdf(mu - hull(low, high));
}

struct Outcome {
  Rational p;
  Rational q;
};

/// All products of n independent outcomes.
std::vector<Outcome> outcomes_of(const std::vector<Outcome>& one, int n) {
  std::vector<Outcome> all{{1, 1}};
  for (int i = 0; i < n; ++i) {
    std::vector<Outcome> next;
    for (const Outcome& a : all) {
      for (const Outcome& b : one) next.push_back({a.p * b.p, a.q * b.q});
    }
    all = std::move(next);
  }
  return all;
}

/// The most that can be bought: a fractional knapsack, by decreasing p / q.
Rational knapsack(std::vector<Outcome> all, const Rational& rate) {
  std::sort(all.begin(), all.end(),
            [](const Outcome& a, const Outcome& b) { return a.p * b.q > b.p * a.q; });
  Rational bought = 0;
  Rational left = rate;
  for (const Outcome& each : all) {
    if (each.q <= left) {
      bought += each.p;
      left -= each.q;
    } else {
      return bought + each.p * (left / each.q);
    }
  }
  return bought;
}

const std::vector<Rational> rates{Rational(1, 1'000'000), Rational(1, 1000), Rational(1, 20),
                                  Rational(1, 4),         Rational(1, 2),    Rational(9, 10),
                                  Rational(999, 1000)};

}  // namespace

TEST_CASE("the Gaussian: Phi(mu - z), at several precisions and rates") {
  const PrecisionScope scope(500);
  for (const Direction direction : {Direction::remove, Direction::add}) {
    TradeOff trade(parse_spec("gaussian(sigma=2)^7"), direction, timeout);
    const Ball mu = sqrt(Ball(Rational(7, 4)));
    for (const int digits : {4, 12, 25}) {
      for (const Rational& rate : rates) {
        CAPTURE(digits);
        CAPTURE(to_string(rate));
        const PowerBand band = trade.power(rate, digits);
        CHECK(contains(band.power, gaussian_power(mu, rate)));
        CHECK(narrow(band.power, static_cast<unsigned>(digits)));
        CHECK(band.remark.empty());
      }
    }
  }
}

TEST_CASE("rates far out in the tail") {
  const PrecisionScope scope(500);
  TradeOff trade(parse_spec("gaussian(sigma=1)"), Direction::remove, timeout);
  for (const char* text : {"1e-30", "1e-100", "1e-300"}) {
    CAPTURE(text);
    const Rational rate = parse_rational(text);
    const PowerBand band = trade.power(rate, 12);
    CHECK(contains(band.power, gaussian_power(Ball(1), rate)));
    CHECK(narrow(band.power, 12));
  }
}

TEST_CASE("Laplace noise: three pieces, two of them straight") {
  // a = 1: the loss has atoms at both ends; with c = e^-1 the curve is e a up to a = c / 2, then
  // 1 - c / (4 a) up to 1 / 2, then 1 - c (1 - a).
  const PrecisionScope scope(300);
  TradeOff trade(parse_spec("laplace(scale=1)"), Direction::remove, timeout);
  const Ball c = exp(Ball(-1));
  for (const Rational& rate : rates) {
    CAPTURE(to_string(rate));
    const Ball a(rate);
    const Ball exact = certainly_less(a, c / Ball(2))            ? a / c
                       : certainly_less(a, Ball(Rational(1, 2))) ? Ball(1) - c / (Ball(4) * a)
                                                                 : Ball(1) - c * (Ball(1) - a);
    const PowerBand band = trade.power(rate, 12);
    CHECK(contains(band.power, exact));
    CHECK(narrow(band.power, 12));
  }
}

TEST_CASE("randomized response: exactly what brute force gives, at corners and between") {
  for (const int n : {1, 2, 5, 9}) {
    const auto all =
        outcomes_of({{Rational(3, 4), Rational(1, 4)}, {Rational(1, 4), Rational(3, 4)}}, n);
    const std::string spec = "randomized_response(probability=3/4)^" + std::to_string(n);
    TradeOff trade(parse_spec(spec), Direction::remove, timeout);
    std::vector<Rational> asked = rates;
    asked.push_back(0);
    asked.push_back(1);
    Rational corner = 1;
    for (int i = 0; i < n; ++i) corner /= 4;
    asked.push_back(corner);
    for (const Rational& rate : asked) {
      CAPTURE(spec);
      CAPTURE(to_string(rate));
      const PowerBand band = trade.power(rate, 12);
      REQUIRE(band.exact.has_value());
      CHECK(*band.exact == knapsack(all, rate));
    }
  }
}

TEST_CASE("mass at infinity costs no false positives") {
  TradeOff trade(parse_spec("approximate(epsilon=0, delta=1/10)^2"), Direction::remove, timeout);
  const PowerBand band = trade.power(0, 12);
  CHECK(contains(band.power, Ball(Rational(19, 100))));
  CHECK(narrow(band.power, 12));
}

TEST_CASE("atoms at irrational losses, by thresholds: against sums in balls") {
  // e^eps / (1 + e^eps) is irrational: no exact tests, so the jump has to be found.
  const PrecisionScope scope(300);
  const int n = 6;
  TradeOff trade(parse_spec("pure(epsilon=0.3)^6"), Direction::remove, timeout);
  const Ball up = Ball(1) / (Ball(1) + exp(-Ball(Rational(3, 10))));
  for (const Rational& rate : rates) {
    CAPTURE(to_string(rate));
    Ball left(rate);
    Ball exact(0);
    Ball choices(1);
    for (int k = n; k >= 0; --k) {  // k outcomes of the greater ratio
      const auto count = static_cast<std::uint64_t>(k);
      const auto rest = static_cast<std::uint64_t>(n - k);
      const Ball p = choices * power(up, count) * power(Ball(1) - up, rest);
      const Ball q = choices * power(Ball(1) - up, count) * power(up, rest);
      choices = choices * Ball(k) / Ball(n - k + 1);
      if (certainly_less(left, q)) {
        exact += p * left / q;
        break;
      }
      exact += p;
      left -= q;
    }
    const PowerBand band = trade.power(rate, 12);
    CHECK(contains(band.power, exact));
    CHECK(narrow(band.power, 12));
  }
}

TEST_CASE("the directions of a swapped pair are inverse to each other") {
  // If no test of rate a has more power than b, then none of the swapped pair with rate 1 - b has
  // more than 1 - a.
  for (const std::string spec :
       {"poisson(gaussian(sigma=0.8), rate=0.004)^1000", "poisson(laplace(scale=1), rate=0.1)^20",
        "poisson(gaussian(1), 0.1)"}) {
    const PrecisionScope scope(200);
    TradeOff remove(parse_spec(spec), Direction::remove, timeout);
    TradeOff add(parse_spec(spec), Direction::add, timeout);
    for (const Rational& rate : {Rational(1, 1000), Rational(1, 5), Rational(4, 5)}) {
      CAPTURE(spec);
      CAPTURE(to_string(rate));
      const PowerBand there = remove.power(rate, 10);
      CHECK(narrow(there.power, 9));
      const Rational high = exact_rational(there.power.upper);
      const PowerBand back = add.power(Rational(1 - high), 10);
      CHECK(narrow(back.power, 9));
      // 1 - high is at most the false negative rate, so the power is at most that of the rate.
      CHECK(!certainly_less(Ball(Rational(1 - rate)), back.power.lower));
      const Rational low = exact_rational(there.power.lower);
      const PowerBand forth = add.power(Rational(1 - low), 10);
      CHECK(!certainly_less(forth.power.upper, Ball(Rational(1 - rate))));
    }
  }
}

TEST_CASE("DP-SGD: narrow, above chance, and every value of delta allows it") {
  const PrecisionScope scope(200);
  TradeOff trade(parse_spec("poisson(gaussian(sigma=0.8), rate=0.004)^1000"), Direction::remove,
                 timeout);
  for (const Rational& rate : rates) {
    CAPTURE(to_string(rate));
    const PowerBand band = trade.power(rate, 12);
    CHECK(narrow(band.power, 12));
    CHECK(certainly_less(Ball(rate), band.power.lower));
    for (const Rational& epsilon : {Rational(-1), Rational(0), Rational(1, 2), Rational(2)}) {
      const Span delta = trade.delta(epsilon, 15);
      CHECK(!certainly_less((delta.upper + exp(Ball(epsilon)) * Ball(rate)).upper(),
                            band.power.lower));
    }
  }
}

TEST_CASE("few steps, where no line is found, and sampled atoms") {
  const PrecisionScope scope(200);
  for (const std::string spec :
       {"poisson(gaussian(1), 0.1)", "gaussian(2) * laplace(1)", "poisson(pure(epsilon=1), 0.3)^4",
        "discrete_gaussian(sigma=2)^3", "poisson(laplace(scale=1), rate=0.1)^5"}) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      TradeOff trade(parse_spec(spec), direction, timeout);
      for (const Rational& rate : {Rational(1, 1000), Rational(1, 3), Rational(4, 5)}) {
        CAPTURE(spec);
        CAPTURE(to_string(rate));
        const PowerBand band = trade.power(rate, 10);
        CHECK(narrow(band.power, 10));
      }
    }
  }
}

TEST_CASE("scores: the normal quantile, also far out") {
  CHECK(normal_score(std::log(0.5)) == doctest::Approx(0).epsilon(1e-12));
  CHECK(normal_score(std::log(0.158655253931457)) == doctest::Approx(1));
  CHECK(normal_score(-1000) == doctest::Approx(44.6).epsilon(0.01));
}
