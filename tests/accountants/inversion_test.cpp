#include "accountants/inversion.hpp"

#include "accountants/closed/closed_form.hpp"
#include "lib/work/work_limit.hpp"
#include "tests/support/containment.hpp"
#include "tests/support/losses.hpp"
#include "tests/support/random.hpp"

using namespace plaudit;
using plaudit::test::loss_from;
using plaudit::test::Random;
using plaudit::test::relative_width;
using plaudit::test::trials;
using plaudit::test::two_atoms;

namespace {

Crossing invert(const ComposedLoss& loss, const Rational& delta, long bits = 50) {
  return invert_curve(
      loss, [&](const Ball& x) { return loss.terms()[0].loss->delta(x); }, delta, Ball(1), bits);
}

bool is_infinite(const Ball& x) { return !x.is_finite() && certainly_greater(x, Ball(0)); }

}  // namespace

TEST_CASE("the cases that need no search") {
  const ComposedLoss gaussian = loss_from("gaussian(sigma=1)");
  const ComposedLoss atoms = two_atoms(1.5, Rational(1, 2), -1, Rational(1, 4));  // m_inf = 1/4
  SUBCASE("delta(0) <= delta") {
    for (const char* delta : {"1", "0.9", "0.5", "0.3830"}) {
      const Crossing found = invert(gaussian, parse_rational(delta));
      CHECK(found.upper.is_exact_zero());
      CHECK(found.lower.is_exact_zero());
    }
  }
  SUBCASE("delta = 0 and no finite end of the loss") {
    const Crossing found = invert(gaussian, 0);
    CHECK(is_infinite(found.lower));
    CHECK(is_infinite(found.upper));
  }
  SUBCASE("delta = 0 and a finite end: the end, not a search") {
    const ComposedLoss add = loss_from("poisson(gaussian(sigma=2), rate=1/4)", Direction::add);
    const Crossing found = invert(add, 0);
    CHECK(relative_width(found.lower, found.upper) < 1e-14);
    const Ball exact = -log(Ball(Rational(3, 4)));
    CHECK_OVERLAPS(hull(found.lower, found.upper), exact);
  }
  SUBCASE("less than the mass at infinity") {
    const Crossing found = invert(atoms, Rational(1, 5));
    CHECK(is_infinite(found.lower));
  }
  SUBCASE("exactly the mass at infinity: the greatest finite loss") {
    const Crossing found = invert(atoms, Rational(1, 4));
    CHECK_CONTAINS(found.lower, "1.5");
    CHECK_CONTAINS(found.upper, "1.5");
    const Crossing negative =
        invert(two_atoms(-1, Rational(1, 2), -2, Rational(1, 4)), Rational(1, 4));
    CHECK(negative.upper.is_exact_zero());
  }
  SUBCASE("a mass at infinity that is no dyadic number stays undecided, not wrong") {
    const ComposedLoss thirds = two_atoms(1.5, Rational(1, 3), -1, Rational(1, 3));
    const Crossing found = invert(thirds, Rational(1, 3));
    CHECK(certainly_less_equal(found.lower, Ball(1.5)));
    CHECK(certainly_greater_equal(found.upper, Ball(1.5)));
  }
}

TEST_CASE("atoms: the curve has kinks and ends") {
  // delta(eps) = 1/4 + (1/2)(1 - e^{eps - 1.5}) on [0, 1.5]
  const ComposedLoss atoms = two_atoms(1.5, Rational(1, 2), -1, Rational(1, 4));
  Random random(71);
  for (int i = 0; i < trials(40); ++i) {
    const PrecisionScope scope(256);
    const Rational delta = Rational(1, 4) + Rational(random.integer(1, 380), 1000);
    const Crossing found = invert(atoms, delta);
    const Ball exact = Ball(1.5) + log1p(-(Ball(delta) - Ball(0.25)) * Ball(2));
    CAPTURE(to_string(delta));
    CHECK(certainly_less_equal(found.lower, exact));
    CHECK(certainly_greater_equal(found.upper, exact));
    CHECK(relative_width(found.lower, found.upper) < 1e-14);
  }
}

TEST_CASE("a tiny delta next to the end of the support") {
  const ComposedLoss add = loss_from("poisson(gaussian(sigma=0.1), rate=1e-9)", Direction::add);
  const PrecisionScope scope(300);
  const Crossing found = invert(add, parse_rational("1e-1000"));
  CHECK(relative_width(found.lower, found.upper) < 1e-14);
  CHECK(certainly_less_equal(found.upper, add.greatest_loss() * Ball(1 + 1e-15)));
}

