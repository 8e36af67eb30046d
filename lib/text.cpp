#include "lib/text.hpp"

#include <array>
#include <charconv>

namespace plaudit {

namespace {

std::string text(double x, std::chars_format format, int precision) {
  std::array<char, 512> buffer;  // the longest: 309 digits before the point
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), x, format, precision).ptr;
  return std::string(buffer.data(), end);
}

}  // namespace

std::string general_text(double x, int digits) {
  return text(x, std::chars_format::general, digits);
}

std::string fixed_text(double x) { return text(x, std::chars_format::fixed, 6); }

}  // namespace plaudit
