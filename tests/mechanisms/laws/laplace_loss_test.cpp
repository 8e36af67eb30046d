#include "mechanisms/laws/laplace_loss.hpp"

#include <doctest/doctest.h>

#include "lib/balls/precision.hpp"
#include "support/random.hpp"

using namespace plaudit;

TEST_CASE("the two forms of the Laplace moment generating function agree") {
  test::Random random(3);
  const PrecisionScope scope(200);
  for (int i = 0; i < 50; ++i) {
    const Rational ratio = test::exactly(random.uniform(0.01, 6));
    const LaplaceLoss loss(ratio);
    const Ball a(ratio);
    const ComplexBall z(Ball(random.uniform(-5, 9)), Ball(random.uniform(-20, 20)));
    const ComplexBall v = z + z + ComplexBall(1);
    const ComplexBall one(1);
    const ComplexBall scaled = ComplexBall(a) * z;
    const ComplexBall direct =
        (exp(scaled) * (one + one / v) + exp(-scaled - ComplexBall(a)) * (one - one / v)) *
        ComplexBall(Ball(0.5));
    CHECK(overlaps(exp(loss.log_mgf(z)), direct));
    CHECK(certainly_less_equal(abs(direct).lower(),
                               loss.mgf_bound_beyond(z.real(), abs(z.imaginary()).lower(), 20)));
    const Ball t = z.real();
    CHECK(overlaps(loss.log_mgf(ComplexBall(t)).real(), loss.log_mgf(t)));
    CHECK(std::fabs(loss.estimate_cumulant(t.estimate()).value - loss.log_mgf(t).estimate()) <
          1e-9 * (1 + std::fabs(loss.log_mgf(t).estimate())));
  }
  const LaplaceLoss loss(Rational(1, 3));
  CHECK(contains(loss.log_mgf(Ball(0)), Ball(0)));
  CHECK(contains(loss.log_mgf(Ball(-1)), Ball(0)));
  CHECK(loss.log_mgf(Ball(-0.5)).is_finite());  // v = 0 is removable
}

TEST_CASE("Laplace distribution functions and atoms fit together") {
  const PrecisionScope scope(128);
  const LaplaceLoss loss(Rational(3, 2));
  CHECK(contains(loss.p_atom(Ball(1.5)), Ball(0.5)));
  CHECK(loss.p_atom(Ball(1.25)).is_exact_zero());
  CHECK(loss.p_above(Ball(1.5)).is_exact_zero());
  CHECK(contains(loss.q_above(Ball(-1.5)), Ball(0.5)));
  const Ball wide = widened(Ball(1.5), Ball(0.01));  // may lie on either side of the atom
  CHECK(contains(loss.p_above(wide), Ball(0)));
  CHECK(contains(loss.p_above(wide), Ball(0.5)));
  // variance and mean by differences of the cumulant function
  const double h = 1e-4;
  const auto k = [&](double t) { return loss.log_mgf(Ball(t)).estimate(); };
  for (const double t : {-3.0, -0.5, 0.7, 4.0}) {
    const CumulantEstimate at = loss.estimate_cumulant(t);
    CHECK(std::fabs(at.mean - (k(t + h) - k(t - h)) / (2 * h)) < 1e-6);
    CHECK(std::fabs(at.variance - (k(t + h) - 2 * k(t) + k(t - h)) / (h * h)) < 1e-5);
  }
}

TEST_CASE("sampled Laplace: the bound beyond a height holds there, and needs its decaying term") {
  test::Random random(8);
  const PrecisionScope scope(120);
  int above_atoms = 0;
  int below_whole = 0;
  for (int i = 0; i < test::trials(60); ++i) {
    const Rational ratio = test::exactly(random.uniform(0.05, 4));
    const Rational rate = test::exactly(random.uniform(0.01, 0.99));
    const Direction direction = random.one_in(2) ? Direction::remove : Direction::add;
    const auto loss = LaplaceLoss(ratio).sampled(rate, direction);
    const Ball t(random.uniform(-4, 6));
    const Ball s(random.uniform(0, 300));
    const Ball bound = loss->mgf_bound_beyond(t, s, 20);
    const Ball whole = exp(loss->log_mgf(t));
    below_whole += certainly_less(bound, whole * Ball(0.999)) ? 1 : 0;
    // masses of both atoms, tilted
    const Ball ends[] = {loss->least_loss(), loss->greatest_loss()};
    Ball atoms;
    for (const Ball& end : ends) atoms += exp(t * end) * loss->p_atom(end).upper();
    for (const double further : {0.0, 0.37, 3.1, 250.0}) {
      const Ball size = abs(exp(loss->log_mgf(ComplexBall(t, s + Ball(further)))));
      CHECK(certainly_less_equal(size.lower(), bound));
      above_atoms += certainly_greater(size, atoms) ? 1 : 0;
    }
    const double estimate = loss->estimate_log_decay(t.estimate(), s.estimate());
    CHECK(std::fabs(estimate - log(bound / whole).estimate()) < 1e-3);
  }
  CHECK(below_whole > test::trials(60) / 2);
  CHECK(above_atoms > 0);
}
