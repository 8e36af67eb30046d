// Ends of supports and masses at infinity of laws and compositions, exactly where they are
// rational. Theorems: docs/certificates/ends.md.
#pragma once

#include <optional>

#include "accountants/proof/kinds/ends.hpp"
#include "verification/checker/laws/laws.hpp"

namespace plaudit::proof {

using Known = KnownOf<Interval>;

/// P(L < inf) and P(L = inf) of the composition.
struct ComposedMasses {
  Known finite;
  Known infinite;
};
ComposedMasses composed_masses(const Run& run);

/// One end of the support of the finite part of one law: nothing where it is infinite, which
/// prove_ends takes for certain. Bounded laws, whose ends are not known, do not get there.
std::optional<Known> end_of(const Law& law, bool first);
/// The same of the composed loss.
std::optional<Known> least_loss(const Run& run);
std::optional<Known> greatest_loss(const Run& run);

}  // namespace plaudit::proof
