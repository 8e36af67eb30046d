// A(w) = int phi(y) f(y)^w dy for a Gaussian mixture pair, on the real axis and on vertical lines:
// the moment generating function of its privacy loss is A(1 + z) or A(-z).
//
// Theorems 2 and 3, Lemma 2 and (3.T) of docs/proofs/straight_contour.md#strip. Notation as in
// mixture_shape.hpp: rates a_i = c_i / sigma, f(y) = sum w_i e^{a_i y}.
#pragma once

#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/mixtures/kept_ratios.hpp"
#include "mechanisms/mixtures/mixture_estimate.hpp"
#include "mechanisms/strip/strip_integral.hpp"

namespace plaudit {

class MixtureIntegral final : public StripIntegral {
 public:
  explicit MixtureIntegral(const GaussianMixture& mixture);

  const MixtureEstimate& estimates() const { return estimate_; }
  /// f with coefficients of at least the working precision.
  std::shared_ptr<const LikelihoodRatio> ratio() const { return ratios_.get(); }

  CumulantEstimate estimate(double r) const override { return estimate_.integral(r); }
  double estimate_log_decay(double r, double s, double* best_eta = nullptr) const override {
    return estimate_.log_decay(r, s, best_eta);
  }

  /// Up to three: Lemma 2 (ii), (iii) on the whole line; Lemma 2' where right_half(); and, where
  /// split_point() has a point, (iv), (v) left of it with the mass beyond it as the base.
  std::vector<Norm> norms(double e, const Ball& r, const Ball& s_max, double d) const override;
  Ball outside(const Ball& r, const Strip& strip) const override;
  bool turns_steadily(double height) const override { return ratio()->turns_steadily(height); }

 private:
  void axis_points(const Strip& strip, const Sink<Ball>& sink) const override;
  void line_points(const Strip& strip, const Sink<ComplexBall>& sink) const override;
  std::optional<FixedTerms> fixed_points(const Strip& strip, const Ball& r, const Ball& step,
                                         long bits) const override;
  std::optional<Ball> fixed_sum(const Strip& strip, const Ball& r, const Ball& s) const override;
  std::optional<Ball> known(const Ball& r) const override;
  double greatest_height() const override;
  double log_norm(double e, double r, double s_max) const override;
  Window window(double r, double drop, int attempt) const override;
  double largest_exponent(const Strip& strip, double r, double s) const override;
  /// Heuristic: the point Y of the split norm (2) of Theorem 3, beyond which the crude bound of
  /// Lemma 2 adds little; 0 where that bound is good enough everywhere. Any Y is valid.
  double split_point(double e, double r, double s_max) const;

  /// r < 0, a component at rate 0, and all others turned by less than pi/2 at this height.
  bool right_half(const Ball& r, const Ball& height) const;

  MixtureEstimate estimate_;
  KeptRatios ratios_;
  double least_log_ = 0;  ///< log p_0, below all log f, where a component has rate 0
  double mean_log_ = 0;   ///< mean of log f under phi
};

}  // namespace plaudit
