// Tails from the nodes of one line: against the normal law at good and at careless parameters, and
// against secants of the curve, which know nothing of these kernels.
#include "accountants/tails/tail_line.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "accountants/registry.hpp"
#include "lib/balls/precision.hpp"
#include "support/losses.hpp"
#include "support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

constexpr double no_limit = 1e9;

bool between(const Ball& lower, const Ball& exact, const Ball& upper) {
  return !certainly_less(exact, lower) && !certainly_less(upper, exact);
}

bool relatively_narrow(const Ball& lower, const Ball& upper, double relative) {
  return certainly_less_equal(upper - lower, Ball(relative) * upper);
}

/// P(N > x) for N ~ N(mean, 2 mu).
Ball normal_above(const Ball& mean, const Ball& mu, const Ball& x) {
  return normal_cdf((mean - x) / sqrt(ldexp(mu, 1)));
}

StraightChoice line(double t, double period, std::size_t nodes, bool both_residues) {
  StraightChoice choice;
  choice.t = t;
  choice.h = 2 * std::numbers::pi / period;
  choice.nodes = nodes;
  choice.both_residues = both_residues;
  choice.nats = 60;
  return choice;
}

}  // namespace

TEST_CASE("tails of Gaussians from a line, against the normal law") {
  const PrecisionScope scope(400);
  for (const char* spec : {"gaussian(sigma=2)^8", "gaussian(sigma=1)^2000"}) {
    const ComposedLoss loss = loss_from(spec);
    const Rational mean = loss.terms()[0].count == 8 ? Rational(1) : Rational(1000);
    const Ball mu(mean);
    for (const double digits : {5.0, 15.0, 40.0}) {
      for (const Rational& deviations : {Rational(-1), Rational(0), Rational(1, 3), Rational(9)}) {
        const Rational x = mean + deviations * (mean == 1 ? Rational(7, 5) : Rational(45));
        INFO(std::string(spec), " ", digits, " ", to_string(x));
        const auto found = TailLine::near(loss, x, digits, no_limit);
        REQUIRE(found);
        const TailLine::Masses masses = found->at(x);
        CHECK(between(masses.p_lower, normal_above(mu, mu, Ball(x)), masses.p_upper));
        CHECK(between(masses.q_lower, normal_above(-mu, mu, Ball(x)), masses.q_upper));
        CHECK(relatively_narrow(masses.p_lower, masses.p_upper, std::pow(10, 1 - digits)));
        CHECK(relatively_narrow(masses.q_lower, masses.q_upper, std::pow(10, 1 - digits)));
      }
    }
  }
}

TEST_CASE("tails beside a mechanism with mass at infinity, by its atoms") {
  const PrecisionScope scope(400);
  const ComposedLoss loss = loss_from("gaussian(sigma=2)^8 * approximate(epsilon=0.3, delta=0.01)");
  const ComposedLoss other = loss_from("approximate(epsilon=0.3, delta=0.01)");
  const auto atoms = other.terms()[0].loss->atoms_in(std::nullopt);
  REQUIRE(atoms);
  for (const Rational& x : {Rational(-1), Rational(1), Rational(4)}) {
    Ball p = other.mass_at_infinity();
    Ball q(0);
    for (const LossAtom& atom : *atoms) {
      const Ball rest(Rational(x - *atom.exact_loss));
      p += atom.p * normal_above(Ball(1), Ball(1), rest);
      q += atom.q * normal_above(Ball(-1), Ball(1), rest);
    }
    const auto found = TailLine::near(loss, x, 15, no_limit);
    REQUIRE(found);
    const TailLine::Masses masses = found->at(x);
    INFO(to_string(x));
    CHECK(between(masses.p_lower, p, masses.p_upper));
    CHECK(between(masses.q_lower, q, masses.q_upper));
    CHECK(relatively_narrow(masses.p_lower, masses.p_upper, 1e-14));
    CHECK(relatively_narrow(masses.q_lower, masses.q_upper, 1e-13));
  }
}

