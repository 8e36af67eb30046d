// Bounds of the checker's laws that are attained: each is the number itself, so that one which is a
// thousandth too small is found.
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "lib/exact/checked_integer.hpp"
#include "verification/checker/laws/public_labels.hpp"
#include "verification/checker/lines/lines.hpp"

using namespace plaudit::proof;

namespace {

double value_of(const Interval& x) { return mpfr_get_d(x.high(), MPFR_RNDU); }

LinePointer line_of_law(Law law) {
  static const nlohmann::json none = nlohmann::json::object();
  Fields fields(none, "no choices");
  return make_line(law, fields, false);
}

bool attains(const Interval& bound, double truth) {
  return value_of(bound) >= truth * (1 - 1e-12) && value_of(bound) <= truth * (1 + 1e-12);
}

double moment_of_range(double e, double t) {
  const double v = t + 0.5;
  return std::sinh(e * v) / (2 * v * std::sinh(e / 2));
}

}  // namespace

TEST_CASE("a bounded range: moments, and the bound beyond a height where it is attained") {
  const plaudit::PrecisionScope precision(128);
  Budget budget({});
  const LinePointer line = line_of_law(Range{plaudit::Rational(3, 2)});
  for (const double t : {-3.0, 0.25, 1.0, 7.5}) {
    CAPTURE(t);
    CHECK(attains(line->moment(Interval(plaudit::checked_rational(t, "t")), "moment", budget),
                  moment_of_range(1.5, t)));
  }
  // |sinh(x + iy)| is cosh x at y = pi/2 + k pi; far enough out this is below M(t)
  const double s = 4.5 * std::numbers::pi / 1.5;
  const double truth = std::cosh(1.5 * 1.5) / (2 * std::hypot(1.5, s) * std::sinh(0.75));
  REQUIRE(truth < moment_of_range(1.5, 1));
  CHECK(attains(line->beyond(1, Interval(plaudit::checked_rational(s, "s")), budget), truth));
}

TEST_CASE("bounds of moments end before the limit of their orders") {
  const plaudit::PrecisionScope precision(128);
  Budget budget({});
  const LinePointer line =
      line_of_law(Bounded{plaudit::Rational(1, 10), plaudit::Rational(1, 5), plaudit::Rational(3)});
  CHECK(attains(line->moment(Interval(plaudit::Rational(3, 2)), "moment", budget),
                std::exp(0.15 + 0.2 * 2.25)));
  CHECK_THROWS(line->moment(2, "moment", budget));
  CHECK_THROWS(line->moment(-1, "moment", budget));
  CHECK_THROWS(line->values(1, 1, {0, 2}, budget));
}

TEST_CASE("random allocation: integer moments, and Jensen's bound of negative ones") {
  const plaudit::PrecisionScope precision(128);
  Budget budget({});
  const double a2 = 0.25;
  const LinePointer remove = line_of_law(Allocation{plaudit::Rational(1, 4), {{2, 3}}, true});
  const double third = (2 * std::exp(3 * a2) + 6 * std::exp(a2)) / 8;  // E ((X + Y)/2)^3
  CHECK(attains(remove->moment(2, "moment", budget), std::pow(third, 3)));
  const LinePointer add = line_of_law(Allocation{plaudit::Rational(1, 4), {{2, 1}}, false});
  CHECK(attains(add->moment(2, "moment", budget), std::exp(a2 + a2)));
}

TEST_CASE("the label of a capped sample: both sides of the mean") {
  const plaudit::PrecisionScope precision(128);
  for (const std::uint64_t cap : {1U, 2U, 5U, 7U}) {
    double truth = 0;
    for (std::uint64_t k = cap; k <= 7; ++k) {
      const double x = static_cast<double>(k);
      truth += std::tgamma(8.0) / std::tgamma(x + 1) / std::tgamma(8 - x) * std::pow(0.3, x) *
               std::pow(0.7, 7 - x);
    }
    CAPTURE(cap);
    CHECK(attains(probability_of_reaching(7, plaudit::Rational(3, 10), cap), truth));
  }
}

TEST_CASE("a cut law to the left of the poles: what the whole has beyond the cut counts") {
  const plaudit::PrecisionScope precision(128);
  Budget budget({});
  const nlohmann::json rule = {
      {"eta", {1, 0}}, {"v", {1, 0}}, {"d", {1, -2}}, {"first", -60}, {"last", 60}};
  const auto line_with = [&](const char* rate, const nlohmann::json& cut) {
    const nlohmann::json choices = {{"cut", cut}, {"line", rule}, {"decay", rule}};
    Fields fields(choices, "choices");
    const plaudit::Rational half(1, 2);
    return make_line(Mixture{{0, plaudit::parse_rational(rate)}, {half, half}, true}, fields, true);
  };
  // Nearly constant f = 1/2 + e^(ay - a^2/2)/2, a = 1/1024, Y = 1: f(Y)^-1 Phi(-Y) is 1.00026 times
  // the integral of phi/f beyond Y. mpmath, mp.dps = 40.
  const double below = 0.8414630964003902885;
  const double bound = 0.1585778233782561610;
  const Complex value = line_with("1/1024", {1, 0})->values(-2, 1, {0, 2}, budget)[0];
  CHECK(mpfr_get_d(value.re.low(), MPFR_RNDD) <= below);
  CHECK(mpfr_get_d(value.re.low(), MPFR_RNDD) >= below - 3e-4 * bound);
  // a = 1, Y = 1/1024: |M(-2 + 100i)| is 0.0118 for the edge at Y, and 0.0014 without the cut.
  CHECK(value_of(line_with("1", {1, -10})->beyond(-2, 100, budget)) >= 0.011756366272);
}
