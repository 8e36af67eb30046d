// How fast the moment generating function of a Gaussian mixture pair falls along a vertical line,
// in floating point: min over eta of log(B_eta(s) / A(r))
// (docs/proofs/straight_contour.md#truncation). Steers choices, enters no bound.
#pragma once

#include <memory>

#include "mechanisms/mixtures/mixture_shape.hpp"

namespace plaudit {

class MixtureDecay {
 public:
  /// @param step of the sums, unless that takes too many points.
  explicit MixtureDecay(double step);

  /// The minimum; 0 and eta = 0 where no shift is better. @param best_eta gets the eta that attains
  /// it. @param shape the same in every call: a sum over its points is kept, and shared by copies.
  double log_decay(const MixtureShape& shape, double r, double s, double* best_eta) const;

 private:
  struct Sum;
  /// The last sum, made once for all heights that are asked about one after the other.
  struct Kept;

  /// The minimum from points where phi f^r is within e^-drop of its maximum.
  double log_decay(const MixtureShape& shape, double r, double s, double drop,
                   double* best_eta) const;
  Sum sum_of(const MixtureShape& shape, double r, double drop) const;
  std::shared_ptr<const Sum> kept_sum(const MixtureShape& shape, double r, double drop) const;

  double step_;
  std::shared_ptr<Kept> kept_;
};

}  // namespace plaudit
