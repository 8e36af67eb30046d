// Discrete Gaussian noise: phi(k) = e^{-k^2 / (2 v)} / sum_j e^{-j^2 / (2 v)} on the integers.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "lib/balls/ball.hpp"
#include "lib/balls/error_term.hpp"

namespace plaudit {

/// What the terms beyond the last one that is summed may add.
/// Proof: docs/proofs/discrete.md#gaussian-tails
inline constexpr ErrorTerm discrete_gaussian_tail{"discrete_gaussian.tail",
                                                  "docs/proofs/discrete.md#gaussian-tails"};

class DiscreteGaussianTails {
 public:
  explicit DiscreteGaussianTails(Rational variance);

  const Rational& variance() const { return variance_; }

  /// sum_j e^{-j^2 / (2 v)}.
  Ball normaliser() const;
  /// phi(k), and T(j) = sum_{k >= j} phi(k), each accurate relative to itself for k, j > 0.
  Ball mass(long k) const;
  Ball tail(long j) const;
  /// T(j) for the least integer j > x; where several integers may be it, the hull. Any ball x.
  Ball tail_above(const Ball& x) const;

  /// A number m such that phi has about e^-nats beyond m (heuristic).
  long reach(double nats) const;

 private:
  struct Table;
  std::shared_ptr<const Table> table() const;
  Ball far_tail(long j) const;

  Rational variance_;
  double variance_estimate_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const Table> table_;
};

}  // namespace plaudit
