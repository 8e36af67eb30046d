// One step of a law, at its optimal event, and compositions of Gaussians.
//
// delta(eps) = P(L > eps) - e^eps Q(L > eps), and for every event E delta(eps) >= P(E) - e^eps Q(E)
// (docs/proofs/hockey_stick.md#one-step). Where dP/dQ is a function f that increases along a line,
// {L > eps} is a half-line, whose end is bracketed; other laws have closed forms. All theorems:
// docs/certificates/threshold.md. The only error beside rounding is the width of a bracket.
#pragma once

#include <optional>

#include "accountants/proof/arithmetic/budget.hpp"
#include "accountants/proof/kinds/proof.hpp"
#include "accountants/proof/laws/plain_laws.hpp"

namespace plaudit::proof {

/// Places u1 <= u2 with f(u1) <= e^eps <= f(u2).
struct Bracket {
  Rational below;
  Rational above;
};

struct ThresholdChoices {
  std::optional<Bracket> bracket = {};  ///< of mixtures; none where eps is beyond all losses
};

inline constexpr ErrorTerm bracket_term{"threshold.bracket", "docs/certificates/threshold.md"};

/// A single step; its one error is that of the bracket. @throws Rejected where there is no bracket
/// and losses may lie on either side of epsilon.
template <class Real>
ProofOf<Real> threshold(const Mixture& law, const Real& epsilon, const ThresholdChoices& choices,
                        Budget& budget);
template <class Real>
ProofOf<Real> threshold(const Mirrored& law, const Real& epsilon, const ThresholdChoices& choices,
                        Budget& budget);

/// The curves themselves, without an error but rounding. Of a Gaussian: of any composition of
/// Gaussians, mu being the sum of theirs.
template <class Real>
Real curve(const Gaussian& law, const Real& epsilon);
template <class Real>
Real curve(const Laplace& law, const Real& epsilon);
template <class Real>
Real curve(const Range& law, const Real& epsilon);

/// The curve of a Poisson sample is `front` times that of the sampled law at `place`.
template <class Real>
struct OfSampled {
  Real front;
  Real place;
};
/// Nothing where epsilon is certainly beyond the losses of every sample: 1 - e^eps is delta(eps)
/// then where records are removed, and 0 where they are added. @throws Rejected where that is not
/// decided. @param rate in (0, 1).
template <class Real>
std::optional<OfSampled<Real>> of_sampled(const Rational& rate, bool removes, const Real& epsilon);

/// Of a Gaussian on a random batch when records are replaced, given the public label: with the
/// probability q that the batch has a differing record, f(y) = 1 - q + q e^{a y - a^2/2}, the curve
/// of (f phi, phi) for epsilon >= 0 and that of (phi, f phi) below.
template <class Real>
class LabelCurve {
 public:
  /// @throws Rejected where the sign of epsilon is not decided.
  LabelCurve(const Real& q, const Real& epsilon);
  /// @param a > 0, the distance that belongs to the label.
  Real at(const Real& a) const;

 private:
  Real q_;
  Real growth_;
  bool up_;
  Real place_;
};

/// The end of the losses of a mixture, on the one side on which it may have one.
template <class Real>
std::optional<Real> end_of(const Mixture& law, bool least);

}  // namespace plaudit::proof
