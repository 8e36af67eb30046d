// Privacy loss of a Gaussian mixture against its mirror image: P = sum_i p_i N(c_i, sigma^2),
// Q = sum_i p_i N(-c_i, sigma^2), c_i >= 0. In units of the noise L = log a(y) - log a(-y), with
// the increasing a(y) = sum_i p_i e^{a_i y - a_i^2 / 2}; the same law in both directions. M(z) =
// int phi a(y)^{1+z} a(-y)^{-z} dy by the trapezoid on a line. Proof: docs/proofs/mirrored.md#law
#pragma once

#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/mixtures/likelihood_ratio.hpp"
#include "mechanisms/mixtures/mixture_estimate.hpp"

namespace plaudit {

class MirroredLoss final : public PrivacyLoss {
 public:
  /// @param mixture at least two components, normalised, the least sensitivity 0.
  explicit MirroredLoss(GaussianMixture mixture);

  Ball log_mgf(const Ball& t) const override;
  ComplexBall log_mgf(const ComplexBall& z) const override;
  Ball p_above(const Ball& x) const override;
  Ball q_above(const Ball& x) const override;
  Ball p_atom(const Ball& x) const override;
  std::optional<Ball> density(const Ball& x) const override;
  Ball least_loss() const override;
  Ball greatest_loss() const override;
  LineValues mgf_on_line(const Ball& t, const Ball& step, std::size_t count,
                         double nats) const override;
  Ball mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const override;
  Ball mgf_upper(const Ball& t, double nats) const override;
  CumulantEstimate estimate_cumulant(double t) const override;
  double estimate_log_decay(double t, double s) const override;
  double estimate_line_points(double t, double s, double nats) const override;
  std::string describe() const override;

  /// The line y + i eta, the half-width of the strip, and the points j d, |j| <= last.
  struct Strip {
    double eta = 0;
    double v = 0;
    double d = 0;
    long last = 0;
  };
  /// Upper bound of int |F(y + i e)| dy over the real line, F the integrand of M(t + i s), for all
  /// 0 <= s <= s_max, from an upper bound of M(t).
  Ball norm(const LikelihoodRatio& a, double e, const Ball& t, const Ball& s_max,
            const Ball& axis) const;
  /// Upper bound of d sum |F(y_j + i eta)| over |j| > last.
  Ball outside(const LikelihoodRatio& a, const Ball& t, const Strip& strip) const;
  /// M(t + i k step) for k < count by the points of the strip (eta >= 0) at the working precision,
  /// from an upper bound of M(t).
  LineValues by_points(const Ball& t, const Ball& step, std::size_t count, const Strip& strip,
                       const Ball& axis) const;
  /// Upper bound of int |F(y + i eta)| dy for t + i s, s >= 0, likewise.
  Ball shifted(const Ball& t, const Ball& s, const Strip& strip, const Ball& axis) const;

 private:
  double estimate_log_decay(double t, double s, double& best_eta) const;
  double estimate_loss(double y, double* slope = nullptr) const;
  double log_norm(double e, double t) const;
  Strip choose(double t, double nats, bool on_axis) const;
  void choose_range(Strip& strip, const Ball& t, double nats, double log_axis) const;
  long bits_for(const Strip& strip, double t, double s, double nats) const;
  Ball mgf(const Ball& t, double nats) const;
  /// Encloses y with L(y) = x.
  std::optional<Ball> root(const Ball& x) const;
  /// sum_i p_i Phi(sign * a_i - y): the mass of (y, inf) under P (sign 1) or Q (sign -1).
  Ball mass_above(const Ball& y, int sign) const;
  std::optional<Ball> mass_beyond(const Ball& x, int sign) const;

  GaussianMixture mixture_;
  MixtureEstimate estimate_;
};

}  // namespace plaudit
