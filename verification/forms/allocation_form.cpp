// Random allocation to two or three steps: its likelihood ratio is a mean of lognormal variables,
// so that its curve is that of a call on their sum.
#include <algorithm>

#include "verification/forms/quadrature.hpp"
#include "verification/forms/quadrature_forms.hpp"

namespace plaudit {

namespace {

/// E (X - strike)_+ of X = e^(s Z - s^2 / 2), Z normal.
Float call(const Float& s, const Float& strike) {
  if (strike <= 0) return 1 - strike;
  const Float at = -log(strike) / s;
  return normal_up_to(at + s / 2) - strike * normal_up_to(at - s / 2);
}

/// E (X + .. + X' - strike)_+ of `draws` of them: an integral over the first one; `nested` by the
/// trapezoidal rule, whose error is what the same rule with half as many points is off by.
Estimated calls(const Float& s, std::uint64_t draws, const Float& strike, bool nested) {
  constexpr double near = 9;  // deviations; beyond are 10^-18
  if (draws == 1) return {call(s, strike), 0};
  const Float whole = sqrt(2 * boost::math::constants::pi<Float>());
  const auto inner = [&](const Float& z) {
    const Float rest = strike - exp(s * z - s * s / 2);
    const Float value = draws == 2 ? call(s, rest) : calls(s, draws - 1, rest, nested).value;
    return Float(exp(-z * z / 2) / whole * value);
  };
  if (strike <= 0) return {Float(draws) - strike, 0};
  const Float top = log(strike) / s + s / 2;  // where the first one alone reaches the strike
  if (!nested) {
    std::vector<Float> breaks = pieces(-reach, s + reach, stride);
    breaks.push_back(std::clamp(top, breaks.front(), breaks.back()));
    std::sort(breaks.begin(), breaks.end());
    return integral(inner, breaks, 1e-12);
  }
  Float sums[2] = {0, 0};
  const Float step = 0.2;
  int k = 0;
  for (Float z = -near; z < s + near; z += step, ++k) {
    check_work_limit();
    sums[k % 2] += inner(z);
  }
  return {step * (sums[0] + sums[1]), step * abs(sums[0] - sums[1]) + Float(1e-18)};
}

}  // namespace

std::optional<Directed> allocation_delta(const std::vector<pairs::Step>& steps,
                                         const Rational& epsilon) {
  if (steps.size() != 1 || steps[0].count != 1) return std::nullopt;
  const auto* law = std::get_if<pairs::Allocation>(steps[0].law.get());
  if (law == nullptr || law->steps > 3) return std::nullopt;
  return given_time([&]() -> std::optional<Directed> {
    const Float s = sqrt(pairs::number_of<Float>(law->square));
    const Float t = law->steps;
    const Float x = level_of(epsilon);
    const Float level = law->removed ? x : Float(1 / x);
    Estimated found = calls(s, law->steps, t * level, law->steps > 2);
    found = {found.value / t, found.error / t};
    // the other direction by what a call and a put differ by
    if (!law->removed) found = {1 - x + x * found.value, x * found.error};
    return around(found, law->steps == 2 ? 1e-11 : 1e-8);
  });
}

}  // namespace plaudit
