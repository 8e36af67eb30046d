// Quantiles of a composition: the crossing of P(L > x) with 1 - p, or, where all losses are
// rational points of one lattice, the first of its points at which P(L > x) is at most 1 - p.
// Proof: docs/proofs/tails.md#quantiles
#include <algorithm>
#include <cmath>

#include "accountants/tails/composed_tails.hpp"
#include "lib/balls/decided_sign.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"

namespace plaudit {

namespace {

constexpr int most_doublings_of_start = 40;  ///< of the distance from the mean
constexpr long most_bits_of_distance = 300;
constexpr unsigned long most_doublings =
    60;                          ///< of the range of points in which a quantile is looked for
constexpr int first_digits = 8;  ///< of P(L > x) at a point of a lattice, doubled until it decides

}  // namespace

/// Narrows an enclosure to the points of the lattice in it: the quantile is one of them.
Crossing ComposedTails::on_points(const Crossing& found) const {
  const bool usable = has_rational_lattice() && found.lower.is_finite() && found.upper.is_finite();
  if (!usable) return found;
  const auto place = [&](const Ball& x) {
    return Rational((exact_rational(x) - lattice_->offset) / lattice_->mesh);
  };
  const auto point = [&](const Integer& k) {
    return Ball(Rational(lattice_->offset + Rational(k) * lattice_->mesh));
  };
  return {point(-floor_of(-place(found.lower))).lower(),
          point(floor_of(place(found.upper))).upper()};
}

// Proof: docs/proofs/tails.md#quantiles
std::optional<Rational> ComposedTails::quantile_on_lattice(const Rational& rest, int digits) {
  if (!has_rational_lattice()) return std::nullopt;
  const auto point = [&](const Integer& k) {
    return Rational(lattice_->offset + Rational(k) * lattice_->mesh);
  };
  // 1: P(L > x) > 1 - p, so the quantile lies above x; -1: at or below x; 0: not decided.
  const auto side = [&](const Integer& k) {
    for (int wanted = std::min(first_digits, digits);; wanted = std::min(2 * wanted, digits)) {
      const Span above = at(point(k), wanted).p_above;
      if (certainly_greater(above.lower, Ball(rest))) return 1;
      if (certainly_less_equal(above.upper, Ball(rest))) return -1;
      if (wanted == digits) return 0;
    }
  };
  const CumulantEstimate law = estimate_law(loss_);
  const auto place = [&](double x) {
    return floor_of(Rational((exact_rational(Ball(x)) - lattice_->offset) / lattice_->mesh));
  };
  // The quantile lies in (low, high] from here on.
  const double deviation = std::sqrt(law.variance);
  Integer low = place(law.mean - deviation) - 1;
  Integer high = place(law.mean + deviation) + 1;
  const Integer first = high - low;
  for (unsigned long i = 0; side(low) != 1; ++i) {
    if (certainly_less(Ball(point(low)), loss_.least_loss())) break;  // P(L > low) = 1 > 1 - p
    if (i == most_doublings) return std::nullopt;
    low -= first << i;
  }
  for (unsigned long i = 0; side(high) != -1; ++i) {
    if (i == most_doublings) return std::nullopt;
    high += first << i;
  }
  while (high - low > 1) {
    const Integer middle = floor_of(Rational(low + high) / 2);
    const int decided = side(middle);
    if (decided == 0) return std::nullopt;
    (decided > 0 ? low : high) = middle;
  }
  return point(high);
}

// Proof: docs/proofs/tails.md#quantiles
Crossing ComposedTails::quantile(const Rational& p, int digits) {
  const long bits = precision_bits(digits * bits_of_a_digit) + 2;
  const PrecisionScope scope(2 * bits + spare_bits);
  const Rational rest = 1 - p;
  const Ball target(rest);
  if (certainly_greater(loss_.mass_at_infinity(), target)) {
    return {positive_infinity(), positive_infinity()};
  }
  const auto infinite = loss_.exact_mass_at_infinity();
  if (infinite && *infinite == rest) {
    const Ball greatest = loss_.greatest_loss();
    return {loss_.knows_greatest_loss() ? greatest.lower() : -positive_infinity(),
            greatest.upper()};
  }
  if (const auto point = quantile_on_lattice(rest, digits)) {
    return {Ball(*point).lower(), Ball(*point).upper()};
  }
  const auto above = [&](const Rational& x) {
    const double wanted = static_cast<double>(working_precision() - spare_bits) / bits_of_a_digit;
    const Span span =
        at(x, static_cast<int>(clamped_integer(std::ceil(wanted) + 2, 5, most_digits))).p_above;
    return hull(span.lower, span.upper);
  };
  const CumulantEstimate law = estimate_law(loss_);
  const double deviation = std::sqrt(law.variance);
  Ball start = loss_.least_loss();
  if (start.is_finite()) {
    start = start.lower();
  } else {
    for (int e = 0;; ++e) {
      const double point = law.mean - deviation * std::ldexp(1, e);
      if (!std::isfinite(point) || e == most_doublings_of_start)
        return {-positive_infinity(), positive_infinity()};
      start = Ball(std::floor(point));
      const PrecisionScope rough(spare_bits + 32);
      if (certainly_greater(above(exact_rational(start)), target)) break;
    }
  }
  // Heuristic: the crossing is found relative to its distance from the start, which may be far.
  const double far = std::log2(1 + std::fabs(law.mean - start.estimate()) / deviation);
  const long goal = bits + clamped_integer(std::ceil(far), 0, most_bits_of_distance);
  const PrecisionScope inner(goal + spare_bits);
  const Rational from = exact_rational(start);
  const Ball guess = max(Ball(0), Ball(law.mean + deviation) - start).middle();
  const Crossing distance = crossing([&](const Ball& d) { return above(from + exact_rational(d)); },
                                     target, Ball(0), guess.is_finite() ? guess : Ball(1), goal);
  return on_points({(start + distance.lower).lower(), (start + distance.upper).upper()});
}

}  // namespace plaudit
