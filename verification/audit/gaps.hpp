// By how much a claim is off, as decimals rounded to the safe side.
#pragma once

#include <string>

#include "accountants/accountant.hpp"

namespace plaudit {

/// A lower bound of a distance, 0 where it may be negative.
std::string gap_below(const Ball& distance);
/// An upper bound of it, 0 where it is certainly negative.
std::string gap_above(const Ball& distance);
/// The distance in units of the exact number, which lies in the band: at least this (`least`), or
/// at most. Empty where that is unknown.
std::string relative_gap(const Ball& distance, const Enclosure& band, bool least);

}  // namespace plaudit