TEST_CASE("epsilon of delta of epsilon") {
  Random random(72);
  for (int i = 0; i < trials(60); ++i) {
    const PrecisionScope scope(300);
    const double rate = std::exp(random.uniform(-9, 0));
    const double sigma = std::exp(random.uniform(-1.5, 2));
    const auto direction = random.one_in(2) ? Direction::add : Direction::remove;
    const std::string spec = "poisson(gaussian(sigma=" + to_string(test::exactly(sigma)) +
                             "), rate=" + to_string(test::exactly(rate)) + ")";
    const ComposedLoss loss = loss_from(spec, direction);
    double epsilon = std::exp(random.uniform(-6, 3));
    if (direction == Direction::add) {
      epsilon = loss.greatest_loss().estimate() * random.uniform(0.01, 0.999);
    }
    const Ball delta = loss.terms()[0].loss->delta(Ball(epsilon));
    if (!certainly_positive(delta)) continue;
    CAPTURE(spec);
    CAPTURE(epsilon);
    const Crossing below = invert(loss, exact_rational(delta.upper()));
    const Crossing above = invert(loss, exact_rational(delta.lower()));
    CHECK(certainly_less_equal(below.lower, Ball(epsilon)));
    CHECK(certainly_greater_equal(above.upper, Ball(epsilon)));
    CHECK(relative_width(below.lower, below.upper) < 1e-14);
  }
}

TEST_CASE("an enclosure that says nothing leaves [0, inf]") {
  const ComposedLoss loss = loss_from("gaussian(sigma=1)");
  const Crossing found = invert_curve(
      loss, [](const Ball&) { return ldexp(widened(Ball(1), Ball(1)), -1); }, Rational(1, 100),
      Ball(1), 50);
  CHECK(certainly_less_equal(found.lower, Ball(0)));
  CHECK(is_infinite(found.upper));
}

TEST_CASE("bits that are missing") {
  const PrecisionScope scope(100);
  CHECK(missing_bits(Ball(1), Ball(1), 50) == 0);
  CHECK(missing_bits(Ball(0), Ball(0), 50) == 0);
  CHECK(missing_bits(positive_infinity(), positive_infinity(), 50) == 0);
  CHECK(missing_bits(Ball(0), positive_infinity(), 50) == 100);
  CHECK(missing_bits(Ball(0), Ball(1), 50) >= 50);
  CHECK(missing_bits(Ball(1), Ball(1) + ldexp(Ball(1), -40), 50) >= 10);
  CHECK(missing_bits(Ball(1), Ball(1) + ldexp(Ball(1), -60), 50) == 0);
}

TEST_CASE("a delta just below the mass at infinity, closer than the balls can tell") {
  // m_inf = 1/3: no epsilon has delta(eps) <= delta, and none may be claimed
  const ComposedLoss atoms = two_atoms(1.5, Rational(1, 2), -1, Rational(1, 6));
  const Rational delta = Rational(1, 3) - parse_rational("1e-45");
  CHECK(is_infinite(invert(atoms, delta).upper));
  CHECK(is_infinite(greatest_epsilon(atoms, delta)));
  CHECK(is_infinite(greatest_epsilon(atoms, Rational(1, 5))));
  CHECK_CONTAINS(greatest_epsilon(atoms, Rational(1, 2)), "1.5");
}

TEST_CASE("a search that is ended keeps what the values have shown") {
  const ComposedLoss gaussian = loss_from("gaussian(sigma=1)");
  const Rational delta(1, 100000);
  const Crossing truth = invert(gaussian, delta, 60);
  int narrowed = 0;
  int wide = 0;
  for (int i = 0; i < 96; ++i) {
    const int most = i / 8;
    const int parity = i % 2;
    const Ball factor(i % 4 < 2 ? 2 : 1000);
    const Ball guess(i % 8 < 4 ? 3 : 6);  // on either side of the crossing
    int calls = 0;
    bool told = false;  // a value tells on which side it is
    // Every other value is too wide to tell on which side it is.
    const auto curve = [&](const Ball& x) {
      if (calls++ == most) throw WorkShareReached();
      const Ball value = gaussian.terms()[0].loss->delta(x);
      const Ball seen = calls % 2 == parity ? hull(value / factor, value * factor) : value;
      told = told || certainly_less_equal(seen, Ball(delta)) ||
             (certainly_positive(x) && certainly_greater(seen, Ball(delta)));
      return seen;
    };
    try {
      const Crossing found = invert_curve(gaussian, curve, delta, guess, 60);
      CHECK(certainly_less_equal(found.lower, truth.upper));
      CHECK(certainly_less_equal(truth.lower, found.upper));
      (found.upper.is_finite() && certainly_positive(found.lower) ? narrowed : wide) += 1;
    } catch (const WorkLimitReached&) {
      CHECK(!told);
    }
  }
  CHECK(narrowed > 0);
  CHECK(wide > 0);
}
