// Values and moments of random allocation by the rules of certificates: coarse ones contain the
// truth, those that are proposed are as accurate as they should be.
#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <nlohmann/json.hpp>

#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "mechanisms/allocation/allocation_loss.hpp"
#include "mechanisms/allocation/allocation_moments.hpp"
#include "tests/support/random.hpp"
#include "verification/certificates/proposals/line_choices.hpp"
#include "verification/checker/lines/lines.hpp"
#include "verification/checker/lines/mellin_rule.hpp"

using plaudit::PrecisionScope;
using plaudit::test::Random;
using Json = nlohmann::json;
using Number = std::complex<double>;
using namespace plaudit::proof;

namespace {

double low_of(const Interval& x) { return mpfr_get_d(x.low(), MPFR_RNDD); }
double high_of(const Interval& x) { return mpfr_get_d(x.high(), MPFR_RNDU); }

/// E ((X_1 + .. + X_t)/t)^w for t = 1 and t = 2, by other means.
Number truth(double a2, int draws, Number w) {
  if (draws == 1) return std::exp(a2 / 2 * w * (w - 1.0));
  constexpr double step = 1.0 / 16;
  Number sum = 0;
  for (int j = -400; j <= 400; ++j) {
    const double y = j * step;
    sum += std::exp(-y * y / 2 + w * std::log(std::cosh(std::sqrt(a2 / 2) * y)));
  }
  return sum * step / std::sqrt(2 * std::acos(-1.0)) * std::exp(a2 / 4 * w * w - a2 / 2 * w);
}

Json dyadic(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  return {static_cast<long>(std::ldexp(mantissa, 53)), exponent - 53};
}

bool contains(const Interval& box, double value, double slack) {
  return low_of(box) <= value + slack && high_of(box) >= value - slack;
}

/// A rule for few digits, worse than that at one place or another.
Json coarse_rule(Random& random, double a2, bool on_axis, double r) {
  const double a = std::sqrt(a2);
  const double theta = on_axis || random.one_in(3) ? 0 : random.uniform(0, 1.3);
  const double turn = random.one_in(2) ? theta : theta * random.uniform(0, 1);
  const long parts = std::max(1L, std::lround(a2 * random.uniform(8, 16)));
  const double unit = a2 / static_cast<double>(parts);
  const double h = random.uniform(0.2, 1.2);
  const long step = std::max(1L, std::lround(h / unit));
  const auto node = [&](double u) { return std::lround(u / (static_cast<double>(step) * unit)); };
  const double width = random.uniform(0.3, 0.95) * (std::acos(-1.0) / 2 - turn) / a;
  const long stride = std::max(1L, std::lround(random.uniform(0.2, 0.9) * a / unit));
  const double d = static_cast<double>(stride) * unit / a;
  return {{"order", static_cast<long>(std::max(0.0, std::ceil(r + 0.6))) + random.integer(0, 2)},
          {"theta", dyadic(theta)},
          {"parts", parts},
          {"step", step},
          {"first", node(random.one_in(3) ? random.uniform(-9, -1) : -30)},
          {"last", node(random.one_in(3) ? random.uniform(0, 3) : 9)},
          {"gamma_first", node(random.one_in(3) ? random.uniform(-9, -1) : -30)},
          {"gamma_last", node(random.one_in(3) ? random.uniform(2.5, 4) : 9)},
          {"right_order", dyadic(random.uniform(0.3, 8))},
          {"turn", dyadic(turn)},
          {"width", dyadic(width)},
          {"stride", stride},
          {"points", std::lround(random.uniform(1, 9) / d)},
          {"bits", 160}};
}

struct Tried {
  int proven = 0;
  int missed = 0;
};

/// Random rules: how many prove something, and how many of these do not contain the truth.
Tried tried(bool on_axis, int cases) {
  Random random(on_axis ? 5 : 6);
  Tried result;
  const PrecisionScope precision(128);
  Budget budget({});
  for (int i = 0; i < cases; ++i) {
    const double a2 = std::ldexp(static_cast<double>(random.integer(1, 24)), -4);
    const int draws = static_cast<int>(random.integer(1, 2));
    const double r = std::ldexp(static_cast<double>(random.integer(-10, 10)), -2);
    const MeanOfDraws law{plaudit::checked_rational(a2, "a2"), static_cast<std::uint64_t>(draws)};
    const Interval order(plaudit::checked_rational(r, "r"));
    const Json rule_fields = coarse_rule(random, a2, on_axis, r);
    const double axis = truth(a2, draws, r).real();
    try {
      Fields fields(rule_fields, "a rule");
      const MellinRule rule(fields);
      if (on_axis) {
        const Interval found = rule.moment(law, order, budget);
        ++result.proven;
        if (high_of(found) < axis * (1 - 1e-11)) ++result.missed;
        continue;
      }
      const double h = 0.25;
      const long first = random.integer(0, 3);
      const Interval bound(plaudit::checked_rational(axis * (1 + 1e-12), "axis"));
      const auto found =
          rule.values(law, order, Interval(plaudit::Rational(1, 4)), first, 12, bound, budget);
      ++result.proven;
      for (std::size_t k = 0; k < found.size(); ++k) {
        const Number value =
            truth(a2, draws, {r, -h * static_cast<double>(first + static_cast<long>(k))});
        if (!contains(found[k].re, value.real(), 1e-11 * axis) ||
            !contains(found[k].im, value.imag(), 1e-11 * axis)) {
          ++result.missed;
          break;
        }
      }
    } catch (const std::domain_error&) {  // too coarse to prove anything
    }
  }
  return result;
}

}  // namespace

