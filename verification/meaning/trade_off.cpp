#include "verification/meaning/trade_off.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lib/balls/decided_sign.hpp"
#include "lib/balls/precision.hpp"
#include "lib/balls/refine.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/exact/simplest_rational.hpp"
#include "lib/mutant.hpp"
#include "lib/work/unlimited_work.hpp"
#include "lib/work/work_limit.hpp"
#include "verification/meaning/threshold_guess.hpp"

namespace plaudit {

namespace {

constexpr double bits_of_one_digit = 3.3219280948873624;
constexpr long more_bits_of_rates = 96;
// Heuristics of the search.
constexpr int digits_of_approach = 6;
constexpr int most_steps_of_approach = 40;
constexpr double near_score = 1e-2;  ///< from which on Newton's rule is trusted
constexpr double level_score = 1e-4;
constexpr int most_newton_steps = 5;
constexpr int most_rounds = 4;
constexpr int most_steps_at_jump = 60;
constexpr int spare_digits_of_rates = 2;
constexpr int most_sections = 20;
constexpr int most_turns = 10;
constexpr double largest_threshold = 1e15;
constexpr double least_share_of_scale = 1e-2;
constexpr double beyond_all = 1e6;  ///< the score of a rate of 0

long bits_of_rates(int digits) {
  return precision_bits(digits * bits_of_one_digit) + more_bits_of_rates;
}

/// The same with both bounds; that they are disjoint is an error of ours.
void meet(Span& span, const Span& other) {
  if (certainly_less(other.upper, span.lower) || certainly_less(span.upper, other.lower)) {
    throw std::logic_error("trade-off: two certified bands are disjoint");
  }
  if (certainly_less(span.lower, other.lower)) span.lower = other.lower;
  if (certainly_less(other.upper, span.upper)) span.upper = other.upper;
}

Ball middle_of(const Span& span) { return ldexp(span.lower + span.upper, -1).middle(); }

/// The deviation of L under Q, or what serves as a scale where it is not known.
double deviation_of_null(const ComposedLoss& loss) {
  const std::optional<ThresholdGuess> centre = guess_threshold(loss, 0);
  return centre ? centre->scale : 0;
}

/// A short number near x. @param log_step of the grid it lies on
Rational rounded(const Ball& x, double log_step) {
  const long exponent = clamped_integer(std::floor(log_step / log_two), -200'000, 40);
  return exact_rational(
      ldexp(exact_ball(floor_of(exact_rational(ldexp(x.middle(), -exponent)))), exponent));
}

}  // namespace

/// The threshold is sought among the numbers between `left`, where Q(L > x) is at least the rate,
/// and `right`, where it is at most that.
struct TradeOff::Search {
  Rational fpr;
  int digits;
  double score = 0;  ///< z with P(N > z) = fpr, N standard normal
  std::optional<Rational> left = {};
  std::optional<Rational> right = {};
  double left_score = 0;
  double right_score = 0;
  double scale = 1;  ///< by which thresholds move with the score
  Rational latest = 0;
  double latest_score = 0;
  bool smooth = false;
  PowerBand band = {};
  const BandListener& proven;

