// The two-point law against its four outcomes written out, and the specs it stands for.
#include "mechanisms/laws/two_point_loss.hpp"

#include <doctest/doctest.h>

#include "mechanisms/laws/lattice_law.hpp"
#include "mechanisms/spec_error.hpp"
#include "support/containment.hpp"
#include "support/losses.hpp"
#include "support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

std::shared_ptr<const TwoPointLoss> one_step(const std::string& spec) {
  return std::dynamic_pointer_cast<const TwoPointLoss>(loss_from(spec).terms()[0].loss);
}

std::string refusal(const std::string& spec) {
  try {
    parse_spec(spec);
  } catch (const SpecError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("the two-point law is that of its four outcomes") {
  Random random(17);
  for (int i = 0; i < trials(60); ++i) {
    const PrecisionScope scope(random.integer(64, 300));
    const Rational epsilon = exactly(random.uniform(0.001, 8));
    const Rational delta = random.one_in(3) ? Rational(0) : exactly(random.uniform(0, 0.9));
    const auto loss = TwoPointLoss::of_epsilon(epsilon, delta);
    const Ball e(epsilon);
    const Ball high = Ball(Rational(1 - delta)) * exp(e) / (Ball(1) + exp(e));
    const Ball low = Ball(Rational(1 - delta)) / (Ball(1) + exp(e));
    INFO("epsilon ", to_string(epsilon), ", delta ", to_string(delta));

    const ComplexBall z(Ball(random.uniform(-9, 9)), Ball(random.uniform(-9, 9)));
    const ComplexBall direct =
        ComplexBall(high) * exp(z * ComplexBall(e)) + ComplexBall(low) * exp(-z * ComplexBall(e));
    CHECK(overlaps(exp(loss->log_mgf(z)), direct));
    CHECK(exp(loss->log_mgf(z)).is_finite());
    const Ball t = z.real();
    CHECK_OVERLAPS(loss->log_mgf(t), log(high * exp(t * e) + low * exp(-t * e)));
    CHECK(certainly_less_equal(abs(direct).lower(), loss->mgf_bound_beyond(t, Ball(1), 30)));
    CHECK_OVERLAPS(exp(loss->log_mgf(Ball(0))), Ball(Rational(1 - delta)));
    CHECK_OVERLAPS(exp(loss->log_mgf(Ball(-1))), loss->q_mass());

    const Ball x(random.uniform(-9, 9));
    CHECK_OVERLAPS(loss->delta(x), loss->p_above(x) - exp(x) * loss->q_above(x));
    // piecewise linear in e^x between the points of (eps, delta)-privacy
    CHECK_OVERLAPS(loss->delta(e), Ball(delta));
    CHECK_OVERLAPS(loss->delta(-e), Ball(1) - Ball(Rational(1 - delta)) * exp(-e));
    CHECK_OVERLAPS(loss->delta(Ball(0)), Ball(delta) + Ball(Rational(1 - delta)) *
                                                           (exp(e) - Ball(1)) / (exp(e) + Ball(1)));

    const auto lattice = loss->lattice();
    REQUIRE(lattice != nullptr);
    CHECK_OVERLAPS(lattice->point(0), -e);
    CHECK_OVERLAPS(lattice->point(1), e);
    CHECK_OVERLAPS(lattice->mgf(t), exp(loss->log_mgf(t)));
    CHECK_OVERLAPS(lattice->infinite, Ball(delta));

    const double at = t.estimate();
    const CumulantEstimate k = loss->estimate_cumulant(at);
    const double h = 1e-4;
    const auto value = [&](double u) { return loss->estimate_cumulant(u).value; };
    CHECK(std::fabs(k.value - loss->log_mgf(t).estimate()) < 1e-9 * (1 + std::fabs(k.value)));
    CHECK(std::fabs(k.mean - (value(at + h) - value(at - h)) / (2 * h)) < 1e-4);
    CHECK(std::fabs(k.variance - (value(at + h) - 2 * value(at) + value(at - h)) / (h * h)) < 1e-2);
  }
}

TEST_CASE("tails at the atoms of the two-point law") {
  const PrecisionScope scope(128);
  const auto loss = TwoPointLoss::of_epsilon(Rational(1, 2), Rational(1, 4));
  const Ball e(0.5);
  const Ball high = Ball(0.75) / (Ball(1) + exp(-e));
  CHECK(overlaps(loss->p_above(e),
                 Ball(0.25)));  // strictly above the upper atom: the mass at infinity
  CHECK(loss->p_above(e).is_exact());
  CHECK_OVERLAPS(loss->p_above(Ball(0.25)), Ball(0.25) + high);
  CHECK_OVERLAPS(loss->p_above(Ball(-0.5)), Ball(0.25) + high);
  CHECK_OVERLAPS(loss->p_above(Ball(-0.75)), Ball(1));
  CHECK(loss->q_above(e).is_exact_zero());
  CHECK_OVERLAPS(loss->q_above(Ball(-1)), Ball(0.75));
  CHECK_OVERLAPS(loss->p_atom(e), high);
  CHECK(loss->p_atom(Ball(0.25)).is_exact_zero());
  const Ball wide = widened(e, Ball(0.001));  // on either side of the atom
  CHECK_CONTAINS(loss->p_above(wide), Ball(0.25));
  CHECK(certainly_less_equal((Ball(0.25) + high).lower(), loss->p_above(wide).upper()));
  CHECK(loss->delta(wide).upper_double() < 0.252);
  // 1/10 is no dyadic number: an atom there is never certain
  const auto tenth = TwoPointLoss::of_epsilon(Rational(1, 10), 0);
  CHECK_CONTAINS(tenth->p_atom(Ball(Rational(1, 10))), Ball(0));
  CHECK(tenth->delta(Ball(Rational(1, 10))).upper_double() < 1e-36);
}

TEST_CASE("randomized response by its probability") {
  const PrecisionScope scope(200);
  const auto loss = one_step("randomized_response(probability=0.75)");
  REQUIRE(loss != nullptr);
  CHECK_OVERLAPS(loss->epsilon(), log(Ball(3)));
  CHECK_FALSE(loss->rational_epsilon());
  CHECK_OVERLAPS(loss->p_above(Ball(0)), Ball(0.75));
  CHECK_OVERLAPS(loss->q_above(Ball(0)), Ball(0.25));
  CHECK_OVERLAPS(loss->delta(Ball(0)), Ball(0.5));
  CHECK(loss->epsilon().relative_accuracy_bits() > 190);
  {
    const PrecisionScope more(1000);
    CHECK(loss->epsilon().relative_accuracy_bits() > 990);
  }
  const auto same = one_step("randomized_response(1.5)");
  CHECK_OVERLAPS(same->delta(Ball(0.5)), one_step("pure(1.5)")->delta(Ball(0.5)));
}

TEST_CASE("(0, delta)-privacy: one finite point") {
  const auto loss = one_step("approximate(0, 0.125)");
  CHECK_OVERLAPS(loss->delta(Ball(0)), Ball(0.125));
  CHECK_OVERLAPS(loss->delta(Ball(-1)), Ball(1) - Ball(0.875) * exp(Ball(-1)));
  CHECK_OVERLAPS(loss->p_atom(Ball(0)), Ball(0.875));
  CHECK_OVERLAPS(loss->lattice()->mgf(Ball(2)), Ball(0.875));
}

TEST_CASE("specs of two-point mechanisms") {
  for (const char* spec :
       {"pure(epsilon=0.1)", "approximate(epsilon=0.1, delta=1e-8)",
        "approximate(epsilon=0, delta=0.5)", "randomized_response(epsilon=1/3)",
        "randomized_response(probability=0.75)", "pure(epsilon=0.1)^1000 * pure(epsilon=0.2)"}) {
    CHECK(parse_spec(spec).spec() == spec);
    CHECK(parse_spec(spec).symmetric());
  }
  CHECK(parse_spec("pure(0.10)").spec() == "pure(epsilon=0.1)");
  for (const char* spec :
       {"pure(0)", "pure(-1)", "approximate(-1, 0.1)", "approximate(1, 1)", "approximate(1, -0.1)",
        "approximate(1)", "randomized_response(0)", "randomized_response(probability=0.5)",
        "randomized_response(probability=1)", "randomized_response(epsilon=1, probability=0.6)"}) {
    INFO(std::string(spec));
    CHECK(refusal(spec) != "");
  }
  CHECK(refusal("poisson(randomized_response(1), rate=0.1)").find("poisson: mechanism must be") ==
        0);
  CHECK(refusal("group(pure(1), size=2)").find("group: mechanism must be") == 0);
}
