// prv(mode=algorithm): the three numbers of Gopi, Lee and Wutschitz's own library, in words beside
// a band that they do not touch; and windows that leave out what is far off the mean.
#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "accountants/contour/contour.hpp"
#include "accountants/prv/prv_coupling.hpp"
#include "accountants/registry.hpp"
#include "support/curves.hpp"
#include "support/sabotage.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

Enclosure ask(const std::string& mode, const std::string& spec, bool epsilon,
              const char* argument) {
  const ComposedLoss loss = loss_from(spec);
  const auto curve = accountant("prv(mode=" + mode + ")")->open(loss, Goal{12});
  const Rational value = parse_rational(argument);
  return epsilon ? curve->epsilon(value) : curve->delta(value);
}

/// lower, middle and upper, as the method says them.
std::array<double, 3> numbers(const Enclosure& band) {
  std::array<double, 3> found{};
  std::size_t at = 0;
  std::size_t i = 0;
  for (const char* name : {" lower ", ", middle ", ", upper "}) {
    at = band.method.find(name, at);
    REQUIRE(at != std::string::npos);
    at += std::string(name).size();
    found[i++] = std::stod(band.method.substr(at));
  }
  return found;
}

}  // namespace

TEST_CASE("prv(mode=algorithm): the numbers of prv-accountant 0.2.0") {
  // Printed by that package, for the remove direction.
  struct Case {
    const char* spec;
    const char* settings;
    bool epsilon;
    const char* argument;
    std::array<double, 3> printed;
    double tolerance;
  };
  for (const Case& each : {
           Case{"poisson(gaussian(0.8), 0.001)^10000",
                "delta_error=1e-10",
                true,
                "1e-7",
                {1.0702169608705911, 1.1703342051586654, 1.2704514490729573},
                1e-7},
           Case{"poisson(gaussian(0.8), 0.001)^10000",
                "delta_error=1e-10",
                false,
                "1.17",
                {4.458579688371386e-08, 1.0028545012442515e-07, 2.51242397744581e-07},
                1e-13},
           Case{"poisson(gaussian(1), 0.01)^500",
                "delta_error=1e-8",
                true,
                "1e-5",
                {1.2263858480962828, 1.3264961384964176, 1.4266064167339212},
                1e-7},
           Case{"poisson(gaussian(10), 0.1)^10000",
                "delta_error=1e-8",
                true,
                "1e-5",
                {4.296281871447466, 4.396516587572948, 4.496751498839088},
                1e-7},
           Case{"poisson(gaussian(10), 0.1)^10000",
                "delta_error=1e-8",
                false,
                "4.4",
                {6.3948150035883835e-06, 9.852708815035812e-06, 1.5029344189495623e-05},
                1e-11},
           // heterogeneous, with atoms, and with mass at infinity
           Case{"poisson(gaussian(0.8), 0.004)^1000 * laplace(10)^100",
                "delta_error=1e-10",
                true,
                "1e-7",
                {5.226695569179727, 5.326881416679582, 5.427067888000188},
                1e-6},
           Case{"poisson(gaussian(0.8), 0.004)^1000 * laplace(10)^100",
                "delta_error=1e-10",
                false,
                "4",
                {3.319831149023687e-05, 4.976055219399229e-05, 7.384184662117171e-05},
                1e-10},
           Case{"gaussian(50)^1000 * approximate(0.1, 1e-8)^20",
                "delta_error=1e-10",
                true,
                "1e-6",
                {3.558185912618893, 3.6582055899466344, 3.758225266887187},
                1e-6},
           Case{"gaussian(50)^1000 * approximate(0.1, 1e-8)^20",
                "delta_error=1e-10",
                false,
                "2",
                {0.0020597258583791287, 0.0029879651905328508, 0.004270408234341848},
                1e-8},
       }) {
    CAPTURE(each.spec);
    const Enclosure band = ask("algorithm, eps_error=0.1, " + std::string(each.settings), each.spec,
                               each.epsilon, each.argument);
    const std::array<double, 3> found = numbers(band);
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(std::fabs(found[i] - each.printed[i]) <= each.tolerance);
    }
  }
}

