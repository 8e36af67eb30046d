// The cross-check: every accountant and closed form on random compositions, whose bands must all
// have common points.
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
  double seconds_each = 0.25;  ///< for each question to an accountant; contour has 4 times that
  Told told = {};              ///< after each check
};

struct CrossCheckReport {
  struct Heard {
    std::string accountant;
    std::size_t applied = 0;   ///< checks that it did not refuse
    std::size_t bands = 0;     ///< answers within the time limit
    std::size_t compared = 0;  ///< comparisons with another band that it took part in
    double seconds = 0;
  };
  /// What a closed form, or an estimate in another arithmetic, was held against.
  struct Form {
    std::string form;
    std::string arithmetic;
    std::size_t values = 0;
    std::size_t compared = 0;
    std::size_t disjoint = 0;  ///< of these, without a common point
    double largest_gap = 0;    ///< of the middle of the form from a band, by its upper end
  };
  std::size_t checks = 0;  ///< each of one composition, one direction and one delta
  std::size_t comparisons = 0;
  std::vector<Heard> accountants;
  std::vector<Form> forms;
  std::vector<std::string> given_up;  ///< checks that took too much time or memory
  /// Bands without a common point, ends in the wrong order and exceptions, each with a command that
  /// shows it again. Empty: all bands intersect.
  std::vector<std::string> defects;
};

/// @throws std::invalid_argument for a bad option.
CrossCheckReport cross_check(const CrossCheckOptions& options = {});

}  // namespace v0
}  // namespace plaudit
