// Rigorous A(w) = int phi(y) f(y)^w dy for a Gaussian mixture pair, on the real axis and on
// vertical lines: the moment generating function of its privacy loss is A(1 + z) or A(-z).
//
// Method: trapezoid on a (shifted) line in y, error by the strip theorem; Theorems 2 and 3,
// Lemma 2 and (3.T) of docs/proofs/straight_contour.md#strip. Notation as in mixture_estimate.hpp:
// w = r + i s with s >= 0, y + i eta, rates a_i = c_i / sigma, f(y) = sum w_i e^{a_i y}.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/mixtures/likelihood_ratio.hpp"
#include "mechanisms/mixtures/mixture_bounds.hpp"
#include "mechanisms/mixtures/mixture_estimate.hpp"

namespace plaudit {

class MixtureIntegral {
 public:
  explicit MixtureIntegral(const GaussianMixture& mixture);

  /// A(r), good to about e^{-nats} relative to itself, at whatever working precision that takes.
  Ball on_axis(const Ball& r, double nats) const;
  /// A(r + i k step) for k < count, step > 0, each good to about e^{-nats} A(r).
  LineValues on_line(const Ball& r, const Ball& step, std::size_t count, double nats) const;
  /// A(w) for one w.
  ComplexBall at(const ComplexBall& w, double nats) const;
  /// Upper bound of |A(r + i s')| over all |s'| >= s, near-optimal over the shift; itself computed
  /// to about e^{-nats} A(r).
  Ball bound_beyond(const Ball& r, const Ball& s, double nats) const;

  /// Integration points on_line would use up to height s.
  double estimate_points(double r, double s, double nats) const;

  /// Upper bound of int |F(y + i eta)| dy, eta, s >= 0, F the integrand of A(r + i s), by the
  /// points of the grid at the working precision and a strip of half-width v, from one of A(r).
  Ball shifted(const Ball& r, const Ball& s, double eta, double v, const MixtureGrid& grid,
               const Ball& axis) const;

  /// At the working precision, and with few bits for choices. They must not outlive this.
  MixtureBounds bounds() const { return {ratio(), estimate_}; }
  MixtureBounds rough_bounds() const;

  const MixtureEstimate& estimates() const { return estimate_; }
  /// f with coefficients of at least the working precision; kept, since a mixture may be large.
  std::shared_ptr<const LikelihoodRatio> ratio() const;

 private:
  struct Ratios {
    std::mutex mutex;
    std::map<long, std::shared_ptr<const LikelihoodRatio>> known;  ///< by bits
  };

  GaussianMixture mixture_;
  MixtureEstimate estimate_;
  std::unique_ptr<Ratios> ratios_ = std::make_unique<Ratios>();
};

}  // namespace plaudit
