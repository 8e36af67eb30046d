// What the mass at infinity and the ends of the support say of the curve of a composition, without
// any sum. Theorems: docs/certificates/ends.md, docs/proofs/hockey_stick.md#trivial. The only error
// is rounding.
#pragma once

#include <optional>

#include "accountants/proof/kinds/proof.hpp"

namespace plaudit::proof {

/// An enclosure, and the number itself where it is a rational that is known.
template <class Real>
struct KnownOf {
  Real value;
  std::optional<Rational> exact = std::nullopt;

  /// Certainly: "no" may mean undecided where the number is not known exactly.
  bool not_above(const Rational& x) const;
  bool not_below(const Rational& x) const;
};

/// An atom of the composed loss: P(L = loss) >= mass.
template <class Real>
struct HighAtom {
  Real loss;
  Real mass;
};

/// Of the composed loss L.
template <class Real>
struct Support {
  Real finite;    ///< P(L < inf)
  Real infinite;  ///< P(L = inf)
  Real q;         ///< encloses Q(dP/dQ > 0)
  /// All finite losses lie between them; none: infinite.
  std::optional<KnownOf<Real>> first = {};
  std::optional<KnownOf<Real>> last = {};
  /// An atom: any serves, that at the greatest finite loss best; none: not known.
  std::optional<HighAtom<Real>> atom = {};
};

template <class Real>
ProofOf<Real> ends(const Support<Real>& support, const Rational& epsilon);

}  // namespace plaudit::proof
