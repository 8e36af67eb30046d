// The program against itself: random compositions, every accountant and closed form; all must
// agree.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plaudit/plaudit.hpp"

namespace plaudit {

inline namespace v0 {

struct CrossCheckOptions {
  std::size_t count = 100;  ///< compositions
  std::uint64_t seed = 1;   ///< of the draws: the same seed asks the same questions
  int threads = 1;
  double seconds_each = 0.25;  ///< for each question to an accountant
};

struct CrossCheckReport {
  struct Heard {
    std::string accountant;    ///< "closed_forms" and "floating_forms" among them
    std::size_t applied = 0;   ///< directions of compositions that it did not refuse
    std::size_t bands = 0;     ///< answers within the time limit
    std::size_t compared = 0;  ///< pairs of bands it was part of
    double seconds = 0;
  };
  std::size_t checks = 0;
  std::size_t comparisons = 0;
  std::vector<Heard> accountants;
  std::vector<std::string> given_up;  ///< checks that took too much time or memory
  /// Bands without a common point, ends in the wrong order, exceptions: all that is needed to see
  /// each of them again. Empty: all bands intersect.
  std::vector<std::string> defects;
};

/// @throws std::invalid_argument for a bad option.
CrossCheckReport cross_check(const CrossCheckOptions& options = {});

}  // namespace v0
}  // namespace plaudit
