// What is asked of a number, besides the number: the one place where the defaults stand. It
// includes nothing of plaudit, so that both the library behind the interface and its users have it.
#pragma once

#include <cstddef>
#include <string>

namespace plaudit {

inline namespace v0 {

enum class DirectionChoice { both, remove, add };

constexpr std::size_t usual_memory_bytes = 2'000'000'000;

/// Significant decimal digits wanted in the width of a band, and whether somebody asked for them.
struct Digits {
  int wanted = 12;
  bool stated = false;

  Digits() = default;
  Digits(int asked) : wanted(asked), stated(true) {}
  operator int() const { return wanted; }
};

/// `timeout_seconds` and `memory_bytes` (by which the process may grow) end the work on one number:
/// its band is then wider, and says why. Below these limits a question has one answer, however busy
/// the machine is.
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
