// Sums in doubles against sums in balls: exact terms, where only rounding counts, and balls of
// which the exact numbers are the ends.
#include "lib/analysis/rough_power_sums.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "lib/analysis/power_sums.hpp"
#include "lib/balls/precision.hpp"

using namespace plaudit;

namespace {

struct Terms {
  std::vector<ComplexBall> weights;
  std::vector<ComplexBall> bases;
};

/// The sums that are not within their errors.
std::size_t missed(const RoughSums& rough, const Terms& exact) {
  const PrecisionScope scope(300);
  const std::vector<ComplexBall> sums = power_sums(exact.weights, exact.bases, rough.values.size());
  std::size_t result = 0;
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const ComplexBall near = rough.ball(k);
    const bool inside =
        contains(near.real(), sums[k].real()) && contains(near.imaginary(), sums[k].imaginary());
    const Ball size = ldexp(Ball(rough.errors[k]), rough.exponent);
    const ComplexBall middle(near.real().middle(), near.imaginary().middle());
    if (!inside || !certainly_less_equal(abs(sums[k] - middle), size)) ++result;
  }
  return result;
}

}  // namespace

TEST_CASE("sums in doubles: random terms, of any size") {
  std::mt19937_64 random(17);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const PrecisionScope scope(120);
  for (const std::size_t points : {0u, 1u, 3u, 4u, 150u}) {
    for (const std::size_t count : {0u, 1u, 2u, 7u, 90u}) {
      Terms terms;
      const long exponent = static_cast<long>(4000 * uniform(random));
      for (std::size_t j = 0; j < points; ++j) {
        const ComplexBall weight(Ball(uniform(random)), Ball(uniform(random)));
        terms.weights.emplace_back(ldexp(weight.real(), exponent),
                                   ldexp(weight.imaginary(), exponent));
        const Ball angle(3 * uniform(random));
        terms.bases.emplace_back(cos(angle).middle(), sin(angle).middle());
      }
      const RoughSums rough = rough_power_sums(terms.weights, terms.bases, count);
      CHECK(missed(rough, terms) == 0);
      for (const double error : rough.errors)
        CHECK(error < 1e-12 * (1 + static_cast<double>(points)));
    }
  }
}

TEST_CASE("sums in doubles: rounding of a thousand positive terms counts") {
  std::mt19937_64 random(18);
  std::uniform_real_distribution<double> uniform(0.5, 1);
  const PrecisionScope scope(120);
  Terms terms;
  for (int j = 0; j < 4000; ++j) {
    terms.weights.emplace_back(Ball(uniform(random)));
    terms.bases.emplace_back(Ball(1 - 1e-4 * uniform(random)));
  }
  CHECK(missed(rough_power_sums(terms.weights, terms.bases, 60), terms) == 0);
}

TEST_CASE("sums in doubles: radii of weights and bases are in the errors") {
  const PrecisionScope scope(120);
  for (const bool of_weights : {true, false}) {
    for (const double radius : {1e-4, 1e-9}) {
      Terms balls;
      Terms ends;
      for (int j = 0; j < 40; ++j) {
        const Ball weight(1.0 / (1 + j));
        const Ball base(std::ldexp(1, -(j % 5)));
        const Ball more(radius);
        balls.weights.emplace_back(of_weights ? widened(weight, more) : weight);
        balls.bases.emplace_back(of_weights ? base : widened(base, more));
        ends.weights.emplace_back(of_weights ? weight + more : weight);
        ends.bases.emplace_back(of_weights ? base : base + more);
      }
      const RoughSums rough = rough_power_sums(balls.weights, balls.bases, 30);
      CHECK(missed(rough, ends) == 0);
      CHECK(rough.errors[1] < 200 * radius);
    }
  }
}

TEST_CASE("sums in doubles: what is no number has no finite error") {
  const PrecisionScope scope(64);
  const std::vector<ComplexBall> one{ComplexBall(1)};
  const std::vector<ComplexBall> unknown{ComplexBall(positive_infinity())};
  CHECK_FALSE(std::isfinite(rough_power_sums(one, unknown, 5).errors[3]));
  const std::vector<ComplexBall> large{ComplexBall(1e200)};
  CHECK_FALSE(std::isfinite(rough_power_sums(one, large, 9).errors[8]));
}
