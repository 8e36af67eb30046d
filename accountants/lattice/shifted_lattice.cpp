#include "accountants/lattice/shifted_lattice.hpp"

#include <stdexcept>

#include "accountants/cumulants/chernoff_factor.hpp"
#include "accountants/plan/atom_lists.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm left_out_term{"lattice.left_out",
                                  "docs/proofs/lattice.md#shifted (sums that were left out)"};

}  // namespace

ShiftedLattice::ShiftedLattice(const LatticeSplit& split,
                               std::vector<LatticeComposition::Factor> on_lattice, double epsilon,
                               double nats, SumsLeftOut left_out)
    : tilt_(left_out.tilt) {
  composition_.emplace(std::move(on_lattice), list(split, left_out.nats), epsilon, nats);
}

/// The sums, and bounds of what the list lacks.
// Proof: docs/proofs/lattice.md#shifted
std::vector<LatticeComposition::Shift> ShiftedLattice::list(const LatticeSplit& split,
                                                            double nats) {
  const auto lists = atom_lists(split.beside, tilt_.estimate(), nats);
  if (!lists) throw std::domain_error("a privacy loss has a continuous part");
  const proof::AtomsChoices choices = plan_atom_list(lists->factors, tilt_.estimate(), nats);
  proof::Budget budget = proof::unlimited_budget();
  const proof::AtomPoints<Ball> sums(lists->atoms, choices.outer, choices, most_atom_points,
                                     budget);
  std::vector<LatticeComposition::Shift> shifts;
  Ball mass;
  for (const auto& point : sums.points) {
    shifts.push_back({exp(-point.loss), point.p});
    mass += point.p;
  }
  infinite_ = split.beside.mass_at_infinity();
  if (lists->whole && sums.whole) return shifts;
  const Ball missing =
      clipped_nonnegative(exp(split.beside.log_mgf(tilt_)) - sums.tilted_mass()).upper();
  missing_moment_ = (missing * exp(split.on_lattice.log_mgf(tilt_))).upper();
  missing_at_infinity_ =
      (clipped_nonnegative(split.beside.finite_mass() - mass) * split.on_lattice.mass_at_infinity())
          .upper();
  return shifts;
}

/// What is not listed contributes at most this to delta(epsilon).
// Proof: docs/proofs/lattice.md#shifted
Ball ShiftedLattice::left_out(const Ball& epsilon) const {
  if (missing_moment_.is_exact_zero()) return Ball(0);
  const Ball at_infinity =
      PLAUDIT_BOUND("lattice.left_out_at_infinity", missing_at_infinity_, Ball(0));
  return (exp(log_chernoff_factor(tilt_) - tilt_ * epsilon) * missing_moment_ + at_infinity)
      .upper();
}

Enclosure ShiftedLattice::delta(const Ball& epsilon) {
  Enclosure found = composition_->delta(epsilon);
  const Ball unseen = found.ledger.add(left_out_term, left_out(epsilon));
  found.lower = (found.lower + infinite_).lower();
  found.upper = (found.upper + infinite_ + unseen).upper();
  return found;
}

}  // namespace plaudit
