// Mechanisms known by bounds of their moments only (zcdp, tcdp, cdp): upper ends against the best
// conversion in another arithmetic, and against mechanisms that are within the bounds.
#include <doctest/doctest.h>

#include <cmath>

#include "accountants/refusals.hpp"
#include "accountants/registry.hpp"
#include "mechanisms/language/spec.hpp"
#include "mechanisms/laws/bounded_loss.hpp"
#include "mechanisms/spec_error.hpp"
#include "support/curves.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

/// The spec is refused with these words.
void check_refused(const char* spec, const char* words) {
  std::string said;
  try {
    (void)parse_spec(spec);
  } catch (const SpecError& error) {
    said = error.what();
  }
  CAPTURE(said);
  CHECK(said.find(words) != std::string::npos);
}

Enclosure ask(const std::string& name, const std::string& spec, bool epsilon,
              const std::string& argument) {
  const ComposedLoss loss = loss_from(spec.c_str());
  const auto chosen = accountant(name);
  REQUIRE(!refusal_of(*chosen, loss));
  const auto curve = chosen->open(loss, Goal{12});
  const Rational value = parse_rational(argument);
  return epsilon ? curve->epsilon(value) : curve->delta(value);
}

double upper(const Enclosure& band) { return band.upper.upper_double(); }

struct Best {
  double delta;
  double order;
};

/// Canonne, Kamath and Steinke (2020), Proposition 12, for K(t) = a t + b t^2 and orders 1 + t < 1
/// + most: the least over a fine grid and the end of it, in long double.
Best best_delta(double a, double b, double epsilon, double most) {
  long double least = 0;
  long double best = 0;
  const auto at = [&](long double t) {
    const long double alpha = t + 1;
    const long double log_delta =
        a * t + b * t * t - t * epsilon - std::log(t) + alpha * std::log1p(-1 / alpha);
    if (log_delta < least) best = t;
    least = std::min(least, log_delta);
  };
  for (long double t = 1e-4L; t < std::min(most, 1e4); t *= 1.0002L) at(t);
  if (most < 1e4) at(most);
  return {static_cast<double>(std::exp(least)), static_cast<double>(best)};
}

}  // namespace

TEST_CASE("bounded moments: the best known conversion, and composition adds rho") {
  for (const double epsilon : {0.5, 2.0, 4.0, 9.0}) {
    CAPTURE(epsilon);
    const std::string at = std::to_string(epsilon);
    const auto near = [&](const std::string& spec, double a, double b, double most) {
      CAPTURE(spec);
      const Enclosure found = ask("moments", spec, false, at);
      const auto [expected, order] = best_delta(a, b, epsilon, most);
      // orders come from a grid (moment_table.hpp)
      const double coarse = std::exp(2 * b * order * order / 70000);
      CHECK(found.certified);
      CHECK(found.lower.is_exact_zero());
      CHECK(upper(found) >= expected * (1 - 1e-6));
      CHECK(upper(found) <= expected * coarse * 1.0001);
    };
    const double none = 1e9;
    near("zcdp(1/10)", 0.1, 0.1, none);
    near("zcdp(1/10)^7", 0.7, 0.7, none);
    near("zcdp(1/10)^3 * zcdp(1/5)^2", 0.7, 0.7, none);
    near("tcdp(1/10, 5/2)", 0.1, 0.1, 1.5);
    near("tcdp(1/10, 9) * zcdp(1/4)", 0.35, 0.35, 8);
    near("cdp(1/5, 1/2)", 0.2, 0.125, none);
    near("cdp(1/5, 1/2)^4", 0.8, 0.5, none);
    // N(1/18, 1/9) of the Gaussian adds its moments
    near("zcdp(1/10) * gaussian(3)", 0.1 + 1.0 / 18, 0.1 + 1.0 / 18, none);
  }
}

