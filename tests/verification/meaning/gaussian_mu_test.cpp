// The least mu of Gaussian differential privacy: against closed forms, at all rates and in ranges.
#include "verification/meaning/gaussian_mu.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string_view>
#include <vector>

#include "lib/analysis/normal/normal_quantile.hpp"
#include "lib/balls/precision.hpp"
#include "mechanisms/language/spec.hpp"
#include "support/slow.hpp"
#include "verification/meaning/trade_off.hpp"

using namespace plaudit;

namespace {

MuBand mu_of(const char* spec, const char* least_error = nullptr,
             DirectionChoice direction = DirectionChoice::both, int digits = 5) {
  AnswerOptions options;
  options.digits = digits;
  options.direction = direction;
  return least_mu(parse_spec(spec),
                  least_error ? std::optional(parse_rational(least_error)) : std::nullopt, options);
}

bool contains(const MuBand& band, const Ball& exact) {
  return !certainly_less(exact, band.lower) && !certainly_less(band.upper, exact);
}

/// G_mu at a rate.
Ball gaussian_rate(const Ball& mu, const Rational& rate) {
  return normal_cdf(-*normal_quantile(Ball(rate)) - mu);
}

}  // namespace

TEST_CASE("pure mechanisms touch the Gaussian curve at their one corner") {
  const PrecisionScope scope(200);
  for (const char* epsilon : {"0.1", "1", "3"}) {
    CAPTURE(epsilon);
    const Ball corner = Ball(1) / (Ball(1) + exp(Ball(parse_rational(epsilon))));
    const Ball exact = Ball(-2) * *normal_quantile(corner);
    const std::string spec = "pure(epsilon=" + std::string(epsilon) + ")";
    for (const char* rates : {static_cast<const char*>(nullptr), "1e-4"}) {
      const MuBand band = mu_of(spec.c_str(), rates);
      CHECK(band.reached);
      CHECK(contains(band, exact));
      CHECK(band.regret.is_finite());
    }
  }
}

TEST_CASE("compositions of randomized response: the greatest over all corners") {
  const PrecisionScope scope(200);
  // Sums of k of 4 outcomes of ratio 3: rates of the tests "at least k".
  Ball exact(0);
  Ball p(0);
  Ball q(0);
  const long choices[] = {1, 4, 6, 4, 1};
  const long thirds[] = {1, 3, 9, 27, 81};
  for (int k = 4; k >= 1; --k) {
    p += Ball(Rational(choices[k] * thirds[k], 256));
    q += Ball(Rational(choices[k] * thirds[4 - k], 256));
    exact = max(exact, -*normal_quantile(q) + *normal_quantile(p));
  }
  // Corners of equal mu, which at 30 digits no machine double tells apart.
  for (const int digits : {5, 30}) {
    CAPTURE(digits);
    const MuBand band =
        mu_of("randomized_response(probability=3/4)^4", nullptr, DirectionChoice::both, digits);
    CHECK(band.reached);
    CHECK(contains(band, exact));
  }
}

TEST_CASE("Gaussian mixtures: all rates, exactly that of the largest displacement") {
  const MuBand plain = mu_of("gaussian(sigma=2)^7");
  REQUIRE(plain.exact_square.has_value());
  CHECK(*plain.exact_square == Rational(7, 4));
  CHECK(plain.regret.is_exact_zero());
  CHECK(mu_of("gaussian(sigma=2)^7", "1e-3").exact_square == plain.exact_square);
  const MuBand sampled = mu_of("poisson(gaussian(sigma=0.8), rate=0.004)^1000");
  REQUIRE(sampled.exact_square.has_value());
  CHECK(*sampled.exact_square == Rational(3125, 2));
  CHECK(!sampled.regret.is_finite());
}

TEST_CASE("DP-SGD at a range of rates: no test contradicts it, a wider range asks for more") {
  const PrecisionScope scope(200);
  const char* spec = "poisson(gaussian(sigma=0.8), rate=0.004)^1000";
  const MuBand narrow = mu_of(spec, "1e-3");
  const MuBand wide = mu_of(spec, "1e-6");
  CHECK(narrow.reached);
  CHECK(wide.reached);
  CHECK(certainly_less(narrow.upper, wide.lower));
  CHECK(certainly_less(wide.upper, Ball(1)));
  CHECK(certainly_less(narrow.regret, Ball(0.05)));
  Ball least_gap(1);
  for (const Direction direction : {Direction::remove, Direction::add}) {
    TradeOff trade(parse_spec(spec), direction, 60);
    for (const char* text : {"1e-3", "0.01", "0.1", "0.5", "0.9", "0.99"}) {
      const Rational rate = parse_rational(text);
      const Ball fnr = Ball(1) - trade.power(rate, 10).power.lower;
      CHECK(!certainly_less(fnr, gaussian_rate(narrow.upper, rate)));
      // Regret: the run is nowhere farther above.
      const Ball moved = gaussian_rate(narrow.upper, rate) + narrow.regret;
      const Ball right = Ball(rate) + narrow.regret;
      if (certainly_less(right, Ball(1))) {
        const Rational at = exact_rational(right.upper());
        const Ball there = Ball(1) - trade.power(at, 10).power.upper;
        CHECK(!certainly_less(moved, there));
      }
      least_gap = min(least_gap, fnr - gaussian_rate(narrow.upper, rate));
    }
  }
  CHECK(certainly_less(least_gap, Ball(1e-4)));  // it touches, near an end of the range
}

