#include "verification/meaning/curve_search.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/unlimited_work.hpp"
#include "verification/meaning/threshold_guess.hpp"

namespace plaudit {

namespace {

// These choose where the curve is asked: bad ones make the band wider, never wrong.
constexpr int most_values = 120;
constexpr int spare_digits_of_values = 2;
constexpr double first_stride = 1.0 / 16;  ///< in scales, around the first guess
constexpr double nearest_to_place = 0.02;  ///< of a piece: so far new places stay from its ends
constexpr double steps_of_piece = 3;       ///< nats: places are rounded to e^-3 of such a distance
/// More digits are asked for, not places, where the gap is below so many times what values leave.
constexpr int gap_of_values = 6;
constexpr double agreement = 0.2;  ///< of parabolas, in parts of the piece they have in common

}  // namespace

int missing_digits_of_power(const Span& power, int digits) {
  const Ball width = (power.upper - power.lower).upper();
  if (!certainly_positive(width)) return 0;
  const Ball rest = Ball(1) - power.lower;
  const double least = std::min(power.upper.estimate_log(), rest.estimate_log());
  const double lack = (width.estimate_log() - least) / log_ten + digits;
  return static_cast<int>(clamped_integer(std::ceil(lack), 0, 10'000));
}

Rational rounded_threshold(const Ball& x, double log_step) {
  const long exponent = clamped_integer(std::floor(log_step / log_two), -200'000, 40);
  return exact_rational(
      ldexp(exact_ball(floor_of(exact_rational(ldexp(x.middle(), -exponent)))), exponent));
}

CurveSearch::CurveSearch(TradeOff& trade, const Rational& fpr, double score, int digits,
                         Span& power, std::function<void()> narrower)
    : trade_(trade),
      fpr_(fpr),
      digits_(digits),
      power_(power),
      narrower_(std::move(narrower)),
      scale_(1),
      centre_(0),
      asked_(digits + spare_digits_of_values) {
  if (const auto guess = guess_threshold(trade.loss(), score)) {
    centre_ = guess->x;
    scale_ = guess->scale;
  }
}

void CurveSearch::ask(const Rational& x) {
  trade_.ask_accountants(x, asked_);
  places_[x] = asked_;
  ++values_;
}

/// Lists what is known of the curve, between two ends.
// Proof: docs/proofs/tradeoff.md#cuts
void CurveSearch::list() {
  const ComposedLoss& loss = trade_.loss();
  curve_ = {{{Ball(0), Ball(1), Ball(1)}}, loss.q_mass(), loss.mass_at_infinity()};
  listed_ = {std::nullopt};
  const auto add = [&](const Ball& u, const Ball& lower, const Ball& upper,
                       const std::optional<Rational>& x) {
    curve_.points.push_back({u, lower.lower(), upper.upper()});
    listed_.push_back(x);
  };
  // From u = 1 / a on a u alone is at least 1; beyond the greatest loss D is P(L = inf).
  Ball end = (Ball(1) / fpr_).upper();
  Ball upper_at_end(1);
  const Ball greatest = exp(loss.greatest_loss()).upper();
  if (greatest.is_finite() && certainly_less(greatest, end)) {
    end = greatest;
    upper_at_end = curve_.infinite;
  }
  const Ball least = exp(loss.least_loss()).lower();
  if (certainly_positive(least) && certainly_less(least, end)) {
    const Ball there = Ball(1) - curve_.q_mass * least;
    add(least, there, there, std::nullopt);
  }
  for (const auto& [x, digits] : places_) {
    const TradeOff::Threshold& known = trade_.thresholds().at(x);
    if (certainly_less(curve_.points.back().u, known.ratio) && certainly_less(known.ratio, end)) {
      add(known.ratio, known.delta.lower, known.delta.upper, x);
    }
  }
  add(end, max(Ball(0), curve_.infinite), upper_at_end, std::nullopt);
}

/// Narrows the power by all that is known.
void CurveSearch::look() {
  {
    const UnlimitedWork joining;
    list();
    const Span known = trade_.enclosed(fpr_);
    least_ = least_height(curve_, fpr_);
    power_.lower = max(power_.lower, max(known.lower, least_.bound)).lower();
    power_.upper = min(power_.upper, known.upper).upper();
    if (certainly_less(power_.upper, power_.lower)) {
      throw std::logic_error("trade-off: the curve is below its own secants");
    }
  }
  narrower_();
}

/// The vertex of the parabola through three points of D(u) + a u over x = log u, and half of its
/// curvature; nothing where it is not certain that it opens upward.
std::optional<CurveSearch::Vertex> CurveSearch::vertex(std::size_t i, std::size_t j,
                                                       std::size_t k) const {
  const auto height = [&](std::size_t at) {
    const CurvePoint& point = curve_.points[at];
    return hull(point.lower, point.upper) + fpr_ * point.u;
  };
  const Ball x(*listed_[i]);
  const Ball y(*listed_[j]);
  const Ball z(*listed_[k]);
  const Ball first = (height(j) - height(i)) / (y - x);
  const Ball second = (height(k) - height(j)) / (z - y);
  const Ball bend = (second - first) / (z - x);
  if (!certainly_positive(bend)) return std::nullopt;
  return Vertex{ldexp(x + y - first / bend, -1), bend};
}

/// Where the curve is smooth: next to the vertex of the parabola through the lowest points, on the
/// side whose next place is farther away; nothing where two parabolas do not agree.
std::optional<Rational> CurveSearch::next_to_vertex() const {
  const std::size_t i = least_.from;
  const auto asked = [&](std::size_t at) { return at < listed_.size() && listed_[at]; };
  if (!asked(i) || !asked(i + 1)) return std::nullopt;
  const bool before = i > 0 && asked(i - 1);
  const bool after = asked(i + 2);
  if (!before || !after) return std::nullopt;
  const auto one = vertex(i - 1, i, i + 1);
  const auto other = vertex(i, i + 1, i + 2);
  if (!one || !other) return std::nullopt;
  const Ball left(*listed_[i]);
  const Ball right(*listed_[i + 1]);
  const Ball middle = ldexp(one->x + other->x, -1).middle();
  const Ball apart = abs(one->x - other->x).upper();
  if (!certainly_less(apart, (right - left) * Ball(agreement)) || !certainly_less(left, middle) ||
      !certainly_less(middle, right)) {
    return std::nullopt;
  }
  // so near that the secants of its neighbours leave less open than is wanted
  const Ball gap = (power_.upper - least_.bound).upper();
  const Ball wanted =
      gap * power(Ball(Rational(1, 10)),
                  static_cast<std::uint64_t>(missing_digits_of_power(power_, digits_)) + 1);
  const Ball near = sqrt(wanted / one->bend);
  const bool to_the_left = certainly_less(right - middle, middle - left);
  const Ball away = max(near, apart);
  const Ball x = to_the_left ? middle - away : middle + away;
  const Rational place = rounded_threshold(x, away.estimate_log() - steps_of_piece);
  if (place <= *listed_[i] || place >= *listed_[i + 1]) return std::nullopt;
  return place;
}

/// Where the secants lie lowest, away from the places that were asked for; nothing where there is
/// no room between these.
std::optional<Rational> CurveSearch::next_place() const {
  if (places_.empty()) return rounded_threshold(Ball(centre_), std::log(scale_) - steps_of_piece);
  const Ball from = log(curve_.points[least_.from].u);
  const Ball to = log(curve_.points[least_.from + 1].u);
  const std::optional<Rational>& left = listed_[least_.from];
  const std::optional<Rational>& right = listed_[least_.from + 1];
  Ball x = log(least_.place);
  Ball run = to - from;
  if (!left || !right) {
    // Beyond all places by twice the way between the outermost ones, at least, but half of the way
    // to the end of the losses at most.
    const Rational& near = right ? *right : left ? *left : places_.begin()->first;
    const double width = estimate(places_.rbegin()->first - places_.begin()->first);
    const double stride = std::max(2 * width, first_stride * scale_);
    const Ball away = Ball(near) + Ball(right ? -stride : stride);
    const Ball half = ldexp(right ? from + Ball(near) : to + Ball(near), -1);
    if (!x.is_finite() || (right ? certainly_less(away, x) : certainly_less(x, away))) x = away;
    if (half.is_finite() && (right ? certainly_less(x, half) : certainly_less(half, x))) x = half;
    run = abs(x - Ball(near));
  } else {
    const Ball margin = run * Ball(nearest_to_place);
    x = max(from + margin, min(to - margin, x));
  }
  if (!certainly_positive(run)) return std::nullopt;
  const Rational place =
      rounded_threshold(x, (run * Ball(nearest_to_place)).estimate_log() - steps_of_piece);
  if (places_.contains(place)) return std::nullopt;
  return place;
}

/// The places around the lowest one.
std::vector<std::size_t> CurveSearch::around() const {
  std::vector<std::size_t> found;
  const std::size_t end = std::min(least_.from + 3, listed_.size());
  for (std::size_t i = least_.from > 0 ? least_.from - 1 : 0; i < end; ++i) {
    if (listed_[i]) found.push_back(i);
  }
  return found;
}

/// What the values around the lowest place leave open.
Ball CurveSearch::left_open() const {
  Ball sum(0);
  for (const std::size_t i : around()) sum += curve_.points[i].upper - curve_.points[i].lower;
  return sum;
}

/// Asks for more digits around the lowest place. @return whether that made the values narrower.
bool CurveSearch::refine_values() {
  const Ball before = left_open();
  asked_ += missing_digits_of_power(power_, digits_) + 1;
  const std::vector<std::size_t> places = around();
  for (const std::size_t i : places) ask(*listed_[i]);
  look();
  return certainly_less(left_open(), ldexp(before, -1));
}

void CurveSearch::run() {
  look();
  while (missing_digits_of_power(power_, digits_) > 0 && values_ < most_values) {
    const bool of_values = places_.size() > 2 && certainly_less(power_.upper - least_.bound,
                                                                Ball(gap_of_values) * left_open());
    std::optional<Rational> place;
    if (!of_values) place = next_to_vertex();
    if (!of_values && !place) place = next_place();
    if (place) {
      ask(*place);
      look();
    } else if (!refine_values()) {
      return;
    }
  }
}

}  // namespace plaudit