TEST_CASE("tails from careless lines contain the normal law, and are visibly off") {
  Random random(1311);
  const ComposedLoss loss = loss_from("gaussian(sigma=2)^8");
  int informative = 0;
  int off = 0;
  for (int i = 0; i < trials(600); ++i) {
    const PrecisionScope scope(256);
    const bool negative = random.one_in(3);
    const bool both = negative || random.one_in(2);
    const double t =
        negative ? -1 - std::exp(random.uniform(-3, 1)) : std::exp(random.uniform(-3, 1));
    const double period = std::exp(random.uniform(0.5, 3.5));
    const auto nodes = static_cast<std::size_t>(std::exp(random.uniform(0.7, 4)));
    const Rational width = exact_rational(Ball(std::exp(random.uniform(-12, 0.5))));
    const Rational x = exact_rational(Ball(random.uniform(-4, 6)));
    TailLine careless(loss, std::make_unique<CumulantTable>(loss), estimate(x),
                      line(t, period, nodes, both), width);
    const TailLine::Masses masses = careless.at(x);
    const Ball p = normal_above(Ball(1), Ball(1), Ball(x));
    const Ball q = normal_above(Ball(-1), Ball(1), Ball(x));
    INFO("t ", t, " period ", period, " nodes ", nodes, " both ", both, " x ", to_string(x));
    CHECK(between(masses.p_lower, p, masses.p_upper));
    CHECK(between(masses.q_lower, q, masses.q_upper));
    const bool says_something = certainly_positive(masses.p_lower) &&
                                certainly_less(masses.p_upper, ldexp(masses.p_lower, 1));
    informative += says_something ? 1 : 0;
    off += says_something && !relatively_narrow(masses.p_lower, masses.p_upper, 1e-6) ? 1 : 0;
  }
  CHECK(informative > trials(100));
  CHECK(off > trials(60));
}

TEST_CASE("tails of a loss that is bounded below, at points that the period takes below its end") {
  // where Q is summed without its residue, what the period takes below the end is all of its mass
  Random random(1312);
  const ComposedLoss loss = loss_from("poisson(gaussian(sigma=2), rate=0.3)^30");
  int narrow_ones = 0;
  for (int i = 0; i < trials(40); ++i) {
    const PrecisionScope scope(200);
    const Rational x = exact_rational(Ball(random.uniform(-1, 2)));
    const auto good = TailLine::near(loss, x, 20, no_limit);
    REQUIRE(good);
    const TailLine::Masses truth = good->at(x);
    TailLine tails(loss, std::make_unique<CumulantTable>(loss), estimate(x),
                   line(std::exp(random.uniform(-3, -0.5)), random.uniform(12, 18), 150, false),
                   exact_rational(ldexp(Ball(1), -60)));
    const TailLine::Masses masses = tails.at(x);
    INFO(to_string(x), " ", masses.q_lower.estimate(), " ", masses.q_upper.estimate());
    CHECK(certainly_less_equal(masses.p_lower, truth.p_upper));
    CHECK(certainly_less_equal(truth.p_lower, masses.p_upper));
    CHECK(certainly_less_equal(masses.q_lower, truth.q_upper));
    CHECK(certainly_less_equal(truth.q_lower, masses.q_upper));
    narrow_ones += relatively_narrow(masses.q_lower, masses.q_upper, 1e-3) ? 1 : 0;
  }
  CHECK(narrow_ones > trials(20));
}

