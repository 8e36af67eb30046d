// Distribution functions, density and one-step curve of the privacy loss of a mixture, both
// directions: against a table made by other means, and against each other.
#include "mechanisms/mixtures/mixture_loss.hpp"

#include <doctest/doctest.h>

#include "mechanisms/mixtures/gaussian_mixture_loss.hpp"
#include "mechanisms/mixtures/likelihood_ratio.hpp"
#include "support/containment.hpp"
#include "support/curves.hpp"
#include "support/mixtures.hpp"
#include "support/reference_table.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

std::shared_ptr<const PrivacyLoss> loss_of_row(const std::vector<std::string>& row) {
  return gaussian_mixture_loss(mixture_of(row[0]), direction_named(row[1]));
}

Ball number(const std::string& text) {
  return text == "0" || text == "0.0" ? Ball(0) : printed(text, 42);
}

}  // namespace

TEST_CASE("one-step values against mpmath, at three precisions") {
  for (const auto& row : reference_table("one_step.tsv")) {
    const auto loss = loss_of_row(row);
    for (const long bits : {53L, 128L, 400L}) {
      const PrecisionScope scope(bits);
      const Ball epsilon(parse_rational(row[2]));
      const Ball delta = loss->delta(epsilon);
      const Ball p = loss->p_above(epsilon);
      const Ball q = loss->q_above(epsilon);
      const PrecisionScope wide(500);
      INFO(row[0], ", ", row[1], ", epsilon ", row[2], ", ", bits, " bits");
      CHECK_OVERLAPS(p, number(row[4]));
      CHECK_OVERLAPS(q, number(row[5]));
      CHECK_OVERLAPS(delta, number(row[3]));
      if (certainly_positive(number(row[4]))) {
        CHECK((p.radius() / p).estimate_log() < -0.69 * static_cast<double>(bits) + 14);
      }
    }
  }
}

TEST_CASE("normal distribution functions where f = e^x has a simple root") {
  // sigma = 1, q = 1/2, y = log(2 e^x - 1) + 1/2
  const auto loss =
      gaussian_mixture_loss(mixture_of("poisson(gaussian(sigma=1), rate=0.5)"), Direction::remove);
  const PrecisionScope scope(150);
  for (const double x : {-0.5, 0.0, 0.75, 4.0, 30.0}) {
    const Ball y = log(Ball(2) * exp(Ball(x)) - Ball(1)) + Ball(0.5);
    CHECK_OVERLAPS(loss->q_above(Ball(x)), normal_cdf(-y));
    CHECK_OVERLAPS(loss->p_above(Ball(x)), (normal_cdf(-y) + normal_cdf(Ball(1) - y)) / Ball(2));
  }
}

TEST_CASE("the swapped pair: P_add(L > x) + Q_remove(L > -x) = 1, and the like") {
  Random random(21);
  for (int i = 0; i < trials(120); ++i) {
    const GaussianMixture mixture = random_mixture(random);
    const auto remove = gaussian_mixture_loss(mixture, Direction::remove);
    const auto add = gaussian_mixture_loss(mixture, Direction::add);
    if (mixture.sensitivities.size() == 1) continue;
    const PrecisionScope scope(random.precision());
    const Ball x(random.one_in(5) ? 0 : random.uniform(-1, 1) * std::exp(random.uniform(-9, 3)));
    INFO(spec_of(mixture), ", x ", x.estimate());
    CHECK_CONTAINS(add->p_above(x) + remove->q_above(-x), 1);
    CHECK_CONTAINS(add->q_above(x) + remove->p_above(-x), 1);
    // delta_add(x) = delta_remove(-x) e^x + 1 - e^x
    CHECK_OVERLAPS(add->delta(x), exp(x) * remove->delta(-x) - expm1(x));
    CHECK(add->p_atom(x).is_exact_zero());
    // dP = e^L dQ: where L > x, P > e^x Q
    CHECK(!certainly_less(remove->p_above(x), exp(x) * remove->q_above(x)));
  }
}

TEST_CASE("density by the mean value theorem") {
  // The density over a ball of x contains its mean there, the quotient of the difference of P.
  Random random(22);
  int tested = 0;
  for (int i = 0; i < trials(100); ++i) {
    const GaussianMixture mixture = random_mixture(random);
    const Direction direction = random.one_in(2) ? Direction::remove : Direction::add;
    const auto loss = gaussian_mixture_loss(mixture, direction);
    const PrecisionScope scope(200);
    const Ball low(random.uniform(-1.5, 3));
    const Ball high = low + ldexp(Ball(1), -20);
    const std::optional<Ball> density = loss->density(hull(low, high));
    const Ball mean = (loss->p_above(low) - loss->p_above(high)) / (high - low);
    INFO(spec_of(mixture), ", ", std::string(name_of(direction)), ", x ", low.estimate());
    if (!density || !density->is_finite()) continue;
    ++tested;
    CHECK_OVERLAPS(*density, mean);
    // narrow enough to say something
    if (certainly_greater(mean, Ball(1e-6))) CHECK_WIDTH_BELOW(*density, 0.1);
  }
  CHECK(tested > trials(100) / 2);
}

TEST_CASE("density under P and Q integrates: E e^-L = 1") {
  // sum over cells of [min, max] of the density times the cell, against the masses
  const auto loss =
      gaussian_mixture_loss(mixture_of("poisson(gaussian(sigma=2), rate=0.3)"), Direction::remove);
  const PrecisionScope scope(100);
  const Ball low(-0.25), high(2);
  const int cells = 400;
  const Ball width = (high - low) / Ball(cells);
  Ball p_mass, q_mass;
  for (int k = 0; k < cells; ++k) {
    const Ball cell = hull(low + width * Ball(k), low + width * Ball(k + 1));
    const auto density = loss->density(cell);
    REQUIRE(density);
    p_mass += *density * width;
    q_mass += *density * exp(-cell) * width;
  }
  CHECK_CONTAINS(p_mass, loss->p_above(low) - loss->p_above(high));
  CHECK_CONTAINS(q_mass, loss->q_above(low) - loss->q_above(high));
  CHECK_WIDTH_BELOW(p_mass, 0.1);
}

