// What a law states beside its tails: atoms in a continuous part, exact ends, the masses on a
// lattice that is cut; and laws that are made of others. The truth is that of the library's laws.
#include <doctest/doctest.h>

#include <limits>

#include "accountants/atoms/ties.hpp"
#include "accountants/inversion.hpp"
#include "api/extend/stated_loss.hpp"
#include "lib/balls/precision.hpp"
#include "mechanisms/language/spec.hpp"
#include "mechanisms/laws/lattice_law.hpp"
#include "support/containment.hpp"

using plaudit::Ball;
using plaudit::interval;
using plaudit::Number;
using plaudit::PrecisionScope;
using plaudit::Rational;
using plaudit::v0::Interval;
namespace extend = plaudit::extend;

namespace {

/// Laplace noise of scale 10 by its tails and its two atoms at +-1/10: numbers that no law can tell
/// from a point near them.
struct TwoAtoms : extend::Law {
  std::vector<extend::Atom> listed;
  bool continuous = true;

  TwoAtoms() { listed = {{-end(), lower(), "-0.1"}, {end(), interval("0.5"), "1/10"}}; }
  static Interval end() { return interval("0.1"); }
  static Interval lower() { return exp(-end()) / 2; }

  Interval between(const Interval& x, const Interval& inside, const Interval& above) const {
    if (certainly_less(x, -end())) return interval(1);
    if (certainly_less_equal(end(), x)) return above;
    const Interval start = certainly_less_equal(-end(), x) ? inside : hull(interval(1), inside);
    return certainly_less(x, end()) ? start : hull(start, above);
  }
  Interval p_above(const Interval& x) const override {
    return between(x, 1 - exp((x - end()) / 2) / 2, interval(0));
  }
  Interval q_above(const Interval& x) const override {
    return between(x, exp(-(x + end()) / 2) / 2, interval(0));
  }
  Interval mass_at_infinity() const override { return interval(0); }
  Interval q_mass() const override { return interval(1); }
  std::vector<extend::Atom> atoms() const override {
    std::vector<extend::Atom> result = listed;
    result[0] = {-end(), lower(), listed[0].exact_loss};  // at the precision of the question
    return result;
  }
  bool has_continuous_part() const override { return continuous; }
};

/// Gaussian noise of variance 4 on the integers, whose losses 1/8 + k/4 are infinitely many.
struct Cut : extend::LawOnLattice {
  long least = 0;     ///< the window's ends; 0: as wide as the precision asks for
  long greatest = 0;  ///< the same

  static Interval weight(long k) { return exp(-interval(k * k) / 8); }
  /// sum over j >= k of the weights: a geometric series bounds it
  static Interval beyond(long k) {
    return hull(interval(0), weight(k) / (1 - exp(-interval(k) / 4)));
  }
  extend::LatticeWindow window() const override {
    long reach = 8;
    while (reach * reach < 6 * plaudit::working_bits()) ++reach;
    const long low = least < 0 ? least : -reach;
    const long high = greatest > 0 ? greatest : reach;
    Interval all = beyond(reach + 1) * 2;
    for (long k = -reach; k <= reach; ++k) all += weight(k);
    extend::LatticeWindow result{"1/4", "1/8", low};
    for (long k = low; k <= high; ++k) result.p.push_back(weight(k) / all);
    result.below = beyond(1 - low) / all;
    result.above = beyond(high + 1) / all;
    return result;
  }
  Interval mass_at_infinity() const override { return interval(0); }
  Interval q_mass() const override { return interval(1); }
};

std::shared_ptr<const core::PrivacyLoss> known(const std::string& spec, core::Direction direction) {
  return plaudit::parse_spec(spec).factors().front().mechanism->loss(direction);
}
std::shared_ptr<const core::PrivacyLoss> known(const std::string& spec) {
  return known(spec, core::Direction::remove);
}

template <class Law>
std::shared_ptr<const core::PrivacyLoss> stated(const Law& law) {
  return plaudit::stated_loss(std::make_shared<Law>(law), "stated");
}

template <class Law>
bool refused(const Law& law, const std::string& words) {
  std::string said;
  try {
    stated(law);
  } catch (const std::invalid_argument& refusal) {
    said = refusal.what();
  }
  INFO(said);
  CHECK(said.find("stated (plug-in): ") == 0);
  CHECK(said.find(words) != std::string::npos);
  return said.find(words) != std::string::npos;
}

void check_alike(const core::PrivacyLoss& found, const core::PrivacyLoss& truth,
                 const std::vector<Rational>& points, double width) {
  for (const Rational& x : points) {
    INFO(plaudit::to_string(x));
    const plaudit::PointMasses mine = found.masses_at(x);
    const plaudit::PointMasses theirs = truth.masses_at(x);
    CHECK_OVERLAPS(mine.p_above, theirs.p_above);
    CHECK_OVERLAPS(mine.q_above, theirs.q_above);
    CHECK_OVERLAPS(mine.p_atom, theirs.p_atom);
    CHECK(mine.p_above.radius().upper_double() < width);
    CHECK(mine.q_above.radius().upper_double() < width);
    CHECK(mine.p_atom.radius().upper_double() < width);
    CHECK_OVERLAPS(found.delta(Ball(x)), truth.delta(Ball(x)));
    CHECK(found.delta(Ball(x)).radius().upper_double() < width);
  }
}

}  // namespace

