// Straight contours from spec strings, and what tests say of bands.
#pragma once

#include <memory>
#include <string>

#include "accountants/contour/straight_contour.hpp"
#include "accountants/registry.hpp"
#include "support/containment.hpp"
#include "support/losses.hpp"

namespace plaudit::test {

inline Direction direction_named(const std::string& name) {
  return name == "add" ? Direction::add : Direction::remove;
}

/// The curve by the accountant of this name.
inline std::unique_ptr<PrivacyCurve> curve_by(const char* name, const std::string& spec,
                                              Direction direction, int digits) {
  return accountant(name)->open(loss_from(spec, direction), Goal{digits});
}

/// The band [lower, upper] as a ball that contains it, for containment and overlap.
inline Ball band_of(const Enclosure& band) {
  const PrecisionScope scope(4096);
  return hull(band.lower, band.upper);
}

/// All of the ball lies in the band.
inline bool holds(const Enclosure& band, const Ball& inner) {
  return certainly_less_equal(band.lower, inner) && certainly_less_equal(inner, band.upper);
}
/// No point of the ball lies in the band.
inline bool misses(const Enclosure& band, const Ball& value) {
  return certainly_less(value, band.lower) || certainly_less(band.upper, value);
}
inline bool overlaps(const Enclosure& a, const Enclosure& b) {
  return !certainly_less(a.upper, b.lower) && !certainly_less(b.upper, a.lower);
}

inline std::string show(const Enclosure& band) {
  return "[" + decimal_below(band.lower, 40) + ", " + decimal_above(band.upper, 40) + "] (" +
         band.method + ")";
}

/// The size of an entry of the ledger, 0 where there is none.
inline Ball ledger_size(const Enclosure& band, const std::string& name) {
  for (const Ledger::Entry& entry : band.ledger.entries()) {
    if (entry.name == name) return entry.size;
  }
  return Ball(0);
}

/// A straight contour together with what it refers to.
class StraightLine {
 public:
  /// The parameters the accountant would choose for relative accuracy 10^-digits at epsilon.
  StraightLine(const std::string& spec, Direction direction, double epsilon, double digits)
      : loss_(loss_from(spec, direction)), table_(loss_) {
    const double log_delta = table_.log_delta(epsilon, table_.saddle(epsilon));
    open(epsilon, choose_straight(loss_, table_, epsilon, digits * 2.302585 + 3, log_delta));
  }
  /// These parameters, however poor.
  StraightLine(const std::string& spec, Direction direction, double epsilon,
               const StraightChoice& choice)
      : loss_(loss_from(spec, direction)), table_(loss_) {
    open(epsilon, choice);
  }
  StraightLine(const StraightLine&) = delete;
  StraightLine& operator=(const StraightLine&) = delete;

  Enclosure delta(const Ball& epsilon) const { return contour_->delta(epsilon); }
  Enclosure delta(const Rational& epsilon) const {
    const PrecisionScope scope(4096);
    return contour_->delta(Ball(epsilon));
  }
  const StraightChoice& choice() const { return contour_->choice(); }
  long bits() const { return contour_->bits(); }

 private:
  void open(double epsilon, const StraightChoice& choice) {
    contour_ = std::make_unique<StraightContour>(loss_, table_, epsilon, choice);
  }

  ComposedLoss loss_;
  CumulantTable table_;
  std::unique_ptr<StraightContour> contour_;
};

}  // namespace plaudit::test

/// The whole ball `truth` lies in the band.
#define CHECK_BAND_HOLDS(band, truth)                                                     \
  CHECK_MESSAGE(plaudit::test::holds(band, truth), plaudit::test::show(band), " misses ", \
                plaudit::test::show(truth))
/// Some point of `value` (a number known to a few units of its last digit) lies in the band.
#define CHECK_BAND_MEETS(band, value)                                                       \
  CHECK_MESSAGE(!plaudit::test::misses(band, value), plaudit::test::show(band), " misses ", \
                plaudit::test::show(value))
#define CHECK_BANDS_OVERLAP(a, b)                                                         \
  CHECK_MESSAGE(plaudit::test::overlaps(a, b), plaudit::test::show(a), " is apart from ", \
                plaudit::test::show(b))
