// int phi(y) chi(y) f(y)^w dy over the real line for a Gaussian mixture pair, Re w >= 0, with the
// logistic weight chi(y) = 1 / (1 + e^(-b (y - Y))) of draws that count as rare, or with 1 - chi.
//
// Where huge draws and the others overlap, a sharp edge between them makes transforms that fall
// slowly; a smooth one does not. Proof: docs/proofs/rare_draws.md#soft
#pragma once

#include <complex>
#include <span>

#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/mixtures/kept_ratios.hpp"
#include "mechanisms/mixtures/mixture_estimate.hpp"
#include "mechanisms/strip/strip_estimate.hpp"
#include "mechanisms/strip/strip_integral.hpp"

namespace plaudit {

/// Where rare draws begin, Y > 0, and how steep the weight rises there, b > 0; without b all draws
/// beyond Y count, and no others.
struct RareEdge {
  double start = 0;
  double steepness = 0;
  bool soft() const { return steepness > 0; }
};

class SoftIntegral final : public StripIntegral {
 public:
  enum class Side { frequent, rare };
  /// @throws std::domain_error unless edge.start > 0 and edge.steepness > 0.
  SoftIntegral(const GaussianMixture& mixture, const RareEdge& edge, Side side);

  CumulantEstimate estimate(double r) const override;
  double estimate_log_decay(double r, double s, double* best_eta = nullptr) const override;
  std::vector<Norm> norms(double e, const Ball& r, const Ball& s_max, double d) const override;
  Ball outside(const Ball& r, const Strip& strip) const override;
  bool turns_steadily(double height) const override {
    return ratios_.get()->turns_steadily(height);
  }
  /// chi, or 1 - chi, at a real point.
  Ball weight(const Ball& y) const;

 private:
  void axis_points(const Strip& strip, const Sink<Ball>& sink) const override;
  void line_points(const Strip& strip, const Sink<ComplexBall>& sink) const override;
  std::optional<Ball> known(const Ball& r) const override;
  double greatest_height() const override;
  double log_norm(double e, double r, double s_max) const override;
  Window window(double r, double drop, int attempt) const override;
  double largest_exponent(const Strip& strip, double r, double s) const override;

  /// At least so far beyond the modes; kept, and made longer where that does not suffice.
  std::span<const Place> places(double r, double reach) const;
  double log_weight(double y) const;
  TurnedPlace turned(const Place& place, double eta) const;

  double sign_;  ///< of the slope of log(1 / weight - 1)
  RareEdge edge_;
  MixtureEstimate estimate_;
  KeptRatios ratios_;
  std::vector<double> rates_;
  std::vector<double> log_weights_;  ///< of the components of f at 0
  mutable std::vector<Place> table_;
  mutable long first_place_ = 0;
  mutable long last_place_ = 0;
};

}  // namespace plaudit
