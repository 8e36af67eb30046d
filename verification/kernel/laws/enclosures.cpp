#include "verification/kernel/laws/enclosures.hpp"

#include <algorithm>

namespace plaudit::kernel {

Integer up(long k, const Integer& x) {
  Integer result;
  mpz_cdiv_q_2exp(result.data(), x.data(), static_cast<mp_bitcnt_t>(k));
  return result;
}

Integer down(long k, const Integer& x) {
  Integer result;
  mpz_fdiv_q_2exp(result.data(), x.data(), static_cast<mp_bitcnt_t>(k));
  return result;
}

Integer quotient_below(const Integer& a, const Integer& b) {
  Integer result;
  mpz_fdiv_q(result.data(), a.data(), b.data());
  return result;
}

Integer quotient_above(const Integer& a, const Integer& b) {
  Integer result;
  mpz_cdiv_q(result.data(), a.data(), b.data());
  return result;
}

Bounds enclosed(long T, const Ball& x) {
  const Ball y = ldexp(x, T);
  const Integer low = floor_of(exact_rational(y.lower()));
  return {low > 2 ? low - 1 : Integer(0), floor_of(exact_rational(y.upper())) + 2};
}

Bounds product_of(long T, const Bounds& a, const Bounds& b) {
  return {down(T, a.low * b.low), up(T, a.high * b.high)};
}

std::vector<Bounds> geometric(long T, std::size_t n, Bounds v, const Bounds& step) {
  std::vector<Bounds> result;
  for (std::size_t i = 0; i < n; ++i) {
    result.push_back(v);
    v = product_of(T, v, step);
  }
  return result;
}

namespace {

double log_of_quotient(const Integer& a, const Integer& b) {
  return estimate_log(Rational(a)) - estimate_log(Rational(b));
}

}  // namespace

void set_losses(Slice& slice) {
  slice.loss_at_left = log_of_quotient(slice.den_hi, slice.num_hi);
  slice.loss_at_right = log_of_quotient(slice.den_lo, slice.num_lo);
}

std::vector<Slice> swapped_slices(const std::vector<Slice>& slices) {
  std::vector<Slice> result;
  for (auto each = slices.rbegin(); each != slices.rend(); ++each) {
    Slice slice{each->low_q,
                each->high_q,
                each->low_p,
                each->high_p,
                each->den_lo,
                each->num_lo,
                each->den_hi,
                each->num_hi,
                0,
                0};
    set_losses(slice);
    result.push_back(std::move(slice));
  }
  return result;
}

std::string coq_bounds(const Bounds& bounds) {
  return "(" + bounds.low.str() + ", " + bounds.high.str() + ")%Z";
}

std::string coq_integer(const Integer& x) { return x < 0 ? "(" + x.str() + ")" : x.str(); }

std::string coq_natural(long n) { return "(Z.to_nat " + std::to_string(n) + ")"; }

std::string coq_rational(const Rational& x) {
  if (denominator(x) == 1) return coq_integer(numerator(x));
  return "(" + numerator(x).str() + " / " + denominator(x).str() + ")";
}

std::optional<Rational> exact_root(const Rational& x) {
  const auto root = [](const Integer& y) {
    Integer result;
    mpz_sqrt(result.data(), y.data());
    return result;
  };
  const Integer top = root(numerator(x));
  const Integer bottom = root(denominator(x));
  if (top * top != numerator(x) || bottom * bottom != denominator(x)) return std::nullopt;
  return Rational(top, bottom);
}

std::string coq_root(const Rational& x) {
  const std::optional<Rational> root = exact_root(x);
  return root ? coq_rational(*root) : "(sqrt " + coq_rational(x) + ")";
}

}  // namespace plaudit::kernel
