// Laws of privacy losses as lists of atoms, and what Poisson sampling makes of them.
#pragma once

#include <vector>

#include "lib/balls/ball.hpp"
#include "mechanisms/direction.hpp"

namespace plaudit {

struct Atom {
  Ball loss;  ///< finite
  Ball p;     ///< P(L = loss) >= 0
  Ball q;     ///< Q(L = loss) = e^{-loss} p
};

struct FiniteLaw {
  std::vector<Atom> atoms;  ///< at least one
  Ball infinite;            ///< P(L = +inf); exact 0 where it is 0
  Ball q_mass = Ball(1);    ///< Q(dP/dQ > 0), the sum of the q; exact 1 where it is 1
};

/// Atoms of a law without a continuous part; all of them where it is `whole`, otherwise those that
/// were asked for (then `law.infinite` and `law.q_mass` are still those of the law itself). No two
/// stand for the same outcomes.
struct AtomicLaw {
  FiniteLaw law;
  bool whole = true;
};

/// The pair after Poisson sampling at `rate` < 1: ((1-rate) Q + rate P, Q) for remove,
/// (P, (1-rate) P + rate Q) for add. Of a part of the atoms it is the part that they make up.
/// Proof: docs/proofs/discrete.md#sampled
FiniteLaw sampled_law(const FiniteLaw& base, const Rational& rate, Direction direction);

}  // namespace plaudit
