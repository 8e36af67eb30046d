// Two laws of W of a ring of bins, above the true one: at least its E (W - x)_+, and at least its
// E (x - W)_+, at each place x of the grid. Masses are rounded up and need not sum to 1. Proof:
// docs/proofs/random_participation.md#ring
#include <algorithm>
#include <limits>
#include <stdexcept>

#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/participation/ring_filter.hpp"
#include "mechanisms/participation/ring_noise.hpp"
#include "mechanisms/participation/two_state_filter.hpp"
#include "mechanisms/participation/two_state_noise.hpp"

namespace plaudit {

namespace {

using Vertices = std::vector<RingNoise::Vertex>;

// binary64 bound: docs/proofs/random_participation.md#ring
class UpperSum {
 public:
  UpperSum(std::vector<double> nodes, double aside)
      : nodes_(std::move(nodes)), inverse_(nodes_.size()), aside_(aside) {
    double gap = 1;
    for (std::size_t k = 0; k + 1 < nodes_.size(); ++k) {
      inverse_[k] = 1 / (nodes_[k + 1] - nodes_[k]);
      gap = std::min(gap, (nodes_[k + 1] - nodes_[k]) / nodes_[k + 1]);
    }
    pad_ = 8 * std::numeric_limits<double>::epsilon() / gap;
  }

  double excess() const { return excess_; }

  /// to[k] += weight from[l], node l + more split onto nodes k; beyond the last one it is counted
  /// there, and what is more of t is in excess().
  void add(const std::vector<double>& from, double weight, double more, std::vector<double>& to) {
    const std::size_t last = nodes_.size() - 1;
    std::size_t k = 0;
    for (std::size_t l = 0; l < from.size(); ++l) {
      const double mass = from[l] * weight;
      if (mass == 0) continue;
      const double t = (nodes_[l] + more) * aside_;
      while (k < last && nodes_[k + 1] <= t) ++k;
      if (k == last) {
        to[last] += mass;
        excess_ += mass * (t - nodes_[last] + t * pad_);
        continue;
      }
      const double high = (t - nodes_[k]) * inverse_[k];
      to[k] += mass * (1 - high + pad_);
      to[k + 1] += mass * (high + pad_);
    }
  }

 private:
  std::vector<double> nodes_;
  std::vector<double> inverse_;
  double pad_;
  double aside_;  ///< moves t to the side on which its rounding may err
  double excess_ = 0;
};

/// Masses that are too little to be worth a place of their own go to the next node on the side that
/// the bound may err to: up for the excess, which rises with t, down for the shortfall.
void gather(std::vector<double>& row, RingSide side) {
  double held = 0;
  const std::size_t end = row.size() - 1;
  for (std::size_t i = 0; i <= end; ++i) {
    double& mass = row[side == RingSide::excess ? i : end - i];
    mass += held;
    held = 0;
    if (mass < gathered_mass && i < end) std::swap(mass, held);
    if (mass > 0) mass = std::max(mass, smallest_mass);
  }
}

/// E_Q [W; some y is beyond its cells].
Ball beyond_cells(const Ring& ring, const RingGrid& grid) {
  const Ball bins(std::uint64_t{ring.bins});
  const auto tail = [](const RingNoise& noise, const Ball& mean) {
    return normal_cdf(mean - noise.reach());
  };
  const RingNoise first({ring.first, Ball(0), true}, grid.cell);
  Ball sum = tail(first, ring.first) + (bins - Ball(1)) * tail(first, Ball(0));
  for (std::size_t r = 0; r < ring.bins; ++r) {
    const RingNoise noise(ring.means[r], r == 0 ? grid.closing_cell : grid.cell);
    if (noise.moves_nothing()) continue;
    sum += tail(noise, ring.means[r].own) + tail(noise, ring.means[r].before) +
           (bins - Ball(2)) * tail(noise, Ball(0));
  }
  return sum / bins;
}

/// Masses of W by node, and E [W - the last node; beyond it].
struct RingLaw {
  RingLaw(const Ring& ring, const RingGrid& grid, const std::vector<double>& nodes, RingSide side);

