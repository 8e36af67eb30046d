#include "verification/meaning/threshold_search.hpp"

#include <algorithm>
#include <cmath>

#include "lib/balls/decided_sign.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/exact/simplest_rational.hpp"
#include "lib/work/unlimited_work.hpp"
#include "lib/work/work_limit.hpp"
#include "verification/meaning/curve_search.hpp"
#include "verification/meaning/threshold_guess.hpp"

namespace plaudit {

namespace {

// These choose which tests are certified: bad ones make the band wider, never wrong.
constexpr int digits_of_approach = 6;
constexpr int most_steps_of_approach = 40;
constexpr double near_score = 1e-2;   ///< from which on Newton's rule is trusted
constexpr double level_score = 1e-4;  ///< scores nearer than that are those of one rate
constexpr int most_newton_steps = 5;
constexpr int most_rounds = 4;  ///< of refine_smooth(), each with more digits
constexpr int most_steps_at_jump = 60;
constexpr int spare_digits_of_rates = 2;
constexpr double largest_threshold = 1e15;
constexpr double least_share_of_scale = 1e-2;  ///< of the deviation of L under Q, for a guess
constexpr double beyond_all = 1e6;             ///< the score of a rate of 0

Ball middle_of(const Span& span) { return ldexp(span.lower + span.upper, -1).middle(); }

/// The deviation of L under Q, or what serves as a scale where it is not known.
double deviation_of_null(const ComposedLoss& loss) {
  const std::optional<ThresholdGuess> centre = guess_threshold(loss, 0);
  return centre ? centre->scale : 0;
}

}  // namespace

/// That of the false positive rate of a threshold: by whichever tail is the smaller.
double ThresholdSearch::score_of(const Span& rate) {
  const Ball q = middle_of(rate);
  const double low = q.estimate_log();
  if (low < -log_two) return std::isfinite(low) ? normal_score(low) : beyond_all;
  const double high = (Ball(1) - q).middle().estimate_log();
  return std::isfinite(high) ? -normal_score(high) : -beyond_all;
}

int ThresholdSearch::missing() const { return missing_digits_of_power(band_.power, digits_); }

/// Certifies the test of this threshold, and places it among those known.
void ThresholdSearch::take(const Rational& x, int digits) {
  const Threshold& found = trade_.at(x, digits);
  ++band_.thresholds;
  latest_ = x;
  latest_score_ = score_of(found.fpr);
  if (latest_score_ <= score_) {
    if (!left_ || *left_ <= x) {
      left_ = x;
      left_score_ = latest_score_;
    }
  }
  if (latest_score_ >= score_) {
    if (!right_ || x <= *right_) {
      right_ = x;
      right_score_ = latest_score_;
    }
  }
}

/// Heuristic: the logarithm of the slope of the chord between the tests at both ends of the
/// bracket, which is the atom between them where there is one and no other loss.
std::optional<Rational> ThresholdSearch::log_slope_of_chord(int digits) const {
  const PrecisionScope scope(bits_of_rates(2 * digits));
  const Threshold& left = known_at(*left_);
  const Threshold& right = known_at(*right_);
  const Ball left_rate = middle_of(left.fpr);
  const Ball right_rate = middle_of(right.fpr);
  // P and Q of the losses between them; an atom x has dP / dQ = e^x.
  const Ball rise = (middle_of(left.power) - middle_of(right.power)) / (left_rate - right_rate);
  const Ball x = log(rise.middle());
  if (!x.is_finite()) return std::nullopt;
  const double reach = (Ball(*right_) - Ball(*left_)).estimate_log();
  const double step = std::min(reach, scale_ > 0 ? std::log(scale_) : 0.0) - (digits + 2) * log_ten;
  const Rational place = rounded_threshold(x, step);
  const Rational half = exact_rational(exp(Ball(step)).middle());
  if (place - half <= *left_ || *right_ <= place + half) return std::nullopt;
  // A rational atom is short: the simplest number as near as that.
  const Rational low = place - half;
  const Rational high = place + half;
  if (low > 0) return simplest_between(low, high);
  if (high < 0) return -simplest_between(-high, -low);
  return Rational(0);
}

/// By secants of the scores and by bisection, until the threshold is near or the rate jumps.
void ThresholdSearch::approach() {
  scale_ = 1;
  const std::optional<ThresholdGuess> guess = guess_threshold(trade_.loss(), score_);
  double x = guess ? guess->x : 0;
  if (guess) {
    scale_ = std::max(guess->scale, least_share_of_scale * deviation_of_null(trade_.loss()));
  }
  double stride = scale_;
  for (int i = 0; i < most_steps_of_approach; ++i) {
    x = std::clamp(x, -largest_threshold, largest_threshold);
    const double left_before = left_ ? left_score_ : beyond_all;
    const double right_before = right_ ? right_score_ : -beyond_all;
    take(rounded_threshold(Ball(x), std::log(scale_) - 9 * log_ten), digits_of_approach);
    const double gap = score_ - latest_score_;
    smooth_ = std::fabs(gap) < near_score;
    if (smooth_) return;
    // Between two places of one rate there is no loss: it jumps somewhere else.
    const bool level = std::fabs(latest_score_ - left_before) < level_score ||
                       std::fabs(latest_score_ - right_before) < level_score;
    if (level && left_ && right_) return;
    if (!left_ || !right_) {
      x += std::copysign(std::max(stride, std::min(std::fabs(gap), 10.0) * scale_), gap);
      stride *= 2;
      if (std::fabs(x) > largest_threshold) return;
      continue;
    }
    const double from = estimate(*left_);
    const double to = estimate(*right_);
    // Where a third of all steps bisect, the bracket becomes short whatever the rate does.
    const double rise = right_score_ - left_score_;
    const double share = i % 3 == 2 || !(rise < beyond_all) ? 0.5 : (score_ - left_score_) / rise;
    x = from + std::clamp(share, 0.02, 0.98) * (to - from);
    if (to - from < 1e-3 * scale_) return;  // a jump
    if (rise > 0) scale_ = std::min(scale_, (to - from) / std::min(rise, 1.0));
  }
}

/// Newton's rule towards the threshold, then one test on its other side.
/// @return whether it came near enough; not where the rate jumps or bends.
bool ThresholdSearch::refine_smooth() {
  const PrecisionScope scope(bits_of_rates(2 * digits_));
  const Ball fpr(fpr_);
  const double log_least = std::min(estimate_log(fpr_), estimate_log(1 - fpr_));
  // The rate, in units of the smaller tail, falls by the hazard as the score rises by 1.
  const double hazard = log_normal_hazard(score_);
  double slope = std::exp(hazard) / scale_;
  int digits = digits_;
  Rational x = latest_;
  for (int round = 0; round < most_rounds; ++round) {
    const Span known = trade_.enclosed(fpr);
    const double log_power = middle_of(known).estimate_log();
    const double log_goal =
        std::min(log_power, (Ball(1) - middle_of(known)).estimate_log()) - (digits + 1) * log_ten;
    const int asked =
        spare_digits_of_rates +
        static_cast<int>(clamped_integer(std::ceil((log_power - log_goal) / log_ten), 1, 20'000));
    // A distance of h costs about h^2 slope e^x times the smaller tail, halved.
    const double log_reach = std::min(
        (log_two + log_goal - std::log(slope) - log_least - estimate(x)) / 2, std::log(scale_));
    const auto off = [&](const Rational& place) {
      return (middle_of(known_at(place).fpr) - fpr) / exp(Ball(log_least));
    };
    take(x, asked);
    Ball step = off(x) / Ball(slope);
    for (int i = 0; i < most_newton_steps && step.estimate_log() > log_reach - 1.4; ++i) {
      const Rational next = rounded_threshold(Ball(x) + step, log_reach - 4);
      if (next == x) break;
      const Ball before = off(x);
      take(next, asked);
      if (!certainly_less(abs(off(next)), ldexp(abs(before), -1))) return false;
      const double found = ((before - off(next)) / (Ball(next) - Ball(x))).estimate();
      if (std::isfinite(found) && found > 0) slope = found;
      x = next;
      step = off(x) / Ball(slope);
    }
    // The other side of the threshold, as far again.
    const Ball away =
        step + (certainly_negative(step) ? -Ball(1) : Ball(1)) * exp(Ball(log_reach)) / Ball(2);
    take(rounded_threshold(Ball(x) + away, log_reach - 4), asked);
    trade_.ask_accountants(x, asked);
    enclose_band();
    const int lack = missing();
    if (lack == 0) return true;
    digits += lack + 1;
  }
  return false;
}

/// Tests on both sides of a jump of the rate are the ends of the chord that bounds the power from
/// below; what is sought is the line above it, that of the loss at which the rate jumps.
void ThresholdSearch::refine_jump() {
  int digits = digits_ + spare_digits_of_rates;
  for (double stride = scale_; !left_ || !right_; stride *= 2) {
    const Rational from = left_ ? *left_ : *right_;
    if (std::fabs(estimate(from)) + stride > largest_threshold) return;
    const Ball away = left_ ? Ball(stride) : -Ball(stride);
    take(rounded_threshold(Ball(from) + away, std::log(scale_) - 9 * log_ten), digits);
  }
  for (int i = 0; i < most_steps_at_jump; ++i) {
    const PrecisionScope scope(bits_of_rates(2 * digits));
    trade_.at(*left_, digits);
    trade_.at(*right_, digits);
    std::optional<Rational> x = log_slope_of_chord(digits);
    if (!x || i % 4 == 3) {
      const Rational middle = (*left_ + *right_) / 2;
      x = rounded_threshold(Ball(middle), (Ball(*right_) - Ball(*left_)).estimate_log() - 4);
    }
    take(*x, digits);
    trade_.ask_accountants(*x, digits);
    const int before = missing();
    enclose_band();
    const int lack = missing();
    if (lack == 0) return;
    if (i % 8 == 7 && lack >= before) digits += 4;
  }
}

/// What is known by now of the power that is sought.
void ThresholdSearch::enclose_band() {
  const Span known = trade_.enclosed(Ball(fpr_));
  band_.power.lower = max(band_.power.lower, known.lower).lower();
  band_.power.upper = min(band_.power.upper, known.upper).upper();
  tell();
}

void ThresholdSearch::tell() const {
  Enclosure band;
  band.lower = band_.power.lower;
  band.upper = band_.power.upper;
  proven_(band);
}

void ThresholdSearch::by_tests() {
  approach();
  const bool done = smooth_ && refine_smooth();
  if (!done && (left_ || right_)) refine_jump();
  enclose_band();
}

void ThresholdSearch::by_curve() {
  CurveSearch search(trade_, fpr_, score_, digits_, band_.power, [this] { tell(); });
  try {
    search.run();
  } catch (...) {
    band_.values += search.values();
    throw;
  }
  band_.values += search.values();
}

/// Both ways one after the other, the first within half of the time.
void ThresholdSearch::search(First first) {
  const auto by = [&](bool curve) { curve ? by_curve() : by_tests(); };
  try {
    std::optional<WorkLimit> share;
    if (std::isfinite(wall_seconds_left())) share.emplace(wall_seconds_left() / 2);
    by(first == First::curve);
  } catch (...) {
    given_up_unless_contradiction();
    check_work_limit();  // the limit itself, or the share alone
  }
  if (missing() > 0) by(first != First::curve);
}

PowerBand ThresholdSearch::run(First first) {
  const PrecisionScope scope(bits_of_rates(2 * digits_));
  try {
    score_ = 2 * fpr_ < 1 ? normal_score(estimate_log(fpr_))
                          : -normal_score(estimate_log(Rational(1 - fpr_)));
    enclose_band();
    if (missing() > 0) search(first);
    if (missing() > 0) band_.remark = "the thresholds tried did not come nearer";
  } catch (...) {
    const GivenUp why = given_up_unless_contradiction();
    band_.remark = why.words;
    band_.cause = why.cause;
    const UnlimitedWork ending;
    enclose_band();
  }
  return band_;
}

}  // namespace plaudit
