// Lattice laws: direct convolution in balls as the independent second opinion.
#include "accountants/lattice/lattice_composition.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>

#include "lib/balls/precision.hpp"
#include "support/random.hpp"

using namespace plaudit;
using test::Random;

namespace {

/// The composed law by repeated convolution.
LatticeLaw convolved(const LatticeLaw& a, const LatticeLaw& b) {
  LatticeLaw sum;
  sum.mesh = a.mesh;
  sum.offset = a.offset + b.offset;
  sum.first = a.first + b.first;
  sum.masses.resize(a.masses.size() + b.masses.size() - 1);
  Ball finite_a = a.mgf(Ball(0));
  Ball finite_b = b.mgf(Ball(0));
  sum.infinite = a.infinite * finite_b + b.infinite * finite_a + a.infinite * b.infinite;
  for (std::size_t i = 0; i < a.masses.size(); ++i) {
    for (std::size_t j = 0; j < b.masses.size(); ++j)
      sum.masses[i + j] += a.masses[i] * b.masses[j];
  }
  return sum;
}

Ball direct_delta(const LatticeLaw& law, const Ball& epsilon) {
  Ball sum = law.infinite;
  for (std::size_t i = 0; i < law.masses.size(); ++i) {
    const Ball point = law.point(law.first + static_cast<long>(i));
    if (certainly_greater(point, epsilon)) sum += law.masses[i] * -expm1(epsilon - point);
  }
  return sum;
}

/// Laws of more than LatticeComposition::few_points points are transformed.
LatticeLaw random_lattice_law(Random& random, const Ball& mesh, bool many_points = false) {
  LatticeLaw law;
  law.mesh = mesh;
  law.offset = Ball(random.uniform(-0.1, 0.1));
  law.first = -static_cast<long>(random.uniform(0, 20));
  const auto points =
      static_cast<std::size_t>(many_points ? random.uniform(66, 90) : random.uniform(2, 40));
  law.infinite = random.uniform(0, 1) < 0.3 ? Ball(std::exp(random.uniform(-40, -5))) : Ball(0);
  for (std::size_t i = 0; i < points; ++i)
    law.masses.push_back(Ball(std::exp(random.uniform(-12, 0))));
  Ball total = law.mgf(Ball(0)) + law.infinite;
  for (Ball& mass : law.masses) mass /= total;
  law.infinite /= total;
  return law;
}

bool intersects(const Enclosure& band, const Ball& value) {
  return certainly_less_equal(band.lower, value.upper()) &&
         certainly_less_equal(value.lower(), band.upper);
}

double relative_width(const Enclosure& band) {
  return ((band.upper - band.lower) / band.upper).upper_double();
}

/// Two atoms at +-epsilon0: randomised response.
LatticeLaw two_atoms(const char* epsilon0) {
  const Ball e(parse_rational(epsilon0));
  LatticeLaw law;
  law.mesh = ldexp(e, 1);
  law.offset = -e;
  law.masses = {Ball(1) / (Ball(1) + exp(e)), Ball(1) / (Ball(1) + exp(-e))};
  return law;
}

Ball binomial_delta(const char* epsilon0, long n, const Ball& epsilon) {
  const Ball e(parse_rational(epsilon0));
  const Ball p = Ball(1) / (Ball(1) + exp(-e));
  Ball term = power(p, static_cast<std::uint64_t>(n));
  Ball sum;
  for (long k = 0; k <= n; ++k) {  // k times -epsilon0
    const Ball loss = Ball(n - 2 * k) * e;
    if (!certainly_greater(loss, epsilon)) break;
    sum += term * -expm1(epsilon - loss);
    term *= Ball(n - k) * (Ball(1) - p) / (Ball(k + 1) * p);
  }
  return sum;
}

}  // namespace

TEST_CASE("random lattice laws: the folded contour agrees with direct convolution") {
  Random random(20261121);
  const PrecisionScope scope(400);
  int narrow = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const Ball mesh(
        std::ldexp(1.0 + static_cast<double>(static_cast<int>(random.uniform(0, 15))) / 16, -3));
    const LatticeLaw a = random_lattice_law(random, mesh, trial % 3 == 0);
    const LatticeLaw b = random_lattice_law(random, mesh, trial % 4 == 0);
    const auto count = static_cast<std::uint64_t>(random.uniform(1, 4));
    LatticeLaw direct = b;
    for (std::uint64_t i = 0; i < count; ++i) direct = convolved(direct, a);
    const double least = direct.point(direct.first).estimate();
    const double greatest = direct.point(direct.last()).estimate();
    for (const double nats : {12.0, 25.0, 80.0}) {
      const double epsilon = least + (greatest - least) * random.uniform(0.3, 0.97);
      LatticeComposition composition(
          {{std::make_shared<LatticeLaw>(a), count}, {std::make_shared<LatticeLaw>(b), 1}}, epsilon,
          nats);
      for (const double x : {epsilon, epsilon + 0.2, epsilon - 0.3}) {
        const Enclosure band = composition.delta(Ball(x));
        INFO("trial ", trial, " nats ", nats, " epsilon ", x, " ", band.method);
        CHECK(intersects(band, direct_delta(direct, Ball(x))));
        if (x == epsilon && relative_width(band) < std::exp(-nats + 1)) ++narrow;
      }
    }
  }
  CHECK(narrow >= 115);  // of 120: the wanted width is reached
}