TEST_CASE("atoms beside a continuous part, told from their neighbours by exact losses") {
  const PrecisionScope scope(128);
  const auto law = stated(TwoAtoms());
  check_alike(*law, *known("laplace(10)"),
              {Rational(-1), Rational(-1, 10), Rational(-1, 20), Rational(0), Rational(1, 20),
               Rational(1, 10), Rational(2)},
              1e-17);
  const auto atoms = law->atoms_in(std::nullopt);
  REQUIRE(atoms);
  REQUIRE(atoms->size() == 2);
  CHECK(atoms->back().exact_loss == Rational(1, 10));
  CHECK(law->atoms_in(plaudit::LossWindow{0, 1})->size() == 1);
  CHECK(law->p_atom(Ball(0.05)).is_exact_zero());
  CHECK(contains(law->p_atom(Ball(Rational(1, 10))), Ball(0.5)));

  TwoAtoms wrong;
  wrong.listed[1].p = interval("0.51");
  CHECK(refused(wrong, "no step of P(L > x)"));
  wrong.listed[1] = {interval("0.1"), interval("0.5"), "0.11"};
  CHECK(refused(wrong, "not in its enclosure"));
  wrong = {};
  wrong.continuous = false;
  CHECK(refused(wrong, "do not add up"));
}

TEST_CASE("a delta at an atom that the law cannot place is that of its neighbours") {
  const PrecisionScope scope(128);
  struct Unlisted final : TwoAtoms {
    std::vector<extend::Atom> atoms() const override { return {}; }
  };
  const auto law = stated(Unlisted());
  const auto truth = known("laplace(10)");
  for (const Rational& x : {Rational(-1, 10), Rational(1, 10)}) {
    // Its lower end is a point that is told from 1/10 by no law.
    const Ball near = Ball(x).lower();
    CHECK(law->p_above(near).radius().upper_double() > 0.1);
    CHECK_OVERLAPS(law->delta(near), truth->delta(near));
    CHECK(law->delta(near).radius().upper_double() < 1e-17);
  }
}

TEST_CASE("exact ends and masses") {
  struct Exactly final : TwoAtoms {
    Number least = "-1/10";
    Number q = 1;
    std::optional<Number> exact_least_loss() const override { return least; }
    std::optional<Number> exact_q_mass() const override { return q; }
    Interval least_loss() const override { return -end(); }
  };
  Exactly law;
  CHECK(stated(law)->exact_q_mass() == Rational(1));
  law.least = "-0.11";
  CHECK(refused(law, "the exact least loss is not in its enclosure"));
  law.least = "-0.1";
  law.q = "0.9";
  CHECK(refused(law, "the exact Q(dP/dQ > 0) is not in its enclosure"));
}

TEST_CASE("no answer hangs on an end that is not stated") {
  TwoAtoms open;  // delta(1/10) = 0
  const auto loss = stated(open);
  REQUIRE(loss->facts().greatest_loss_unknown);
  const core::ComposedLoss composed({{loss, 2}}, core::Direction::remove);
  const auto found = plaudit::inversion_without_search(composed, hull(Ball(0), Ball(1)), 0);
  REQUIRE(found);
  CHECK(found->lower.estimate() <= 0.2);
  plaudit::Ties ties(composed);
  CHECK_FALSE(ties.epsilon(0, 0));
  CHECK_FALSE(ties.compare_delta(1, 0, 0));
  CHECK_FALSE(ties.compare_epsilon(0, 1, 0));
}

TEST_CASE("mass beyond an exact end is refused, and losses without an end that have one") {
  struct Closed final : TwoAtoms {
    Number greatest = "1/10";
    Interval enclosure = hull(interval("0.05"), interval("0.2"));
    Interval greatest_loss() const override { return enclosure; }
    std::optional<Number> exact_greatest_loss() const override {
      return enclosure.upper < 1 ? std::optional(greatest) : std::nullopt;
    }
  };
  Closed law;
  CHECK_FALSE(stated(law)->facts().greatest_loss_unknown);
  law.greatest = "0.06";
  CHECK(refused(law, "there is finite mass above the greatest loss"));
  const plaudit::Real infinite = std::numeric_limits<plaudit::Real>::infinity();
  law.enclosure = {infinite, infinite};
  CHECK(refused(law, "the losses are stated to have no end"));
}

