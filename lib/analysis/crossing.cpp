#include "lib/analysis/crossing.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

// Choices: with others the enclosure is wider, or takes longer.
constexpr int most_search_steps = 2000;
constexpr int most_failures = 8;      ///< values of f that are not finite before a search gives up
constexpr long least_exponent = 200;  ///< widths are relative to 2^-200 where x* is smaller
constexpr int most_expansions = 400;  ///< points tried for one end, each farther from the root
constexpr int shrinkings = 4;         ///< bisections by which an end is moved back to the root
constexpr long most_growth = 64;      ///< a step to the right grows by up to this power of 2
constexpr long cheap_bits = 512;      ///< up to here the search runs at the full precision
constexpr long first_bits = 128;  ///< of f at the first points, where the full precision is higher
constexpr long spare_bits = 64;   ///< of f beyond those that a point is expected to settle

/// A function whose values are kept: each point is evaluated once at each precision.
class Memory {
 public:
  explicit Memory(const std::function<Ball(const Ball&)>& f) : f_(f) {}

  Ball operator()(const Ball& x) const {
    for (const Value& value : values_) {
      if (value.bits == working_precision() && (value.x - x).is_exact_zero()) return value.y;
    }
    values_.push_back({x, working_precision(), f_(x)});
    return values_.back().y;
  }

 private:
  struct Value {
    Ball x;
    long bits;
    Ball y;
  };
  const std::function<Ball(const Ball&)>& f_;
  mutable std::vector<Value> values_;
};

/// A point, and by how much f seems to be above c there.
struct Probe {
  Ball x;
  /// Estimate of log f - log c, or of f - c where c <= 0; non-finite means "f far below c".
  Ball height;
  /// Radius of that estimate, from the radii of f and c. No double: at a few hundred digits it is
  /// below the least one.
  Ball blur;

  bool above() const { return height.is_finite() && certainly_positive(height); }
};

/// Finds the crossing of the midpoints: the secant rule on log f, kept inside a bracket by
/// bisection. The error of a point is about the product of those of the two points before it. So f
/// is called at twice the bits that two points agree in, and a search costs a few calls at the full
/// precision. All of this is a heuristic; the caller certifies its result.
class MidpointSearch {
 public:
  struct Result {
    Ball root;
    Ball slope;  ///< of the height at the root (negative), non-finite when unknown
    Ball blur;   ///< uncertainty of the height there
  };

  MidpointSearch(const std::function<Ball(const Ball&)>& f, const Ball& target, const Ball& floor)
      : f_(f),
        target_(target),
        low_(floor),
        full_bits_(working_precision()),
        bits_(full_bits_ > cheap_bits ? first_bits : full_bits_) {
    logarithmic_ = certainly_positive(target.middle());
    if (logarithmic_) log_target_ = log(target.middle());
  }

  /// @param below a point below the guess, or the floor. @param bits wanted relative width.
  Result run(const Ball& below, const Ball& guess, long bits) {
    Ball step = (guess - below).middle();
    Probe former = probe(below);
    Probe current =
        probe(step.is_exact_zero() ? next_by_steps(former, step = ldexp(Ball(1), -20)) : guess);
    Ball slope = Ball(std::nan(""));
    int slow_steps = 0;
    long before = 0;
    for (int i = 0; i < most_search_steps; ++i) {
      check_work_limit();
      if (settled(current) || failures_ >= most_failures) {
        if (bits_ >= full_bits_) break;
        bits_ = std::min(full_bits_, 2 * bits_);  // more precision may tell more
        failures_ = 0;
        current = probe(current.x);
        continue;
      }
      const Ball secant = ((current.height - former.height) / (current.x - former.x)).middle();
      const bool usable = secant.is_finite() && certainly_negative(secant);
      if (usable) slope = secant;
      Ball next;
      if (usable && slow_steps < 3) next = (current.x - current.height / secant).middle();
      const bool inside = usable && slow_steps < 3 && certainly_greater(next, low_) &&
                          (!have_high_ || certainly_less(next, high_));
      if (!inside) {
        next = next_by_steps(current, step);
        slow_steps = 0;
      }
      const Ball tolerance = ldexp(max(abs(next), ldexp(Ball(1), -least_exponent)), -bits - 3);
      if (have_high_ && (certainly_less_equal(abs(next - current.x).middle(), tolerance) ||
                         certainly_less_equal((high_ - low_).middle(), tolerance))) {
        if (bits_ >= full_bits_) return {next, slope, current.blur};
        bits_ = full_bits_;
      }
      const long known = agreeing_bits(next, current.x);
      bits_ = std::clamp(2 * known + before + spare_bits, bits_, full_bits_);
      before = known;
      Probe fresh = probe(next);
      const bool halved = certainly_less(ldexp(abs(fresh.height), 1), abs(current.height));
      slow_steps = halved ? 0 : slow_steps + 1;
      former = std::move(current);
      current = std::move(fresh);
    }
    return {current.x, slope, current.blur};
  }

 private:
  Probe probe(const Ball& x) {
    Probe result{x, Ball(std::nan("")), Ball(0)};
    const PrecisionScope scope(bits_);
    const Ball y = f_(x);
    if (!y.is_finite()) {
      ++failures_;
    } else if (!logarithmic_) {
      result.height = (y - target_).middle();
      result.blur = (y.radius() + target_.radius()).middle();
    } else if (certainly_positive(y.middle())) {
      result.height = (log(y.middle()) - log_target_).middle();
      result.blur = (y.radius() / y.middle() + target_.radius() / target_.middle()).middle();
    }
    if (bits_ < full_bits_ && (!y.is_finite() || overlaps(y, target_))) {  // the side is not known
      if (!result.height.is_finite()) failures_ = most_failures;
      return result;
    }
    if (result.above()) {
      if (certainly_greater(x, low_)) low_ = x;
    } else if (!have_high_ || certainly_less(x, high_)) {
      high_ = x;
      have_high_ = true;
    }
    return result;
  }