TEST_CASE("random allocation: moments by coarse rules are above the truth") {
  const Tried found = tried(true, 160);
  CHECK(found.missed == 0);
  CHECK(found.proven > 60);
}

TEST_CASE("random allocation: values by coarse rules contain the truth") {
  const Tried found = tried(false, 120);
  CHECK(found.missed == 0);
  CHECK(found.proven > 40);
}

TEST_CASE("random allocation: proposed rules are as accurate as they are asked to be") {
  const PrecisionScope precision(160);
  Budget budget({});
  for (const std::uint64_t steps : {2U, 3U, 100U}) {
    for (const bool removes : {true, false}) {
      for (const double t : {0.5, 6.0}) {
        CAPTURE(steps);
        CAPTURE(removes);
        CAPTURE(t);
        const plaudit::Rational a2(1, 3);
        const Law law = Allocation{a2, {{steps, 2}}, removes};
        const plaudit::AllocationLoss loss(
            a2, {{steps, 2}}, removes ? plaudit::Direction::remove : plaudit::Direction::add);
        plaudit::LineGoals goals;
        goals.nodes = {t, 8, 30};
        goals.orders = {{"right", 2 * t}, {"left", -1.5}};
        goals.rest_nats = 20;
        const Json choices = plaudit::line_choices(law, loss, goals);
        Fields fields(choices, "choices");
        const LinePointer line = make_line(law, fields, false);
        fields.done();
        const Interval order(plaudit::checked_rational(t, "t"));
        const auto found = line->values(order, Interval(plaudit::Rational(1, 2)), {0, 16}, budget);
        const plaudit::AllocationMoments moments(a2, steps);
        const double size =
            2 * moments.on_axis(plaudit::Ball(removes ? 1 + t : -t), 40).estimate_log();
        for (std::size_t k = 0; k < found.size(); ++k) {
          const double y = 0.5 * static_cast<double>(k);
          const plaudit::ComplexBall one =
              moments.at(plaudit::ComplexBall(plaudit::Ball(removes ? 1 + t : -t),
                                              plaudit::Ball(removes ? y : -y)),
                         50);
          const plaudit::ComplexBall exact = one * one;
          const double slack = 1e-14 * std::exp(size);
          CHECK(contains(found[k].re, exact.real().estimate(), slack));
          CHECK(contains(found[k].im, exact.imaginary().estimate(), slack));
          CHECK(high_of(half_width(found[k].re)) < std::exp(size - 28));
        }
        for (const auto& [name, at] : {std::pair{"right", 2 * t}, std::pair{"left", -1.5}}) {
          const double exact =
              2 * moments.on_axis(plaudit::Ball(removes ? 1 + at : -at), 40).estimate_log();
          const double bound = std::log(high_of(
              line->moment(Interval(plaudit::checked_rational(at, "order")), name, budget)));
          CHECK(bound >= exact - 1e-12);
          CHECK(bound <= exact + 1e-8);
        }
        CHECK_THROWS(line->values(order, Interval(plaudit::Rational(1, 2)), {0, 40}, budget));
      }
    }
  }
}
