// The folded contour in both arithmetics: against direct convolution, and its bounds of ranges
// against the values that they bound.
#include "accountants/proof/kinds/lattice.hpp"

#include <doctest/doctest.h>

#include <map>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "lib/balls/precision.hpp"
#include "support/random.hpp"

using namespace plaudit;
using namespace plaudit::proof;
using test::Random;

namespace {

Rational upper_of(const Ball& x) { return exact_rational(x.upper()); }
Rational lower_of(const Ball& x) { return exact_rational(x.lower()); }
Rational upper_of(const Interval& x) { return upper(x); }
Rational lower_of(const Interval& x) { return lower(x); }

/// Exact losses offset + index mesh with exact masses.
struct ExactLaw {
  Rational offset;
  Rational mesh;
  std::vector<long> indices;
  std::vector<Rational> masses;
  Rational infinite;
  std::uint64_t count;
};

ExactLaw random_law(Random& random, const Rational& mesh) {
  ExactLaw law{Rational(random.integer(-8, 8), 16), mesh, {}, {}, 0, 1};
  long index = random.integer(-6, 0);
  Rational sum = 0;
  for (long points = random.integer(2, 5); points > 0; --points) {
    law.indices.push_back(index);
    law.masses.emplace_back(random.integer(1, 40));
    sum += law.masses.back();
    index += random.integer(1, 4);
  }
  if (random.one_in(2)) law.infinite = Rational(random.integer(1, 9), 1000);
  for (Rational& mass : law.masses) mass *= (1 - law.infinite) / sum;
  law.count = static_cast<std::uint64_t>(random.integer(1, 4));
  return law;
}

/// delta by convolution.
Ball direct_delta(const std::vector<ExactLaw>& laws, const Rational& epsilon) {
  std::map<Rational, Rational> sums = {{0, 1}};
  Rational finite = 1;
  for (const ExactLaw& law : laws) {
    for (std::uint64_t i = 0; i < law.count; ++i) {
      std::map<Rational, Rational> next;
      for (const auto& [loss, mass] : sums) {
        for (std::size_t j = 0; j < law.indices.size(); ++j) {
          next[loss + law.offset + law.mesh * law.indices[j]] += mass * law.masses[j];
        }
      }
      sums = std::move(next);
      finite *= 1 - law.infinite;
    }
  }
  Ball delta(Rational(1 - finite));
  for (const auto& [loss, mass] : sums) {
    if (loss > epsilon) delta -= Ball(mass) * expm1(Ball(Rational(epsilon - loss)));
  }
  return delta;
}

template <class Real>
Number<Real> number(const Rational& x) {
  return {Real(x), x};
}

template <class Real>
LawOnLattice<Real> law_of(const ExactLaw& law) {
  LawOnLattice<Real> result;
  result.offset = number<Real>(law.offset);
  result.mesh = number<Real>(law.mesh);
  result.indices = law.indices;
  for (const Rational& mass : law.masses) result.masses.emplace_back(mass);
  result.infinite = Real(law.infinite);
  result.finite = Real(Rational(1 - law.infinite));
  return result;
}

template <class Real>
ProofOf<Real> evaluated(const std::vector<ExactLaw>& laws, const LatticeChoices& choices,
                        const Rational& epsilon) {
  Budget budget = unlimited_budget();
  std::vector<std::optional<Number<Real>>> meshes;
  for (const ExactLaw& law : laws) meshes.push_back(number<Real>(law.mesh));
  const CommonMesh<Real> mesh = common_mesh(meshes);
  const PeriodLine<Real> line(mesh.step.value, Real(choices.tilt), choices.period);
  typename LatticeContour<Real>::Factors factors;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    factors.push_back(
        lattice_factor(law_of<Real>(laws[i]), laws[i].count, mesh.times[i], line, budget));
  }
  return LatticeContour<Real>(std::move(factors), line, mesh.step, choices, budget)
      .at(number<Real>(epsilon));
}

