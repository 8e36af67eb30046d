// True tests of a random participation with two states: a label of the grid, moved after every row
// by a rule of the outputs alone, with its probabilities. Proof:
// docs/proofs/random_participation.md#cells
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/participation/two_state_filter.hpp"
#include "mechanisms/participation/two_state_noise.hpp"

namespace plaudit {

namespace {

/// A label's next one, the probability of that under Q, and what it makes of the states.
struct LabelStep {
  int from;
  int to;
  long shift;
  double q;
  std::array<std::array<double, 2>, 2> states;
};

// binary64 bound: docs/proofs/random_participation.md#plane
class LowerRow {
 public:
  LowerRow(const TwoStateRow& row, const RowNoise& noise, const TwoStateGrid& grid) : grid_(grid) {
    const std::vector<NoiseCell> cells = noise.cells();
    const double mesh = estimate(grid.mesh);
    std::array<std::size_t, share_steps + 1> arrivals{};
    for (int j = 0; j <= share_steps; ++j) {
      std::map<GridMove, NoiseCell> steps;
      for (const NoiseCell& cell : cells) {
        const StatePair after = after_row(row, share_node(j), cell.x / cell.q, cell.y / cell.q);
        const double t = after[0].estimate() + after[1].estimate();
        const double share = after[0].estimate() / t;
        const double place = std::log(t) / mesh;
        const bool known = std::isfinite(place) && std::isfinite(share);  // any label is valid
        const GridMove step = known
                                  ? GridMove{static_cast<int>(clamped_integer(
                                                 std::round(share * share_steps), 0, share_steps)),
                                             checked_integer(std::round(place), "a shift")}
                                  : GridMove{0, 0};
        NoiseCell& sum = steps[step];
        sum.q += cell.q;
        sum.x += cell.x;
        sum.y += cell.y;
      }
      for (const auto& [step, sum] : steps) {
        LabelStep next{j, step.to, step.shift, sum.q.upper_double(), {}};
        for (std::size_t to = 0; to < 2; ++to) {
          for (std::size_t from = 0; from < 2; ++from) {
            const Ball weight = Ball(row.constant[to][from]) * sum.q +
                                Ball(row.old[to][from]) * sum.x + Ball(row.young[to][from]) * sum.y;
            next.states[to][from] = std::max(0.0, weight.lower_double());
          }
        }
        steps_.push_back(next);
        ++arrivals[static_cast<std::size_t>(step.to)];
      }
      check_work_limit();
    }
    most_roundings_ = 4 * *std::max_element(arrivals.begin(), arrivals.end()) + grid.places() + 2;
  }

  /// A number of a row passes at most so many: a step adds to a state from either state, at an end
  /// twice; what leaves the row is first summed over its places; one product each, and its sum.
  std::size_t most_roundings() const { return most_roundings_; }

  void apply(GridMasses& q, std::array<GridMasses, 2>& states) const {
    const GridMasses empty(q.size(), std::vector<double>(q.front().size(), 0.0));
    GridMasses next_q = empty;
    std::array<GridMasses, 2> next{empty, empty};
    for (const LabelStep& step : steps_) {
      const auto from = static_cast<std::size_t>(step.from);
      const auto to = static_cast<std::size_t>(step.to);
      add_shifted(q[from], step.q, step.shift, true, next_q[to]);
      for (std::size_t s = 0; s < 2; ++s) {
        for (std::size_t r = 0; r < 2; ++r) {
          add_shifted(states[r][from], step.states[s][r], step.shift, true, next[s][to]);
        }
      }
    }
    for (std::size_t j = 0; j < q.size(); ++j) {
      for (std::size_t k = 0; k < q[j].size(); ++k) {
        if (next_q[j][k] > 0) next_q[j][k] = std::max(next_q[j][k], smallest_mass);
        for (GridMasses& state : next) {
          if (state[j][k] < smallest_mass) state[j][k] = 0;
        }
      }
    }
    q = std::move(next_q);
    states = std::move(next);
    check_work_limit(5 * seconds_of_product * static_cast<double>(steps_.size()) *
                     static_cast<double>(grid_.places()));
  }

 private:
  TwoStateGrid grid_;
  std::vector<LabelStep> steps_;
  std::size_t most_roundings_ = 0;
};

}  // namespace

TwoStateAttack::TwoStateAttack(const RandomParticipation& scheme, const TwoStateGrid& grid)
    : LabelTests(grid.places()) {
  const PrecisionScope scope(two_state_bits);
  const TwoStateScheme plane = two_state_scheme(scheme);
  const RowNoise noise(plane);
  const LowerRow first(plane.first, noise, grid);
  const LowerRow later(plane.later, noise, grid);
  GridMasses q(share_steps + 1, std::vector<double>(grid.places(), 0.0));
  std::array<GridMasses, 2> states{q, q};
  const int start = floor_of(Rational(plane.begin[0] * share_steps)).to<int>();
  const auto at = static_cast<std::size_t>(start);
  q[at][static_cast<std::size_t>(-grid.first)] = 1;
  for (std::size_t s = 0; s < 2; ++s) {
    states[s][at][static_cast<std::size_t>(-grid.first)] = Ball(plane.begin[s]).lower_double();
  }
  for (std::size_t row = 0; row < scheme.steps; ++row) {
    (row == 0 ? first : later).apply(q, states);
  }
  const Ball factor =
      rounding_factor(scheme.steps * std::max(first.most_roundings(), later.most_roundings()));
  Ball p_sum;
  Ball q_sum;
  for (std::size_t k = grid.places(); k-- > 0;) {
    for (std::size_t j = 0; j < q.size(); ++j) {
      q_sum += Ball(q[j][k]);
      p_sum += Ball(states[0][j][k]) + Ball(states[1][j][k]);
    }
    p_[k] = (p_sum / factor).lower();
    q_[k] = PLAUDIT_BOUND("two_state.attack", (q_sum * factor).upper(),
                          (q_sum * Ball(Rational(999, 1000))).upper());
  }
}

}  // namespace plaudit
