// The Berry-Esseen bound of a tilted composition, and the band of delta that follows from it.
//
// With L~ the composed loss under dP_t = e^{tL} dP / M(t), of mean K' and variance V, and
// Z ~ N(K', V): delta(eps) = e^{K - t eps} E g(L~ - eps), g(x) = e^{-tx} (1 - e^{-x})_+, and
//   |E g(L~ - eps) - E g(Z - eps)| <= TV(g) sup |F_{L~} - F_Z|,  TV(g) = 2 c(t), or 1 at t = 0.
// Constants of the Berry-Esseen inequality: docs/proofs/berry_esseen.md#constants.
#pragma once

#include <array>
#include <map>
#include <optional>

#include "accountants/saddle_point/tilted_moments.hpp"
#include "mechanisms/composition.hpp"

namespace plaudit {

/// A composition tilted at one order.
struct ComposedTilt {
  double t;
  long bits;     ///< working precision that keeps the errors of n steps small
  Ball log_mgf;  ///< K(t)
  std::array<Ball, TiltedMoments::orders + 1> cumulants;
  Ball distance;              ///< upper bound of sup |F_{L~} - F_Z|, at most 1; exact
  Ball third_absolute;        ///< upper bound of sum E|X_i|^3 over the steps that are not Gaussian
  Ball third_absolute_least;  ///< lower bound of the same

  const Ball& mean() const { return cumulants[1]; }
  const Ball& variance() const { return cumulants[2]; }
};

/// @throws std::domain_error where a factor's moments have no enclosure, or V is not certainly > 0.
ComposedTilt composed_tilt(const ComposedLoss& loss, double t);

/// Encloses e^{K - t eps} E g(Z - eps), the normal approximation of the finite part of delta.
Ball normal_delta(const ComposedTilt& tilt, const Ball& epsilon);

/// Upper bound of |delta - normal_delta| (finite part), t >= 0.
Ball normal_error(const ComposedTilt& tilt, const Ball& epsilon);

/// The error of mode=published: the one printed on the slides or what is proven, the larger one,
/// e^{K - t eps} max((t / (1 + t))^t, 2 C c(t)) T / V^{3/2}, T = third_absolute, C = 0.5606.
Ball published_error(const ComposedTilt& tilt, const Ball& epsilon);

/// The error bound in the forms that were printed, from the bounds of the third moments: balls that
/// hold e^{K - t eps} (t / (1 + t))^t T / V^{3/2} (slides), and 1.12 c(t) in place of the power
/// (paper), where T is between third_absolute_least and third_absolute. For information: what is
/// proven is published_error().
struct PrintedBounds {
  Ball slides;
  Ball paper;
};
PrintedBounds printed_bounds(const ComposedTilt& tilt, const Ball& epsilon);

/// Tilts that were computed already; an order without one gives nullptr.
class TiltTable {
 public:
  explicit TiltTable(const ComposedLoss& loss) : loss_(loss) {}
  const ComposedTilt* at(double t);

 private:
  const ComposedLoss& loss_;
  std::map<double, std::optional<ComposedTilt>> tilts_;
};

}  // namespace plaudit
