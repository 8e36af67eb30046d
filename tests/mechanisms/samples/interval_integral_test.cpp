// The integral between the atoms of sampled Laplace noise: values against sums in floating point
// and moments of integer order, norms and ends against sums of sizes.
#include "mechanisms/samples/interval_integral.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "lib/balls/precision.hpp"
#include "mechanisms/laws/laplace_loss.hpp"
#include "support/containment.hpp"
#include "support/integrands.hpp"
#include "support/random.hpp"
#include "support/sabotage.hpp"

using namespace plaudit;
using namespace plaudit::test;

TEST_CASE("interval integrals: norms and ends") {
  Random random(89);
  for (int i = 0; i < trials(400); ++i) {
    const Rational ratio(random.integer(1, 40), random.one_in(3) ? 40 : 4);
    const Rational rate(random.integer(1, 99), random.one_in(4) ? 10000 : 100);
    const double r = random.one_in(2) ? random.uniform(-60, 0) : random.uniform(0, 30);
    const double a = estimate(ratio);
    const double q = estimate(rate);
    const IntervalIntegral integral(ratio, rate);
    const PrecisionScope scope(64);
    const double most = std::min(std::numbers::pi / 4, std::atan(std::numbers::pi / a));
    const double tau = (random.one_in(2) ? 1 : -1) * most *
                       (random.one_in(3) ? random.uniform(0.9, 0.999) : random.uniform(0.01, 0.9));
    const double s = random.one_in(3) ? 0 : random.uniform(0, 6);
    const auto log_of = [&](double height) { return interval_integrand(a, q, {r, height}); };
    INFO("ratio ", a, " rate ", q, " r ", r, " tau ", tau, " s ", s);
    const double axis = norm_of(log_of(0), 0, 30);
    const Ball norm = integral.norm(tau, Ball(r), Ball(s), Ball(axis), 1);
    CHECK(may_be(norm_of(log_of(s), tau, 30), norm));
    CHECK_FALSE(integral.norm(1.001 * most, Ball(r), Ball(s), Ball(axis), 1).is_finite());
    IntervalIntegral::Strip strip{std::fabs(tau), 0, 0, 0, 0};
    strip.d = std::exp2(static_cast<double>(random.integer(-6, 1)));
    strip.first = -static_cast<long>(random.uniform(0, 8) / strip.d);
    strip.last = static_cast<long>(random.uniform(0, 8) / strip.d);
    CHECK(may_be(sum_outside(log_of(0), strip.eta, strip.first, strip.last, strip.d),
                 integral.outside(Ball(r), strip)));
  }
}

TEST_CASE("interval integrals: the ends are where the bounds are next to equalities") {
  // f^r is nearly constant beside an end, where the weights fall as those of the bound
  const PrecisionScope scope(64);
  for (const double r : {-40.0, -3.0, 0.5, 5.0, 60.0}) {
    for (const char* ratio : {"0.02", "0.5", "4"}) {
      const Rational a = parse_rational(ratio);
      const IntervalIntegral integral(a, Rational(1, 3));
      for (const bool left : {true, false}) {
        IntervalIntegral::Strip strip{0, 0, 1.0 / 64, -64 * 12, 64 * 12};
        (left ? strip.first : strip.last) = left ? -64 * 4 : 64 * 4;
        const double truth = sum_outside(interval_integrand(estimate(a), 1.0 / 3, {r, 0}), 0,
                                         strip.first, strip.last, strip.d);
        const Ball bound = integral.outside(Ball(r), strip);
        INFO("r ", r, " ratio ", std::string(ratio), " left ", left);
        CHECK(may_be(truth, bound));
      }
    }
  }
}

