// The value of a free parameter at which a target of privacy is just met: from both sides.
//
// The target is epsilon at a delta or delta at an epsilon. In both cases a value meets it exactly
// if delta(epsilon) <= delta: epsilon(delta) is the least epsilon >= 0 for which that is so. So
// every question to a value is one query of the curve at one point, and few digits do where the
// value is far off. Or it is a number that rises with the whole curve: what the best tests reach,
// or the least mu of Gaussian differential privacy, which each value is asked for itself.
//
// Each of the two values that are reported rests on a certified band of its own. That the threshold
// is between them, and that there is only one, is what the parameter's monotony adds.
// Proof: docs/proofs/monotone.md#bracket
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "accountants/session/answer.hpp"
#include "mechanisms/composition.hpp"
#include "verification/calibration/monotone.hpp"

namespace plaudit {

/// A target in what the best tests between the two laws reach.
struct TestTarget {
  enum class Kind {
    advantage,           ///< TPR - FPR, which is delta at epsilon = 0
    mu,                  ///< the least mu for which the run is mu-GDP
    true_positive_rate,  ///< of the best test with this false positive rate
  };
  Kind kind;
  Rational most;     ///< the target
  Rational fpr = 0;  ///< in [0, 1], of a true positive rate
};

struct CalibrationQuestion {
  std::string spec;  ///< with one ?
  Quantity target;   ///< which of the two numbers is the target, for words and reported bands
  Rational epsilon;  ///< where it is the target: >= 0
  Rational delta;    ///< in [0, 1]
  std::optional<Rational> from = {};  ///< bounds of the search, where stated
  std::optional<Rational> to = {};
  std::optional<TestTarget> tests = {};  ///< in place of the three numbers above

  /// It is about numbers of tests that are no point of the curve.
  bool asks_tests() const { return tests && tests->kind != TestTarget::Kind::advantage; }
};

/// The question for a target that the best tests are not to exceed. @throws SpecError: no number
/// that it may be.
CalibrationQuestion question_of_tests(const std::string& spec, const TestTarget& target);

/// A value of the parameter, and what is known there.
struct CalibrationEnd {
  Rational value;
  std::string spec;  ///< canonical, with the value
  Answer answer;     ///< of the quantity that is the target, within what the decision has shown
};

struct Calibration {
  MonotoneParameter parameter;
  Adjacency adjacency;
  /// The target is certainly met, certainly missed. Where no value of the range does so, nothing.
  std::optional<CalibrationEnd> suffices;
  std::optional<CalibrationEnd> fails;
  /// They are adjacent integers, or differ by at most 10^-digits of the larger; or every value of
  /// the range meets the target, and `suffices` is its end of the least privacy.
  bool reached = false;
  /// No value of the range meets the target: `fails` is the best of them.
  bool none_meets = false;
  std::string remark;  ///< why it is not reached, or which end of the range was met
  std::string accountant;
  std::string trusted;  ///< plug-ins whose claims, which the user trusts, decided
  int queries = 0;      ///< of the curve
  double seconds = 0;
};

/// Hears what is proven before the search ends, each time that one of the sides comes nearer.
using CalibrationListener = std::function<void(const Calibration&)>;

/// `options.digits`: significant digits of the bracket. The time limit is for the whole search,
/// which ends after a number of values that depends on the digits alone (next_value.hpp): with both
/// sides, with the one that was found, or with none, and in the last two cases with the reason.
/// @throws SpecError: no ? or more than one, a parameter that is not proven to be monotone, a spec
///   that is wrong for every value. std::invalid_argument: a bad target, a refusal of the
///   accountant.
Calibration calibrate(const CalibrationQuestion& question, const AnswerOptions& options,
                      const CalibrationListener& so_far = {});

}  // namespace plaudit
