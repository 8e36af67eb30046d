// By how much a claim is off, as decimals rounded to the safe side.
#pragma once

#include <string>

#include "accountants/accountant.hpp"

namespace plaudit {

/// A lower bound of a distance that is at least 0.
std::string gap_below(const Ball& distance);
/// An upper bound of one.
std::string gap_above(const Ball& distance);
/// The distance in units of the exact number, which lies in the band: at least this (`least`), or
/// at most. Empty where that is unknown.
std::string relative_gap(const Ball& distance, const Enclosure& band, bool least);

}  // namespace plaudit
