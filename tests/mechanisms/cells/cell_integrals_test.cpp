// Masses and gains of cells in doubles against differences of tails in balls.
#include "mechanisms/cells/cell_integrals.hpp"

#include "lib/analysis/double_polynomial.hpp"
#include "lib/balls/error_term.hpp"
#include "mechanisms/cells/density_series.hpp"
#include "mechanisms/mixtures/gaussian_mixture_loss.hpp"
#include "support/containment.hpp"
#include "support/mixtures.hpp"
#include "support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

const std::vector<CellWeight> all_weights{CellWeight::whole, CellWeight::low, CellWeight::high,
                                          CellWeight::gain_low, CellWeight::gain_high};

/// The integrals over cell i, in the order of all_weights.
std::vector<Ball> exact_integrals(const PrivacyLoss& loss, const CellRange& range, long i) {
  const Ball start = Ball(range.mesh) * (Ball(i) - (range.centred ? Ball(0.5) : Ball(0)));
  const std::vector<Ball> points{start, start + ldexp(Ball(range.mesh), -1),
                                 start + Ball(range.mesh)};
  const TailMasses tails = loss.tails_above(points);
  const Ball low = tails.p[0] - tails.p[1];
  const Ball high = tails.p[1] - tails.p[2];
  const Ball ratio = exp(start);
  return {low + high, low, high, low - ratio * (tails.q[0] - tails.q[1]),
          high - ratio * (tails.q[1] - tails.q[2])};
}

void check_cells(const GaussianMixture& mixture, Direction direction, const CellRange& range,
                 Random& random) {
  const auto loss = gaussian_mixture_loss(mixture, direction);
  const std::vector<CellIntegrals> found = cell_integrals(*loss, direction, range, all_weights);
  const PrecisionScope scope(320);
  for (int k = 0; k < 25; ++k) {
    const long i = k == 0   ? range.first
                   : k == 1 ? range.last - 1
                            : random.integer(range.first, range.last - 1);
    const std::vector<Ball> exact = exact_integrals(*loss, range, i);
    for (std::size_t w = 0; w < all_weights.size(); ++w) {
      const auto place = static_cast<std::size_t>(i - range.first);
      const Ball difference = abs(exact[w] - Ball(found[w].values[place]));
      CAPTURE(spec_of(mixture));
      CAPTURE(range.mesh);
      CAPTURE(i);
      CAPTURE(w);
      CHECK_FALSE(certainly_greater(difference, Ball(found[w].errors[place])));
    }
  }
}

}  // namespace

TEST_CASE("integrals are within their errors") {
  Random random(431);
  for (int i = 0; i < trials(120); ++i) {
    const auto direction = random.one_in(2) ? Direction::add : Direction::remove;
    CellRange range;
    range.mesh = short_at_most(std::exp2(random.uniform(-20, -3)));
    range.first = random.integer(-3000, 500);
    range.last = range.first + random.integer(1, 4000);
    range.centred = random.one_in(2);
    check_cells(random_mixture(random), direction, range, random);
  }
}

TEST_CASE("the end of the support, and losses far out") {
  Random random(432);
  const GaussianMixture rare{Rational(1, 2), {0, 1}, {Rational(99, 100), Rational(1, 100)}};
  for (const double mesh : {0x1p-7, 0x1.8p-13, 0x1p-18}) {
    const long end = static_cast<long>(0.01005 / mesh);
    check_cells(rare, Direction::remove, {mesh, -end - 40, -end + 4000, false}, random);
    check_cells(rare, Direction::add, {mesh, end - 4000, end + 40, true}, random);
    check_cells(rare, Direction::remove, {mesh, 10 * end, 10 * end + 6000, false}, random);
  }
}

TEST_CASE("errors are far below the masses") {
  const GaussianMixture sampled{1, {0, 1}, {Rational(99, 100), Rational(1, 100)}};
  const auto loss = gaussian_mixture_loss(sampled, Direction::remove);
  const CellRange range{0x1p-14, 0, 20000, false};
  const auto found = cell_integrals(*loss, Direction::remove, range, all_weights);
  for (const CellIntegrals& each : found) {
    for (std::size_t i = 0; i < each.values.size(); ++i) {
      REQUIRE(each.errors[i] < 1e-12 * each.values[i]);
    }
  }
}

TEST_CASE("the remainder of the density is part of the error of every cell") {
  const GaussianMixture sampled{1, {0, 1}, {Rational(99, 100), Rational(1, 100)}};
  const auto loss = gaussian_mixture_loss(sampled, Direction::remove);
  const CellRange range{0x1p-14, 0, 2000, false};
  const auto usual = cell_integrals(*loss, Direction::remove, range, all_weights);
  sabotage::scale("blocks.taylor", 1e12);
  const auto inflated = cell_integrals(*loss, Direction::remove, range, all_weights);
  sabotage::clear();
  for (std::size_t w = 0; w < all_weights.size(); ++w) {
    CHECK(inflated[w].errors[1000] > 1000 * usual[w].errors[1000]);
  }
}

TEST_CASE("what it does not know") {
  const auto loss = gaussian_mixture_loss(GaussianMixture{1, {1}, {1}}, Direction::remove);
  CHECK(knows_cells(*loss, {0x1p-3, 0, 5, false}));
  CHECK_FALSE(knows_cells(*loss, {0x1p-2, 0, 5, false}));
  CHECK_FALSE(knows_cells(*loss, {0.1, 0, 5, false}));
  CHECK_FALSE(knows_cells(*loss, {0x1p-3, 1L << 40, (1L << 40) + 5, false}));
  CHECK_THROWS_AS(cell_integrals(*loss, Direction::remove, {0.1, 0, 5, false}, all_weights),
                  std::invalid_argument);
  CHECK_THROWS_AS(cell_integrals(*loss, Direction::remove, {0x1p-5, 5, 5, false}, all_weights),
                  std::invalid_argument);
}
