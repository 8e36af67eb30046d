// Lines that correct for no pole, far to the left of which delta itself is the alias: where their
// periods are too short, the bands are wide, and without the bound of an alias they are wrong.
#include "accountants/contour/straight_contour.hpp"
#include "accountants/registry.hpp"
#include "lib/balls/precision.hpp"
#include "support/containment.hpp"
#include "support/curves.hpp"
#include "support/sabotage.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

Enclosure delta_by(const char* name, const std::string& spec, const Rational& epsilon, int digits) {
  return accountant(name)->open(loss_from(spec, Direction::remove), Goal{digits})->delta(epsilon);
}

}  // namespace

TEST_CASE("lines without residues: short periods give wide bands, and their aliases carry weight") {
  const ComposedLoss loss = loss_from("gaussian(sigma=0.1)^3", Direction::remove);
  CumulantTable table(loss);
  const Rational at = 400;
  const double epsilon = 400;
  const Enclosure exact = delta_by("closed_form", "gaussian(sigma=0.1)^3", at, 40);
  const double log_delta = table.log_delta(epsilon, table.saddle(epsilon));
  // below the saddle point the left aliases are the greater ones, above it the right ones
  for (const double share : {0.88, 1.12}) {
    bool missed = false;
    for (const double shorter : {1.0, 1.5, 2.0, 3.0, 4.0}) {
      StraightChoice choice = choose_without_residue(loss, table, epsilon, 30, log_delta);
      REQUIRE(choice.no_residue);
      choice.t *= share;
      choice.h *= shorter;
      StraightContour line(loss, table, epsilon, choice);
      const PrecisionScope scope(line.bits());
      const Enclosure band = line.delta(Ball(at));
      INFO(shorter, " ", show(band), " ", show(exact));
      CHECK(holds(band, exact.lower));
      const Scaled without(share < 1 ? "contour.left.aliasing" : "contour.right.aliasing", 0);
      if (misses(line.delta(Ball(at)), exact.lower)) missed = true;
    }
    CHECK(missed);
  }
}
