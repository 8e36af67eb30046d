#include "lib/analysis/lognormal_transform.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "lib/balls/ball_memory.hpp"
#include "lib/balls/error_term.hpp"
#include "lib/balls/precision.hpp"
#include "lib/balls/strided_dot.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm quadrature_term{"lognormal.quadrature",
                                    "docs/proofs/random_allocation.md#transform"};
constexpr ErrorTerm tails_term{"lognormal.tails", "docs/proofs/random_allocation.md#transform"};

constexpr double most_points = 1e5;
constexpr long most_stride = 1'000'000;
constexpr double share_of_strip = 0.97;  ///< of the greatest half width that is allowed
/// A line shifted by eta = angle / a has weights e^(eta^2 / 2) times as large, so that as many nats
/// cancel: up to 30 a real table is cheaper, else 24 are spent on the shift.
constexpr double affordable_turn = 30;
constexpr double turn_by_table = 24;
constexpr int widths_tried = 40;  ///< half widths of the strip, each the next one times 0.9
constexpr double next_width = 0.9;
constexpr double spare_nats = 2;  ///< more than wanted, for points and table

/// chi: 0, or what is left of theta by a shift of 24 nats.
double best_turn(double rate, double theta) {
  if (theta * theta / (2 * rate * rate) <= affordable_turn) return 0;
  return std::min(theta, std::max(0.0, theta - std::sqrt(2 * turn_by_table) * rate));
}

struct Step {
  double d = 0;
  double half_width = 0;
};

Step longest_step(double rate, double theta, double turn, double nats) {
  const double eta = (theta - turn) / rate;
  const double most = share_of_strip * (std::numbers::pi / 2 - turn) / rate;
  Step best;
  for (int i = 0; i < widths_tried; ++i) {
    const double v = most * std::pow(next_width, i);
    const double norm = (eta + v) * (eta + v) / 2 + log_two;
    const double d = 2 * std::numbers::pi * v / (nats + norm);
    if (d > best.d) best = {d, v};
  }
  return best;
}

}  // namespace

double LognormalTransform::longest_stride(double rate, double theta, double nats) {
  return rate * longest_step(rate, theta, best_turn(rate, theta), nats).d;
}

std::optional<LognormalTransform::Rule> LognormalTransform::choose(double rate, double unit,
                                                                   double theta, double nats) {
  Rule rule;
  rule.turn = best_turn(rate, theta);
  const Step step = longest_step(rate, theta, rule.turn, nats);
  rule.half_width = step.half_width;
  rule.stride = clamped_integer(std::floor(rate * step.d / unit), 0, most_stride);
  if (rule.stride < 1) return std::nullopt;
  const double d = static_cast<double>(rule.stride) * unit / rate;
  const double eta = (theta - rule.turn) / rate;
  const double points = std::ceil(std::sqrt(2 * (nats + spare_nats) + eta * eta) / d);
  if (!(points < most_points)) return std::nullopt;
  rule.points = clamped_integer(points, 1, most_index);
  rule.nats = nats + spare_nats;
  return rule;
}

