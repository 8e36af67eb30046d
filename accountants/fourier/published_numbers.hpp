// Algorithm 1 of Koskela, Jalko, Honkela (AISTATS 2020) in binary64, as published: samples of the
// density, transforms by FFTW, the outer sum, and Newton's iteration for epsilon. Everything here
// is an estimate; what the numbers are worth is another file's (fourier_published.cpp).
//
// Sections 6.2 and 6.3 and the paper's conclusion: any law with a formula for its density, with
// atoms or not. An atom is split between the two grid points next to it so that its mean stays, and
// where one lies on a grid point the density counts there with the mean of its two sides.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mechanisms/composition.hpp"

namespace plaudit {

/// dx w(j dx) of one factor for j = first, first + 1, ...
struct SampledFactor {
  long first = 0;
  std::vector<double> values;
};

/// On [-half dx, half dx). @throws std::domain_error where there are too many points.
SampledFactor sample_factor(const PrivacyLoss& loss, Direction direction, const Ball& dx,
                            long half);

/// The same in balls.
struct SampledWeights {
  long first = 0;
  std::vector<Ball> weights;
  /// Bounds the sum of dx w over the points in [-L, L) that were left out as negligible.
  Ball left_out;
};

/// For Gaussian mixtures with at most `most_kept` points that are not negligible; nothing for
/// others. @throws std::domain_error where the tails have no bound.
std::optional<SampledWeights> sample_weights(const PrivacyLoss& loss, Direction direction,
                                             const Ball& dx, long half, double most_kept);

/// Why that is not possible, if so.
std::optional<std::string> sampling_refusal(const ComposedLoss& loss);

/// c_j for j = 0 .. n/2 - 1, the half that can exceed eps >= 0, and the other half behind it: the
/// inverse DFT of the product of the powers of the DFTs.
std::vector<double> convolved_masses(const std::vector<SampledFactor>& factors,
                                     const std::vector<ComposedLoss::Term>& terms, std::uint64_t n);

/// sum_{j dx > eps} (1 - e^{eps - j dx}) c_j (5.3).
double outer_sum(const std::vector<double>& c, double dx, double epsilon);

/// Newton's iteration of section 5.4 from epsilon_0 = 0 until |delta(epsilon_l) - delta| <= tau.
/// Where it stalls, as it may on atoms, it is the rule in e^epsilon from there on, between points
/// where delta is exceeded and is not.
struct NewtonEpsilon {
  double epsilon = 0;
  double miss = 0;  ///< |delta(epsilon_l) - delta|
  int steps = 0;
  int safe_steps = 0;    ///< so many of them in e^epsilon
  bool stopped = false;  ///< by the rule
};
NewtonEpsilon newton_epsilon(const std::vector<double>& c, double dx, double infinite, double delta,
                             double tolerance);

}  // namespace plaudit
