// Texts in messages: doubles, and the nearest of some known names. What printf, std::to_string and
// streams write, and what is a letter, depends on the locale of the process that uses the library;
// this does not.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plaudit {

/// Like printf's %.{digits}g in the C locale.
std::string general_text(double x, int digits);
/// Like its %.6f.
std::string fixed_text(double x);

/// ASCII letters as small ones; anything else as it is.
std::string lower_case(std::string_view text);

/// The known name that was meant by `name`: itself, or else the only one that differs from it in
/// capitals alone; empty where there is none.
std::string_view same_name(std::string_view name, const std::vector<std::string_view>& known);

/// The known name nearest to one that is none: that from which the fewest characters were inserted,
/// left out, changed or swapped with their neighbour (up to a third of them), or else the first
/// that begins with it. Empty where none is near.
std::string_view nearest_name(std::string_view name, const std::vector<std::string_view>& known);

/// " (did you mean gaussian?)", or nothing: what a message says after an unknown name.
std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& known);

}  // namespace plaudit
