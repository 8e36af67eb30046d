#include "mechanisms/laws/exact_law.hpp"

#include <algorithm>
#include <numeric>

#include "lib/balls/decided_sign.hpp"
#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"

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

std::vector<LossAtom> listed_atoms(const std::vector<ExactAtom>& outcomes,
                                   const ExponentialSum& scale) {
  const Ball whole = scale.enclosed();
  std::vector<LossAtom> each;
  for (const ExactAtom& outcome : outcomes) {
    if (each.size() % 64 == 63) check_work_limit();
    const Ball p = outcome.p.enclosed() / whole;
    const Ball q = outcome.q.enclosed() / whole;
    const auto ratio = monomial_quotient(outcome.p, outcome.q);
    const bool rational = ratio && ratio->coefficient == 1;
    each.push_back({rational ? Ball(ratio->exponent) : log(p / q),
                    rational ? std::optional(ratio->exponent) : std::nullopt, p, q});
  }
  std::vector<std::size_t> order(each.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return middle_is_less(each[a].loss, each[b].loss);
  });
  const auto equal = [&](const ExactAtom& a, const ExactAtom& b) {
    return (a.p * b.q - b.p * a.q).is_zero();
  };
  std::vector<LossAtom> atoms;
  std::size_t last = 0;
  for (const std::size_t i : order) {
    if (!atoms.empty() && overlaps(each[i].loss, atoms.back().loss) &&
        equal(outcomes[i], outcomes[last])) {
      atoms.back().p += each[i].p;
      atoms.back().q += each[i].q;
    } else {
      atoms.push_back(each[i]);
      last = i;
    }
  }
  return atoms;
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