TEST_CASE("prv(mode=algorithm): its triple holds the truth, and its band is that of published") {
  for (const char* spec : {"gaussian(50)^1000", "poisson(gaussian(0.8), 0.01)^300"}) {
    CAPTURE(spec);
    const std::string settings = ", eps_error=0.1, delta_error=1e-9";
    for (const bool epsilon : {true, false}) {
      const char* argument = epsilon ? "1e-6" : "1.5";
      const Enclosure found = ask("algorithm" + settings, spec, epsilon, argument);
      const Enclosure published = ask("published" + settings, spec, epsilon, argument);
      const auto exact_curve = contour_accountant()->open(loss_from(spec), Goal{12});
      const Enclosure exact = epsilon ? exact_curve->epsilon(parse_rational(argument))
                                      : exact_curve->delta(parse_rational(argument));
      CHECK(found.certified);
      CHECK((found.lower - published.lower).is_exact_zero());
      CHECK((found.upper - published.upper).is_exact_zero());
      const double truth = exact.upper.estimate();
      const std::array<double, 3> triple = numbers(found);
      CHECK(triple[0] <= truth);
      CHECK(truth <= triple[2]);
      CHECK(std::fabs(triple[1] - truth) <= 0.01 * truth);
    }
  }
}

TEST_CASE("prv(mode=algorithm): says why it has no numbers") {
  const char* spec = "poisson(gaussian(0.8), 0.01)^300";
  const auto said = [&](const std::string& settings, bool epsilon, const char* argument,
                        const char* words) {
    const Enclosure band = ask("algorithm, " + settings, spec, epsilon, argument);
    CAPTURE(band.method);
    CHECK(band.method.find(words) != std::string::npos);
    CHECK(band.method.find(" middle ") == std::string::npos);
  };
  said("eps_error=0.1, delta_error=1e-6", true, "1e-7", "delta is too small");
  said("eps_error=0.1, delta_error=1e-20", true, "1e-15", "delta is too small");
  said("eps_error=0.0000001, delta_error=1e-9", true, "1e-6", "points would be needed");
  said("eps_error=0.1, delta_error=1e-9", true, "1", "between 0 and 1");
}

TEST_CASE("prv: a window that leaves out what is far off bounds what it leaves out") {
  const PrecisionScope scope(128);
  const ComposedLoss loss = loss_from("poisson(gaussian(sigma=0.6), rate=0.3)^8");
  const Enclosure exact = contour_accountant()->open(loss, Goal{15})->delta(2);
  const auto band = [&](double nats) {
    CoupledSum sum(loss, Ball(0.5), 60, nats);
    return sum.band(Ball(2), Ball(3), sum.deviation(Ball(3), false));
  };
  CoupledSum all(loss, Ball(0.5), 60);
  for (const double nats : {2.0, 6.0, 30.0}) {
    CAPTURE(nats);
    CoupledSum less(loss, Ball(0.5), 60, nats);
    CHECK(less.cells() < all.cells());
    CHECK_BAND_HOLDS(band(nats), band_of(exact));
  }
  // of one step, what lies beyond the cells that are kept
  for (const auto direction : {Direction::remove, Direction::add}) {
    const ComposedLoss same = loss_from("poisson(gaussian(sigma=0.6), rate=0.3)", direction);
    const PrivacyLoss& law = *same.terms()[0].loss;
    const RoundedFactor kept = rounded(law, direction, 1, Ball(0.25), 200, 4);
    const Ball above = Ball(0.25) * (Ball(kept.law->last()) + Ball(0.5));
    const Ball below = Ball(0.25) * (Ball(kept.law->first) - Ball(0.5));
    const Ball outside = law.p_above(above) + (Ball(1) - law.p_above(below));
    CHECK(certainly_less_equal(outside, kept.tails.mass + Ball(1e-20)));
    CHECK(kept.law->masses.size() < 200);
  }
}
