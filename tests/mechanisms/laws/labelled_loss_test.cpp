// A pair with a public label: sums over the labels, and a label that says nothing.
#include "mechanisms/laws/labelled_loss.hpp"

#include <doctest/doctest.h>

#include "lib/balls/precision.hpp"
#include "mechanisms/laws/laplace_loss.hpp"
#include "mechanisms/mixtures/gaussian_mixture_loss.hpp"
#include "support/containment.hpp"
#include "support/losses.hpp"

using namespace plaudit;

namespace {

using Law = std::shared_ptr<const PrivacyLoss>;

Law mixture(const char* sensitivity, Direction direction = Direction::remove) {
  return gaussian_mixture_loss(
      {1, {0, parse_rational(sensitivity)}, {Rational(3, 4), Rational(1, 4)}}, direction);
}

LabelledLoss labelled(const Law& one, const Law& other) {
  return LabelledLoss({{[] { return Ball(Rational(2, 3)); }, "2/3", one},
                       {[] { return Ball(Rational(1, 3)); }, "1/3", other}});
}

}  // namespace

TEST_CASE("labels that say nothing leave the law as it is") {
  const PrecisionScope scope(120);
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const Law law = mixture("1.5", direction);
    const LabelledLoss loss = labelled(law, law);
    for (const double x : {-0.2, 0.0, 0.1, 1.0}) {
      CHECK_OVERLAPS(loss.p_above(Ball(x)), law->p_above(Ball(x)));
      CHECK_OVERLAPS(loss.q_above(Ball(x)), law->q_above(Ball(x)));
      CHECK_OVERLAPS(loss.delta(Ball(x)), law->delta(Ball(x)));
      CHECK(certainly_less(loss.delta(Ball(x)).radius(), Ball(1e-25)));
      CHECK_OVERLAPS(loss.masses_at(parse_rational("0.1")).q_above,
                     law->masses_at(parse_rational("0.1")).q_above);
      CHECK_OVERLAPS(loss.tails_above({Ball(x)}).p[0], law->p_above(Ball(x)));
    }
    for (const double t : {-2.5, 0.5, 3.0}) {
      CHECK_OVERLAPS(loss.log_mgf(Ball(t)), law->log_mgf(Ball(t)));
      const Ball moment = exp(law->log_mgf(Ball(t)));
      CHECK(certainly_greater_equal(loss.mgf_upper(Ball(t), 50), moment.lower()));
      CHECK(certainly_less(loss.mgf_upper(Ball(t), 50), moment * Ball(1 + 1e-12)));
      const LineValues ours = loss.mgf_on_line(Ball(t), Ball(0.7), 5, 40);
      const LineValues theirs = law->mgf_on_line(Ball(t), Ball(0.7), 5, 40);
      const Ball beyond = loss.mgf_bound_beyond(Ball(t), Ball(1.4), 40);
      for (std::size_t k = 0; k < 5; ++k) {
        CHECK_OVERLAPS(ours.values[k].real(), theirs.values[k].real());
        CHECK_OVERLAPS(ours.values[k].imaginary(), theirs.values[k].imaginary());
        if (k >= 2) CHECK(certainly_less_equal(abs(ours.values[k]).lower(), beyond));
      }
      const CumulantEstimate at = loss.estimate_cumulant(t);
      const CumulantEstimate same = law->estimate_cumulant(t);
      CHECK(at.value == doctest::Approx(same.value));
      CHECK(at.mean == doctest::Approx(same.mean));
      CHECK(at.variance == doctest::Approx(same.variance));
      CHECK(loss.estimate_log_decay(t, 2) == doctest::Approx(law->estimate_log_decay(t, 2)));
    }
    CHECK(loss.mass_at_infinity().is_exact_zero());
    CHECK(loss.exact_q_mass() == Rational(1));
    CHECK_CONTAINS(loss.log_mgf(Ball(0)), 0);
    CHECK_CONTAINS(loss.log_mgf(Ball(-1)), 0);
  }
}

TEST_CASE("different labels: sums, and moments from the distribution function") {
  const PrecisionScope scope(120);
  const Law one = mixture("1.5");
  const Law other = std::make_shared<LaplaceLoss>(parse_rational("0.5"));
  const LabelledLoss loss = labelled(one, other);
  for (const double x : {-0.5, -0.1, 0.3, 0.5}) {
    const Ball p = (ldexp(one->p_above(Ball(x)), 1) + other->p_above(Ball(x))) / Ball(3);
    const Ball q = (ldexp(one->q_above(Ball(x)), 1) + other->q_above(Ball(x))) / Ball(3);
    CHECK_OVERLAPS(loss.p_above(Ball(x)), p);
    CHECK_OVERLAPS(loss.delta(Ball(x)), p - exp(Ball(x)) * q);
  }
  CHECK_OVERLAPS(loss.p_atom(Ball(0.5)), Ball(Rational(1, 6)));
  CHECK(loss.atoms_in(std::nullopt)->size() == 2);
  CHECK_OVERLAPS(loss.atoms_in(std::nullopt)->back().p, Ball(Rational(1, 6)));
  const double t = 1.25;
  Ball low;
  Ball high;
  const double step = 1.0 / 64;
  Ball above = loss.p_above(Ball(-1));
  for (int j = -64; j < 1280; ++j) {  // Stieltjes sums enclose the moment
    const Ball next = loss.p_above(Ball((j + 1) * step));
    low += (above - next) * exp(Ball(t * j * step));
    high += (above - next) * exp(Ball(t * (j + 1) * step));
    above = next;
  }
  CHECK(certainly_less(low, exp(loss.log_mgf(Ball(t)))));
  CHECK(certainly_less(exp(loss.log_mgf(Ball(t))), high));
}

TEST_CASE("rare labels and rare draws are moved to infinity") {
  const PrecisionScope scope(120);
  const Law law = mixture("3");
  const LabelledLoss loss({{[] { return Ball(1) - ldexp(Ball(1), -40); }, "most", law},
                           {[] { return ldexp(Ball(1), -40); }, "2^-40", mixture("9")}});
  const auto moved = loss.without_rare_draws(-25);
  REQUIRE(moved);
  const Ball mass = moved->mass_at_infinity();
  CHECK(certainly_greater_equal(mass, ldexp(Ball(1), -40).lower()));
  CHECK(certainly_less(mass, Ball(1e-8)));
  for (const double x : {-0.2, 0.5, 2.0}) {
    const Ball more = moved->delta(Ball(x)) - loss.delta(Ball(x));
    CHECK(certainly_greater_equal(more.upper(), Ball(0)));
    CHECK(certainly_less_equal(more.lower(), mass));
    CHECK_OVERLAPS(moved->p_above(Ball(x)) - exp(Ball(x)) * moved->q_above(Ball(x)),
                   moved->delta(Ball(x)));
  }
  CHECK_OVERLAPS(exp(moved->log_mgf(Ball(0))), Ball(1) - mass);
  CHECK_OVERLAPS(exp(moved->log_mgf(Ball(-1))), moved->q_mass());
  CHECK(!labelled(std::make_shared<LaplaceLoss>(Rational(1)),
                  std::make_shared<LaplaceLoss>(Rational(2)))
             .without_rare_draws(-30));
}