TEST_CASE("balls of x enclose the values at their points") {
  Random random(23);
  for (int i = 0; i < trials(60); ++i) {
    const GaussianMixture mixture = random_mixture(random);
    const Direction direction = random.one_in(2) ? Direction::remove : Direction::add;
    const auto loss = gaussian_mixture_loss(mixture, direction);
    const PrecisionScope scope(90);
    const Ball x = widened(Ball(random.uniform(-2, 3)), Ball(std::exp(random.uniform(-30, 0))));
    INFO(spec_of(mixture), ", ", std::string(name_of(direction)), ", x ", show(x));
    for (const Ball& point : {x.lower(), x.upper(), x.middle()}) {
      CHECK_OVERLAPS(loss->p_above(x), loss->p_above(point));
      const PrecisionScope precise(300);
      const Ball p = loss->p_above(point);
      const Ball q = loss->q_above(point);
      const PrecisionScope same(90);
      CHECK_CONTAINS(loss->p_above(x), p);
      CHECK_CONTAINS(loss->q_above(x), q);
    }
  }
}

TEST_CASE("trivial ranges are exact") {
  for (const char* spec : {"poisson(gaussian(sigma=1), rate=0.25)",
                           "mixture(sigma=2, sensitivities=[0, 1, 3], probabilities=[3/4, 1/8, "
                           "1/8])"}) {
    // L >= log(3/4) = -0.2876... under remove, L <= 0.2876... under add
    const auto remove = gaussian_mixture_loss(mixture_of(spec), Direction::remove);
    const auto add = gaussian_mixture_loss(mixture_of(spec), Direction::add);
    const PrecisionScope scope(100);
    for (const double x : {-0.2877, -1.0, -50.0}) {
      CHECK((remove->p_above(Ball(x)) - Ball(1)).is_exact_zero());
      CHECK((remove->q_above(Ball(x)) - Ball(1)).is_exact_zero());
      CHECK_OVERLAPS(remove->delta(Ball(x)), -expm1(Ball(x)));
      CHECK(add->p_above(Ball(-x)).is_exact_zero());
      CHECK(add->q_above(Ball(-x)).is_exact_zero());
      CHECK(add->delta(Ball(-x)).is_exact_zero());
      const auto outside = remove->density(Ball(x));
      REQUIRE(outside);
      CHECK(outside->is_exact_zero());
    }
    CHECK(certainly_less(remove->p_above(Ball(-0.1)), Ball(1)));
    CHECK(certainly_positive(add->p_above(Ball(0.1))));
    const PrecisionScope precise(200);
    CHECK_OVERLAPS(remove->least_loss(), log(Ball(Rational(3, 4))));
    CHECK_OVERLAPS(add->greatest_loss(), -log(Ball(Rational(3, 4))));
    CHECK(!remove->greatest_loss().is_finite());
    CHECK(!add->least_loss().is_finite());
  }
  // without a component at 0 the support is the whole line, both ways
  const auto loss = gaussian_mixture_loss(
      mixture_of("mixture(sigma=1, sensitivities=[1, 2], probabilities=[1/2, 1/2])"),
      Direction::remove);
  const PrecisionScope scope(100);
  CHECK(!loss->least_loss().is_finite());
  CHECK(!loss->greatest_loss().is_finite());
  CHECK(certainly_less(loss->p_above(Ball(-8)), Ball(1)));
  CHECK(certainly_positive(loss->q_above(Ball(30))));
}

TEST_CASE("beyond all losses nothing lies, above minus infinity everything") {
  const PrecisionScope scope(100);
  for (const char* spec :
       {"poisson(gaussian(sigma=1), rate=0.25)",
        "mixture(sigma=1, sensitivities=[1, 2], probabilities=[1/2, 1/2])",
        "mixture(sigma=2, sensitivities=[0, 1, 3], probabilities=[3/4, 1/8, 1/8])"}) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const auto loss = gaussian_mixture_loss(mixture_of(spec), direction);
      CAPTURE(std::string(spec));
      CHECK(loss->p_above(positive_infinity()).is_exact_zero());
      CHECK(loss->q_above(positive_infinity()).is_exact_zero());
      CHECK((loss->p_above(-positive_infinity()) - Ball(1)).is_exact_zero());
      CHECK((loss->q_above(-positive_infinity()) - Ball(1)).is_exact_zero());
    }
  }
}

TEST_CASE("at the very end of the support nothing is claimed that is not known") {
  const auto remove =
      gaussian_mixture_loss(mixture_of("poisson(gaussian(sigma=1), rate=0.25)"), Direction::remove);
  const PrecisionScope scope(80);
  const Ball end = log(Ball(Rational(3, 4)));  // a ball around the end
  CHECK_CONTAINS(remove->p_above(end), 1);
  CHECK_OVERLAPS(remove->delta(end), Ball(Rational(1, 4)));
  // P(L > x) close to the end, where y -> -inf slowly
  const Ball close = remove->p_above(end.upper() + ldexp(Ball(1), -60));
  CHECK_OVERLAPS(close, remove->p_above(end.upper() + ldexp(Ball(1), -60)));
  CHECK(!certainly_greater(close, Ball(1)));
}
