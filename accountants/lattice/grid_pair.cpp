#include "accountants/lattice/grid_pair.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lib/balls/ball_memory.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

// The choice of a window: bits beyond those of the masses outside, bits at most, steps at most.
constexpr long spare_window_bits = 48;
constexpr long most_window_bits = 192;
constexpr int most_doublings = 60;
constexpr int halvings = 24;
constexpr double farthest_cut = 0.35;  ///< of a cell, from its middle
constexpr int bits_of_cut = 26;        ///< of its place in the cell

OutcomeMass between(const TailMasses& tails, std::size_t i, const TailMasses& next, std::size_t j) {
  return {clipped_nonnegative(tails.p[i] - next.p[j]), clipped_nonnegative(tails.q[i] - next.q[j])};
}

/// e^{i mesh} for first <= i <= last: one product each. The mesh may be negative.
std::vector<Ball> exponentials(double mesh, GridWindow window) {
  constexpr long block = 64;
  std::vector<Ball> powers{Ball(1)};
  const Ball ratio = exp(Ball(mesh));
  for (long k = 1; k < block; ++k) powers.push_back(powers.back() * ratio);
  std::vector<Ball> result;
  check_memory_of_balls(static_cast<double>(window.last - window.first));
  result.reserve(static_cast<std::size_t>(window.last - window.first + 1));
  Ball start;
  for (long i = window.first; i <= window.last; ++i) {
    const long k = (i - window.first) % block;
    if (k == 0) start = exp(Ball(i) * Ball(mesh));
    result.push_back(start * powers[static_cast<std::size_t>(k)]);
  }
  return result;
}

/// What lies at grid points stays there.
LatticeLaw initial_law(const GridMasses& masses) {
  LatticeLaw law;
  law.mesh = Ball(masses.mesh);
  law.offset = Ball(0);
  law.first = masses.window.first;
  law.masses = masses.points;
  law.infinite = masses.infinite;
  return law;
}

// Proof: docs/proofs/grid.md#upper
LatticeLaw connect_dots(const GridMasses& masses, const std::vector<Ball>& x, Ball& window) {
  LatticeLaw law = initial_law(masses);
  const Ball inverse = Ball(1) / expm1(Ball(masses.mesh));
  for (std::size_t i = 0; i < masses.left.size(); ++i) {
    if ((i & 4095) == 0) check_work_limit();
    // a at eps_i and b at eps_{i+1}: a + b = P, a / x_i + b / x_{i+1} = Q
    const Ball p = masses.left[i].p + masses.right[i].p;
    const Ball q = masses.left[i].q + masses.right[i].q;
    const Ball a = clipped_nonnegative((x[i + 1] * q - p) * inverse);
    law.masses[i] += a;
    law.masses[i + 1] += clipped_nonnegative(p - a);
  }
  window = close_window(masses, x.back(), law);
  return law;
}

/// The outcomes above the first grid point that are in no group yet: pieces in ascending order of
/// loss, two for each cell and one for all that is above the grid.
class Outcomes {
 public:
  explicit Outcomes(const GridMasses& masses) {
    pieces_.reserve(2 * masses.left.size() + 1);
    for (std::size_t i = 0; i < masses.left.size(); ++i) {
      check_work_limit_in_turn(i, masses.left.size());
      pieces_.push_back(masses.left[i]);
      pieces_.push_back(masses.right[i]);
    }
    pieces_.push_back(masses.above);
    end_ = pieces_.size();
  }

  bool empty() const { return begin_ == end_; }
  OutcomeMass& lowest() { return pieces_[begin_]; }
  OutcomeMass& highest() { return pieces_[end_ - 1]; }
  /// Whether the lowest, or the highest, piece lies above the j-th point of the grid.
  bool lowest_above(std::size_t j) const { return begin_ >= 2 * j; }
  bool highest_above(std::size_t j) const { return end_ - 1 >= 2 * j; }
  /// The grid point next below the lowest piece.
  std::size_t floor_of_lowest() const { return begin_ / 2; }
  void drop_lowest() { ++begin_; }
  void drop_highest() { --end_; }

