// How many of the records that differ a batch has, given that it has any: the label of a
// replacement (docs/proofs/sampling.md#replacement). Probabilities are exact rationals, or are
// computed at the working precision where those would have millions of digits.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lib/balls/ball.hpp"
#include "lib/exact/rational.hpp"

namespace plaudit {

class BatchLabels {
 public:
  virtual ~BatchLabels() = default;

  /// How many labels there are; label i is `at(i)` records, increasing in i.
  virtual std::uint64_t count() const = 0;
  virtual std::uint64_t at(std::uint64_t i) const = 0;
  /// Probability that the batch has any record that differs, at the working precision.
  virtual Ball rate() const = 0;
  /// The probabilities of the labels first .. first + size - 1, at the working precision.
  virtual std::vector<Ball> weights(std::uint64_t first, std::uint64_t size) const = 0;
  /// Upper bound of the probability of all other labels together.
  virtual Ball outside(std::uint64_t first, std::uint64_t size) const = 0;
  virtual double estimate_log_weight(std::uint64_t i) const = 0;
  /// The label whose probability is about the greatest.
  virtual std::uint64_t likeliest() const = 0;
  /// Text that identifies all of this.
  virtual std::string describe() const = 0;
};

/// Label i is labels[i], with probability counts[i] / whole. @param rate what rate() is.
std::shared_ptr<const BatchLabels> counted_labels(Rational rate, std::vector<std::uint64_t> labels,
                                                  std::vector<Integer> counts, Integer whole);

/// Binomial(trials, rate) given that it is not 0, 0 < rate < 1.
std::shared_ptr<const BatchLabels> binomial_labels(std::uint64_t trials, Rational rate);

}  // namespace plaudit
