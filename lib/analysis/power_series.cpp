#include "lib/analysis/power_series.hpp"

#if defined(PLAUDIT_FLINT3) && PLAUDIT_FLINT3
#include <flint/acb_poly.h>
#else
#include <acb_poly.h>
#endif

#include <bit>

#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

/// Up to this exponent powers are repeated products, whose radii grow too much beyond it.
constexpr std::uint64_t most_squared = 64;

/// Products of balls: a truncated product of series takes count^2 / 2 complex ones.
double products_of_series(std::size_t count) {
  return 2 * static_cast<double>(count) * static_cast<double>(count);
}

}  // namespace

ComplexBall large_power(const ComplexBall& z, std::uint64_t n) {
  if (n <= most_squared) return power(z, n);
  if (z.may_be_zero()) return disk(power(abs(z).upper(), n));
  // The principal logarithm has its cut on the left: there it is taken of -z.
  if (!certainly_negative(z.real())) return exp(ComplexBall(Ball(n)) * log(z));
  const ComplexBall size = exp(ComplexBall(Ball(n)) * log(-z));
  return n % 2 == 0 ? size : -size;
}

std::vector<ComplexBall> series_power(const std::vector<ComplexBall>& f, std::uint64_t n,
                                      std::size_t count) {
  std::vector<ComplexBall> result(count);
  if (count == 0 || f.empty()) return result;
  check_work_limit();
  const auto length = static_cast<slong>(count);
  const double each = products_of_series(count);
  std::vector<ComplexBall> relative = f;  // of exactly `count` coefficients, which Arb asks for
  relative.resize(count);
  if (n <= most_squared || f[0].may_be_zero()) {
    _acb_poly_pow_ui_trunc_binexp(
        result[0].raw(), relative[0].raw(), length, n, length,
        affordable_product(each * 1.5 * static_cast<double>(std::bit_width(n))));
    return result;
  }
  relative[0] = ComplexBall(1);
  for (std::size_t i = 1; i < relative.size(); ++i) relative[i] /= f[0];
  const ComplexBall exponent{Ball(n)};
  _acb_poly_pow_acb_series(result[0].raw(), relative[0].raw(), length, exponent.raw(), length,
                           affordable_product(3 * each));
  const ComplexBall front = large_power(f[0], n);
  for (ComplexBall& value : result) value *= front;
  return result;
}

std::vector<ComplexBall> series_fraction_power(const ComplexBall& a, const ComplexBall& d,
                                               const ComplexBall& c, std::uint64_t n,
                                               std::size_t count) {
  if (count == 0 || a.may_be_zero()) {
    std::vector<ComplexBall> f = series_quotient({ComplexBall(0), d}, c, count);
    if (count > 0) f[0] += a;
    return series_power(f, n, count);
  }
  const ComplexBall ratio = d / a;
  const ComplexBall rate = ComplexBall(Ball(n)) * ratio;
  const ComplexBall once = c + c + ratio;
  const ComplexBall twice = c * (c + ratio);
  std::vector<ComplexBall> result{large_power(a, n)};
  for (std::size_t i = 0; i + 1 < count; ++i) {
    ComplexBall next = (rate - ComplexBall(Ball(i)) * once) * result[i];
    if (i > 0) next -= ComplexBall(Ball(i - 1)) * twice * result[i - 1];
    next.divide_by(i + 1);
    result.push_back(std::move(next));
  }
  return result;
}

std::vector<ComplexBall> series_product(const std::vector<ComplexBall>& f,
                                        const std::vector<ComplexBall>& g, std::size_t count) {
  std::vector<ComplexBall> a = f;
  std::vector<ComplexBall> b = g;
  std::vector<ComplexBall> result(count);
  a.resize(count);
  b.resize(count);
  if (count == 0) return result;
  const auto length = static_cast<slong>(count);
  _acb_poly_mullow(result[0].raw(), a[0].raw(), length, b[0].raw(), length, length,
                   affordable_product(products_of_series(count)));
  return result;
}

std::vector<ComplexBall> series_quotient(const std::vector<ComplexBall>& f, const ComplexBall& a,
                                         std::size_t count) {
  std::vector<ComplexBall> result(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (i < f.size()) result[i] = f[i];
    if (i > 0) result[i] -= a * result[i - 1];
  }
  return result;
}

}  // namespace plaudit
