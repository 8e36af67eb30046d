// Discretised laws: order of one-step curves, second order of the error, atoms, rounding, windows.
#include "accountants/lattice/grid_pair.hpp"

#include "lib/analysis/normal/normal_cdf_table.hpp"
#include "lib/balls/error_term.hpp"
#include "mechanisms/mixtures/gaussian_mixture_loss.hpp"
#include "support/containment.hpp"
#include "support/lattice_laws.hpp"
#include "support/losses.hpp"
#include "support/mixtures.hpp"
#include "support/random.hpp"
#include "support/sabotage.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

GridPair pair_of(const PrivacyLoss& loss, double mesh, GridWindow window, double tilt = 1) {
  return grid_pair(grid_masses(loss, mesh, window), tilt);
}

void check_order(const PrivacyLoss& loss, const GridPair& pair, const Ball& epsilon) {
  const Ball truth = loss.delta(epsilon);
  CAPTURE(loss.describe());
  CAPTURE(show(epsilon));
  CAPTURE(show(pair.pessimistic.mesh));
  CHECK_FALSE(certainly_less(summed_delta(pair.pessimistic, epsilon), truth));
  CHECK_FALSE(certainly_greater(summed_delta(pair.optimistic, epsilon), truth));
}

std::shared_ptr<const PrivacyLoss> step_of(const std::string& spec, Direction direction) {
  return loss_from(spec, direction).terms()[0].loss;
}

}  // namespace

TEST_CASE("the curve lies between those of the two laws") {
  Random random(311);
  const PrecisionScope scope(160);
  for (int i = 0; i < trials(60); ++i) {
    const auto direction = random.one_in(2) ? Direction::add : Direction::remove;
    const auto loss = gaussian_mixture_loss(random_mixture(random), direction);
    const double mesh = std::exp2(static_cast<double>(random.integer(-8, -1))) *
                        static_cast<double>(random.integer(1, 7));
    const GridWindow window = random.one_in(2)
                                  ? choose_window(*loss, mesh, -30, -30, 1)
                                  : GridWindow{random.integer(-40, 0), random.integer(2, 50)};
    if (window.last - window.first > 3000) continue;
    const GridPair pair = pair_of(*loss, mesh, window, random.uniform(0.1, 20));
    const GridPair buckets = bucket_pair(grid_masses(*loss, mesh, window, Cells::whole));
    for (int k = 0; k < 12; ++k) {
      Ball epsilon(random.uniform(-2, 4));
      if (random.one_in(4)) epsilon = Ball(mesh) * Ball(random.integer(window.first, window.last));
      check_order(*loss, pair, epsilon);
      check_order(*loss, buckets, epsilon);
    }
  }
}

TEST_CASE("atoms, a mass at infinity, points that are grid points") {
  Random random(312);
  const PrecisionScope scope(128);
  for (int i = 0; i < trials(200); ++i) {
    const bool aligned = random.one_in(3);
    const double mesh = std::exp2(static_cast<double>(random.integer(-6, 0)));
    const long cells = static_cast<long>(4 / mesh);
    const double a =
        aligned ? mesh * static_cast<double>(random.integer(1, cells)) : random.uniform(0, 3);
    const double b =
        aligned ? -mesh * static_cast<double>(random.integer(0, cells)) : random.uniform(-3, 0);
    const Rational high(random.integer(1, 60), 128);
    const Rational low(random.integer(1, 60), 128);
    const TwoAtoms loss(a, high, b, low);
    const GridWindow window{-cells, cells + 1};
    const GridPair pair = pair_of(loss, mesh, window, random.uniform(0.1, 20));
    const GridPair buckets = bucket_pair(grid_masses(loss, mesh, window, Cells::whole));
    for (int k = 0; k < 12; ++k) {
      const Ball epsilon(random.uniform(-4, 4));
      check_order(loss, pair, epsilon);
      check_order(loss, buckets, epsilon);
    }
    if (aligned) {  // nothing is lost
      const Ball epsilon(random.uniform(-3, 3));
      CHECK_OVERLAPS(summed_delta(pair.pessimistic, epsilon), loss.delta(epsilon));
      CHECK_OVERLAPS(summed_delta(pair.optimistic, epsilon), loss.delta(epsilon));
      CHECK(relative_width(summed_delta(pair.optimistic, epsilon).lower(),
                           summed_delta(pair.optimistic, epsilon).upper()) < 1e-30);
    }
  }
}

