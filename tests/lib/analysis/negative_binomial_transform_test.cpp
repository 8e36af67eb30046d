// The transform of a negative binomial law against the sum that defines it.
#include "lib/analysis/negative_binomial_transform.hpp"

#include <doctest/doctest.h>

#include "lib/balls/precision.hpp"
#include "support/containment.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

/// sum_m mu_m / (w - m), and what is left out of it: at most the tail of mu over |Im w|.
ComplexBall direct_sum(const NegativeBinomial& law, const ComplexBall& w, std::uint64_t terms) {
  Ball mass = exp(law.beta * log(Ball(1) - law.rho));
  Ball rest(1);
  ComplexBall sum;
  for (std::uint64_t m = 0; m < terms; ++m) {
    sum += ComplexBall(mass) / (w - ComplexBall(Ball(m)));
    rest -= mass;
    mass *= law.rho * (law.beta + Ball(m)) / Ball(m + 1);
  }
  return widened(sum, rest.up_to_greatest_size() / abs(w.imaginary()));
}

struct Place {
  double rho, real, imaginary;
};

constexpr Place places[] = {{0.9, 3, 20},    {0.9, -4, -7}, {0.5, 1.25, 2},  {0.97, 100, 80},
                            {0.97, -60, 20}, {0.1, 0.5, 1}, {0.8, 1000, 30}, {0.99, 10, 300}};

}  // namespace

TEST_CASE("negative binomial transform: the sum lies within the error, which is not idle") {
  const PrecisionScope scope(1200);
  for (const Place& place : places) {
    const NegativeBinomial law{Ball(1.5), Ball(place.rho)};
    const ComplexBall w(Ball(place.real), Ball(place.imaginary));
    const ComplexBall exact = direct_sum(law, w, place.rho > 0.98 ? 20000 : 6000);
    for (const std::size_t terms : {1UL, 2UL, 3UL, 8UL, 20UL, 60UL}) {
      const TransformValue found = negative_binomial_transform(law, w, terms);
      const Ball off = abs(found.value - exact);
      INFO(place.rho, " ", place.real, " ", place.imaginary, " terms ", terms, " off ",
           off.to_string(), " of ", found.error.to_string());
      CHECK(certainly_less_equal(off, found.error));
      if (certainly_less(found.error, Ball(1e-60))) continue;
      CHECK(certainly_less(found.error, Ball(1e4) * off));
    }
  }
}

TEST_CASE("negative binomial transform: the estimate of the terms suffices") {
  const PrecisionScope scope(800);
  for (const Place& place : places) {
    for (const double nats : {20.0, 60.0}) {
      const std::size_t terms =
          estimate_transform_terms(1.5, place.rho, {place.real, place.imaginary}, nats, 2000);
      const TransformValue found =
          negative_binomial_transform({Ball(1.5), Ball(place.rho)},
                                      ComplexBall(Ball(place.real), Ball(place.imaginary)), terms);
      INFO(place.rho, " ", place.real, " ", place.imaginary, " terms ", terms);
      CHECK(terms < 2000);
      CHECK(found.error.estimate_log() < -nats + 1);
    }
  }
}

TEST_CASE("negative binomial transform: no value on the real line, or of no terms") {
  const NegativeBinomial law{Ball(1.5), Ball(0.5)};
  CHECK_FALSE(negative_binomial_transform(law, ComplexBall(Ball(3)), 5).error.is_finite());
  CHECK_FALSE(negative_binomial_transform(law, ComplexBall(Ball(3), Ball(1)), 0).error.is_finite());
}
