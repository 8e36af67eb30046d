#include "mechanisms/allocation/allocation_epoch.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "lib/analysis/power_series.hpp"
#include "lib/analysis/power_sums.hpp"
#include "lib/analysis/strip_quadrature.hpp"
#include "lib/balls/error_term.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm above_term{"allocation.epoch_alias_above",
                               "docs/proofs/random_allocation.md#epoch"};
constexpr ErrorTerm below_term{"allocation.epoch_alias_below",
                               "docs/proofs/random_allocation.md#epoch"};
constexpr ErrorTerm nodes_term{"allocation.epoch_nodes_left_out",
                               "docs/proofs/random_allocation.md#epoch"};
constexpr ErrorTerm rule_term{"allocation.epoch_rule", "docs/proofs/random_allocation.md#epoch"};

constexpr double widths_above = 2;  ///< deviations of S above its mean that every period reaches
constexpr int most_classes = 200;   ///< of periods, each twice the one before
constexpr double spare_nats = 8;    ///< beyond the working precision, for each error
constexpr long spare_bits = 48;
constexpr double most_nodes_of_epoch = 3e5;  ///< more are left out, which widens the result
constexpr double most_nats_of_turn = 300;    ///< eta^2 / 2, eta = pi / (4a), of a cheap epoch
constexpr double most_cheap_nodes = 3000;
constexpr double greatest_point = 1e200;  ///< y, likewise
constexpr double share_of_strip = 0.97;   ///< of the greatest turn and half-width
// Searches: for beta downward, the height of the last node upward, the gap g - c upward.
constexpr int turns_tried = 26;
constexpr double next_turn = 0.78;
constexpr int most_heights = 200;
constexpr double next_height = 1.1;
constexpr int orders_tried = 60;
constexpr double next_order = 1.25;

}  // namespace

struct AllocationEpoch::Line {
  long bits = 0;
  Ball c, h, g;  ///< nodes s_k = c + i k h; order of the bound of the aliases from below
  std::vector<ComplexBall> plain, tilted;  ///< the transforms over s_k, the first one halved
  Ball below;                              ///< phi(g)^t / (e^((g - c) P) - 1)
  Ball left_out;                           ///< of the sums, but for e^(c y)
};

AllocationEpoch::AllocationEpoch(const Rational& squared_rate, std::uint64_t steps)
    : squared_rate_(squared_rate),
      steps_(steps),
      rate_(std::sqrt(estimate(squared_rate))),
      deviation_(std::sqrt(static_cast<double>(steps) * std::expm1(rate_ * rate_))),
      one_(rate_, 1) {}

// ---- choices in floating point

namespace {

double nats_of_bits(long bits) { return static_cast<double>(bits) * log_two + spare_nats; }

/// Deviations below the mean of S beyond which it has about e^-nats: its left tail is below a
/// normal one.
double widths_below(long bits) { return std::sqrt(2 * nats_of_bits(bits)) + 1; }

}  // namespace

/// The period of class `index`: 2^index times the width of the bulk of S. Points y of one class,
/// from which it reaches to below the bulk, share a line.
double AllocationEpoch::period_of(int index, long bits) const {
  return std::ldexp((widths_below(bits) + widths_above) * deviation_, index);
}

int AllocationEpoch::class_of(double y, long bits) const {
  const double reach = y - static_cast<double>(steps_) + widths_below(bits) * deviation_;
  int index = 0;
  while (index < most_classes && period_of(index, bits) < reach) ++index;
  return index;
}

