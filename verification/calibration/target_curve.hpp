// Whether a value of the parameter meets the target: certified bands of the curve at that value.
//
// Proof: docs/proofs/monotone.md#bracket
#pragma once

#include <memory>
#include <optional>

#include "accountants/session/answer.hpp"
#include "mechanisms/composition.hpp"
#include "verification/calibration/calibration.hpp"

namespace plaudit {

/// Whether a value of the parameter is certainly below the threshold (low) or at or above it
/// (high): where delta falls with the parameter, the high ones meet the target, else the low ones.
enum class Side { low, high, undecided };

/// One value at which the curve was asked.
struct Point {
  Rational x;
  Side side = Side::undecided;
  bool plain = false;  ///< excess and noise are numbers to work with
  double excess = 0;   ///< log(delta / target), or of what the target bounds, at the band's middle
  double noise = 0;    ///< the relative width of that band, by which excess may be off
  int digits = 0;      ///< that were asked for
  std::shared_ptr<const Composition> composition = {};
  std::shared_ptr<Session> session = {};  ///< null where tests are asked, and not the curve
  Answer answer = {};
};

class TargetCurve {
 public:
  TargetCurve(const CalibrationQuestion& question, const AnswerOptions& options,
              const FreeParameter& free, const MonotoneParameter& parameter);

  /// @throws SpecError: no value that the spec allows.
  std::shared_ptr<const Composition> composition_at(const Rational& x) const;

  /// Asks for so many digits at first and for more, up to `most`, until the side is decided.
  Point asked(const Rational& x, const std::shared_ptr<const Composition>& composition, int digits,
              int most);

  /// The side of the values that meet the target, or of those that do not.
  Side side_of(bool meets) const { return meets == falls_ ? Side::high : Side::low; }

  /// The value with a band of the target's quantity, within what the decision has shown: by delta
  /// at an epsilon next to the target, or by an inversion.
  /// @param order of log delta's fall per unit of epsilon there, about: where that epsilon is.
  CalibrationEnd reported(Point& point, double order);
  /// The same without one more query: what the decision alone has shown.
  CalibrationEnd decided(const Point& point) const;

  int queries() const { return queries_; }
  void count_query() { ++queries_; }

 private:
  Point look(const Rational& x, const std::shared_ptr<const Composition>& composition, int digits,
             double seconds);
  Answer of_tests(const Composition& composition, const AnswerOptions& how) const;
  const Rational& target() const;
  void decide(Point& point) const;
  void settle(Point& point) const;
  std::optional<Rational> beside_target(Point& point, bool meets, double order);

  const CalibrationQuestion& question_;
  AnswerOptions options_;
  FreeParameter free_;
  bool falls_;
  bool whole_;
  int queries_ = 0;
};

}  // namespace plaudit
