// The two directions of a pair: (P, Q) and (Q, P).
#pragma once

#include <string_view>

namespace plaudit {

/// `remove`: P is the output law with the record, Q without it. `add`: the swapped pair.
enum class Direction { remove, add };

inline std::string_view name_of(Direction direction) {
  return direction == Direction::remove ? "remove" : "add";
}

}  // namespace plaudit
