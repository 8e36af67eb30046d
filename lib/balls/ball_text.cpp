#include "lib/balls/ball_text.hpp"

#include <stdexcept>

namespace plaudit {

std::string dumped(const Ball& x) {
  char* text = arb_dump_str(x.raw());
  std::string result(text);
  flint_free(text);
  return result;
}

Ball loaded_ball(const std::string& text) {
  Ball result;
  if (arb_load_str(result.raw(), text.c_str()) != 0) {
    throw std::invalid_argument("not a dumped ball");
  }
  return result;
}

}  // namespace plaudit