/// Ranges in random order, of which one in `most` is bounded.
LatticeChoices random_choices(Random& random, long period, long most) {
  LatticeChoices choices;
  choices.tilt = Rational(random.integer(1, 24), 8);
  choices.right_order = choices.tilt + Rational(random.integer(1, 24), 8);
  choices.left_order = Rational(random.integer(1, 8), 8);
  choices.period = period;
  for (long last = -1; last < period / 2;) {
    const bool summed = last < 0 || !random.one_in(static_cast<int>(most));
    last = std::min(period / 2, last + random.integer(1, 4));
    choices.ranges.push_back({last, summed});
  }
  return choices;
}

template <class Real>
void check_contains(const ProofOf<Real>& found, const Ball& exact) {
  CHECK(lower_of(found.low) <= upper_of(exact));
  CHECK(upper_of(found.high) >= lower_of(exact));
}

}  // namespace

TEST_CASE("the folded contour contains the convolution in both arithmetics") {
  const PrecisionScope scope(160);
  Random random(2026);
  int narrow = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const std::vector<ExactLaw> laws = {random_law(random, Rational(1, 4)),
                                        random_law(random, Rational(3, 8))};
    const Rational epsilon(random.integer(-40, 80), 16);
    const Ball exact = direct_delta(laws, epsilon);
    const LatticeChoices choices =
        random_choices(random, random.integer(20, 400), trial % 2 == 0 ? 1000 : 3);
    const ProofOf<Ball> balls = evaluated<Ball>(laws, choices, epsilon);
    const ProofOf<Interval> intervals = evaluated<Interval>(laws, choices, epsilon);
    CAPTURE(trial);
    check_contains(balls, exact);
    check_contains(intervals, exact);
    for (std::size_t i = 0; i < balls.errors.size(); ++i) {
      CHECK(balls.errors[i].size.estimate() ==
            doctest::Approx(Ball(upper(intervals.errors[i].size)).estimate()).epsilon(1e-9));
    }
    if (upper_of(balls.high) - lower_of(balls.low) < Rational(1, 1000000)) ++narrow;
  }
  CHECK(narrow > 5);
}

TEST_CASE("each bound of the folded contour is needed, in both arithmetics") {
  const PrecisionScope scope(160);
  const auto wrong = [&] {
    Random random(7);
    int sum = 0;
    for (int trial = 0; trial < 60; ++trial) {
      const std::vector<ExactLaw> laws = {random_law(random, Rational(1, 4))};
      const Rational epsilon(random.integer(-40, 40), 16);
      const LatticeChoices choices = random_choices(random, random.integer(4, 24), 4);
      const Ball exact = direct_delta(laws, epsilon);
      const ProofOf<Ball> balls = evaluated<Ball>(laws, choices, epsilon);
      const ProofOf<Interval> intervals = evaluated<Interval>(laws, choices, epsilon);
      const bool outside =
          lower_of(balls.low) > upper_of(exact) || upper_of(balls.high) < lower_of(exact);
      CHECK(outside == (lower_of(intervals.low) > upper_of(exact) ||
                        upper_of(intervals.high) < lower_of(exact)));
      if (outside) ++sum;
    }
    return sum;
  };
  CHECK(wrong() == 0);
  for (const char* term : {"lattice.right.aliasing", "lattice.left.aliasing", "lattice.spectrum"}) {
    sabotage::scale(term, 0);
    CHECK(wrong() > 0);
    sabotage::clear();
  }
}

TEST_CASE("an epsilon on the lattice, known exactly and not") {
  const PrecisionScope scope(128);
  Random random(3);
  for (int trial = 0; trial < 20; ++trial) {
    ExactLaw law = random_law(random, Rational(1, 4));
    const Rational epsilon = law.offset * Integer(law.count) + law.mesh * random.integer(-3, 6);
    const LatticeChoices choices = random_choices(random, 300, 1000);
    const Ball exact = direct_delta({law}, epsilon);
    check_contains(evaluated<Ball>({law}, choices, epsilon), exact);
    check_contains(evaluated<Interval>({law}, choices, epsilon), exact);
  }
}

