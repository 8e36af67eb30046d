// Read before every file of the module: what the C++ library of Emscripten 3.1.6 lacks of C++20.
#pragma once
#include <compare>
#include <version>
#if _LIBCPP_VERSION < 14000
namespace std {
constexpr bool is_eq(partial_ordering x) noexcept { return x == 0; }
constexpr bool is_neq(partial_ordering x) noexcept { return x != 0; }
constexpr bool is_lt(partial_ordering x) noexcept { return x < 0; }
constexpr bool is_gt(partial_ordering x) noexcept { return x > 0; }
constexpr bool is_lteq(partial_ordering x) noexcept { return x <= 0; }
constexpr bool is_gteq(partial_ordering x) noexcept { return x >= 0; }
}  // namespace std
#endif
#ifndef __cpp_lib_bit_cast
#include <cstring>
namespace std {
template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}
}  // namespace std
#endif
#if !defined(__cpp_lib_to_chars) || __cpp_lib_to_chars < 201611L
#include <charconv>
#include <cstdio>
namespace std {
/// By the C library, whose numbers are those of the locale "C": a module has no other.
inline to_chars_result to_chars(char* first, char* last, double x, chars_format format,
                                int precision) {
  const char* const how = format == chars_format::scientific ? "%.*e"
                          : format == chars_format::fixed    ? "%.*f"
                                                             : "%.*g";
  char text[400];
  const int size = snprintf(text, sizeof text, how, precision, x);
  if (size < 0 || size > last - first || size >= static_cast<int>(sizeof text))
    return {last, errc::value_too_large};
  memcpy(first, text, static_cast<size_t>(size));
  return {first + size, errc()};
}
}  // namespace std
#endif
