#include "accountants/plan/atom_lists.hpp"

#include <algorithm>
#include <cmath>

#include "mechanisms/laws/atomic_law.hpp"

namespace plaudit {

namespace {
constexpr double nats_of_atoms = 10;  ///< that a law's own cut is below that of the product
}  // namespace

std::optional<AtomLists> atom_lists(const ComposedLoss& loss, double tilt, double nats) {
  AtomLists lists;
  for (const ComposedLoss::Term& term : loss.terms()) {
    const auto law = term.loss->atoms(tilt, nats + nats_of_atoms);
    if (!law) return std::nullopt;
    lists.whole = lists.whole && law->whole;
    auto& atoms = lists.atoms.emplace_back();
    for (const Atom& atom : law->law.atoms) {
      if (!atom.p.is_exact_zero()) atoms.push_back({atom.loss, atom.p, atom.q});
    }
    std::sort(atoms.begin(), atoms.end(),
              [](const auto& a, const auto& b) { return middle_is_less(a.loss, b.loss); });
    AtomFactor& factor = lists.factors.emplace_back();
    factor.count = term.count;
    for (const auto& atom : atoms) {
      const double log = atom.p.estimate_log();  // a mass that may be 0 has none
      factor.log_masses.push_back(std::isfinite(log) ? log : atom.p.upper().estimate_log());
      factor.losses.push_back(atom.loss.estimate());
    }
  }
  return lists;
}

}  // namespace plaudit
