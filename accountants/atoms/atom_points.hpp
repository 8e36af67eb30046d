// Combinations of atoms: the law of the sum of independent draws from atomic laws, as a list of
// points without those that are rare under the law tilted by t.
//
// A power of a law with K atoms has a point for each multiset of its atoms
// (accountants/atoms/multisets.hpp); points whose order is not decided are merged.
// Proof: docs/proofs/atom_sum.md#halves, docs/proofs/atom_sum.md#merged
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "mechanisms/composition.hpp"

namespace plaudit {

/// Points of one list at most.
inline constexpr std::size_t most_atom_points = std::size_t{1} << 19;

/// A combination of atoms, or one atom: its P-mass, e^{-loss} and P-mass times e^{t loss}.
struct AtomPoint {
  Ball p;
  Ball decay;
  Ball tilted;
  double log;  ///< of its mass under the tilted law, in floating point

  AtomPoint times(const AtomPoint& other) const {
    return {p * other.p, decay * other.decay, tilted * other.tilted, log + other.log};
  }
};

/// The atoms of one term that can matter, the rarest first.
struct TermAtoms {
  std::vector<AtomPoint> atoms;
  std::uint64_t count;
  bool whole;

  std::vector<double> logs() const;
};

/// Of the terms at the working precision; nothing where one has a continuous part.
std::optional<std::vector<TermAtoms>> all_atoms(const ComposedLoss& loss, double tilt, double nats);

/// Multisets of `draws` of these atoms that are not rarer than e^-nats; infinity beyond `most`. In
/// floating point, for plans.
double estimate_multisets(const TermAtoms& term, std::uint64_t draws, double nats,
                          std::size_t most = most_atom_points);

/// The points of a product of powers of terms, by increasing loss.
struct AtomPoints {
  std::vector<AtomPoint> points{{Ball(1), Ball(1), Ball(1), 0}};
  bool whole = true;  ///< no combination is missing

  /// @throws std::domain_error where there would be too many points, or none that matters.
  AtomPoints(const std::vector<TermAtoms>& terms, const std::vector<std::uint64_t>& counts,
             double nats);

  Ball tilted_mass() const;
};

}  // namespace plaudit
