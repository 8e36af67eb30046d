#include "cli/output/complain.hpp"

#include <iostream>

namespace plaudit::cli {

std::string printable(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool control = static_cast<unsigned char>(c) < ' ' || c == '\x7f';
    const bool ascii = static_cast<unsigned char>(c) < 0x80;
    line += control ? ' ' : ascii ? c : '?';
  }
  return line;
}

void complain(const std::string& message, std::size_t longest) {
  std::string line = "plaudit: " + printable(message.substr(0, longest));
  if (message.size() > longest) line += "...";
  line.resize(line.find_last_not_of(' ') + 1);
  std::cerr << line << std::endl;
}

}  // namespace plaudit::cli
