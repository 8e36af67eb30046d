#include "accountants/moments/moments.hpp"

#include "accountants/closed/closed_form.hpp"
#include "accountants/moments/moment_bounds.hpp"
#include "tests/support/containment.hpp"
#include "tests/support/losses.hpp"
#include "tests/support/random.hpp"

using namespace plaudit;
using plaudit::test::loss_from;
using plaudit::test::Random;
using plaudit::test::trials;
using plaudit::test::two_atoms;

namespace {

/// Both bands enclose the same number.
void check_meet(const Enclosure& a, const Enclosure& b) {
  CHECK(certainly_less_equal(a.lower, b.upper));
  CHECK(certainly_less_equal(b.lower, a.upper));
}

/// A one-step spec with a closed form: the reference.
std::string random_step(Random& random) {
  const auto text = [](double x) { return to_string(test::exactly(x)); };
  const double sigma = std::exp(random.uniform(-2.3, 4));
  if (random.one_in(3)) return "gaussian(sigma=" + text(sigma) + ")";
  return "poisson(gaussian(sigma=" + text(sigma) +
         "), rate=" + text(std::exp(random.uniform(-15, 0))) + ")";
}

}  // namespace

TEST_CASE("the figure of the moments accountant paper") {
  // Abadi et al. 2016: sigma = 4, q = 0.01, 10^4 steps, delta = 1e-5: epsilon = 1.26
  const ComposedLoss loss = loss_from("poisson(gaussian(sigma=4), rate=0.01)^10000");
  const Enclosure band =
      moments_integer_accountant()->open(loss, {12})->epsilon(parse_rational("1e-5"));
  CHECK(certainly_greater(band.upper, Ball(parse_rational("1.255"))));
  CHECK(certainly_less(band.upper, Ball(parse_rational("1.265"))));
  CHECK(band.method == "order 19");
  // real orders and the optimal conversion do better
  const Enclosure real = moments_accountant()->open(loss, {12})->epsilon(parse_rational("1e-5"));
  CHECK(certainly_less(real.upper, Ball(parse_rational("1.04"))));
  CHECK(certainly_greater(real.lower, Ball(parse_rational("0.67"))));
}

TEST_CASE("both accountants enclose the closed form of one step") {
  Random random(91);
  const auto closed = closed_form_accountant();
  for (int i = 0; i < trials(40); ++i) {
    const std::string spec = random_step(random);
    const auto direction = random.one_in(2) ? Direction::add : Direction::remove;
    const ComposedLoss loss = loss_from(spec, direction);
    const auto exact = closed->open(loss, {12});
    const Rational epsilon =
        test::exactly(random.one_in(4) ? 0.0 : random.sign() * std::exp(random.uniform(-8, 5)));
    const Rational delta = test::exactly(std::exp(-std::exp(random.uniform(-4, 6))));
    for (const auto& accountant : {moments_accountant(), moments_integer_accountant()}) {
      CAPTURE(spec);
      CAPTURE(name_of(direction));
      CAPTURE(to_string(epsilon));
      CAPTURE(to_string(delta));
      CAPTURE(accountant->name());
      const auto curve = accountant->open(loss, {12});
      check_meet(curve->delta(epsilon), exact->delta(epsilon));
      check_meet(curve->epsilon(delta), exact->epsilon(delta));
    }
  }
}

TEST_CASE("compositions of Gaussians: not only true, but as near as stated") {
  const auto closed = closed_form_accountant();
  for (const char* spec : {"gaussian(sigma=1)", "gaussian(sigma=10)^100", "gaussian(sigma=3)^20"}) {
    const ComposedLoss loss = loss_from(spec);
    for (const char* epsilon : {"0.1", "1", "2.5"}) {
      const Enclosure band = moments_accountant()->open(loss, {12})->delta(parse_rational(epsilon));
      const Enclosure exact = closed->open(loss, {12})->delta(parse_rational(epsilon));
      check_meet(band, exact);
      CAPTURE(spec);
      CAPTURE(epsilon);
      CHECK(certainly_less(band.upper, exact.lower * Ball(10)));
      CHECK(certainly_greater(band.lower * Ball(1000), exact.upper));
    }
  }
}

TEST_CASE("atoms and a mass at infinity") {
  const auto step = [](const ComposedLoss& loss) { return loss.terms()[0].loss; };
  Random random(92);
  for (int i = 0; i < trials(150); ++i) {
    const Rational high(random.integer(1, 60), 128);
    const Rational low(random.integer(0, 1) * random.integer(1, 60), 128);
    const ComposedLoss loss = two_atoms(random.uniform(-1, 4), high, random.uniform(-4, 1),
                                        low == 0 ? Rational(1, 128) : low);
    if (!certainly_less(step(loss)->q_mass(), Ball(1))) continue;  // Q would be no probability
    const auto curve = moments_accountant()->open(loss, {12});
    const Rational epsilon = test::exactly(random.uniform(-3, 4));
    const Enclosure band = curve->delta(epsilon);
    const PrecisionScope scope(200);
    const Ball exact = step(loss)->delta(Ball(epsilon));
    CHECK(certainly_less_equal(band.lower, exact));
    CHECK(certainly_greater_equal(band.upper, exact));
    // eps of that delta is at most epsilon, up to the radius of the exact value
    const Enclosure inverse = curve->epsilon(exact_rational(min(exact.upper(), Ball(1)).upper()));
    CHECK(certainly_less_equal(inverse.lower, max(Ball(epsilon), Ball(0))));
  }
}