TEST_CASE("masses are preserved and positive") {
  const PrecisionScope scope(128);
  for (const auto direction : {Direction::add, Direction::remove}) {
    const auto loss = step_of("poisson(gaussian(sigma=0.7), rate=1/8)", direction);
    const double mesh = 0x1p-7;
    const GridMasses masses = grid_masses(*loss, mesh, choose_window(*loss, mesh, -60, -60, 0));
    const GridPair pair = grid_pair(masses, 2);
    for (const LatticeLaw* law : {&pair.pessimistic, &pair.optimistic}) {
      for (const Ball& mass : law->masses) CHECK(certainly_nonnegative(mass));
    }
    CHECK_OVERLAPS(pair.pessimistic.mgf(Ball(0)) + pair.pessimistic.infinite, Ball(1));
    CHECK_OVERLAPS(pair.optimistic.mgf(Ball(0)) + pair.optimistic.infinite + masses.below, Ball(1));
    // Cells that are not cut have the masses of their two parts.
    const GridMasses whole = grid_masses(*loss, mesh, masses.window, Cells::whole);
    for (std::size_t i = 0; i < whole.right.size(); ++i) {
      CHECK_OVERLAPS(whole.right[i].p, masses.left[i].p + masses.right[i].p);
      CHECK_OVERLAPS(whole.right[i].q, masses.left[i].q + masses.right[i].q);
    }
    const GridPair buckets = bucket_pair(whole);
    CHECK_OVERLAPS(buckets.pessimistic.mgf(Ball(0)) + buckets.pessimistic.infinite, Ball(1));
    CHECK_OVERLAPS(buckets.optimistic.mgf(Ball(0)) + buckets.optimistic.infinite + whole.below,
                   Ball(1));
  }
}

TEST_CASE("both errors are of second order in the mesh, with the predicted constants") {
  const PrecisionScope scope(160);
  // M_up / M - 1 ~ t (t + 1) h^2 / 12, M_low / M - 1 ~ -t (t + 1) h^2 / 24
  const double t = 3;
  for (const auto direction : {Direction::add, Direction::remove}) {
    const auto loss = step_of("poisson(gaussian(sigma=1), rate=1/4)", direction);
    const Ball truth = exp(loss->log_mgf(Ball(t)));
    for (const double mesh : {0x1p-6, 0x1p-8, 0x1p-10}) {
      const GridPair pair = pair_of(*loss, mesh, choose_window(*loss, mesh, -70, -70, t), t);
      const double above = (pair.pessimistic.mgf(Ball(t)) / truth - Ball(1)).estimate();
      const double below = (pair.optimistic.mgf(Ball(t)) / truth - Ball(1)).estimate();
      const double unit = t * (t + 1) * mesh * mesh;
      CHECK(above / unit == doctest::Approx(1.0 / 12).epsilon(0.02));
      CHECK(below / unit == doctest::Approx(-1.0 / 24).epsilon(0.1));
    }
  }
}

