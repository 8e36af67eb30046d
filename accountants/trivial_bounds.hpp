// What masses, support and greatest atom say of every curve, and how bands are narrowed from there.
//
// Of delta(eps): what accountants/proof/kinds/ends.hpp proves. Of epsilon, with m_inf = P(L = inf):
// Proof: docs/proofs/hockey_stick.md#trivial
//   0 <= eps(delta) <= inf, eps(delta) <= max(0, ess sup L) where m_inf <= delta, and
//   eps(delta) >= b + log(1 - (delta - m_inf) / p) for the greatest atom b, of mass p.
#pragma once

#include "accountants/accountant.hpp"

namespace plaudit {

/// The method of a band that nothing else narrowed.
inline constexpr const char* trivial_method = "bounds of any composition";

Enclosure trivial_delta(const ComposedLoss& loss, const Rational& epsilon);
Enclosure trivial_epsilon(const ComposedLoss& loss, const Rational& delta);

/// Intersects the band with another enclosure of the same number. Ends that are not numbers are
/// ignored. @throws std::logic_error when the two are disjoint, which is an error of ours.
void narrow(Enclosure& band, const Ball& lower, const Ball& upper);
inline void narrow(Enclosure& band, const Ball& value) {
  narrow(band, value.lower(), value.upper());
}

/// While it lives, the listener hears of this very band whenever this thread narrows it; nobody
/// hears of any other, as those of the questions on the way to the answer.
class WatchedBand {
 public:
  /// @param listener null for none.
  WatchedBand(const Enclosure& band, const BandListener* listener) noexcept;
  ~WatchedBand();
  WatchedBand(const WatchedBand&) = delete;
  WatchedBand& operator=(const WatchedBand&) = delete;

 private:
  const Enclosure* former_;
  const BandListener* former_listener_;
};

}  // namespace plaudit
