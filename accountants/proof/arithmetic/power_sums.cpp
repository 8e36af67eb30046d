#include "accountants/proof/arithmetic/power_sums.hpp"

#include <algorithm>
#include <bit>

#include "accountants/proof/arithmetic/rejected.hpp"

namespace plaudit::proof {

namespace {

/// A whole number and its distance at most from any member of x 2^scale.
struct Fixed {
  Integer middle;
  Integer error;
};

Fixed fixed(const Interval& x, long scale) {
  require(bounded(x), "an enclosure is not finite");
  const Interval moved = scaled(x, scale);
  Integer low;
  Integer high;
  mpfr_get_z(low.data(), moved.low(), MPFR_RNDD);
  mpfr_get_z(high.data(), moved.high(), MPFR_RNDU);
  Integer middle;
  const Integer sum = low + high;
  mpz_fdiv_q_2exp(middle.data(), sum.data(), 1);
  return {middle, high - middle};
}

/// An exponent e with |x| < 2^e for all of x.
long exponent(const Interval& x) {
  const Interval size = abs(x);
  require(bounded(size), "an enclosure is not finite");
  return mpfr_zero_p(size.high()) != 0 ? mpfr_get_emin() : mpfr_get_exp(size.high());
}

Interval from_fixed(const Integer& value, long scale) { return scaled(Interval(value), -scale); }

/// (a + ib) (c + id) 2^-scale, each part rounded down.
class Turn {
 public:
  Turn(Integer c, Integer d, long scale)
      : c_(std::move(c)), d_(std::move(d)), scale_(static_cast<mp_bitcnt_t>(scale)) {}

  void apply(Integer& a, Integer& b) {
    mpz_mul(real_.data(), a.data(), c_.data());
    mpz_submul(real_.data(), b.data(), d_.data());
    mpz_mul(imaginary_.data(), a.data(), d_.data());
    mpz_addmul(imaginary_.data(), b.data(), c_.data());
    mpz_fdiv_q_2exp(a.data(), real_.data(), scale_);
    mpz_fdiv_q_2exp(b.data(), imaginary_.data(), scale_);
  }

 private:
  Integer c_;
  Integer d_;
  mp_bitcnt_t scale_;
  Integer real_;
  Integer imaginary_;
};

}  // namespace

std::vector<Complex> power_sums(const std::vector<Complex>& weights,
                                const std::vector<Complex>& bases, std::size_t count,
                                Budget& budget) {
  budget.spend(static_cast<double>(weights.size()) * (20 + static_cast<double>(count)));
  return short_power_sums(weights, bases, count, working_precision(), budget);
}

std::vector<Complex> short_power_sums(const std::vector<Complex>& weights,
                                      const std::vector<Complex>& bases, std::size_t count,
                                      long bits, Budget& budget) {
  const auto terms = weights.size();
  require(terms == bases.size() && count >= 1, "a sum of powers");
  long size = mpfr_get_emin();
  for (const Complex& w : weights) size = std::max({size, exponent(w.re), exponent(w.im)});
  if (terms == 0 || size == mpfr_get_emin()) return std::vector<Complex>(count);
  const long guard =
      12 + static_cast<long>(std::bit_width(terms)) + 2 * static_cast<long>(std::bit_width(count));
  const long turn = bits + guard;
  const long unit = turn - size;

  std::vector<Integer> real(count);
  std::vector<Integer> imaginary(count);
  Integer error = 0;
  Integer total = 0;
  Integer coarsest = 0;
  for (std::size_t j = 0; j < terms; ++j) {
    if ((j & 15) == 0) budget.spend(0);
    Fixed a = fixed(weights[j].re, unit);
    Fixed b = fixed(weights[j].im, unit);
    const Interval excess = square(bases[j].re) + square(bases[j].im) - 1;
    require(at_most(excess * static_cast<long>(count), 1), "a base of powers is too inexact");
    const Fixed c = fixed(bases[j].re, turn);
    const Fixed d = fixed(bases[j].im, turn);
    error += a.error + b.error;
    total += abs(a.middle) + abs(b.middle) + a.error + b.error;
    coarsest = std::max(coarsest, Integer(c.error + d.error));
    Turn base(c.middle, d.middle, turn);
    for (std::size_t k = 0; k < count; ++k) {
      real[k] += a.middle;
      imaginary[k] += b.middle;
      base.apply(a.middle, b.middle);
    }
  }
  std::vector<Complex> result;
  result.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    const Interval wide = spread(from_fixed(error, unit));
    result.push_back({from_fixed(real[k], unit) + wide, from_fixed(imaginary[k], unit) + wide});
    Integer more = (total + error) * coarsest;
    mpz_cdiv_q_2exp(more.data(), more.data(), static_cast<mp_bitcnt_t>(turn));
    error += more + 2 * static_cast<unsigned long>(terms);
  }
  return result;
}

}  // namespace plaudit::proof
