// Doubles in messages. What printf, std::to_string and streams write depends on the locale of the
// process that uses the library; this does not.
#pragma once

#include <string>

namespace plaudit {

/// Like printf's %.{digits}g in the C locale.
std::string general_text(double x, int digits);
/// Like its %.6f.
std::string fixed_text(double x);

}  // namespace plaudit
