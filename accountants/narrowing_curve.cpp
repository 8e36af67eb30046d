#include "accountants/narrowing_curve.hpp"

#include <stdexcept>

#include "accountants/trivial_bounds.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

void NarrowingCurve::take(Enclosure& band, Enclosure&& found) {
  band.method = found.method;
  band.ledger = std::move(found.ledger);
  narrow(band, found.lower, found.upper);
}

template <class Work>
Enclosure NarrowingCurve::narrowed(Enclosure band, Work&& work) {
  band.accountant = accountant_;
  try {
    work(band);
  } catch (const WorkLimitReached& limit) {
    band.remark = limit.what();
  } catch (const std::domain_error& error) {
    band.remark = error.what();
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
