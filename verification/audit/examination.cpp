#include "verification/audit/examination.hpp"

#include <stdexcept>

#include "accountants/session/band_of.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

Tri both(Tri a, Tri b) {
  if (a == false || b == false) return false;
  if (a && b) return true;
  return std::nullopt;
}

/// Narrows `known` to what `found` leaves of it: both are certified, so they have common points.
void intersect(Enclosure& known, const Enclosure& found) {
  if (certainly_less(known.upper, found.lower) || certainly_less(found.upper, known.lower)) {
    throw std::logic_error("disjoint bands of one question");
  }
  if (found.exact) known.exact = found.exact;
  if (certainly_less(known.lower, found.lower)) known.lower = found.lower;
  if (certainly_less(found.upper, known.upper)) known.upper = found.upper;
}

}  // namespace

Tri at_most(const Enclosure& band, const Extended& x) {
  if (x.infinite) return !x.below;
  if (band.exact) return *band.exact <= x.value;
  const Ball end(x.value);
  if (certainly_less_equal(band.upper, end)) return true;
  if (certainly_less(end, band.lower)) return false;
  return std::nullopt;
}

Tri at_least(const Enclosure& band, const Extended& x) {
  if (x.infinite && x.below) return true;
  if (!x.infinite && band.exact) return *band.exact >= x.value;
  const Ball end = x.infinite ? positive_infinity() : Ball(x.value);
  if (certainly_less_equal(end, band.lower)) return true;
  if (certainly_less(band.upper, end)) return false;
  return std::nullopt;
}

const DirectionAnswer& larger_direction(const Answer& answer) {
  const DirectionAnswer* best = &answer.directions.front();
  for (const DirectionAnswer& each : answer.directions) {
    if (certainly_less(best->band.lower, each.band.lower)) best = &each;
  }
  return *best;
}

bool is_between(const Claim& claim, const BandOf& of, const Extended& x) {
  if (claim.about_pair || of.attained == Attained::yes || x.infinite || !of.pair_lower)
    return false;
  return certainly_less(Ball(x.value), *of.pair_lower) &&
         (!of.attack || certainly_less_equal(of.attack->band.upper, Ball(x.value)));
}

bool Examination::compared_exactly(const Rational& x) const {
  const auto place = signs_.find(x);
  return of_pair() && place != signs_.end() && place->second.has_value();
}

Tri Examination::number_at_most(const Extended& x) {
  if (x.infinite) return !x.below;
  if (x.value < 0) return false;  // neither quantity is negative
  if (const Tri known = at_most(value().band, x)) return known;
  if (is_between(x)) return std::nullopt;
  if (claim_.quantity == Quantity::epsilon) {
    if (const Tri known = at_most(delta_at(x.value).band, {false, claim_.argument})) return known;
  }
  const std::optional<int> sign = sign_at(x.value);
  if (!sign) return std::nullopt;
  return *sign <= 0 ? Tri(true) : of_pair() ? Tri(false) : std::nullopt;
}

Tri Examination::number_at_least(const Extended& x) {
  if (x.infinite && x.below) return true;
  if (x.infinite) return at_least(value().band, x);
  if (x.value <= 0) return true;
  if (const Tri known = at_least(value().band, x)) return known;
  if (is_between(x)) return std::nullopt;
  if (claim_.quantity == Quantity::epsilon) {
    const Enclosure& band = delta_at(x.value).band;
    if (at_most(band, {false, claim_.argument}) == false) return true;
    if (at_least(band, {false, claim_.argument}) == false) return false;
  }
  const std::optional<int> sign = sign_at(x.value);
  if (!sign) return std::nullopt;
  return *sign < 0 ? Tri(false) : of_pair() ? Tri(true) : std::nullopt;
}

Tri Examination::within_tolerance() {
  Tri result = true;
  for (const Extended& x : claim_.values) {
    if (x.infinite) {
      result = both(result, both(number_at_least(x), number_at_most(x)));
      continue;
    }
    const Room room = room_of(claim_, x.value);
    result = both(result, number_at_least({false, room.least}));
    result = both(result, number_at_most({false, room.most}));
  }
  return result;
}

std::optional<int> Examination::sign_at(const Rational& x) {
  const auto place = signs_.find(x);
  if (place != signs_.end()) return place->second;
  const WorkLimit limit(seconds_);
  return signs_.emplace(x, session_.compare(claim_.quantity, claim_.argument, x)).first->second;
}

const Answer& Examination::answer(Quantity quantity, const Rational& argument) {
  const auto key = std::make_pair(quantity, argument);
  const auto place = known_.find(key);
  if (!asked_.insert(key).second) return place->second;
  const WorkLimit limit(seconds_);
  Answer found = session_.answer(quantity, argument);
  if (!claim_.about_pair) found = for_claims(std::move(found));
  if (place == known_.end()) return known_.emplace(key, std::move(found)).first->second;
  intersect(place->second.band, found.band);
  place->second.of = found.of;
  for (std::size_t i = 0; i < found.directions.size(); ++i) {
    intersect(place->second.directions[i].band, found.directions[i].band);
  }
  return place->second;
}

}  // namespace plaudit