 private:
  std::vector<OutcomeMass> pieces_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

/// A double r in [0, 1) with r whole <= most certainly, as large as it gets; 0 always serves.
Ball part_within(const Ball& whole, const Ball& most) {
  const double available = most.lower_double();
  const double needed = whole.upper_double();
  if (!(available > 0) || !(needed > 0) || !std::isfinite(needed)) return Ball(0);
  const Ball part(std::min(available / needed, 1.0) * (1 - 0x1p-40));
  return certainly_less_equal(part * whole, most) ? part : Ball(0);
}

/// Moves a part of the piece to the mass; the rest stays.
void move(OutcomeMass& piece, const Ball& part, Ball& mass) {
  const Ball p = part * piece.p;
  mass += p;
  piece.p -= p;
  piece.q -= part * piece.q;
}

/// The P-mass of a group at the j-th point, where e^loss = x: all that is above the point, and of
/// what is next below it as much as has a weight x Q - P certainly at most the lift P - x Q above.
Ball group_from_above(Outcomes& outcomes, std::size_t j, const Ball& x) {
  Ball mass;
  Ball lift;
  while (!outcomes.empty() && outcomes.highest_above(j)) {
    const OutcomeMass& piece = outcomes.highest();
    mass += piece.p;
    lift += piece.p - x * piece.q;
    outcomes.drop_highest();
  }
  while (!outcomes.empty()) {
    OutcomeMass& piece = outcomes.highest();
    const Ball weight = x * piece.q - piece.p;
    if (PLAUDIT_BOUND("grid.outweighed_from_above", !certainly_less_equal(weight, lift), false)) {
      move(piece, part_within(weight, lift), mass);
      break;
    }
    mass += piece.p;
    lift -= weight;
    outcomes.drop_highest();
  }
  return mass;
}

/// Adds a group at the j-th point, where e^loss = x, to the law: all that is below the point, and
/// of what is next above it as much as has a lift certainly at least the weight below. Where there
/// is not enough above, a part of each piece below goes to the point next below that piece.
void group_from_below(Outcomes& outcomes, std::size_t j, const Ball& x, LatticeLaw& law) {
  Ball below;
  Ball weight;
  std::vector<std::pair<std::size_t, Ball>> floors;
  while (!outcomes.empty() && !outcomes.lowest_above(j)) {
    const OutcomeMass& piece = outcomes.lowest();
    below += piece.p;
    weight += x * piece.q - piece.p;
    floors.emplace_back(outcomes.floor_of_lowest(), piece.p);
    outcomes.drop_lowest();
  }
  Ball above;
  Ball lift;
  while (!outcomes.empty() && !certainly_less_equal(weight, lift)) {
    OutcomeMass& piece = outcomes.lowest();
    const Ball gain = piece.p - x * piece.q;
    // The part r of it may be kept back: lift + (1 - r) gain >= weight.
    const Ball back = part_within(gain, lift + gain - weight);
    if (back.is_exact_zero()) {
      above += piece.p;
      lift += gain;
      outcomes.drop_lowest();
    } else {
      move(piece, Ball(1) - back, above);
      law.masses[j] += above + below;
      return;
    }
  }
  if (certainly_less_equal(weight, lift)) {
    law.masses[j] += above + below;
    return;
  }
  const Ball part = part_within(weight, lift);
  law.masses[j] += above + part * below;
  for (const auto& each : floors) law.masses[each.first] += (Ball(1) - part) * each.second;
}

/// The point where groups from above and from below meet (heuristic): little tilted mass around
/// it, ends of the support aside.
std::size_t meeting_point(const GridMasses& masses, double tilt) {
  constexpr std::size_t reach = 8;
  const std::size_t cells = masses.left.size();
  std::vector<double> sizes(cells);
  for (std::size_t i = 0; i < cells; ++i) {
    check_work_limit_in_turn(i, cells);
    const double log_mass = (masses.left[i].p + masses.right[i].p).estimate_log();
    sizes[i] = log_mass + tilt * masses.mesh * static_cast<double>(i);
  }
  std::size_t best = 0;
  double least = infinity;
  for (std::size_t i = 0; i < cells; ++i) {
    const auto first = sizes.begin() + static_cast<long>(i - std::min(i, reach));
    const auto last = sizes.begin() + static_cast<long>(std::min(i + reach + 1, cells));
    const double size = *std::max_element(first, last);
    if (size < least) {
      least = size;
      best = i;
    }
  }
  return best;
}

// Every group has P >= x_j Q, so that its P-mass, put at eps_j, has a curve below its own; and so
// has the P-mass of a piece at a grid point below that piece.
// Proof: docs/proofs/grid.md#lower
LatticeLaw merge_outcomes(const GridMasses& masses, const std::vector<Ball>& x, double tilt) {
  LatticeLaw law = initial_law(masses);
  Outcomes outcomes(masses);
  const std::size_t meeting = meeting_point(masses, tilt);
  for (std::size_t j = masses.left.size(); j > meeting; --j) {
    if ((j & 1023) == 0) check_work_limit();
    law.masses[j] += group_from_above(outcomes, j, x[j]);
  }
  for (std::size_t j = 0; j <= meeting; ++j) {
    if ((j & 1023) == 0) check_work_limit();
    group_from_below(outcomes, j, x[j], law);
  }
  while (!outcomes.empty()) {
    law.masses[outcomes.floor_of_lowest()] += outcomes.lowest().p;
    outcomes.drop_lowest();
  }
  for (std::size_t j = 0; j < law.masses.size(); ++j) {
    check_work_limit_in_turn(j, law.masses.size());
    law.masses[j] = clipped_nonnegative(law.masses[j]);
  }
  return law;
}

/// Heuristic: c_i = eps_i + h/2 - (s - 1/2) h^2/12, s the slope of the log of the density.
std::vector<Ball> balanced_cuts(const std::vector<Ball>& points, const TailMasses& ends,
                                double mesh) {
  const std::size_t cells = points.size() - 1;
  std::vector<double> sizes(cells);
  for (std::size_t i = 0; i < cells; ++i) {
    check_work_limit_in_turn(i, cells);
    sizes[i] = (ends.p[i] - ends.p[i + 1]).estimate();
  }
  std::vector<Ball> cuts;
  cuts.reserve(cells);
  for (std::size_t i = 0; i < cells; ++i) {
    check_work_limit_in_turn(i, cells);
    const std::size_t low = i == 0 ? 0 : i - 1;
    const std::size_t high = std::min(i + 1, cells - 1);
    const double rise = std::log(sizes[high] / sizes[low]) / static_cast<double>(high - low);
    double shift = -(rise - mesh / 2) / 12;
    shift = std::isfinite(shift) ? std::clamp(shift, -farthest_cut, farthest_cut) : 0;
    const double at =
        mesh * std::ldexp(std::round(std::ldexp(0.5 + shift, bits_of_cut)), -bits_of_cut);
    cuts.push_back(points[i] + Ball(at));
  }
  return cuts;
}

/// Moves atoms at grid points, as far as they certainly are, from their cells to the points.
void take_atoms(const PrivacyLoss& loss, const std::vector<Ball>& at, GridMasses& masses) {
  masses.points.resize(at.size());
  if (loss.facts().atoms_unknown) return;
  for (std::size_t i = 0; i < at.size(); ++i) {
    if ((i & 255) == 0) check_work_limit();
    const Ball atom = loss.p_atom(at[i]);
    if (!certainly_positive(atom)) continue;
    const Ball certain = atom.lower();
    masses.points[i] = certain;
    if (i == 0) {
      masses.below = clipped_nonnegative(masses.below - certain);
    } else {
      OutcomeMass& cell = masses.right[i - 1];
      cell.p = clipped_nonnegative(cell.p - certain);
      cell.q = clipped_nonnegative(cell.q - certain * exp(-at[i]));
    }
  }
}

}  // namespace

