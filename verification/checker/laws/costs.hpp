// What a statement costs by its kind, laws, choices and bits, before anything of it is done: the
// same whole number in both checkers. docs/certificates/costs.md has the formulas.
#pragma once

#include <string_view>

#include "accountants/proof/arithmetic/numbers.hpp"
#include "verification/checker/laws/laws.hpp"
#include "verification/checker/laws/reader.hpp"

namespace plaudit::proof {

/// Choices that are missing or out of range cost nothing: the kind rejects them.
/// @param at_zero whether epsilon is 0.
Integer cost_of(std::string_view kind, const Run& run, const Json& choices, long bits,
                bool at_zero);

/// Operations of the curve of one step of a law at these bits, before they are weighed.
Integer operations_of_step(const Law& law, long bits);

/// Operations at these bits, in operations at 128 bits.
Integer weighed(const Integer& operations, long bits);

}  // namespace plaudit::proof