TEST_CASE(
    "bounded moments: a table of divergences is as good as its best order, and as chords between "
    "two") {
  const double orders[] = {1.25, 2, 4, 8, 32, 64};
  std::string texts[2];
  for (const double order : orders) {
    texts[0] += (texts[0].empty() ? "" : ", ") + std::to_string(order);
    // 9 at order 4, above the chord of its neighbours
    texts[1] += (texts[1].empty() ? "" : ", ") + std::to_string(order == 4 ? 9.0 : order / 8);
  }
  const std::string table =
      "renyi_profile(orders=[" + texts[0] + "], divergences=[" + texts[1] + "])";
  const auto moment = [&](double t) {  // by chords that leave order 4 out
    double before = 0;
    double value = 0;
    for (const double order : orders) {
      if (order == 4) continue;
      const double to = (order - 1) * order / 8;
      if (t <= order - 1) return value + (to - value) * (t - before) / (order - 1 - before);
      before = order - 1;
      value = to;
    }
    return HUGE_VAL;
  };
  for (const int count : {1, 5}) {
    const std::string run = table + "^" + std::to_string(count);
    for (const double epsilon : {0.1, 1.0, 4.0, 12.0}) {
      CAPTURE(run);
      CAPTURE(epsilon);
      double best = 1;
      const auto look = [&](double t) {
        const double size =
            count * moment(t) - t * epsilon + t * std::log(t) - (1 + t) * std::log1p(t);
        best = std::min(best, std::exp(size));
      };
      for (double t = 0.001; t <= 63; t = std::min(t * 1.0005, t + 0.01)) look(t);
      for (const double order : orders) look(order - 1);
      const Enclosure found = ask("moments", run, false, std::to_string(epsilon));
      CHECK(upper(found) >= best * (1 - 1e-3));
      CHECK(upper(found) <= best * 1.001);
      CHECK(found.lower.is_exact_zero());
      CHECK(upper(found) >=
            ask("contour", "gaussian(2)^" + std::to_string(count), false, std::to_string(epsilon))
                .lower.lower_double());
    }
  }
  for (const char* delta : {"0.2", "1e-3", "1e-9", "1e-40"}) {
    const Enclosure found = ask("moments", table + "^5 * laplace(2)", true, delta);
    CHECK(upper(found) >=
          ask("contour", "gaussian(2)^5 * laplace(2)", true, delta).lower.lower_double());
    CHECK(found.upper.is_finite());
  }
  check_refused("renyi_profile([2, 2], [1, 1])", "orders");
  check_refused("renyi_profile([1], [1])", "orders");
  check_refused("renyi_profile([2], [0])", "divergences");
  check_refused("renyi_profile([2, 3], [1])", "as many");
}

TEST_CASE("bounded moments: never below a mechanism that is within the bounds") {
  struct Pair {
    const char* bounded;
    const char* within;
  };
  for (const Pair& each : {
           Pair{"zcdp(1/18)", "gaussian(3)"},
           Pair{"zcdp(1/18)^20", "gaussian(3)^20"},
           Pair{"zcdp(1/2)", "pure(1)"},
           Pair{"zcdp(1/2)^6", "pure(1)^6"},
           Pair{"zcdp(1/8)^4", "discrete_gaussian(2)^4"},
           Pair{"tcdp(1/8, 12)^4", "gaussian(2)^4"},
           Pair{"cdp(1/18, 1/3)^5", "gaussian(3)^5"},
           Pair{"zcdp(1/18)^5 * laplace(2)^3", "gaussian(3)^5 * laplace(2)^3"},
       }) {
    CAPTURE(each.bounded);
    for (const char* epsilon : {"-1", "0", "1", "3"}) {
      const double truth = ask("contour", each.within, false, epsilon).lower.lower_double();
      CHECK(upper(ask("moments", each.bounded, false, epsilon)) >= truth);
    }
    for (const char* delta : {"1e-2", "1e-6", "1e-30"}) {
      const Enclosure bounded = ask("moments", each.bounded, true, delta);
      CHECK(upper(bounded) >= ask("contour", each.within, true, delta).lower.lower_double());
      CHECK(bounded.lower.is_exact_zero());
      CHECK(bounded.upper.is_finite());
    }
  }
}

