#include "accountants/literature/two_point_rounding.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "accountants/cumulants/order_search.hpp"
#include "lib/balls/ball_memory.hpp"
#include "lib/balls/binomial.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm rounding_term{"optimal_composition.rounding",
                                  "between the losses rounded down and up to the grid"};
constexpr double most_products = 2e7;  ///< per side: a few seconds
// Half of the window, in deviations of the tilted sum: at least, and beyond those by which the tilt
// moves its mean.
constexpr double least_deviations = 9;
constexpr double more_deviations = 6;
constexpr double fewest_cells = 512;  ///< of the window: a coarser grid is refused
constexpr double most_cells = 1 << 16;
constexpr double most_points = 1 << 20;  ///< of one group's binomial law
constexpr long rounding_bits = 128;
constexpr const char* grid_name = "a loss in units of the grid";

/// Index of the grid point next to x on the chosen side: floor and ceil of a double are exact.
// binary64 bound: docs/proofs/reference_methods.md#rounding
long place(const Ball& x, bool up) {
  return checked_integer(PLAUDIT_BOUND("two_point.rounded_up", up, false)
                             ? std::ceil(x.upper_double())
                             : std::floor(x.lower_double()),
                         grid_name);
}

/// Upper bound of a mass: min(1, weight (ratio + ratio^2 + ...)).
Ball geometric(const Ball& weight, const Ball& ratio) {
  return certainly_less(ratio, Ball(1)) ? min(Ball(1), weight * ratio / (Ball(1) - ratio)).upper()
                                        : Ball(1);
}

}  // namespace

TwoPointRounding::TwoPointRounding(const ComposedLoss& loss, double epsilon) {
  const auto cumulant = [&](double t) { return loss.estimate_cumulant(t); };
  const double t = chernoff_order_at_epsilon(cumulant, epsilon);
  for (const ComposedLoss::Term& term : loss.terms()) {
    const auto law = std::dynamic_pointer_cast<const TwoPointLoss>(term.loss);
    if (law->is_trivial()) continue;
    const double mean = static_cast<double>(term.count) * law->estimate_cumulant(t).mean;
    const auto same = std::find_if(groups_.begin(), groups_.end(), [&](const Group& group) {
      return group.loss->same_epsilon(*law);
    });
    if (same == groups_.end()) {
      groups_.push_back({law, term.count, mean});
    } else {
      same->count += term.count;
      same->mean += mean;
    }
  }
  const double deviation = std::sqrt(std::max(cumulant(t).variance, 1e-300));
  half_window_ = std::max(least_deviations, t * deviation + more_deviations) * deviation;
  double points = 0;
  for (const Group& group : groups_) {
    points += std::min(static_cast<double>(group.count) + 1,
                       half_window_ / group.loss->epsilon_estimate() + 2);
  }
  const double cells = std::min(most_products / points, most_cells);
  if (cells < fewest_cells || points > most_points) {
    throw std::domain_error("too many combinations of distinct eps, also for a grid");
  }
  mesh_ = std::exp2(std::ceil(std::log2(2 * half_window_ / cells)));
  const PrecisionScope scope(rounding_bits);
  above_ = compose(Side::above);
  below_ = compose(Side::below);
}

