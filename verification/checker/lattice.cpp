// Kind `lattice`: all losses lie on b + aZ, and one period of the contour, K nodes, is all of it.
// docs/certificates/lattice.md
#include "accountants/proof/kinds/lattice.hpp"

#include "accountants/proof/arithmetic/rejected.hpp"
#include "verification/checker/kinds.hpp"
#include "verification/checker/laws/lattice_law.hpp"

namespace plaudit::proof {

namespace {

constexpr std::size_t most_ranges = 100000;

LatticeChoices read_choices(Fields& choices) {
  LatticeChoices given;
  given.tilt = choices.dyadic("tilt");
  given.right_order = choices.dyadic("right_order");
  given.left_order = choices.dyadic("left_order");
  given.period = choices.integer("period", 1, longest_period);
  const std::vector<long> ends = choices.integers("ends", most_ranges, 0, given.period / 2);
  const std::vector<long> summed = choices.integers("summed", most_ranges, 0, 1);
  choices.done();
  require(ends.size() == summed.size(), "as many ends as segments are wanted");
  for (std::size_t i = 0; i < ends.size(); ++i) given.ranges.push_back({ends[i], summed[i] == 1});
  return given;
}

}  // namespace

Proof prove_lattice(Fields& choices, const Run& run, const Rational& epsilon, Budget& budget) {
  const LatticeChoices given = read_choices(choices);
  check_choices(given);
  std::vector<LawOnLattice<Interval>> laws;
  std::vector<std::optional<Number<Interval>>> meshes;
  for (const Factor& factor : run.factors) {
    laws.push_back(law_on_lattice(*factor.law));
    meshes.push_back(laws.back().mesh);
  }
  const CommonMesh<Interval> mesh = common_mesh<Interval>(meshes);
  const PeriodLine<Interval> line(mesh.step.value, Interval(given.tilt), given.period);
  LatticeContour<Interval>::Factors factors;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    factors.push_back(lattice_factor(laws[i], run.factors[i].count, mesh.times[i], line, budget));
  }
  LatticeContour<Interval> contour(std::move(factors), line, mesh.step, given, budget);
  const ProofOf<Interval> found = contour.at({Interval(epsilon), epsilon});
  return {.low = found.low,
          .high = found.high,
          .errors = {{"right_aliasing", found.errors[0].size},
                     {"left_aliasing", found.errors[1].size},
                     {"bounded", found.errors[2].size}}};
}

}  // namespace plaudit::proof