TEST_CASE("bounded moments: beside laws with mass at infinity and sampled ones") {
  for (const auto& each : {std::pair{"zcdp(1/18)^2 * approximate(1/10, 1e-4)",
                                     "gaussian(3)^2 * approximate(1/10, 1e-4)"},
                           std::pair{"zcdp(1/18) * poisson(gaussian(1), 0.01)^100",
                                     "gaussian(3) * poisson(gaussian(1), 0.01)^100"}}) {
    const auto& bounded = each.first;
    const auto& within = each.second;
    CAPTURE(bounded);
    for (const char* epsilon : {"-2", "0", "1", "4", "20"}) {
      const double truth = ask("contour", within, false, epsilon).lower.lower_double();
      const Enclosure found = ask("moments", bounded, false, epsilon);
      CHECK(upper(found) >= truth);
      CHECK(found.lower.lower_double() <= truth);
    }
    const double truth = ask("contour", within, true, "1e-3").lower.lower_double();
    CHECK(upper(ask("moments", bounded, true, "1e-3")) >= truth);
  }
}

TEST_CASE("bounded moments: the moments of mechanisms within the bounds are in the enclosures") {
  const PrecisionScope scope(128);
  struct Pair {
    const char* bounded;
    const char* within;
  };
  for (const Pair& each :
       {Pair{"zcdp(1/18)", "gaussian(3)"}, Pair{"zcdp(1/2)", "pure(1)"},
        Pair{"tcdp(1/18, 20)", "gaussian(3)"}, Pair{"cdp(1/18, 1/3)", "gaussian(3)"}}) {
    CAPTURE(each.bounded);
    const ComposedLoss bounded = loss_from(each.bounded);
    const ComposedLoss within = loss_from(each.within);
    for (const double t : {-12.0, -3.0, -1.5, -1.0, -0.75, -0.5, -0.1, 0.1, 0.5, 1.0, 4.0, 15.0}) {
      CAPTURE(t);
      CHECK(overlaps(bounded.log_mgf(Ball(t)), within.log_mgf(Ball(t))));
      CHECK(contains(bounded.log_mgf(Ball(t)) + hull(Ball(-1e-20), Ball(1e-20)),
                     within.log_mgf(Ball(t))));
    }
  }
  const ComposedLoss cut = loss_from("tcdp(1/18, 5)");
  CHECK(cut.log_mgf(Ball(3.9)).is_finite());
  CHECK_FALSE(cut.log_mgf(Ball(4)).is_finite());
  CHECK_FALSE(cut.log_mgf(Ball(-5)).is_finite());
  CHECK(cut.log_mgf(Ball(-4.9)).is_finite());
}

TEST_CASE("bounded moments: accountants that need a law say so; nothing is known from below") {
  const ComposedLoss loss = loss_from("zcdp(1/10)^3 * gaussian(2)");
  for (const auto& each : accountants()) {
    const auto reason = refusal_of(*each, loss);
    CAPTURE(each->name());
    if (each->name() == "moments") {
      CHECK(!reason);
      continue;
    }
    REQUIRE(reason);
    CHECK(reason->find("needs the law of every factor") != std::string::npos);
    CHECK(reason->find("zcdp(rho=0.1)") != std::string::npos);
  }
  // an identity is within the bounds: epsilon may be 0 even where delta is
  const Enclosure none = ask("moments", "zcdp(1/10)", true, "0");
  CHECK(none.lower.is_exact_zero());
  CHECK_FALSE(none.upper.is_finite());
  check_refused("poisson(zcdp(0.1), 0.1)", "one record");
  check_refused("group(zcdp(0.1), 2)", "group");
  check_refused("zcdp(0)", "rho");
  check_refused("zcdp(-1)", "rho");
  check_refused("tcdp(0.1, 1)", "omega");
  check_refused("cdp(-0.1, 1)", "mu");
  check_refused("cdp(0.1, 0)", "tau");
}
