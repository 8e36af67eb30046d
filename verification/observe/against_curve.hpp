// Counts of one test against a trade-off function: how improbable so extreme an outcome is under
// every pair of rates that the function allows.
//
// The local level of counts (k of n false positives, j of m false negatives) is the supremum, over
// all rates 0 <= x <= 1, of the lesser of P(Bin(n, x) <= k) and P(Bin(m, 1 - tau(x)) <= j). It is
// at most b with probability <= 2b, whatever the true rates are.
// Proof: docs/proofs/observe.md#p-value
#pragma once

#include <functional>
#include <string>

#include "accountants/tails/spans.hpp"
#include "lib/work/given_up.hpp"
#include "verification/observe/rates.hpp"

namespace plaudit {

/// An enclosure of the greatest power at a false positive rate within [0, 1]: tau.
using GreatestPower = std::function<Span(const Rational& fpr)>;

/// The counts of a test at a threshold, as errors.
struct ErrorCounts {
  Count false_positives;
  Count false_negatives;

  /// The same test with its hypotheses exchanged.
  ErrorCounts exchanged() const { return {false_negatives, false_positives}; }
};

/// A band of the local level, however early the search for it was ended.
struct LocalLevel {
  Ball lower{0};
  Ball upper{1};
  std::string remark = {};    ///< what ended the search, where something did
  Cause cause = Cause::none;  ///< the same
};

/// @param start a rate within [0, 1] at which to ask first.
LocalLevel local_level(const ErrorCounts& counts, const Rational& start,
                       const GreatestPower& power);

/// The p-value of a local level: twice it, at most 1.
Span two_sided(const LocalLevel& level);

}  // namespace plaudit
