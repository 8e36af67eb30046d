// The Gaussian pinch against sums over atoms and lattices, which are exact, at fine and coarse tau.
#include "accountants/contour/pinched_contour.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "accountants/registry.hpp"
#include "lib/balls/precision.hpp"
#include "support/curves.hpp"
#include "support/losses.hpp"
#include "support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

struct PinchedQuery {
  const char* spec;
  const char* exact;  ///< an accountant that needs no pinch
  double epsilon;
};
const PinchedQuery pinched_queries[] = {
    {"discrete_gaussian(sigma=3)^50", "fourier(mode=lattice)", 4},
    {"discrete_laplace(scale=4)^100", "fourier(mode=lattice)", 9},
    {"poisson(pure(epsilon=1), rate=0.3)^60", "fourier(mode=lattice)", 6},
    {"randomized_response(epsilon=1/5)^40", "atom_sum", 2},
    {"poisson(discrete_gaussian(sigma=1), rate=0.5)^4", "atom_sum", 1},
    {"pure(epsilon=1/7)^6 * randomized_response(epsilon=1/5)^8", "atom_sum", 1},
    {"laplace(scale=5)^60", "laplace_sum", 5},
    {"approximate(epsilon=1/10, delta=1/1000)^80", "fourier(mode=lattice)", 2}};

Enclosure pinched(const ComposedLoss& loss, double epsilon, double nats, double tau = 0) {
  CumulantTable table(loss);
  const double log_delta = table.log_delta(epsilon, table.saddle(epsilon));
  PinchChoice choice = choose_pinch(loss, table, epsilon, nats, log_delta);
  if (tau > 0) {
    choice.line.sweep_height *= choice.tau / tau;
    choice.tau = tau;
  }
  while (true) {
    try {
      return PinchedContour(loss, epsilon, choice).delta(Ball(epsilon));
    } catch (const std::domain_error&) {
      choice = coarser(choice);
    }
  }
}

}  // namespace

TEST_CASE("the pinch holds the exact delta, the better the less tau") {
  const PrecisionScope scope(256);
  for (const PinchedQuery& query : pinched_queries) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const ComposedLoss loss = loss_from(query.spec, direction);
      const Enclosure truth = accountant(query.exact)
                                  ->open(loss, Goal{20})
                                  ->delta(Rational(static_cast<long>(query.epsilon)));
      REQUIRE(reached(truth, 15));
      double former = 0;
      for (const double tau : {0.4, 0.05, 0.006}) {
        const Enclosure band = pinched(loss, query.epsilon, 20, tau);
        CHECK_MESSAGE(holds(band, band_of(truth)), query.spec, " ", tau, " ", show(band), " ",
                      show(truth));
        // both ends are off by what they must be, and no bound is idle: about tau^2
        const double excess = (band.upper / truth.upper - Ball(1)).estimate();
        const double lack = (Ball(1) - band.lower / truth.lower).estimate();
        CHECK(excess > 0);
        CHECK(lack > 0);
        if (former > 0) CHECK(excess < former / 3);
        former = excess;
        CHECK(certainly_positive(ledger_size(band, "contour.pinch")));
      }
      CHECK(former < 0.05);
    }
  }
}

TEST_CASE("the lower end needs the second contour") {
  // without "contour.pinch" the first contour would be the answer, and it is above delta
  const PrecisionScope scope(256);
  const ComposedLoss loss = loss_from("discrete_gaussian(sigma=3)^50", Direction::remove);
  CumulantTable table(loss);
  PinchChoice choice = choose_pinch(loss, table, 4, 20, table.log_delta(4, table.saddle(4)));
  choice.line.sweep_height *= choice.tau / 0.05;
  choice.tau = 0.05;
  PinchedContour contour(loss, 4, choice);
  const Enclosure truth =
      accountant("fourier(mode=lattice)")->open(loss, Goal{20})->delta(Rational(4));
  StraightContour near = contour.near();
  CHECK(certainly_greater(near.delta(Ball(4)).lower, truth.upper));
  CHECK(certainly_less(contour.delta(Ball(4)).lower, truth.lower));
}

TEST_CASE("one Gaussian more: what the nodes left out may grow by is in the band") {
  // N(1/2, 1) as the loss, and mean 3/2 more: that of sigma = 1/2. Few nodes, at an abscissa and
  // epsilons where those left out have nearly one phase and e^{mean z (z+1)} is up to e^9.
  const PrecisionScope scope(256);
  const ComposedLoss loss = loss_from("gaussian(sigma=1)", Direction::remove);
  const ComposedLoss sum = loss_from("gaussian(sigma=1/2)", Direction::remove);
  CumulantTable table(loss);
  CumulantTable table_of_sum(sum);
  for (const std::size_t nodes : {2U, 3U, 5U}) {
    StraightChoice choice;
    choice.t = 2;
    choice.h = 0.25;
    choice.nodes = nodes;
    choice.nats = 60;
    const StraightContour near(loss, table, 2, choice);
    StraightContour contour(near, sum, table_of_sum, Rational(3, 2));
    for (const Rational& epsilon : {Rational(8), Rational(10), Rational(12)}) {
      const Enclosure truth = accountant("closed_form")->open(sum, Goal{20})->delta(epsilon);
      const Enclosure band = contour.delta(Ball(epsilon));
      CHECK_MESSAGE(holds(band, band_of(truth)), nodes, " ", to_string(epsilon), " ", show(band));
    }
  }
}

TEST_CASE("products of lattices and curves, to the digits of another method") {
  // Theorem C of the design note, by balls of 256 bits: 9.3290542812711 at 1e-6
  const ComposedLoss loss = loss_from(
      "discrete_gaussian(sigma=10)^100 * discrete_gaussian(sigma=7)^100", Direction::remove);
  const Enclosure band = pinched(loss, 9.3290542812711, 26);
  const PrecisionScope scope(128);
  CHECK(certainly_less(abs(band.upper / Ball(1e-6) - Ball(1)), Ball(1e-10)));
  CHECK(certainly_less(abs(band.lower / Ball(1e-6) - Ball(1)), Ball(1e-10)));
}
