// Golden section search: the least value of a function of one variable, in floating point.
#pragma once

namespace plaudit {

struct LeastValue {
  double at;
  double value;
};

/// The least value found on [low, high] by `steps` sections; near the minimum where there is but
/// one. A heuristic, as all searches in floating point are.
template <class Function>
LeastValue golden_section(double low, double high, int steps, Function&& g) {
  constexpr double ratio = 0.61803398874989484820;
  double x1 = high - ratio * (high - low);
  double x2 = low + ratio * (high - low);
  double g1 = g(x1);
  double g2 = g(x2);
  for (int i = 0; i < steps; ++i) {
    if (g1 < g2) {
      high = x2;
      x2 = x1;
      g2 = g1;
      g1 = g(x1 = high - ratio * (high - low));
    } else {
      low = x1;
      x1 = x2;
      g1 = g2;
      g2 = g(x2 = low + ratio * (high - low));
    }
  }
  return g1 < g2 ? LeastValue{x1, g1} : LeastValue{x2, g2};
}

}  // namespace plaudit
