#include "verification/meaning/trade_off.hpp"

#include <algorithm>
#include <stdexcept>

#include "lib/balls/decided_sign.hpp"
#include "lib/balls/precision.hpp"
#include "lib/balls/refine.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/unlimited_work.hpp"
#include "lib/work/work_limit.hpp"
#include "verification/meaning/threshold_search.hpp"

namespace plaudit {

namespace {

constexpr double bits_of_one_digit = 3.3219280948873624;
constexpr long more_bits_of_rates = 96;  ///< of precision, beyond the digits
constexpr int most_turns = 10;           ///< of the search for the best chord

/// The same with both bounds; that they are disjoint is an error of ours.
void meet(Span& span, const Span& other) {
  if (certainly_less(other.upper, span.lower) || certainly_less(span.upper, other.lower)) {
    throw std::logic_error("trade-off: two certified bands are disjoint");
  }
  if (certainly_less(span.lower, other.lower)) span.lower = other.lower;
  if (certainly_less(other.upper, span.upper)) span.upper = other.upper;
}

}  // namespace

long bits_of_rates(int digits) {
  return precision_bits(digits * bits_of_one_digit) + more_bits_of_rates;
}

TradeOff::TradeOff(const Composition& composition, Direction direction, double timeout_seconds)
    : loss_(composition, direction),
      tails_(composition, direction, timeout_seconds),
      exact_(ExactTests::of(loss_)) {
  if (loss_.terms().size() == 1 && loss_.terms()[0].count == 1) {
    single_ = loss_.terms()[0].loss.get();
  }
}

/// The masses at x of a composition of one step: its law encloses them itself.
ComposedMasses TradeOff::of_single(const Rational& x, int digits) const {
  const auto span = [](const Ball& mass) {
    return Span{max(Ball(0), mass).lower(), min(Ball(1), mass).upper()};
  };
  const long wanted = precision_bits(digits * bits_of_one_digit);
  ComposedMasses result{{Ball(0), Ball(1)}, {Ball(0), Ball(1)}, {Ball(0), Ball(1)}};
  const long first = wanted + more_bits_of_rates + static_cast<long>(bit_size(x));
  const auto look = [&] {
    const PointMasses found = single_->masses_at(x);
    const auto good = [&](const Ball& mass) {
      return mass.is_finite() && (mass.is_exact_zero() || mass.relative_accuracy_bits() >= wanted);
    };
    if (found.p_above.is_finite() && found.q_above.is_finite() && found.p_atom.is_finite()) {
      result = {span(found.p_above), span(found.q_above), span(found.p_atom)};
    }
    return good(found.p_above) && good(found.q_above) ? 0L : working_precision();
  };
  try {
    refine(first, 8 * first, look);
  } catch (...) {  // what was enclosed before stands
    given_up_unless_contradiction();
  }
  return result;
}

const TradeOff::Threshold& TradeOff::at(const Rational& x, int digits) {
  const auto before = known_.find(x);
  if (before != known_.end() && before->second.digits >= digits) return before->second;
  const PrecisionScope scope(bits_of_rates(digits));
  const ComposedMasses masses = single_ ? of_single(x, digits) : tails_.at(x, digits);
  Threshold& found = note(x, masses);
  try {
    check_work_limit();
  } catch (const WorkLimitReached&) {  // proven, but no answer to a later question
    found.digits = 0;
    throw;
  }
  found.digits = digits;
  return found;
}

/// Joins what was enclosed at x with what is known there.
// Proof: docs/proofs/tradeoff.md#two-sides
TradeOff::Threshold& TradeOff::note(const Rational& x, const ComposedMasses& masses) {
  const UnlimitedWork joining;
  const Ball ratio = exp(Ball(x));
  Threshold found{masses.q_above, masses.p_above, ratio, {Ball(0), Ball(1)}, {}, {}, 0};
  meet(found.delta, {max(Ball(0), masses.p_above.lower - ratio * masses.q_above.upper).lower(),
                     min(Ball(1), masses.p_above.upper - ratio * masses.q_above.lower).upper()});
  if (certainly_positive(masses.p_atom.lower)) {
    const Ball of_q = (hull(masses.p_atom.lower, masses.p_atom.upper) / ratio);
    found.with_atom_fpr = {(masses.q_above.lower + of_q).lower(),
                           min(Ball(1), masses.q_above.upper + of_q).upper()};
    found.with_atom_power = {(masses.p_above.lower + masses.p_atom.lower).lower(),
                             min(Ball(1), masses.p_above.upper + masses.p_atom.upper).upper()};
  }
  const auto before = known_.find(x);
  if (before != known_.end()) {
    meet(found.fpr, before->second.fpr);
    meet(found.power, before->second.power);
    meet(found.delta, before->second.delta);
  }
  return known_.insert_or_assign(x, found).first->second;
}

void TradeOff::ask_accountants(const Rational& x, int digits) {
  const PrecisionScope scope(bits_of_rates(digits));
  const Span delta = tails_.delta(x, digits);
  const Ball ratio = exp(Ball(x));
  const auto [place, fresh] = known_.try_emplace(
      x, Threshold{{Ball(0), Ball(1)}, {Ball(0), Ball(1)}, ratio, delta, {}, {}, 0});
  if (!fresh) meet(place->second.delta, delta);
}

namespace {

/// A test, as a corner of the chords: its power is at least this, its false positive rate at most.
struct TestCorner {
  Ball fpr;
  Ball power;
};

/// The power at fpr of the mixture of both, left.fpr <= fpr <= right.fpr.
Ball chord(const TestCorner& left, const TestCorner& right, const Ball& fpr) {
  const Ball run = right.fpr - left.fpr;
  if (!certainly_positive(run)) return min(left.power, right.power).lower();
  return (((right.fpr - fpr) * left.power + (fpr - left.fpr) * right.power) / run).lower();
}

/// The best chord: from one side to the other in turn, until neither corner has a better partner.
Ball best_chord(const std::vector<TestCorner>& left, const std::vector<TestCorner>& right,
                const Ball& fpr) {
  const auto best_of = [](const std::vector<TestCorner>& corners, const auto& height) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < corners.size(); ++i) {
      if (certainly_less(height(corners[best]), height(corners[i]))) best = i;
    }
    return best;
  };
  std::size_t from = 0;
  std::size_t to = 0;
  for (int turn = 0; turn < most_turns; ++turn) {
    const std::size_t former = to;
    to = best_of(right, [&](const TestCorner& end) { return chord(left[from], end, fpr); });
    from = best_of(left, [&](const TestCorner& start) { return chord(start, right[to], fpr); });
    if (turn > 0 && to == former) break;
  }
  return chord(left[from], right[to], fpr);
}

}  // namespace

