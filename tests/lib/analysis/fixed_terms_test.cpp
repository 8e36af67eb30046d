// Terms in fixed point against logarithms and exponentials of many bits.
#include "lib/analysis/fixed_terms.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "lib/analysis/fixed_power_sums.hpp"
#include "lib/analysis/strip_quadrature.hpp"
#include "lib/balls/precision.hpp"
#include "tests/support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

constexpr long many = 700;

bool contains_all(const ComplexBall& outer, const ComplexBall& inner) {
  return contains(outer.real(), inner.real()) && contains(outer.imaginary(), inner.imaginary());
}

struct Setting {
  std::vector<ComplexBall> f;
  FixedPoints points;
  Ball r;
  Ball step;
};

Setting random_setting(Random& random, std::size_t size) {
  Setting result{{},
                 {},
                 Ball(random.uniform(-1, 1) * std::exp2(random.uniform(0, 10))),
                 Ball(std::exp2(random.uniform(-10, 6)))};
  const bool real = random.one_in(4);
  result.points = {short_double(std::exp2(random.uniform(-6, 0))),
                   real ? 0 : short_double(std::exp2(random.uniform(-6, 3))),
                   random.integer(-200, 100)};
  for (std::size_t j = 0; j < size; ++j) {
    const double log_of_size = random.uniform(-10, 10) * (random.one_in(2) ? 1 : 1e-6);
    const double angle = real ? 0 : random.uniform(0, 3.1);
    result.f.emplace_back(Ball(std::exp(log_of_size) * std::cos(angle)),
                          Ball(std::exp(log_of_size) * std::sin(angle)));
  }
  return result;
}

ComplexBall true_weight(const Setting& s, std::size_t j, const ComplexBall& f, const Ball& r) {
  const PrecisionScope scope(many);
  const ComplexBall z(Ball(s.points.d) * Ball(s.points.first + static_cast<long>(j)),
                      Ball(s.points.eta));
  return exp(ComplexBall(r) * log(f) - ldexp(square(z), -1));
}
ComplexBall true_base(const ComplexBall& f, const Ball& step) {
  const PrecisionScope scope(many);
  return exp(ComplexBall(Ball(0), step) * log(f));
}

}  // namespace

TEST_CASE("fixed terms: exact numbers, one at a time and many") {
  Random random(81);
  int made = 0;
  for (int i = 0; i < 3000; ++i) {
    const PrecisionScope scope(300);
    const std::size_t size = i % 10 == 0 ? 30 : 1;
    const Setting s = random_setting(random, size);
    const long bits = i % 2 == 0 ? 60 : 110;
    const auto terms = fixed_terms(s.f, s.points, s.r, s.step, bits);
    if (!terms) continue;
    ++made;
    Ball sum;
    for (std::size_t j = 0; j < size; ++j) {
      const ComplexBall weight = true_weight(s, j, s.f[j], s.r);
      CHECK(contains_all(terms->weight(j), weight));
      CHECK(contains_all(terms->base(j), true_base(s.f[j], s.step)));
      sum += abs(weight.real()) + abs(weight.imaginary());
    }
    CHECK(certainly_less_equal(sum, ldexp(terms->size_of_weights, terms->exponent)));
    CHECK(terms->error_of_weights.estimate_log() <
          std::log(static_cast<double>(size)) + 3 - 0.693 * static_cast<double>(bits));
    CHECK(terms->error_of_bases.estimate_log() < 3 - 0.693 * static_cast<double>(bits));
  }
  CHECK(made > 2500);
}

