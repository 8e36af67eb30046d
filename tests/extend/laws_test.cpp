// Laws that plug-ins state: what is made of them, and what is refused of them.
#include <doctest/doctest.h>

#include <functional>
#include <limits>

#include "api/extend/stated_loss.hpp"
#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"
#include "plaudit/extend.hpp"

using plaudit::Ball;
using plaudit::interval;
using plaudit::PrecisionScope;
using plaudit::Real;
using plaudit::v0::Interval;
namespace extend = plaudit::extend;

namespace {

/// Randomized response: L = +-1 with probabilities e / (1 + e) and 1 / (1 + e). Parts of it can be
/// replaced.
struct Response : extend::Law {
  static Interval truth() { return 1 / (1 + exp(interval(-1))); }
  static Interval lie() { return 1 - truth(); }

  std::function<Interval(const Interval&)> p = [](const Interval& x) {
    return x.lower < -1 ? interval(1) : x.lower < 1 ? truth() : interval(0);
  };
  std::function<Interval(const Interval&)> q = [](const Interval& x) {
    return x.lower < -1 ? interval(1) : x.lower < 1 ? lie() : interval(0);
  };
  Interval infinite = interval(0);
  Interval least = interval(-1);
  Interval greatest = interval(1);
  std::optional<plaudit::Number> exact_greatest;
  std::optional<plaudit::Complex> at_zero;  ///< M(0), for a law with moments
  std::vector<extend::Atom> listed;
  std::optional<Interval> stated_atom;

  Interval p_above(const Interval& x) const override { return p(x); }
  Interval q_above(const Interval& x) const override { return q(x); }
  Interval mass_at_infinity() const override { return infinite; }
  Interval q_mass() const override { return interval(1); }
  Interval least_loss() const override { return least; }
  Interval greatest_loss() const override { return greatest; }
  std::optional<plaudit::Number> exact_greatest_loss() const override { return exact_greatest; }
  std::optional<Interval> atom(const Interval&) const override { return stated_atom; }
  std::vector<extend::Atom> atoms() const override { return listed; }
  bool has_mgf() const override { return at_zero.has_value(); }
  plaudit::Complex mgf(const plaudit::Complex& z) const override {
    if (z.real.lower == 0 && z.real.upper == 0) return *at_zero;
    return truth() * exp(z) + lie() * exp(interval(-1) * z);
  }
};

std::string refusal_of(const Response& law) {
  try {
    plaudit::stated_loss(std::make_shared<Response>(law), "response");
  } catch (const std::invalid_argument& refusal) {
    return refusal.what();
  }
  return "";
}

bool refused(const Response& law, const std::string& words) {
  const std::string said = refusal_of(law);
  if (said.find("response (plug-in): ") != 0) return false;
  INFO(said);
  CHECK(said.find(words) != std::string::npos);
  return said.find(words) != std::string::npos;
}

Ball ball(double low, double high) { return hull(Ball(low), Ball(high)); }

}  // namespace

TEST_CASE("at a ball a law has all the values that it has at its points") {
  const PrecisionScope scope(128);
  const auto loss = plaudit::stated_loss(std::make_shared<Response>(), "response");
  CHECK_FALSE(loss->has_moments());
  const Ball truth = Ball(1) / (Ball(1) + exp(Ball(-1)));
  const Ball around = ball(0.75, 1.25);  // an atom is in it
  CHECK(contains(loss->p_above(around), truth.middle()));
  CHECK(contains(loss->p_above(around), Ball(0)));
  CHECK(contains(loss->q_above(around), Ball(0)));
  CHECK(contains(loss->q_above(around), (Ball(1) - truth).middle()));
  // delta falls from truth - e^x lie to 0 in the ball
  const Ball first = truth - exp(Ball(0.75)) * (Ball(1) - truth);
  CHECK(contains(loss->delta(around), first.middle()));
  CHECK(contains(loss->delta(around), Ball(0)));
  CHECK(loss->delta(around).upper_double() < first.upper_double() + 1e-6);
  // the atom itself, whether the ball is its point or not
  CHECK(contains(loss->p_atom(Ball(1)), truth.middle()));
  CHECK(contains(loss->p_atom(around), truth.middle()));
  CHECK(loss->p_atom(ball(0.25, 0.5)).upper_double() < 1e-30);
}

