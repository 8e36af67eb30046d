// Parameters of a mixture, the plain Gaussian loss, and the mechanisms that lead to the same pair.
#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/mixtures/gaussian_mixture_loss.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "mechanisms/mixtures/gaussian_loss.hpp"
#include "support/containment.hpp"
#include "support/losses.hpp"
#include "support/mixtures.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

std::string refusal(GaussianMixture mixture) {
  try {
    normalised(std::move(mixture));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

bool names(const std::string& message, const char* word) {
  return message.find(word) != std::string::npos;
}

}  // namespace

TEST_CASE("normalised sorts, merges and drops") {
  const GaussianMixture mixture = normalised(
      {2, {3, 0, 1, 3, 7}, {Rational(1, 4), Rational(1, 4), Rational(1, 4), Rational(1, 4), 0}});
  CHECK(mixture.sensitivities == std::vector<Rational>{0, 1, 3});
  CHECK(mixture.probabilities ==
        std::vector<Rational>{Rational(1, 4), Rational(1, 4), Rational(1, 2)});
  CHECK(normalised(mixture) == mixture);
}

TEST_CASE("normalised refuses") {
  const Rational half(1, 2);
  CHECK(names(refusal({0, {1}, {1}}), "sigma"));
  CHECK(names(refusal({-1, {1}, {1}}), "sigma"));
  CHECK(names(refusal({1, {1, 2}, {1}}), "equal lengths"));
  CHECK(names(refusal({1, {-1, 2}, {half, half}}), "sensitivities"));
  CHECK(names(refusal({1, {1, 2}, {-half, half * 3}}), "probabilities"));
  CHECK(names(refusal({1, {1, 2}, {half, parse_rational("499999999999/1000000000000")}}), "sum"));
  CHECK(names(refusal({1, {0}, {1}}), "positive"));
  CHECK(names(refusal({1, {0, 1}, {1, 0}}), "positive"));
  CHECK(refusal({1, {0, 1}, {half, half}}) == "accepted");
}

TEST_CASE("equal pairs by different mechanisms") {
  const GaussianMixture sampled = mixture_of("poisson(gaussian(sigma=3, sensitivity=2), rate=0.2)");
  CHECK(sampled == mixture_of("mixture(sigma=3, sensitivities=[0, 2], probabilities=[0.8, 0.2])"));
  CHECK(mixture_of("poisson(gaussian(sigma=3), rate=1)") == mixture_of("gaussian(sigma=3)"));
  CHECK(mixture_of("group(poisson(gaussian(sigma=1), rate=0.1), size=2)") ==
        mixture_of("mixture(sigma=1, sensitivities=[0, 1, 2], probabilities=[0.81, 0.18, 0.01])"));
  CHECK(mixture_of("group(gaussian(sigma=1), size=5)") ==
        mixture_of("gaussian(sigma=1, sensitivity=5)"));
}

TEST_CASE("the plain Gaussian: L ~ N(mu, 2 mu)") {
  for (const char* spec :
       {"gaussian(sigma=1)", "gaussian(sigma=0.3, sensitivity=2)", "gaussian(sigma=500)"}) {
    const GaussianMixture mixture = mixture_of(spec);
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const auto loss = gaussian_mixture_loss(mixture, direction);
      REQUIRE(loss->facts().gaussian_mean);
      const Rational mu = *loss->facts().gaussian_mean;
      const Rational ratio = mixture.sensitivities[0] / mixture.sigma;
      CHECK(mu == ratio * ratio / 2);
      const PrecisionScope scope(200);
      const Ball mean(mu);
      const Ball deviation = sqrt(Ball(2) * mean);
      for (const double x : {-3.0, 0.0, 0.5, 9.0}) {
        // P(L > x) = erfc((x - mu) / (deviation sqrt 2)) / 2
        const Ball p = erfc((Ball(x) - mean) / (deviation * sqrt(Ball(2)))) / Ball(2);
        CHECK_OVERLAPS(loss->p_above(Ball(x)), p);
        CHECK_CONTAINS(loss->p_above(Ball(x)) + loss->q_above(Ball(-x)), 1);
        CHECK_OVERLAPS(loss->delta(Ball(x)), p - exp(Ball(x)) * loss->q_above(Ball(x)));
        CHECK_OVERLAPS(*loss->density(Ball(x)), exp(-square(Ball(x) - mean) / (Ball(4) * mean)) /
                                                    (deviation * sqrt(Ball(2) * pi())));
      }
      for (const double t : {-2.5, 0.0, 4.0}) {
        CHECK_OVERLAPS(loss->log_mgf(Ball(t)), mean * Ball(t) * Ball(t + 1));
        const ComplexBall z{Ball(t), Ball(1.25)};
        CHECK(overlaps(loss->log_mgf(z), ComplexBall(mean) * z * (z + ComplexBall(1))));
        const Ball bound = loss->mgf_bound_beyond(Ball(t), Ball(1.25), 30);
        for (const double s : {1.25, 1.5, 8.0}) {
          const Ball size = abs(exp(loss->log_mgf(ComplexBall(Ball(t), Ball(s)))));
          CHECK(!certainly_less(bound, size));
        }
        CHECK_WIDTH_BELOW(hull(bound, abs(exp(loss->log_mgf(z)))), 1e-15);
      }
    }
  }
}

