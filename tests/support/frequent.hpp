// Straight contours on a law, and on what is left of it without its rare components.
#pragma once

#include <doctest/doctest.h>

#include <cmath>

#include "accountants/contour/frequent_composition.hpp"
#include "accountants/contour/straight_contour.hpp"
#include "support/curves.hpp"

namespace plaudit::test {

inline Enclosure straight_band(const ComposedLoss& loss, CumulantTable& table, double epsilon) {
  constexpr double nats = 40;
  const double log_delta = table.log_delta(epsilon, table.saddle(epsilon));
  const StraightChoice choice = choose_straight(loss, table, epsilon, nats, log_delta);
  REQUIRE(std::isfinite(choice.seconds));
  return StraightContour(loss, table, epsilon, choice).delta(Ball(epsilon));
}

/// The truth: the band of the whole law.
inline Enclosure band_of_all(const ComposedLoss& loss, double epsilon) {
  CumulantTable table(loss);
  return straight_band(loss, table, epsilon);
}

/// The band of the whole law from the law without its rare components.
inline Enclosure band_without(const ComposedLoss& loss, double log_mass, double epsilon) {
  const auto frequent = frequent_composition(loss, log_mass);
  REQUIRE(frequent->changed());
  Enclosure band = straight_band(frequent->loss, frequent->table, epsilon);
  widen_for_rare_components(band, frequent->change(frequent->table.saddle(epsilon)), Ball(epsilon));
  return band;
}

/// Not even the errors of the ends themselves leave a gap.
inline bool certainly_overlap(const Enclosure& one, const Enclosure& other) {
  return certainly_less_equal(one.lower, other.upper) &&
         certainly_less_equal(other.lower, one.upper);
}

}  // namespace plaudit::test