TEST_CASE("masses on a lattice, and bounds of what is beside the window") {
  const PrecisionScope scope(128);
  const auto truth = known("discrete_gaussian(2)");
  const std::vector<Rational> points = {Rational(-10),  Rational(-1, 8), Rational(1, 16),
                                        Rational(1, 8), Rational(3, 8),  Rational(1),
                                        Rational(7, 2)};
  const auto law = stated(Cut());
  check_alike(*law, *truth, points, 1e-17);
  CHECK(law->facts().lattice->mesh == Rational(1, 4));
  CHECK_FALSE(law->atoms_in(std::nullopt));
  CHECK(law->atoms_in(plaudit::LossWindow{-1, 1})->size() == 8);
  CHECK(law->p_atom(Ball(0.25)).is_exact_zero());
  CHECK(law->estimate_cumulant(1).mean == doctest::Approx(truth->estimate_cumulant(1).mean));

  // A bound is no mass: all of the rest may be there or not.
  Cut narrow;
  narrow.least = -3;
  narrow.greatest = 5;
  const auto cut = stated(narrow);
  check_alike(*cut, *truth, points, 0.2);
  const auto lattice = cut->lattice();
  const Ball whole = lattice->mgf(Ball(0)) + lattice->infinite;
  CHECK(contains(whole, Ball(1)));
  narrow.least = 0;
  const auto above = stated(narrow)->lattice();
  CHECK(contains(above->mgf(Ball(0)) + above->infinite, Ball(1)));
  CHECK(contains(above->infinite, Ball(0)));
  narrow.least = -3;
  narrow.greatest = 0;
  const auto below = stated(narrow)->lattice();
  CHECK(contains(below->mgf(Ball(0)) + below->infinite, Ball(1)));
}

TEST_CASE("a window that is not that of the tails is refused") {
  struct Beside final : TwoAtoms {
    extend::LatticeWindow stated{"0.2", "-0.1", 0};
    std::optional<extend::LatticeWindow> lattice_window() const override { return stated; }
  };
  Beside law;
  law.stated.p = {TwoAtoms::lower(), interval("0.5")};
  CHECK(refused(law, "do not add up to 1"));
  law.stated.below = hull(interval(0), interval(1));
  CHECK(refused(law, "not those of the tails"));
  law.stated.below = interval(0);
  law.stated.p = {interval("0.5"), interval("0.5")};
  CHECK(refused(law, "exceed Q(dP/dQ > 0)"));
  law.stated.p = {};
  CHECK(refused(law, "has no masses"));
  law.stated.mesh = 0;
  CHECK(refused(law, "the mesh of the lattice is not > 0"));
}

TEST_CASE("a law reversed is that of the other direction") {
  const PrecisionScope scope(128);
  const auto turned = [](const std::string& spec) {
    return plaudit::stated_loss(
        extend::reversed(extend::law_of(plaudit::v0::parse(spec), plaudit::v0::Direction::remove)),
        "turned");
  };
  for (const char* spec : {"poisson(gaussian(1), 0.2)", "laplace(10)", "truncated_laplace(1, 2)",
                           "poisson(laplace(2), 0.3)", "randomized_response(probability=0.8)",
                           "approximate(epsilon=1, delta=0.1)"}) {
    INFO(spec);
    const auto truth = known(spec, core::Direction::add);
    const auto law = turned(spec);
    check_alike(*law, *truth, {Rational(-3), Rational(-1, 3), Rational(0), Rational(1, 7)}, 1e-17);
    CHECK_OVERLAPS(law->mass_at_infinity(), truth->mass_at_infinity());
    CHECK_OVERLAPS(law->q_mass(), truth->q_mass());
    CHECK_OVERLAPS(law->greatest_loss(), truth->greatest_loss());
    CHECK(law->has_moments() == truth->has_moments());
    if (!law->has_moments()) continue;
    const plaudit::ComplexBall z(Ball(0.5), Ball(3));
    CHECK(overlaps(exp(law->log_mgf(z)), exp(truth->log_mgf(z))));
    CHECK_OVERLAPS(law->log_mgf(Ball(2)), truth->log_mgf(Ball(2)));
  }
  // the losses of this noise are the same in both directions
  const auto law = plaudit::stated_loss(extend::reversed(std::make_shared<Cut>()), "turned");
  check_alike(*law, *known("discrete_gaussian(2)"), {Rational(-1, 8), Rational(0), Rational(5, 8)},
              1e-17);
  CHECK(law->lattice() != nullptr);
}
