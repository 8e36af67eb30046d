// Tests of a ring of bins: a label of the grid that is made of the cells of the noise alone, with
// its probabilities. Proof: docs/proofs/random_participation.md#ring; where the ring is not that of
// the scheme but below it, its tests tell no more than those of the scheme can: #compared
#include <algorithm>

#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/participation/ring_filter.hpp"
#include "mechanisms/participation/ring_noise.hpp"
#include "mechanisms/participation/two_state_noise.hpp"

namespace plaudit {

namespace {

/// Of each label: Q of it from above and from below, and E_Q of the sum t so far from below.
struct Labels {
  explicit Labels(std::size_t size) : q(size), least_q(size), t(size) {}
  std::vector<double> q;
  std::vector<double> least_q;
  std::vector<double> t;
};

// binary64 bound: docs/proofs/random_participation.md#ring
/// Adds label l to that of the node nearest to node l + more, in a cell of which Q is a weight.
void add(const Labels& from, const std::vector<double>& nodes, double weight, double least_weight,
         double more, Labels& to) {
  const std::size_t last = nodes.size() - 1;
  std::size_t k = 0;
  for (std::size_t l = 0; l < nodes.size(); ++l) {
    if (from.q[l] < smallest_mass) continue;
    const double t = nodes[l] + more;
    while (k < last && nodes[k + 1] <= t) ++k;
    const std::size_t label = k < last && nodes[k + 1] - t < t - nodes[k] ? k + 1 : k;
    to.q[label] += from.q[l] * weight;
    to.least_q[label] += from.least_q[l] * least_weight;
    to.t[label] += (from.t[l] + from.least_q[l] * more) * least_weight;
  }
}

/// Labels of too little Q take the next label: any rule of the cells makes a test.
void gather(Labels& labels) {
  for (std::size_t k = 0; k + 1 < labels.q.size(); ++k) {
    if (labels.q[k] >= gathered_mass) continue;
    labels.q[k + 1] += labels.q[k];
    labels.least_q[k + 1] += labels.least_q[k];
    labels.t[k + 1] += labels.t[k];
    labels.q[k] = labels.least_q[k] = labels.t[k] = 0;
  }
}

}  // namespace

RingAttack::RingAttack(const RandomParticipation& scheme, const RingGrid& grid)
    : LabelTests(grid.places() + 1) {
  const PrecisionScope scope(two_state_bits);
  const Ring ring = ring_below(scheme);
  const auto bins = static_cast<double>(ring.bins);
  const std::vector<double> nodes = ring_nodes(grid);
  const std::vector<RingNoise::Vertex> first =
      RingNoise({ring.first, Ball(0), true}, grid.cell).means();
  std::vector<std::vector<RingNoise::Vertex>> noise;
  for (std::size_t r = 0; r < ring.bins; ++r) {
    noise.push_back(RingNoise(ring.means[r], r == 0 ? grid.closing_cell : grid.cell).means());
  }
  Labels labels(nodes.size());
  std::size_t most_cells = first.size();
  for (const RingNoise::Vertex& closing : noise[0]) {
    std::vector<double> factors;
    std::vector<Labels> now;
    for (const RingNoise::Vertex& each : first) {
      factors.push_back(closing.own * each.own);
      now.emplace_back(nodes.size());
      now.back().q[0] = closing.weight * each.weight;
      now.back().least_q[0] = closing.least_weight * each.least_weight;
    }
    for (std::size_t r = 1; r < ring.bins; ++r) {
      std::vector<double> next_factors;
      std::vector<Labels> next;
      for (const RingNoise::Vertex& each : noise[r]) {
        next_factors.push_back(each.own);
        next.emplace_back(nodes.size());
        for (std::size_t i = 0; i < now.size(); ++i) {
          add(now[i], nodes, each.weight, each.least_weight, factors[i] * each.before / bins,
              next.back());
        }
        gather(next.back());
        check_work_limit(seconds_of_ring_product * static_cast<double>(now.size() * nodes.size()));
      }
      factors = std::move(next_factors);
      now = std::move(next);
      most_cells = std::max(most_cells, now.size());
    }
    for (std::size_t i = 0; i < now.size(); ++i) {
      add(now[i], nodes, 1, 1, factors[i] * closing.before / bins, labels);
    }
  }
  // a number passes at most so many operations: in each bin, and for each y_0 at the end, all that
  // meet in a label, and a few
  const std::size_t operations =
      (ring.bins + 2 + noise[0].size()) * (2 * (most_cells + 1) * nodes.size() + 16);
  const Ball factor = rounding_factor(operations);
  // labels of less than smallest_mass are left out of all sums: fewer than these
  const Ball left_out = Ball(smallest_mass) * Ball(std::uint64_t{(ring.bins + 1) * operations});
  Ball p_sum;
  Ball q_sum;
  for (std::size_t k = nodes.size(); k-- > 0;) {
    q_sum += Ball(labels.q[k]);
    p_sum += Ball(labels.t[k]);
    p_[k] = (p_sum / factor - Ball(lost_below)).lower();
    q_[k] = PLAUDIT_BOUND("ring.attack", (q_sum * factor + left_out + Ball(lost_below)).upper(),
                          (q_sum * Ball(Rational(999, 1000))).upper());
  }
}

}  // namespace plaudit
