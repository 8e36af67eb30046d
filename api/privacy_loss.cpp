// The public interface: the law of a privacy loss, evaluated at rising precision; that of a
// composition from values of its curve (accountants/tails).
#include <algorithm>
#include <cmath>
#include <functional>

#include "api/privacy_loss_data.hpp"
#include "lib/analysis/crossing.hpp"
#include "lib/balls/decided_sign.hpp"
#include "lib/balls/refine.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/given_up.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit::inline v0 {

namespace {

constexpr int most_digits = 100'000;
constexpr long rough_bits = 64;  ///< of the first enclosure of a quantile

}  // namespace

long bits_of_digits_wanted(int digits) {
  if (digits < 1 || digits > most_digits) {
    throw SpecError("digits: must be from 1 to 100000, not " + std::to_string(digits));
  }
  return precision_bits(std::ceil(digits * 3.3219280948873624)) + 2;
}

bool accurate(const Ball& value, long bits, bool absolute) {
  if (!value.is_finite()) return false;
  if (value.is_exact_zero() || value.relative_accuracy_bits() >= bits) return true;
  return absolute && certainly_less(value.radius(), ldexp(Ball(1), -bits));
}

namespace {

Ball whole_line() { return widened(Ball(0), positive_infinity()); }

/// Repeats `f` at rising precision until all its `count` values are accurate. Each attempt gives
/// enclosures, so a limit only costs width; the whole line where no attempt came to its end. @param
/// more_bits that may be tried, where a rational of many digits may lie that near to an atom.
std::vector<Ball> evaluate(const PrivacyLossData& data, std::size_t count,
                           const std::function<std::vector<Ball>()>& f, int digits, bool absolute,
                           long more_bits = 0) {
  const long bits = bits_of_digits_wanted(digits);
  const long first = bits + 32;
  const Limited limited(data.limits);
  std::vector<Ball> best(count, whole_line());
  try {
    refine(first, 20 * first + 2000 + more_bits, [&] {
      std::vector<Ball> values = f();
      bool good = true;
      bool finite = true;
      for (const Ball& value : values) {
        good = good && accurate(value, bits, absolute);
        finite = finite && value.is_finite();
      }
      if (finite || !best[0].is_finite()) best = std::move(values);
      return good ? 0L : working_precision();
    });
  } catch (...) {  // what was enclosed before stands
    given_up_unless_contradiction();
  }
  return best;
}

Interval evaluate_one(const PrivacyLossData& data, const std::function<Ball()>& f, int digits,
                      bool absolute = false, long more_bits = 0) {
  const auto one = [&] { return std::vector<Ball>{f()}; };
  return to_public(enclose(evaluate(data, 1, one, digits, absolute, more_bits)[0]));
}

/// The part of the interval that lies in [0, 1].
Interval probability(Interval x) {
  if (!(x.lower > 0)) x.lower = 0;
  if (!(x.upper < 1)) x.upper = 1;
  return x;
}

Interval to_interval(const Ball& lower, const Ball& upper) {
  return to_public({enclose(lower).lower, enclose(upper).upper});
}

/// One of the masses at a rational point: that of a single mechanism, or of a composition.
Interval mass_at(const PrivacyLossData& data, const Rational& x, int digits,
                 Ball PointMasses::*of_one, Span ComposedMasses::*of_many) {
  if (data.is_single()) {
    const core::PrivacyLoss& loss = data.single();
    return probability(evaluate_one(
        data, [&] { return loss.masses_at(x).*of_one; }, digits, false, 2 * bit_size(x)));
  }
  return of_tails(data, digits, Interval{0, 1}, [&](ComposedTails& tails) {
    const Span span = tails.at(x, digits).*of_many;
    return probability(to_interval(span.lower, span.upper));
  });
}

bool is_infinite(const Ball& x) { return !x.is_finite() && x.is_exact(); }

/// An exact point below which the quantile does not lie: a lower bound of the least loss, or, where
/// L is unbounded below, a point where P(L > x) exceeds the target.
Ball point_below(const core::PrivacyLoss& loss, const Ball& target) {
  const Ball least = loss.least_loss();
  if (least.is_finite()) return least.lower();
  for (long e = 0; e < 64; ++e) {
    Ball x = -ldexp(Ball(1), e);
    if (certainly_greater(loss.p_above(x), target)) return x;
  }
  throw SpecError("quantile: p must not be this close to 0");
}

/// Heuristic: a point near which the non-increasing f meets the target, by doubling from 1 and
/// bisection. crossing() starts there; a bad one costs calls of f, never the enclosure.
Ball rough_crossing(const std::function<Ball(const Ball&)>& f, const Ball& target) {
  Ball low(0);
  Ball high(1);
  for (int i = 0; i < 64 && certainly_greater(f(high).middle(), target.middle()); ++i) {
    low = high;
    high = ldexp(high, 1);
  }
  for (int i = 0; i < 60; ++i) {
    const Ball middle = ldexp(low + high, -1).middle();
    (certainly_greater(f(middle).middle(), target.middle()) ? low : high) = middle;
  }
  return high;
}

/// The quantile of one mechanism, P(L > x) = `rest` there. A rough one of few bits comes first,
/// which stands where a limit ends the search before the wanted bits.
Interval quantile_of(const PrivacyLossData& data, const Rational& rest, long bits) {
  const core::PrivacyLoss& loss = data.single();
  Interval best = to_public(enclose(whole_line()));
  try {
    const Limited limited(data.limits);
    if (certainly_greater(loss.mass_at_infinity(), Ball(rest))) {
      return to_interval(positive_infinity(), positive_infinity());
    }
    Ball start;
    Ball guess;
    const long first = std::min(bits, rough_bits);
    const auto search = [&](long goal, long precision) {
      const PrecisionScope scope(precision);
      const Ball target(rest);
      if (goal == first) start = point_below(loss, target);
      // The width that crossing() aims at is relative, so it is asked for the distance from
      // `start`.
      const auto above = [&](const Ball& distance) { return loss.p_above(start + distance); };
      if (goal == first) guess = rough_crossing(above, target);
      const Crossing found = crossing(above, target, Ball(0), guess, goal);
      best = to_interval(start + found.lower, start + found.upper);
      if (!found.upper.is_finite()) return false;
      guess = ldexp(found.lower + found.upper, -1).middle();
      return certainly_less_equal(found.upper - found.lower, ldexp(found.upper, -goal));
    };
    search(first, 2 * first + 64);
    // The tails of most laws are as accurate as the precision; those of some have half of it.
    if (bits > first && !search(bits, bits + 96)) search(bits, 2 * bits + 64);
  } catch (...) {
    given_up_unless_contradiction();
  }
  return best;
}

}  // namespace

