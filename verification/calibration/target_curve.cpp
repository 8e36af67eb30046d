#include "verification/calibration/target_curve.hpp"

#include <algorithm>
#include <cmath>

#include "accountants/session/direction_session.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/unlimited_work.hpp"
#include "mechanisms/language/spec.hpp"
#include "mechanisms/spec_error.hpp"
#include "verification/calibration/decimals.hpp"
#include "verification/meaning/best_tests.hpp"
#include "verification/meaning/gaussian_mu.hpp"

namespace plaudit {

namespace {

constexpr int more_digits = 3;             ///< asked for next, where the side is not decided
constexpr double part_of_first_try = 0.5;  ///< of the time limit of the search

/// Working precision for comparisons with bands of so many digits.
long scope_bits(int digits) { return 256 + 4L * digits; }

}  // namespace

TargetCurve::TargetCurve(const CalibrationQuestion& question, const AnswerOptions& options,
                         const FreeParameter& free, const MonotoneParameter& parameter)
    : question_(question),
      options_(options),
      free_(free),
      falls_(parameter.falls),
      whole_(parameter.integer) {
  if (question.asks_tests() && options.accountant != "auto") {
    throw SpecError("accountant: what the best tests reach is found by auto alone");
  }
}

std::shared_ptr<const Composition> TargetCurve::composition_at(const Rational& x) const {
  return std::make_shared<const Composition>(parse_spec(free_.with(x)));
}

Point TargetCurve::asked(const Rational& x, const std::shared_ptr<const Composition>& composition,
                         int digits, int most) {
  digits = std::min(digits, most);
  double seconds = options_.timeout_seconds * part_of_first_try;
  for (;;) {
    Point point = look(x, composition, digits, seconds);
    if (point.side != Side::undecided) return point;
    if (point.answer.reached && digits < most) {
      digits = std::min(digits + more_digits, most);
    } else if (!point.answer.reached && seconds < options_.timeout_seconds) {
      seconds = options_.timeout_seconds;  // so few were for values that are easily decided
    } else {
      settle(point);
      return point;
    }
  }
}

Point TargetCurve::look(const Rational& x, const std::shared_ptr<const Composition>& composition,
                        int digits, double seconds) {
  AnswerOptions how = options_;
  how.digits = digits;
  how.timeout_seconds = seconds;
  Point point{x};
  point.digits = digits;
  point.composition = composition;
  if (question_.asks_tests()) {
    point.answer = of_tests(*composition, how);
  } else {
    point.session = std::make_shared<Session>(*composition, how);
    point.answer = point.session->answer(Quantity::delta, question_.epsilon);
  }
  ++queries_;
  if (!point.answer.band.certified) {
    throw SpecError("accountant: " + options_.accountant +
                    " gives estimates, and a calibration needs certified bands");
  }
  decide(point);
  return point;
}

/// Both rise where the curve does. Proof: docs/proofs/monotone.md#of-tests
Answer TargetCurve::of_tests(const Composition& composition, const AnswerOptions& how) const {
  const TestTarget& tests = *question_.tests;
  if (tests.kind == TestTarget::Kind::true_positive_rate) {
    return BestTests(composition, how).true_positive_rate(tests.fpr);
  }
  const MuBand mu = least_mu(composition, std::nullopt, how);
  Answer answer{Quantity::delta, unknown_band(Quantity::delta, ""), {}, mu.reached, 0, mu.of,
                how.digits};
  answer.band.lower = mu.lower;
  answer.band.upper = mu.upper;
  answer.band.remark = mu.remark;
  answer.band.accountant = "auto";
  if (mu.exact_square && *mu.exact_square == tests.most * tests.most) {
    answer.band.exact = tests.most;
  }
  return answer;
}

const Rational& TargetCurve::target() const {
  return question_.asks_tests() ? question_.tests->most : question_.delta;
}

// Proof: docs/proofs/monotone.md#bracket
void TargetCurve::decide(Point& point) const {
  const Enclosure& band = point.answer.band;
  const UnlimitedWork comparing;
  const PrecisionScope scope(scope_bits(point.digits));
  const Ball most(target());
  if (PLAUDIT_BOUND("calibration.suffices", certainly_less_equal(band.upper, most),
                    certainly_less_equal(band.lower, most))) {
    point.side = side_of(true);
  } else if (PLAUDIT_BOUND("calibration.fails", certainly_greater(band.lower, most),
                           certainly_greater(band.upper, most))) {
    point.side = side_of(false);
  }
  const bool always = question_.asks_tests() && target() >= 1 &&
                      question_.tests->kind == TestTarget::Kind::true_positive_rate;
  if (always) point.side = side_of(true);
  if (band.exact) point.side = side_of(*band.exact <= target());
  point.plain = target() > 0 && certainly_positive(band.lower);
  if (!point.plain) return;
  const Ball middle = ldexp(band.lower + band.upper, -1) / most;
  point.excess = log(middle).estimate();
  point.noise = ((band.upper - band.lower) / band.lower).upper_double();
  point.plain = std::isfinite(point.excess) && point.noise < 1;
}

/// A tie, where no number of digits decides.
void TargetCurve::settle(Point& point) const {
  if (!point.session) return;
  const std::optional<int> sign =
      point.session->compare(Quantity::delta, question_.epsilon, question_.delta);
  if (sign) point.side = side_of(*sign <= 0);
}

CalibrationEnd TargetCurve::decided(const Point& point) const {
  CalibrationEnd end{point.x, point.composition->spec(), point.answer};
  if (question_.target == Quantity::delta) return end;
  const bool meets = point.side == side_of(true);
  const PrecisionScope scope(scope_bits(point.digits));
  end.answer.quantity = Quantity::epsilon;
  end.answer.directions.clear();
  end.answer.band.exact.reset();
  end.answer.band.lower = meets ? Ball(0) : Ball(question_.epsilon).lower();
  end.answer.band.upper = meets ? Ball(question_.epsilon).upper() : positive_infinity();
  return end;
}

// Proof: docs/proofs/monotone.md#bracket
CalibrationEnd TargetCurve::reported(Point& point, double order) {
  CalibrationEnd end = decided(point);
  if (question_.target == Quantity::delta) return end;
  const bool meets = point.side == side_of(true);
  const PrecisionScope scope(scope_bits(point.digits));
  if (const auto beside = beside_target(point, meets, order)) {
    (meets ? end.answer.band.lower : end.answer.band.upper) =
        meets ? Ball(*beside).lower() : Ball(*beside).upper();
    return end;
  }
  end.answer = point.session->answer(Quantity::epsilon, question_.delta);
  ++queries_;
  const UnlimitedWork comparing;
  Enclosure& band = end.answer.band;
  const Ball target(question_.epsilon);
  if (meets && certainly_less(target.upper(), band.upper)) band.upper = target.upper();
  if (!meets && certainly_less(band.lower, target.lower())) band.lower = target.lower();
  return end;
}

/// An epsilon next to the target, on the other side of that of the point: one more look at the
/// curve, which costs less than an inversion. Nothing where it did not show that.
std::optional<Rational> TargetCurve::beside_target(Point& point, bool meets, double order) {
  if (whole_ || !point.plain || question_.epsilon <= 0) return std::nullopt;
  const double size = estimate(question_.epsilon);
  const double gap = (std::fabs(point.excess) + point.noise) / (order * size);
  const double finest = std::pow(10.0, -options_.digits);
  // 1.25 for an order that is off; beyond 8 units of the last digit an inversion says more
  const double relative = 1.25 * gap + finest / 4;
  if (!(relative < 8 * finest) || !(relative < 0.1)) return std::nullopt;
  const Rational room = question_.epsilon * checked_rational(relative, "a step of the calibration");
  const Rational step = power_of_ten(decimal_exponent(room) - 1);
  const Rational away = rounded_down(room, step);
  const Rational epsilon =
      meets ? Rational(question_.epsilon - away) : Rational(question_.epsilon + away);
  const Answer answer = point.session->answer(Quantity::delta, epsilon);
  ++queries_;
  const UnlimitedWork comparing;
  const PrecisionScope scope(scope_bits(point.digits));
  const Ball target(question_.delta);
  const bool shown = meets ? certainly_greater(answer.band.lower, target)
                           : certainly_less_equal(answer.band.upper, target);
  if (!shown || !answer.band.certified) return std::nullopt;
  return PLAUDIT_BOUND("calibration.beside", epsilon, question_.epsilon);
}

}  // namespace plaudit
