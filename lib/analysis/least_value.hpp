// The least value of a function of one variable, in floating point: Brent's method, by Boost.Math.
#pragma once

#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <cstdint>

namespace plaudit {

struct LeastValue {
  double at;
  double value;
};

/// The least value found on [low, high] in at most `steps` steps: near the minimum of a function
/// that falls and then rises, else any local one. Values that are not finite count as 1e60, because
/// Brent's parabolas need numbers. A heuristic.
template <class Function>
LeastValue least_value(double low, double high, int steps, Function&& g) {
  constexpr double instead_of_infinity = 1e60;
  constexpr int bits = 26;  // half of a double's: a minimum is flat
  auto most = static_cast<std::uintmax_t>(steps);
  const auto finite = [&](double x) {
    const double value = g(x);
    return std::isfinite(value) ? value : instead_of_infinity;
  };
  const auto [at, value] = boost::math::tools::brent_find_minima(finite, low, high, bits, most);
  return {at, value};
}

}  // namespace plaudit
