// Kind `atoms`: laws without a continuous part, lattice or not: all combinations of atoms, in two
// halves. docs/certificates/atoms.md.
#include "accountants/proof/kinds/atoms.hpp"
#include "accountants/proof/arithmetic/rejected.hpp"
#include "verification/checker/ends.hpp"
#include "verification/checker/kinds.hpp"
#include "verification/checker/laws/costs.hpp"
#include "verification/checker/laws/discrete_noise.hpp"

namespace plaudit::proof {

namespace {

constexpr std::size_t most_points = std::size_t{1} << 18;  ///< of a half
constexpr long most_atoms = 100000;   ///< modulus of an outcome of noise, and how many are listed
constexpr long most_draws = 1000000;  ///< of one factor in one half

using Points = std::vector<Atom>;

/// The outcomes k + D, first <= k <= last: P centres the noise at D, Q at 0.
Points noise_atoms(const DiscreteGaussian& law, long first, long last, Budget& budget) {
  const Rational d(law.sensitivity);
  const Interval theta = discrete_gaussian_normaliser(law.variance, budget);
  const auto mass = [&](const Rational& k) {
    return exp(Interval(Rational(-k * k / (2 * law.variance)))) / theta;
  };
  Points atoms;
  for (long k = first; k <= last; ++k) {
    const Rational loss = (d * d / 2 + k * d) / law.variance;
    atoms.push_back({Interval(loss), mass(k), mass(Rational(k + d))});
  }
  return atoms;
}

/// All atoms, or those of the outcomes that the choices name.
Points read_atoms(const Law& law, Fields& fields, Budget& budget) {
  if (const auto* finite = std::get_if<Finite>(&law)) return finite->masses().atoms;
  const auto* sampled = std::get_if<Sampled>(&law);
  const DiscreteGaussian* base =
      sampled ? std::get_if<DiscreteGaussian>(&sampled->base) : std::get_if<DiscreteGaussian>(&law);
  require(base != nullptr, "a law with a continuous part");
  const long first = fields.integer("first", -most_atoms, most_atoms);
  const long last = fields.integer("last", -most_atoms, most_atoms);
  require(first <= last && last <= first + most_atoms, "the outcomes are out of order");
  budget.spend(60.0 * static_cast<double>(last - first + 1));
  Points atoms = noise_atoms(*base, first, last, budget);
  if (sampled != nullptr) {
    const Direction direction = sampled->removes ? Direction::remove : Direction::add;
    for (Atom& atom : atoms) atom = sampled_atom(atom, sampled->rate, direction);
  }
  return atoms;
}

std::vector<std::uint64_t> read_counts(Fields& fields, const char* name, std::size_t size,
                                       long draws) {
  const std::vector<long> counts = fields.integers(name, size, 0, draws);
  return {counts.begin(), counts.end()};
}

/// A share, and the atoms that it speaks of.
AtomShare read_share(const Law& law, Fields& fields, Points& atoms, Budget& budget) {
  AtomShare share;
  const long draws = fields.integer("count", 0, most_draws);
  share.draws = static_cast<std::uint64_t>(draws);
  if (draws > 0) {
    atoms = read_atoms(law, fields, budget);
    share.lows = read_counts(fields, "lows", atoms.size(), draws);
    share.highs = read_counts(fields, "highs", atoms.size(), draws);
  }
  fields.done();
  return share;
}

}  // namespace

Proof prove_atoms(Fields& choices, const Run& run, const Rational& epsilon, Budget& budget) {
  const std::size_t size = run.factors.size();
  std::vector<Fields> outer = choices.objects("outer", size);
  std::vector<Fields> inner = choices.objects("inner", size);
  choices.done();
  require(outer.size() == size && inner.size() == size, "a share for each factor is wanted");
  std::vector<Points> outer_atoms(size);
  std::vector<Points> inner_atoms(size);
  AtomsChoices given;
  for (std::size_t i = 0; i < size; ++i) {
    const Law& law = *run.factors[i].law;
    given.outer.push_back(read_share(law, outer[i], outer_atoms[i], budget));
    given.inner.push_back(read_share(law, inner[i], inner_atoms[i], budget));
    require(given.outer[i].draws + given.inner[i].draws == run.factors[i].count,
            "the halves have other counts than the composition");
  }
  const ComposedMasses masses = composed_masses(run);
  const AtomSum<Interval> sum(
      {outer_atoms, inner_atoms, false, masses.infinite.value, [&] { return masses.finite.value; }},
      given, most_points, budget);
  const Interval eps(epsilon);
  budget.announce(weighed(5 * sum.undecided(eps), working_precision()));
  const ProofOf<Interval> found = sum.at(eps, budget);
  // left_out is a difference of two numbers near 1, which both checkers are to state alike
  const Interval rounding = scaled(Interval(1), 48 - working_precision());
  return {.low = found.low,
          .high = found.high + rounding,
          .errors = {{"left_out", top(found.errors[0].size + rounding)}}};
}

}  // namespace plaudit::proof
