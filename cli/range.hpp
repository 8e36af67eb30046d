// Ranges of arguments: A:B:STEP and A:B:POINTS.
#pragma once

#include <string>
#include <vector>

#include "lib/exact/rational.hpp"

namespace plaudit::cli {

/// The most points of a curve.
inline constexpr std::size_t most_points = 100'000;

/// A, A + STEP, ... up to B, exactly, for the option of that name. @throws UsageError
std::vector<Rational> stepped_range(const std::string& option, const std::string& text);

/// POINTS probabilities from A to B, log-spaced, of the option of that name: the ends exact, the
/// others rounded to six digits. @param name of one of them. @throws UsageError
std::vector<Rational> log_spaced_range(const std::string& option, const std::string& name,
                                       const std::string& text);

}  // namespace plaudit::cli
