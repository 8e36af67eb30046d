// Taylor polynomials of the density against the density itself, at many more bits.
#include "mechanisms/cells/density_series.hpp"

#include "lib/balls/error_term.hpp"
#include "mechanisms/mixtures/gaussian_mixture_loss.hpp"
#include "support/containment.hpp"
#include "support/mixtures.hpp"
#include "support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

struct Comparison {
  int series = 0;  ///< that were compared
  int wrong = 0;   ///< points where the remainder was too small
  int degree_sum = 0;
};

/// The polynomial of the greatest radius that is found about random losses, at random points.
Comparison compared(Random& random, int count) {
  Comparison result;
  for (int i = 0; i < count; ++i) {
    const GaussianMixture mixture = random_mixture(random);
    const auto direction = random.one_in(2) ? Direction::add : Direction::remove;
    const auto loss = gaussian_mixture_loss(mixture, direction);
    const double centre = random.uniform(-1, 4) * (random.one_in(2) ? 0.02 : 1);
    std::optional<DensityPolynomial> found;
    double radius = 2;
    {
      const PrecisionScope scope(200);
      const DensitySeries series(mixture, direction);
      for (int k = 0; k < 30 && !found; ++k) {
        radius /= 2;
        found = series.about(centre, radius);
      }
    }
    if (!found) continue;
    ++result.series;
    result.degree_sum += static_cast<int>(found->coefficients.size());
    const PrecisionScope scope(400);
    for (int k = 0; k < 4; ++k) {
      const double x = k == 0 ? 1 : k == 1 ? -1 : random.uniform(-1, 1);
      Ball sum;
      for (std::size_t m = found->coefficients.size(); m-- > 0;) {
        sum = sum * Ball(x) + found->coefficients[m];
      }
      const std::optional<Ball> density = loss->density(Ball(centre) + Ball(radius) * Ball(x));
      REQUIRE(density);
      CAPTURE(spec_of(mixture));
      CAPTURE(centre);
      if (certainly_greater(abs(*density - sum), found->remainder)) ++result.wrong;
    }
  }
  return result;
}

}  // namespace

TEST_CASE("the density is within the remainder of its Taylor polynomial") {
  Random random(421);
  const Comparison result = compared(random, trials(300));
  CHECK(result.wrong == 0);
  CHECK(result.series > trials(300) / 2);
}

TEST_CASE("without its remainder the polynomial is not the density") {
  sabotage::scale("blocks.taylor", 0);
  Random random(422);
  const Comparison result = compared(random, 100);
  sabotage::clear();
  CHECK(result.wrong > 10);
}

TEST_CASE("the plain Gaussian, and losses that do not occur") {
  const PrecisionScope scope(128);
  const GaussianMixture gaussian{1, {1}, {1}};
  const auto found = DensitySeries(gaussian, Direction::add).about(0.25, 0.0625);
  REQUIRE(found);
  CHECK_OVERLAPS(found->coefficients[0],
                 *gaussian_mixture_loss(gaussian, Direction::add)->density(Ball(0.25)));
  const GaussianMixture sampled{1, {0, 1}, {Rational(99, 100), Rational(1, 100)}};
  CHECK_FALSE(DensitySeries(sampled, Direction::remove).about(-0.5, 0x1p-20));
  CHECK_FALSE(DensitySeries(sampled, Direction::add).about(0.5, 0x1p-20));
}
