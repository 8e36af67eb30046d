// Integrals int e^{(r + i s) l + g} in floating point, by a table of points on the real line: for
// choices.
#pragma once

#include <cmath>
#include <complex>
#include <functional>
#include <span>
#include <vector>

#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

/// A point x with l and g there, g with the log of the distance of the points.
struct Place {
  double x, l, g;
};

/// log(1 - q + q e^l); e^l may be beyond doubles.
template <class Number>
Number log_ratio(const Number& l, double q) {
  constexpr double linear_from = 700;
  if (std::real(l) > linear_from) return l + std::log(q);
  return std::log(1.0 + q * (std::exp(l) - 1.0));
}

/// The greatest r l + g.
double log_peak(std::span<const Place> places, double r);

/// Log of the integral for s = 0, mean and variance of l under its integrand.
CumulantEstimate tabulated_cumulant(std::span<const Place> places, double r);

/// e^{log_base} (e^{(1+t) l} + e^{-t l} - e^l - 1), which keeps its digits near t = 0 and -1.
double moment_excess(double t, double l, double log_base);

/// l and Re g at x + i eta.
struct TurnedPlace {
  std::complex<double> l;
  double g;
};

/// The least log, over lines x + i eta with 0 <= eta < greatest_height, of the integral of moduli,
/// relative to the integral for s = 0; 0 and eta = 0 where no line above the real one is better.
double tabulated_log_decay(std::span<const Place> places, double r, double s,
                           double greatest_height,
                           const std::function<TurnedPlace(const Place&, double eta)>& turned,
                           double* best_eta);

}  // namespace plaudit