TEST_CASE("interval integrals: the same truth at 53, 128 and 512 bits, and moments of the base") {
  Random random(90);
  for (int i = 0; i < trials(30); ++i) {
    const Rational ratio(random.integer(1, 30), 8);
    const Rational rate(random.integer(1, 9), 10);
    const auto law = LaplaceLoss(ratio).sampled(rate, Direction::add);
    const ComplexBall z(Ball(random.uniform(-6, 4)), Ball(random.uniform(0, 40)));
    std::vector<ComplexBall> values;
    for (const long bits : {53L, 128L, 512L}) {
      const PrecisionScope scope(bits);
      values.push_back(exp(law->log_mgf(z)));
      CHECK(values.back().real().radius().upper_double() <
            1e3 * std::exp2(-static_cast<double>(bits)) *
                std::max(1.0, std::exp(law->estimate_cumulant(z.real().estimate()).value)));
    }
    CHECK_OVERLAPS(values[0].real(), values[2].real());
    CHECK_OVERLAPS(values[1].real(), values[2].real());
    CHECK_OVERLAPS(values[1].imaginary(), values[2].imaginary());
    // of so many nodes one sum is made, which adds the atoms by itself
    const std::size_t nodes = 256;
    const Ball step = z.imaginary() / Ball(static_cast<double>(nodes - 1));
    const LineValues line = law->mgf_on_line(z.real(), step, nodes, LineAccuracy(40));
    CHECK_OVERLAPS(line.values.back().real(), values[2].real());
    CHECK_OVERLAPS(line.values.back().imaginary(), values[2].imaginary());
  }
}

TEST_CASE("interval integrals: each error term is needed") {
  // The quadrature covers more than its own error; without it the ends alone must still do.
  bool quadrature_missed = false;
  bool tails_missed = false;
  for (const double r : {-8.0, 0.5, 6.0, 40.0}) {
    for (const Rational& ratio : {Rational(1, 2), Rational(2), Rational(8)}) {
      const IntervalIntegral integral(ratio, Rational(1, 3));
      const LineValues exact = integral.on_line(Ball(r), Ball(2), 4, 90);
      for (double nats = 0.5; nats < 12; nats += 0.5) {
        const auto holds = [&] {
          const LineValues line = integral.on_line(Ball(r), Ball(2), 4, nats);
          return std::equal(line.values.begin(), line.values.end(), exact.values.begin(),
                            [](const ComplexBall& a, const ComplexBall& b) {
                              return overlaps(a.real(), b.real());
                            });
        };
        CHECK(holds());
        const Scaled no_quadrature("interval.quadrature", 0);
        const bool tails_suffice = holds();
        quadrature_missed = quadrature_missed || !tails_suffice;
        const Scaled no_tails("interval.tails", 0);
        tails_missed = tails_missed || (tails_suffice && !holds());
      }
    }
  }
  CHECK(quadrature_missed);
  CHECK(tails_missed);
}

TEST_CASE("interval integrals, coarsely") {
  Random random(91);
  const PrecisionScope scope(64);
  for (int i = 0; i < trials(40); ++i) {
    const IntervalIntegral integral(Rational(random.integer(1, 40), 8),
                                    Rational(random.integer(1, 99), 100));
    const Ball r(random.uniform(-20, 20));
    const Ball step(std::exp(random.uniform(-1.5, 2)));
    const LineValues exact = integral.on_line(r, step, 5, 45);
    const Ball axis = integral.on_axis(r, 45);
    for (const double nats : {0.3, 1.0, 2.0, 3.5, 6.0}) {
      try {
        CHECK_OVERLAPS(integral.on_axis(r, nats), axis);
        const LineValues coarse = integral.on_line(r, step, 5, nats);
        for (std::size_t k = 0; k < 5; ++k) CHECK(overlaps(coarse.values[k], exact.values[k]));
        const Ball bound = integral.bound_beyond(r, step, nats);
        for (std::size_t k = 1; k < 5; ++k) {
          CHECK(certainly_less_equal(abs(exact.values[k]).lower(), bound));
        }
      } catch (const std::domain_error&) {  // no finite bound at so few nats
      }
    }
  }
}
