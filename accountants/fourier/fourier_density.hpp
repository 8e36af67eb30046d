// The Fourier accountant's modes density and published (Koskela, Jälkö, Honkela, AISTATS 2020).
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "accountants/accountant.hpp"

namespace plaudit {

/// Why the density mode does not apply, if so: to other laws than those of Gaussian mixtures.
std::optional<std::string> density_refusal(const ComposedLoss& loss);

/// Points of one line at most.
inline constexpr double most_points_of_density = 16777216;

/// The straight contour with values of M from Riemann sums of the tilted density; mesh and window
/// are chosen for the goal. The error falls faster than any power of the mesh where the law is
/// smooth. Proof: docs/proofs/fourier.md#riemann
std::unique_ptr<PrivacyCurve> density_curve(const ComposedLoss& loss, const Goal& goal,
                                            double points = most_points_of_density);

/// The algorithm as published: n points on [-L, L], no tilt.
struct PublishedFourier {
  Rational length;           ///< L
  std::uint64_t points = 0;  ///< n
  /// tau: Newton's iteration ends where delta is met up to this; 1e-6 of delta where not given.
  std::optional<Rational> tolerance = {};
};

/// The published number, in the words of the method, within a band: for Gaussian mechanisms and
/// their mixtures one that bounds each of its errors, for other laws that of a grid.
std::unique_ptr<PrivacyCurve> published_fourier_curve(const ComposedLoss& loss,
                                                      const PublishedFourier& settings,
                                                      const Goal& goal = Goal{6, false});

}  // namespace plaudit
