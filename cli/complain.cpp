#include "cli/complain.hpp"

#include <iostream>

namespace plaudit::cli {

std::string printable(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool is_printable = static_cast<unsigned char>(c) >= ' ' && c != '\x7f';
    line += is_printable ? c : ' ';
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
