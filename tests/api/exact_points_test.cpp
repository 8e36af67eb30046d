// The law of a loss at rational points: atoms are decided exactly, listed, and told in words.
// Reference numbers: mpmath at 60 digits, from the formulas next to them.
#include <plaudit/plaudit.hpp>

#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

using plaudit::Composition;
using plaudit::Direction;
using plaudit::Interval;
using plaudit::PrivacyLoss;
using plaudit::Real;

namespace {

bool contains(const Interval& x, const Real& value) {
  const Real slack = Real("1e-49", 60);
  return x.lower <= value + slack && value - slack <= x.upper;
}
bool contains(const Interval& x, const char* value) { return contains(x, Real(value, 80)); }

bool narrow(const Interval& x) { return x.upper - x.lower <= x.upper * 1e-14; }

bool is(const Interval& x, const char* value) { return contains(x, value) && narrow(x); }

PrivacyLoss law(const char* spec, Direction direction = Direction::remove) {
  return {plaudit::parse(spec), direction};
}

template <class F>
std::string refusal(F&& f) {
  try {
    f();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing was refused";
}

constexpr const char* pure_high = "0.52497918747893998609919318260414215982139989689051";
constexpr const char* pure_low = "0.47502081252106001390080681739585784017860010310949";

}  // namespace

TEST_CASE("pure: 1 / (1 + e^-eps) at eps, the rest at -eps") {
  const PrivacyLoss loss = law("pure(epsilon=0.1)");
  CHECK(is(loss.p_atom("0.1"), pure_high));
  CHECK(is(loss.p_atom("-1/10"), pure_low));
  CHECK(loss.p_atom("0.1000000000000000000000000000001").upper == 0);
  CHECK(loss.p_atom("0.0999999999999999999999999999999").upper == 0);
  CHECK(loss.p_above("0.1").upper == 0);
  CHECK(loss.q_above("0.1").upper == 0);
  CHECK(is(loss.p_above("0.0999999999999999999999999999999"), pure_high));
  CHECK(is(loss.p_above("-0.1"), pure_high));
  CHECK(is(loss.q_above("-0.1"), pure_low));
  CHECK(loss.p_above("-0.1000000001").lower == 1);
}

TEST_CASE("approximate: the same on 1 - delta, and delta at infinity") {
  const PrivacyLoss loss = law("approximate(epsilon=0.1, delta=1/4)");
  const Real high = Real(pure_high, 80) * 3 / 4;
  CHECK(contains(loss.p_atom("0.1"), high));
  CHECK(narrow(loss.p_atom("0.1")));
  CHECK(is(loss.p_above("0.1"), "0.25"));
  CHECK(loss.q_above("0.1").upper == 0);
  const PrivacyLoss one_point = law("approximate(epsilon=0, delta=1/4)");
  CHECK(is(one_point.p_atom(0), "0.75"));
  CHECK(is(one_point.p_above(0), "0.25"));
  CHECK(one_point.atoms().size() == 1);
}

TEST_CASE("laplace: 1/2 at a, e^-a / 2 at -a") {
  const PrivacyLoss loss = law("laplace(scale=10)");
  CHECK(is(loss.p_atom("1/10"), "0.5"));
  CHECK(is(loss.p_atom("-0.1"), "0.4524187090179797865821245297232183105973526804902"));
  CHECK(loss.p_atom(0).upper == 0);
  CHECK(loss.p_above("0.1").upper == 0);
  CHECK(is(loss.p_above("-0.1"), "0.5475812909820202134178754702767816894026473195098"));
  CHECK(is(loss.q_above("-0.1"), "0.5"));
  CHECK(loss.p_above("-0.10000001").lower == 1);
}

TEST_CASE("randomized response by probability: no rational but 0 is a loss") {
  const PrivacyLoss loss = law("randomized_response(probability=3/4)");  // +-log 3
  const char* below =
      "1.0986122886681096913952452369225257046474905578227494517346943336374942932186089668736157";
  const char* above =
      "1.0986122886681096913952452369225257046474905578227494517346943336374942932186089668736159";
  CHECK(is(loss.p_above(below), "0.75"));
  CHECK(is(loss.q_above(below), "0.25"));
  CHECK(loss.p_above(above).upper == 0);
  CHECK(loss.p_atom(below).upper == 0);
  CHECK(loss.p_atom(above).upper == 0);
  CHECK(is(loss.p_above(0), "0.75"));
}

TEST_CASE("discrete Gaussian noise: phi(k) at (k + D/2) D / v") {
  const PrivacyLoss loss = law("discrete_gaussian(sigma=2)");
  CHECK(is(loss.p_atom("1/8"), "0.19947114020071633896997302996719091380210190918528"));
  CHECK(is(loss.p_above("0.125"), "0.40026442989964183051501348501640454309894904540736"));
  CHECK(is(loss.q_above("0.125"), "0.22423176651749209162767326421814573457834584311841"));
  CHECK(loss.p_atom("0.12499999999999999999").upper == 0);
  CHECK(is(loss.p_above("0.12499999999999999999"),
           "0.59973557010035816948498651498359545690105095459264"));
  CHECK(is(loss.p_atom("-1/8"), "0.17603266338214973888734022079825880852060320228895"));
  CHECK(contains(loss.p_above("1e40"), "0"));
}

TEST_CASE("discrete Laplace noise, also of many atoms") {
  const PrivacyLoss loss = law("discrete_laplace(scale=2, sensitivity=3)");
  CHECK(is(loss.p_atom("1.5"), "0.62245933120185456463890056574550847875327936530891"));
  CHECK(is(loss.p_atom("0.5"), "0.14855067788365744711839933351780258905152313389499"));
  CHECK(is(loss.p_above("0.5"), "0.62245933120185456463890056574550847875327936530891"));
  CHECK(loss.p_above("1.5").upper == 0);
  CHECK(is(law("discrete_laplace(scale=2000, sensitivity=3000)").p_atom("1.5"),
           "0.50012499999739583339843749835301963496670625713254"));
}

TEST_CASE("Poisson samples: atoms at logarithms, and at 0") {
  for (const char* spec :
       {"poisson(pure(epsilon=1), rate=1/3)", "poisson(laplace(scale=2), rate=1/3)",
        "poisson(discrete_gaussian(sigma=1, sensitivity=2), rate=1/3)"}) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      CAPTURE(spec);
      const PrivacyLoss loss = law(spec, direction);
      CHECK(loss.p_atom("1/3").upper == 0);
      const Interval p = loss.p_above("1/7");
      const Interval q = loss.q_above("1/7");
      CHECK(narrow(p));
      CHECK(p.upper >= q.lower);
      CHECK(narrow(loss.p_above(0)));
    }
  }
  // The discrete Gaussian of even sensitivity has a loss 0, which sampling leaves where it is.
  const PrivacyLoss even = law("poisson(discrete_gaussian(sigma=1, sensitivity=2), rate=1/3)");
  CHECK(even.p_atom(0).lower > 0);
}

