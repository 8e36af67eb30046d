// The law of a composition through the public interface: tails, atoms, quantiles.
// Reference numbers: mpmath at 60 digits, N(7/8, 7/4) and N(-7/8, 7/4).
#include <plaudit/plaudit.hpp>

#include <doctest/doctest.h>

#include <string>

using plaudit::Direction;
using plaudit::Interval;
using plaudit::PrivacyLoss;
using plaudit::Real;

namespace {

bool contains_to_46_digits(const Interval& x, const char* value) {
  const Real exact(value, 80);
  return x.lower <= exact * Real("1.0000000000000000000000000000000000000000000001", 60) &&
         exact <= x.upper * Real("1.0000000000000000000000000000000000000000000001", 60);
}

bool narrower_than(const Interval& x, const char* relative) {
  return x.upper - x.lower <= x.upper * Real(relative, 30);
}

}  // namespace

TEST_CASE("a composition of Gaussians is normal") {
  const PrivacyLoss loss(plaudit::parse("gaussian(sigma=2)^7"), Direction::remove);
  CHECK(contains_to_46_digits(loss.p_above(0),
                              "0.74583421322392729798839699755027218982241085630013"));
  CHECK(contains_to_46_digits(loss.q_above(0),
                              "0.25416578677607270201160300244972781017758914369987"));
  const Interval p = loss.p_above("1/3", 30);
  CHECK(contains_to_46_digits(p, "0.65889949706544013968484592507963040914125225054808"));
  CHECK(narrower_than(p, "1e-30"));
  CHECK(contains_to_46_digits(loss.p_above(6),
                              "0.000053501856978431010051663012061024245172729771334957"));
  CHECK(contains_to_46_digits(loss.q_above(6),
                              "0.00000010125891762550790661165283687881377246109059506983"));
  CHECK(narrower_than(loss.q_above(6), "1e-15"));
  CHECK(loss.p_atom(0).upper == 0);
  const Interval median = loss.quantile("0.5");
  CHECK(contains_to_46_digits(median, "0.875"));
  CHECK(narrower_than(median, "1e-14"));
}

TEST_CASE("one factor in the power 1 is the single law, whichever way it is written") {
  const PrivacyLoss once(plaudit::laplace(10), Direction::remove);
  const PrivacyLoss also(plaudit::parse("laplace(scale=10)^1"), Direction::remove);
  CHECK(once.p_atom("0.1").lower == also.p_atom("0.1").lower);
  // gaussian(3/5)*gaussian(4/5) is no single mechanism, but has the law of one: 1/s^2 add up.
  const PrivacyLoss two(plaudit::parse("gaussian(sigma=3)*gaussian(sigma=4)"), Direction::add);
  const PrivacyLoss one(plaudit::parse("gaussian(sigma=2.4)"), Direction::add);
  for (const char* x : {"-1", "0", "0.3", "2"}) {
    CAPTURE(x);
    const Interval a = two.p_above(x);
    const Interval b = one.p_above(x);
    CHECK(a.lower <= b.upper);
    CHECK(b.lower <= a.upper);
    CHECK(narrower_than(a, "1e-15"));
    const Interval c = two.delta(x);
    const Interval d = one.delta(x);
    CHECK(c.lower <= d.upper);
    CHECK(d.lower <= c.upper);
  }
}

TEST_CASE("atoms of compositions") {
  const PrivacyLoss pure(plaudit::parse("pure(epsilon=0.1)^2"), Direction::remove);
  // high^2, 2 high low, low^2 with high = 1 / (1 + e^-0.1), low = 1 - high
  const Real high("0.52497918747893998609919318260414215982139989689051", 70);
  const auto near = [](const Interval& x, const Real& value) {
    return x.lower <= value + Real("1e-45", 60) && value - Real("1e-45", 60) <= x.upper &&
           x.upper - x.lower < 1e-14;
  };
  CHECK(near(pure.p_atom("0.2"), high * high));
  CHECK(near(pure.p_atom(0), 2 * high * (1 - high)));
  CHECK(near(pure.p_atom("-0.2"), (1 - high) * (1 - high)));
  CHECK(pure.p_atom("0.1").upper == 0);
  CHECK(near(pure.p_above(0), high * high));
  CHECK(near(pure.p_above("-0.2"), high * high + 2 * high * (1 - high)));
  CHECK(pure.p_above("0.2").upper == 0);
  CHECK(pure.p_above("-0.3").lower == 1);

  const PrivacyLoss many(plaudit::parse("pure(epsilon=0.001)^1000000"), Direction::remove);
  const Interval centre = many.p_above(0, 10);
  CHECK(narrower_than(centre, "1e-10"));
  const Interval other = many.quantile("0.5", 10);
  CHECK(other.upper - other.lower < 1e-8);
}

TEST_CASE("what asks for one mechanism says so") {
  const PrivacyLoss loss(plaudit::parse("laplace(scale=10)^2"), Direction::remove);
  std::string said;
  try {
    (void)loss.density(0);
  } catch (const std::invalid_argument& error) {
    said = error.what();
  }
  CHECK(said.find("one mechanism") != std::string::npos);
}
