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
  /// For Gaussian mixtures: the same in balls, where asked for, and a bound of the sum of dx w over
  /// the points in [-L, L) that were left out as negligible.
  std::vector<Ball> weights;
  Ball left_out;
};

/// On [-half dx, half dx). @param most_kept weights are kept where there are no more points.
/// @throws std::domain_error where there is no value, or there are too many points.
SampledFactor sample_factor(const PrivacyLoss& loss, Direction direction, const Ball& dx, long half,
                            double most_kept);

/// Why that is not possible, if so.
std::optional<std::string> sampling_refusal(const ComposedLoss& loss);

/// c_j for j = 0 .. n/2 - 1, the half that can exceed eps >= 0, and the other half behind it: the
/// inverse DFT of the product of the powers of the DFTs.
std::vector<double> convolved_masses(const std::vector<SampledFactor>& factors,
                                     const std::vector<ComposedLoss::Term>& terms, std::uint64_t n);

/// sum_{j dx > eps} (1 - e^{eps - j dx}) c_j (5.3).
double outer_sum(const std::vector<double>& c, double dx, double epsilon);

/// Newton's iteration of section 5.4 from epsilon_0 = 0 until |delta(epsilon_l) - delta| <= tau.
struct NewtonEpsilon {
  double epsilon = 0;
  double miss = 0;  ///< |delta(epsilon_l) - delta|
  int steps = 0;
  bool stopped = false;  ///< by the rule
};
NewtonEpsilon newton_epsilon(const std::vector<double>& c, double dx, double infinite, double delta,
                             double tolerance);

}  // namespace plaudit
