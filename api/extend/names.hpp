// The rule for names of mechanisms, parameters and accountants that plug-ins add.
#pragma once

#include <string>

#include "mechanisms/spec_error.hpp"

namespace plaudit {

/// @throws SpecError unless it is a word of the spec language: lower-case letters, digits and '_',
/// a letter first, at most 40.
inline void check_name(const std::string& name, const char* what) {
  constexpr std::size_t longest = 40;
  const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
  bool good = !name.empty() && name.size() <= longest && letter(name[0]);
  for (const char c : name) good = good && (letter(c) || (c >= '0' && c <= '9') || c == '_');
  if (good) return;
  throw SpecError(std::string(what) +
                  " of a plug-in must be named by at most 40 lower-case "
                  "letters, digits and '_', a letter first, not " +
                  abbreviated(name));
}

}  // namespace plaudit
