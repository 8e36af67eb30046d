// Powers of lattice laws: order against the plain convolution, and that no bound may be left out.
#include "accountants/lattice/lattice_power.hpp"

#include <cmath>

#include "accountants/contour/contour.hpp"
#include "accountants/registry.hpp"
#include "lib/work/work_limit.hpp"
#include "support/curves.hpp"
#include "support/lattice_laws.hpp"
#include "support/random.hpp"
#include "support/sabotage.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

LatticeLaw product(const LatticeLaw& a, const LatticeLaw& b) {
  LatticeLaw result;
  result.mesh = a.mesh;
  result.offset = Ball(0);
  result.first = a.first + b.first;
  result.masses.resize(a.masses.size() + b.masses.size() - 1);
  for (std::size_t i = 0; i < a.masses.size(); ++i) {
    for (std::size_t j = 0; j < b.masses.size(); ++j) {
      result.masses[i + j] += a.masses[i] * b.masses[j];
    }
  }
  const Ball finite_a = a.mgf(Ball(0));
  const Ball finite_b = b.mgf(Ball(0));
  result.infinite = finite_a * b.infinite + a.infinite * finite_b + a.infinite * b.infinite;
  return result;
}

LatticeLaw random_dyadic_law(Random& random) {
  LatticeLaw law;
  law.mesh = Ball(0.125);
  law.offset = Ball(0);
  law.first = random.integer(-12, 2);
  const long count = random.integer(2, 24);
  for (long j = 0; j < count; ++j) {
    law.masses.emplace_back(random.one_in(4) ? 0.0
                                             : random.uniform(0, 2.0 / static_cast<double>(count)));
  }
  law.masses.emplace_back(0.125);
  law.infinite = Ball(random.one_in(2) ? 0.0 : 0x1p-10);
  return law;
}

struct Misses {
  int above = 0;
  int below = 0;
};

/// How often the powers of random laws, in windows that are often too short, are on the wrong side.
Misses count_misses(int cases) {
  Random random(512);
  const PrecisionScope scope(128);
  Misses misses;
  for (int i = 0; i < cases; ++i) {
    const LatticeLaw law = random_dyadic_law(random);
    const LatticeLaw three = product(product(law, law), law);
    const double t = random.uniform(0.2, 3);
    const long first = three.first + random.integer(-4, 8);
    const PowerPlan plan{{first, std::max(first + 2, three.last() - random.integer(-4, 12))},
                         t,
                         t + 3,
                         t - 2,
                         4,
                         -2};
    const LatticeLaw above = lattice_power(law, 3, plan, Side::upper);
    const LatticeLaw below = lattice_power(law, 3, plan, Side::lower);
    bool missed_above = false;
    bool missed_below = false;
    for (int k = 0; k < 10; ++k) {
      const Ball epsilon(random.uniform(-4, 6));
      const Ball truth = summed_delta(three, epsilon);
      missed_above = missed_above || certainly_less(summed_delta(above, epsilon), truth);
      missed_below = missed_below || certainly_greater(summed_delta(below, epsilon), truth);
    }
    misses.above += missed_above ? 1 : 0;
    misses.below += missed_below ? 1 : 0;
  }
  return misses;
}

}  // namespace

TEST_CASE("a power lies on the right side of the convolution; no bound may be left out") {
  const Misses honest = count_misses(trials(100));
  CHECK(honest.above == 0);
  CHECK(honest.below == 0);
  {
    const Scaled off("evolving.window", 0);
    CHECK(count_misses(100).above > 0);
  }
  {
    const Scaled off("evolving.wrap", 0);
    CHECK(count_misses(100).below > 0);
  }
}

TEST_CASE("evolving: the band holds the contour's") {
  for (const auto direction : {Direction::remove, Direction::add}) {
    const ComposedLoss loss =
        loss_from("poisson(gaussian(sigma=2), rate=0.1)^1000 * gaussian(sigma=20)^3", direction);
    const Rational epsilon(6);
    const WorkShare limit(30);
    const Enclosure band = accountant("fourier(mode=evolving)")->open(loss, {1})->delta(epsilon);
    const Enclosure truth = contour_accountant()->open(loss, {9})->delta(epsilon);
    CHECK_BANDS_OVERLAP(band, truth);
    CHECK_MESSAGE(relative_width(band.lower, band.upper) < 0.1, show(band), band.remark);
  }
}
