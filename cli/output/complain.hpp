// One line on standard error.
#pragma once

#include <cstddef>
#include <string>

namespace plaudit::cli {

inline constexpr std::size_t longest_complaint = 500;

/// The text as printable ASCII, whatever it quotes: control characters (also the C1 ones, which are
/// beyond ASCII) never reach a terminal.
std::string printable(const std::string& text);

/// "plaudit: " and the message, printable and at most `longest` characters of it.
void complain(const std::string& message, std::size_t longest = longest_complaint);

}  // namespace plaudit::cli