TEST_CASE("files: rational losses, masses and intervals of masses") {
  const std::string file = std::filesystem::temp_directory_path() / "plaudit_exact_points.json";
  {
    std::ofstream out(file);
    out << R"({"adjacency": "add/remove", "both": {"losses": ["-1/3", "1/7", "2/5"],
           "masses": ["1/4", ["1/8", "1/4"], "1/2"], "infinite": ["0", "1/8"]}})";
  }
  const PrivacyLoss loss(plaudit::pld(file), Direction::remove);
  CHECK(is(loss.p_atom("2/5"), "0.5"));
  CHECK(is(loss.p_atom("-1/3"), "0.25"));
  const Interval between = loss.p_atom("1/7");
  CHECK(between.lower <= 0.125);
  CHECK(between.lower > 0.1249);
  CHECK(between.upper < 0.2501);
  CHECK(loss.p_above("2/5").upper <= 0.12500001);
  CHECK(loss.p_above("-1/3").lower >= 0.6249);
  CHECK(loss.atoms().size() == 3);
  CHECK(loss.atoms()[1].exact_loss == "1/7");
  std::filesystem::remove(file);
}

TEST_CASE("atoms and the mass at infinity are all of a discrete law") {
  for (const char* spec :
       {"pure(epsilon=0.1)", "approximate(epsilon=0.3, delta=1e-3)", "randomized_response(0.7)",
        "randomized_response(probability=0.6)", "discrete_laplace(scale=3, sensitivity=5)",
        "poisson(approximate(epsilon=1, delta=0.1), rate=0.2)"}) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      CAPTURE(spec);
      const PrivacyLoss loss = law(spec, direction);
      Interval sum = loss.mass_at_infinity();
      Real former = -1000;
      for (const PrivacyLoss::Atom& atom : loss.atoms()) {
        CHECK(atom.loss.lower > former);
        former = atom.loss.upper;
        sum.lower += atom.p.lower;
        sum.upper += atom.p.upper;
        if (atom.exact_loss.empty()) continue;
        const Interval here = loss.p_atom(atom.exact_loss);
        CHECK(here.lower <= atom.p.upper);
        CHECK(atom.p.lower <= here.upper);
      }
      CHECK(sum.lower <= 1);
      CHECK(sum.upper >= 1);
      CHECK(sum.upper - sum.lower < 1e-12);
    }
  }
}