TEST_CASE("what contradicts itself is refused by name") {
  CHECK(refusal_of({}).empty());
  Response law;
  law.p = [](const Interval&) { return Interval{Real(1), Real(0.5)}; };
  CHECK(refused(law, "ends are not in order"));
  law.p = [](const Interval&) { return Interval{Real(1.5), Real(2)}; };
  CHECK(refused(law, "outside of [0, 1]"));
  law.p = [](const Interval& x) { return interval(x.lower < 0 ? "0.2" : "0.4"); };
  CHECK(refused(law, "exceeds e^L Q"));
  law.p = [](const Interval&) -> Interval { throw std::runtime_error("its own words"); };
  CHECK(refused(law, "its own words"));

  law = {};
  law.q = [](const Interval& x) {
    return x.lower < -1 ? interval(1) : x.lower < 0.3 ? interval("0.2") : Response().q(x);
  };
  CHECK(refused(law, "Q(L > x) rises"));
  law.q = [](const Interval& x) { return x.lower < 0 ? Response().q(x) : interval(0); };
  CHECK(refused(law, "P is less than e^L Q"));
  law = {};
  law.q = [](const Interval& x) { return x.lower < -1 ? interval(1) : interval(0); };
  CHECK(refused(law, "exceeds e^L Q"));
  law = {};
  law.greatest = interval("0.5");
  CHECK(refused(law, "above the greatest loss"));
  law.greatest = interval(1);
  law.least = interval("0.5");
  CHECK(refused(law, "below the least loss"));
  law.greatest = interval("0.25");
  CHECK(refused(law, "less than the least one"));
  law = {};
  law.infinite = interval("0.1");
  CHECK(refused(law, "rises"));
  law = {};
  law.exact_greatest = "1.5";
  CHECK(refused(law, "exact greatest loss"));
  law = {};
  law.at_zero = complex(interval("0.9"));
  CHECK(refused(law, "M(0)"));
  law.at_zero = complex(interval(1));
  CHECK(refusal_of(law).empty());
}

TEST_CASE("a list of atoms is held against the tails") {
  Response law;
  law.listed = {{interval(-1), Response::lie()}, {interval(1), Response::truth()}};
  CHECK(refusal_of(law).empty());
  const auto loss = plaudit::stated_loss(std::make_shared<Response>(law), "response");
  CHECK(loss->has_moments());
  CHECK(loss->atoms(1, 10) != nullptr);
  law.listed[1].loss = interval("0.5");
  CHECK(refused(law, "no step of P(L > x)"));
  law.listed.pop_back();
  CHECK(refused(law, "do not add up"));
}

TEST_CASE("atoms that become more are refused, before places are looked up for them") {
  struct Growing final : Response {
    mutable int asked = 0;
    std::vector<extend::Atom> atoms() const override {
      std::vector<extend::Atom> list{{interval(-1), lie()}, {interval(1), truth()}};
      if (++asked > 2) list.push_back({interval(3), interval(0)});
      return list;
    }
    std::optional<extend::Lattice> lattice() const override {
      return extend::Lattice{2, -1, {0, 1}};
    }
  };
  CHECK_THROWS_WITH_AS(plaudit::stated_loss(std::make_shared<Growing>(), "growing"),
                       doctest::Contains("the number of atoms is not always the same"),
                       std::invalid_argument);
}

TEST_CASE("all mass at one loss, as great as it may be") {
  struct Far final : Response {
    Interval q_mass() const override { return exp(interval(-100000)); }
  };
  Far law;
  law.p = [](const Interval& x) { return interval(x.lower < 100000 ? 1 : 0); };
  law.q = [](const Interval& x) { return x.lower < 100000 ? exp(interval(-100000)) : interval(0); };
  law.least = law.greatest = interval(100000);
  const auto loss = plaudit::stated_loss(std::make_shared<Far>(law), "far");
  const plaudit::WorkLimit limit(20);
  CHECK(loss->estimate_cumulant(1).mean == doctest::Approx(100000));
}

TEST_CASE("an integer is enclosed, whatever its type") {
  CHECK(interval(~0ULL).lower == Real("18446744073709551615"));
  CHECK(interval(~0ULL).upper == interval("18446744073709551615").upper);
  CHECK((~0ULL / interval(2)).upper > Real(9e18));
  for (const long n :
       {std::numeric_limits<long>::min(), -1L, 0L, std::numeric_limits<long>::max()}) {
    CHECK(interval(n).lower == Real(n));
    CHECK(interval(n).upper == Real(n));
  }
  CHECK(interval(true).lower == 1);
}

TEST_CASE("what is seen only when a grid asks is refused then") {
  Response law;
  law.p = [](const Interval& x) {  // wrong between points that nobody looked at
    const bool wrong = x.lower > 0.3 && x.lower < 0.4;
    return wrong          ? interval("0.9")
           : x.lower < -1 ? interval(1)
           : x.lower < 1  ? Response::truth()
                          : interval(0);
  };
  const auto loss = plaudit::stated_loss(std::make_shared<Response>(law), "response");
  CHECK_THROWS_WITH_AS(loss->tails_above({Ball(0.25), Ball(0.375)}),
                       doctest::Contains("response (plug-in): P(L > x) rises"),
                       std::invalid_argument);
  law = {};
  law.stated_atom = interval("0.3");
  const auto other = plaudit::stated_loss(std::make_shared<Response>(law), "response");
  CHECK_THROWS_WITH_AS(other->p_atom(Ball(0.5)), doctest::Contains("no step"),
                       std::invalid_argument);
}
