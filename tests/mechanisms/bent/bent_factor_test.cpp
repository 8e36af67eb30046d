// BentFactor with deliberately coarse grids: the error of the rule and the points left out stay
// within their bounds, for the bounds carry nearly all of the difference to a fine grid.
#include "mechanisms/bent/bent_factor.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "support/bent.hpp"
#include "support/containment.hpp"

using namespace plaudit;
using namespace plaudit::test;

TEST_CASE("coarse and short grids: bounds of the rule and of the omitted points") {
  Random random(51);
  int finite = 0, rule_matters = 0, tails_matter = 0;
  for (int i = 0; i < trials(300); ++i) {
    const auto path = random_bent_path(random);
    if (!path) continue;
    const MixtureInV in_v(path->mixture());
    const double sigma = in_v.sigma.estimate();
    const double peak = -in_v.origin.estimate() / sigma;
    BentGrid grid{};
    const bool turning = random.one_in(2);  // e^{w l} turns fast: one edge of the strip rules
    grid.step = std::exp(turning ? random.uniform(-3, 0) : random.uniform(-1.5, 1.2)) * 2 / sigma;
    const bool cut_off = random.one_in(3);  // and fine, so that the omitted points rule
    if (cut_off) grid.step /= 3;
    grid.left = std::min(peak, -1.5) - 8 / sigma - 1;
    grid.right = std::max(peak, path->dominance()) + 8 / sigma + 3;
    grid.first = static_cast<long>(std::ceil(grid.left / grid.step));
    grid.last = static_cast<long>(std::floor(grid.right / grid.step));
    BentGrid fine = grid;
    fine.step = grid.step / (cut_off ? 2 : 8);
    fine.first = static_cast<long>(std::ceil(grid.left / fine.step));
    fine.last = static_cast<long>(std::floor(grid.right / fine.step));
    if (cut_off || random.one_in(2)) grid.last -= (grid.last - grid.first) / random.integer(2, 6);
    if (random.one_in(2)) grid.first += (grid.last - grid.first) / random.integer(2, 6);
    if (fine.last - fine.first > 2000 || grid.last <= grid.first) continue;
    const BentShape& shape = path->shape();
    const double angle =
        std::min({std::atan(shape.slope), shape.rise, 1.4}) * random.uniform(0.2, 0.97);
    const double scale = std::exp(turning ? random.uniform(1, 4) : random.uniform(-2, 2));
    const double center = random.uniform(-6, 8);
    const PrecisionScope scope(96);
    const Hyperbola hyperbola{Ball(center), Ball(scale), Ball(angle)};
    std::optional<BentFactor> coarse, precise;
    try {
      coarse.emplace(path->mixture(), shape, grid, std::max(center, 2.0));
      precise.emplace(path->mixture(), shape, fine, 1);
    } catch (const std::domain_error&) {
      continue;
    }
    const std::size_t per_octave = 2, count = 5;
    const auto rough = coarse->minus_one(hyperbola, per_octave, count);
    const auto exact = precise->minus_one(hyperbola, per_octave, count);
    for (std::size_t k = 0; k < count; ++k) {
      const Ball x = log(Ball(2)) / Ball(2) * Ball(static_cast<long>(k));
      const HyperbolaArc arc(hyperbola, x, x);
      const Ball rule = coarse->quadrature_error(arc);
      const Ball tails = coarse->omitted_tails(arc);
      const Ball rest = precise->quadrature_error(arc) + precise->omitted_tails(arc);
      if (!rule.is_finite() || !tails.is_finite() || !rest.is_finite()) continue;
      const Ball difference = abs(rough[k] - exact[k]);
      if (!certainly_less(rest, ldexp(rule + tails, -3)) || !difference.is_finite()) continue;
      ++finite;
      rule_matters += certainly_less(tails, ldexp(rule, -6)) ? 1 : 0;
      tails_matter += certainly_less(rule, ldexp(tails, -6)) ? 1 : 0;
      INFO(spec_of(path->mixture()), " rise ", shape.rise, " slope ", shape.slope, " bend ",
           shape.bend, " knee ", shape.knee, " width ", shape.half_width, " step ", grid.step,
           " center ", center, " scale ", scale, " angle ", angle, " k ", k);
      CHECK(certainly_less_equal(difference.lower(), rule + tails + rest));
    }
  }
  CHECK(finite > trials(100));
  CHECK(rule_matters > trials(30));
  CHECK(tails_matter > trials(20));
}

TEST_CASE("other points on the same boxes: the factor that is made anew") {
  Random random(52);
  int compared = 0;
  for (int i = 0; i < trials(60); ++i) {
    const auto path = random_bent_path(random);
    if (!path) continue;
    const MixtureInV in_v(path->mixture());
    const double sigma = in_v.sigma.estimate();
    const double peak = -in_v.origin.estimate() / sigma;
    BentGrid grid{};
    grid.step = 0.5 / sigma;
    grid.left = std::min(peak, -1.5) - 8 / sigma - 1;
    grid.right = std::max(peak, path->dominance()) + 8 / sigma + 3;
    grid.first = static_cast<long>(std::ceil(grid.left / grid.step));
    grid.last = static_cast<long>(std::floor(grid.right / grid.step));
    BentGrid other = grid;
    other.step = grid.step / 2;
    other.last = grid.last + 3;
    const BentShape& shape = path->shape();
    const PrecisionScope scope(96);
    std::optional<BentFactor> given, anew;
    try {
      given.emplace(path->mixture(), shape, grid, 2);
      anew.emplace(path->mixture(), shape, other, 2);
    } catch (const std::domain_error&) {
      continue;
    }
    const std::optional<BentFactor> again = given->with_points(shape, other, 2);
    REQUIRE(again);
    const Hyperbola hyperbola{Ball(2), Ball(1), Ball(std::atan(shape.slope) / 2)};
    const HyperbolaArc arc(hyperbola, Ball(0.5), Ball(1));
    const auto same = [](const Ball& a, const Ball& b) {
      return (!a.is_finite() && !b.is_finite()) || (a - b).is_exact_zero();
    };
    CHECK(again->points() == anew->points());
    CHECK(same(again->quadrature_error(arc), anew->quadrature_error(arc)));
    CHECK(same(again->omitted_tails(arc), anew->omitted_tails(arc)));
    ++compared;
    // whatever the boxes depend on must be the same
    BentGrid longer = grid;
    longer.right += 1;
    CHECK(!given->with_points(shape, longer, 2));
    longer = grid;
    longer.left -= 1;
    CHECK(!given->with_points(shape, longer, 2));
    CHECK(!given->with_points(shape, grid, 3));
    BentShape wider = shape;
    wider.half_width *= 1.01;
    CHECK(!given->with_points(wider, grid, 2));
  }
  CHECK(compared > trials(10));
}
