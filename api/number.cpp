// The public interface: exact numbers, and their conversions to those of the library.
#include <cmath>
#include <stdexcept>

#include "api/core.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit::inline v0 {

namespace {

/// The largest binary exponent of a Real that becomes a Number: its text has 900,000 digits.
constexpr mpfr_exp_t largest_exponent = 3'000'000;

std::string exact_text(const Real& value) {
  const mpfr_srcptr raw = value.backend().data();
  if (mpfr_number_p(raw) == 0) throw SpecError("a number must be finite, not nan or infinite");
  if (mpfr_zero_p(raw) != 0) return "0";
  if (std::abs(mpfr_get_exp(raw)) > largest_exponent) {
    throw SpecError("a number must be of moderate size: its exponent is beyond +-3000000 bits");
  }
  return to_string(exact_rational(exact_ball(value)));
}

}  // namespace

Number::Number(double value) {
  if (!std::isfinite(value)) throw SpecError("a number must be finite, not nan or infinite");
  text_ = to_string(exact_rational(Ball(value)));
}

Number::Number(const Real& value) : text_(exact_text(value)) {}

Rational exact(const Number& number, const char* what) {
  try {
    return parse_rational(number.text());
  } catch (const NumberError& error) {
    throw SpecError(std::string(what) + ' ' + abbreviated(number.text()) + ' ' + error.what());
  }
}

Real to_public(const core::MpfrFloat& value) {
  Real result;
  mpfr_set_prec(result.backend().data(), mpfr_get_prec(value.data()));
  mpfr_set(result.backend().data(), value.data(), MPFR_RNDN);
  return result;
}

Ball exact_ball(const Real& value) { return plaudit::exact_ball(value.backend().data()); }

Interval to_public(const core::Interval& interval) {
  return {to_public(interval.lower), to_public(interval.upper)};
}

}  // namespace plaudit::inline v0