PrivacyLoss::PrivacyLoss(const Composition& composition, Direction direction)
    : PrivacyLoss(composition, direction, Limits{}) {}

PrivacyLoss::PrivacyLoss(const Composition& composition, Direction direction, const Limits& limits)
    : data_() {
  if (!(limits.timeout_seconds > 0)) throw SpecError("timeout_seconds: must be > 0");
  const Limited limited(limits);
  try {
    const core::Composition& what = composition.data().composition;
    const core::ComposedLoss loss(
        what, direction == Direction::remove ? core::Direction::remove : core::Direction::add);
    data_ = std::shared_ptr<const PrivacyLossData>(
        new PrivacyLossData{what, loss, composition.spec(), limits});
  } catch (...) {
    throw SpecError("PrivacyLoss: " + given_up_unless_contradiction().words + " for " +
                    abbreviated(composition.spec()));
  }
}

Interval PrivacyLoss::log_mgf(const Number& t, int digits) const {
  const Rational at = exact(t, "t");
  return evaluate_one(
      *data_, [&] { return data_->composed.log_mgf(Ball(at)); }, digits, true);
}

PrivacyLoss::Complex PrivacyLoss::log_mgf(const Number& real, const Number& imaginary,
                                          int digits) const {
  const Rational x = exact(real, "real");
  const Rational y = exact(imaginary, "imaginary");
  const std::vector<Ball> parts = evaluate(
      *data_, 2,
      [&] {
        ComplexBall sum;
        for (const core::ComposedLoss::Term& term : data_->composed.terms()) {
          sum += term.loss->log_mgf(ComplexBall(Ball(x), Ball(y))) * ComplexBall(Ball(term.count));
        }
        return std::vector<Ball>{sum.real(), sum.imaginary()};
      },
      digits, true);
  return {to_public(enclose(parts[0])), to_public(enclose(parts[1]))};
}