// Proof: docs/proofs/grid.md#window
Ball close_window(const GridMasses& masses, const Ball& last, LatticeLaw& law) {
  const Ball raised =
      charged(grid_window, PLAUDIT_BOUND("grid.raised_from_below", masses.below, Ball(0)));
  law.masses.front() += raised;
  const Ball lasting = last * masses.above.q;
  law.masses.back() += lasting;
  const Ball lost = charged(grid_window, clipped_nonnegative(masses.above.p - lasting));
  law.infinite += PLAUDIT_BOUND("grid.lost_above", lost, Ball(0));
  return raised + lost;
}

GridMasses grid_masses(const PrivacyLoss& loss, double mesh, GridWindow window, Cells cells) {
  const auto number = static_cast<std::size_t>(window.last - window.first);
  std::vector<Ball> points;
  points.reserve(number + 1);
  for (long i = window.first; i <= window.last; ++i) {
    if ((i & 4095) == 0) check_work_limit();
    points.push_back(Ball(i) * Ball(mesh));
  }
  const TailMasses ends = loss.tails_above(points);

  GridMasses result;
  result.mesh = mesh;
  result.window = window;
  result.infinite = loss.mass_at_infinity();
  result.left.reserve(number);
  result.right.reserve(number);
  if (cells == Cells::whole) {
    result.left.resize(number);
    for (std::size_t i = 0; i < number; ++i) {
      check_work_limit_in_turn(i, number);
      result.right.push_back(between(ends, i, ends, i + 1));
    }
  } else {
    const TailMasses middles = loss.tails_above(balanced_cuts(points, ends, mesh));
    for (std::size_t i = 0; i < number; ++i) {
      check_work_limit_in_turn(i, number);
      result.left.push_back(between(ends, i, middles, i));
      result.right.push_back(between(middles, i, ends, i + 1));
    }
  }
  result.below = clipped_nonnegative(Ball(1) - ends.p.front());
  take_atoms(loss, points, result);
  result.above = {clipped_nonnegative(ends.p.back() - result.infinite), ends.q.back()};
  return result;
}

