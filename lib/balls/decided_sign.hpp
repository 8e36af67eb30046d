// The sign of a number that is known only by its enclosures at rising precision.
#pragma once

#include <algorithm>
#include <optional>

#include "lib/balls/ball.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/rational.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

inline int exact_sign(const Rational& x) { return x < 0 ? -1 : x > 0 ? 1 : 0; }

/// About how many bits x takes: those of its numerator and its denominator.
long bit_size(const Rational& x);

/// The sign of the number that value() encloses, tried at 128, 512, ... up to `most_bits` bits
/// while each makes the radius 2^8 times smaller; nothing where no precision shows it.
template <class Value>
std::optional<int> decided_sign(long most_bits, Value&& value) {
  Ball former;
  for (long bits = 128;; bits = std::min(4 * bits, most_bits)) {
    check_work_limit();
    const PrecisionScope scope(bits);
    const Ball x = value();
    if (certainly_positive(x)) return 1;
    if (certainly_negative(x)) return -1;
    if (x.is_exact_zero()) return 0;
    const bool helps = bits == 128 || certainly_less(ldexp(x.radius(), 8), former);
    if (bits >= most_bits || !x.is_finite() || !helps) return std::nullopt;
    former = x.radius();
  }
}

/// A choice of `most_bits` for the sign of y - x: enough unless y was made to be near x.
inline long bits_against(const Rational& x) { return 1024 + 2 * bit_size(x); }

}  // namespace plaudit