/// log of the bound of the nodes from a height on, less c y, with the best turn beta.
double AllocationEpoch::log_left_out(double height, double c, double* best_turn) const {
  const auto t = static_cast<double>(steps_);
  const double angle = std::atan2(height, c);
  double least = infinity;
  double turn = std::numbers::pi / 2 * share_of_strip;
  for (int i = 0; i < turns_tried; ++i, turn *= next_turn) {
    const double kept = std::min(std::cos(angle - turn), std::sin(turn));
    if (!(kept > 0)) continue;
    const double reach = kept * height;
    const double value = t * turn * turn / (2 * rate_ * rate_) + (t - 1) * log_phi(reach) +
                         rate_ * rate_ + log_phi(std::exp(-rate_ * rate_) * reach) -
                         std::log(reach);
    if (value < least) {
      least = value;
      *best_turn = turn;
    }
  }
  return least;
}

AllocationEpoch::Choice AllocationEpoch::choose(int index, long bits) const {
  const auto t = static_cast<double>(steps_);
  Choice choice;
  const double nats = nats_of_bits(bits);
  const double period = period_of(index, bits);
  choice.step = short_double(2 * std::numbers::pi / period);
  choice.c = short_double(nats / period);
  const double greatest = t + period - widths_below(bits) * deviation_;  // y of this class

  // from below: g y + t log phi(g) - (g - c) P
  double least = infinity;
  double gap = choice.c / 64;
  for (int i = 0; i < orders_tried; ++i, gap *= next_order) {
    const double g = choice.c + gap;
    const double value = g * greatest + t * log_phi(g) - gap * period;
    if (value < least) {
      least = value;
      choice.g = short_double(g);
    }
  }
  if (!(choice.g > choice.c)) choice.g = 2 * choice.c;

  const double wanted = -nats - choice.c * greatest;
  double height = 8 * choice.step;
  for (int i = 0; i < most_heights; ++i, height *= next_height) {
    if (log_left_out(height, choice.c, &choice.turn) < wanted) break;
  }
  choice.turn = short_double(choice.turn);
  choice.count = static_cast<std::size_t>(
      clamped_integer(std::min(height / choice.step + 2, most_nodes_of_epoch), 4, most_index));

  // phi, to the power t, beside e^(c y) phi(c)^t
  const double size = std::max(0.0, choice.c * greatest + t * log_phi(choice.c));
  choice.nats = nats + std::log(t) + size;
  const double eta = std::numbers::pi / 4 / rate_;
  const double most = share_of_strip * std::numbers::pi / 4 / rate_;
  for (double v = most; v > most / 30; v *= 0.9) {
    const double d = 2 * std::numbers::pi * v / (choice.nats + (eta + v) * (eta + v) / 2 + log_two);
    if (d > choice.rule_step) {
      choice.rule_step = short_double(d);
      choice.half_width = short_double(v);
    }
  }
  choice.rule_points = clamped_integer(
      std::ceil(std::sqrt(2 * choice.nats + eta * eta + 2) / choice.rule_step), 1, most_index);
  return choice;
}

const AllocationEpoch::Choice& AllocationEpoch::choice_for(int index, long bits) const {
  const auto known = choices_.find({bits, index});
  if (known != choices_.end()) return known->second;
  return choices_.emplace(std::pair(bits, index), choose(index, bits)).first->second;
}

double AllocationEpoch::estimate_point(const Ball& x) const {
  return static_cast<double>(steps_) * std::exp(x.estimate());
}

bool AllocationEpoch::is_cheap(const Ball& x) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const double y = estimate_point(x);
  const long bits = working_precision();
  // what turning the rule by a quarter of pi costs
  if (std::pow(std::numbers::pi / 4 / rate_, 2) / 2 > most_nats_of_turn) return false;
  return y < greatest_point &&
         static_cast<double>(choice_for(class_of(y, bits), bits).count) < most_cheap_nodes;
}

// ---- values

