// Cumulants of one step's privacy loss under the tilted law dP_t = e^{tL} dP / M(t) (L finite).
//
// The moments about a centre m are k! c_k with sum_k c_k w^k = e^{-wm} M(t+w) / M(t): Taylor
// coefficients from the values on a circle, with the aliasing bounded by M at two real points.
// The third absolute central moment is enclosed by the others, and by the ends of the support.
//
// Proof: docs/proofs/berry_esseen.md#circle, docs/proofs/berry_esseen.md#third-moment
// Cost: one M(z) for every 10 bits (a node is worth 5, and half of them are conjugates of others);
// nothing for a Gaussian loss.
#pragma once

#include <array>

#include "lib/balls/error_term.hpp"
#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

extern const ErrorTerm tilted_moments_aliasing;

struct TiltedMoments {
  static constexpr std::size_t orders = 6;

  Ball log_mgf;                            ///< log M(t)
  std::array<Ball, orders + 1> cumulants;  ///< [k] = K^(k)(t), k >= 1; [0] is unused
  Ball third_absolute_lower;               ///< E|X|^3 of the centred tilted loss is between these
  Ball third_absolute_upper;

  const Ball& mean() const { return cumulants[1]; }
  const Ball& variance() const { return cumulants[2]; }
};

/// @param t an exact real number inside the interval where M is finite.
/// @param bits wanted: the k-th cumulant up to 2^-bits (standard deviation)^k, about.
/// @throws std::domain_error where M has no enclosure around t, or L no spread to resolve.
TiltedMoments tilted_moments(const PrivacyLoss& loss, double t, long bits);

}  // namespace plaudit