TEST_CASE("one error at a time of a line of tails, next to an equality") {
  const PrecisionScope scope(512);
  const ComposedLoss loss = loss_from("gaussian(sigma=2)^8");
  const Rational tiny = exact_rational(ldexp(Ball(1), -200));
  const auto check = [&](const char* what, const StraightChoice& choice, const Rational& width,
                         const Rational& x) {
    TailLine tails(loss, std::make_unique<CumulantTable>(loss), estimate(x), choice, width);
    const TailLine::Masses masses = tails.at(x);
    INFO(std::string(what), " ", masses.p_lower.estimate(), " ", masses.p_upper.estimate(), " ",
         masses.q_lower.estimate(), " ", masses.q_upper.estimate());
    CHECK(between(masses.p_lower, normal_above(Ball(1), Ball(1), Ball(x)), masses.p_upper));
    CHECK(between(masses.q_lower, normal_above(Ball(-1), Ball(1), Ball(x)), masses.q_upper));
    CHECK(certainly_positive(masses.p_lower));  // it says something
  };
  // enough nodes, period and so on, but for one
  check("period, both residues", line(1, 6, 400, true), tiny, 1);
  check("period, left of the mean", line(0.3, 7, 400, true), tiny, -1);
  check("period, one residue", line(1, 6, 400, false), tiny, 1);
  check("period, one residue, left", line(0.5, 7, 400, false), tiny, -1);
  check("few nodes", line(1, 40, 12, true), Rational(1, 8), 1);
  check("few nodes, one residue", line(1, 40, 12, false), Rational(1, 8), 2);
  check("wide average", line(1, 60, 400, true), Rational(1, 2), 1);
  check("negative line", line(-1.5, 14, 400, true), tiny, 1);
  check("negative line, wide", line(-1.4, 18, 400, true), Rational(1, 100), 1);
}

TEST_CASE("bounds of a line that are nearly equalities, for two atoms and nothing else") {
  // P(L > x) is constant between the atoms, so averages are tails there, and the aliases are known.
  // Each line takes one of them to where its bound, its condition or its sign only just holds.
  const PrecisionScope scope(256);
  const Rational high(1, 2);
  const Rational low(3, 10);
  const ComposedLoss loss = two_atoms(1, high, -0.5, low);  // neither mass is 1
  const ComposedLoss top = two_atoms(1, high, -0.5, Rational(1, 1000));
  const Ball q_high = Ball(high) * exp(Ball(-1));
  const Ball q_low = Ball(low) * exp(Ball(0.5));
  const auto at = [&](const ComposedLoss& law, const StraightChoice& choice, const char* width,
                      const char* x) {
    TailLine tails(law, std::make_unique<CumulantTable>(law), estimate(parse_rational(x)), choice,
                   parse_rational(width));
    return tails.at(parse_rational(x));
  };
  const auto check = [&](const char* what, const StraightChoice& choice, const char* width,
                         const char* x, const Ball& p, const Ball& q) {
    const TailLine::Masses masses = at(loss, choice, width, x);
    INFO(std::string(what), ": ", p.estimate(), " in ", masses.p_lower.estimate(), " to ",
         masses.p_upper.estimate(), ", ", q.estimate(), " in ", masses.q_lower.estimate(), " to ",
         masses.q_upper.estimate());
    CHECK(between(masses.p_lower, p + Ball(Rational(1, 5)), masses.p_upper));
    CHECK(between(masses.q_lower, q, masses.q_upper));
  };
  const Ball p_all(Rational(high + low));
  const Ball q_all = q_high + q_low;
  // one period on, the average ends at the greatest loss: Chernoff on the right
  check("right", line(0.3, 3, 5000, true), "0.005", "-2.0055", p_all, q_all);
  check("right, one residue", line(0.3, 3, 5000, false), "0.005", "-2.0055", p_all, q_all);
  // the tail is the same for many periods: the average itself on the right
  check("right of a negative line", line(-20, 0.05, 2000, true), "0.02", "-0.48", Ball(high),
        q_high);
  // one period back, the average begins at the least loss: Chernoff on the left
  check("left", line(0.3, 1, 5000, true), "0.05", "0.551", Ball(high), q_high);
  // nothing is above x, nor for many periods back: all of the mass on the left
  check("left, all", line(20, 0.05, 2000, true), "0.05", "3", Ball(0), Ball(0));
  // a period takes the point just inside an end of the support, or the average over one
  check("inside the right end", line(0.3, 1.4, 2000, true), "0.3", "-0.48", Ball(high), q_high);
  check("across the left end", line(0.5, 1, 2000, true), "0.3", "0.75", Ball(high), q_high);
  check("inside the left end", line(0.5, 1.2, 2000, true), "0.3", "0.74", Ball(high), q_high);
  // the period is longer than the support, and the nodes left out nearly add up: 0.66 of the bound
  const TailLine::Masses masses = at(top, line(0.05, 2, 1, true), "0.4", "1.0001");
  CHECK(between(masses.p_lower, top.mass_at_infinity(), masses.p_upper));
  CHECK(between(masses.q_lower, Ball(0), masses.q_upper));
}

