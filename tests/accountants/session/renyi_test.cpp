#include "accountants/session/renyi.hpp"

#include <doctest/doctest.h>

#include "accountants/registry.hpp"
#include "support/curves.hpp"

using namespace plaudit;
using namespace plaudit::test;

TEST_CASE("Gaussian divergences are alpha mu, at any order and number of digits") {
  const PrecisionScope scope(512);
  for (const char* order : {"0.5", "2", "32", "1.001"}) {
    for (const int digits : {12, 60}) {
      const Enclosure band = renyi_divergence(loss_from("gaussian(sigma=2)^7", Direction::add),
                                              parse_rational(order), digits);
      const Ball exact(Rational(parse_rational(order) * Rational(7, 8)));
      INFO(std::string(order), " ", show(band));
      CHECK(!misses(band, exact));
      CHECK(reached(band, digits));
    }
  }
}

TEST_CASE("integer orders of the subsampled Gaussian equal the binomial sum") {
  const PrecisionScope scope(300);
  const Ball q(parse_rational("0.01"));
  for (const long order : {2L, 5L, 40L}) {
    // E_Q[f^k] = sum_j C(k,j) q^j (1-q)^(k-j) e^{j (j-1) / (2 sigma^2)}, sigma = 1
    Ball sum;
    Ball binomial(1);
    for (long j = 0; j <= order; ++j) {
      sum += binomial * power(q, static_cast<std::uint64_t>(j)) *
             power(Ball(1) - q, static_cast<std::uint64_t>(order - j)) * exp(Ball(j * (j - 1) / 2));
      binomial = binomial * Ball(order - j) / Ball(j + 1);
    }
    const Ball exact = Ball(1000) * log(sum) / Ball(order - 1);
    const Enclosure band =
        renyi_divergence(loss_from("poisson(gaussian(sigma=1), rate=0.01)^1000", Direction::remove),
                         Rational(order), 25);
    INFO(order, " ", show(band));
    CHECK(!misses(band, exact));
    CHECK(reached(band, 25));
  }
}

TEST_CASE("orders outside the domain are refused") {
  const ComposedLoss loss = loss_from("gaussian(sigma=2)", Direction::remove);
  CHECK_THROWS_AS(renyi_divergence(loss, 1, 12), std::invalid_argument);
  CHECK_THROWS_AS(renyi_divergence(loss, 0, 12), std::invalid_argument);
  CHECK_THROWS_AS(renyi_divergence(loss, -2, 12), std::invalid_argument);
}

TEST_CASE("the Gaussian limit is an estimate: exact for Gaussians, near the truth for many steps") {
  const auto limit = accountant("gaussian_limit");
  CHECK(limit->estimates_only());
  const ComposedLoss gaussians = loss_from("gaussian(sigma=3)^20", Direction::remove);
  const Enclosure exact =
      accountant("closed_form")->open(gaussians, {20})->epsilon(parse_rational("1e-6"));
  const Enclosure estimate = limit->open(gaussians, {12})->epsilon(parse_rational("1e-6"));
  CHECK_FALSE(estimate.certified);
  CHECK(std::fabs(estimate.lower.estimate() / exact.lower.estimate() - 1) < 1e-12);
  const ComposedLoss many =
      loss_from("poisson(gaussian(sigma=10), rate=0.1)^10000000", Direction::remove);
  const Enclosure truth = accountant("contour")->open(many, {12})->epsilon(parse_rational("1e-6"));
  const double found = limit->open(many, {12})->epsilon(parse_rational("1e-6")).lower.estimate();
  CHECK(std::fabs(found / truth.lower.estimate() - 1) < 0.01);
}
