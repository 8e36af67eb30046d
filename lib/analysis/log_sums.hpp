// Logarithms of sums of numbers that may be beyond the range of doubles, for choices.
#pragma once

#include <algorithm>
#include <cmath>

namespace plaudit {

/// log(e^x - 1), x > 0.
inline double log_expm1(double x) { return x > 30 ? x : std::log(std::expm1(std::max(x, 1e-300))); }

/// log(1 + e^x).
inline double log1p_exp(double x) { return x > 700 ? x : std::log1p(std::exp(x)); }

/// log(e^x + e^y).
inline double estimate_log_sum(double x, double y) {
  const double high = std::max(x, y);
  return std::isfinite(high) ? high + std::log1p(std::exp(std::min(x, y) - high)) : high;
}

/// sum = log(e^sum + e^value).
inline void add_log(double& sum, double value) { sum = estimate_log_sum(sum, value); }

}  // namespace plaudit