Interval PrivacyLoss::mass_at_infinity(int digits) const {
  return probability(evaluate_one(
      *data_, [&] { return data_->composed.mass_at_infinity(); }, digits, true));
}

Interval PrivacyLoss::least_loss(int digits) const {
  const Limited limited(data_->limits);
  const Ball first = data_->composed.least_loss();
  if (is_infinite(first)) return to_public(enclose(first));
  return evaluate_one(
      *data_, [&] { return data_->composed.least_loss(); }, digits, true);
}

Interval PrivacyLoss::greatest_loss(int digits) const {
  const Limited limited(data_->limits);
  const Ball first = data_->composed.greatest_loss();
  if (is_infinite(first)) return to_public(enclose(first));
  return evaluate_one(
      *data_, [&] { return data_->composed.greatest_loss(); }, digits, true);
}

Interval PrivacyLoss::p_above(const Number& x, int digits) const {
  return mass_at(*data_, exact(x, "x"), digits, &PointMasses::p_above, &ComposedMasses::p_above);
}

Interval PrivacyLoss::q_above(const Number& x, int digits) const {
  return mass_at(*data_, exact(x, "x"), digits, &PointMasses::q_above, &ComposedMasses::q_above);
}

Interval PrivacyLoss::p_atom(const Number& x, int digits) const {
  return mass_at(*data_, exact(x, "x"), digits, &PointMasses::p_atom, &ComposedMasses::p_atom);
}

std::optional<Interval> PrivacyLoss::density(const Number& x, int digits) const {
  const Rational at = exact(x, "x");
  std::optional<Interval> anything = to_public(enclose(whole_line()));
  if (!data_->is_single()) {
    return of_tails(*data_, digits, anything, [&](ComposedTails& tails) -> std::optional<Interval> {
      const auto span = tails.density(at, digits);
      if (!span) return std::nullopt;
      return to_interval(span->lower, span->upper);
    });
  }
  const core::PrivacyLoss& loss = data_->single();
  try {
    const Limited limited(data_->limits);
    if (!loss.density(Ball(at))) return std::nullopt;
  } catch (...) {
    given_up_unless_contradiction();
    return anything;
  }
  return evaluate_one(
      *data_, [&] { return *loss.density(Ball(at)); }, digits);
}

Interval PrivacyLoss::quantile(const Number& p, int digits) const {
  const Rational level = exact(p, "p");
  if (level <= 0 || level >= 1) {
    throw SpecError("quantile: p must be a number with 0 < p < 1");
  }
  const long bits = bits_of_digits_wanted(digits);
  if (!data_->is_single()) {
    return of_tails(*data_, digits, to_public(enclose(whole_line())), [&](ComposedTails& tails) {
      const Crossing found = tails.quantile(level, digits);
      return to_interval(found.lower, found.upper);
    });
  }
  return quantile_of(*data_, Rational(1 - level), bits);
}

Interval PrivacyLoss::delta(const Number& epsilon, int digits) const {
  const Rational at = exact(epsilon, "epsilon");
  if (!data_->is_single()) {
    return of_tails(*data_, digits, Interval{0, 1}, [&](ComposedTails& tails) {
      const Span span = tails.delta(at, digits);
      return probability(to_interval(span.lower, span.upper));
    });
  }
  const core::PrivacyLoss& loss = data_->single();
  return probability(evaluate_one(
      *data_, [&] { return loss.delta(Ball(at)); }, digits));
}

}  // namespace plaudit::inline v0
