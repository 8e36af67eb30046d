#include "accountants/prv/prv_cells.hpp"

#include <algorithm>

#include "lib/analysis/normal/normal_cdf_table.hpp"
#include "lib/balls/ball_memory.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/cells/cell_integrals.hpp"
#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/mixtures/mixture_density.hpp"

namespace plaudit {

namespace {

/// Phi(y - a) where that is below 1/2, else 1 - Phi(y - a): never close to 1.
struct Tail {
  Ball mass;
  bool upper = false;
};

/// One component of the mixture: neighbouring ends of cells share a Taylor series.
struct Component {
  Ball rate;
  Ball weight;
  NormalCdfTable table;
  Tail former;

  Tail tail(const Ball& y) {
    if (!y.is_finite()) return {Ball(0), false};
    const Ball x = y - rate;
    const bool upper = x.estimate() > 0;  // either form is exact
    return {table.at(upper ? -x : x), upper};
  }
};

Ball between(const Tail& left, const Tail& right) {
  if (left.upper) return left.mass - right.mass;
  if (!right.upper) return right.mass - left.mass;
  return Ball(1) - left.mass - right.mass;
}

}  // namespace

// Proof: docs/proofs/prv.md#cells
void mixture_cells(const GaussianMixture& mixture, Direction direction, const Ball& d, long first,
                   long last, const std::function<void(long, const Ball&)>& sink) {
  std::vector<Component> components;
  if (direction == Direction::remove) {
    for (std::size_t i = 0; i < mixture.sensitivities.size(); ++i) {
      components.push_back({Ball(Rational(mixture.sensitivities[i] / mixture.sigma)),
                            Ball(mixture.probabilities[i]),
                            NormalCdfTable(),
                            {}});
    }
  } else {
    components.push_back({Ball(0), Ball(1), NormalCdfTable(), {}});
  }
  const MixtureDensity density(mixture, Ball(1));
  density.cell_ends(d, first, last, [&](long j, const Ball& y) {
    Ball mass;
    for (Component& component : components) {
      Tail next = component.tail(y);
      if (j > first) mass += component.weight * between(component.former, next);
      component.former = std::move(next);
    }
    if (j > first) sink(j - 1, clipped_nonnegative(mass));
  });
}

std::vector<Ball> loss_cells(const PrivacyLoss& loss, Direction direction, const Ball& d,
                             long first, long last) {
  std::vector<Ball> cells;
  check_memory_of_balls(static_cast<double>(last - first));
  cells.reserve(static_cast<std::size_t>(last - first + 1));
  const CellRange range{d.estimate(), first, last + 1, true};
  if ((d - Ball(range.mesh)).is_exact_zero() && knows_cells(loss, range)) {
    // in doubles, the error of each in its radius
    const CellIntegrals masses = cell_integrals(loss, direction, range, {CellWeight::whole})[0];
    for (std::size_t i = 0; i < masses.values.size(); ++i) {
      const Ball mass = widened(Ball(masses.values[i]), Ball(masses.errors[i]));
      cells.push_back(clipped_nonnegative(mass));
    }
    return cells;
  }
  if (loss.facts().gaussian_mixture != nullptr) {
    const bool removes = direction == Direction::remove;
    mixture_cells(*loss.facts().gaussian_mixture, direction, d, removes ? first : -last,
                  removes ? last : -first, [&](long, const Ball& mass) { cells.push_back(mass); });
    if (!removes) std::reverse(cells.begin(), cells.end());
    return cells;
  }
  const auto end = [&](long j) { return loss.p_above(d * ldexp(Ball(2 * j - 1), -1)); };
  Ball left = end(first);
  for (long j = first; j <= last; ++j) {
    if (j % 256 == 0) check_work_limit();
    Ball right = end(j + 1);
    cells.push_back(clipped_nonnegative(left - right));
    left = std::move(right);
  }
  return cells;
}

}  // namespace plaudit
