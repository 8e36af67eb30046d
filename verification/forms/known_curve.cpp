#include "verification/forms/known_curve.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

namespace plaudit {

namespace {

using pairs::number_of;

/// The output at which the ratio of densities, which rises, is x, within 1.5e-10 sigma. Bisection
/// in doubles finds a candidate; where the ratios 1e-10 sigma to either side of it are not on
/// either side of x (next to its least or greatest value the ratio is flat in doubles), Float looks
/// farther and farther around, and bisects.
Float crossing(const pairs::Line& line, const Float& x) {
  const Float level = log(x);
  const auto excess = [&](const auto& y) {  // log(p / q) - level, in the arithmetic of y
    using std::exp;
    using std::log;
    using T = std::decay_t<decltype(y)>;
    const auto number = [](const Rational& value) {
      if constexpr (std::is_same_v<T, double>) {
        return estimate(value);
      } else {
        return number_of<T>(value);
      }
    };
    const T sigma = number(line.sigma);
    const auto logarithm = [&](const pairs::Weights& weights) {
      std::vector<T> terms;
      for (const auto& [centre, weight] : weights) {
        const T c = number(centre);
        terms.push_back(T(log(number(weight)) + c * (y - c / 2) / (sigma * sigma)));
      }
      const T most = *std::max_element(terms.begin(), terms.end());
      T sum = 0;
      for (const T& term : terms) sum += exp(T(term - most));
      return T(most + log(sum));
    };
    return T(logarithm(line.p) - logarithm(line.q) - static_cast<T>(level));
  };
  const double sigma = estimate(line.sigma);
  const double widest = 1e6 * sigma;
  double low = -sigma;
  double high = sigma;
  while (low > -widest && excess(low) > 0) low *= 2;
  while (high < widest && excess(high) < 0) high *= 2;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (excess(middle) < 0 ? low : high) = middle;
  }
  Float reached = 1e-10 * sigma;
  Float below = low - reached;
  Float above = low + reached;
  for (; below > -widest && excess(below) > 0; reached *= 16) below -= reached;
  for (; above < widest && excess(above) < 0; reached *= 16) above += reached;
  while (above - below > 3e-10 * sigma) {
    const Float middle = (below + above) / 2;
    (excess(middle) < 0 ? below : above) = middle;
  }
  return (below + above) / 2;
}

}  // namespace

std::optional<Float> known_curve(const pairs::Law& law, const Float& x) {
  if (const auto* one = std::get_if<pairs::Gaussian>(&law)) {
    const Float mu = number_of<Float>(one->mean);
    const Float deviation = sqrt(2 * mu);
    const Float epsilon = log(x);
    return normal_up_to((mu - epsilon) / deviation) - x * normal_up_to((-mu - epsilon) / deviation);
  }
  if (const auto* one = std::get_if<pairs::Box>(&law)) {
    const Float top = exp(number_of<Float>(one->width));
    if (x >= top) return Float(0);
    if (x * top <= 1) return Float(1 - x);
    const Float apart = sqrt(top) - sqrt(x);
    return one->atoms ? Float(apart / sqrt(top)) : Float(apart * apart / (top - 1));
  }
  if (const auto* one = std::get_if<pairs::Line>(&law)) {
    const double near = estimate(one->sigma);
    const bool rises =
        one->p.begin()->first >= one->q.rbegin()->first;  // no centre of P below one of Q
    if (!rises || near < 1e-100 || near > 1e100) return std::nullopt;
    const Float root = crossing(*one, one->swapped ? Float(1 / x) : x);
    const Float sigma = number_of<Float>(one->sigma);
    const auto beyond = [&](const pairs::Weights& weights) {
      Float sum = 0;
      for (const auto& [centre, weight] : weights) {
        const Float distance = (number_of<Float>(centre) - root) / sigma;
        sum += number_of<Float>(weight) * normal_up_to(one->swapped ? Float(-distance) : distance);
      }
      return sum;
    };
    const Float p = beyond(one->p);
    const Float q = beyond(one->q);
    return std::max({one->swapped ? Float(q - x * p) : Float(p - x * q), Float(0), Float(1 - x)});
  }
  if (const auto* one = std::get_if<pairs::Sampled>(&law)) {
    const Float rate = number_of<Float>(one->rate);
    const Float part = one->removed ? Float(x - (1 - rate)) : Float(1 - (1 - rate) * x);
    if (part <= 0) return one->removed ? Float(1 - x) : Float(0);
    const auto inner = known_curve(*one->inner, one->removed ? part / rate : rate * x / part);
    if (inner) return (one->removed ? rate : part) * *inner;
  }
  return std::nullopt;
}

}  // namespace plaudit
