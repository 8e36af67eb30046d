// Counts at all thresholds at once: limits of the rates of errors that hold together, also at a
// threshold that the scores themselves have chosen.
//
// Limits c_1 <= .. <= c_n hold where no threshold at which k < n of n scores of one law are errors
// has a rate of errors above c_(k+1). That fails with at most the probability that some order
// statistic of n uniform numbers is above its c. Proof: docs/proofs/observe.md#all-thresholds
#pragma once

#include <vector>

#include "accountants/tails/spans.hpp"
#include "verification/observe/scores.hpp"

namespace plaudit {

/// The most runs of each kind of which all thresholds are looked at: work grows with n^2.
inline constexpr std::size_t most_runs_of_all_thresholds = 5000;

/// P(U_(i) > c_i for some i), U_(1) <= .. <= U_(n) the order statistics of n uniform numbers.
/// @param c does not decrease, within [0, 1]
Span violation(const std::vector<Rational>& c);

/// Limits c_(k+1) of k errors of n, k = 0 .. n - 1.
using Limits = std::vector<Rational>;

/// About the limits of Clopper and Pearson at the local level b: heuristic.
Limits rough_limits(std::size_t n, double b);
/// Limits about those, of which the balls decide that F(k; n, c_(k+1)) >= b (`below`), or <= b.
Limits decided_limits(std::size_t n, const Rational& b, bool below);

/// Limits that all hold but for a probability of at most `level`, about the least of their kind.
Limits simultaneous_limits(std::size_t n, const Rational& level);

/// W_n(b), from above and from below: no less than P(F(k; n, u) <= b at some threshold).
Ball local_violation_above(std::size_t n, const Rational& b);
Ball local_violation_below(std::size_t n, const Rational& b);

/// The counts at all thresholds that no other's dominate: fewer false positives and no more false
/// negatives. False positives increase, false negatives fall.
std::vector<ErrorCounts> best_counts(const Scores& scores);

}  // namespace plaudit
