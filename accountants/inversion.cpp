#include "accountants/inversion.hpp"

#include <algorithm>
#include <cmath>

#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

// Proof: docs/proofs/inversion.md#cases
std::optional<Crossing> inversion_without_search(const ComposedLoss& loss, const Ball& at_zero,
                                                 const Rational& delta) {
  const Ball target(delta);
  if (delta >= 1 || certainly_less_equal(at_zero, target)) return Crossing{Ball(0), Ball(0)};
  const Ball at_infinity = loss.mass_at_infinity();
  // Strict: m_inf >= delta* would not do, delta(eps) may reach m_inf at a finite eps.
  if (PLAUDIT_BOUND("inversion.mass_at_infinity", certainly_greater(at_infinity, target),
                    certainly_greater_equal(at_infinity, target))) {
    return Crossing{positive_infinity(), positive_infinity()};
  }
  if (overlaps(at_infinity, target) &&
      PLAUDIT_BOUND("inversion.exact_mass", loss.exact_mass_at_infinity() == delta, true)) {
    const Ball greatest = loss.greatest_loss();
    Ball end = positive_infinity();
    if (greatest.is_finite()) {
      end = max(Ball(0), greatest);
    } else if (!certainly_greater(greatest, Ball(0))) {
      return Crossing{Ball(0), positive_infinity()};
    }
    return Crossing{loss.knows_greatest_loss() ? end.lower() : Ball(0), end.upper()};
  }
  return std::nullopt;
}

Ball greatest_epsilon(const ComposedLoss& loss, const Rational& delta) {
  // delta(eps) = m_inf for every eps >= ess sup L.
  if (PLAUDIT_BOUND("inversion.end_of_support",
                    !certainly_less_equal(loss.mass_at_infinity(), Ball(delta)), false))
    return positive_infinity();
  const Ball greatest = loss.greatest_loss();
  if (!greatest.is_finite()) return positive_infinity();
  return max(Ball(0), greatest).upper();
}

Ball epsilon_of_greatest_atom(const ComposedLoss& loss, const Rational& delta) {
  const auto atom = loss.greatest_atom();
  if (!atom || !certainly_positive(atom->p)) return Ball(0);
  const Ball part = (Ball(delta) - loss.mass_at_infinity()) / atom->p;
  if (!certainly_less(part, Ball(1))) return Ball(0);
  const Ball log_rest = log1p(-PLAUDIT_BOUND("inversion.greatest_atom", part, ldexp(part, -1)));
  return max(Ball(0), atom->loss + log_rest).lower();
}

namespace {

Ball least_of(const Ball& a, const Ball& b) { return certainly_less(b, a) ? b : a; }

/// A curve that notes what its values prove of the crossing, which stands where a limit ends the
/// search.
class Seen {
 public:
  Seen(const std::function<Ball(const Ball&)>& curve, Ball target)
      : curve_(curve), target_(std::move(target)) {}

  // Proof: docs/proofs/inversion.md#crossing
  Ball operator()(const Ball& x) {
    Ball value = curve_(x);
    if (PLAUDIT_BOUND("inversion.seen_above", certainly_greater(value, target_),
                      !certainly_less_equal(value, target_))) {
      if (certainly_less(known_.lower, x)) known_.lower = x;
    } else if (PLAUDIT_BOUND("inversion.seen_below", certainly_less_equal(value, target_), true)) {
      known_.upper = least_of(known_.upper, x);
    }
    return value;
  }

  const Crossing& known() const { return known_; }
  /// Whether they have shown more than that it lies in [0, inf].
  bool tells() const { return known_.upper.is_finite() || certainly_positive(known_.lower); }

 private:
  const std::function<Ball(const Ball&)>& curve_;
  Ball target_;
  Crossing known_{Ball(0), positive_infinity()};
};

/// The search in the cases that need one.
Crossing search(Seen& seen, const Ball& target, const Ball& ceiling, const Ball& guess, long bits) {
  const std::function<Ball(const Ball&)> curve = [&](const Ball& x) { return seen(x); };
  Ball start = guess;
  if (ceiling.is_finite()) {
    // Tiny delta*: eps* lies within the wanted width of ess sup L. One look settles it.
    const Ball close = (ceiling - ldexp(ceiling, -bits - 1)).lower();
    if (certainly_positive(close) &&
        PLAUDIT_BOUND("inversion.next_to_end", certainly_greater(curve(close), target), true)) {
      return {close, ceiling};
    }
    if (!certainly_less(start, close)) start = (ceiling - ldexp(ceiling, -10)).middle();
  }
  Crossing result = crossing(curve, target, Ball(0), start, bits);
  if (certainly_less(ceiling, result.upper)) result.upper = ceiling;
  return result;
}

}  // namespace

Crossing invert_curve(const ComposedLoss& loss, const std::function<Ball(const Ball&)>& curve,
                      const Rational& delta, const Ball& guess, long bits) {
  const PrecisionScope scope(std::max(working_precision(), bits + 64));
  const Ball target(delta);
  // The search itself sees whether the curve is at or below the target at 0 already.
  if (const auto settled = inversion_without_search(loss, positive_infinity(), delta)) {
    return *settled;
  }

  const Ball ceiling = greatest_epsilon(loss, delta);
  Seen seen(curve, target);
  try {
    return search(seen, target, ceiling, guess, bits);
  } catch (const MemoryLimitReached&) {
    throw;
  } catch (const WorkLimitReached&) {
    if (!seen.tells()) throw;
    return {seen.known().lower, least_of(seen.known().upper, ceiling)};
  }
}

long bits_of_digits(int digits) {
  return precision_bits(std::ceil(std::max(digits, 1) * 3.3219280948873626)) + 1;
}

long missing_bits(const Ball& lower, const Ball& upper, long bits) {
  if (lower.is_finite() && upper.is_finite()) {
    const Ball width = upper - lower;
    if (certainly_less_equal(width, ldexp(abs(upper), -bits))) return 0;
    const double lacking = (width.estimate_log() - upper.estimate_log()) / std::log(2.0);
    const long wanted =
        lacking < 0 ? bits + 4 + clamped_integer(lacking, -most_precision, 0) : bits;
    return std::clamp(wanted, 4L, std::max(4L, working_precision()));
  }
  const bool both_infinite = certainly_greater(lower, Ball(0)) && !lower.is_finite();
  return both_infinite ? 0 : working_precision();
}

}  // namespace plaudit
