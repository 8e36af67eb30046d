// Compositions of laws on one lattice, exactly: the folded contour without any discretisation. Laws
// of few sums may stand beside them.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "accountants/accountant.hpp"
#include "accountants/lattice/lattice_split.hpp"

namespace plaudit {

/// Why the composition is not on one lattice, if so.
std::optional<std::string> lattice_refusal(const ComposedLoss& loss);

/// docs/proofs/lattice.md#folding on the law of the privacy loss itself.
std::unique_ptr<PrivacyCurve> lattice_curve(const ComposedLoss& loss, const Goal& goal);
/// The same where only a part of the composition is on a lattice: docs/proofs/lattice.md#shifted.
std::unique_ptr<PrivacyCurve> lattice_curve(const ComposedLoss& loss, const LatticeSplit& split,
                                            const Goal& goal);

}  // namespace plaudit
