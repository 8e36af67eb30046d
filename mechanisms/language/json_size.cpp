#include "mechanisms/language/json_size.hpp"

#include <algorithm>

namespace plaudit {

JsonSize json_size(std::string_view text) {
  JsonSize size;
  std::size_t depth = 0;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted) {
      if (c == '\\') ++at;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      ++size.values;
      size.depth = std::max(size.depth, ++depth);
    } else if (c == ']' || c == '}') {
      depth -= depth > 0 ? 1 : 0;
    } else if (c == ',') {
      ++size.values;
    }
  }
  return size;
}

}  // namespace plaudit
