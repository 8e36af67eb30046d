// Laws above and below in doubles: the order of one-step curves, second order of their gap, and
// that errors of the masses go to the safe side.
#include "accountants/lattice/directed_pair.hpp"

#include "lib/analysis/double_polynomial.hpp"
#include "lib/balls/error_term.hpp"
#include "mechanisms/cells/cell_integrals.hpp"
#include "mechanisms/mixtures/gaussian_mixture_loss.hpp"
#include "support/containment.hpp"
#include "support/mixtures.hpp"
#include "support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

/// The curve of a lattice law at one step, as a plain sum.
Ball directed_curve(const LatticeLaw& law, const Ball& epsilon) {
  Ball sum = law.infinite;
  for (long j = law.first; j <= law.last(); ++j) {
    const Ball part = -expm1(epsilon - law.point(j));
    sum += law.masses[static_cast<std::size_t>(j - law.first)] * clipped_nonnegative(part);
  }
  return sum;
}

Ball mass_of(const LatticeLaw& law) {
  Ball sum;
  for (const Ball& mass : law.masses) sum += mass;
  return sum;
}

GaussianMixture sampled_gaussian(const Rational& sigma, const Rational& rate) {
  return {sigma, {0, 1}, {1 - rate, rate}};
}

}  // namespace

TEST_CASE("the curve lies between those of the directed laws") {
  Random random(441);
  const PrecisionScope scope(160);
  for (int i = 0; i < trials(80); ++i) {
    const auto direction = random.one_in(2) ? Direction::add : Direction::remove;
    const GaussianMixture mixture = random_mixture(random);
    const auto loss = gaussian_mixture_loss(mixture, direction);
    const double mesh = short_at_most(std::exp2(random.uniform(-9, -3)));
    const GridWindow window = random.one_in(2)
                                  ? choose_window(*loss, mesh, -30, -30, 1)
                                  : GridWindow{random.integer(-40, 0), random.integer(2, 50)};
    if (window.last - window.first > 3000) continue;
    const GridPair pair = directed_pair(*loss, direction, mesh, window);
    for (int k = 0; k < 12; ++k) {
      Ball epsilon(random.uniform(-2, 4));
      if (random.one_in(2)) epsilon = Ball(mesh) * Ball(random.integer(window.first, window.last));
      const Ball truth = loss->delta(epsilon);
      CAPTURE(spec_of(mixture));
      CAPTURE(mesh);
      CAPTURE(show(epsilon));
      CHECK_FALSE(certainly_less(directed_curve(pair.pessimistic, epsilon), truth));
      CHECK_FALSE(certainly_greater(directed_curve(pair.optimistic, epsilon), truth));
    }
  }
}

TEST_CASE("the lower law loses h^2 / 24 and what is above h^2 / 12, at coarse and fine meshes") {
  const PrecisionScope scope(128);
  for (const auto direction : {Direction::remove, Direction::add}) {
    for (const Rational& sigma : {Rational(1, 2), Rational(13, 20), Rational(1)}) {
      const auto loss = gaussian_mixture_loss(sampled_gaussian(sigma, Rational(1, 100)), direction);
      for (const double mesh : {0x1p-9, 0x1p-12, 0x1p-14}) {
        const GridWindow window = choose_window(*loss, mesh, -40, -40, 1);
        const GridPair pair = directed_pair(*loss, direction, mesh, window);
        const auto mean = [](const LatticeLaw& law) {
          Ball sum;
          for (long j = law.first; j <= law.last(); ++j) {
            sum += law.masses[static_cast<std::size_t>(j - law.first)] * law.point(j);
          }
          return sum;
        };
        const double gap = (mean(pair.pessimistic) - mean(pair.optimistic)).estimate();
        CAPTURE(to_string(sigma));
        CAPTURE(mesh);
        CAPTURE(name_of(direction));
        CHECK(gap > 0);
        // an eighth for a density that is smooth at this scale
        CHECK(gap < (sigma == 1 ? 0.2 : 1.0) * mesh * mesh);
        CHECK(mass_of(pair.pessimistic).estimate() == doctest::Approx(1).epsilon(1e-9));
        CHECK(mass_of(pair.optimistic).estimate() == doctest::Approx(1).epsilon(1e-9));
      }
    }
  }
}