TEST_CASE("randomised response: 30 digits, also at points of the lattice") {
  const PrecisionScope scope(600);
  for (const long n : {1L, 2L, 10L, 100L, 1000L}) {
    for (const char* text : {"0", "0.35", "0.4", "2"}) {
      const Ball epsilon(parse_rational(text));
      if (certainly_greater_equal(epsilon, Ball(n) * Ball(parse_rational("0.1")))) continue;
      LatticeComposition composition(
          {{std::make_shared<LatticeLaw>(two_atoms("0.1")), static_cast<std::uint64_t>(n)}},
          epsilon.estimate(), 72);
      const Enclosure band = composition.delta(epsilon);
      INFO("n ", n, " epsilon ", std::string(text), " ", band.method);
      CHECK(intersects(band, binomial_delta("0.1", n, epsilon)));
      CHECK(relative_width(band) < 1e-30);
    }
  }
}

TEST_CASE("dropping an error term of the folded contour gives a wrong band") {
  const PrecisionScope scope(400);
  Random random(5);
  struct Case {
    std::shared_ptr<LatticeLaw> law;
    std::uint64_t count;
    double epsilon;
    Ball exact;
  };
  std::vector<Case> cases;
  for (int trial = 0; trial < 60; ++trial) {
    const bool many = trial % 2 == 0;
    const auto law = std::make_shared<LatticeLaw>(random_lattice_law(random, Ball(0.25), many));
    const auto count = static_cast<std::uint64_t>(random.integer(2, many ? 3 : 8));
    LatticeLaw direct = *law;
    for (std::uint64_t i = 1; i < count; ++i) direct = convolved(direct, *law);
    const double least = direct.point(direct.first).estimate();
    const double greatest = direct.point(direct.last()).estimate();
    const double epsilon = least + (greatest - least) * random.uniform(0.1, 0.7);
    cases.push_back({law, count, epsilon, direct_delta(direct, Ball(epsilon))});
  }
  const auto wrong = [&](double nats) {
    int sum = 0;
    for (const Case& each : cases) {
      LatticeComposition composition({{each.law, each.count}}, each.epsilon, nats);
      if (!intersects(composition.delta(Ball(each.epsilon)), each.exact)) ++sum;
    }
    return sum;
  };
  for (const double nats : {0.5, 2.0, 4.0, 60.0}) CHECK(wrong(nats) == 0);
  const auto wrong_without = [&](const char* term) {
    sabotage::scale(term, 0);
    int sum = 0;
    for (const double nats : {0.5, 2.0, 4.0, 60.0}) sum += wrong(nats);
    sabotage::clear();
    return sum;
  };
  for (const char* term : {"lattice.right.aliasing", "lattice.left.aliasing", "lattice.transform",
                           "lattice.spectrum"}) {
    INFO(std::string(term));
    CHECK(wrong_without(term) > 0);
  }
}

TEST_CASE("an epsilon that may lie on either side of a lattice point") {
  const PrecisionScope scope(300);
  Random random(17);
  for (int trial = 0; trial < 10; ++trial) {
    const auto law = std::make_shared<LatticeLaw>(random_lattice_law(random, Ball(0.25)));
    const LatticeLaw direct = convolved(*law, *law);
    const long j = direct.first + static_cast<long>(direct.masses.size()) / 2;
    const Ball point = direct.point(j);
    LatticeComposition composition({{law, 2}}, point.estimate(), 40);
    for (const double radius : {1e-3, 1e-9, 0x1p-60}) {
      const Enclosure band = composition.delta(widened(point, Ball(radius)));
      INFO("trial ", trial, ", radius ", radius);
      for (const double part : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
        const Ball exact = direct_delta(direct, point + Ball(part * radius));
        CHECK(certainly_less_equal(band.lower, exact.upper()));
        CHECK(certainly_less_equal(exact.lower(), band.upper));
      }
      CHECK(relative_width(band) < 1e4 * radius + 1e-10);
    }
  }
}

TEST_CASE("a wide mesh: what is only bounded of the spectrum counts whole") {
  // just above a point of the lattice the part of Q in the sum is next to nothing
  const PrecisionScope scope(300);
  Random random(23);
  for (int trial = 0; trial < 40; ++trial) {
    const Ball mesh(random.uniform(3, 15));
    const auto law = std::make_shared<LatticeLaw>(random_lattice_law(random, mesh));
    const auto count = static_cast<std::uint64_t>(random.integer(1, 4));
    LatticeLaw direct = *law;
    for (std::uint64_t i = 1; i < count; ++i) direct = convolved(direct, *law);
    const long j = random.integer(direct.first, direct.last() - 1);
    const Ball epsilon((direct.point(j) + Ball(0.02) * mesh).estimate());
    const Ball exact = direct_delta(direct, epsilon);
    for (const double nats : {0.5, 1.0, 2.0, 4.0}) {
      LatticeComposition composition({{law, count}}, epsilon.estimate(), nats);
      INFO("trial ", trial, ", nats ", nats);
      CHECK(intersects(composition.delta(epsilon), exact));
    }
  }
}
