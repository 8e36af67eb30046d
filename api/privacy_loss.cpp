// The public interface: the law of one privacy loss, evaluated at rising precision.
#include <cmath>
#include <functional>

#include "api/core.hpp"
#include "lib/analysis/crossing.hpp"
#include "lib/balls/refine.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/language/spec_error.hpp"

namespace plaudit::inline v0 {

struct PrivacyLossData {
  core::ComposedLoss composed;
  std::string spec;
  PrivacyLoss::Limits limits;

  const core::PrivacyLoss& single() const {
    const auto& terms = composed.terms();
    if (terms.size() != 1 || terms[0].count != 1) {
      throw SpecError("PrivacyLoss: this function asks for one mechanism, once, not " +
                      abbreviated(spec));
    }
    return *terms[0].loss;
  }
};

namespace {

constexpr int most_digits = 100'000;

long bits_of(int digits) {
  if (digits < 1 || digits > most_digits) {
    throw SpecError("digits: must be from 1 to 100000, not " + std::to_string(digits));
  }
  return precision_bits(std::ceil(digits * 3.3219280948873624)) + 2;
}

/// Accurate relative to itself, or, for a value that may be 0, absolutely.
bool accurate(const Ball& value, long bits, bool absolute) {
  if (!value.is_finite()) return false;
  if (value.is_exact_zero() || value.relative_accuracy_bits() >= bits) return true;
  return absolute && certainly_less(value.radius(), ldexp(Ball(1), -bits));
}

/// The limits of one call.
struct Limited {
  explicit Limited(const PrivacyLoss::Limits& limits)
      : memory(limits.memory_bytes), time(limits.timeout_seconds) {}
  MemoryLimit memory;
  WorkLimit time;
};

Ball whole_line() { return widened(Ball(0), positive_infinity()); }

/// Repeats `f` at rising precision until all it gives are accurate; each attempt is an enclosure,
/// so stopping early costs width only. @param count of the values; the whole line where no attempt
/// came to an end.
std::vector<Ball> evaluate(const PrivacyLossData& data, std::size_t count,
                           const std::function<std::vector<Ball>()>& f, int digits, bool absolute) {
  const long bits = bits_of(digits);
  const long first = bits + 32;
  const Limited limited(data.limits);
  std::vector<Ball> best(count, whole_line());
  try {
    refine(first, 20 * first + 2000, [&] {
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
  } catch (const WorkLimitReached&) {  // what was enclosed before stands
  }
  return best;
}

Interval evaluate_one(const PrivacyLossData& data, const std::function<Ball()>& f, int digits,
                      bool absolute = false) {
  const auto one = [&] { return std::vector<Ball>{f()}; };
  return to_public(enclose(evaluate(data, 1, one, digits, absolute)[0]));
}

bool is_infinite(const Ball& x) { return !x.is_finite() && x.is_exact(); }

/// An exact point where P(L > x) exceeds the target, so that the quantile is to its right.
Ball point_below(const core::PrivacyLoss& loss, const Ball& target) {
  const Ball least = loss.least_loss();
  if (least.is_finite()) return least.lower();
  for (long e = 0; e < 64; ++e) {
    const Ball x = -ldexp(Ball(1), e);
    if (certainly_greater(loss.p_above(x), target)) return x;
  }
  throw SpecError("quantile: p must not be this close to 0");
}

/// Heuristic: where the non-increasing f meets the target, by doubling and bisection.
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

}  // namespace

PrivacyLoss::PrivacyLoss(const Composition& composition, Direction direction)
    : PrivacyLoss(composition, direction, Limits{}) {}

PrivacyLoss::PrivacyLoss(const Composition& composition, Direction direction, const Limits& limits)
    : data_() {
  if (!(limits.timeout_seconds > 0)) throw SpecError("timeout_seconds: must be > 0");
  const Limited limited(limits);
  try {
    data_ = std::make_shared<PrivacyLossData>(PrivacyLossData{
        core::ComposedLoss(composition.data().composition, direction == Direction::remove
                                                               ? core::Direction::remove
                                                               : core::Direction::add),
        composition.spec(), limits});
  } catch (const WorkLimitReached& reason) {
    throw SpecError("PrivacyLoss: " + std::string(reason.what()) + " for " +
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
  return evaluate_one(
      *data_, [&] { return data_->composed.mass_at_infinity(); }, digits, true);
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
  const core::PrivacyLoss& loss = data_->single();
  const Rational at = exact(x, "x");
  return evaluate_one(
      *data_, [&] { return loss.p_above(Ball(at)); }, digits);
}

Interval PrivacyLoss::q_above(const Number& x, int digits) const {
  const core::PrivacyLoss& loss = data_->single();
  const Rational at = exact(x, "x");
  return evaluate_one(
      *data_, [&] { return loss.q_above(Ball(at)); }, digits);
}

Interval PrivacyLoss::p_atom(const Number& x, int digits) const {
  const core::PrivacyLoss& loss = data_->single();
  const Rational at = exact(x, "x");
  return evaluate_one(
      *data_, [&] { return loss.p_atom(Ball(at)); }, digits);
}

std::optional<Interval> PrivacyLoss::density(const Number& x, int digits) const {
  const core::PrivacyLoss& loss = data_->single();
  const Rational at = exact(x, "x");
  try {
    const Limited limited(data_->limits);
    if (!loss.density(Ball(at))) return std::nullopt;
  } catch (const WorkLimitReached&) {
    return to_public(enclose(whole_line()));
  }
  return evaluate_one(
      *data_, [&] { return *loss.density(Ball(at)); }, digits);
}

Interval PrivacyLoss::quantile(const Number& p, int digits) const {
  const core::PrivacyLoss& loss = data_->single();
  const Rational probability = exact(p, "p");
  if (probability <= 0 || probability >= 1) {
    throw SpecError("quantile: p must be a number with 0 < p < 1");
  }
  const long bits = bits_of(digits);
  const PrecisionScope scope(2 * bits + 64);
  try {
    const Limited limited(data_->limits);
    const Ball target(Rational(1 - probability));
    const Ball start = point_below(loss, target);
    // crossing() works towards a relative width, so it is asked for the distance from the start.
    const auto above = [&](const Ball& distance) { return loss.p_above(start + distance); };
    const Crossing found = crossing(above, target, Ball(0), rough_crossing(above, target), bits);
    return to_public({enclose(start + found.lower).lower, enclose(start + found.upper).upper});
  } catch (const WorkLimitReached&) {
    return to_public(enclose(whole_line()));
  }
}

Interval PrivacyLoss::delta(const Number& epsilon, int digits) const {
  const core::PrivacyLoss& loss = data_->single();
  const Rational at = exact(epsilon, "epsilon");
  return evaluate_one(
      *data_, [&] { return loss.delta(Ball(at)); }, digits);
}

}  // namespace plaudit::inline v0
