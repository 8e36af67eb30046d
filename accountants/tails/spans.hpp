// Enclosures of the tails of a composition: what two of them say together, how many digits they
// lack, and the choices of precision and step that go with so many digits.
#pragma once

#include "lib/balls/ball.hpp"
#include "mechanisms/composition.hpp"

namespace plaudit {

/// The exact number lies in [lower, upper], both exact balls.
struct Span {
  Ball lower;
  Ball upper;
};

/// What both say. Both contain the exact number. @throws std::logic_error where they are disjoint,
/// which is an error of ours.
void intersect(Span& span, const Span& other);

inline constexpr double bits_of_a_digit = 3.3219280948873624;
inline constexpr int most_digits = 20'000;  ///< of a value of delta or of a tail
inline constexpr long spare_bits = 64;      ///< beyond those of the wanted digits

/// The working precision for so many digits.
long bits_of_tail_digits(int digits);
/// Heuristic: significant digits that the span lacks of those wanted.
int missing_digits(const Span& span, int digits);
/// The greatest power of two up to e^log_size, within 2^-200000 and 2^60.
Rational step_of(double log_size);
/// Heuristic: mean and variance of the law, of a standard one where no moments are known.
CumulantEstimate estimate_law(const ComposedLoss& loss);

}  // namespace plaudit