  std::vector<double> masses;
  double beyond;
  Ball factor;  ///< by which roundings may have made masses less
};

RingLaw::RingLaw(const Ring& ring, const RingGrid& grid, const std::vector<double>& nodes,
                 RingSide side)
    : masses(nodes.size()) {
  const auto bins = static_cast<double>(ring.bins);
  const Vertices first = RingNoise({ring.first, Ball(0), true}, grid.cell).vertices(side);
  std::vector<Vertices> noise;
  for (std::size_t r = 0; r < ring.bins; ++r) {
    noise.push_back(
        RingNoise(ring.means[r], r == 0 ? grid.closing_cell : grid.cell).vertices(side));
  }
  // products of F, G and 1/b, each rounded to the nearest, are moved to the side by this
  const double rounding = 8 * std::numeric_limits<double>::epsilon();
  const double aside = side == RingSide::excess ? 1 + rounding : 1 - rounding;
  UpperSum sum(nodes, aside);
  std::size_t most_ends = first.size();
  for (const RingNoise::Vertex& closing : noise[0]) {
    // the masses of t so far, for each value of the last F that is still to be added
    std::vector<double> factors;
    std::vector<std::vector<double>> now;
    for (const RingNoise::Vertex& each : first) {
      factors.push_back(closing.own * each.own);
      now.emplace_back(nodes.size());
      now.back()[0] = closing.weight * each.weight;
    }
    for (std::size_t r = 1; r < ring.bins; ++r) {
      std::vector<double> next_factors;
      std::vector<std::vector<double>> next;
      for (const RingNoise::Vertex& each : noise[r]) {
        next_factors.push_back(each.own);
        next.emplace_back(nodes.size());
        for (std::size_t i = 0; i < now.size(); ++i) {
          sum.add(now[i], each.weight, factors[i] * each.before / bins * aside, next.back());
        }
        gather(next.back(), side);
        check_work_limit(seconds_of_ring_product * static_cast<double>(now.size() * nodes.size()));
      }
      factors = std::move(next_factors);
      now = std::move(next);
      most_ends = std::max(most_ends, now.size());
    }
    for (std::size_t i = 0; i < now.size(); ++i) {
      sum.add(now[i], 1, factors[i] * closing.before / bins * aside, masses);
    }
  }
  beyond = sum.excess();
  // a mass passes at most so many operations: in each bin, and for each y_0 at the end, all that
  // meet in a node, and a few
  const std::size_t operations =
      (ring.bins + 2 + noise[0].size()) * (2 * (most_ends + 1) * nodes.size() + 16);
  factor = PLAUDIT_BOUND("ring.upper", rounding_factor(operations), Ball(Rational(999, 1000)));
}

/// W is multiplied by a factor L of mean 1 of its own: the bounds of E (L W - x)_+ = E L H(x / L)
/// from those of H(x) = E (W - x)_+, and of the shortfall likewise.
class CommonFactor {
 public:
  CommonFactor(const Ring& ring, const RingGrid& grid)
      : noise_({ring.common, Ball(0), true}, grid.cell), common_(ring.common) {
    for (long k = -grid.last; k <= grid.last; ++k) {
      places_.push_back(exp(Ball(Rational(grid.mesh * k))));
    }
  }

  std::vector<Ball> excess(const std::vector<Ball>& h) const {
    const Ball beyond = normal_cdf(common_ - noise_.reach());  // E [L; beyond the cells], E W = 1
    std::vector<Ball> result;
    for (const Ball& x : places_) {
      Ball sum = beyond;
      for (const RingNoise::Vertex& each : ends_of_excess_) {
        sum += Ball(each.weight) * Ball(each.own) * falling(h, x / Ball(each.own));
      }
      result.push_back(
          PLAUDIT_BOUND("ring.common", sum.upper(), (sum * Ball(Rational(999, 1000))).upper()));
    }
    return result;
  }

