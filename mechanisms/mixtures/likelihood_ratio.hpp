// f(y) = dP/dQ of a Gaussian mixture pair in ball arithmetic, with the bounds of Lemma 2 and (3.T)
// (docs/proofs/straight_contour.md#strip, docs/proofs/straight_contour.md#tails).
#pragma once

#include <optional>
#include <vector>

#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

/// x^r for x > 0 and real r.
inline Ball real_power(const Ball& x, const Ball& r) { return exp(r * log(x)); }

/// Coefficients of f at the working precision of construction.
class LikelihoodRatio {
 public:
  explicit LikelihoodRatio(const GaussianMixture& mixture);

  const Ball& least_rate() const { return rates_.front(); }
  const Ball& greatest_rate() const { return rates_.back(); }

  Ball value(const Ball& y) const;
  Ball log_value(const Ball& y) const;
  /// f on a grid: values f(y_j + i eta) for y_j = j d, first <= j <= last.
  std::vector<ComplexBall> on_grid(double d, long first, long last, const Ball& eta) const;
  /// log f(j d) without loss for f near 1.
  std::vector<Ball> logs_on_grid(double d, long first, long last) const;
  /// f(-inf), the probability of sensitivity 0.
  Ball at_minus_infinity() const;
  /// Mean of the rate, and of its squared distance to the least rate, under the weights at y.
  Ball mean_rate(const Ball& y) const;
  Ball mean_square_rate(const Ball& y) const;

  /// Upper bound of (|f(y + i eta)| / f(y))^r for all real y <= reach (all y without reach).
  Ball turn_factor(const Ball& r, const Ball& eta, const std::optional<Ball>& reach) const;
  /// Upper bound of |arg f(y + i eta)| for all real y <= reach (all y without reach).
  Ball turn_angle(const Ball& eta, const std::optional<Ball>& reach) const;

  /// Whether arg f(y + i eta) certainly does not decrease in eta up to this height, for all real y.
  bool turns_steadily(double height) const;

  /// (3.T): upper bounds of int_Y^inf phi f^r, and of d sum_{y_j > Y} phi f^r over the grid
  /// points y_j = j d when Y is one; +inf where the hypotheses fail.
  Ball right_tail(const Ball& r, long index, double d) const;
  /// The same for y < Y = index d.
  Ball left_tail(const Ball& r, long index, double d) const;

 private:
  /// The components [from, to) suffice for f(y + i eta), low <= y <= high, but for at most
  /// error e^{log_growth (y - low) / (high - low)}.
  struct Kept {
    std::size_t from;
    std::size_t to;
    Ball error;
    Ball log_growth;
  };
  Kept needed(const Ball& low, const Ball& high) const;

  std::vector<Ball> rates_;
  std::vector<Ball> weights_;  ///< p_i e^{-a_i^2 / 2}
  std::vector<Ball> probabilities_;
  std::vector<std::size_t> multiples_;  ///< rates_ = multiples_ * unit_ when not empty
  Ball unit_;
};

}  // namespace plaudit