TEST_CASE("trivial ends") {
  const auto curve = moments_accountant()->open(loss_from("gaussian(sigma=1)"), {12});
  CHECK(curve->epsilon(1).upper.is_exact_zero());
  CHECK_FALSE(curve->epsilon(0).lower.is_finite());
  const Enclosure far = curve->delta(parse_rational("-1000"));
  CHECK(certainly_greater(far.lower, Ball(0.999)));
  CHECK(certainly_less_equal(far.upper, Ball(1)));
  const auto add = moments_accountant()->open(
      loss_from("poisson(gaussian(sigma=1), rate=1/2)^3", Direction::add), {12});
  const Enclosure end = add->epsilon(0);
  CHECK_OVERLAPS(hull(end.lower, end.upper), Ball(3) * log(Ball(2)));
  CHECK(plaudit::test::relative_width(end.lower, end.upper) < 1e-12);
}

TEST_CASE("alpha is a lower bound of the ratio, and not far from it") {
  Random random(93);
  for (int i = 0; i < trials(60); ++i) {
    const PrecisionScope scope(96);
    LowerForm form{};
    form.t1 = std::exp(random.uniform(-4, 4));
    form.t0 = form.t1 - std::exp(random.uniform(-4, 2)) * form.t1;
    form.t2 = form.t1 + std::exp(random.uniform(-4, 2)) * form.t1;
    form.w = std::exp(random.uniform(-2, 3)) / form.t1;
    const LowerConstants constants = lower_constants(form);
    CHECK_OVERLAPS(constants.a + constants.b, Ball(1));
    const Ball k1 = Ball(form.t2) - Ball(form.t1);
    const Ball k2 = Ball(form.t1) - Ball(form.t0);
    double least = 1e300;
    for (int j = -20; j <= 220; ++j) {  // on (0, w) and outside
      const Ball x = Ball(form.w * j / 200);
      const Ball b = Ball(1) - constants.a * exp(k1 * x) - constants.b * exp(-k2 * x);
      const Ball g = exp(-Ball(form.t1) * x) * clipped_nonnegative(-expm1(-x));
      CHECK_FALSE(certainly_greater(constants.alpha * b, g));
      if (j > 0 && j < 200) least = std::min(least, (g / b).upper_double());
    }
    CHECK(constants.alpha.estimate() > 0.9 * least);
  }
}

TEST_CASE("a form without order or width proves nothing") {
  for (const LowerForm& form :
       {LowerForm{0, 1, 2, 0}, LowerForm{1, 1, 2, 1}, LowerForm{-1, 0, 2, 1}, LowerForm{0, 2, 1, 1},
        LowerForm{0, 1, 2, -1}}) {
    CHECK(lower_constants(form).alpha.is_exact_zero());
  }
}

TEST_CASE("each charged term carries weight: without it a band is wrong") {
  // A broken band either misses the value or contradicts what is trivially true of it.
  const ComposedLoss loss = loss_from("gaussian(sigma=1)");
  const Rational epsilon(1, 10);
  const Enclosure exact = closed_form_accountant()->open(loss, {12})->delta(epsilon);
  const auto holds = [&](const std::shared_ptr<const Accountant>& accountant) {
    try {
      const Enclosure band = accountant->open(loss, {12})->delta(epsilon);
      return !certainly_less(band.upper, exact.lower) &&
             !certainly_greater(band.lower, exact.upper);
    } catch (const std::logic_error&) {
      return false;
    }
  };
  const struct {
    const char* term;
    std::shared_ptr<const Accountant> accountant;
  } cases[] = {{"moments.chernoff", moments_accountant()},
               {"moments.concave", moments_accountant()},
               {"moments_integer.markov", moments_integer_accountant()}};
  for (const auto& each : cases) {
    CHECK(holds(each.accountant));
    sabotage::scale(each.term, 0);
    CHECK_FALSE(holds(each.accountant));
    sabotage::clear();
  }
}

TEST_CASE("integer orders: the mass at infinity is on top of Markov's bound") {
  // 20 steps (1, 0.01) at 19: the finite part of delta is next to nothing
  const ComposedLoss loss = loss_from("approximate(1, 0.01)^20");
  const Enclosure band = moments_integer_accountant()->open(loss, {12})->delta(19);
  const PrecisionScope scope(200);
  const Ball none = power(Ball(parse_rational("0.99")), 20);  // no step with L = inf
  const Ball all = power(Ball(1) / (Ball(1) + exp(Ball(-1))), 20);
  const Ball exact = Ball(1) - none + none * all * -expm1(Ball(-1));
  CHECK(certainly_less_equal(exact, band.upper));
  CHECK(band.upper.estimate() < 0.2);
}
