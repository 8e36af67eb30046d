// A_Y(w) = int_{-inf}^Y phi(y) f(y)^w dy: the moment generating function of a Gaussian mixture pair
// whose draws beyond y = Y are set aside.
//
// For small deltas the orders t that suit the bulk of the privacy loss may exceed those up to which
// M(t) reflects it: beyond, a single huge and unlikely draw makes M(t). Without these draws M(t) is
// that of the bulk; their mass is counted as mass at infinity (docs/proofs/cut.md#cut). Re w < 0 is
// served only where a component has rate 0.
// Proof: docs/proofs/cut.md#quadrature, docs/proofs/cut.md#truncation
#pragma once

#include "mechanisms/mixtures/mixture_half_line.hpp"

namespace plaudit {

class CutIntegral final : public MixtureHalfLine {
 public:
  /// @param cut Y > 0, rounded to a short number.
  CutIntegral(const GaussianMixture& mixture, double cut);

  double cut() const { return edge(); }

  CumulantEstimate estimate(double r) const override;
  /// About the points of a line, whatever its order: the costs of contours are fitted to these.
  double rough_points(double nats) const;
  Ball outside(const Ball& r, const Strip& strip) const override;

 private:
  std::vector<Place> places(double) const override { return places_; }
  Window window(double r, double drop, int attempt) const override;
  double largest_exponent(const Strip& strip, double r, double s) const override;

  /// Upper bound of d sum phi f^r |y'| over the points before the first one that is kept.
  Ball next_to_cut(const Ball& r, const Strip& strip) const;

  std::vector<Place> places_;
  std::vector<double> weights_;  ///< e^g of the places
};

}  // namespace plaudit
