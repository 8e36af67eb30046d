// What may be asked of a composition, and within which limits.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "lib/work/work_limit.hpp"

namespace plaudit {

struct Answer;

enum class DirectionChoice { both, remove, add };
enum class Quantity { epsilon, delta };

/// Who asked for the digits that are wanted.
enum class DigitsAsked {
  by_user,
  by_nobody,                ///< an accountant that was chosen may stop at its usual width
  by_nobody_of_one_number,  ///< the same; and few digits will do where all of them are dear
};

// Of one number for whose digits nobody asked: all of them are given where they are found by so
// much work, in nominal seconds of each thread; else so many of them suffice.
constexpr double work_for_digits_unasked = 0.1;
constexpr int digits_that_suffice = 6;

struct AnswerOptions {
  int digits = 12;
  std::string accountant = "auto";
  DirectionChoice direction = DirectionChoice::both;
  double timeout_seconds = 60;
  int threads = 1;
  std::size_t memory_bytes = default_memory_limit;  ///< by which the process may grow in a query
  /// Where the lower end is one of the pair alone, an attack is asked for one of the mechanism.
  bool attack = false;
  DigitsAsked digits_asked = DigitsAsked::by_user;
  /// Hears what could be answered already each time that more is proven: for whoever may end the
  /// work at any time. Never called twice at once.
  std::function<void(const Answer&)> proven = {};
};

}  // namespace plaudit
