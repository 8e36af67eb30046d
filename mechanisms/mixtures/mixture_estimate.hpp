// A(w) = int phi(y) f(y)^w dy of a Gaussian mixture pair in floating point: log A and its cumulants
// at real w, and how fast |A| falls along vertical lines. Used for choices; enters no bound.
//
// All are sums by the trapezoidal rule. Notation: mixture_shape.hpp.
#pragma once

#include <optional>
#include <vector>

#include "mechanisms/mixtures/mixture_decay.hpp"
#include "mechanisms/mixtures/mixture_shape.hpp"
#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

class MixtureEstimate : public MixtureShape {
 public:
  explicit MixtureEstimate(const GaussianMixture& mixture);

  /// log A(r), mean and variance of log f under phi f^r / A(r).
  CumulantEstimate integral(double r) const;

  /// log A(r) and the cumulants of log f under phi f^r / A(r), to nearly all digits of a double;
  /// nothing where that takes too many points.
  std::optional<CumulantEstimates> cumulants(double r) const;

  /// min over eta of log(B_eta(s) / A(r)) (docs/proofs/straight_contour.md#truncation), and the eta
  /// that attains it.
  double log_decay(double r, double s, double* best_eta = nullptr) const;

 private:
  class ScaledSum;
  /// Of two components, beyond the table: around the modes alone.
  CumulantEstimate two_bumps(double r) const;
  /// From the points j step_ of the table, first <= j <= last: near_one() where |r log f| is small,
  /// with weights relative to the peak, by scaled(), elsewhere.
  CumulantEstimate tabulated_integral(double r, long first, long last) const;
  CumulantEstimate near_one(double r, long first, long last) const;
  CumulantEstimate scaled(double r, long first, long last) const;

  double step_;
  MixtureDecay decay_;
  // log f and phi d at the points j step_, first_ <= j <= last_
  long first_ = 0;
  long last_ = 0;
  std::vector<double> log_f_;
  std::vector<double> weight_;
};

}  // namespace plaudit
