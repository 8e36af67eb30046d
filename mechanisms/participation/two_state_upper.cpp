// The law of the filter of a random participation with two states, above the true one: at least
// its E (W - x)_+ at each place x of the grid. Masses are rounded up and need not sum to 1. Proof:
// docs/proofs/random_participation.md#plane
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <stdexcept>

#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/participation/two_state_filter.hpp"
#include "mechanisms/participation/two_state_noise.hpp"

namespace plaudit {

namespace {

constexpr double smallest_weight =
    1e-60;  ///< so that no mass times a weight is below the least double

/// What is split onto two neighbouring nodes.
struct Split {
  long low;
  Ball to_low;
  Ball to_high;
};

/// @param place in units of the nodes. Where it may lie outside of the two, the caller takes a node
/// and raises t.
Split split_share(const Ball& place) {
  const long low = clamped_integer(std::floor(place.estimate()), 0, share_steps - 1);
  const Ball high = place - Ball(low);
  return {low, Ball(1) - high, high};
}

/// Weights of one row from node j.
std::map<GridMove, Ball> upper_steps(const TwoStateRow& row, int j,
                                     const std::vector<NoiseVertex>& vertices, const Ball& mesh) {
  std::map<GridMove, Ball> steps;
  const auto before = share_node(j);
  const Ball growth = expm1(mesh);
  for (const NoiseVertex& vertex : vertices) {
    const StatePair after = after_row(row, before, vertex.x, vertex.y);
    Ball t = after[0] + after[1];
    Split share = split_share(after[0] / t * Ball(share_steps));
    const bool inside = certainly_nonnegative(share.to_low) && certainly_nonnegative(share.to_high);
    if (!inside) {  // that node, and a t so great that neither state is less; no state is 0 at a
                    // node inside
      long at = share.low + (share.to_high.estimate() > 0.5 ? 1 : 0);
      if (at == 0 && !after[0].is_exact_zero()) at = 1;
      if (at == share_steps && !after[1].is_exact_zero()) at = share_steps - 1;
      Ball most(0);
      if (at > 0) most = max(most, after[0] * Ball(share_steps) / Ball(at));
      if (at < share_steps) most = max(most, after[1] * Ball(share_steps) / Ball(share_steps - at));
      t = most;
      share = at < share_steps ? Split{at, Ball(1), Ball(0)} : Split{at - 1, Ball(0), Ball(1)};
    }
    const Ball places = log(t) / mesh;
    long shift = checked_integer(std::floor(places.estimate()), "a shift");
    if (!certainly_less_equal(places, Ball(shift + 1))) {
      shift = checked_integer(std::ceil(places.upper_double()), "a shift");
    }
    // t is split between the places shift and shift + 1; below the first it is raised to it
    const Ball high = max(Ball(0), expm1(log(t) - mesh * Ball(shift)) / growth);
    const Ball low = Ball(1) - high;
    const auto add = [&](long to, long k, const Ball& weight) {
      Ball& sum = steps[{static_cast<int>(to), k}];
      sum += vertex.weight * weight;
    };
    add(share.low, shift, share.to_low * low);
    add(share.low, shift + 1, share.to_low * high);
    add(share.low + 1, shift, share.to_high * low);
    add(share.low + 1, shift + 1, share.to_high * high);
  }
  return steps;
}

struct DoubleStep {
  int from;
  int to;
  long shift;
  double weight;
};

// binary64 bound: docs/proofs/random_participation.md#plane
class UpperRow {
 public:
  UpperRow(const TwoStateRow& row, const RowNoise& noise, const TwoStateGrid& grid) : grid_(grid) {
    Ball beyond;
    const std::vector<NoiseVertex> vertices = noise.vertices(beyond);
    beyond_ = beyond.upper_double();
    std::array<std::size_t, share_steps + 1> arrivals{};
    for (int j = 0; j <= share_steps; ++j) {
      for (const auto& [step, weight] : upper_steps(row, j, vertices, Ball(grid.mesh))) {
        const double up =
            PLAUDIT_BOUND("two_state.upper", weight.upper_double(), weight.upper_double() * 0.999);
        if (!(up > 0)) continue;
        if (step.shift >= static_cast<long>(grid.places())) {  // t_of() would be too low
          throw std::domain_error("a row moves the likelihood ratio further than the grid reaches");
        }
        steps_.push_back({j, step.to, step.shift, std::max(up, smallest_weight)});
        ++arrivals[static_cast<std::size_t>(step.to)];
      }
      check_work_limit();
    }
    most_roundings_ = 2 * *std::max_element(arrivals.begin(), arrivals.end()) + grid.places() + 3;
  }

