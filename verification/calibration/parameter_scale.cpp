#include "verification/calibration/parameter_scale.hpp"

#include <algorithm>
#include <cmath>

#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "mechanisms/language/arguments.hpp"
#include "mechanisms/spec_error.hpp"
#include "verification/calibration/decimals.hpp"

namespace plaudit {

namespace {

constexpr long smallest_exponent = -9;  ///< of the distance from an open end, where none is stated
constexpr long greatest_exponent = 9;   ///< of the greatest value of a range without an end
constexpr long exponent_beside_an_end = -30;  ///< values as near to the least one count as it
constexpr double log_beside_an_end = -30 * log_ten;  ///< log_value() of the least value itself
constexpr double most_log = 60;                      ///< of log_value: longer moves are cut off
constexpr double longest_halving = 14;     ///< of log_value: halvings go down by half of it at most
constexpr int halvings_of_any_range = 16;  ///< until its ends are within a factor of 2

Rational rational_of(double x) { return checked_rational(x, "a step of the calibration"); }

void check_end(const MonotoneParameter& parameter, const std::optional<Rational>& bound,
               const char* name) {
  if (!bound) return;
  const bool low = *bound < parameter.least.value ||
                   (*bound == parameter.least.value && !parameter.least.allowed);
  const auto& end = parameter.greatest;
  const bool high = end && (*bound > end->value || (*bound == end->value && !end->allowed));
  const bool whole = !parameter.integer || denominator(*bound) == 1;
  if (low || high || !whole) {
    throw SpecError(std::string(name) + ": must be a value that " + parameter.name +
                    " may have, not " + shown(*bound));
  }
}

}  // namespace

ParameterScale::ParameterScale(const MonotoneParameter& parameter,
                               const std::optional<Rational>& from,
                               const std::optional<Rational>& to, int digits)
    : whole_(parameter.integer),
      digits_(digits),
      base_(parameter.integer ? Rational(0) : parameter.least.value) {
  check_end(parameter, from, "from");
  check_end(parameter, to, "to");
  const Rational beside = power_of_ten(smallest_exponent);
  const auto& end = parameter.greatest;
  least_.value = parameter.least.allowed ? parameter.least.value : Rational(base_ + beside);
  greatest_.value = !end           ? Rational(base_ + power_of_ten(greatest_exponent))
                    : end->allowed ? end->value
                                   : Rational(end->value - beside);
  if (from) least_.value = *from;
  if (to) greatest_.value = *to;
  if (least_.value > greatest_.value) {
    throw SpecError("from: must be at most to, which is " + shown(greatest_.value));
  }
}

void ParameterScale::exclude(const Rational& x, const Rational& allowed) {
  (x > allowed ? greatest_ : least_) = {x, true};
}

bool ParameterScale::ends_at(const Rational& x, bool above) const {
  const ScaleEnd& end = above ? greatest_ : least_;
  if (above ? x >= end.value : x <= end.value) return true;
  return end.open && (above ? close(x, end.value) : close(end.value, x));
}

Rational ParameterScale::last_allowed(bool above, const Rational& known) const {
  const ScaleEnd& end = above ? greatest_ : least_;
  if (!end.open) return end.value;
  return whole_ ? Rational(end.value + (above ? -1 : 1)) : known;
}

bool ParameterScale::contains(const Rational& x) const {
  if (x < least_.value || (least_.open && x == least_.value)) return false;
  return x < greatest_.value || (!greatest_.open && x == greatest_.value);
}

Rational ParameterScale::within(const Rational& x) const {
  return std::clamp(x, least_.value, greatest_.value);
}

double ParameterScale::log_value(const Rational& x) const {
  return x > base_ ? estimate_log(x - base_) : log_beside_an_end;
}

Rational ParameterScale::value_at(double log_value) const {
  return base_ + rational_of(std::exp(log_value));
}

double ParameterScale::log_ratio(const Rational& a, const Rational& b) const {
  if (b == base_ || a == base_) return log_value(a) - log_value(b);
  const double relative = estimate((a - b) / (b - base_));
  return std::fabs(relative) < 0.5 ? std::log1p(relative) : log_value(a) - log_value(b);
}

Rational ParameterScale::moved(const Rational& x, double by) const {
  return x + (x - base_) * rational_of(std::expm1(std::clamp(by, -most_log, most_log)));
}

Rational ParameterScale::spacing(const Rational& x) const {
  if (whole_) return 1;
  const long size = x == 0 ? exponent_beside_an_end : decimal_exponent(abs(x));
  return power_of_ten(size - digits_);
}

double ParameterScale::cell(const Rational& x) const {
  return x > base_ ? estimate(spacing(x) / (x - base_)) : 1;
}

bool ParameterScale::close(const Rational& low, const Rational& high) const {
  if (whole_) return high - low <= 1;
  if (low == base_ && high - base_ < power_of_ten(exponent_beside_an_end)) return true;
  return high - low <= power_of_ten(-digits_) * abs(high);
}

Rational ParameterScale::shortened(const Rational& x, double error) const {
  if (whole_) return rounded_down(x + Rational(1, 2), 1);
  const Rational room = (x - base_) * rational_of(std::clamp(error, 1e-300, 0.1));
  if (room <= 0) return x;
  const Rational step = std::max(power_of_ten(decimal_exponent(room)), spacing(x));
  const Rational result = rounded_down(x + step / 2, step);
  return result > base_ ? result : x;
}

Rational ParameterScale::between(const Rational& low, const Rational& high) const {
  if (whole_ && high - low <= 2) return low + 1;
  Rational x = (low + high) / 2;
  if (high - base_ > 2 * (low - base_)) {
    const double bottom = std::max(log_value(low), log_value(high) - longest_halving);
    x = value_at((bottom + log_value(high)) / 2);
  }
  const Rational step = whole_ ? Rational(1) : power_of_ten(decimal_exponent(high - low) - 2);
  x = rounded_down(x, step);
  if (x > low && x < high) return x;
  return whole_ ? rounded_down((low + high) / 2, 1) : Rational((low + high) / 2);
}

int ParameterScale::most_halvings() const {
  constexpr double halvings_of_digit = 3.33;
  // Integers: those of their range, which has 40 binary digits at most.
  const double of_digits = whole_ ? 40 : halvings_of_digit * digits_;
  return halvings_of_any_range + static_cast<int>(clamped_integer(of_digits, 0, 1'000'000));
}

}  // namespace plaudit
