// Symmetric, log-concave noise on the integers moved by an integer D against itself, as a law with
// finitely many values.
//
// At the output k the loss is log f(k - D) / f(k), f(k) = P(X = k). The outputs from -m to m + D, m
// the window, are atoms. Those beyond m + D are one outcome: of finite loss in a law below, at L =
// inf in a law above. Those before -m are another one. What is returned encloses both laws, and the
// true curve lies between theirs. Proof: docs/proofs/integer_noise.md#window
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "mechanisms/laws/atomic_law.hpp"
#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

/// About e^-this of the noise lies outside of the window: less than the smallest double.
inline constexpr double nats_of_noise_window = 750;

struct IntegerNoise {
  std::vector<Ball> masses;  ///< P(X = k), k = 0, 1, ..., each certainly positive
  Ball least_beyond;         ///< a lower bound > 0 of P(X > k) behind the last of them
  Ball most_beyond;          ///< an upper bound
};

/// The law of (noise + shift, noise), the same in both directions.
/// @param noise with more than `shift` masses. @param shift D > 0.
FiniteLaw shifted_noise_law(const IntegerNoise& noise, long shift);

/// The same as a privacy loss. @param noise at the working precision of its caller, always with the
/// same number of masses.
std::shared_ptr<const PrivacyLoss> shifted_noise_loss(const std::string& spec,
                                                      std::function<IntegerNoise()> noise,
                                                      long shift);

}  // namespace plaudit
