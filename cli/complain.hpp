// One line on standard error.
#pragma once

#include <cstddef>
#include <string>

namespace plaudit::cli {

inline constexpr std::size_t longest_complaint = 500;

/// The text with nothing unprintable in it, whatever it quotes.
std::string printable(const std::string& text);

/// "plaudit: " and the message, printable and at most `longest` characters of it.
void complain(const std::string& message, std::size_t longest = longest_complaint);

}  // namespace plaudit::cli
