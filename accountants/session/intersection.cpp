// The intersection of the bands of several accountants, in one direction: certified bands that do
// not meet are a defect of plaudit and are reported as one; a claim of somebody else that does not
// meet them is refuted.
#include <stdexcept>
#include <utility>

#include "accountants/session/direction_session.hpp"
#include "lib/balls/decimal.hpp"
#include "lib/balls/precision.hpp"

namespace plaudit {

namespace {

std::string text_of(const Enclosure& band) {
  return band.accountant + " [" + decimal_below(band.lower, 30) + ", " +
         decimal_above(band.upper, 30) + "]";
}

}  // namespace

/// Intersects, and keeps the words of the first one, or of the one that is narrower.
void DirectionSession::join(Enclosure& band, Enclosure&& found, bool first, Quantity quantity,
                            const Rational& argument) const {
  const PrecisionScope scope(4096 + 64L * options_.digits);
  if (certainly_less(found.upper, band.lower) || certainly_less(band.upper, found.lower)) {
    throw std::logic_error(dump(quantity, argument, found, band));
  }
  const Ball lower = certainly_less(found.lower, band.lower) ? band.lower : found.lower;
  const Ball upper = certainly_less(found.upper, band.upper) ? found.upper : band.upper;
  const bool inside = certainly_less_equal(band.lower, found.lower) &&
                      certainly_less_equal(found.upper, band.upper);
  if (first || inside || reached(found, options_.digits)) band = std::move(found);
  band.lower = lower;
  band.upper = upper;
}

/// Intersects with a claim that is trusted: after all that is proven, which may refute it.
void DirectionSession::join_claim(Enclosure& band, const Enclosure& claim) const {
  const PrecisionScope scope(4096 + 64L * options_.digits);
  if (certainly_less(claim.upper, band.lower) || certainly_less(band.upper, claim.lower)) {
    throw std::invalid_argument("a claim that is trusted is refuted: " + text_of(claim) + " and " +
                                text_of(band) + " are disjoint");
  }
  const bool above = certainly_less(claim.upper, band.upper);
  const bool below = certainly_less(band.lower, claim.lower);
  if (!above && !below) return;
  if (above) band.upper = claim.upper;
  if (below) band.lower = claim.lower;
  band.exact.reset();
  band.trusted = both_trusted(band.trusted, claim.trusted);
  band.method +=
      (band.method.empty() ? "narrowed by the claims of " : ", narrowed by the claims of ") +
      claim.trusted + ", which are trusted";
}

/// All that is needed to see two disjoint bands again.
std::string DirectionSession::dump(Quantity quantity, const Rational& argument,
                                   const Enclosure& one, const Enclosure& other) const {
  return "disjoint bands, a defect of plaudit: " + text_of(one) + " and " + text_of(other) +
         "; to see it again: plaudit compare '" + spec_ + "' --" +
         (quantity == Quantity::delta ? "epsilon " : "delta ") + to_string(argument) +
         " --digits " + std::to_string(options_.digits) + " --direction " +
         std::string(name_of(loss_.direction()));
}

}  // namespace plaudit
