#include "accountants/plan/lattice_plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>

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

/// The bound of proof::LatticeFactor for a law of finitely many losses, estimated in doubles.
class EstimatedFactor {
 public:
  EstimatedFactor(const proof::LawOnLattice<Ball>& law, long times,
                  const proof::PeriodLine<Ball>& line)
      : times_(times), period_(line.period) {
    const double tilt = (line.tilt * line.step).estimate() * static_cast<double>(times);
    for (std::size_t i = 0; i < law.masses.size(); ++i) {
      const double place = static_cast<double>(law.indices[i]);
      shares_.push_back(law.masses[i].estimate_log() + tilt * place);
    }
    const double most = *std::max_element(shares_.begin(), shares_.end());
    double total = 0;
    for (double& share : shares_) total += share = std::exp(share - most);
    log_total_ = most + std::log(total);
    double mean = 0;
    for (std::size_t i = 0; i < shares_.size(); ++i) {
      shares_[i] /= total;
      mean += shares_[i] * static_cast<double>(law.indices[i]);
    }
    const long centre = checked_integer(std::round(mean), "a mean index");
    double moments[4] = {0, 0, 0, 0};
    for (std::size_t i = 0; i < shares_.size(); ++i) {
      const long away = law.indices[i] - centre;
      turns_.push_back(remainder_of(Integer(away) * times, 2 * period_));
      first_ += shares_[i] * std::fabs(static_cast<double>(away));
      double term = shares_[i];
      for (double& moment : moments) moment += term *= static_cast<double>(away);
    }
    second_ = 2 * (moments[1] - moments[0] * moments[0]);
    fourth_ = 2 * moments[3] - 8 * moments[0] * moments[2] + 6 * moments[1] * moments[1];
  }

  double log_bound(long first, long last) const {
    const double turns = static_cast<double>(period_);
    const double width = static_cast<double>(last - first) * static_cast<double>(times_) / turns;
    const double low = static_cast<double>(remainder_of(Integer(first) * times_, period_)) / turns;
    const double high = low + width;  // low < 1
    double best = 1;
    if (low > 0 && high < 1) {
      const double near = std::min(low, 1 - high);
      const double far = low <= 0.5 && high >= 0.5 ? 0.5 : std::max(nearest(low), nearest(high));
      const double x = square_of(2 * std::numbers::pi * near);
      if (fourth_ * square_of(2 * std::numbers::pi * far) <= 6 * second_) {
        best = std::sqrt(std::max(0.0, 1 - second_ * x / 2 + fourth_ * x * x / 24));
      }
    }
    double real = 0;
    double imaginary = 0;
    const auto twice = static_cast<std::uint64_t>(first + last);
    const auto order = static_cast<std::uint64_t>(2 * period_);
    for (std::size_t i = 0; i < shares_.size(); ++i) {
      const auto turn = static_cast<double>(turns_[i] * twice % order);
      const double angle = std::numbers::pi * turn / turns;
      real += shares_[i] * std::cos(angle);
      imaginary += shares_[i] * std::sin(angle);
    }
    const double middle = std::hypot(real, imaginary) + std::numbers::pi * width * first_;
    return log_total_ + std::log(std::min(best, middle + rounding_of_middle));
  }

 private:
  static constexpr double rounding_of_middle = 1e-15;  ///< so that no logarithm is of 0
  static double square_of(double x) { return x * x; }
  static double nearest(double turn) { return std::min(turn, 1 - turn); }
  static std::uint64_t remainder_of(const Integer& j, long order) {
    Integer rest = j % order;
    if (rest < 0) rest += order;
    return rest.to<std::uint64_t>();
  }

  long times_;
  long period_;
  double log_total_ = 0;
  std::vector<double> shares_;        ///< of the total, tilted
  std::vector<std::uint64_t> turns_;  ///< of each loss from the centre, in half nodes
  double first_ = 0;                  ///< mean distance from the centre
  double second_ = 0;                 ///< E D^2 and E D^4 of the difference of two indices
  double fourth_ = 0;
};

/// Halves the ranges until each is bounded well enough, or is one node.
class Cover {
 public:
  /// @param target log of what the terms of a range may amount to.
  Cover(const LatticeFactors& factors, const RangeLaws& laws, const proof::PeriodLine<Ball>& line,
        double epsilon, double target, const RangeLimits& limits)
      : factors_(factors),
        period_(static_cast<double>(line.period)),
        front_(-line.tilt.estimate() * epsilon),
        damp_(std::exp(-(line.tilt * line.step).estimate())),
        target_(target),
        limits_(limits) {
    for (const auto& factor : factors) {
      front_ += (line.tilt * Ball(factor->count) * factor->offset.value).estimate();
    }
    for (const RangeLaw& each : laws) {
      estimated_.push_back(
          each.law ? std::optional<EstimatedFactor>(std::in_place, *each.law, each.times, line)
                   : std::nullopt);
    }
    cover(0, line.period / 2);
    close();
  }

  RangePlan result;

 private:
  double log_bound(long first, long last) const {
    double sum = front_ + std::log(2 * static_cast<double>(last - first + 1) / period_);
    for (std::size_t f = 0; f < factors_.size(); ++f) {
      const double log_size = estimated_[f] ? estimated_[f]->log_bound(first, last)
                                            : factors_[f]->bound(first, last).estimate_log();
      sum += static_cast<double>(factors_[f]->count) * log_size;
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
  std::vector<std::optional<EstimatedFactor>> estimated_;
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

RangePlan plan_ranges(const LatticeFactors& factors, const RangeLaws& laws,
                      const proof::PeriodLine<Ball>& line, const LatticeTilt& plan, double epsilon,
                      double nats, const RangeLimits& limits) {
  return Cover(factors, laws, line, epsilon, plan.log_delta - nats - nats_of_range, limits).result;
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