TEST_CASE("a mixture that nearly is a Gaussian is close to it") {
  // poisson with rate 1 - 1e-30: M within a factor 1 +- 1e-20 of the Gaussian's
  const auto near = gaussian_mixture_loss(
      mixture_of("mixture(sigma=1, sensitivities=[0, 1], probabilities=[1e-30, "
                 "0.999999999999999999999999999999])"),
      Direction::remove);
  const auto plain = gaussian_mixture_loss(mixture_of("gaussian(sigma=1)"), Direction::remove);
  const PrecisionScope scope(200);
  for (const double t : {0.5, 2.0, 7.5}) {
    const Ball difference = near->log_mgf(Ball(t)) - plain->log_mgf(Ball(t));
    CHECK(certainly_less(abs(difference), Ball(1e-20)));
  }
}

// Lemma 2.9 of Ganesh in two dimensions, against plain sums over the plane.
TEST_CASE("a mixture of vectors is below that of their norms, and equal on one ray") {
  struct Case {
    const char* spec;
    double c[3][2];
    bool on_a_ray;
  };
  const Case cases[] = {{"mixture(1, [[0, 0], [1, 0], [-0.6, 0.8]], [1/2, 1/4, 1/4])",
                         {{0, 0}, {1, 0}, {-0.6, 0.8}},
                         false},
                        {"mixture(1, [[0, 0], [0.6, 0.8], [1.2, 1.6]], [1/2, 1/4, 1/4])",
                         {{0, 0}, {0.6, 0.8}, {1.2, 1.6}},
                         true}};
  const double p[] = {0.5, 0.25, 0.25};
  constexpr double step = 0.05;
  for (const Case& each : cases) {
    for (const double epsilon : {-0.3, 0.2, 0.7}) {
      double remove = 0;
      double add = 0;
      for (double y = -9; y <= 9; y += step) {
        for (double z = -9; z <= 9; z += step) {
          double ratio = 0;
          for (int i = 0; i < 3; ++i) {
            const double* c = each.c[i];
            ratio += p[i] * std::exp(c[0] * y + c[1] * z - (c[0] * c[0] + c[1] * c[1]) / 2);
          }
          const double weight =
              std::exp(-(y * y + z * z) / 2) * step * step / (2 * std::acos(-1.0));
          remove += weight * std::max(0.0, ratio - std::exp(epsilon));
          add += weight * std::max(0.0, 1 - std::exp(epsilon) * ratio);
        }
      }
      const PrecisionScope scope(64);
      const auto of_norms = [&](Direction direction) {
        const ComposedLoss loss = loss_from(each.spec, direction);
        return loss.terms()[0].loss->delta(Ball(epsilon)).estimate();
      };
      INFO(std::string(each.spec), " ", epsilon, " ", remove, " ", add);
      CHECK(remove < of_norms(Direction::remove) + 2e-5);
      CHECK(add < of_norms(Direction::add) + 2e-5);
      if (each.on_a_ray) {
        CHECK(remove == doctest::Approx(of_norms(Direction::remove)).epsilon(1e-3));
      } else {
        CHECK(remove < 0.95 * of_norms(Direction::remove));
      }
    }
  }
}
