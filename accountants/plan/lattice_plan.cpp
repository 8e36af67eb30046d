#include "accountants/plan/lattice_plan.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr double tilts_tried[] = {1.0, 0.7, 0.45, 0.2};  ///< in parts of the saddle point
constexpr double part_that_pays = 0.6;  ///< of the period, below which a smaller tilt is taken
// A smaller tilt that cancels more nats is not tried: a part of those wanted, and some.
constexpr double cancelled_part = 0.3;
constexpr double cancelled_nats = 8;
constexpr double steepest = 200;           ///< e^-steepest is the least damping from point to point
constexpr double nats_of_alias = 2;        ///< that an alias is below what is wanted
constexpr double nats_of_range = 4;        ///< the same for a range of terms that is bounded
constexpr double mantissa_of_tilts = 256;  ///< 8 bits
constexpr long spare_bits_of_lattice = 24;

/// Halves the ranges until each is bounded well enough, or is one node.
class Cover {
 public:
  /// @param target log of what the terms of a range may amount to.
  Cover(const LatticeFactors& factors, const proof::PeriodLine<Ball>& line, double epsilon,
        double target, const RangeLimits& limits)
      : factors_(factors),
        period_(static_cast<double>(line.period)),
        front_(-line.tilt.estimate() * epsilon),
        damp_(std::exp(-(line.tilt * line.step).estimate())),
        target_(target),
        limits_(limits) {
    for (const auto& factor : factors) {
      front_ += (line.tilt * Ball(factor->count) * factor->offset.value).estimate();
    }
    cover(0, line.period / 2);
    close();
  }

  RangePlan result;

 private:
  double log_bound(long first, long last) const {
    double sum = front_ + std::log(2 * static_cast<double>(last - first + 1) / period_);
    for (const auto& factor : factors_) {
      sum += static_cast<double>(factor->count) * factor->bound(first, last).estimate_log();
    }
    const double sine = std::sin(std::numbers::pi * static_cast<double>(first) / period_);
    return sum - std::log(std::hypot(1 - damp_, 2 * std::sqrt(damp_) * sine));
  }

  void cover(long first, long last) {
    if (++bounds_ > limits_.bounds) result.known = false;
    if (!result.known) return;
    check_work_limit();
    if (!result.enough || log_bound(first, last) < target_) {
      add(last, false);
    } else if (first < last) {
      // near 0 the terms fall fast: small steps there
      const long middle = first == 0 ? std::max(1L, (last + 1) / 4) - 1 : (first + last) / 2;
      cover(first, middle);
      cover(middle + 1, last);
    } else {
      result.known = last < limits_.known;
      result.enough = ++nodes_ <= limits_.most;
      add(last, result.enough);
    }
  }

  /// Neighbours that are summed become one range.
  void add(long last, bool summed) {
    if (open_ && !(summed && open_->summed)) close();
    open_ = proof::LatticeRange{last, summed};
  }
  void close() {
    if (open_) result.ranges.push_back(*open_);
    open_.reset();
  }

  const LatticeFactors& factors_;
  double period_;
  double front_;  ///< log of what a value is multiplied by, without 1/K and the bracket
  double damp_;   ///< e^{-a t}
  double target_;
  RangeLimits limits_;
  double bounds_ = 0;
  double nodes_ = 0;
  std::optional<proof::LatticeRange> open_;
};

}  // namespace

double log_of_alias(double log_delta, double nats) { return log_delta - nats - nats_of_alias; }

double short_order(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  return std::ldexp(std::round(mantissa * mantissa_of_tilts) / mantissa_of_tilts, exponent);
}

LatticeTilt plan_tilt(const LatticeSketch& sketch, double epsilon, double nats, double mesh,
                      double greatest) {
  const double saddle = std::min(sketch.saddle(epsilon), steepest / mesh);
  const double log_delta = sketch.log_delta(epsilon, saddle);
  const double log_size = log_of_alias(log_delta, nats);
  LatticeTilt best;
  best.length = infinity;
  best.log_delta = log_delta;
  for (const double part : tilts_tried) {
    LatticeTilt plan;
    plan.tilt = short_order(part * saddle);
    plan.log_delta = log_delta;
    plan.value = sketch.cumulant(plan.tilt).value;
    plan.cancelled = std::max(0.0, plan.value - plan.tilt * epsilon - log_delta);
    if (part < 1 && plan.cancelled > cancelled_part * nats + cancelled_nats) continue;
    const LatticeSketch::Alias right = sketch.right_alias(plan.tilt, epsilon, log_size);
    const LatticeSketch::Alias left = sketch.left_alias(plan.tilt, epsilon, log_size);
    plan.right_order = short_order(right.order);
    if (!(plan.right_order > plan.tilt)) plan.right_order = 2 * plan.tilt;
    plan.left_order = std::min(1.0, short_order(left.order));
    plan.length = std::max({std::min(right.period, greatest - epsilon + mesh), left.period, mesh});
    if (plan.length < part_that_pays * best.length) best = plan;
  }
  return best;
}

RangePlan plan_ranges(const LatticeFactors& factors, const proof::PeriodLine<Ball>& line,
                      const LatticeTilt& plan, double epsilon, double nats,
                      const RangeLimits& limits) {
  return Cover(factors, line, epsilon, plan.log_delta - nats - nats_of_range, limits).result;
}

long bits_of_lattice(const LatticeTilt& plan, double epsilon, double nats, double steps,
                     double mesh, long period) {
  const double points = static_cast<double>(period);
  const double residue = std::max(0.0, -plan.tilt * points * mesh - plan.log_delta);
  const double scale =
      20 + std::fabs(plan.value) + plan.tilt * std::fabs(epsilon) + std::log(steps);
  return precision_bits((nats + std::max(plan.cancelled, residue) + 1.5 * std::log(steps)) /
                            log_two +
                        std::log2(scale) + 2 * std::log2(points)) +
         spare_bits_of_lattice;
}

}  // namespace plaudit
