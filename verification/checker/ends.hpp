// Ends of supports and masses at infinity of laws and compositions, exactly where they are
// rational. Theorems: docs/certificates/ends.md.
#pragma once

#include <optional>

#include "verification/checker/laws/laws.hpp"

namespace plaudit::proof {

/// An enclosure, and the number itself where it is a rational that is known.
struct Known {
  Interval value;
  std::optional<Rational> exact = std::nullopt;
};

/// P(L < inf) and P(L = inf) of the composition.
struct ComposedMasses {
  Known finite;
  Known infinite;
};
ComposedMasses composed_masses(const Run& run);

/// The ends of the support of the finite part of the composed loss; none: infinite.
/// One end of the support of the finite part of one law: nothing where it is infinite.
std::optional<Known> end_of(const Law& law, bool first);
std::optional<Known> least_loss(const Run& run);
std::optional<Known> greatest_loss(const Run& run);

}  // namespace plaudit::proof