  /// That of the false positive rate of a threshold: by whichever tail is the smaller.
  double score_of(const Span& rate) const {
    const Ball q = middle_of(rate);
    const double low = q.estimate_log();
    if (low < -log_two) return std::isfinite(low) ? normal_score(low) : beyond_all;
    const double high = (Ball(1) - q).middle().estimate_log();
    return std::isfinite(high) ? -normal_score(high) : -beyond_all;
  }
};

TradeOff::TradeOff(const Composition& composition, Direction direction, double timeout_seconds)
    : loss_(composition, direction),
      tails_(composition, direction, timeout_seconds),
      exact_(ExactTests::of(loss_)) {
  if (loss_.terms().size() == 1 && loss_.terms()[0].count == 1) {
    single_ = loss_.terms()[0].loss.get();
  }
}

/// Of one mechanism, once, the law itself says it.
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

// Proof: docs/proofs/tradeoff.md#two-sides
Span TradeOff::enclosed(const Ball& fpr) const {
  struct Corner {
    Ball fpr;
    Ball power;
  };
  // Who rejects at random has the power fpr; who rejects where Q has nothing, P(L = inf) for
  // nothing.
  std::vector<Corner> left{{Ball(0), loss_.mass_at_infinity().lower()}};
  std::vector<Corner> right{{Ball(1), Ball(1)}};
  const Ball whole = loss_.q_mass().upper();
  if (certainly_less_equal(fpr, whole)) right.push_back({whole, Ball(1)});
  if (certainly_less_equal(whole, fpr)) left.push_back({whole, Ball(1)});
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
  const auto test = [&](const Span& rate, const Span& power) {
    const Ball cost = PLAUDIT_BOUND("trade_off.corner_fpr", rate.upper, rate.lower);
    const Ball gain = PLAUDIT_BOUND("trade_off.corner_power", power.lower, power.upper);
    if (certainly_less_equal(cost, fpr)) left.push_back({cost, gain});
    if (certainly_less_equal(fpr, cost)) right.push_back({cost, gain});
  };
  for (const auto& [x, threshold] : known_) {
    test(threshold.fpr, threshold.power);
    if (threshold.with_atom_fpr) test(*threshold.with_atom_fpr, *threshold.with_atom_power);
    const Ball& delta =
        PLAUDIT_BOUND("trade_off.delta", threshold.delta.upper, threshold.delta.lower);
    upper = min(upper, (delta + threshold.ratio * fpr).upper()).upper();
  }
  const auto chord = [&](const Corner& from, const Corner& to) {
    const Ball run = to.fpr - from.fpr;
    if (!certainly_positive(run)) return min(from.power, to.power).lower();
    return (((to.fpr - fpr) * from.power + (fpr - from.fpr) * to.power) / run).lower();
  };
  // The best chord: from one side to the other in turn, until neither corner has a better partner.
  Ball lower = fpr.lower();
  for (const Corner& from : left) lower = max(lower, from.power).lower();
  const auto best_of = [](const std::vector<Corner>& corners, const auto& height) {
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
    to = best_of(right, [&](const Corner& end) { return chord(left[from], end); });
    from = best_of(left, [&](const Corner& start) { return chord(start, right[to]); });
    if (turn > 0 && to == former) break;
  }
  lower = max(lower, chord(left[from], right[to])).lower();
  if (certainly_less(upper, lower)) {
    throw std::logic_error("trade-off: a test is better than the privacy curve allows");
  }
  return {lower, upper};
}

/// How many digits the width lacks of those wanted of the power and of its complement.
int TradeOff::missing(const Search& search) {
  const Span& power = search.band.power;
  const Ball width = (power.upper - power.lower).upper();
  if (!certainly_positive(width)) return 0;
  const Ball rest = Ball(1) - power.lower;
  const double least = std::min(power.upper.estimate_log(), rest.estimate_log());
  const double lack = (width.estimate_log() - least) / log_ten + search.digits;
  return static_cast<int>(clamped_integer(std::ceil(lack), 0, 10'000));
}

/// Certifies the test of this threshold, and places it among those known.
void TradeOff::take(Search& search, const Rational& x, int digits) {
  const Threshold& found = at(x, digits);
  ++search.band.thresholds;
  search.latest = x;
  search.latest_score = search.score_of(found.fpr);
  if (search.latest_score <= search.score) {
    if (!search.left || *search.left <= x) {
      search.left = x;
      search.left_score = search.latest_score;
    }
  }
  if (search.latest_score >= search.score) {
    if (!search.right || x <= *search.right) {
      search.right = x;
      search.right_score = search.latest_score;
    }
  }
}

/// Heuristic: e^x where the lines through the tests at both ends of the bracket meet, which is the
/// atom between them where there is one and no more.
std::optional<Rational> TradeOff::crossing_of_lines(const Search& search, int digits) {
  const PrecisionScope scope(bits_of_rates(2 * digits));
  const Threshold& left = known_.at(*search.left);
  const Threshold& right = known_.at(*search.right);
  const Ball left_rate = middle_of(left.fpr);
  const Ball right_rate = middle_of(right.fpr);
  // P(L > x) = delta(x) + e^x Q(L > x) is where each line starts.
  const Ball rise = (middle_of(left.power) - middle_of(right.power)) / (left_rate - right_rate);
  const Ball x = log(rise.middle());
  if (!x.is_finite()) return std::nullopt;
  const double reach = (Ball(*search.right) - Ball(*search.left)).estimate_log();
  const double step =
      std::min(reach, search.scale > 0 ? std::log(search.scale) : 0.0) - (digits + 2) * log_ten;
  const Rational place = rounded(x, step);
  const Rational half = exact_rational(exp(Ball(step)).middle());
  if (place - half <= *search.left || *search.right <= place + half) return std::nullopt;
  // A rational atom is short: the simplest number as near as that.
  const Rational low = place - half;
  const Rational high = place + half;
  if (low > 0) return simplest_between(low, high);
  if (high < 0) return -simplest_between(-high, -low);
  return Rational(0);
}

/// By secants of the scores and by bisection, until the threshold is near or the rate jumps.
void TradeOff::approach(Search& search) {
  search.scale = 1;
  const std::optional<ThresholdGuess> guess = guess_threshold(loss_, search.score);
  double x = guess ? guess->x : 0;
  if (guess) search.scale = std::max(guess->scale, least_share_of_scale * deviation_of_null(loss_));
  double stride = search.scale;
  for (int i = 0; i < most_steps_of_approach; ++i) {
    x = std::clamp(x, -largest_threshold, largest_threshold);
    const double left_before = search.left ? search.left_score : beyond_all;
    const double right_before = search.right ? search.right_score : -beyond_all;
    take(search, rounded(Ball(x), std::log(search.scale) - 9 * log_ten), digits_of_approach);
    const double gap = search.score - search.latest_score;
    search.smooth = std::fabs(gap) < near_score;
    if (search.smooth) return;
    // Between two places of one rate there is no loss: it jumps somewhere else.
    const bool level = std::fabs(search.latest_score - left_before) < level_score ||
                       std::fabs(search.latest_score - right_before) < level_score;
    if (level && search.left && search.right) return;
    if (!search.left || !search.right) {
      x += std::copysign(std::max(stride, std::min(std::fabs(gap), 10.0) * search.scale), gap);
      stride *= 2;
      if (std::fabs(x) > largest_threshold) return;
      continue;
    }
    const double from = estimate(*search.left);
    const double to = estimate(*search.right);
    // Where a third of all steps bisect, the bracket becomes short whatever the rate does.
    const double rise = search.right_score - search.left_score;
    const double share =
        i % 3 == 2 || !(rise < beyond_all) ? 0.5 : (search.score - search.left_score) / rise;
    x = from + std::clamp(share, 0.02, 0.98) * (to - from);
    if (to - from < 1e-3 * search.scale) return;  // a jump
    if (rise > 0) search.scale = std::min(search.scale, (to - from) / std::min(rise, 1.0));
  }
}

/// Newton's rule towards the threshold, then one test on its other side.
/// @return whether it came near enough; not where the rate jumps or bends.
bool TradeOff::refine_smooth(Search& search) {
  const PrecisionScope scope(bits_of_rates(2 * search.digits));
  const Ball fpr(search.fpr);
  const double log_least = std::min(estimate_log(search.fpr), estimate_log(1 - search.fpr));
  // The rate, in units of the smaller tail, falls by the hazard as the score rises by 1.
  const double hazard = log_normal_hazard(search.score);
  double slope = std::exp(hazard) / search.scale;
  int digits = search.digits;
  Rational x = search.latest;
  for (int round = 0; round < most_rounds; ++round) {
    const Span known = enclosed(fpr);
    const double log_power = middle_of(known).estimate_log();
    const double log_goal =
        std::min(log_power, (Ball(1) - middle_of(known)).estimate_log()) - (digits + 1) * log_ten;
    const int asked =
        spare_digits_of_rates +
        static_cast<int>(clamped_integer(std::ceil((log_power - log_goal) / log_ten), 1, 20'000));
    // A distance of h costs about h^2 slope e^x times the smaller tail, halved.
    const double log_reach =
        std::min((log_two + log_goal - std::log(slope) - log_least - estimate(x)) / 2,
                 std::log(search.scale));
    const auto off = [&](const Rational& place) {
      return (middle_of(known_.at(place).fpr) - fpr) / exp(Ball(log_least));
    };
    take(search, x, asked);
    Ball step = off(x) / Ball(slope);
    for (int i = 0; i < most_newton_steps && step.estimate_log() > log_reach - 1.4; ++i) {
      const Rational next = rounded(Ball(x) + step, log_reach - 4);
      if (next == x) break;
      const Ball before = off(x);
      take(search, next, asked);
      if (!certainly_less(abs(off(next)), ldexp(abs(before), -1))) return false;
      const double found = ((before - off(next)) / (Ball(next) - Ball(x))).estimate();
      if (std::isfinite(found) && found > 0) slope = found;
      x = next;
      step = off(x) / Ball(slope);
    }
    // The other side of the threshold, as far again.
    const Ball away =
        step + (certainly_negative(step) ? -Ball(1) : Ball(1)) * exp(Ball(log_reach)) / Ball(2);
    take(search, rounded(Ball(x) + away, log_reach - 4), asked);
    ask_accountants(x, asked);
    enclose_band(search);
    const int lack = missing(search);
    if (lack == 0) return true;
    digits += lack + 1;
  }
  return false;
}

/// Tests on both sides of a jump of the rate are corners of one chord; what is sought is the line
/// above it, which is that of the loss where it jumps.
void TradeOff::refine_jump(Search& search) {
  int digits = search.digits + spare_digits_of_rates;
  for (double stride = search.scale; !search.left || !search.right; stride *= 2) {
    const Rational from = search.left ? *search.left : *search.right;
    if (std::fabs(estimate(from)) + stride > largest_threshold) return;
    const Ball away = search.left ? Ball(stride) : -Ball(stride);
    take(search, rounded(Ball(from) + away, std::log(search.scale) - 9 * log_ten), digits);
  }
  for (int i = 0; i < most_steps_at_jump; ++i) {
    const PrecisionScope scope(bits_of_rates(2 * digits));
    at(*search.left, digits);
    at(*search.right, digits);
    std::optional<Rational> x = crossing_of_lines(search, digits);
    if (!x || i % 4 == 3) {
      const Rational middle = (*search.left + *search.right) / 2;
      x = rounded(Ball(middle), (Ball(*search.right) - Ball(*search.left)).estimate_log() - 4);
    }
    take(search, *x, digits);
    ask_accountants(*x, digits);
    const int before = missing(search);
    enclose_band(search);
    const int lack = missing(search);
    if (lack == 0) return;
    if (i % 8 == 7 && lack >= before) digits += 4;
  }
}

/// Where rates of tests are not known, as of laws of which only bounds are, the curve alone: its
/// least upper bound, found by golden sections.
void TradeOff::refine_by_curve(Search& search) {
  const auto height = [&](double x) {
    const Rational at = rounded(Ball(x), -20 * log_two);
    ask_accountants(at, digits_of_approach);
    const Threshold& found = known_.at(at);
    return (found.delta.upper + found.ratio * Ball(search.fpr)).estimate_log();
  };
  double best = 0;
  double least = height(0);
  for (double x = 1.0 / 16; x < 256; x *= 2) {
    const double here = height(x);
    if (here < least) {
      least = here;
      best = x;
    }
  }
  double low = best / 2;
  double high = best > 0 ? 2 * best : 1.0 / 16;
  constexpr double golden = 0.6180339887498949;
  for (int i = 0; i < most_sections; ++i) {
    const double left = high - golden * (high - low);
    const double right = low + golden * (high - low);
    if (height(left) < height(right)) {
      high = right;
    } else {
      low = left;
    }
  }
}

/// What is known by now of the power that is sought.
void TradeOff::enclose_band(Search& search) const {
  search.band.power = enclosed(Ball(search.fpr));
  Enclosure band;
  band.lower = search.band.power.lower;
  band.upper = search.band.power.upper;
  search.proven(band);
}

PowerBand TradeOff::power(const Rational& fpr, int digits, const BandListener& proven) {
  const auto exactly = [&](const Rational& value) {
    const PrecisionScope scope(bits_of_rates(digits));
    return PowerBand{{Ball(value).lower(), Ball(value).upper()}, value, 0, ""};
  };
  if (exact_) return exactly(exact_->power(fpr));
  // Proof: docs/proofs/tradeoff.md#ends
  if (fpr == 1) return exactly(1);
  if (fpr == 0) {
    if (const auto mass = loss_.exact_mass_at_infinity()) return exactly(*mass);
    const PrecisionScope scope(bits_of_rates(2 * digits));
    const Ball mass = loss_.mass_at_infinity();
    return {{mass.lower(), mass.upper()}, {}, 0, ""};
  }
  return by_thresholds(fpr, digits, proven);
}

/// Within half of the time: the rest is for the curve alone, where tests take too long.
void TradeOff::by_tests(Search& search) {
  try {
    std::optional<WorkLimit> share;
    if (std::isfinite(wall_seconds_left())) share.emplace(wall_seconds_left() / 2);
    approach(search);
    const bool done = search.smooth && refine_smooth(search);
    if (!done && (search.left || search.right)) refine_jump(search);
  } catch (...) {
    given_up_unless_contradiction();
    check_work_limit();  // the limit itself, or the share alone
  }
}

PowerBand TradeOff::by_thresholds(const Rational& fpr, int digits, const BandListener& proven) {
  Search search{.fpr = fpr, .digits = digits, .proven = proven};
  const PrecisionScope scope(bits_of_rates(2 * digits));
  try {
    search.score = 2 * fpr < 1 ? normal_score(estimate_log(fpr))
                               : -normal_score(estimate_log(Rational(1 - fpr)));
    enclose_band(search);
    if (missing(search) == 0) return search.band;
    by_tests(search);
    enclose_band(search);
    if (missing(search) >= search.digits) {
      refine_by_curve(search);
      enclose_band(search);
    }
    if (missing(search) > 0) search.band.remark = "the thresholds tried did not come nearer";
  } catch (...) {
    const GivenUp why = given_up_unless_contradiction();
    search.band.remark = why.words;
    search.band.cause = why.cause;
    const UnlimitedWork ending;
    enclose_band(search);
  }
  return search.band;
}

}  // namespace plaudit
