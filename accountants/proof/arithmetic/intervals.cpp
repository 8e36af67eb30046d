#include "accountants/proof/arithmetic/intervals.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <optional>

#include "accountants/proof/arithmetic/narrow_intervals.hpp"
#include "accountants/proof/arithmetic/rejected.hpp"
#include "lib/constants.hpp"
#include "lib/mutant.hpp"
#include "lib/work/thread_caches.hpp"

namespace plaudit::proof {

namespace {

/// Applies an MPFI function to one argument.
template <class Function>
Interval applied(Function function, const Interval& x) {
  Interval result;
  function(result.data(), x.data());
  return result;
}

constexpr double least_of_fraction = 3;
constexpr long most_terms_of_fraction = 300;
constexpr long largest_angle = 64;         ///< |x| < 2^64: both checkers know no angles beyond
constexpr long greatest_exponential = 60;  ///< x < 2^60, where both take exponentials

bool beyond(mpfr_srcptr x, long power) {
  return mpfr_number_p(x) == 0 || (mpfr_zero_p(x) == 0 && mpfr_get_exp(x) > power);
}
/// Reducing an angle takes as many digits of pi as it has in front of the point.
bool too_far_to_turn(const Interval& x) {
  return beyond(x.low(), largest_angle) || beyond(x.high(), largest_angle);
}
void check_exponent(const Interval& x) {
  require((mpfr_nan_p(x.high()) == 0 && mpfr_sgn(x.high()) <= 0) ||
              !beyond(x.high(), greatest_exponential),
          "an exponential is out of range");
}

Interval within_one() {
  Interval result;
  mpfi_interv_si(result.data(), -1, 1);
  return result;
}

std::string shown(mpfr_srcptr x, const char* format) {
  if (mpfr_zero_p(x) != 0) return "0";
  char* text = nullptr;
  if (mpfr_asprintf(&text, format, x) < 0) throw Rejected("out of memory");
  std::string result(text);
  mpfr_free_str(text);
  return result;
}

}  // namespace

GreatExponents::GreatExponents() : least_(mpfr_get_emin()), greatest_(mpfr_get_emax()) {
  mpfr_set_emin(mpfr_get_emin_min());
  mpfr_set_emax(mpfr_get_emax_max());
}
GreatExponents::~GreatExponents() {
  mpfr_set_emin(least_);
  mpfr_set_emax(greatest_);
}

namespace {

/// Memory of this thread's numbers that ended, for its next ones: to ask for it anew takes about as
/// long as an operation.
struct Spare {
  mpfi_t numbers[64] = {};
  std::size_t count = 0;
  bool ended = false;  ///< with the thread
};
constinit thread_local Spare spare;

struct EndOfThread {
  EndOfThread() { release_caches_at_thread_end(); }  // those of MPFR, after these numbers
  ~EndOfThread() {
    spare.ended = true;
    while (spare.count > 0) mpfi_clear(spare.numbers[--spare.count]);
  }
};

/// Makes a number of the working precision, whose value is not set.
void make(mpfi_ptr number) {
  const auto bits = static_cast<mpfr_prec_t>(working_precision());
  if (spare.count == 0) {
    mpfi_init2(number, bits);
    return;
  }
  *number = *spare.numbers[--spare.count];
  if (mpfi_get_prec(number) != bits) mpfi_set_prec(number, bits);
}

void give_back(mpfi_ptr number) {
  if (spare.ended || spare.count == std::size(spare.numbers)) return mpfi_clear(number);
  thread_local const EndOfThread end;
  *spare.numbers[spare.count++] = *number;
}

}  // namespace

Interval::Interval(long n) {
  make(value_);
  mpfi_set_si(value_, n);
}
Interval::Interval(unsigned long n) {
  make(value_);
  mpfi_set_ui(value_, n);
}
Interval::Interval(const Integer& n) {
  make(value_);
  mpfi_set_z(value_, n.data());
}
Interval::Interval(const Rational& q) {
  make(value_);
  mpfi_set_q(value_, q.data());
}
Interval::Interval(const Interval& other) {
  make(value_);
  mpfi_set(value_, other.value_);
}
Interval::Interval(Interval&& other) noexcept {
  *value_ = *other.value_;
  other.value_->left._mpfr_d = nullptr;
}
Interval& Interval::operator=(const Interval& other) {
  if (this != &other) *this = Interval(other);
  return *this;
}
Interval& Interval::operator=(Interval&& other) noexcept {
  std::swap(*value_, *other.value_);
  return *this;
}
Interval::~Interval() {
  if (value_->left._mpfr_d != nullptr) give_back(value_);
}

Interval& Interval::operator+=(const Interval& other) {
  mpfi_add(value_, value_, other.value_);
  return *this;
}
Interval& Interval::operator-=(const Interval& other) {
  mpfi_sub(value_, value_, other.value_);
  return *this;
}
Interval& Interval::operator*=(const Interval& other) {
  mpfi_mul(value_, value_, other.value_);
  return *this;
}
Interval& Interval::operator/=(const Interval& other) {
  require(mpfi_is_strictly_pos(other.value_) > 0 || mpfi_is_strictly_neg(other.value_) > 0,
          "a division by what may be 0");
  mpfi_div(value_, value_, other.value_);
  return *this;
}

Interval operator-(const Interval& a) { return applied(mpfi_neg, a); }

bool positive(const Interval& x) { return mpfi_is_strictly_pos(x.data()) > 0; }
bool nonnegative(const Interval& x) { return mpfi_is_nonneg(x.data()) > 0; }
bool negative(const Interval& x) { return mpfi_is_strictly_neg(x.data()) > 0; }
bool at_most(const Interval& a, const Interval& b) {
  return mpfr_lessequal_p(a.high(), b.low()) != 0;
}
bool below(const Interval& a, const Interval& b) { return mpfr_less_p(a.high(), b.low()) != 0; }
bool exactly_at_most(const Interval& a, const Rational& b) {
  return mpfr_nan_p(a.high()) == 0 && mpfr_cmp_q(a.high(), b.data()) <= 0;
}
bool exactly_at_most(const Rational& a, const Interval& b) {
  return mpfr_nan_p(b.low()) == 0 && mpfr_cmp_q(b.low(), a.data()) >= 0;
}
bool bounded(const Interval& x) { return mpfi_bounded_p(x.data()) != 0; }
bool sorts_before(const Interval& a, const Interval& b) {
  return mpfr_less_p(a.low(), b.low()) != 0;
}

Interval top(const Interval& x) {
  Interval result;
  mpfi_set_fr(result.data(), x.high());
  return result;
}
Interval bottom(const Interval& x) {
  Interval result;
  mpfi_set_fr(result.data(), x.low());
  return result;
}

namespace {
Rational exact(mpfr_srcptr end) {
  require(mpfr_number_p(end) != 0, "an enclosure is not finite");
  Rational value;
  mpfr_get_q(value.data(), end);
  return value;
}
}  // namespace
Rational upper(const Interval& x) { return exact(x.high()); }
Rational lower(const Interval& x) { return exact(x.low()); }

Interval hull(const Interval& a, const Interval& b) {
  require(mpfi_nan_p(a.data()) == 0 && mpfi_nan_p(b.data()) == 0, "an enclosure is undefined");
  Interval result;
  mpfi_union(result.data(), a.data(), b.data());
  return result;
}
Interval abs(const Interval& x) { return applied(mpfi_abs, x); }
Interval spread(const Interval& x) {
  const Interval size = top(abs(x));
  return hull(-size, size);
}
Interval half_width(const Interval& x) {
  Interval result;
  mpfr_sub(&result.data()->right, x.high(), x.low(), MPFR_RNDU);
  mpfr_div_2ui(&result.data()->right, &result.data()->right, 1, MPFR_RNDU);
  mpfr_set(&result.data()->left, result.high(), MPFR_RNDD);
  return result;
}
Interval max(const Interval& a, const Interval& b) {
  if (at_most(a, b)) return b;
  if (at_most(b, a)) return a;
  // the end points of the hull, without the part that only the lesser one reaches
  Interval result = hull(a, b);
  const bool first = mpfr_greater_p(a.low(), b.low()) != 0;
  mpfr_set(&result.data()->left, first ? a.low() : b.low(), MPFR_RNDD);
  return result;
}
Interval min(const Interval& a, const Interval& b) { return -max(-a, -b); }

Interval pi() {
  Interval result;
  mpfi_const_pi(result.data());
  return result;
}
Interval exp(const Interval& x) {
  check_exponent(x);
  if (std::optional<Interval> found = narrow_exp(x)) return *std::move(found);
  return applied(mpfi_exp, x);
}
Interval expm1(const Interval& x) {
  check_exponent(x);
  if (std::optional<Interval> found = narrow_expm1(x)) return *std::move(found);
  return applied(mpfi_expm1, x);
}
Interval log(const Interval& x) {
  require(positive(x), "a logarithm of what may be 0");
  if (std::optional<Interval> found = narrow_log(x)) return *std::move(found);
  return applied(mpfi_log, x);
}
Interval log1p(const Interval& x) {
  require(below(Interval(-1), x), "a logarithm of what may be 0");
  return applied(mpfi_log1p, x);
}
Interval sqrt(const Interval& x) {
  require(nonnegative(x), "a root of what may be negative");
  return applied(mpfi_sqrt, x);
}
Interval cosh(const Interval& x) {
  check_exponent(abs(x));
  return applied(mpfi_cosh, x);
}
Interval sinh(const Interval& x) {
  check_exponent(abs(x));
  return applied(mpfi_sinh, x);
}
Interval cos(const Interval& x) { return too_far_to_turn(x) ? within_one() : applied(mpfi_cos, x); }
Interval sin(const Interval& x) { return too_far_to_turn(x) ? within_one() : applied(mpfi_sin, x); }
std::pair<Interval, Interval> cosine_and_sine(const Interval& x) {
  if (too_far_to_turn(x)) return {within_one(), within_one()};
  if (auto found = narrow_turn(x)) return *std::move(found);
  return {applied(mpfi_cos, x), applied(mpfi_sin, x)};
}
Interval square(const Interval& x) { return applied(mpfi_sqr, x); }
Interval power(const Interval& x, unsigned long exponent) {
  Interval result(1);
  Interval base = x;
  for (; exponent > 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result *= base;
    base = square(base);
  }
  return result;
}
Interval scaled(const Interval& x, long e) {
  Interval result;
  mpfi_mul_2si(result.data(), x.data(), e);
  return result;
}
Interval half(const Interval& x) { return scaled(x, -1); }

// Proof: docs/proofs/narrow_intervals.md#tail
Interval fraction_of_tail(const Interval& x, long n) {
  require(mpfr_sgn(x.low()) > 0 && n >= 0, "a tail's fraction at what may be 0 or less");
  Interval value = hull(x, PLAUDIT_BOUND("intervals.rest_of_fraction", x + (n + 1) / x, x));
  Interval next;
  for (long k = n; k > 0; --k) {
    mpfr_si_div(&next.data()->left, k, value.high(), MPFR_RNDD);
    mpfr_add(&next.data()->left, next.low(), x.low(), MPFR_RNDD);
    mpfr_si_div(&next.data()->right, k, value.low(), MPFR_RNDU);
    mpfr_add(&next.data()->right, next.high(), x.high(), MPFR_RNDU);
    std::swap(value, next);
  }
  return value;
}

namespace {

/// Phi(-x) for x beyond 3. Nothing where it takes too many terms of the fraction.
std::optional<Interval> tail_by_fraction(const Interval& x) {
  const double least = mpfr_get_d(x.low(), MPFR_RNDD);
  if (!(least > least_of_fraction)) return std::nullopt;
  // the k-th term divides the distance of the convergents by about (r + x)/(r - x), r^2 = x^2 + 4k
  double nats = log_two * static_cast<double>(working_precision());
  long n = 0;
  while (nats > 0) {
    const double root = std::sqrt(least * least + 4 * static_cast<double>(++n));
    nats -= std::log((root + least) * (root + least) / (4 * static_cast<double>(n)));
    if (n > most_terms_of_fraction) return std::nullopt;
  }
  return normal_density(x) / fraction_of_tail(x, n);
}

}  // namespace

Interval normal_tail(const Interval& x) {
  // MPFR's erfc takes a hundred times as long there
  if (std::optional<Interval> found = tail_by_fraction(x)) return *found;
  // erfc decreases: the upper end gives the lower one
  const Interval root = x / sqrt(Interval(2));
  require(mpfi_nan_p(root.data()) == 0, "an enclosure is undefined");
  if (const std::optional<Interval> found = narrow_erfc(root)) return half(*found);
  Interval result;
  mpfr_erfc(&result.data()->left, root.high(), MPFR_RNDD);
  mpfr_erfc(&result.data()->right, root.low(), MPFR_RNDU);
  return half(result);
}
Interval normal_density(const Interval& x) { return exp(-half(square(x))) / sqrt(scaled(pi(), 1)); }
Interval log_c(const Interval& w) { return w * log(w) - (1 + w) * log1p(w); }

std::string shown_down(const Interval& x) { return shown(x.low(), "%.15RDg"); }
std::string shown_up(const Interval& x) { return shown(x.high(), "%.15RUg"); }

}  // namespace plaudit::proof
