#include "mechanisms/spec_error.hpp"

namespace plaudit {

std::string abbreviated(std::string_view text, std::size_t most) {
  std::string shown = "'";
  for (const char c : text.substr(0, most)) {
    const bool printable = c >= ' ' && c <= '~';
    shown += printable ? c : '?';
  }
  if (text.size() > most) shown += "...";
  return shown + "'";
}

}  // namespace plaudit
