// B_Y(w) = int_Y^inf phi(y) f(y)^w dy: the part of the moment generating function of a Gaussian
// mixture pair that comes from the draws beyond y = Y; what CutIntegral leaves aside. For Re w = r
// >= 0 the mass of the integrand may lie far beyond Y, at y = r a for the greatest rate a; for r <
// 0 it lies next to Y.
// Proof: docs/proofs/rare_draws.md#quadrature, docs/proofs/largest_draw.md#quadrature
#pragma once

#include "mechanisms/mixtures/mixture_estimate.hpp"
#include "mechanisms/mixtures/mixture_half_line.hpp"

namespace plaudit {

class RareDrawIntegral final : public MixtureHalfLine {
 public:
  /// @param start Y > 0.
  RareDrawIntegral(const GaussianMixture& mixture, double start);

  double start() const { return edge(); }

  std::vector<Norm> norms(double e, const Ball& r, const Ball& s_max, double d) const override;
  Ball outside(const Ball& r, const Strip& strip) const override;
  double estimate_log_decay(double r, double s, double* best_eta = nullptr) const override;

 private:
  double log_norm(double e, double r, double s_max) const override;
  bool right_half(const Ball& angle) const;
  Ball outside_of_negative(const Ball& r, const Strip& strip) const;
  std::vector<Place> places(double r) const override;
  Window window(double r, double drop, int attempt) const override;
  double largest_exponent(const Strip& strip, double r, double s) const override;

  double peak(double r) const;
  Place place_at(double x) const;
  template <class Use>
  void walk(double r, double drop, Use&& use) const;
  static Ball log_top(const Ball& r, const LikelihoodRatio& f, const Ball& low, const Ball& high);
  Ball between(const Ball& r, const LikelihoodRatio& f, double from, double to, double d,
               const Ball& enough) const;

  MixtureEstimate estimate_;
};

}  // namespace plaudit
