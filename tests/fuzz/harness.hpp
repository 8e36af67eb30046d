// What the harnesses share. A harness is one function of some bytes, LLVMFuzzerTestOneInput:
// libFuzzer calls it with inputs it invents (./dev fuzz), replay.cpp with the committed ones
// (ctest, fuzz/NAME).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "mechanisms/language/file_access.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace plaudit::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Where it does not hold, the program ends, and libFuzzer keeps the input.
inline void demand(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "harness: %s\n", what.c_str());
  std::abort();
}

/// No text names a file of this machine.
inline void forbid_files() {
  static const bool done = (set_file_access(FileAccess::none()), true);
  static_cast<void>(done);
}

/// A message is one line of printable ASCII, and no copy of a long input.
inline void demand_message(const std::string& message) {
  demand(!message.empty(), "an empty message");
  demand(message.size() <= 2000, "a message of " + std::to_string(message.size()) + " characters");
  for (const char c : message) demand(c >= ' ' && c <= '~', "not printable: " + message);
}

}  // namespace plaudit::fuzz
