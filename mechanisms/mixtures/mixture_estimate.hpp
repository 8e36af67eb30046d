// Floating-point picture of a Gaussian mixture pair: steers every choice, enters no bound.
//
// Notation (docs/proofs/straight_contour.md#strip): y in units of the noise, rates a_i = c_i /
// sigma, f(y) = sum_i p_i exp(a_i y - a_i^2 / 2), A(w) = int phi(y) f(y)^w dy.
#pragma once

#include <memory>
#include <vector>

#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

class MixtureEstimate {
 public:
  enum class Table { none, whole };
  /// @param table none where no integral is asked for: log_f() alone.
  explicit MixtureEstimate(const GaussianMixture& mixture, Table table = Table::whole);

  double greatest_rate() const { return rates_.back(); }
  double least_rate() const { return rates_.front(); }

  double log_f(double y) const;
  /// log f and its derivative, the mean rate under the weights at y.
  double log_f(double y, double& mean_rate) const;

  /// Where phi f^r is within e^-drop of its maximum (the hull of its bumps).
  struct Window {
    double low;
    double high;
    double log_peak;  ///< max of r log f - y^2 / 2
  };
  Window window(double r, double drop) const;

  /// The maximum of phi f^r to which a start leads, to about 0.05 and a part of itself.
  double mode_from(double start, double r, double relative = 1e-3) const;

  /// log A(r), mean and variance of log f under phi f^r / A(r).
  CumulantEstimate integral(double r) const;

  /// log A(r) and the cumulants of log f under phi f^r / A(r), to nearly all digits of a double;
  /// nothing where that takes too many points.
  std::optional<CumulantEstimates> cumulants(double r) const;

  /// min over eta of log(B_eta(s) / A(r)) (docs/proofs/straight_contour.md#truncation), and the eta
  /// that attains it.
  double log_decay(double r, double s, double* best_eta = nullptr) const;

 private:
  /// The same from points where phi f^r is within e^-drop of its maximum.
  double log_decay(double r, double s, double drop, double* best_eta) const;
  Window wide_window(double r, double drop) const;
  class ScaledSum;
  /// Of two components, beyond the table: around the modes alone.
  CumulantEstimate two_bumps(double r) const;
  struct DecaySum;
  DecaySum decay_sum(double r, double drop) const;
  /// The same, made once for all heights that are asked about one after the other.
  std::shared_ptr<const DecaySum> kept_decay_sum(double r, double drop) const;
  /// From the points j step_ of the table, first <= j <= last.
  CumulantEstimate tabulated_integral(double r, long first, long last) const;
  CumulantEstimate near_one(double r, long first, long last) const;
  CumulantEstimate scaled(double r, long first, long last) const;
  void make_envelope();

  std::vector<double> rates_;
  std::vector<double> log_weights_;  ///< log p_i - a_i^2 / 2
  // of two components
  double rest_probability_ = 0;
  double rate_probability_ = 0;
  double log_rate_probability_ = 0;
  std::vector<double> envelope_;  ///< least concave function of the rate above log_weights_
  double step_;
  // log f and phi d at the points j step_, first_ <= j <= last_
  long first_ = 0;
  long last_ = 0;
  std::vector<double> log_f_;
  std::vector<double> weight_;

  struct Kept;
  std::shared_ptr<Kept> kept_;
};

}  // namespace plaudit
