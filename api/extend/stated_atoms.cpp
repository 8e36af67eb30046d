#include "api/extend/stated_atoms.hpp"

#include <algorithm>

#include "api/extend/stated_law.hpp"
#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"

namespace plaudit::inline v0 {

namespace {

/// The stated atoms with what Q has of them.
std::vector<LossAtom> listed(const LawQuestions& law) {
  std::vector<LossAtom> result;
  for (const extend::Atom& atom : law.atoms()) {
    const Ball p = law.probability("an atom", atom.p);
    LossAtom one{law.number("an atom's loss", atom.loss), {}, p, p};
    if (!one.loss.is_finite()) law.refuse("an atom is not finite");
    if (atom.exact_loss) {
      one.exact_loss = exact(*atom.exact_loss, "exact_loss");
      if (!overlaps(one.loss, Ball(*one.exact_loss))) {
        law.refuse("the exact loss of an atom is not in its enclosure");
      }
      one.loss = Ball(*one.exact_loss);
    }
    one.q = one.p * exp(-one.loss);
    result.push_back(std::move(one));
  }
  return result;
}

/// Refuses an atom that is larger than the step of P(L > x) around it.
void check_step(const LawQuestions& law, const LossAtom& atom) {
  const Ball gap = ldexp(max(Ball(1), abs(atom.loss)), -60);
  const Ball below = law.tails((atom.loss.lower() - gap).lower()).p;
  const Ball above = law.tails((atom.loss.upper() + gap).upper()).p;
  if (certainly_less(below - above, atom.p)) law.refuse("an atom is no step of P(L > x)");
}

/// A law with the stated atoms beside a continuous part.
class StatedAtoms final : public StatedLoss {
 public:
  explicit StatedAtoms(const LawQuestions& law) : StatedLoss(law) {
    facts_.atoms_unknown = false;
    const PrecisionScope scope(bits_of_checks);
    for (const LossAtom& atom : listed(law)) check_step(law, atom);
  }

  Ball p_atom(const Ball& x) const override { return mass_at(x, std::nullopt); }
  std::optional<std::vector<LossAtom>> atoms_in(
      const std::optional<LossWindow>& window) const override {
    std::vector<LossAtom> atoms = listed(law());
    std::sort(atoms.begin(), atoms.end(),
              [](const LossAtom& a, const LossAtom& b) { return middle_is_less(a.loss, b.loss); });
    return within(std::move(atoms), window);
  }
  PointMasses masses_at(const Rational& x) const override;

 private:
  /// P(L = x), x perhaps known to be a rational.
  Ball mass_at(const Ball& x, const std::optional<Rational>& rational) const {
    Ball sum;
    for (const LossAtom& atom : listed(law())) {
      if (!overlaps(atom.loss, x)) continue;
      const bool same = rational && atom.exact_loss ? *rational == *atom.exact_loss
                                                    : x.is_exact() && atom.loss.is_exact();
      if (same) {
        sum += atom.p;
      } else if (!rational || !atom.exact_loss) {
        sum += hull(Ball(0), atom.p);
      }
    }
    return sum;
  }
};

// P(L > x) = P(L >= x) - P(L = x), for an atom that is known to lie at x.
// Proof: docs/proofs/stated_laws.md#at-an-atom
PointMasses StatedAtoms::masses_at(const Rational& x) const {
  const Ball at(x);
  PointMasses masses{p_above(at), q_above(at), mass_at(at, x)};
  Ball p;
  Ball q;
  for (const LossAtom& atom : listed(law())) {
    if (atom.exact_loss != x) continue;
    p += atom.p;
    q += atom.q;
  }
  if (p.is_exact_zero()) return masses;
  const Ball gap = ldexp(max(Ball(1), abs(at)), -working_precision() / 2);
  const LawQuestions::Tails before = law().tails((at - gap).lower());
  const LawQuestions::Tails after = law().tails((at + gap).upper());
  masses.p_above = between(after.p, PLAUDIT_BOUND("stated.above_atom", before.p - p, after.p));
  masses.q_above = between(after.q, before.q - q);
  return masses;
}

/// The law of finitely many atoms, for which every accountant applies, checked against the tails.
std::shared_ptr<const core::PrivacyLoss> finite_loss(const LawQuestions& law) {
  const std::size_t count = law.atoms().size();
  std::optional<FiniteLoss::Lattice> lattice;
  if (const auto stated = law.lattice()) {
    lattice = {exact(stated->mesh, "mesh"), exact(stated->offset, "offset"), stated->places};
    if (lattice->mesh <= 0) law.refuse("the mesh of the lattice is not > 0");
    if (lattice->places.size() != count) {
      law.refuse("the lattice has another number of places than there are atoms");
    }
  }
  const auto provider = [law, count] {
    FiniteLaw result;
    for (const LossAtom& atom : listed(law)) result.atoms.push_back({atom.loss, atom.p, atom.q});
    if (result.atoms.size() != count) law.refuse("the number of atoms is not always the same");
    result.infinite = law.mass_at_infinity();
    result.q_mass = law.q_mass();
    return result;
  };
  FiniteLoss::Exact known;
  known.infinite = law.exact_mass_at_infinity();
  known.greatest = law.exact_greatest_loss();
  {  // Refused: sums other than the masses, and atoms larger than the step of P(L > x) around them.
    const PrecisionScope scope(bits_of_checks);
    Ball whole = law.mass_at_infinity();
    Ball under_q;
    const std::vector<LossAtom> atoms = listed(law);
    if (atoms.size() != count) law.refuse("the number of atoms is not always the same");
    for (std::size_t i = 0; i < atoms.size(); ++i) {
      const LossAtom& atom = atoms[i];
      whole += atom.p;
      under_q += atom.q;
      if (lattice &&
          !overlaps(atom.loss, Ball(Rational(lattice->offset +
                                             lattice->mesh * Rational(lattice->places[i]))))) {
        law.refuse("an atom does not lie at its place on the lattice");
      }
      if (!lattice && atom.exact_loss) known.losses.push_back(*atom.exact_loss);
      check_step(law, atom);
    }
    if (known.losses.size() != atoms.size()) known.losses.clear();
    if (!overlaps(whole, Ball(1))) law.refuse("the atoms and the mass at infinity do not add up");
    if (!overlaps(under_q, law.q_mass())) law.refuse("the atoms do not add up to Q(dP/dQ > 0)");
  }
  return std::make_shared<FiniteLoss>(law.name() + ", of a plug-in", provider, lattice, known);
}

}  // namespace

std::shared_ptr<const core::PrivacyLoss> loss_of_atoms(const LawQuestions& law) {
  if (law.has_continuous_part()) return std::make_shared<StatedAtoms>(law);
  return finite_loss(law);
}

}  // namespace plaudit::inline v0
