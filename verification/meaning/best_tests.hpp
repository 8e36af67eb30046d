// What a privacy curve means: the rates of the best tests between the two laws of the dominating
// pair, which are what an attacker who infers membership can reach.
//
// In the direction `remove` the null hypothesis Q is the output without the record, the alternative
// P the output with it; in `add` they are swapped. Where both directions are asked, each number is
// that of the attacker who does better, end by end.
// Proof: docs/proofs/tradeoff.md#two-sides
#pragma once

#include <memory>

#include "accountants/session/answer.hpp"

namespace plaudit {

/// Many questions on one composition, with the limits of the options for each. Every answer is a
/// probability; its `quantity` is delta. Not thread-safe.
class BestTests {
 public:
  /// @throws std::invalid_argument for an accountant other than auto.
  BestTests(const Composition& composition, const AnswerOptions& options);
  ~BestTests();
  BestTests(BestTests&&) noexcept;
  BestTests& operator=(BestTests&&) noexcept;

  /// The least false negative rate at a false positive rate in [0, 1]: the trade-off function.
  Answer false_negative_rate(const Rational& fpr);
  /// The greatest true positive rate, 1 - the former.
  Answer true_positive_rate(const Rational& fpr);
  /// The greatest TPR - FPR: the total variation of the pair, delta(0).
  Answer advantage();
  /// The greatest probability of a right guess where the alternative has the probability `prior`
  /// in [0, 1]: 1 less the Bayes risk.
  Answer success(const Rational& prior);
  /// The greatest probability that the alternative is true where a test rejects, of all tests of at
  /// least this false positive rate, in (0, 1].
  Answer predictive_value(const Rational& prior, const Rational& fpr);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace plaudit