  /// The height is within twice its own radius: this precision locates the crossing no better.
  static bool settled(const Probe& at) {
    return at.height.is_finite() && certainly_less_equal(abs(at.height), ldexp(at.blur, 1));
  }

  /// How many leading bits two points have in common.
  static long agreeing_bits(const Ball& a, const Ball& b) {
    const double apart = (a - b).estimate_log();
    const double size = std::max(a.estimate_log(), -least_exponent * log_two);
    return clamped_integer((size - apart) / log_two, 0, most_precision);
  }

  /// The middle of the bracket, or a growing step to the right of its lower end.
  Ball next_by_steps(const Probe& from, Ball& step) {
    if (have_high_) return ldexp(low_ + high_, -1).middle();
    Ball next = (from.x + step).middle();
    step = ldexp(step, growth_);
    growth_ = std::min(2 * growth_, most_growth);
    return next;
  }

  const std::function<Ball(const Ball&)>& f_;
  Ball target_;
  Ball log_target_;
  bool logarithmic_ = false;
  Ball low_;
  Ball high_;
  bool have_high_ = false;
  int failures_ = 0;
  long growth_ = 1;
  long full_bits_;
  long bits_;  ///< at which f is called
};

/// A certified end on one side of the root (`sign` = +1 or -1), tried at growing distances from
/// `offset` on, then nearer; `fallback` where none is found. `certain(x)` must imply that x bounds
/// the crossing on that side, and `fallback` must bound it too.
template <class Certain>
Ball certified_end(const Ball& root, const Ball& offset, int sign, const Ball& fallback,
                   Certain&& certain) {
  Ball failed = root;
  Ball good = fallback;
  Ball step = offset;
  bool found = false;
  int tries = 0;
  for (; tries < most_expansions && !found; ++tries) {
    check_work_limit();
    const Ball x = (sign > 0 ? root + step : root - step).middle();
    const bool beyond =
        sign > 0 ? certainly_greater_equal(x, fallback) : certainly_less_equal(x, fallback);
    if (beyond) break;
    if (certain(x)) {
      good = x;
      found = true;
    } else {
      failed = x;
      step = ldexp(step, tries < 2 ? 1 : 2);
    }
  }
  if ((found && tries == 1) || !good.is_finite()) return good;
  for (int i = 0; i < shrinkings; ++i) {
    check_work_limit();
    const Ball x = ldexp(failed + good, -1).middle();
    (certain(x) ? good : failed) = x;
  }
  return good;
}

}  // namespace

// Proof: docs/proofs/inversion.md#crossing
std::optional<Crossing> crossing_next_to(const std::function<Ball(const Ball&)>& f,
                                         const Ball& target, const Ball& floor, const Ball& root,
                                         long bits) {
  const PrecisionScope scope(std::max(working_precision(), bits + 64));
  if (!root.is_finite()) return std::nullopt;
  const Ball offset = ldexp(abs(root), -bits - 2);
  const Ball low = (root - offset).middle();
  const Ball high = (root + offset).middle();
  if (!certainly_greater_equal(low, floor)) return std::nullopt;
  if (!PLAUDIT_BOUND("crossing.next_lower_end", certainly_greater(f(low), target), true) ||
      !PLAUDIT_BOUND("crossing.next_upper_end", certainly_less_equal(f(high), target), true)) {
    return std::nullopt;
  }
  return Crossing{low, high};
}

// Proof: docs/proofs/inversion.md#crossing
Crossing crossing(const std::function<Ball(const Ball&)>& f, const Ball& target, const Ball& floor,
                  const Ball& guess, long bits) {
  const PrecisionScope scope(std::max(working_precision(), bits + 64));
  const Memory remembered(f);
  const std::function<Ball(const Ball&)> again = [&](const Ball& x) { return remembered(x); };
  const Ball start = guess.is_finite() ? max(guess, floor).middle() : floor;
  const Ball before = max(start - ldexp(abs(start), -8), floor).middle();
  // f does not increase: a value above the target further right shows f(floor) to be above it too
  if (!(certainly_greater(before, floor) && certainly_greater(again(before), target)) &&
      certainly_less_equal(again(floor), target)) {
    return {floor, floor};
  }

  const MidpointSearch::Result found =
      MidpointSearch(again, target, floor).run(before, start, bits);

  // The first distance: a quarter of the wanted width, or twice the radius of f over its slope.
  const Ball least = ldexp(Ball(1), -least_exponent);
  Ball offset = ldexp(max(abs(found.root), least), -bits - 2).middle();
  if (found.slope.is_finite() && certainly_negative(found.slope)) {
    const Ball hidden = (ldexp(found.blur, 1) / -found.slope).middle();
    if (hidden.is_finite()) offset = max(offset, hidden).middle();
  }

  Crossing result;
  const Ball root = max(found.root, floor).middle();
  result.upper = certified_end(root, offset, +1, positive_infinity(), [&](const Ball& x) {
    return PLAUDIT_BOUND("crossing.upper_end", certainly_less_equal(again(x), target),
                         !certainly_greater(again(x), target));
  });
  result.lower = certified_end(root, offset, -1, floor, [&](const Ball& x) {
    return PLAUDIT_BOUND("crossing.lower_end", certainly_greater(again(x), target),
                         !certainly_less_equal(again(x), target));
  });
  return result;
}

}  // namespace plaudit
