// Compositions of laws on one lattice, exactly: the folded contour without any discretisation.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "accountants/accountant.hpp"

namespace plaudit {

/// Why the composition is not on one lattice, if so.
std::optional<std::string> lattice_refusal(const ComposedLoss& loss);

/// docs/proofs/lattice.md#folding on the law of the privacy loss itself.
std::unique_ptr<PrivacyCurve> lattice_curve(const ComposedLoss& loss, const Goal& goal);

}  // namespace plaudit
