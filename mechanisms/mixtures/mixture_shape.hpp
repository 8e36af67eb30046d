// log f of a Gaussian mixture pair and where phi f^r has its mass (its modes and their windows), in
// floating point. Used for choices; enters no bound.
//
// Notation (docs/proofs/straight_contour.md#strip): y in units of the noise, rates a_i = c_i /
// sigma, f(y) = sum_i p_i exp(a_i y - a_i^2 / 2).
#pragma once

#include <cmath>
#include <vector>

#include "mechanisms/mixtures/gaussian_mixture.hpp"

namespace plaudit {

class MixtureShape {
 public:
  explicit MixtureShape(const GaussianMixture& mixture);

  /// Components of f that are e^-40 of the greatest one change no digit of a double: left out.
  static constexpr double nats_of_double = 40;
  static constexpr double out_of_reach = 1e15;  ///< |y| beyond which doubles are too sparse to sum

  double greatest_rate() const { return rates_.back(); }
  double least_rate() const { return rates_.front(); }
  const std::vector<double>& rates() const { return rates_; }
  /// log p_i - a_i^2 / 2.
  const std::vector<double>& log_weights() const { return log_weights_; }

  double log_f(double y) const {
    double unused = 0;
    return log_f(y, unused);
  }
  /// log f and its derivative, the mean rate under the weights at y.
  double log_f(double y, double& mean_rate) const;

  /// Where phi f^r is within e^-drop of its maximum (the hull of its bumps).
  struct Window {
    double low;
    double high;
    double log_peak;  ///< max of r log f - y^2 / 2

    bool within_reach() const {
      return std::fabs(low) < out_of_reach && std::fabs(high) < out_of_reach;
    }
  };
  Window window(double r, double drop) const;
  /// A window that contains it and is hardly wider, from the modes and the slope of log f alone.
  Window wide_window(double r, double drop) const;

  /// A maximum of phi f^r by the iteration y <- r (log f)'(y), damped for r < 0, from `start` until
  /// a step is at most 0.05 + relative |y|.
  double mode_from(double start, double r, double relative = 1e-3) const;

 private:
  void make_envelope();

  std::vector<double> rates_;
  std::vector<double> log_weights_;
  // Of two components: log f is computed from f - 1, which keeps its digits near f = 1.
  double rest_probability_ = 0;
  double rate_probability_ = 0;
  double log_rate_probability_ = 0;
  std::vector<double> envelope_;  ///< least concave function of the rate above log_weights_
};

}  // namespace plaudit