namespace {

/// phi(s) = sum_l w_l e^(-s X_l), X_l = e^(-i pi/4 + a y_l - a^2/2): the trapezoidal rule on the
/// line that is turned.
// Proof: docs/proofs/random_allocation.md#epoch
class PhiRule {
 public:
  PhiRule(const Rational& squared_rate, const AllocationEpoch::Choice& choice) {
    const Ball squared(squared_rate);
    const Ball rate = sqrt(squared);
    const Ball quarter = ldexp(pi(), -2);
    const Ball v(choice.half_width);
    const Ball d(choice.rule_step);
    const Ball eta = -(quarter / rate);
    const Ball edges = exp(ldexp(square(eta + v), -1)) + exp(ldexp(square(eta - v), -1));
    const Ball size = exp(ldexp(square(eta), -1));
    error_ = charged(rule_term, edges * strip_trapezoid_factor(v, d) +
                                    ldexp(size * normal_cdf(-(d * Ball(choice.rule_points))), 1));
    const Ball front = d / sqrt(ldexp(pi(), 1)) * size;
    const ComplexBall turned(cos(quarter), -sin(quarter));
    for (long l = -choice.rule_points; l <= choice.rule_points; ++l) {
      if ((l & 63) == 0) check_work_limit();
      const Ball y = d * Ball(l);
      const Ball modulus = front * exp(-ldexp(square(y), -1));
      const Ball angle = -(y * eta);
      weights_.emplace_back(modulus * cos(angle), modulus * sin(angle));
      points_.push_back(turned);
      points_.back().scale(exp(rate * y - ldexp(squared, -1)));
    }
  }

  /// phi(s), real s > 0.
  Ball at(const Ball& s) const {
    ComplexBall sum;
    for (std::size_t l = 0; l < points_.size(); ++l) {
      sum += weights_[l] * exp(-(ComplexBall(s) * points_[l]));
    }
    return widened(sum.real(), error_);
  }

  /// phi(factor (c + i k h)), k < count.
  std::vector<ComplexBall> on_line(const Ball& factor, const Ball& c, const Ball& h,
                                   std::size_t count) const {
    std::vector<ComplexBall> first, bases;
    for (std::size_t l = 0; l < points_.size(); ++l) {
      if ((l & 63) == 0) check_work_limit();
      first.push_back(weights_[l] * exp(-(ComplexBall(factor * c) * points_[l])));
      bases.push_back(exp(ComplexBall(Ball(0), -(factor * h)) * points_[l]));
    }
    std::vector<ComplexBall> values = power_sums(first, bases, count);
    for (ComplexBall& value : values) value = widened(value, error_);
    return values;
  }

 private:
  std::vector<ComplexBall> weights_, points_;
  Ball error_;
};

}  // namespace

// Proof: docs/proofs/random_allocation.md#epoch
AllocationEpoch::Line AllocationEpoch::make(const Choice& choice) const {
  const Ball c(choice.c);
  const Ball h(choice.step);
  const Ball g(choice.g);
  const Ball squared(squared_rate_);
  const Ball v(choice.half_width);
  const Ball turn(choice.turn);
  if (!certainly_positive(c) || !certainly_positive(h) || !certainly_less(c, g) ||
      !certainly_positive(v) || !certainly_positive(Ball(choice.rule_step)) || choice.count < 2 ||
      !certainly_less(PLAUDIT_BOUND("allocation.epoch_strip", sqrt(squared) * v, Ball(0)),
                      ldexp(pi(), -2)) ||
      !certainly_positive(turn) || !certainly_less(turn, ldexp(pi(), -1))) {
    throw std::domain_error("random allocation: no such line of an epoch");
  }
  const PhiRule phi(squared_rate_, choice);
  Line line;
  line.bits = working_precision();
  line.c = c;
  line.h = h;
  line.g = g;
  const std::vector<ComplexBall> plain = phi.on_line(Ball(1), c, h, choice.count);
  const std::vector<ComplexBall> tilted = phi.on_line(exp(squared), c, h, choice.count);
  for (std::size_t k = 0; k < choice.count; ++k) {
    if ((k & 15) == 0) check_work_limit();
    const ComplexBall s(c, h * Ball(static_cast<std::uint64_t>(k)));
    const ComplexBall others = large_power(plain[k], steps_ - 1) / s;
    line.plain.push_back(others * plain[k]);
    line.tilted.push_back(others * tilted[k]);
  }
  const Ball half = ldexp(Ball(1), -1);
  line.plain[0].scale(half);
  line.tilted[0].scale(half);

  const Ball period = ldexp(pi(), 1) / h;
  const Ball at_g = phi.at(g).upper();
  line.below = (power(at_g, steps_) / expm1((g - c) * period)).upper();

  // k >= count: |s_k| >= kh, arg s_k in [angle, pi/2)
  const Ball last = h * Ball(static_cast<std::uint64_t>(choice.count));
  const Ball angle = atan2(last, c);
  const Ball kept = min(cos(angle - turn), sin(turn)).lower();
  const Ball reach = kept * h * Ball(static_cast<std::uint64_t>(choice.count - 1));
  if (!certainly_positive(reach)) {
    line.left_out = positive_infinity();
    return line;
  }
  const Ball turning = exp(Ball(steps_) * ldexp(square(turn) / squared, -1));
  line.left_out = (PLAUDIT_BOUND("allocation.epoch_turning", turning, Ball(1)) *
                   power(phi.at(reach).upper(), steps_ - 1) * exp(squared) *
                   phi.at(exp(-squared) * reach).upper() / (reach * pi()))
                      .upper();
  return line;
}

