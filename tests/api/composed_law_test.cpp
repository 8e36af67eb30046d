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

TEST_CASE("the density of a composition") {
  const PrivacyLoss normal(plaudit::parse("gaussian(sigma=2)^7"), Direction::remove);
  for (const int digits : {3, 15, 40}) {
    const Interval middle = normal.density("1/3", digits).value();
    CHECK(contains_to_46_digits(middle, "0.27732205568540819311636750750914859606102794741448"));
    CHECK(narrower_than(middle, digits == 3 ? "1e-3" : digits == 15 ? "1e-15" : "1e-40"));
    const Interval tail = normal.density(6, digits).value();
    CHECK(contains_to_46_digits(tail, "0.00016605180949902689954863894794903902952778642410393"));
    const Interval left = normal.density(-2, digits).value();
    CHECK(contains_to_46_digits(left, "0.028428771375474965500264652311829061191687413955621"));
  }
  // By convolution of two densities, a quadrature at 30 digits.
  const PrivacyLoss sampled(plaudit::parse("poisson(gaussian(2), 1/10)^2"), Direction::remove);
  const Interval at_peak = sampled.density("0.05").value();
  CHECK(at_peak.lower < 3.38369506071806);
  CHECK(at_peak.upper > 3.38369506071805);
  const Interval beyond = sampled.density("0.3").value();
  CHECK(beyond.lower < 0.0540038125308512);
  CHECK(beyond.upper > 0.0540038125308511);
  CHECK(narrower_than(beyond, "1e-14"));
  const PrivacyLoss without(plaudit::parse("laplace(scale=10)^2"), Direction::remove);
  CHECK_FALSE(without.density(0));
}

TEST_CASE("lists of the atoms of a composition") {
  const PrivacyLoss responses(plaudit::parse("randomized_response(0.5)^3"), Direction::remove);
  const auto four = responses.atoms();
  REQUIRE(four.size() == 4);
  CHECK(four[0].exact_loss == "-1.5");
  CHECK(four[3].exact_loss == "1.5");
  const Real high("0.62245933120185456463890056574550847875327936530891", 70);  // 1 / (1 + e^-0.5)
  CHECK(contains_to_46_digits(four[3].p, "0.24117536547330246075525456217144828689676319947192"));
  CHECK(four[2].p.lower < 3 * high * high * (1 - high));
  CHECK(four[2].p.upper > 3 * high * high * (1 - high));
  // Losses that are no rationals: all outcomes of three steps are told apart, and their masses add
  // up to 1.
  const PrivacyLoss samples(plaudit::parse("poisson(pure(0.5), 0.1)^3"), Direction::remove);
  const auto irrational = samples.atoms();
  CHECK(irrational.size() == 4);
  Real sum(0, 80);
  for (const auto& atom : irrational) {
    CHECK(atom.exact_loss.empty());
    sum = sum + atom.p.lower;
  }
  CHECK(sum > Real("0.99999999999999", 30));
  CHECK(sum <= 1);
  // Infinitely many: a window of the lattice.
  const PrivacyLoss noise(plaudit::parse("discrete_gaussian(3)^5"), Direction::remove);
  CHECK_THROWS_AS((void)noise.atoms(), std::invalid_argument);
  const auto listed = noise.atoms(0, 1);
  REQUIRE(listed.size() == 9);
  for (const auto& atom : listed) {
    const Interval alone = noise.p_atom(atom.exact_loss.c_str());
    CHECK(alone.lower <= atom.p.upper);
    CHECK(atom.p.lower <= alone.upper);
    CHECK(narrower_than(atom.p, "1e-13"));
  }
}

TEST_CASE("outcomes of equal losses are one atom") {
  const PrivacyLoss joint(plaudit::parse("joint(pure(0.5), pure(0.5))"), Direction::remove);
  CHECK(joint.atoms().size() == 3);
  const PrivacyLoss sampled(plaudit::parse("poisson(joint(pure(0.5), pure(0.5)), 0.1)"),
                            Direction::remove);
  CHECK(sampled.atoms().size() == 3);
  CHECK(sampled.atoms()[1].exact_loss == "0");
}

TEST_CASE("quantiles of laws on a lattice are points of it, exactly") {
  for (const char* spec : {"discrete_gaussian(3)^5", "randomized_response(0.5)^20",
                           "pure(0.25)^3 * discrete_laplace(4)^2"}) {
    const PrivacyLoss loss(plaudit::parse(spec), Direction::remove);
    for (const char* p : {"0.000001", "0.3", "0.5", "0.999999"}) {
      CAPTURE(spec);
      CAPTURE(p);
      const Interval point = loss.quantile(p, 30);
      CHECK(point.upper - point.lower < 1e-25);
      const Real level(p, 60);
      // P(L <= x) crosses p at the point and nowhere before it.
      const Real beside("1e-20", 60);
      CHECK(1 - loss.p_above(Real(point.upper + beside), 20).upper >= level);
      CHECK(1 - loss.p_above(Real(point.lower - beside), 20).lower < level);
    }
  }
}

TEST_CASE("a quantile of one mechanism at many digits") {
  const PrivacyLoss loss(plaudit::parse("random_allocation(gaussian(1), steps=3)"),
                         Direction::remove);
  const Interval point = loss.quantile("0.9", 60);
  CAPTURE(Real(point.upper - point.lower).str(5));
  CHECK(narrower_than(point, "1e-55"));
}
