// What a privacy curve means: the rates of the best tests between neighbouring data sets, which are
// what an attacker who infers membership can reach at most.
//
//   plaudit::BestTests tests(run);
//   plaudit::Band band = tests.false_negative_rate("1e-3");
//
// In the direction `remove` the null hypothesis is the output without the record, the alternative
// the output with it; in `add` they are swapped. With both directions each number is that of the
// attacker who does better, end by end. Proof: docs/proofs/tradeoff.md#two-sides
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "plaudit/plaudit.hpp"

namespace plaudit {

inline namespace v0 {

/// Many questions on one composition share their work. Not for use from two threads at once. Bad
/// rates and priors throw std::invalid_argument.
class BestTests {
 public:
  /// @param options its accountant must be auto.
  explicit BestTests(const Composition& composition, const Options& options = {});
  ~BestTests();
  BestTests(BestTests&&) noexcept;
  BestTests& operator=(BestTests&&) noexcept;

  /// The trade-off function: the least false negative rate at a false positive rate in [0, 1].
  Band false_negative_rate(const Number& fpr);
  /// The greatest true positive rate.
  Band true_positive_rate(const Number& fpr);
  /// The greatest difference of true and false positive rate: delta(0), the total variation.
  Band advantage();
  /// The greatest probability of a right guess where the alternative has the probability `prior`.
  Band success(const Number& prior);
  /// The greatest probability that the alternative is true where a test rejects, of all tests of at
  /// least this false positive rate, in (0, 1].
  Band predictive_value(const Number& prior, const Number& fpr);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The least mu for which a run is mu-GDP.
struct GaussianMu {
  Real lower;
  Real upper;   ///< may be infinite
  Real regret;  ///< at most: how far the trade-off functions of the run and of `upper` are apart
  std::string exact_square;  ///< mu^2 where it is known to be this rational, or empty
  bool reached = false;
  std::string remark;
};

/// For tests with both error rates at least least_error, 0 < least_error < 1/2; for all where
/// nothing. With both directions the greater of the two, end by end.
/// Proof: docs/proofs/gaussian_dp.md#least-mu
GaussianMu gaussian_mu(const Composition& composition,
                       const std::optional<Number>& least_error = {},
                       const Options& options = {.digits = 6});

}  // namespace v0
}  // namespace plaudit