TEST_CASE("fixed terms: the ends of balls") {
  Random random(82);
  for (int i = 0; i < 3000; ++i) {
    const PrecisionScope scope(300);
    const Setting s = random_setting(random, 1);
    Setting wide = s;
    const auto radius = [&](const Ball& x) {
      return (abs(x) * Ball(std::exp2(random.uniform(-60, -40)))).lower();
    };
    const Ball of_f = i % 3 == 0 ? radius(abs(s.f[0])) : Ball(0);
    const Ball of_r = i % 3 == 1 ? radius(s.r) : Ball(0);
    const Ball of_step = i % 3 == 2 ? radius(s.step) : Ball(0);
    wide.f[0] =
        s.points.eta == 0 ? ComplexBall(widened(s.f[0].real(), of_f)) : widened(s.f[0], of_f);
    wide.r = widened(s.r, of_r);
    wide.step = widened(s.step, of_step);
    const auto terms = fixed_terms(wide.f, s.points, wide.r, wide.step, 80);
    if (!terms) continue;
    for (const int side : {-1, 1}) {
      const ComplexBall f(s.f[0].real() + Ball(side) * of_f,
                          s.points.eta == 0 ? Ball(0) : s.f[0].imaginary() + Ball(side) * of_f);
      CHECK(contains_all(terms->weight(0), true_weight(s, 0, f, s.r + Ball(side) * of_r)));
      CHECK(contains_all(terms->base(0), true_base(f, s.step + Ball(side) * of_step)));
    }
  }
}

TEST_CASE("fixed terms: their sums are those of balls") {
  Random random(83);
  int made = 0;
  for (int i = 0; i < 60; ++i) {
    const PrecisionScope scope(300);
    const Setting s = random_setting(random, 40);
    const auto terms = fixed_terms(s.f, s.points, s.r, s.step, 70);
    if (!terms) continue;
    std::optional<std::vector<ComplexBall>> sums;
    {
      const PrecisionScope shorter(70);
      sums = fixed_power_sums(*terms, 30);
    }
    if (!sums) continue;
    ++made;
    const PrecisionScope more(many);
    std::vector<ComplexBall> powers, bases;
    for (std::size_t j = 0; j < 40; ++j) {
      powers.push_back(true_weight(s, j, s.f[j], s.r));
      bases.push_back(true_base(s.f[j], s.step));
    }
    for (const ComplexBall& sum : *sums) {
      ComplexBall truth;
      for (std::size_t j = 0; j < 40; ++j) truth += powers[j];
      CHECK(contains_all(sum, truth));
      for (std::size_t j = 0; j < 40; ++j) powers[j] *= bases[j];
    }
  }
  CHECK(made > 50);
}

TEST_CASE("fixed terms: what is refused") {
  const PrecisionScope scope(200);
  const FixedPoints points{0.25, 0.5, -3};
  const ComplexBall f(Ball(2), Ball(1));
  CHECK(fixed_terms({f}, points, Ball(3), Ball(0.5), 80));
  CHECK(!fixed_terms({}, points, Ball(3), Ball(0.5), 80));
  CHECK(!fixed_terms({ComplexBall(Ball(2), Ball(-1))}, points, Ball(3), Ball(0.5), 80));
  CHECK(!fixed_terms({ComplexBall(Ball(-2), Ball(1e-9))}, points, Ball(3), Ball(0.5), 80));
  CHECK(!fixed_terms({ComplexBall()}, points, Ball(3), Ball(0.5), 80));
  CHECK(!fixed_terms({ComplexBall(positive_infinity())}, points, Ball(3), Ball(0.5), 80));
  CHECK(!fixed_terms({widened(f, Ball(0.1))}, points, Ball(3), Ball(0.5), 80));
  CHECK(!fixed_terms({f}, points, Ball(3), Ball(0), 80));
  CHECK(!fixed_terms({f}, points, Ball(3), widened(Ball(1), Ball(2)), 80));
  CHECK(!fixed_terms({f}, points, Ball(1e12), Ball(0.5), 80));
  CHECK(!fixed_terms({f}, points, positive_infinity(), Ball(0.5), 80));
  CHECK(!fixed_terms({f}, {0.1, 0.5, -3}, Ball(3), Ball(0.5), 80));  // of many bits
  CHECK(!fixed_terms({f}, {0.25, 0.5, 1L << 45}, Ball(3), Ball(0.5), 80));
  CHECK(!fixed_terms({f}, points, Ball(3), Ball(0.5), 400));
}
