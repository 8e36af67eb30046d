// The paper's own bounds beside the published Fourier number: the printed column of its Table 2, by
// hand elsewhere, and the hypotheses one by one.
#include <doctest/doctest.h>

#include <cmath>

#include "accountants/fourier/published_bounds.hpp"
#include "support/curves.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

PublishedBounds bounds(const char* spec, const char* length) {
  return published_bounds(loss_from(spec), parse_rational(length)).value();
}

}  // namespace

TEST_CASE("published bounds: the estimate (7.3) as printed in Table 2") {
  const char* const spec = "poisson(gaussian(1.5), 0.01)^10000";
  CHECK(bounds(spec, "2").tail_estimate == doctest::Approx(3.32e-1).epsilon(2e-3));
  CHECK(bounds(spec, "6").tail_estimate == doctest::Approx(3.32e-6).epsilon(2e-3));
  CHECK(bounds(spec, "10").tail_estimate == doctest::Approx(1.36e-16).epsilon(4e-3));
  CHECK(bounds(spec, "12").tail_estimate == doctest::Approx(8.30e-24).epsilon(2e-3));
}

TEST_CASE("published bounds: conditions of Lemma 9") {
  CHECK(bounds("poisson(gaussian(1.5), 0.01)^10000", "12").tail_hypotheses);
  // lambda = 6 against ln 100 = 4.6: those of the paper's own Figure 1 at sigma = 1 do not hold
  CHECK_FALSE(bounds("poisson(gaussian(1), 0.01)^10000", "12").tail_hypotheses);
  CHECK(bounds("poisson(gaussian(1), 0.01)^10000", "8").tail_hypotheses);
  CHECK_FALSE(bounds("poisson(gaussian(1), 0.01)^10000", "7").tail_hypotheses);    // lambda 3.5
  CHECK_FALSE(bounds("poisson(gaussian(0.9), 0.01)^10000", "2").tail_hypotheses);  // sigma < 1
  CHECK_FALSE(bounds("poisson(gaussian(7), 0.01)^10000", "2").tail_hypotheses);    // q 16 sigma
}

TEST_CASE("published bounds: Theorem 8 where its hypotheses hold") {
  const PublishedBounds found = bounds("poisson(gaussian(5), 0.01)^1000", "4");
  REQUIRE(found.theorem_8);
  CHECK(*found.theorem_8 ==
        doctest::Approx(std::exp(1000 * std::log1p(2e-4 * 6 / 25) - 8)).epsilon(1e-9));
  // It is an upper bound: of a tail that is 0 in doubles here.
  const ComposedLoss one = loss_from("poisson(gaussian(5), 0.01)");
  CHECK(one.terms()[0].loss->p_above(Ball(4)).upper_double() < *found.theorem_8);
  CHECK_FALSE(bounds("poisson(gaussian(3), 0.01)^1000", "4").theorem_8);  // sigma < 4
  CHECK_FALSE(bounds("poisson(gaussian(5), 0.3)^1000", "4").theorem_8);   // q > 1 / 5
  CHECK_FALSE(bounds("poisson(gaussian(5), 0.01)^1000", "2").theorem_8);  // lambda = 1
  CHECK_FALSE(bounds("poisson(gaussian(5), 0.01)^1000", "80").theorem_8);
}

TEST_CASE("published bounds: Lemma 7 and its series") {
  CHECK(bounds("poisson(gaussian(2), 0.01)^17", "12").lemma_7_diverges);
  CHECK(std::isinf(*bounds("poisson(gaussian(2), 0.01)^17", "12").lemma_7));
  const PublishedBounds found = bounds("poisson(gaussian(2), 0.01)^4", "6");
  CHECK_FALSE(found.lemma_7_diverges);
  REQUIRE(found.lemma_7);
  // By hand: the terms for n = 1 and 2 of the series from the law's own moments.
  const ComposedLoss one = loss_from("poisson(gaussian(2), 0.01)");
  const auto alpha = [&](long order) {
    return one.terms()[0].loss->log_mgf(Ball(order)).estimate();
  };
  const double C = 4 * std::log(50.0) - 0.5;
  const double expected = 6 * 4 * 2 * std::exp(-(24 + C) * (24 + C) / 8) + std::exp(alpha(3) - 18) +
                          2 * std::exp(4 * alpha(6) - 72) + 2 * std::exp(4 * alpha(12) - 288);
  CHECK(*found.lemma_7 == doctest::Approx(expected).epsilon(1e-6));
  CHECK_FALSE(bounds("poisson(gaussian(2), 0.5)^4", "6").lemma_7);    // q < 1 / 2
  CHECK_FALSE(bounds("poisson(gaussian(2), 0.1)^4", "0.5").lemma_7);  // L >= 1
}

TEST_CASE("published bounds: for sampled Gaussians in the remove direction only") {
  const Rational length(12);
  CHECK_FALSE(published_bounds(loss_from("gaussian(2)^4"), length));
  CHECK_FALSE(published_bounds(loss_from("laplace(2)^4"), length));
  CHECK_FALSE(published_bounds(loss_from("poisson(gaussian(2), 0.1)^4", Direction::add), length));
  CHECK_FALSE(published_bounds(loss_from("poisson(gaussian(2), 0.1)^4 * poisson(gaussian(3), 0.1)"),
                               length));
  CHECK(words_of(std::nullopt).empty());
}
