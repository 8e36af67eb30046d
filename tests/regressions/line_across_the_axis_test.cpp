// The bounds of the moment integrals hold for Im w = s >= 0 (e^{-s arg f} <= 1); a ball s that
// contains 0 inside was taken for such an s, because only s < 0 was asked for. Bounds of its lower
// half were missing.
#include <doctest/doctest.h>

#include "lib/balls/precision.hpp"
#include "mechanisms/language/spec.hpp"
#include "mechanisms/mixtures/cut_integral.hpp"
#include "mechanisms/mixtures/cut_loss.hpp"
#include "mechanisms/mixtures/gaussian_mixture_loss.hpp"
#include "mechanisms/mixtures/mixture_integral.hpp"
#include "mechanisms/replacement/half_integral.hpp"
#include "mechanisms/replacement/mirrored_loss.hpp"
#include "support/containment.hpp"

using namespace plaudit;

namespace {

const GaussianMixture sampled{Rational(1), {0, 1}, {Rational(9, 10), Rational(1, 10)}};

/// [-radius, radius].
Ball across(double radius) { return widened(Ball(0), Ball(radius)); }

bool contains(const ComplexBall& big, const ComplexBall& small) {
  return acb_contains(big.raw(), small.raw()) != 0;
}

void check_law(const PrivacyLoss& law) {
  const PrecisionScope scope(128);
  CHECK_THROWS_AS(law.mgf_on_line(Ball(1), across(0.25), 2, 30), std::domain_error);
  const ComplexBall both = law.log_mgf(ComplexBall(Ball(1), across(0.25)));
  REQUIRE(both.is_finite());
  for (const double s : {-0.25, -0.1, 0.0, 0.2, 0.25}) {
    CHECK(contains(both, law.log_mgf(ComplexBall(Ball(1), Ball(s)))));
  }
}

}  // namespace

TEST_CASE("the reach of a ball to both sides of 0") {
  for (const double radius : {1e-300, 0.3, 1.0, 1e300}) {
    const Ball size = across(radius).up_to_greatest_size();
    CHECK(certainly_nonnegative(size));
    CHECK(certainly_greater_equal(size.upper(), Ball(radius)));
    CHECK(size.upper_double() < 1.01 * radius);
    CHECK(size.lower().is_exact_zero());
  }
}

TEST_CASE("integrals on a line ask for a line upward") {
  const PrecisionScope scope(128);
  const MixtureIntegral whole(sampled);
  const HalfIntegral half(Rational(1), Rational(1, 10));
  const CutIntegral cut(sampled, 3);
  for (const Ball& step : {across(0.25), Ball(-0.25)}) {
    CHECK_THROWS_AS(whole.on_line(Ball(2), step, 3, 30), std::domain_error);
    CHECK_THROWS_AS(half.on_line(Ball(2), step, 3, 30), std::domain_error);
    CHECK_THROWS_AS(cut.on_line(Ball(2), step, 3, 30), std::domain_error);
  }
  const ComplexBall both = whole.at(ComplexBall(Ball(2), across(0.25)), 60);
  for (const double s : {-0.25, -0.1, 0.0, 0.2, 0.25}) {
    CHECK(contains(both, whole.at(ComplexBall(Ball(2), Ball(s)), 60)));
  }
}

TEST_CASE("moment generating functions hold on both sides of the real axis") {
  for (const char* spec : {"pair(without_replacement, sigma=1, rate=0.1)",
                           "without_replacement(gaussian(1), 1, 10, adjacency=replace)"}) {
    check_law(*parse_spec(spec).factors()[0].mechanism->loss(Direction::remove));
  }
  check_law(CutLoss(sampled, 3, gaussian_mixture_loss(sampled, Direction::remove)));
}
