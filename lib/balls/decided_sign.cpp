#include "lib/balls/decided_sign.hpp"

namespace plaudit {

long bit_size(const Rational& x) {
  return x == 0 ? 1
                : static_cast<long>(msb(Integer(abs(numerator(x)))) + msb(Integer(denominator(x))));
}

Integer floor_of(const Rational& x) {
  const Integer above = numerator(x);
  const Integer below = denominator(x);
  const Integer quotient = above / below;  // towards 0
  return above < 0 && quotient * below != above ? Integer(quotient - 1) : quotient;
}

}  // namespace plaudit