// Proof: docs/proofs/reference_methods.md#rounding
TwoPointRounding::Law TwoPointRounding::group_law(const Group& group, Side side) const {
  const bool up = side == Side::above;
  const std::uint64_t n = group.count;
  const Ball eps = group.loss->epsilon();
  const Ball decay = exp(-eps);
  // the points (n - 2k) eps within the window, k from `top` to `bottom`
  const double step = group.loss->epsilon_estimate();
  const auto index = [&](double loss) {
    const double k = (static_cast<double>(n) - loss / step) / 2;
    return static_cast<std::uint64_t>(clamped_integer(std::floor(k), 0, static_cast<long>(n)));
  };
  const std::uint64_t top = index(group.mean + half_window_);
  const std::uint64_t bottom = index(group.mean - half_window_);
  const auto at = [&](std::uint64_t k) {
    return place((Ball(n) - Ball(2 * k)) * eps / Ball(mesh_), up);
  };
  Law law;
  law.first = at(bottom);
  check_memory_of_balls(static_cast<double>(at(top)) - static_cast<double>(law.first));
  law.masses.assign(static_cast<std::size_t>(at(top) - law.first) + 1, Ball(0));
  Ball weight = exp(log_binomial(n, bottom) - Ball(bottom) * eps - Ball(n) * log1p(decay));
  if (up && bottom < n) {  // smaller losses: raised to the bottom
    law.masses[0] += geometric(weight, Ball(n - bottom) * decay / Ball(bottom + 1));
  }
  for (std::uint64_t k = bottom;; --k) {
    if ((k & 255) == 0) check_work_limit();
    law.masses[static_cast<std::size_t>(at(k) - law.first)] += weight;
    if (k == top) break;
    weight *= Ball(k);
    weight /= decay * Ball(n - k + 1);
  }
  if (up && top > 0) {  // greater losses: infinite
    law.infinite =
        PLAUDIT_BOUND("two_point.beyond_window",
                      geometric(weight, Ball(top) / (decay * Ball(n - top + 1))), Ball(0));
  }
  return law;
}

// Proof: docs/proofs/reference_methods.md#rounding
TwoPointRounding::Law TwoPointRounding::compose(Side side) const {
  const bool up = side == Side::above;
  Law law;
  double mean = 0;
  Ball finite(1);  // upper bound of the finite mass so far
  for (const Group& group : groups_) {
    const Law next = group_law(group, side);
    mean += group.mean;
    const auto lowest = checked_integer(std::floor((mean - half_window_) / mesh_), grid_name);
    const auto highest = checked_integer(std::ceil((mean + half_window_) / mesh_), grid_name);
    Law result;
    result.first = lowest;
    check_memory_of_balls(static_cast<double>(highest) - static_cast<double>(lowest));
    result.masses.assign(static_cast<std::size_t>(highest - lowest) + 1, Ball(0));
    result.infinite =
        law.infinite +
        PLAUDIT_BOUND("two_point.infinite_beside_finite", finite, Ball(0)) * next.infinite;
    for (std::size_t j = 0; j < next.masses.size(); ++j) {
      if (next.masses[j].is_exact_zero()) continue;
      check_work_limit();
      for (std::size_t i = 0; i < law.masses.size(); ++i) {
        const Ball mass = law.masses[i] * next.masses[j];
        const long to = law.first + next.first + static_cast<long>(i + j);
        if (to > highest && up) {
          result.infinite += mass;
        } else if (to >= lowest || up) {
          result.masses[static_cast<std::size_t>(std::clamp(to, lowest, highest) - lowest)] += mass;
        }
      }
    }
    law = std::move(result);
    finite = Ball(0);
    for (const Ball& mass : law.masses) finite += mass;
  }
  return law;
}

Ball TwoPointRounding::value(const Law& law, const Ball& x) const {
  Ball sum = law.infinite;
  for (std::size_t i = law.masses.size(); i-- > 0;) {
    const Ball loss = Ball(law.first + static_cast<long>(i)) * Ball(mesh_);
    if (certainly_less_equal(loss, x)) break;
    sum += law.masses[i] * max(Ball(0), -expm1(x - loss));
  }
  return sum;
}

Enclosure TwoPointRounding::delta(const Ball& x) const {
  Enclosure band;
  band.lower = max(Ball(0), max(-expm1(x), value(below_, x))).lower();
  const Ball above = min(Ball(1), value(above_, x));
  const Ball gap = max(Ball(0), above - band.lower);
  band.upper = (band.lower + band.ledger.add(rounding_term, gap)).upper();
  return band;
}

}  // namespace plaudit
