#include "accountants/tails/spans.hpp"

#include <cmath>
#include <stdexcept>

#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"

namespace plaudit {

namespace {

/// x where it is a positive number of moderate size, else the other one.
double finite_or(double x, double other) {
  return std::isfinite(x) && x > 1e-200 && x < 1e200 ? x : other;
}

}  // namespace

long bits_of_tail_digits(int digits) {
  return precision_bits(digits * bits_of_a_digit) + spare_bits;
}

void intersect(Span& span, const Span& other) {
  if (certainly_less(other.upper, span.lower) || certainly_less(span.upper, other.lower)) {
    throw std::logic_error("tails: two certified bands are disjoint");
  }
  if (certainly_less(span.lower, other.lower)) span.lower = other.lower;
  if (certainly_less(other.upper, span.upper)) span.upper = other.upper;
}

int missing_digits(const Span& span, int digits) {
  const Ball width = (span.upper - span.lower).upper();
  if (!certainly_positive(width)) return 0;
  const double relative = (width.estimate_log() - span.upper.estimate_log()) / log_ten;
  return static_cast<int>(clamped_integer(std::ceil(relative + digits), 0, most_digits));
}

Rational step_of(double log_size) {
  const long exponent =
      clamped_integer(std::floor(log_size / log_ten * bits_of_a_digit), -200'000, 60);
  return exact_rational(ldexp(Ball(1), exponent));
}

CumulantEstimate estimate_law(const ComposedLoss& loss) {
  try {
    const CumulantEstimate law = loss.estimate_cumulant(0);
    if (std::isfinite(law.mean)) return {0, law.mean, finite_or(law.variance, 1)};
  } catch (const std::logic_error&) {  // a law that answers its tails only
  }
  return {0, 0, 1};
}

}  // namespace plaudit
