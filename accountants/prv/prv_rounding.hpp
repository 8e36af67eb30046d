// The loss of one mechanism, truncated to a window and rounded to a lattice with its mean kept
// (Gopi, Lee, Wutschitz, Algorithm 2), and what is known for certain about the rounding error.
//
// Y is L given L < inf, Y^W is Y given the window W, Y~ = round(Y^W) + mu the rounded loss, and X =
// Y^W - Y~ the rounding error: independent between steps, |X + mu| <= h / 2, |E X| <= drift, Var X
// <= variance (docs/proofs/prv.md#moments, #variance).
#pragma once

#include <limits>
#include <memory>

#include "mechanisms/composition.hpp"
#include "mechanisms/laws/lattice_law.hpp"

namespace plaudit {

/// Upper bounds for a window of one loss.
struct WindowTails {
  Ball mass;    ///< P(Y outside)
  Ball moment;  ///< E[|Y|; Y outside]
};
/// For the window [-below, above], below > 0 and above > 0.
WindowTails tails_outside(const PrivacyLoss& loss, const Ball& below, const Ball& above);

/// Encloses M'(0) = E[L; L < inf].
/// @throws std::domain_error where M(1) or M(-1) has no finite bound.
Ball finite_mean(const PrivacyLoss& loss);

/// Upper bound of E[(Y - round Y)^2], round to the nearest multiple of h.
Ball rounding_variance(const PrivacyLoss& loss, const Ball& h);

struct RoundedFactor {
  std::shared_ptr<const LatticeLaw> law;  ///< of Y~, times P(L < inf); offset mu
  std::uint64_t count = 1;
  WindowTails tails;
  Ball drift;
  Ball variance;
  Ball density;  ///< of Y^W - round Y^W, times h: upper bound, +inf where none is known
};

/// The window is (-(half + 1/2) h, (half + 1/2) h], or less on a side where only about e^-nats of
/// the law would be lost (what is lost is part of the tails).
RoundedFactor rounded(const PrivacyLoss& loss, Direction direction, std::uint64_t count,
                      const Ball& h, long half,
                      double nats = std::numeric_limits<double>::infinity());

/// How many cells rounded() will make on the support, or a few more.
double cells_of_window(const PrivacyLoss& loss, double h, long half, double nats);

}  // namespace plaudit