TEST_CASE("ranges of values are bounded by their greatest modulus") {
  const PrecisionScope scope(96);
  Random random(11);
  Budget budget = unlimited_budget();
  double closest = 1e9;
  for (int trial = 0; trial < 200; ++trial) {
    const long period = random.integer(30, 300);
    const long times = random.integer(1, 3);
    const PeriodLine<Ball> line(Ball(0.25), Ball(random.uniform(0, 2)), period);
    const auto factor =
        trial % 2 == 0 ? lattice_factor(law_of<Ball>(random_law(random, Rational(times, 4))), 1,
                                        times, line, budget)
                       : lattice_factor(noise_on_lattice<Ball>({Rational(random.integer(1, 30), 20),
                                                                random.integer(1, 4)}),
                                        1, times, line, budget);
    const long first = random.integer(0, period / 2);
    const long last = std::min(period / 2, first + random.integer(0, 6));
    const Ball bound = factor->bound(first, last);
    for (long k = first; k <= last; ++k) {
      const Ball size = abs(factor->at(k));
      CAPTURE(trial);
      CHECK_FALSE(certainly_greater(size, bound));
      if (first < last) closest = std::min(closest, (bound / size).estimate());
    }
  }
  CHECK(closest < 1.001);
}

TEST_CASE("values of discrete Gaussian noise are its sums over the integers") {
  const PrecisionScope scope(128);
  Budget budget = unlimited_budget();
  for (const char* variance : {"0.05", "0.4", "3", "40"}) {
    for (const long shift : {1L, 3L}) {
      const DiscreteNoise noise{parse_rational(variance), shift};
      const long period = 17;
      const Ball t(0.375);
      const LawOnLattice<Ball> law = noise_on_lattice<Ball>(noise);
      const PeriodLine<Ball> line(law.mesh->value, t, period);
      const auto factor = lattice_factor(law, 1, 1, line, budget);
      Ball all;
      std::vector<ComplexBall> sums(static_cast<std::size_t>(period));
      Ball moment;
      for (long j = -120; j <= 120; ++j) {
        const Ball mass = exp(-square(Ball(j)) / ldexp(Ball(noise.variance), 1));
        const Ball tilted = mass * exp(t * law.mesh->value * Ball(j));
        all += mass;
        moment += tilted;
        for (long k = 0; k < period; ++k) {
          sums[static_cast<std::size_t>(k)] +=
              ComplexBall(tilted) * line.roots(static_cast<std::uint64_t>(2 * k * (j + 170)));
        }
      }
      for (long k = 0; k < period; ++k) {
        const ComplexBall sum = sums[static_cast<std::size_t>(k)] / ComplexBall(all);
        const ComplexBall found = factor->at(k);
        CHECK(abs(found - sum).upper_double() < 1e-28 * (1 + (moment / all).estimate()));
      }
      const Ball exact = log(moment / all) + t * law.offset.value;
      CHECK(abs(factor->log_moment(Rational(3, 8)) - exact).upper_double() < 1e-28);
    }
  }
}

TEST_CASE("choices out of range are refused") {
  const LatticeChoices good{1, 2, 1, 8, {{4, true}}};
  check_choices(good);
  const auto refused = [&](auto&& change) {
    LatticeChoices choices = good;
    change(choices);
    CHECK_THROWS_AS(check_choices(choices), Rejected);
  };
  refused([](LatticeChoices& c) { c.tilt = 0; });
  refused([](LatticeChoices& c) { c.tilt = 2; });
  refused([](LatticeChoices& c) { c.left_order = 0; });
  refused([](LatticeChoices& c) { c.left_order = Rational(9, 8); });
  refused([](LatticeChoices& c) { c.period = 0; });
  refused([](LatticeChoices& c) { c.ranges = {{3, true}}; });
  refused([](LatticeChoices& c) { c.ranges = {{5, true}}; });
  refused([](LatticeChoices& c) { c.ranges = {{4, true}, {4, false}}; });
  refused([](LatticeChoices& c) { c.ranges.clear(); });
  // nor a law that is none
  const auto law_refused = [](const Rational& mesh, const std::vector<long>& indices) {
    const ExactLaw law{0, mesh, indices, {Rational(1, 2), Rational(1, 2)}, 0, 1};
    CHECK_THROWS_AS(evaluated<Ball>({law}, {1, 2, 1, 8, {{4, true}}}, 0), Rejected);
  };
  CHECK_NOTHROW(evaluated<Ball>({{0, 1, {0, 1}, {1, 1}, 0, 1}}, good, 0));
  law_refused(-1, {0, 1});
  law_refused(1, {1, 0});
  law_refused(1, {1, 1});
}
