#include "lib/exact/checked_integer.hpp"

#include <cmath>
#include <string>

namespace plaudit {

long checked_integer(double x, const char* what) {
  if (!(std::fabs(x) <= static_cast<double>(most_index))) {
    throw IntegerError(std::string(what) +
                       (std::isnan(x) ? " is no number" : " is too large for an integer"));
  }
  return static_cast<long>(x);
}

long clamped_integer(double x, long least, long most) {
  if (!(x > static_cast<double>(least))) return least;
  return x < static_cast<double>(most) ? static_cast<long>(x) : most;
}

Rational checked_rational(double x, const char* what) {
  if (std::isnan(x)) throw IntegerError(std::string(what) + " is no number");
  if (std::isinf(x)) throw IntegerError(std::string(what) + " is not finite");
  Rational result;
  mpq_set_d(result.data(), x);
  return result;
}

}  // namespace plaudit
