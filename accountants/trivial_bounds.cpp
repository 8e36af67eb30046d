#include "accountants/trivial_bounds.hpp"

#include <stdexcept>

#include "accountants/inversion.hpp"
#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

namespace {

thread_local const Enclosure* watched = nullptr;
thread_local const BandListener* listener = nullptr;

}  // namespace

WatchedBand::WatchedBand(const Enclosure& band, const BandListener* wanted) noexcept
    : former_(watched), former_listener_(listener) {
  watched = wanted != nullptr ? &band : nullptr;
  listener = wanted;
}

WatchedBand::~WatchedBand() {
  watched = former_;
  listener = former_listener_;
}

// Proof: docs/proofs/hockey_stick.md#trivial
Enclosure trivial_delta(const ComposedLoss& loss, const Rational& epsilon) {
  Enclosure band;
  band.lower = Ball(0);
  band.upper = Ball(1);
  const Ball infinite = loss.mass_at_infinity();
  narrow(band, infinite.lower(), band.upper);
  const std::optional<Rational> end = loss.exact_greatest_loss();  // where balls may not decide
  if (end ? *end <= epsilon : certainly_less_equal(loss.greatest_loss(), Ball(epsilon))) {
    narrow(band, band.lower, infinite.upper());
  }
  if (epsilon < 0)
    narrow(band,
           (-expm1(PLAUDIT_BOUND("trivial.below_zero", Ball(epsilon), Ball(2 * epsilon)))).lower(),
           band.upper);
  return band;
}

Enclosure trivial_epsilon(const ComposedLoss& loss, const Rational& delta) {
  Enclosure band;
  band.lower = Ball(0);
  band.upper = positive_infinity();
  // delta(0) <= 1 - (mass at infinity aside) settles delta >= 1; the rest needs no curve.
  if (const auto settled = inversion_without_search(loss, Ball(1), delta)) {
    narrow(band, settled->lower, settled->upper);
  } else {
    narrow(band, band.lower, greatest_epsilon(loss, delta));
  }
  return band;
}

void narrow(Enclosure& band, const Ball& lower, const Ball& upper) {
  const bool higher = certainly_greater(lower, band.lower);
  const bool nearer = certainly_less(upper, band.upper);
  if (certainly_less(nearer ? upper : band.upper, higher ? lower : band.lower)) {
    throw std::logic_error("disjoint enclosures of one number: " + band.accountant + ", " +
                           band.method);
  }
  if (higher) band.lower = lower;
  if (nearer) band.upper = upper;
  if ((higher || nearer) && &band == watched) (*listener)(band);
}

}  // namespace plaudit
