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

struct AnswerOptions {
  int digits = 12;
  std::string accountant = "auto";
  DirectionChoice direction = DirectionChoice::both;
  double timeout_seconds = 60;
  int threads = 1;
  std::size_t memory_bytes = default_memory_limit;  ///< by which the process may grow in a query
  /// Where the lower end is one of the pair alone, an attack is asked for one of the mechanism.
  bool attack = false;
  bool digits_stated = true;  ///< false: an accountant that was chosen may have its usual width
  /// Hears what could be answered already each time that more is proven: for whoever may end the
  /// work at any time. Never called twice at once.
  std::function<void(const Answer&)> proven = {};
};

}  // namespace plaudit
