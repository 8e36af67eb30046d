#include "verification/forms/directed.hpp"

#include <gmp.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

thread_local long bits = 200;

std::string decimal(mpfr_srcptr x, int digits, mpfr_rnd_t rounding) {
  const char* format = rounding == MPFR_RNDD ? "%.*RDe" : "%.*RUe";
  char* text = nullptr;
  mpfr_asprintf(&text, format, digits - 1, x);
  std::string result(text);
  mpfr_free_str(text);
  return result;
}

Rational exact(mpfr_srcptr x) {
  if (mpfr_number_p(x) == 0) throw std::logic_error("not a number: no exact value");
  Rational result;
  mpfr_get_q(result.data(), x);
  return result;
}

}  // namespace

Directed::Directed() {
  mpfr_init2(lower_, bits);
  mpfr_init2(upper_, bits);
  mpfr_set_zero(lower_, 1);
  mpfr_set_zero(upper_, 1);
}
Directed::Directed(long n) : Directed() {
  mpfr_set_si(lower_, n, MPFR_RNDD);
  mpfr_set_si(upper_, n, MPFR_RNDU);
}
Directed::Directed(double x) : Directed() {
  mpfr_set_d(lower_, x, MPFR_RNDD);
  mpfr_set_d(upper_, x, MPFR_RNDU);
}
Directed::Directed(const Rational& q) : Directed() {
  mpfr_set_q(lower_, q.data(), MPFR_RNDD);
  mpfr_set_q(upper_, q.data(), MPFR_RNDU);
}
Directed::Directed(const Directed& other) {
  mpfr_init2(lower_, mpfr_get_prec(other.lower_));
  mpfr_init2(upper_, mpfr_get_prec(other.upper_));
  mpfr_set(lower_, other.lower_, MPFR_RNDD);
  mpfr_set(upper_, other.upper_, MPFR_RNDU);
}
Directed::Directed(Directed&& other) noexcept : Directed() {
  mpfr_swap(lower_, other.lower_);
  mpfr_swap(upper_, other.upper_);
}
Directed& Directed::operator=(const Directed& other) {
  if (this != &other) {
    Directed copy(other);
    *this = std::move(copy);
  }
  return *this;
}
Directed& Directed::operator=(Directed&& other) noexcept {
  mpfr_swap(lower_, other.lower_);
  mpfr_swap(upper_, other.upper_);
  return *this;
}
Directed::~Directed() {
  mpfr_clear(lower_);
  mpfr_clear(upper_);
}

void Directed::set_precision(long wanted) { bits = wanted; }
long Directed::precision() { return bits; }

Directed Directed::low_end() const {
  Directed result(*this);
  mpfr_set_prec(result.upper_, mpfr_get_prec(lower_));
  mpfr_set(result.upper_, lower_, MPFR_RNDU);
  return result;
}
Directed Directed::high_end() const {
  Directed result(*this);
  mpfr_set_prec(result.lower_, mpfr_get_prec(upper_));
  mpfr_set(result.lower_, upper_, MPFR_RNDD);
  return result;
}
bool Directed::is_finite() const {
  return mpfr_number_p(lower_) != 0 && mpfr_number_p(upper_) != 0;
}
std::string Directed::below(int digits) const { return decimal(lower_, digits, MPFR_RNDD); }
std::string Directed::above(int digits) const { return decimal(upper_, digits, MPFR_RNDU); }
Rational Directed::exact_lower() const { return exact(lower_); }
Rational Directed::exact_upper() const { return exact(upper_); }

Directed operator+(const Directed& a, const Directed& b) {
  Directed c;
  mpfr_add(c.lower_, a.lower_, b.lower_, MPFR_RNDD);
  mpfr_add(c.upper_, a.upper_, b.upper_, MPFR_RNDU);
  return c;
}
Directed operator-(const Directed& a, const Directed& b) {
  Directed c;
  mpfr_sub(c.lower_, a.lower_, b.upper_, MPFR_RNDD);
  mpfr_sub(c.upper_, a.upper_, b.lower_, MPFR_RNDU);
  return c;
}
Directed operator-(const Directed& a) {
  Directed c;
  mpfr_neg(c.lower_, a.upper_, MPFR_RNDD);
  mpfr_neg(c.upper_, a.lower_, MPFR_RNDU);
  return c;
}

