// The law of a privacy loss with few values, exactly: masses and likelihood ratios as quotients of
// exponential sums, from which ties are decided that no precision decides.
// Proof: docs/proofs/ties.md#finite-laws
#pragma once

#include <memory>
#include <vector>

#include "lib/analysis/exponential_sum.hpp"
#include "mechanisms/direction.hpp"
#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

/// An outcome of probability p / scale under P and q / scale under Q, both positive.
struct ExactAtom {
  ExponentialSum p;
  ExponentialSum q;
};

struct ExactLaw {
  ExponentialSum scale = Rational(1);  ///< a positive number
  std::vector<ExactAtom> atoms;        ///< at least one; the outcomes with P- and Q-mass
  Rational infinite = 0;               ///< P(L = inf) < 1
};

/// Beyond this many atoms a law is not kept exactly.
inline constexpr std::size_t most_exact_atoms = 1000;

/// The law after Poisson sampling at `rate` < 1. Proof: docs/proofs/discrete.md#sampled
std::shared_ptr<const ExactLaw> sampled_exactly(const std::shared_ptr<const ExactLaw>& base,
                                                const Rational& rate, Direction direction);

/// The losses of these outcomes with their masses, by increasing loss, at the working precision.
/// Outcomes of equal ratios, which is decided exactly, are one atom.
std::vector<LossAtom> listed_atoms(const std::vector<ExactAtom>& outcomes,
                                   const ExponentialSum& scale);

/// The greatest loss where it is rational; nothing where it is not, or 256 bits do not tell.
std::optional<Rational> rational_greatest_loss(const ExactLaw& law);

}  // namespace plaudit