TEST_CASE(
    "with errors of at least r, the greatest of all tests asked one by one, in both directions") {
  const PrecisionScope scope(200);
  const struct {
    const char* spec;
    const char* least;
  } runs[] = {{"poisson(gaussian(sigma=0.8), rate=0.004)^1000", "1e-3"},
              {"poisson(gaussian(sigma=1), rate=0.1)^20", "0.02"},
              {"poisson(laplace(1), 0.1)^3", "1e-3"},
              {"approximate(epsilon=1, delta=1e-3)", "1e-3"},
              {"randomized_response(probability=9/10)^3", "0.01"},
              {"gaussian(1)*laplace(2)", "0.01"}};
  for (const auto& run : runs) {
    CAPTURE(run.spec);
    const Rational least = parse_rational(run.least);
    const bool dear = std::string_view(run.spec).find("laplace(1), 0.1") != std::string_view::npos;
    if (dear && !test::slow_tests()) continue;
    const int digits = dear ? test::usually(3, 5) : 5;
    std::vector<MuBand> bands;
    for (const Direction direction : {Direction::remove, Direction::add}) {
      CAPTURE(direction);
      TradeOff trade(parse_spec(run.spec), direction, 60);
      Ball greatest(0);
      // the first is the end of the range itself
      for (int i = 0; i <= 24; i += test::usually(6, 1)) {
        const double log_rate = std::log(estimate(least)) * (1 - i / 25.0);
        const Rational rate = i == 0 ? least : exact_rational(Ball(std::exp(log_rate)));
        const Ball fnr = Ball(1) - trade.power(rate, test::usually(6, 10)).power.lower;
        if (certainly_less(fnr, Ball(least))) break;
        greatest = max(greatest, -*normal_quantile(Ball(rate)) - *normal_quantile(fnr)).lower();
      }
      bands.push_back(mu_of(
          run.spec, run.least,
          direction == Direction::remove ? DirectionChoice::remove : DirectionChoice::add, digits));
      CHECK(bands.back().reached);
      CHECK(!certainly_less(bands.back().upper, greatest));
    }
    // The directions exchange the errors.
    const MuBand& remove = bands[0];
    const MuBand& add = bands[1];
    CHECK(!certainly_less(remove.upper, add.lower));
    CHECK(!certainly_less(add.upper, remove.lower));
    if (!dear) continue;
    const MuBand both = mu_of(run.spec, run.least, DirectionChoice::both, digits);
    CHECK(both.reached);
    CHECK(!certainly_less(both.upper, remove.lower));
    CHECK(!certainly_less(both.upper, add.lower));
  }
}

TEST_CASE(
    "at the ends of the range: tests of rarer errors do not count, nor do they where all are") {
  const PrecisionScope scope(200);
  const Ball z = -*normal_quantile(Ball(parse_rational("1e-3")));
  // Of approximate privacy the greatest mu is that at the end: fnr = 1 - delta - e^epsilon r.
  const Ball fnr = Ball(parse_rational("0.999")) - exp(Ball(1)) * parse_rational("1e-3");
  const MuBand approximate = mu_of("approximate(epsilon=1, delta=1e-3)", "1e-3");
  CHECK(approximate.reached);
  const Ball corner =
      Ball(-2) * *normal_quantile(Ball(parse_rational("0.999")) / (Ball(1) + exp(Ball(1))));
  CHECK(contains(approximate, max(corner, z - *normal_quantile(fnr))));
  for (const char* certain :
       {"gaussian(sigma=0.01)", "gaussian(0.1)^10", "pure(20)", "laplace(1/100)"}) {
    CAPTURE(certain);
    const MuBand band = mu_of(certain, "1e-3");
    CHECK(band.reached);
    CHECK(contains(band, z + z));
  }
}

TEST_CASE("regret: beyond the range, too") {
  const PrecisionScope scope(200);
  // f(0) = 0.8, which G_mu exceeds far left of the range.
  const MuBand band = mu_of("approximate(epsilon=0.1, delta=0.2)", "0.3");
  const Ball k = band.regret;
  REQUIRE(certainly_less(k, Ball(1)));
  const Ball gaussian = normal_cdf(-*normal_quantile(k) - band.upper);
  CHECK(!certainly_less(Ball(parse_rational("0.8")), gaussian - k));
}

TEST_CASE("where there is no mu, or none is known") {
  CHECK(!mu_of("approximate(epsilon=1, delta=1e-5)").lower.is_finite());
  CHECK(mu_of("approximate(epsilon=1, delta=1e-5)", "1e-3").upper.is_finite());
  const MuBand open = mu_of("discrete_gaussian(sigma=2)^3");
  CHECK(!open.upper.is_finite());
  CHECK(!open.remark.empty());
  CHECK_THROWS_AS(mu_of("gaussian(1)", "1/2"), std::invalid_argument);
  CHECK_THROWS_AS(mu_of("gaussian(1)", "0"), std::invalid_argument);
}
