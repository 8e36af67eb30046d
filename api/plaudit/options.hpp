// The options of a question and their defaults, for users of the interface and the library behind
// it: this header includes nothing of plaudit.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace plaudit {

inline namespace v0 {

enum class DirectionChoice { both, remove, add };

constexpr std::size_t usual_memory_bytes = 2'000'000'000;
constexpr int most_digits_wanted = 10000;  ///< of a band

/// Is told how many parts of a call are done, of how many: from any of its threads, but never from
/// two at once. It throws nothing.
using Told = std::function<void(std::size_t done, std::size_t total)>;

/// Significant decimal digits wanted: the width of a band is to be at most 10^-wanted of its end.
struct Digits {
  int wanted = 12;
  bool stated = false;  ///< false: nobody asked, and fewer may do (plaudit.hpp)

  Digits() = default;
  Digits(int asked) : wanted(asked), stated(true) {}
  operator int() const { return wanted; }
};

/// `timeout_seconds` and `memory_bytes` (by which the process may grow) end the work on one number:
/// its band is then wider, and says why. Where neither is met, the answer does not depend on how
/// busy the machine is. With two threads the directions are computed side by side.
struct Options {
  Digits digits = {};
  std::string accountant = "auto";
  DirectionChoice direction = DirectionChoice::both;
  double timeout_seconds = 60;
  int threads = 1;
  std::size_t memory_bytes = usual_memory_bytes;
};

}  // namespace v0
}  // namespace plaudit
