// The ranges of `curve`: A:B:STEP and A:B:POINTS.
#pragma once

#include <string>
#include <vector>

#include "lib/exact/rational.hpp"

namespace plaudit::cli {

/// The most points of a curve.
inline constexpr std::size_t most_points = 100'000;

/// A, A + STEP, ... up to B, exactly, for the option of that name. @throws UsageError
std::vector<Rational> stepped_range(const std::string& option, const std::string& text);

/// POINTS numbers from A to B, log-spaced: the ends exact, the others rounded to six digits.
/// @throws UsageError
std::vector<Rational> delta_range(const std::string& text);

}  // namespace plaudit::cli
