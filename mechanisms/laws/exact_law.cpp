#include "mechanisms/laws/exact_law.hpp"

#include "lib/balls/precision.hpp"

namespace plaudit {

std::shared_ptr<const ExactLaw> sampled_exactly(const std::shared_ptr<const ExactLaw>& base,
                                                const Rational& rate, Direction direction) {
  if (!base) return nullptr;
  const Rational left = 1 - rate;
  auto law = std::make_shared<ExactLaw>();
  law->scale = base->scale;
  ExponentialSum unseen = base->scale;  // Q-mass of the outcomes without P-mass
  for (const ExactAtom& atom : base->atoms) {
    if (direction == Direction::remove) {
      law->atoms.push_back({atom.q.times(left, 0) + atom.p.times(rate, 0), atom.q});
    } else {
      law->atoms.push_back({atom.p, atom.p.times(left, 0) + atom.q.times(rate, 0)});
    }
    unseen -= atom.q;
  }
  if (direction == Direction::remove) {
    law->infinite = rate * base->infinite;
    if (!unseen.is_zero()) {
      const PrecisionScope scope(512);
      if (!certainly_positive(unseen.enclosed())) return nullptr;
      law->atoms.push_back({unseen.times(left, 0), unseen});
    }
  } else if (base->infinite != 0) {
    const ExponentialSum mass = base->scale.times(base->infinite, 0);
    law->atoms.push_back({mass, mass.times(left, 0)});
  }
  return law;
}

// Proof: docs/proofs/ties.md#ends
std::optional<Rational> rational_greatest_loss(const ExactLaw& law) {
  const PrecisionScope scope(256);
  Ball greatest;
  std::optional<Rational> known;
  for (std::size_t i = 0; i < law.atoms.size(); ++i) {
    const std::optional<Monomial> ratio = monomial_quotient(law.atoms[i].p, law.atoms[i].q);
    const bool rational = ratio && ratio->coefficient == 1;
    const Ball loss = rational ? Ball(ratio->exponent)
                               : log(law.atoms[i].p.enclosed() / law.atoms[i].q.enclosed());
    if (!loss.is_finite()) return std::nullopt;
    if (i > 0 && certainly_less_equal(loss, greatest)) continue;
    if (i > 0 && known && rational && ratio->exponent <= *known) continue;
    if (i > 0 && !certainly_less(greatest, loss) && !(known && rational)) return std::nullopt;
    greatest = loss;
    known = rational ? std::optional(ratio->exponent) : std::nullopt;
  }
  return known;
}

}  // namespace plaudit
