// Bounds of the size of the tree that a JSON text makes, before it is built: a value takes up to a
// hundred times the memory of its text.
#pragma once

#include <cstddef>
#include <string_view>

namespace plaudit {

struct JsonSize {
  std::size_t values = 1;  ///< no fewer than the values of the text, lists and objects included
  std::size_t depth = 0;   ///< greatest number of nested brackets
};

/// Counts brackets and commas outside of strings; whether the text is JSON is not checked.
JsonSize json_size(std::string_view text);

}  // namespace plaudit