  std::vector<Ball> shortfall(const std::vector<Ball>& h) const {
    std::vector<Ball> result;
    for (const Ball& x : places_) {
      Ball sum;
      for (const RingNoise::Vertex& each : ends_of_shortfall_) {
        const Ball l(each.own);
        sum += Ball(each.weight) * (each.own > 0 ? l * rising(h, x / l) : x);
      }
      result.push_back(sum.upper());
    }
    return result;
  }

 private:
  /// The number of places that are certainly at most y.
  std::size_t places_below(const Ball& y) const {
    return static_cast<std::size_t>(
        std::partition_point(places_.begin(), places_.end(),
                             [&](const Ball& place) { return certainly_less_equal(place, y); }) -
        places_.begin());
  }

  /// H(y) is convex and falls, H(0) = 1: at most the chord between places around y, of which the
  /// first is certainly below y.
  Ball falling(const std::vector<Ball>& h, const Ball& y) const {
    const std::size_t k = places_below(y);
    if (k == 0) return Ball(1);
    if (k == places_.size()) return h.back();
    const Ball share = (y - places_[k - 1]) / (places_[k] - places_[k - 1]);
    return h[k - 1] + min(Ball(1), share) * (h[k] - h[k - 1]);
  }

  /// H(y) is convex and rises with a slope of at most 1: the chord to a place that is certainly
  /// above y.
  Ball rising(const std::vector<Ball>& h, const Ball& y) const {
    std::size_t k = places_below(y);
    while (k < places_.size() && !certainly_less_equal(y, places_[k])) ++k;
    if (k == places_.size()) return h.back() + max(Ball(0), y - places_.back());
    if (k == 0) return h.front();
    const Ball share = (y - places_[k - 1]) / (places_[k] - places_[k - 1]);
    return h[k - 1] + max(Ball(0), share) * (h[k] - h[k - 1]);
  }

  RingNoise noise_;
  Ball common_;
  Vertices ends_of_excess_ = noise_.vertices(RingSide::excess);
  Vertices ends_of_shortfall_ = noise_.vertices(RingSide::shortfall);
  std::vector<Ball> places_;
};

}  // namespace

RingUpper::RingUpper(const RandomParticipation& scheme, const RingGrid& grid)
    : excess_(grid.places()), shortfall_(grid.places()) {
  if (grid.mesh * grid.last > greatest_log_ratio) {  // products of doubles could be too small
    throw std::domain_error("the grid reaches further than its products of doubles may");
  }
  const PrecisionScope scope(two_state_bits);
  const Ring ring = ring_above(scheme);
  const std::vector<double> nodes = ring_nodes(grid);
  const auto place = [&](std::size_t k) {
    return exp(Ball(Rational(grid.mesh * (static_cast<long>(k) - grid.last))));
  };
  const RingLaw above(ring, grid, nodes, RingSide::excess);
  // E [W; above the place]. Roundings of what is beyond the last node, fewer than 2^50, are less
  // than the factor 2; products below the least double are lost
  Ball total = Ball(2 * above.beyond) + Ball(lost_below) + beyond_cells(ring, grid);
  Ball q;
  for (std::size_t k = grid.places(); k-- > 0;) {
    const Ball mass(above.masses[k + 1]);
    const Ball node(nodes[k + 1]);
    const Ball x = place(k);
    excess_[k] = ((total - x * q + mass * abs(node - x)) * above.factor).upper();
    total += mass * node;
    q += mass;
  }
  const RingLaw below(ring, grid, nodes, RingSide::shortfall);
  total = Ball(0);  // E [W; below the place]
  q = Ball(below.masses[0]);
  for (std::size_t k = 0; k < grid.places(); ++k) {
    const Ball mass(below.masses[k + 1]);
    const Ball node(nodes[k + 1]);
    const Ball x = place(k);
    shortfall_[k] =
        ((x * q - total + mass * abs(node - x)) * below.factor + Ball(lost_below)).upper();
    total += mass * node;
    q += mass;
  }
  if (!ring.common.is_exact_zero()) {
    const CommonFactor factor(ring, grid);
    excess_ = factor.excess(excess_);
    shortfall_ = factor.shortfall(shortfall_);
  }
}

}  // namespace plaudit
