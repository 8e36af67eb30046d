#include "verification/calibration/next_value.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lib/exact/checked_integer.hpp"
#include "verification/calibration/decimals.hpp"

namespace plaudit {

namespace {

// log v is ParameterScale::log_value(); a doubt is the part of a step of log v that may be wrong.
// Bad constants cost queries, or end the search before its digits are reached.
constexpr double edge_part = 16;  ///< sides come as near to an undecided region as 1 / 16 of it
constexpr double first_edge_step = 0.1;  ///< of log v, beyond such a region, doubled in turn
constexpr double doubt_of_rough_slope = 0.05;
constexpr double doubt_of_rough_curve = 0.003;  ///< moved to the certified value at one point
constexpr double doubt_of_secant = 3;           ///< times the distance of its two points
constexpr double doubt_of_moved_curve = 0.1;    ///< likewise, moved to the values at both points
constexpr double finest_by_rough = 1e-10;       ///< of log v: the accuracy of the rough curve
constexpr double longest_step = 3;       ///< of log v, while one side is known; doubled each time
constexpr double growth_of_escape = 16;  ///< of the least distance beyond the side that is known
constexpr int patience = 4;  ///< queries within which the bracket should become half as wide
constexpr int most_doublings = 60;
constexpr double nats_of_any_range = 120;  ///< of log v: from 10^-30 to 10^12 and more
constexpr int first_values = 10;           ///< until the spec allows one, and some to spare

}  // namespace

NextValue::NextValue(const ParameterScale& scale, const Bracket& bracket, const RoughPicture& rough,
                     bool falls, int most_digits)
    : scale_(scale),
      bracket_(bracket),
      rough_(rough),
      falls_(falls),
      most_digits_(most_digits),
      width_(std::numeric_limits<double>::infinity()) {}

int NextValue::most_values() const {
  const double nats = std::log(nats_of_any_range) + 2.31 * most_digits_;
  const int escapes =
      static_cast<int>(clamped_integer(std::ceil(nats / std::log(growth_of_escape)), 0, 1'000'000));
  const int halvings = scale_.most_halvings();
  return first_values + escapes + (patience + 1) * halvings + 2 * halvings;
}

const Point& NextValue::best() const {
  const auto size = [](const Point& point) {
    return point.plain ? std::fabs(point.excess) : 1e300;
  };
  return *std::min_element(bracket_.points.begin(), bracket_.points.end(),
                           [&](const Point& a, const Point& b) { return size(a) < size(b); });
}

NextValue::Guess NextValue::next() {
  if (!bracket_.two_sided()) return beyond();
  const Rational& low = bracket_.low->x;
  const Rational& high = bracket_.high->x;
  if (is_idle()) return {scale_.between(low, high), digits_for(0.1)};
  const Point& point = best();
  const auto step = point.plain ? newton(point) : std::nullopt;
  if (!step) return {scale_.between(low, high), few_digits_of_side};
  return near_root(scale_.moved(point.x, step->by), step->doubt);
}

/// Whether `patience` queries in a row did not make the bracket half as wide.
bool NextValue::is_idle() {
  const double width = std::fabs(scale_.log_ratio(bracket_.high->x, bracket_.low->x));
  if (width < width_ / 2) {
    width_ = width;
    idle_ = 0;
  } else if (++idle_ >= patience) {
    idle_ = 0;
    return true;
  }
  return false;
}

/// With one side known: beyond the guessed root by its doubt, and farther each time, so that the
/// other side is found.
NextValue::Guess NextValue::beyond() {
  const bool up = bracket_.low.has_value();
  const Rational& known = up ? bracket_.low->x : bracket_.high->x;
  const double sign = up ? 1 : -1;
  const int turn = std::min(one_sided_++, most_doublings);
  double far = scale_.cell(known) / 4 * std::pow(growth_of_escape, turn);
  const double longest = longest_step * std::pow(2.0, turn);
  const Point& point = best();
  const auto step = point.plain ? newton(point) : std::nullopt;
  if (step) {
    const double root = sign * (step->by + scale_.log_ratio(point.x, known));
    const double doubt = step->doubt * std::pow(2.0, turn);
    far = std::max(far, std::min(root + doubt, longest));
  } else {
    far = std::max(far, longest / 2);
  }
  Rational x = scale_.within(scale_.shortened(scale_.moved(known, sign * far), 0.1 * far));
  if (scale_.whole() && x == known) x = known + Rational(up ? 1 : -1);
  const Rational& end = up ? scale_.greatest().value : scale_.least().value;
  if (!fits(x)) x = end;
  if (!fits(x)) x = up ? scale_.between(known, end) : scale_.between(end, known);
  return {x, digits_for(std::max(0.1 * far, scale_.cell(x) / 20))};
}

/// The secant rule, or Newton's with the slope of the rough curve.
std::optional<NextValue::Step> NextValue::newton(const Point& best) {
  const Point* other = nullptr;
  for (const Point& each : bracket_.points) {
    if (!each.plain || each.x == best.x) continue;
    if (other == nullptr || std::fabs(each.excess) < std::fabs(other->excess)) other = &each;
  }
  double slope = rough_.slope;
  double share = doubt_of_rough_slope;
  double distance = 0;
  double noise = best.noise;
  if (other != nullptr) {
    distance = std::fabs(scale_.log_ratio(best.x, other->x));
    const double rise = best.excess - other->excess;
    noise += other->noise;
    const double secant = rise / scale_.log_ratio(best.x, other->x);
    const bool usable =
        std::fabs(rise) > 4 * noise && std::isfinite(secant) && (secant < 0) == falls_;
    if (usable) {
      slope = secant;
      share = std::min(1.0, doubt_of_secant * distance + noise / std::fabs(rise));
    } else {
      other = nullptr;
    }
  }
  if (slope == 0 || (slope < 0) != falls_) return std::nullopt;
  slope_ = std::fabs(slope);
  const double by = -best.excess / slope;
  Step step{by, std::fabs(by) * std::min(1.0, share + std::fabs(by))};
  if (rough_.slope != 0 && rough_.smooth && !scale_.whole() && step.doubt > finest_by_rough) {
    if (const auto moved_rough = by_moved_rough_curve(best, other, by, slope)) {
      const double doubted = other == nullptr
                                 ? doubt_of_rough_curve
                                 : std::min(1.0, doubt_of_moved_curve * distance +
                                                     noise / std::fabs(slope * distance));
      const double doubt = std::fabs(*moved_rough) * doubted;
      if (doubt < step.doubt) step = {*moved_rough, doubt + finest_by_rough};
    }
  }
  step.doubt += best.noise / slope_;
  return step;
}

/// The root of the rough curve moved by what it is off at the best point, and changing as it does
/// towards the other one.
std::optional<double> NextValue::by_moved_rough_curve(const Point& best, const Point* other,
                                                      double by, double slope) const {
  const double here = scale_.log_value(best.x);
  const double off = best.excess - rough_.excess(here);
  double drift = 0;
  if (other != nullptr) {
    const double there = scale_.log_value(other->x);
    drift = (off - (other->excess - rough_.excess(there))) / (here - there);
  }
  double step = by;
  for (int i = 0; i < 2; ++i) {
    const double left = rough_.excess(here + step) + off + drift * step;
    if (!std::isfinite(left)) return std::nullopt;
    step -= left / slope;
  }
  const bool sound = std::isfinite(step) && std::fabs(step - by) < std::fabs(by);
  return sound ? std::optional(step) : std::nullopt;
}

/// A value beside the root: the two decimals, or integers, around it where it is known that well.
NextValue::Guess NextValue::near_root(const Rational& root, double doubt) const {
  const Rational step = scale_.spacing(root);
  const double cell = scale_.cell(root);
  if (doubt < cell / 4) {
    const Rational below = rounded_down(root, step);
    for (const Rational& x : {below, Rational(below + step)}) {
      if (!fits(x)) continue;
      const double distance = std::fabs(scale_.log_ratio(x, root));
      return {x, digits_for(std::max(distance - doubt, cell / 20))};
    }
    // both are known: the root is a little beside them
    for (const Rational& x : {Rational(below - step), Rational(below + 2 * step)}) {
      if (fits(x)) return {x, digits_for(cell / 20)};
    }
  }
  Rational x = scale_.within(scale_.shortened(root, doubt));
  if (!fits(x)) x = scale_.between(bracket_.low->x, bracket_.high->x);
  return {x, digits_for(std::max(doubt, cell / 20))};
}

/// Digits of delta that show the side of a value so far (in log v) from the root.
int NextValue::digits_for(double distance) const {
  const double wanted = -std::log10(std::max(slope_ * distance, 1e-300));
  return static_cast<int>(clamped_integer(std::ceil(wanted) + 1, few_digits_of_side, most_digits_));
}

// ---- the ends of what cannot be decided

/// Whether the lower side and the undecided region must come nearer: neither close() nor, where
/// both sides are known, apart by less than 1 / edge_part of the region.
bool NextValue::low_edge_is_open() const {
  const Rational& doubt = bracket_.doubt_low->x;
  if (!bracket_.low) return doubt > scale_.least().value;
  if (scale_.close(bracket_.low->x, doubt)) return false;
  return !bracket_.high || scale_.log_ratio(doubt, bracket_.low->x) > region() / edge_part;
}

bool NextValue::high_edge_is_open() const {
  const Rational& doubt = bracket_.doubt_high->x;
  if (!bracket_.high) return doubt < scale_.greatest().value;
  if (scale_.close(doubt, bracket_.high->x)) return false;
  return !bracket_.low || scale_.log_ratio(bracket_.high->x, doubt) > region() / edge_part;
}

double NextValue::region() const {
  return scale_.log_ratio(bracket_.doubt_high->x, bracket_.doubt_low->x);
}

NextValue::Guess NextValue::next_edge() {
  ++edges_;
  const bool low_first = low_edge_is_open() && (!high_edge_is_open() || edges_ % 2 == 0);
  const double far = std::ldexp(first_edge_step, std::min(edges_ / 2, most_doublings));
  const Point& end = low_first ? *bracket_.doubt_low : *bracket_.doubt_high;
  const auto& side = low_first ? bracket_.low : bracket_.high;
  if (!side) return {beyond_doubt(end, low_first ? -far : far), most_digits_};
  return {low_first ? scale_.between(side->x, end.x) : scale_.between(end.x, side->x),
          most_digits_};
}

/// The value `far` (of log v) beyond an end of the undecided region, or the end of the range.
Rational NextValue::beyond_doubt(const Point& end, double far) const {
  const Rational x = scale_.within(scale_.shortened(scale_.moved(end.x, far), 0.01));
  if (far < 0) return x < end.x ? x : scale_.least().value;
  return x > end.x ? x : scale_.greatest().value;
}

}  // namespace plaudit
