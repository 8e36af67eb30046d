#include "verification/checker/laws/lattice_law.hpp"

#include "accountants/proof/arithmetic/rejected.hpp"

namespace plaudit::proof {

namespace {

Number<Interval> rational(const Rational& x) { return {Interval(x), x}; }

}  // namespace

LawOnLattice<Interval> law_on_lattice(const Law& law) {
  if (const auto* noise = std::get_if<DiscreteGaussian>(&law)) {
    return noise_on_lattice<Interval>({noise->variance, noise->sensitivity});
  }
  const auto* finite = std::get_if<Finite>(&law);
  require(finite != nullptr, "a law is not on a lattice");
  const Finite::Masses masses = finite->masses();
  require(!masses.atoms.empty(), "a law is not known to be on a lattice");
  LawOnLattice<Interval> result;
  for (const Atom& atom : masses.atoms) result.masses.push_back(atom.p);
  const std::optional<Rational>& infinite = finite->exact().infinite;
  result.infinite = infinite ? Interval(*infinite) : masses.infinite;
  result.finite = infinite ? Interval(Rational(1 - *infinite)) : 1 - masses.infinite;
  if (const std::optional<Lattice>& lattice = finite->exact().lattice) {
    result.offset = rational(lattice->offset);
    result.mesh = rational(lattice->mesh);
    result.indices = lattice->indices;
    if (lattice->indices.size() == 1) {  // on any lattice
      result.offset = rational(lattice->offset + lattice->mesh * lattice->indices[0]);
      result.mesh.reset();
      result.indices = {0};
    }
    return result;
  }
  require(masses.atoms.size() <= 2, "a law is not known to be on a lattice");
  result.offset = {masses.atoms[0].loss};
  result.indices = {0};
  if (masses.atoms.size() == 1) return result;
  result.mesh = Number<Interval>{masses.atoms[1].loss - masses.atoms[0].loss};
  require(positive(result.mesh->value), "two losses are not told apart");
  result.indices.push_back(1);
  return result;
}

}  // namespace plaudit::proof