TEST_CASE("lists of atoms of other laws") {
  CHECK(law("gaussian(sigma=1)").atoms().empty());
  CHECK(law("poisson(gaussian(sigma=1), rate=0.1)").atoms().empty());
  const auto laplace = law("laplace(scale=2)").atoms();
  REQUIRE(laplace.size() == 2);
  CHECK(laplace[0].exact_loss == "-0.5");
  CHECK(laplace[1].exact_loss == "0.5");
  CHECK(law("laplace(scale=2)").atoms(0, 1).size() == 1);
  const PrivacyLoss noise = law("discrete_gaussian(sigma=2)");
  const auto window = noise.atoms("-1/8", "3/8");  // k = -1, 0, 1
  REQUIRE(window.size() == 3);
  CHECK(window[1].exact_loss == "0.125");
  CHECK(refusal([&] { noise.atoms(); }).find("window") != std::string::npos);
  CHECK(refusal([&] { noise.atoms(1, 0); }).find("from") != std::string::npos);
  CHECK(refusal([&] { noise.atoms(0, "1e9"); }).find("65536") != std::string::npos);
  const auto replaced =
      law("without_replacement(gaussian(sigma=4, sensitivity=2), batch=10, population=100, "
          "adjacency=replace)");
  REQUIRE(replaced.atoms().size() == 1);
  CHECK(replaced.atoms()[0].exact_loss == "0");
  const auto sampled = law("poisson(discrete_gaussian(sigma=2), rate=0.1)").atoms(0, "1/2");
  CHECK(sampled.size() > 3);
  CHECK(refusal([] {
          law("poisson(discrete_gaussian(sigma=2), rate=0.1)").atoms(-1, 1);
        }).find("window") != std::string::npos);
}

TEST_CASE("laws in words") {
  const auto says = [](const char* spec, const char* words) {
    const std::string text = law(spec).describe();
    CHECK_MESSAGE(text.find(words) != std::string::npos, text);
  };
  says("gaussian(sigma=1)", "normal with mean 0.5 and variance 1");
  says("pure(epsilon=0.1)", "2 atoms at -0.1 and 0.1, and no continuous part");
  says("laplace(scale=10)", "2 atoms at -0.1 and 0.1, and a continuous part");
  says("discrete_gaussian(sigma=2)", "on the lattice of the points 0.125 + k * 0.25");
  says("poisson(gaussian(sigma=1), rate=0.1)", "continuous, without atoms");
  says("approximate(epsilon=1, delta=1/8)", "P(L = infinity) is about 0.125");
  says("pure(epsilon=0.1)^3 * gaussian(sigma=1)", "3 times 2 atoms");
  says("gaussian(sigma=1)", "direction remove");
}

TEST_CASE("bad points, and limits") {
  const PrivacyLoss loss = law("pure(epsilon=0.1)");
  CHECK(refusal([&] { (void)loss.p_atom("x"); }).find("x") != std::string::npos);
  CHECK(refusal([&] { (void)loss.p_above(0, 0); }).find("digits") != std::string::npos);
  CHECK(refusal([&] { (void)loss.atoms(0); }).find("digits") != std::string::npos);
  const PrivacyLoss hurried(plaudit::parse("poisson(gaussian(sigma=1), rate=0.01)^1000"),
                            Direction::remove, {.timeout_seconds = 1e-3});
  const Interval p = hurried.p_above("0.1", 200);
  CHECK(p.lower >= 0);
  CHECK(p.upper <= 1);
  CHECK(p.lower <= p.upper);
  CHECK(hurried.quantile("0.5", 50).lower <= hurried.quantile("0.5", 50).upper);
}