// Proof: docs/proofs/random_allocation.md#transform
LognormalTransform::LognormalTransform(const Lattice& lattice, const Rule& rule, long first,
                                       long last)
    : first_(first), stride_(rule.stride), real_(rule.turn == 0) {
  const Ball rate = sqrt(Ball(lattice.squared_rate));
  const Ball unit(lattice.unit);
  const Ball turn(rule.turn);
  const Ball d = unit * Ball(rule.stride) / rate;
  const Ball eta = (turn - Ball(lattice.theta)) / rate;
  const Ball v(rule.half_width);
  // Between the edges of the strip Re e^(..) >= 0, so that the exponential is at most 1.
  const Ball right_angle = ldexp(pi(), -1);
  if (!certainly_positive(v) || rule.stride < 1 || rule.points < 0 ||
      !certainly_less(PLAUDIT_BOUND("lognormal.strip", turn + rate * v, turn - rate * v),
                      right_angle) ||
      !certainly_less(rate * v - turn, right_angle) || rule.turn < 0 || rule.turn > lattice.theta ||
      !(lattice.theta < std::numbers::pi / 2)) {
    throw std::domain_error("lognormal transform: no such strip");
  }

  const Ball edges = exp(ldexp(square(eta + v), -1)) + exp(ldexp(square(eta - v), -1));
  const Ball quadrature = edges / expm1(ldexp(pi(), 1) * v / d);
  const Ball size = exp(ldexp(square(eta), -1));
  const Ball tails = ldexp(size * normal_cdf(-(d * Ball(rule.points))), 1);
  error_ = charged(quadrature_term, quadrature) + charged(tails_term, tails);

  const std::size_t count = 2 * static_cast<std::size_t>(rule.points) + 1;
  const std::size_t entries =
      static_cast<std::size_t>(last - first) + (count - 1) * static_cast<std::size_t>(stride_) + 1;
  check_memory_of_balls(static_cast<double>(entries) * (real_ ? 1 : 2) +
                        5 * static_cast<double>(count));

  set_weights(d, eta, d / sqrt(ldexp(pi(), 1)) * size, rule.points);
  const Ball least = lattice.offset - ldexp(Ball(lattice.squared_rate), -1) +
                     unit * Ball(first - rule.points * stride_);
  fill_table(least, unit, turn, entries, rule.nats);
}

void LognormalTransform::set_weights(const Ball& d, const Ball& eta, const Ball& front,
                                     long points) {
  for (long l = -points; l <= points; ++l) {
    if ((l & 63) == 0) check_work_limit();
    const Ball y = d * Ball(l);
    const Ball modulus = front * exp(-ldexp(square(y), -1));
    const Ball angle = -(y * eta);
    real_weights_.push_back(modulus * cos(angle));
    imaginary_weights_.push_back(modulus * sin(angle));
    rest_of_weights_.push_back(modulus.upper());
    if (!real_) weights_.emplace_back(real_weights_.back(), imaginary_weights_.back());
  }
  const PrecisionScope scope(64);
  for (std::size_t l = rest_of_weights_.size() - 1; l-- > 0;) {
    rest_of_weights_[l] = (rest_of_weights_[l] + rest_of_weights_[l + 1]).upper();
  }
}

void LognormalTransform::fill_table(const Ball& least, const Ball& unit, const Ball& turn,
                                    std::size_t entries, double nats) {
  const Ball cosine = cos(turn);
  const Ball sine = sin(turn);
  for (std::size_t i = 0; i < entries; ++i) {
    if ((i & 63) == 0) check_work_limit();
    const Ball x = exp(least + unit * Ball(static_cast<std::uint64_t>(i)));
    const Ball modulus = exp(-(x * cosine));
    if (real_) {
      table_.push_back(modulus);
    } else {
      const Ball angle = -(x * sine);
      turned_table_.emplace_back(modulus * cos(angle), modulus * sin(angle));
    }
    ++kept_;
    beyond_ = modulus.upper();
    if ((x * cosine).estimate() > nats) break;  // the sizes fall with i
  }
}

ComplexBall LognormalTransform::at(long i) const {
  const auto from = static_cast<std::size_t>(i - first_);
  const std::size_t count = real_weights_.size();
  const auto stride = static_cast<std::size_t>(stride_);
  const std::size_t used = from >= kept_ ? 0 : std::min(count, (kept_ - 1 - from) / stride + 1);
  ComplexBall value;
  if (real_) {
    const Ball* table = table_.data() + from;
    value = ComplexBall(strided_dot(real_weights_.data(), table, stride, used),
                        strided_dot(imaginary_weights_.data(), table, stride, used));
  } else {
    value = strided_dot(weights_.data(), turned_table_.data() + from, stride, used);
  }
  Ball error = error_;
  if (used < count) {
    error += PLAUDIT_BOUND("lognormal.beyond_table", beyond_ * rest_of_weights_[used], Ball(0));
  }
  return widened(value, error.upper());
}

}  // namespace plaudit
