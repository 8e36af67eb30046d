#include "accountants/laplace/usual_atoms.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lib/constants.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr double most_losses = 2e4;      ///< of one draw
constexpr double seconds_of_sum = 5e-7;  ///< nominal, for each pair of losses

/// Heuristic: the losses of so many draws but for about e^-nats (Bernstein's inequality, or all of
/// them). What is left out is bounded by itself.
LossWindow usual_losses(const PrivacyLoss& law, double count, double nats) {
  const CumulantEstimate one = law.estimate_cumulant(0);
  const double deviation = std::sqrt(one.variance);
  const double least = law.least_loss().estimate();
  const double greatest = law.greatest_loss().estimate();
  const double farthest = std::max(one.mean - least, greatest - one.mean);
  const double reach = std::sqrt(2 * nats * count) * deviation +
                       nats * (std::isfinite(farthest) ? farthest : 0) + deviation;
  const auto exactly = [](double x) {
    if (!std::isfinite(x)) throw std::domain_error("atoms: a law has no usual losses");
    return exact_rational(Ball(x));
  };
  const double low = std::isfinite(least) ? count * least - deviation : -infinity;
  const double high = std::isfinite(greatest) ? count * greatest + deviation : infinity;
  return {exactly(std::max(low, count * one.mean - reach)),
          exactly(std::min(high, count * one.mean + reach))};
}

}  // namespace

bool has_rational_losses(const PrivacyLoss& law) {
  const auto& lattice = law.facts().lattice;
  return law.has_moments() && lattice && !lattice->exp_unit;
}

double losses_within(const PrivacyLoss& law, double count, double nats) {
  const double mesh = estimate(law.facts().lattice->mesh);
  if (mesh == 0) return 1;
  try {
    const LossWindow window = usual_losses(law, count, nats);
    return 1 + estimate(window.to - window.from) / mesh;
  } catch (const std::domain_error&) {
    return infinity;
  }
}

namespace {

using Atoms = std::map<Rational, Ball>;

/// All sums of two that lie in the window, with their masses.
Atoms sums_of(const Atoms& a, const Atoms& b, const LossWindow& window) {
  Atoms result;
  for (const auto& [x, p] : a) {
    check_work_limit(seconds_of_sum * static_cast<double>(b.size()));
    for (auto each = b.lower_bound(window.from - x); each != b.end(); ++each) {
      const Rational sum = x + each->first;
      if (sum > window.to) break;
      result[sum] += p * each->second;
    }
  }
  return result;
}

/// The usual losses of all draws of a law with rational atoms. What is left out has the mass that
/// is missing.
Atoms atoms_of_term(const ComposedLoss::Term& term, double nats) {
  const PrivacyLoss& law = *term.loss;
  if (!(losses_within(law, 1, nats) < most_losses)) {
    throw std::domain_error("atoms: a law has too many losses");
  }
  Atoms base;
  const auto atoms = law.atoms_in(usual_losses(law, 1, nats));
  if (!atoms) throw std::domain_error("atoms: the atoms of a law are not known");
  for (const LossAtom& atom : *atoms) {
    if (!atom.exact_loss) throw std::domain_error("atoms: a loss is not rational");
    base[*atom.exact_loss] += atom.p;
  }
  Atoms result{{Rational(0), Ball(1)}};
  double draws = 0;
  double doubled = 1;
  for (std::uint64_t count = term.count;; count >>= 1) {
    if ((count & 1) != 0) {
      draws += doubled;
      result = sums_of(result, base, usual_losses(law, draws, nats));
    }
    if (count <= 1) return result;
    doubled *= 2;
    base = sums_of(base, base, usual_losses(law, doubled, nats));
  }
}

}  // namespace

// Proof: docs/proofs/laplace.md#product
UsualAtoms usual_atoms(const std::vector<ComposedLoss::Term>& terms, Direction direction,
                       double nats) {
  UsualAtoms result{{{Rational(0), Ball(1)}}, Ball(0)};
  if (terms.empty()) return result;
  Atoms& atoms = result.masses;
  for (const ComposedLoss::Term& term : terms) {
    const Atoms one = atoms_of_term(term, nats);
    const Rational end = one.empty() ? Rational(0) : one.rbegin()->first;
    const Rational start = one.empty() ? Rational(0) : one.begin()->first;
    atoms = sums_of(atoms, one, {atoms.begin()->first + start, atoms.rbegin()->first + end});
    if (atoms.empty()) throw std::domain_error("atoms: none where they should be");
  }
  Ball kept;
  for (const auto& [loss, mass] : atoms) kept += mass;
  const Ball all_mass = ComposedLoss(terms, direction).finite_mass();
  result.missing = clipped_nonnegative(all_mass - kept).upper();
  return result;
}

}  // namespace plaudit
