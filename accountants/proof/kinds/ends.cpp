#include "accountants/proof/kinds/ends.hpp"

#include "lib/mutant.hpp"

namespace plaudit::proof {

namespace {
constexpr long largest_exponent = 1L << 30;
}  // namespace

template <class Real>
bool KnownOf<Real>::not_above(const Rational& x) const {
  return exact ? *exact <= x : at_most(value, Real(x));
}

template <class Real>
bool KnownOf<Real>::not_below(const Rational& x) const {
  return exact ? x <= *exact : at_most(Real(x), value);
}

// Proof: docs/proofs/hockey_stick.md#trivial
template <class Real>
ProofOf<Real> ends(const Support<Real>& support, const Rational& epsilon) {
  const Real& infinite = support.infinite;
  ProofOf<Real> proof;
  if (support.last && support.last->not_above(epsilon)) {
    proof.low = proof.high = infinite;
    return proof;
  }
  const Real x(epsilon);
  if (support.last) {  // 1 - e^(epsilon - L) is greatest at the end
    proof.high = min(proof.high, infinite - support.finite * expm1(x - support.last->value));
  }
  proof.low = infinite;
  if (epsilon > largest_exponent) return proof;
  // delta where all losses are above epsilon
  const Real linear = infinite + support.finite - support.q * exp(x);
  if (support.first && support.first->not_below(epsilon)) {
    proof.low = proof.high = linear;
  } else {
    proof.low =
        max(max(infinite, linear), -expm1(PLAUDIT_BOUND("trivial.below_zero", x, scaled(x, 1))));
    if (support.atom) {
      const Real mass = PLAUDIT_BOUND("trivial.atom", support.atom->p, support.finite);
      proof.low = max(proof.low, infinite - mass * expm1(x - support.atom->loss));
    }
  }
  return proof;
}

template struct KnownOf<Ball>;
template struct KnownOf<Interval>;
template ProofOf<Ball> ends(const Support<Ball>&, const Rational&);
template ProofOf<Interval> ends(const Support<Interval>&, const Rational&);

}  // namespace plaudit::proof
