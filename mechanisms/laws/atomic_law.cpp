#include "mechanisms/laws/atomic_law.hpp"

namespace plaudit {

FiniteLaw sampled_law(const FiniteLaw& base, const Rational& rate, Direction direction) {
  const Ball taken(rate);
  const Ball left(Rational(1 - rate));
  FiniteLaw law;
  law.infinite = Ball(0);
  for (const Atom& atom : base.atoms) {
    if (direction == Direction::remove) {
      law.atoms.push_back(
          {log1p(taken * expm1(atom.loss)), left * atom.q + taken * atom.p, atom.q});
    } else {
      law.atoms.push_back(
          {-log1p(taken * expm1(-atom.loss)), atom.p, left * atom.p + taken * atom.q});
    }
  }
  const Ball end = log1p(-taken);
  if (direction == Direction::remove) {
    law.infinite = base.infinite.is_exact_zero() ? Ball(0) : taken * base.infinite;
    const Ball unseen = Ball(1) - base.q_mass;  // Q-mass of the outcomes without P-mass
    if (!unseen.is_exact_zero()) {
      const Ball mass = clipped_nonnegative(unseen);
      law.atoms.push_back({end, left * mass, mass});
    }
  } else {
    if (!base.infinite.is_exact_zero()) {
      law.atoms.push_back({-end, base.infinite, left * base.infinite});
    }
    const bool whole = (base.q_mass - Ball(1)).is_exact_zero();
    law.q_mass = whole ? Ball(1) : left + taken * base.q_mass;
  }
  return law;
}

}  // namespace plaudit
