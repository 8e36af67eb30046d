#include "accountants/trivial_bounds.hpp"

#include <stdexcept>

#include "accountants/inversion.hpp"
#include "accountants/proof/kinds/ends.hpp"

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

Enclosure trivial_delta(const ComposedLoss& loss, const Rational& epsilon) {
  proof::Support<Ball> support{loss.finite_mass(), loss.mass_at_infinity(), loss.q_mass()};
  if (const Ball least = loss.least_loss(); least.is_finite()) support.first = {least};
  if (const auto exact = loss.exact_greatest_loss()) {  // where balls may not decide
    support.last = {Ball(*exact), exact};
  } else if (const Ball greatest = loss.greatest_loss(); greatest.is_finite()) {
    support.last = {greatest};
  }
  if (const auto atom = loss.greatest_atom()) support.atom = {atom->loss, atom->p, atom->q};
  const proof::ProofOf<Ball> found = proof::ends(support, epsilon);
  Enclosure band;
  band.lower = Ball(0);
  band.upper = Ball(1);
  narrow(band, found.low.lower(), found.high.upper());
  return band;
}

Enclosure trivial_epsilon(const ComposedLoss& loss, const Rational& delta) {
  Enclosure band;
  band.lower = Ball(0);
  band.upper = positive_infinity();
  // 1 stands for the curve's value at 0, which is at most that; other cases need no value of it.
  if (const auto settled = inversion_without_search(loss, Ball(1), delta)) {
    narrow(band, settled->lower, settled->upper);
  } else {
    narrow(band, epsilon_of_greatest_atom(loss, delta), greatest_epsilon(loss, delta));
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
