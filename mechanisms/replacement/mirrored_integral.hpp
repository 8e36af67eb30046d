// M(z) = int phi(y) a(y)^{1+z} a(-y)^{-z} dy for the increasing a(y) = sum_i p_i e^{a_i y -
// a_i^2/2} of a Gaussian mixture: the moment generating function of its privacy loss against its
// mirror image. Proof: docs/proofs/mirrored.md#quadrature, docs/proofs/mirrored.md#truncation
#pragma once

#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/mixtures/kept_ratios.hpp"
#include "mechanisms/mixtures/mixture_estimate.hpp"
#include "mechanisms/strip/strip_estimate.hpp"
#include "mechanisms/strip/strip_integral.hpp"

namespace plaudit {

class MirroredIntegral final : public StripIntegral {
 public:
  /// @param mixture at least two components, normalised, the least sensitivity 0.
  explicit MirroredIntegral(const GaussianMixture& mixture);

  const MixtureEstimate& estimates() const { return estimate_; }
  /// a with coefficients of at least the working precision.
  std::shared_ptr<const LikelihoodRatio> ratio() const { return ratios_.get(); }

  CumulantEstimate estimate(double t) const override;
  double estimate_log_decay(double t, double s, double* best_eta = nullptr) const override;
  std::vector<Norm> norms(double e, const Ball& t, const Ball& s_max, double d) const override;
  /// Infinite unless the points lie symmetrically.
  Ball outside(const Ball& t, const Strip& strip) const override;

 private:
  void axis_points(const Strip& strip, const Sink<Ball>& sink) const override;
  void line_points(const Strip& strip, const Sink<ComplexBall>& sink) const override;
  std::optional<Ball> known(const Ball& t) const override;
  double greatest_height() const override;
  double log_norm(double e, double t, double s_max) const override;
  Window window(double t, double drop, int attempt) const override;
  double largest_exponent(const Strip& strip, double t, double s) const override;
  std::vector<Place> places(double t) const;

  MixtureEstimate estimate_;
  KeptRatios ratios_;
  std::vector<double> rates_;
  std::vector<double> log_weights_;
  double table_step_;
};

}  // namespace plaudit