// Proof: docs/proofs/grid.md#coarser
GridMasses grid_masses(const LatticeLaw& law, long ratio, GridWindow window) {
  GridMasses result;
  const double fine = law.mesh.estimate();
  result.mesh = fine * static_cast<double>(ratio);
  result.window = window;
  result.infinite = law.infinite;
  const auto cells = static_cast<std::size_t>(window.last - window.first);
  result.left.resize(cells);
  result.right.resize(cells);
  result.points.resize(cells + 1);
  const std::vector<Ball> inverse = exponentials(-fine, {law.first, law.last()});
  for (long j = law.first; j <= law.last(); ++j) {
    const auto index = static_cast<std::size_t>(j - law.first);
    const Ball& p = law.masses[index];
    if (j % ratio == 0 && j >= window.first * ratio && j <= window.last * ratio) {
      result.points[static_cast<std::size_t>(j / ratio - window.first)] = p;
      continue;
    }
    if (j < window.first * ratio) {
      result.below += p;
      continue;
    }
    OutcomeMass* place = &result.above;
    if (j <= window.last * ratio) {
      const long above_first = j - 1 - window.first * ratio;
      const auto cell = static_cast<std::size_t>(above_first / ratio);
      place = above_first % ratio < ratio / 2 ? &result.left[cell] : &result.right[cell];
    }
    place->p += p;
    place->q += p * inverse[index];
  }
  return result;
}

GridPair grid_pair(const GridMasses& masses, double tilt) {
  const std::vector<Ball> x = exponentials(masses.mesh, masses.window);
  GridPair pair;
  pair.pessimistic = connect_dots(masses, x, pair.window);
  pair.optimistic = merge_outcomes(masses, x, tilt);
  return pair;
}

// Proof: docs/proofs/grid.md#buckets
GridPair bucket_pair(const GridMasses& masses) {
  const std::vector<Ball> x = exponentials(masses.mesh, masses.window);
  GridPair pair;
  pair.pessimistic = initial_law(masses);
  pair.optimistic = initial_law(masses);
  for (std::size_t i = 0; i < masses.left.size(); ++i) {
    const Ball p = masses.left[i].p + masses.right[i].p;
    pair.pessimistic.masses[i + 1] += p;
    pair.optimistic.masses[i] += p;
  }
  pair.optimistic.masses.back() += masses.above.p;
  pair.window = close_window(masses, x.back(), pair.pessimistic);
  return pair;
}

GridWindow choose_window(const PrivacyLoss& loss, double mesh, double log_above, double log_below,
                         double t) {
  // Masses below are differences from 1.
  const PrecisionScope scope(
      std::min(most_window_bits,
               spare_window_bits +
                   precision_bits(std::max(0.0, -std::min(log_above, log_below)) / log_two)));
  const Ball infinite = loss.mass_at_infinity();
  const auto log_mass_above = [&](double x) {
    check_work_limit();
    return (loss.p_above(Ball(x)) - infinite).estimate_log();
  };
  const auto log_mass_below = [&](double x) {
    check_work_limit();
    const Ball mass = Ball(1) - loss.p_above(Ball(x));
    return mass.estimate_log() + t * x;
  };
  const double least = loss.least_loss().estimate();
  const double greatest = loss.greatest_loss().estimate();
  double inside = 0;
  double outside = std::min(1.0, greatest);
  for (int i = 0; i < most_doublings && outside < greatest && log_mass_above(outside) > log_above;
       ++i) {
    inside = outside;
    outside = std::min(2 * outside, greatest);
  }
  for (int i = 0; i < halvings && outside - inside > mesh; ++i) {
    const double middle = (inside + outside) / 2;
    (log_mass_above(middle) > log_above ? inside : outside) = middle;
  }
  const double top = outside;
  inside = top;
  outside = std::max(top - 1, least);
  for (int i = 0; i < most_doublings && outside > least && log_mass_below(outside) > log_below;
       ++i) {
    inside = outside;
    outside = std::max(top - 2 * (top - outside), least);
  }
  for (int i = 0; i < halvings && inside - outside > mesh; ++i) {
    const double middle = (inside + outside) / 2;
    (log_mass_below(middle) > log_below ? inside : outside) = middle;
  }
  GridWindow window{checked_integer(std::floor(outside / mesh), "the window of the grid"),
                    checked_integer(std::ceil(top / mesh), "the window of the grid")};
  window.last = std::max(window.last, window.first + 2);
  return window;
}

}  // namespace plaudit