// Proof: docs/proofs/random_allocation.md#epoch
AllocationEpoch::Below AllocationEpoch::on(const Line& line, const Ball& y) const {
  const Ball period = ldexp(pi(), 1) / line.h;
  const Ball angle = line.h * y;
  const std::vector<ComplexBall> turns =
      powers(ComplexBall(cos(angle), sin(angle)), line.plain.size());
  const Ball front = exp(line.c * y);
  const Ball scale = front * line.h / pi();
  const Ball above = charged(above_term, Ball(1) / expm1(line.c * period));
  const Ball below = charged(below_term, exp(line.g * y) * line.below);
  const Ball rest = charged(nodes_term, front * line.left_out);
  // sum - q / (1 - q) = F - A_+ + A_-, q / (1 - q) = 1 / (e^(cP) - 1) >= A_+
  const auto placed = [&](const std::vector<ComplexBall>& terms, const Ball& from_below) {
    const Ball value = dot(terms, turns).real() * scale;
    const Ball lower = max(Ball(0), (value - above - from_below - rest).lower());
    const Ball upper = min(Ball(1), (value + rest).upper());
    if (!lower.is_finite() || !upper.is_finite()) return ldexp(widened(Ball(1), Ball(1)), -1);
    return hull(lower, upper);
  };
  const Ball share =
      PLAUDIT_BOUND("allocation.epoch_share", max(Ball(0), y) / Ball(steps_), Ball(0));
  return {placed(line.plain, below), placed(line.tilted, below * share)};
}

AllocationEpoch::Below AllocationEpoch::at_sum(const Ball& y, const Choice& choice) const {
  return on(make(choice), y);
}

AllocationEpoch::Below AllocationEpoch::at(const Ball& x) const {
  if (x.is_exact()) return at_point(x);
  const Below low = at_point(x.lower());
  const Below high = at_point(x.upper());
  return {hull(low.plain, high.plain), hull(low.tilted, high.tilted)};
}

AllocationEpoch::Below AllocationEpoch::at_point(const Ball& x) const {
  std::shared_ptr<const Line> line;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const long bits = working_precision();
    const int index = class_of(estimate_point(x), bits);
    auto& known = lines_[{bits, index}];
    if (!known) {
      const Choice choice = choice_for(index, bits);
      const PrecisionScope scope(precision_bits(choice.nats / log_two) + spare_bits);
      known = std::make_shared<Line>(make(choice));
    }
    line = known;
  }
  const PrecisionScope scope(line->bits);
  return on(*line, Ball(steps_) * exp(x));  // sums are sensitive to y
}

}  // namespace plaudit
