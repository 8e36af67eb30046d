#include "accountants/narrowing_curve.hpp"

#include <utility>

#include "accountants/inversion.hpp"
#include "accountants/trivial_bounds.hpp"

namespace plaudit {

void NarrowingCurve::take(Enclosure& band, Enclosure&& found) {
  band.method = found.method;
  band.ledger = std::move(found.ledger);
  band.evidence = std::move(found.evidence);
  narrow(band, found.lower, found.upper);
}

Ball NarrowingCurve::middle_of(const Crossing& found, const Enclosure& band) {
  return ldexp(found.lower + min(found.upper, band.upper), -1).middle();
}

Ball NarrowingCurve::narrow_crossing(Enclosure& band, const std::function<Ball(const Ball&)>& curve,
                                     const Rational& delta, const Ball& guess, long bits) const {
  const Crossing found = invert_curve(loss_, curve, delta, guess, bits);
  narrow(band, found.lower, found.upper);
  if (!band.upper.is_finite()) return guess;
  const Ball middle = middle_of(found, band);
  return certainly_positive(middle) ? middle : guess;
}

Ball NarrowingCurve::take_crossing(Enclosure& band,
                                   const std::function<Enclosure(const Ball&)>& curve,
                                   const Rational& delta, const Ball& guess, long bits) const {
  Enclosure last;
  const auto value = [&](const Ball& x) {
    last = curve(x);
    return hull(last.lower, last.upper);
  };
  Ball middle = narrow_crossing(band, value, delta, guess, bits);
  band.method = std::move(last.method);
  band.ledger = std::move(last.ledger);
  band.evidence = std::move(last.evidence);
  return middle;
}

template <class Work>
Enclosure NarrowingCurve::narrowed(Enclosure band, Work&& work) {
  band.accountant = accountant_;
  const Enclosure trivial = band;
  const WatchedBand watched(band, std::exchange(listener_, nullptr));
  try {
    work(band);
  } catch (...) {
    const GivenUp why = given_up_unless_contradiction();
    band.remark = why.words;
    band.cause = why.cause;
  }
  const bool narrower =
      certainly_greater(band.lower, trivial.lower) || certainly_less(band.upper, trivial.upper);
  if (!narrower && band.method.empty() && band.certified) band.method = trivial_method;
  describe(band);
  return band;
}

Enclosure NarrowingCurve::delta(const Rational& epsilon) {
  return narrowed(trivial_delta(loss_, epsilon),
                  [&](Enclosure& band) { narrow_delta(band, epsilon); });
}

Enclosure NarrowingCurve::epsilon(const Rational& delta) {
  return narrowed(trivial_epsilon(loss_, delta),
                  [&](Enclosure& band) { narrow_epsilon(band, delta); });
}

}  // namespace plaudit
