// Rates of the best tests between the outputs of neighbouring data sets, which bound what an
// attacker who infers membership can reach.
//
//   plaudit::BestTests tests(run);
//   plaudit::Band band = tests.false_negative_rate("1e-3");
//
// In the direction `remove` the null hypothesis is the output without the record, the alternative
// the output with it; in `add` they are swapped. With both directions each end of a band is that of
// the direction in which the attacker does better. Proof: docs/proofs/tradeoff.md#two-sides
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "plaudit/plaudit.hpp"

namespace plaudit {

inline namespace v0 {

/// Questions on one composition, which share their work. Not for use from two threads at once.
/// Rates and priors outside of their domain throw std::invalid_argument.
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

/// A certified band of the least mu for which a composition is mu-GDP.
struct GaussianMu {
  Real lower;
  Real upper;   ///< may be infinite
  Real regret;  ///< bounds how far the trade-off functions of the run and of `upper` are apart
  std::string exact_square;  ///< mu^2 where it is known to be this rational, or empty
  bool reached = false;
  std::string remark;
};

/// The least mu. With a least_error, 0 < least_error < 1/2, only tests of which both error rates
/// are at least that count; without one, all tests. With both directions the greater, end by end.
/// Proof: docs/proofs/gaussian_dp.md#least-mu
GaussianMu gaussian_mu(const Composition& composition,
                       const std::optional<Number>& least_error = {},
                       const Options& options = {.digits = 6});

}  // namespace v0
}  // namespace plaudit
