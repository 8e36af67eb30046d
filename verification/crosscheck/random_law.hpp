// A random law of the privacy loss, written to a file as `pld` reads it.
#pragma once

#include <string>

#include "verification/crosscheck/random_composition.hpp"

namespace plaudit {

/// Writes a law to the file: one for each direction, or one for both.
/// @returns the spec that names it
std::string random_law(Dice& dice, const std::string& file);

}  // namespace plaudit
