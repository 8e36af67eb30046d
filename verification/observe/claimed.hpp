// What a claim allows a test: the certified power of its pair, in each direction that is asked for.
#pragma once

#include <map>
#include <vector>

#include "verification/meaning/best_tests.hpp"
#include "verification/observe/against_curve.hpp"

namespace plaudit {

/// In one direction.
class ClaimedPower {
 public:
  ClaimedPower(const Composition& claim, AnswerOptions options, DirectionChoice direction);

  /// The greatest power at a false positive rate. What was asked is kept.
  Span at(const Rational& fpr);
  /// A lower bound of it by what was asked: the power is concave, 0 at least at 0, and 1 at 1.
  Ball known_from_below(const Rational& fpr) const;
  bool asked(const Rational& fpr) const { return known_.count(fpr) > 0; }
  bool remove() const { return direction_ == DirectionChoice::remove; }

 private:
  DirectionChoice direction_;
  BestTests tests_;
  std::map<Rational, Span> known_;
};

class Claimed {
 public:
  Claimed(const Composition& claim, const AnswerOptions& options);

  /// The least of the local levels of the directions. @param fpr, fnr at which to ask first
  // Proof: docs/proofs/observe.md#p-value
  LocalLevel level(const ErrorCounts& counts, const Rational& fpr, const Rational& fnr);

  std::vector<ClaimedPower>& directions() { return directions_; }

 private:
  std::vector<ClaimedPower> directions_;
};

}  // namespace plaudit