TEST_CASE("errors of the masses and gains raise the upper law and lower the other") {
  const PrecisionScope scope(128);
  const auto loss = gaussian_mixture_loss(sampled_gaussian(1, Rational(1, 100)), Direction::remove);
  const double mesh = 0x1p-10;
  const GridWindow window{-20, 2000};
  const auto pair = [&] { return directed_pair(*loss, Direction::remove, mesh, window); };
  const GridPair usual = pair();
  sabotage::scale("blocks.taylor", 1e16);
  const GridPair inflated = pair();
  const auto integrals = cell_integrals(
      *loss, Direction::remove, {mesh, window.first, window.last, false},
      {CellWeight::low, CellWeight::high, CellWeight::gain_low, CellWeight::gain_high});
  sabotage::clear();
  Ball mass_errors;
  for (std::size_t i = 0; i < integrals[0].errors.size(); ++i) {
    mass_errors += Ball(integrals[0].errors[i]) + Ball(integrals[1].errors[i]);
  }
  REQUIRE(mass_errors.estimate() > 1e-9);
  const Ball half = ldexp(mass_errors, -1);
  CHECK(certainly_greater(mass_of(inflated.pessimistic), mass_of(usual.pessimistic) + half));
  CHECK(certainly_less(mass_of(inflated.optimistic), mass_of(usual.optimistic) - half));
  // The curve at the first point, from the greatest masses and gains: b = gain / (1 - e^{-h}) at
  // the upper end of each cell, the rest at the lower one.
  Ball least;
  for (std::size_t i = 0; i < integrals[0].errors.size(); ++i) {
    const auto greatest = [&](std::size_t w) {
      return Ball(integrals[w].values[i]) + Ball(integrals[w].errors[i]);
    };
    const Ball high = (greatest(2) + greatest(3)) / -expm1(-Ball(mesh));
    const Ball low = greatest(0) + greatest(1) - high;
    const auto place = static_cast<long>(i);
    least += -expm1(-Ball(mesh) * Ball(place)) * low - expm1(-Ball(mesh) * Ball(place + 1)) * high;
  }
  const Ball first = Ball(mesh) * Ball(window.first);
  CHECK_FALSE(certainly_less(directed_curve(inflated.pessimistic, first), least));
}

TEST_CASE("masses of single cells are rounded to the safe side") {
  Random random(443);
  const PrecisionScope scope(200);
  const auto loss = gaussian_mixture_loss(sampled_gaussian(1, Rational(1, 3)), Direction::remove);
  for (int i = 0; i < trials(300); ++i) {
    const double mesh = short_at_most(random.uniform(1e-4, 1e-2));
    const long j = random.integer(-20, 200);
    const GridPair pair = directed_pair(*loss, Direction::remove, mesh, {j, j + 1});
    const auto integrals = cell_integrals(*loss, Direction::remove, {mesh, j, j + 1, false},
                                          {CellWeight::low, CellWeight::high});
    Ball greatest;
    Ball least;
    for (const CellIntegrals& each : integrals) {
      greatest += Ball(each.values[0]) + Ball(each.errors[0]);
      least += Ball(each.values[0]) - Ball(each.errors[0]);
    }
    const Ball below = Ball(1) - loss->p_above(Ball(mesh) * Ball(j));
    const Ball end = Ball(mesh) * Ball(j + 1);
    const Ball raised = below + exp(end) * loss->q_above(end);
    CHECK_FALSE(certainly_less(mass_of(pair.pessimistic), raised + greatest));
    CHECK_FALSE(certainly_greater(mass_of(pair.optimistic), least + loss->p_above(end)));
  }
}

TEST_CASE("a group without lift takes nothing: a window that ends within the law") {
  const PrecisionScope scope(128);
  const auto loss = gaussian_mixture_loss(sampled_gaussian(1, Rational(1, 2)), Direction::remove);
  const double mesh = 0x1p-5;
  for (const long last : {-4L, 0L, 5L, 12L}) {
    const GridPair pair = directed_pair(*loss, Direction::remove, mesh, {-20, last});
    for (long j = -20; j <= last; ++j) {
      const Ball epsilon = Ball(mesh) * Ball(2 * j - 1) / Ball(2);
      CHECK_FALSE(
          certainly_greater(directed_curve(pair.optimistic, epsilon), loss->delta(epsilon)));
      CHECK_FALSE(certainly_less(directed_curve(pair.pessimistic, epsilon), loss->delta(epsilon)));
    }
  }
}
