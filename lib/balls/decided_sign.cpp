#include "lib/balls/decided_sign.hpp"

namespace plaudit {

long bit_size(const Rational& x) {
  return x == 0 ? 1
                : static_cast<long>(msb(Integer(abs(numerator(x)))) + msb(Integer(denominator(x))));
}

}  // namespace plaudit