TEST_CASE("a coarser grid of a lattice law keeps the order") {
  Random random(313);
  const PrecisionScope scope(128);
  for (int i = 0; i < trials(60); ++i) {
    LatticeLaw law;
    const double mesh = std::exp2(static_cast<double>(random.integer(-7, -2)));
    law.mesh = Ball(mesh);
    law.first = random.integer(-60, 10);
    const long count = random.integer(1, 80);
    for (long j = 0; j < count; ++j) {
      law.masses.emplace_back(random.one_in(3) ? 0.0 : std::exp(random.uniform(-20, 0)));
    }
    law.infinite = Ball(random.one_in(2) ? 0.0 : 0.125);
    const long ratio = random.integer(2, 9);
    const long first = random.integer(-70, 5);
    const GridWindow window{first, first + random.integer(1, 60)};
    const GridPair pair = grid_pair(grid_masses(law, ratio, window), random.uniform(0, 10));
    for (int k = 0; k < 12; ++k) {
      const Ball epsilon(random.uniform(-3, 3));
      const Ball truth = summed_delta(law, epsilon);
      CHECK_FALSE(certainly_less(summed_delta(pair.pessimistic, epsilon), truth));
      CHECK_FALSE(certainly_greater(summed_delta(pair.optimistic, epsilon), truth));
    }
  }
}

TEST_CASE("the ends of the window may not be left out") {
  const PrecisionScope scope(128);
  const auto loss = step_of("gaussian(sigma=1)", Direction::remove);
  for (const GridWindow window : {GridWindow{-600, 40}, GridWindow{30, 600}}) {
    const Ball epsilon(0.25);
    CHECK_FALSE(certainly_less(summed_delta(pair_of(*loss, 0x1p-6, window).pessimistic, epsilon),
                               loss->delta(epsilon)));
    const Scaled off("grid.window", 0);
    CHECK(certainly_less(summed_delta(pair_of(*loss, 0x1p-6, window).pessimistic, epsilon),
                         loss->delta(epsilon)));
  }
}

TEST_CASE("tails at many points are those at each") {
  Random random(314);
  for (int i = 0; i < trials(30); ++i) {
    const PrecisionScope scope(random.precision());
    const auto direction = random.one_in(2) ? Direction::add : Direction::remove;
    const auto loss = gaussian_mixture_loss(random_mixture(random), direction);
    std::vector<Ball> points;
    for (double x = random.uniform(-4, 0); points.size() < 20; x += random.uniform(0, 0.3)) {
      points.emplace_back(x);
    }
    const TailMasses tails = loss->tails_above(points);
    REQUIRE(tails.p.size() == points.size());
    for (std::size_t k = 0; k < points.size(); ++k) {
      CHECK_OVERLAPS(tails.p[k], loss->p_above(points[k]));
      CHECK_OVERLAPS(tails.q[k], loss->q_above(points[k]));
    }
  }
}

TEST_CASE("the normal distribution function at many points") {
  Random random(315);
  for (int i = 0; i < trials(40); ++i) {
    const PrecisionScope scope(random.precision());
    NormalCdfTable table;
    double y = random.uniform(-40, 30);
    for (int k = 0; k < 20; ++k, y += random.uniform(0, 0.02)) {
      const Ball value = table.at(Ball(y));
      Ball truth;
      {
        const PrecisionScope finer(2 * working_precision() + 60);
        truth = normal_cdf(Ball(y));
      }
      CHECK_CONTAINS(value, truth);
      const Ball size = max(truth, normal_density(Ball(y)));
      CHECK((value.radius() / size).estimate_log() <
            -0.69 * static_cast<double>(working_precision()) + 12);
    }
  }
  // A short series holds the truth by its remainder only.
  const PrecisionScope scope(200);
  const auto by_series = [](double y) {
    NormalCdfTable table(20);
    table.at(Ball(y));  // the first one near an anchor is none
    return table.at(Ball(y));
  };
  for (const double y : {-12.0077, -3.0077, 0.0077, 2.0077}) {
    const Ball truth = normal_cdf(Ball(y));
    CHECK_CONTAINS(by_series(y), truth);
    const Scaled off("normal.taylor", 0);
    CHECK_FALSE(overlaps(by_series(y), truth));
  }
}