TEST_CASE("tails of sampled Gaussians from a line, against secants of the curve") {
  struct Case {
    const char* spec;
    Rational x;
  };
  for (const Case& test : {Case{"poisson(gaussian(sigma=1), rate=0.01)^1000", 1},
                           Case{"poisson(gaussian(sigma=1), rate=0.01)^1000", Rational(-1, 5)},
                           Case{"poisson(gaussian(sigma=0.6), rate=0.001)^300", 1},
                           Case{"poisson(gaussian(sigma=2), rate=0.2)^400", 6},
                           Case{"poisson(gaussian(sigma=1), rate=0.01)^1000000", 145}}) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const ComposedLoss loss = loss_from(test.spec, direction);
      if (direction == Direction::add && certainly_less(loss.greatest_loss(), Ball(test.x))) {
        continue;
      }
      const PrecisionScope scope(300);
      const auto found = TailLine::near(loss, test.x, 10, no_limit);
      REQUIRE(found);
      const TailLine::Masses masses = found->at(test.x);
      CHECK(relatively_narrow(masses.q_lower, masses.q_upper, 1e-9));
      const Rational step = exact_rational(ldexp(Ball(1), -40));
      const auto curve = accountant("contour")->open(loss, {30});
      const auto delta = [&](const Rational& epsilon) { return curve->delta(epsilon); };
      const Enclosure here = delta(test.x);
      const Enclosure after = delta(test.x + step);
      const Enclosure before = delta(test.x - step);
      const Ball e_x = exp(Ball(test.x));
      const Ball low = (here.lower - after.upper) / (e_x * expm1(Ball(step)));
      const Ball high = (before.upper - here.lower) / (-e_x * expm1(-Ball(step)));
      INFO(std::string(test.spec), " ", to_string(test.x));
      CHECK(certainly_less(low.lower(), masses.q_upper));
      CHECK(certainly_less(masses.q_lower, high.upper()));
      CHECK(relatively_narrow(low.lower(), high.upper(), 1e-8));
      CHECK(certainly_less((here.lower + e_x * low).lower(), masses.p_upper));
      CHECK(certainly_less(masses.p_lower, (here.upper + e_x * high).upper()));
    }
  }
}

TEST_CASE("a line made for one point is right at others") {
  const PrecisionScope scope(200);
  const ComposedLoss loss = loss_from("gaussian(sigma=2)^8");
  const auto found = TailLine::near(loss, 1, 10, no_limit);
  REQUIRE(found);
  for (int k = -40; k <= 60; ++k) {
    const Rational x(k, 7);
    const TailLine::Masses masses = found->at(x);
    CHECK(between(masses.p_lower, normal_above(Ball(1), Ball(1), Ball(x)), masses.p_upper));
    CHECK(between(masses.q_lower, normal_above(Ball(-1), Ball(1), Ball(x)), masses.q_upper));
  }
}

TEST_CASE("one residue on a line to the left of 0 is refused") {
  const ComposedLoss loss = loss_from("gaussian(sigma=2)^8");
  CHECK_THROWS_AS(TailLine(loss, std::make_unique<CumulantTable>(loss), 1,
                           line(-1.5, 14, 40, false), Rational(1, 100)),
                  std::invalid_argument);
}

TEST_CASE("no line where a law has no moments or does not fall") {
  const ComposedLoss atoms = loss_from("pure(epsilon=0.1)^50");
  CHECK(TailLine::near(atoms, 1, 10, 10) == nullptr);
}
