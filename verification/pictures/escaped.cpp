#include "verification/pictures/escaped.hpp"

#include <algorithm>
#include <string_view>

namespace plaudit::pictures {

namespace {

constexpr const char* ellipsis = "\u2026";

/// Of a UTF-8 text: how many bytes the character at `at` has, 0 where there is none that XML and
/// terminals can show as text.
std::size_t character(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const unsigned first = byte(at);
  if (first < 0x80) return first >= ' ' && first != 0x7f ? 1 : 0;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  unsigned code = first & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xc0U) != 0x80) return 0;
    code = (code << 6) | (byte(at + i) & 0x3fU);
  }
  const bool shortest = code >= (length == 2 ? 0x80U : length == 3 ? 0x800U : 0x10000U);
  const bool c1 = code < 0xa0;
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  const bool reorders = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  const bool none = (code & 0xfffeU) == 0xfffeU || code > 0x10ffff;
  return shortest && !c1 && !surrogate && !reorders && !none ? length : 0;
}

/// The characters, each what can be shown.
std::vector<std::string> characters(const std::string& text) {
  std::vector<std::string> result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character(text, at);
    result.push_back(length == 0 ? " " : text.substr(at, length));
    at += std::max<std::size_t>(length, 1);
  }
  return result;
}

std::string joined(const std::vector<std::string>& parts, std::size_t first, std::size_t last) {
  std::string text;
  for (std::size_t i = first; i < last; ++i) text += parts[i];
  return text;
}

double width_of(const std::string& one) {
  if (one.size() > 2) return one[0] == '\xe2' ? 0.85 : 1.1;  // punctuation and signs; wide scripts
  if (one.size() > 1) return 0.8;
  const char c = one[0];
  if (std::string_view("mwMW%@").find(c) != std::string_view::npos) return 1.0;
  if (std::string_view("<>=+~#").find(c) != std::string_view::npos) return 0.84;
  if (c >= 'A' && c <= 'Z') return 0.78;
  if (std::string_view(" .,:;'!|()[]-").find(c) != std::string_view::npos) return 0.4;
  return 0.64;
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string result;
  for (const std::string& one : characters(text)) {
    switch (one[0]) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += one;
    }
  }
  return result;
}

std::string markdown(const std::string& text) {
  std::string result;
  for (const std::string& one : characters(text)) {
    if (std::string_view("\\`*_{}[]<>#|~&").find(one) != std::string_view::npos) result += '\\';
    result += one;
  }
  return result;
}

std::string shortened(const std::string& text, std::size_t most) {
  const std::vector<std::string> all = characters(text);
  if (all.size() <= most) return joined(all, 0, all.size());
  return joined(all, 0, most > 0 ? most - 1 : 0) + ellipsis;
}

std::vector<std::string> broken(const std::string& text, std::size_t most, std::size_t lines) {
  const std::vector<std::string> all = characters(text);
  std::vector<std::string> result;
  for (std::size_t first = 0; first < all.size() && result.size() < lines;) {
    std::size_t last = std::min(all.size(), first + std::max<std::size_t>(most, 2));
    if (last < all.size() && result.size() + 1 == lines) {
      result.push_back(joined(all, first, last - 1) + ellipsis);
      break;
    }
    if (last < all.size()) {
      std::size_t place = last;
      while (place > first && all[place - 1] != " " && all[place - 1] != "*" &&
             all[place - 1] != ",") {
        --place;
      }
      if (place > first) last = place;
    }
    result.push_back(joined(all, first, last));
    first = last;
  }
  return result;
}

double text_width(const std::string& text) {
  double width = 0;
  for (const std::string& one : characters(text)) width += width_of(one);
  return width;
}

}  // namespace plaudit::pictures
