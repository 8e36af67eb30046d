#include "lib/balls/number_text.hpp"

#include <stdexcept>

namespace plaudit {

std::string dumped(const Ball& x) {
  char* text = arb_dump_str(x.raw());
  std::string result(text);
  flint_free(text);
  return result;
}

std::string dumped(const Rational& x) {
  return numerator(x).str().append("/").append(denominator(x).str());
}

Ball loaded_ball(const std::string& text) {
  Ball result;
  if (arb_load_str(result.raw(), text.c_str()) != 0) {
    throw std::invalid_argument("not a dumped ball");
  }
  return result;
}

Rational loaded_rational(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) throw std::invalid_argument("not a dumped rational");
  return {Integer(text.substr(0, slash).c_str()), Integer(text.substr(slash + 1).c_str())};
}

}  // namespace plaudit
