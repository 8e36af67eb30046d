// How large the tree of a JSON text will be, before it is built: a value takes up to a hundred
// times the memory of its text.
#pragma once

#include <cstddef>
#include <string_view>

namespace plaudit {

struct JsonSize {
  std::size_t values = 1;  ///< at most, lists and objects among them
  std::size_t depth = 0;   ///< of brackets
};

/// One pass over the characters; what is no JSON has a size too.
JsonSize json_size(std::string_view text);

}  // namespace plaudit
