#include "accountants/sweep/sampled_density.hpp"

#include <cmath>

#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

// Bits beyond the working precision: what the recurrence loses with each derivative, besides
// log2 of e^(x_1 - log c), and spare ones.
constexpr double bits_of_order = 2;
constexpr double bits_of_density = 32;

/// d_i, i < count, where f = e^x, f - c = rest: the coefficients of y^i in
/// front * e^(x-y) (e^(x-y) - c)^(-3/2), times i!. With s = e^(x-y) - c, the power H = s^(-3/2) has
/// s H' = -(3/2) s' H.
std::vector<Ball> signed_derivatives(const Ball& front, const Ball& f, const Ball& rest,
                                     std::size_t count) {
  std::vector<Ball> s(count + 1);            // the coefficients of s
  std::vector<Ball> exponential(count + 1);  // of e^(x-y)
  exponential[0] = f;
  s[0] = rest;
  for (std::size_t i = 1; i <= count; ++i) {
    exponential[i] = -exponential[i - 1];
    exponential[i].divide_by(i);
    s[i] = exponential[i];
  }
  std::vector<Ball> h(count);
  std::vector<Ball> result(count);
  Ball factorial_of_i(1);
  for (std::size_t m = 0; m < count; ++m) {
    if ((m & 15) == 0) check_work_limit();
    if (m == 0) {
      h[0] = Ball(1) / (rest * sqrt(rest));
    } else {
      Ball sum;
      for (std::size_t i = 1; i <= m; ++i) {
        // (m - i) + (3/2) i, a multiple of 1/2
        sum += ldexp(Ball(static_cast<std::uint64_t>(2 * m + i)), -1) * s[i] * h[m - i];
      }
      h[m] = -sum / (Ball(static_cast<std::uint64_t>(m)) * rest);
      factorial_of_i *= Ball(static_cast<std::uint64_t>(m));
    }
    Ball value;
    for (std::size_t i = 0; i <= m; ++i) value += exponential[i] * h[m - i];
    result[m] = front * factorial_of_i * value;
  }
  return result;
}

}  // namespace

std::optional<SampledLaplacePower> sampled_laplace_power(const ComposedLoss& composition) {
  std::optional<SampledLaplacePower> power;
  for (const ComposedLoss::Term& term : composition.terms()) {
    const auto& law = term.loss->facts().sampled_laplace;
    if (!law) return std::nullopt;
    if (!power) power = SampledLaplacePower{*law, 0};
    if (law->ratio != power->law.ratio || law->rate != power->law.rate ||
        law->direction != power->law.direction) {
      return std::nullopt;
    }
    power->steps += term.count;
  }
  return power;
}

// Proof: docs/proofs/laplace.md#sampled (step 1)
SampledDensity sampled_density(const SampledLaplaceLaw& law, std::size_t derivatives) {
  const double a_estimate = estimate(law.ratio);
  const double room = std::log1p(estimate(law.rate) * std::expm1(a_estimate)) -
                      std::log1p(-estimate(law.rate));  // x_1 - log c
  const double lost = static_cast<double>(derivatives) * (room / log_two + bits_of_order);
  const PrecisionScope scope(working_precision() + precision_bits(lost + bits_of_density));
  const Ball a(law.ratio);
  const Ball rate(law.rate);
  const Ball high = rate * expm1(a);
  const Ball low = rate * expm1(-a);
  SampledDensity result;
  result.top = log1p(high);
  result.bottom = log1p(low);
  result.width = result.top - result.bottom;
  result.top_mass = ldexp(exp(-a), -1);
  result.bottom_mass = Ball(0.5);
  const Ball front = ldexp(exp(ldexp(-a, -1)) * sqrt(rate), -2);
  result.at_top = signed_derivatives(front, Ball(1) + high, rate * exp(a), derivatives);
  result.at_bottom = signed_derivatives(front, Ball(1) + low, rate * exp(-a), derivatives);
  return result;
}

}  // namespace plaudit