namespace {

/// The least and the greatest of op over the four pairs of ends.
template <class Operation>
void over_ends(Operation op, const Directed& a, const Directed& b, mpfr_ptr lower, mpfr_ptr upper) {
  mpfr_t trial;
  mpfr_init2(trial, bits);
  bool first = true;
  for (mpfr_srcptr x : {a.lower(), a.upper()}) {
    for (mpfr_srcptr y : {b.lower(), b.upper()}) {
      op(trial, x, y, MPFR_RNDD);
      if (first || mpfr_less_p(trial, lower) || mpfr_nan_p(trial))
        mpfr_set(lower, trial, MPFR_RNDD);
      op(trial, x, y, MPFR_RNDU);
      if (first || mpfr_greater_p(trial, upper) || mpfr_nan_p(trial))
        mpfr_set(upper, trial, MPFR_RNDU);
      first = false;
    }
  }
  mpfr_clear(trial);
  if (mpfr_nan_p(lower)) mpfr_set_inf(lower, -1);
  if (mpfr_nan_p(upper)) mpfr_set_inf(upper, 1);
}

}  // namespace

Directed operator*(const Directed& a, const Directed& b) {
  Directed c;
  over_ends(mpfr_mul, a, b, c.lower_, c.upper_);
  return c;
}
Directed operator/(const Directed& a, const Directed& b) {
  Directed c;
  if (mpfr_sgn(b.lower_) <= 0 && mpfr_sgn(b.upper_) >= 0) {
    mpfr_set_inf(c.lower_, -1);
    mpfr_set_inf(c.upper_, 1);
    return c;
  }
  over_ends(mpfr_div, a, b, c.lower_, c.upper_);
  return c;
}
Directed exp(const Directed& x) {
  Directed y;
  mpfr_exp(y.lower_, x.lower_, MPFR_RNDD);
  mpfr_exp(y.upper_, x.upper_, MPFR_RNDU);
  return y;
}
Directed log(const Directed& x) {
  if (!x.certainly_positive()) throw std::domain_error("log of what may not be positive");
  Directed y;
  mpfr_log(y.lower_, x.lower_, MPFR_RNDD);
  mpfr_log(y.upper_, x.upper_, MPFR_RNDU);
  return y;
}
Directed sqrt(const Directed& x) {
  if (mpfr_sgn(x.lower_) < 0) throw std::domain_error("sqrt of what may be negative");
  Directed y;
  mpfr_sqrt(y.lower_, x.lower_, MPFR_RNDD);
  mpfr_sqrt(y.upper_, x.upper_, MPFR_RNDU);
  return y;
}
Directed erfc(const Directed& x) {
  Directed y;
  mpfr_erfc(y.lower_, x.upper_, MPFR_RNDD);
  mpfr_erfc(y.upper_, x.lower_, MPFR_RNDU);
  return y;
}
Directed max(const Directed& a, const Directed& b) {
  Directed c;
  mpfr_max(c.lower_, a.lower_, b.lower_, MPFR_RNDD);
  mpfr_max(c.upper_, a.upper_, b.upper_, MPFR_RNDU);
  return c;
}
Directed hull(const Directed& a, const Directed& b) {
  Directed c;
  mpfr_min(c.lower_, a.lower_, b.lower_, MPFR_RNDD);
  mpfr_max(c.upper_, a.upper_, b.upper_, MPFR_RNDU);
  return c;
}

Directed normal_below(const Directed& x) { return erfc(-x / sqrt(Directed(2))) / Directed(2); }

Directed power(const Directed& x, unsigned long n) {
  Directed result(1);
  Directed square = x;
  for (; n > 0; n /= 2) {
    if (n % 2 == 1) result = result * square;
    if (n > 1) square = square * square;
  }
  return result;
}

Directed choose(unsigned long n, unsigned long k) {
  Integer value;
  mpz_bin_uiui(value.data(), n, k);
  return Directed(Rational(value));
}

namespace {

bool is_narrow(const Directed& x) {
  const Directed width = x.high_end() - x.low_end();
  if (!x.is_finite()) return false;
  return mpfr_zero_p(width.upper()) != 0 || width.certainly_less(x.low_end() * Directed(1e-15));
}

}  // namespace

std::optional<Directed> refined(const std::function<std::optional<Directed>()>& value) {
  const long former = Directed::precision();
  std::optional<Directed> result;
  try {
    for (long tried = 200; tried <= 3200; tried *= 4) {  // e^eps Phi cancels where delta is tiny
      Directed::set_precision(tried);
      const std::optional<Directed> next = value();
      if (next && next->is_finite()) result = next;
      if (!next || is_narrow(*next)) break;
    }
  } catch (const WorkLimitReached&) {  // what is known by fewer bits stays
  } catch (...) {
    Directed::set_precision(former);
    throw;
  }
  Directed::set_precision(former);
  return result;
}

}  // namespace plaudit
