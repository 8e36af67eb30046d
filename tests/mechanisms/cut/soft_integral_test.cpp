// Integrals with a soft edge: both sides add up to the whole, values against an integration by
// other means, bounds beyond heights, and what happens where errors are left out.
#include "mechanisms/cut/soft_integral.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "lib/analysis/certified_integral.hpp"
#include "lib/balls/precision.hpp"
#include "mechanisms/cut/soft_loss.hpp"
#include "mechanisms/mixtures/gaussian_mixture_loss.hpp"
#include "mechanisms/mixtures/mixture_integral.hpp"
#include "support/containment.hpp"
#include "support/random.hpp"
#include "support/sabotage.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

using Side = SoftIntegral::Side;

GaussianMixture sampled_gaussian(const char* sigma, const char* rate) {
  const Rational q = parse_rational(rate);
  return normalised({parse_rational(sigma), {0, 1}, {1 - q, q}});
}

const GaussianMixture mixtures_of_soft[] = {
    sampled_gaussian("1", "0.01"),
    sampled_gaussian("0.4", "1e-6"),
    normalised({Rational(2), {0, 1, 3}, {Rational(1, 2), Rational(3, 8), Rational(1, 8)}}),
    normalised({Rational(1), {Rational(1, 3), 2}, {Rational(3, 4), Rational(1, 4)}}),
};

}  // namespace

TEST_CASE("soft edges: both sides add up to the whole at all precisions") {
  for (const GaussianMixture& mixture : mixtures_of_soft) {
    const MixtureIntegral whole(mixture);
    for (const RareEdge& edge : {RareEdge{0.5, 2}, RareEdge{4, 6}, RareEdge{9, 9}}) {
      const SoftIntegral usual(mixture, edge, Side::frequent);
      const SoftIntegral rare(mixture, edge, Side::rare);
      for (const double nats : {20.0, 60.0, 250.0}) {
        const PrecisionScope scope(600);
        for (const double r : {0.0, 0.75, 1.0, 2.0, 6.5}) {
          const Ball sum = usual.on_axis(Ball(r), nats) + rare.on_axis(Ball(r), nats);
          const Ball truth = whole.on_axis(Ball(r), nats + 10);
          CHECK_OVERLAPS(sum, truth);
          CHECK_WIDTH_BELOW(sum, std::exp(-nats + 3));
        }
      }
    }
  }
}

TEST_CASE("soft edges: lines add up too, and stay below what is said beyond a height") {
  const PrecisionScope scope(300);
  for (const GaussianMixture& mixture : mixtures_of_soft) {
    const MixtureIntegral whole(mixture);
    for (const RareEdge& edge : {RareEdge{1.5, 3}, RareEdge{6, 8}}) {
      const SoftIntegral usual(mixture, edge, Side::frequent);
      const SoftIntegral rare(mixture, edge, Side::rare);
      for (const double r : {0.5, 2.0, 7.25}) {
        const LineValues all = whole.on_line(Ball(r), Ball(0.75), 9, 60);
        const LineValues one = usual.on_line(Ball(r), Ball(0.75), 9, 60);
        const LineValues other = rare.on_line(Ball(r), Ball(0.75), 9, 60);
        const Ball bound_of_one = usual.bound_beyond(Ball(r), Ball(3), 20);
        const Ball bound_of_other = rare.bound_beyond(Ball(r), Ball(3), 20);
        CHECK(certainly_less_equal(bound_of_other, rare.on_axis(Ball(r), 40).upper() * Ball(1.01)));
        for (std::size_t k = 0; k < all.values.size(); ++k) {
          CHECK(overlaps(one.values[k] + other.values[k], all.values[k]));
          if (k < 4) continue;
          CHECK(certainly_less_equal(abs(one.values[k]).lower(), bound_of_one.upper()));
          CHECK(certainly_less_equal(abs(other.values[k]).lower(), bound_of_other.upper()));
        }
      }
    }
  }
}

TEST_CASE("soft edges: careless strips give wide enclosures, not wrong ones") {
  Random random(982);
  const PrecisionScope scope(300);
  int useful = 0;
  for (int i = 0; i < 400; ++i) {
    const GaussianMixture& mixture = mixtures_of_soft[random.integer(0, 3)];
    const RareEdge edge{random.uniform(0.2, 5), random.uniform(0.5, 8)};
    const SoftIntegral usual(mixture, edge, Side::frequent);
    const SoftIntegral rare(mixture, edge, Side::rare);
    StripIntegral::Strip strip;
    strip.v = random.uniform(0.02, 3.2 / edge.steepness);
    strip.d = std::ldexp(static_cast<double>(random.integer(1, 40)), -5);
    strip.first = -random.integer(0, 200);
    strip.last = random.integer(0, 300);
    const double r = random.one_in(2) ? random.uniform(0, 3) : 2;
    const bool rarely = random.one_in(2);
    const SoftIntegral& integral = rarely ? rare : usual;
    const auto value = integral.by_points(Ball(r), strip);
    if (!value) continue;
    CHECK_OVERLAPS(*value, integral.on_axis(Ball(r), 80));
    if (value->radius_double() < 0.1 * value->upper_double()) ++useful;
  }
  CHECK(useful > 20);
}

TEST_CASE("soft edges: quadrature and tails cannot be left out") {
  Random random(983);
  const PrecisionScope scope(300);
  bool quadrature_missed = false;
  bool tails_missed = false;
  for (int i = 0; i < 400 && !(quadrature_missed && tails_missed); ++i) {
    const GaussianMixture& mixture = mixtures_of_soft[random.integer(0, 3)];
    const RareEdge edge{random.uniform(0.2, 5), random.uniform(0.5, 8)};
    const SoftIntegral integral(mixture, edge, random.one_in(2) ? Side::rare : Side::frequent);
    StripIntegral::Strip strip;
    strip.v = 0.9 * std::min(1.0, 3 / edge.steepness);
    strip.d = std::ldexp(static_cast<double>(random.integer(8, 40)), -5);
    strip.first = -random.integer(0, 60);
    strip.last = random.integer(0, 60);
    const Ball truth = integral.on_axis(Ball(2), 80);
    {
      const Scaled none("soft_edge.quadrature", 0);
      const auto value = integral.by_points(Ball(2), strip);
      if (value && !overlaps(*value, truth)) quadrature_missed = true;
    }
    {
      const Scaled none("soft_edge.tails", 0);
      const auto value = integral.by_points(Ball(2), strip);
      if (value && !overlaps(*value, truth)) tails_missed = true;
    }
  }
  CHECK(quadrature_missed);
  CHECK(tails_missed);
}

TEST_CASE("soft edges: what is refused") {
  const GaussianMixture& mixture = mixtures_of_soft[0];
  CHECK_THROWS_AS(SoftIntegral(mixture, {0, 3}, Side::rare), std::domain_error);
  CHECK_THROWS_AS(SoftIntegral(mixture, {2, 0}, Side::rare), std::domain_error);
  const SoftIntegral integral(mixture, {2, 3}, Side::rare);
  CHECK_THROWS_AS(integral.on_axis(Ball(-1), 20), std::domain_error);
}
