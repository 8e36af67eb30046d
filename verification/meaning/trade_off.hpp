// The trade-off function of one direction of a composition, enclosed: how small the false negative
// rate of a test can be whose false positive rate is given.
//
// (P, Q) is the dominating pair of the direction. A test rejects Q, the null hypothesis, in favour
// of P; Q(S) is its false positive rate, P(S) its power, 1 - P(S) its false negative rate. Two
// routes enclose the greatest power at a false positive rate:
//   from above  every certified value of delta: P(S) <= delta(x) + e^x Q(S);
//   from below  every threshold x: the test L > x has certified rates, and tests can be mixed.
// Both are exact where x is the threshold of the best test, and off by about the square of the
// distance from it elsewhere; threshold_search.hpp looks for it in floating point.
// Proof: docs/proofs/tradeoff.md#two-sides
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "accountants/tails/composed_tails.hpp"
#include "verification/meaning/exact_tests.hpp"

namespace plaudit {

/// The greatest power, and what was done for it.
struct PowerBand {
  Span power{Ball(0), Ball(1)};
  std::optional<Rational> exact = {};
  int thresholds = 0;         ///< tests whose rates were certified for this one
  int values = 0;             ///< of the privacy curve that were asked for
  std::string remark = {};    ///< why the band is wider than asked, where it is
  Cause cause = Cause::none;  ///< what ended the work on it, in words in the remark
};

/// Bits to compute with for so many digits of rates.
long bits_of_rates(int digits);

/// Not thread-safe. Honours the limits in force; what it gives is an enclosure however early it is
/// ended.
class TradeOff {
 public:
  /// What is known of the test L > x.
  struct Threshold {
    Span fpr;
    Span power;
    Ball ratio;                         ///< e^x
    Span delta;                         ///< at x
    std::optional<Span> with_atom_fpr;  ///< of the test L >= x, where x is a known atom
    std::optional<Span> with_atom_power;
    int digits;  ///< of its rates that were asked for; 0 where the work did not come to its end
  };

  /// @param timeout_seconds for each value of delta.
  TradeOff(const Composition& composition, Direction direction, double timeout_seconds);

  TradeOff(const TradeOff&) = delete;
  TradeOff& operator=(const TradeOff&) = delete;

  /// The greatest P(S) of all randomised tests S with Q(S) <= fpr, 0 <= fpr <= 1; towards `digits`
  /// significant digits of it and of its complement, the least false negative rate.
  /// @param proven hears of it each time that more is proven.
  PowerBand power(
      const Rational& fpr, int digits, const BandListener& proven = [](const Enclosure&) {});

  /// The same by tests first, 0 < fpr < 1: their thresholds are then known.
  PowerBand by_thresholds(
      const Rational& fpr, int digits, const BandListener& proven = [](const Enclosure&) {});

  /// The privacy curve.
  Span delta(const Rational& epsilon, int digits) { return tails_.delta(epsilon, digits); }

  /// The test L > x, towards that many significant digits of its rates.
  const Threshold& at(const Rational& x, int digits);
  /// The value of delta at x by the accountants, which share nothing with the tails of a line.
  void ask_accountants(const Rational& x, int digits);
  /// All that were asked.
  const std::map<Rational, Threshold>& thresholds() const { return known_; }
  /// What all that is known says of the greatest power at this rate.
  Span enclosed(const Ball& fpr) const;

  const ComposedLoss& loss() const { return loss_; }

 private:
  ComposedMasses of_single(const Rational& x, int digits) const;
  Threshold& note(const Rational& x, const ComposedMasses& masses);
  Ball power_of_tests(const Ball& fpr) const;
  Ball power_by_lines(const Ball& fpr) const;

  ComposedLoss loss_;
  ComposedTails tails_;
  std::unique_ptr<ExactTests> exact_;
  const PrivacyLoss* single_ = nullptr;  ///< the law, where it is composed of no other
  std::map<Rational, Threshold> known_;
};

}  // namespace plaudit
