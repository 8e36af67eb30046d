#include "mechanisms/allocation/allocation_loss.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lib/analysis/power_series.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "mechanisms/strip/strip_integral.hpp"

namespace plaudit {

namespace {

// facts_.costly_tails, as measured: with a^2 above large_squared_rate the line of an epoch has so
// many nodes that a contour is faster, if the steps are fewer than steps_of_a_quick_contour. A bad
// value makes answers slower.
constexpr long bits_of_a_look = 128;
constexpr double large_squared_rate = 2.5;
constexpr std::uint64_t steps_of_a_quick_contour = 100'000;

}  // namespace

AllocationLoss::AllocationLoss(const Rational& squared_rate, std::vector<AllocationBlocks> blocks,
                               Direction direction)
    : direction_(direction),
      description_("random allocation, " + std::string(name_of(direction)) + ", squared rate " +
                   to_string(squared_rate)),
      blocks_([&] {
        std::vector<Block> made;
        made.reserve(blocks.size());
        for (const AllocationBlocks& each : blocks) {
          made.push_back(
              {each.count, std::make_unique<AllocationMoments>(squared_rate, each.steps)});
        }
        return made;
      }()),
      tails_(*this) {
  if (blocks.size() == 1 && blocks[0].count == 1 && blocks[0].steps > 1) {
    epoch_ = std::make_unique<AllocationEpoch>(squared_rate, blocks[0].steps);
  }
  const PrecisionScope scope(bits_of_a_look);
  const bool wide = plaudit::estimate(squared_rate) > large_squared_rate &&
                    blocks[0].steps < steps_of_a_quick_contour;
  facts_.costly_tails = !epoch_ || wide || !epoch_->is_cheap(Ball(0));
  for (const AllocationBlocks& each : blocks) {
    description_ += ", " + std::to_string(each.steps) + " steps " + std::to_string(each.count) +
                    (each.count == 1 ? " time" : " times");
  }
}

double AllocationLoss::nats_of(const Block& block, double nats) {
  return nats + std::log(static_cast<double>(block.count));
}

// ---- moments

Ball AllocationLoss::moment(const Ball& r, double nats) const {
  Ball product(1);
  for (const Block& block : blocks_) {
    product *= power(block.moments->on_axis(r, nats_of(block, nats)), block.count);
  }
  return product;
}

std::vector<ComplexBall> AllocationLoss::on_line(const Ball& r, const Ball& step, std::size_t count,
                                                 double nats) const {
  std::vector<ComplexBall> product;
  for (const Block& block : blocks_) {
    std::vector<ComplexBall> values =
        block.moments->on_line(r, step, count, nats_of(block, nats)).values;
    if (block.count > 1) {
      for (ComplexBall& value : values) value = large_power(value, block.count);
    }
    if (product.empty()) {
      product = std::move(values);
    } else {
      for (std::size_t k = 0; k < count; ++k) product[k] *= values[k];
    }
  }
  return product;
}

Ball AllocationLoss::decay() const {
  Ball sum;
  for (const Block& block : blocks_) {
    sum -= block.moments->bounds().log_decay(Ball(1)) * Ball(block.count);
  }
  return sum;
}

CumulantEstimate AllocationLoss::estimate(double r) const {
  CumulantEstimate sum{0, 0, 0};
  for (const Block& block : blocks_) {
    const CumulantEstimate each = block.moments->estimate(r);
    const auto count = static_cast<double>(block.count);
    sum.value += count * each.value;
    sum.mean += count * each.mean;
    sum.variance += count * each.variance;
  }
  return sum;
}

Ball AllocationLoss::log_mgf(const Ball& t) const {
  return log(moment(exponent(t), nats_in_force()));
}

ComplexBall AllocationLoss::log_mgf(const ComplexBall& z) const {
  ComplexBall sum;
  for (const Block& block : blocks_) {
    const ComplexBall w = removes() ? z + ComplexBall(1) : -z;
    sum +=
        ComplexBall(Ball(block.count)) * log(block.moments->at(w, nats_of(block, nats_in_force())));
  }
  return sum;
}

LineValues AllocationLoss::mgf_on_line(const Ball& t, const Ball& step, std::size_t count,
                                       LineAccuracy accuracy) const {
  LineValues line;
  for (const Block& block : blocks_) {
    LineValues each =
        block.moments->on_line(exponent(t), step, count, nats_of(block, accuracy.nats));
    line.points += each.points;
    line.quadrature = (line.quadrature + each.quadrature * Ball(block.count)).upper();
    if (block.count > 1) {
      for (ComplexBall& value : each.values) value = large_power(value, block.count);
    }
    if (line.values.empty()) {
      line.values = std::move(each.values);
    } else {
      for (std::size_t k = 0; k < count; ++k) line.values[k] *= each.values[k];
    }
  }
  if (removes()) {  // A(1 + t + is) is the conjugate of A(1 + t - is)
    for (ComplexBall& value : line.values) value = conjugate(value);
  }
  return line;
}

// Proof: docs/proofs/random_allocation.md#decay
Ball AllocationLoss::mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const {
  require_upward(s);
  return (mgf_upper(t, nats) * exp(-(decay() * square(s)))).upper();
}

Ball AllocationLoss::mgf_upper(const Ball& t, double nats) const {
  return moment(exponent(t), nats).upper();
}

CumulantEstimate AllocationLoss::estimate_cumulant(double t) const {
  CumulantEstimate result = estimate(exponent(t));
  if (!removes()) result.mean = -result.mean;
  return result;
}

double AllocationLoss::estimate_log_decay(double, double s) const {
  double sum = 0;
  for (const Block& block : blocks_) {
    sum += static_cast<double>(block.count) * block.moments->bounds().estimate_log_decay(s);
  }
  return sum;
}

double AllocationLoss::estimate_line_points(double t, double s, double nats) const {
  double sum = 0;
  for (const Block& block : blocks_) {
    sum += block.moments->lines().estimate_points(exponent(t), s, nats_of(block, nats));
  }
  return sum;
}

// ---- one step

/// {L > x} is {log(S/t) > x} for remove and {log(S/t) < -x} for add; there are no atoms.
std::optional<AllocationLoss::PointTails> AllocationLoss::above_by_epoch(const Ball& x) const {
  if (!epoch_ || !x.is_finite()) return std::nullopt;
  const Ball at = removes() ? x : -x;
  if (!epoch_->is_cheap(at)) return std::nullopt;
  const AllocationEpoch::Below below = epoch_->at(at);
  if (removes()) return PointTails{Ball(1) - below.tilted, Ball(1) - below.plain};
  return PointTails{below.plain, below.tilted};
}

AllocationLoss::PointTails AllocationLoss::above(const Ball& x) const {
  if (const auto known = above_by_epoch(x)) return *known;
  if (removes()) {
    const AllocationTails::Both both = tails_.at(x);
    return {both.tilted.above, both.plain.above};
  }
  const AllocationTails::Both both = tails_.at(-x);
  return {both.plain.below, both.tilted.below};
}

Ball AllocationLoss::p_above(const Ball& x) const { return above(x).p; }

Ball AllocationLoss::q_above(const Ball& x) const { return above(x).q; }

TailMasses AllocationLoss::tails_above(const std::vector<Ball>& points) const {
  TailMasses tails;
  tails.p.reserve(points.size());
  tails.q.reserve(points.size());
  for (const Ball& x : points) {
    const PointTails both = above(x);
    tails.p.push_back(both.p);
    tails.q.push_back(both.q);
  }
  return tails;
}

std::string AllocationLoss::describe() const { return description_; }

}  // namespace plaudit
