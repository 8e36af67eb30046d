// What the mass at infinity, the ends of the support and one atom say of the curve of a
// composition, without any sum: bounds, which are equal outside of the support, rounded outward.
// Theorems: docs/certificates/ends.md, docs/proofs/hockey_stick.md#trivial
#pragma once

#include <optional>

#include "accountants/proof/kinds/atoms.hpp"
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

/// Of the composed loss L.
template <class Real>
struct Support {
  Real finite;    ///< P(L < inf)
  Real infinite;  ///< P(L = inf)
  Real q;         ///< encloses Q(dP/dQ > 0)
  /// All finite losses lie between them; an absent end is unbounded or not known.
  std::optional<KnownOf<Real>> first = {};
  std::optional<KnownOf<Real>> last = {};
  /// An atom, of a mass of at least p, where one is known: any serves. Next to the greatest finite
  /// loss that one says most.
  std::optional<AtomOf<Real>> atom = {};
};

template <class Real>
ProofOf<Real> ends(const Support<Real>& support, const Rational& epsilon);

}  // namespace plaudit::proof
