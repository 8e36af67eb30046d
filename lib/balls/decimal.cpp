#include "lib/balls/decimal.hpp"

#include <mpfr.h>

#include <algorithm>
#include <cmath>

#include "lib/balls/interval.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

namespace {

std::string format(const std::string& digits, long leading_exponent, bool negative) {
  // value = 0.d1d2d3... * 10^leading_exponent
  std::string significant = digits;
  const std::size_t last = significant.find_last_not_of('0');
  significant.resize(last == std::string::npos ? 1 : last + 1);
  const long count = static_cast<long>(significant.size());
  std::string text;
  if (leading_exponent > -4 && leading_exponent <= 21) {
    if (leading_exponent <= 0) {
      text = "0." + std::string(static_cast<std::size_t>(-leading_exponent), '0') + significant;
    } else if (count <= leading_exponent) {
      text = significant + std::string(static_cast<std::size_t>(leading_exponent - count), '0');
    } else {
      text = significant.substr(0, static_cast<std::size_t>(leading_exponent)) + "." +
             significant.substr(static_cast<std::size_t>(leading_exponent));
    }
  } else {
    text = significant.substr(0, 1);
    if (count > 1) text += "." + significant.substr(1);
    text += "e" + std::to_string(leading_exponent - 1);
  }
  return negative ? "-" + text : text;
}

std::string directed(const Ball& x, int digits, mpfr_rnd_t rounding) {
  const Interval ends = enclose(x);
  const MpfrFloat& end = rounding == PLAUDIT_BOUND("decimal.lower_end", MPFR_RNDD, MPFR_RNDF)
                             ? ends.lower
                             : ends.upper;
  mpfr_srcptr value = end.data();
  if (mpfr_nan_p(value) != 0) return "nan";
  if (mpfr_inf_p(value) != 0) return mpfr_signbit(value) != 0 ? "-inf" : "inf";
  if (mpfr_zero_p(value) != 0) return "0";
  mpfr_exp_t exponent = 0;
  char* text = mpfr_get_str(nullptr, &exponent, 10, static_cast<std::size_t>(std::max(2, digits)),
                            value, PLAUDIT_BOUND("decimal.outward", rounding, MPFR_RNDN));
  std::string shown(text);
  mpfr_free_str(text);
  const bool negative = shown[0] == '-';
  return format(negative ? shown.substr(1) : shown, static_cast<long>(exponent), negative);
}

/// The same for a rational, by integers: x = 0.d1d2d3... * 10^leading.
std::string directed(const Rational& x, int digits, bool up) {
  if (x == 0) return "0";
  const bool negative = x < 0;
  const Rational size = abs(x);
  const int count = std::max(2, digits);
  const auto ten = [](long exponent) -> Integer {
    return pow(Integer(10), static_cast<unsigned>(exponent));
  };
  const auto scaled = [&](long exponent) -> Rational {  // x * 10^exponent
    return exponent >= 0 ? Rational(size * ten(exponent)) : Rational(size / ten(-exponent));
  };
  long leading =
      checked_integer(std::floor(estimate_log(size) / std::log(10.0)), "a number of digits") + 1;
  if (scaled(-leading) >= 1) ++leading;
  if (scaled(1 - leading) < 1) --leading;
  const Rational wanted = scaled(count - leading);
  Integer whole = numerator(wanted) / denominator(wanted);
  if (PLAUDIT_BOUND("decimal.rational_up", up != negative && whole != wanted, false)) ++whole;
  std::string text = whole.str();
  if (text.size() > static_cast<std::size_t>(count)) ++leading;  // 999 became 1000
  return format(text, leading, negative);
}

}  // namespace

std::string decimal_below(const Rational& x, int digits) { return directed(x, digits, false); }
std::string decimal_above(const Rational& x, int digits) { return directed(x, digits, true); }
std::string decimal_below(const Ball& x, int digits) { return directed(x, digits, MPFR_RNDD); }
std::string decimal_above(const Ball& x, int digits) { return directed(x, digits, MPFR_RNDU); }

}  // namespace plaudit