  /// A number of a row passes at most so many: a step adds to it, at the first place twice; what
  /// falls short of that place is first summed over the places; two products and a quotient each.
  std::size_t most_roundings() const { return most_roundings_; }

  /// @param t upper ends of exp(mesh k) for 3 places() values of k, from grid.first - places() on.
  void apply(GridMasses& now, double& infinite, const std::vector<double>& t) const {
    const auto places = static_cast<long>(grid_.places());
    GridMasses next(now.size(), std::vector<double>(now.front().size(), 0.0));
    const auto t_of = [&](long place) {  // relative to the first place
      return t[static_cast<std::size_t>(std::clamp(place + places, 0L, 3 * places - 1))];
    };
    for (const DoubleStep& step : steps_) {
      const double* from = now[static_cast<std::size_t>(step.from)].data();
      double* to = next[static_cast<std::size_t>(step.to)].data();
      add_shifted(now[static_cast<std::size_t>(step.from)], step.weight, step.shift, false,
                  next[static_cast<std::size_t>(step.to)]);
      double below = 0;  // what falls short of the first place is split between it and 0
      for (long k = 0; k < std::min(-step.shift, places); ++k)
        below += from[k] * t_of(k + step.shift);
      to[0] += step.weight * below / t_of(0);
      double far = 0;
      for (long k = std::max(places - step.shift, 0L); k < places; ++k)
        far += from[k] * t_of(k + step.shift);
      infinite += step.weight * far;
    }
    for (std::size_t j = 0; j < now.size(); ++j) {
      for (std::size_t k = 0; k < now[j].size(); ++k) {
        infinite += beyond_ * now[j][k] * t_of(static_cast<long>(k));
        if (next[j][k] > 0) next[j][k] = std::max(next[j][k], smallest_mass);
      }
    }
    now = std::move(next);
    check_work_limit(seconds_of_product * static_cast<double>(steps_.size()) *
                     static_cast<double>(places));
  }

 private:
  TwoStateGrid grid_;
  std::vector<DoubleStep> steps_;
  double beyond_ = 0;
  std::size_t most_roundings_ = 0;
};

}  // namespace

TwoStateUpper::TwoStateUpper(const RandomParticipation& scheme, const TwoStateGrid& grid) {
  if (grid.mesh * grid.last > greatest_log_ratio) {  // `lost_below` would be too little
    throw std::domain_error("the grid reaches further than its products of doubles may");
  }
  const PrecisionScope scope(two_state_bits);
  const TwoStateScheme plane = two_state_scheme(scheme);
  const RowNoise noise(plane);
  const UpperRow first(plane.first, noise, grid);
  const UpperRow later(plane.later, noise, grid);
  const auto places = static_cast<long>(grid.places());
  std::vector<double> t;
  for (long k = grid.first - places; k < grid.first + 2 * places; ++k) {
    t.push_back(exp(Ball(Rational(grid.mesh * k))).upper_double());
  }
  GridMasses now(share_steps + 1, std::vector<double>(grid.places(), 0.0));
  const Rational start = plane.begin[0] * share_steps;
  const auto below = floor_of(start).to<std::size_t>();
  const Ball next_share = Ball(Rational(start - Rational(Integer(below))));
  const auto middle = static_cast<std::size_t>(-grid.first);
  now[below][middle] = (Ball(1) - next_share).upper_double();
  if (below < share_steps) now[below + 1][middle] = next_share.upper_double();
  double infinite = 0;
  for (std::size_t row = 0; row < scheme.steps; ++row) {
    (row == 0 ? first : later).apply(now, infinite, t);
  }
  const std::size_t operations =
      scheme.steps * std::max(first.most_roundings(), later.most_roundings());
  const Ball factor = rounding_factor(operations);
  std::vector<Ball> masses(grid.places());
  for (const auto& of_share : now) {
    for (std::size_t k = 0; k < of_share.size(); ++k) masses[k] += Ball(of_share[k]);
  }
  above_.resize(grid.places());
  const Ball step = exp(Ball(grid.mesh));
  Ball beyond;  // of Q, above the place
  // roundings of `infinite` are below a factor 2; products below the least double are lost
  Ball sum = Ball(2 * infinite) + Ball(lost_below);
  for (std::size_t k = grid.places(); k-- > 0;) {
    above_[k] = (sum * factor).upper();
    beyond += masses[k];
    const Ball here = exp(Ball(Rational(grid.mesh * (grid.first + static_cast<long>(k)))));
    sum += beyond * (here - here / step);
  }
}

}  // namespace plaudit
