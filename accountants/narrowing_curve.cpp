#include "accountants/narrowing_curve.hpp"

#include <utility>

#include "accountants/trivial_bounds.hpp"

namespace plaudit {

void NarrowingCurve::take(Enclosure& band, Enclosure&& found) {
  band.method = found.method;
  band.ledger = std::move(found.ledger);
  band.evidence = std::move(found.evidence);
  narrow(band, found.lower, found.upper);
}

template <class Work>
Enclosure NarrowingCurve::narrowed(Enclosure band, Work&& work) {
  band.accountant = accountant_;
  const WatchedBand watched(band, std::exchange(listener_, nullptr));
  try {
    work(band);
  } catch (...) {
    const GivenUp why = given_up_unless_contradiction();
    band.remark = why.words;
    band.cause = why.cause;
  }
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