/// From below: the best mixture of two tests.
// Proof: docs/proofs/tradeoff.md#two-sides
Ball TradeOff::power_of_tests(const Ball& fpr) const {
  // Who rejects at random has the power fpr; who rejects where Q has nothing, P(L = inf) for
  // nothing.
  std::vector<TestCorner> left{{Ball(0), loss_.mass_at_infinity().lower()}};
  std::vector<TestCorner> right{{Ball(1), Ball(1)}};
  const Ball whole = loss_.q_mass().upper();
  if (certainly_less_equal(fpr, whole)) right.push_back({whole, Ball(1)});
  if (certainly_less_equal(whole, fpr)) left.push_back({whole, Ball(1)});
  const auto test = [&](const Span& rate, const Span& power) {
    const Ball cost = PLAUDIT_BOUND("trade_off.corner_fpr", rate.upper, rate.lower);
    const Ball gain = PLAUDIT_BOUND("trade_off.corner_power", power.lower, power.upper);
    if (certainly_less_equal(cost, fpr)) left.push_back({cost, gain});
    if (certainly_less_equal(fpr, cost)) right.push_back({cost, gain});
  };
  for (const auto& [x, threshold] : known_) {
    test(threshold.fpr, threshold.power);
    if (threshold.with_atom_fpr) test(*threshold.with_atom_fpr, *threshold.with_atom_power);
  }
  Ball lower = fpr.lower();
  for (const TestCorner& from : left) lower = max(lower, from.power).lower();
  return max(lower, best_chord(left, right, fpr)).lower();
}

/// From above: the lowest line of a threshold.
// Proof: docs/proofs/tradeoff.md#two-sides
Ball TradeOff::power_by_lines(const Ball& fpr) const {
  // The lines of the ends of the support are known: delta is P(L = inf) from the right one on, and
  // 1 - q0 e^x up to the left one. Proof: docs/proofs/tradeoff.md#two-sides
  Ball upper(1);
  const Ball greatest = loss_.greatest_loss();
  const Ball least = loss_.least_loss();
  if (greatest.is_finite()) {
    upper = min(upper, loss_.mass_at_infinity() + exp(greatest.upper()) * fpr).upper();
  }
  if (least.is_finite()) {
    upper = min(upper, Ball(1) - exp(least.lower()) * (loss_.q_mass() - fpr)).upper();
  }
  for (const auto& [x, threshold] : known_) {
    const Ball& delta =
        PLAUDIT_BOUND("trade_off.delta", threshold.delta.upper, threshold.delta.lower);
    upper = min(upper, (delta + threshold.ratio * fpr).upper()).upper();
  }
  return upper;
}

Span TradeOff::enclosed(const Ball& fpr) const {
  Span power{power_of_tests(fpr), power_by_lines(fpr)};
  if (certainly_less(power.upper, power.lower)) {
    throw std::logic_error("trade-off: a test is better than the privacy curve allows");
  }
  return power;
}

PowerBand TradeOff::power(const Rational& fpr, int digits, const BandListener& proven) {
  const auto exactly = [&](const Rational& value) {
    const PrecisionScope scope(bits_of_rates(digits));
    return PowerBand{{Ball(value).lower(), Ball(value).upper()}, value};
  };
  if (exact_) return exactly(exact_->power(fpr));
  // Proof: docs/proofs/tradeoff.md#ends
  if (fpr == 1) return exactly(1);
  if (fpr == 0) {
    if (const auto mass = loss_.exact_mass_at_infinity()) return exactly(*mass);
    const PrecisionScope scope(bits_of_rates(2 * digits));
    const Ball mass = loss_.mass_at_infinity();
    return {{mass.lower(), mass.upper()}};
  }
  return ThresholdSearch(*this, fpr, digits, proven).run(ThresholdSearch::First::curve);
}

PowerBand TradeOff::by_thresholds(const Rational& fpr, int digits, const BandListener& proven) {
  return ThresholdSearch(*this, fpr, digits, proven).run(ThresholdSearch::First::tests);
}

}  // namespace plaudit
