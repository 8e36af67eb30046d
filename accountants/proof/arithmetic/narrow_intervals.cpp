#include "accountants/proof/arithmetic/narrow_intervals.hpp"

#include <algorithm>

#include "lib/mutant.hpp"

namespace plaudit::proof {

namespace {

constexpr mpfr_prec_t bits_of_width = 32;  ///< of widths and of what bounds them

/// A number of MPFR.
class Number {
 public:
  explicit Number(mpfr_prec_t bits) { mpfr_init2(value_, bits); }
  ~Number() { mpfr_clear(value_); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  operator mpfr_ptr() { return value_; }
  operator mpfr_srcptr() const { return value_; }

 private:
  mpfr_t value_;
};

mpfr_ptr left(Interval& x) { return &x.data()->left; }
mpfr_ptr right(Interval& x) { return &x.data()->right; }

bool both_are_numbers(const Interval& x) {
  return mpfr_number_p(x.low()) != 0 && mpfr_number_p(x.high()) != 0;
}

/// Whether width < 2^-k, k = 3p/4 rounded down, p the working precision: wider intervals have ends
/// of their own, since bounds by the derivative are not the least ones.
bool narrow(mpfr_srcptr width) {
  if (mpfr_zero_p(width) != 0) return true;
  return mpfr_number_p(width) != 0 && mpfr_get_exp(width) <= -(3 * working_precision() / 4);
}

/// What a mutant takes in the place of a bound, which is overwritten.
[[maybe_unused]] mpfr_srcptr shrunk(mpfr_ptr bound) {
  mpfr_mul_d(bound, bound, 0.999, MPFR_RNDD);
  return bound;
}

/// From the lesser value, rounded down: the upper end, of a value greater by at most `rise`.
/// @param exact whether MPFR said that nothing was rounded
void reach(Interval& f, bool exact, mpfr_srcptr rise) {
  mpfr_set(right(f), f.low(), MPFR_RNDU);
  if (!exact) mpfr_nextabove(right(f));
  mpfr_add(right(f), f.high(), rise, MPFR_RNDU);
}

/// From a value of the middle, rounded to nearest: both ends, for |f'| <= 1, within [-1, 1].
void spread_by(Interval& f, bool exact, mpfr_srcptr radius) {
  mpfr_set(right(f), f.low(), MPFR_RNDU);
  if (!exact) {
    mpfr_nextbelow(left(f));
    mpfr_nextabove(right(f));
  }
  mpfr_sub(left(f), f.low(), radius, MPFR_RNDD);
  mpfr_add(right(f), f.high(), radius, MPFR_RNDU);
  if (mpfr_cmp_si(f.low(), -1) < 0) mpfr_set_si(left(f), -1, MPFR_RNDD);
  if (mpfr_cmp_si(f.high(), 1) > 0) mpfr_set_si(right(f), 1, MPFR_RNDU);
}

/// Sets `width` to that of x, rounded up. @return whether its ends are numbers and x is narrow.
bool measure(mpfr_ptr width, const Interval& x) {
  if (!both_are_numbers(x)) return false;
  mpfr_sub(width, x.high(), x.low(), MPFR_RNDU);
  return narrow(width);
}

/// e^x - less, by MPFR's function of that, less being 0 or 1: e^d - 1 <= d + d^2 for 0 <= d <= 1.
std::optional<Interval> exponential(const Interval& x, unsigned less,
                                    int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)) {
  Number rise(bits_of_width);
  if (!measure(rise, x)) return std::nullopt;
  mpfr_fma(rise, rise, rise, rise, MPFR_RNDU);
  Interval result;
  const bool exact = function(left(result), x.low(), MPFR_RNDD) == 0;
  Number most(mpfr_get_prec(result.low()));  // at least e^a
  mpfr_set(most, result.low(), MPFR_RNDU);
  mpfr_nextabove(most);
  mpfr_add_ui(most, most, less, MPFR_RNDU);
  // too great for MPFR, or too small
  if (mpfr_number_p(most) == 0 || (less == 0 && mpfr_zero_p(result.low()) != 0)) {
    return std::nullopt;
  }
  mpfr_mul(rise, rise, most, MPFR_RNDU);
  reach(result, exact, PLAUDIT_BOUND("narrow_intervals.exp", mpfr_srcptr(rise), shrunk(rise)));
  return result;
}

}  // namespace

std::optional<Interval> narrow_exp(const Interval& x) { return exponential(x, 0, mpfr_exp); }
std::optional<Interval> narrow_expm1(const Interval& x) { return exponential(x, 1, mpfr_expm1); }

// erfc a - erfc b <= (b - a) 2/sqrt(pi) e^(-c^2), c the point nearest to 0; 2/sqrt(pi) < 1.1284.
std::optional<Interval> narrow_erfc(const Interval& x) {
  Number rise(bits_of_width);
  if (!measure(rise, x)) return std::nullopt;
  mpfr_mul_d(rise, rise, 1.1284, MPFR_RNDU);
  if (mpfr_sgn(x.low()) * mpfr_sgn(x.high()) > 0) {
    Number density(bits_of_width);
    mpfr_sqr(density, mpfr_sgn(x.low()) > 0 ? x.low() : x.high(), MPFR_RNDD);
    mpfr_neg(density, density, MPFR_RNDU);
    mpfr_exp(density, density, MPFR_RNDU);
    mpfr_mul(rise, rise, density, MPFR_RNDU);
  }
  Interval result;
  const bool exact = mpfr_erfc(left(result), x.high(), MPFR_RNDD) == 0;
  reach(result, exact, PLAUDIT_BOUND("narrow_intervals.erfc", mpfr_srcptr(rise), shrunk(rise)));
  return result;
}

// log b - log a <= (b - a) / a.
std::optional<Interval> narrow_log(const Interval& x) {
  if (!both_are_numbers(x) || mpfr_sgn(x.low()) <= 0) return std::nullopt;
  Number rise(bits_of_width);
  mpfr_sub(rise, x.high(), x.low(), MPFR_RNDU);
  mpfr_div(rise, rise, x.low(), MPFR_RNDU);
  if (!narrow(rise)) return std::nullopt;
  Interval result;
  const bool exact = mpfr_log(left(result), x.low(), MPFR_RNDD) == 0;
  reach(result, exact, PLAUDIT_BOUND("narrow_intervals.log", mpfr_srcptr(rise), shrunk(rise)));
  return result;
}

// The derivative 1 / (1 + x^2) is greatest at the end nearest to 0.
std::optional<Interval> narrow_arctangent(const Interval& x) {
  if (!both_are_numbers(x) || mpfr_sgn(x.low()) * mpfr_sgn(x.high()) <= 0) return std::nullopt;
  const mpfr_srcptr nearest = mpfr_sgn(x.low()) > 0 ? x.low() : x.high();
  Number rise(bits_of_width);
  mpfr_sub(rise, x.high(), x.low(), MPFR_RNDU);
  Number relative(bits_of_width);
  mpfr_div(relative, rise, nearest, MPFR_RNDA);
  mpfr_abs(relative, relative, MPFR_RNDU);
  if (!narrow(relative)) return std::nullopt;
  Number one_and_square(bits_of_width);
  mpfr_sqr(one_and_square, nearest, MPFR_RNDD);
  mpfr_add_ui(one_and_square, one_and_square, 1, MPFR_RNDD);
  mpfr_div(rise, rise, one_and_square, MPFR_RNDU);
  Interval result;
  const bool exact = mpfr_atan(left(result), x.low(), MPFR_RNDD) == 0;
  reach(result, exact,
        PLAUDIT_BOUND("narrow_intervals.arctangent", mpfr_srcptr(rise), shrunk(rise)));
  return result;
}

std::optional<std::pair<Interval, Interval>> narrow_turn(const Interval& angle) {
  if (!both_are_numbers(angle)) return std::nullopt;
  Number middle(std::max(mpfr_get_prec(angle.low()), mpfr_get_prec(angle.high())) + 2);
  mpfr_add(middle, angle.low(), angle.high(), MPFR_RNDN);
  mpfr_div_2ui(middle, middle, 1, MPFR_RNDN);
  Number radius(bits_of_width);
  Number below(bits_of_width);
  mpfr_sub(radius, angle.high(), middle, MPFR_RNDU);
  mpfr_sub(below, middle, angle.low(), MPFR_RNDU);
  mpfr_max(radius, radius, below, MPFR_RNDU);
  if (!narrow(radius)) return std::nullopt;
  std::pair<Interval, Interval> result;
  auto& [cosine, sine] = result;
  const bool exact = mpfr_sin_cos(left(sine), left(cosine), middle, MPFR_RNDN) == 0;
  const mpfr_srcptr most =
      PLAUDIT_BOUND("narrow_intervals.turn", mpfr_srcptr(radius), shrunk(radius));
  spread_by(cosine, exact, most);
  spread_by(sine, exact, most);
  return result;
}

}  // namespace plaudit::proof
