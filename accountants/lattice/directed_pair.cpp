// Notation: cell i is (eps_i, eps_{i+1}], x_i = e^{eps_i}, and has a low and a high half. Of a
// half, P and Q are its masses under the two laws, its gain is P - x_i Q >= 0, and its lack is
// x_{i+1} Q - P = (e^h - 1) P - e^h gain >= 0. Outcomes may be merged at eps_j where what those
// above it gain is at least what those below it lack. In doubles, up(x) and down(x) bound the exact
// value of x after at most five roundings of sums and products of numbers >= 0, and underflows.
#include "accountants/lattice/directed_pair.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/cells/cell_integrals.hpp"

namespace plaudit {

namespace {

constexpr double underflow = 1e-300;
constexpr double balance = 1e-12;       ///< part of a lift that is not used: above the roundings
constexpr double part_kept = 1 - 1e-9;  ///< times the scale at which lift and weight would be equal
/// Of the half of a cell that is next to the group being balanced, the part that goes to the group
/// at the cell's other end: over the rise (a sixth would balance a smooth density), and at most.
constexpr double part_of_slope = 0.25;
constexpr double most_unusual = 0.9;
constexpr double low_part_of_usual = 0.8;  ///< below it what is handed on is brought to the usual
constexpr double seconds_of_cell = 5e-8;   ///< nominal

// binary64 bound: docs/proofs/blocks.md#upper
double up(double x) {
  return std::max(x, 0.0) * PLAUDIT_BOUND("directed.rounded_up", 1 + 0x1p-50, 1 - 0x1p-50) +
         underflow;
}
// binary64 bound: docs/proofs/blocks.md#lower
double down(double x) {
  return std::max(x * PLAUDIT_BOUND("directed.rounded_down", 1 - 0x1p-50, 1 + 0x1p-50) - underflow,
                  0.0);
}

/// Bounds of mass, gain and lack of the low halves of all cells, or of the high halves.
struct Half {
  std::vector<double> least_mass;
  std::vector<double> greatest_mass;
  std::vector<double> least_gain;
  std::vector<double> greatest_gain;
  std::vector<double> greatest_lack;
};

Half half_of(const CellIntegrals& mass, const CellIntegrals& gain, double mesh) {
  const std::size_t cells = mass.values.size();
  const double growth = expm1(Ball(mesh)).upper_double();
  const double ratio = exp(Ball(mesh)).lower_double();
  Half half;
  for (std::vector<double>* each : {&half.least_mass, &half.greatest_mass, &half.least_gain,
                                    &half.greatest_gain, &half.greatest_lack}) {
    each->resize(cells);
  }
  for (std::size_t i = 0; i < cells; ++i) {
    const double mass_error = PLAUDIT_BOUND("directed.mass_error", mass.errors[i], 0.0);
    const double gain_error = PLAUDIT_BOUND("directed.gain_error", gain.errors[i], 0.0);
    half.least_mass[i] = down(mass.values[i] - mass_error);
    half.greatest_mass[i] = up(mass.values[i] + mass_error);
    half.least_gain[i] = down(gain.values[i] - gain_error);
    half.greatest_gain[i] = up(gain.values[i] + gain_error);
    half.greatest_lack[i] =
        up(up(growth * half.greatest_mass[i]) - down(ratio * half.least_gain[i]));
  }
  return half;
}

std::vector<Ball> balls_of(const std::vector<double>& masses) {
  std::vector<Ball> result;
  result.reserve(masses.size());
  for (const double mass : masses) result.emplace_back(mass);
  return result;
}

LatticeLaw empty_law(double mesh, GridWindow window, const Ball& infinite) {
  LatticeLaw law;
  law.mesh = Ball(mesh);
  law.offset = Ball(0);
  law.first = window.first;
  law.infinite = infinite;
  return law;
}

/// Masses b' >= b at the upper end of each cell, and a' at the lower one with a' + b' >= P.
// Proof: docs/proofs/blocks.md#upper
std::vector<double> masses_above(const Half& low, const Half& high, double mesh) {
  const std::size_t cells = low.least_mass.size();
  const double share = (Ball(1) / -expm1(Ball(-mesh))).upper_double();
  std::vector<double> masses(cells + 1);
  for (std::size_t i = 0; i < cells; ++i) {
    const double whole = up(low.greatest_mass[i] + high.greatest_mass[i]);
    const double above = up((low.greatest_gain[i] + high.greatest_gain[i]) * share);
    masses[i] = up(masses[i] + up(whole - above));
    masses[i + 1] += above;
  }
  masses.back() = up(masses.back());
  return masses;
}

/// Parts of the halves of a cell, in [0, 1], that are given to a group at or above the cell's upper
/// end; the rest is kept by a group at or below its lower end.
struct Share {
  double low = 0;
  double high = 0;
};

/// The groups of the optimistic law: group j has the given parts of cells below eps_j (cell j - 1,
/// or several up to there) and the kept parts of cells above it (cell j, or several from there).
class Groups {
 public:
  Groups(const Half& low, const Half& high, double mass_above, double gain_above, double mesh)
      : low_(low),
        high_(high),
        mass_above_(mass_above),
        gain_above_(gain_above),
        mesh_(mesh),
        shares_(low.least_mass.size()),
        keeper_(cells()),
        taker_(cells()) {
    for (std::size_t i = 0; i < cells(); ++i) {
      keeper_[i] = i;
      taker_[i] = i + 1;
    }
  }

  /// The masses at the grid points: lower bounds of the P-masses of groups with P >= x_j Q.
  // Proof: docs/proofs/blocks.md#lower
  std::vector<double> masses() {
    sweep();
    for (Share& share : shares_) share = {part_of_one(share.low), part_of_one(share.high)};
    for (std::size_t j = 1; j <= cells(); ++j) confine(j);
    std::vector<double> result(cells() + 1);
    for (std::size_t i = 0; i < cells(); ++i) {
      const Share& share = shares_[i];
      double& kept = result[keeper_[i]];
      kept = down(kept + (1 - share.low) * low_.least_mass[i] +
                  (1 - share.high) * high_.least_mass[i]);
      double& given = result[taker_[i]];
      given = down(given + share.low * low_.least_mass[i] + share.high * high_.least_mass[i]);
    }
    result.back() = down(result.back() + mass_above_);
    return result;
  }

 private:
  std::size_t cells() const { return shares_.size(); }
  static double part_of_one(double x) { return x > 0 ? std::min(x, 1.0) : 0.0; }

  /// Of a half of cell i >= j, below P - x_j Q = (1 - r) P + r gain, r = e^{eps_j - eps_i}.
  double gain(const Half& half, std::size_t i, std::size_t j) const {
    if (i == j || half.least_mass[i] == 0) return half.least_gain[i];
    const Ball ratio = exp(-Ball(static_cast<long>(i - j)) * Ball(mesh_));
    return down(down((Ball(1) - ratio).lower_double() * half.least_mass[i]) +
                down(ratio.lower_double() * half.least_gain[i]));
  }
  /// Of a half of cell i < j, above x_j Q - P = (r - 1) P + r lack, r = e^{eps_j - eps_{i+1}}.
  double lack(const Half& half, std::size_t i, std::size_t j) const {
    if (i + 1 == j) return half.greatest_lack[i];
    const Ball ratio = exp(Ball(static_cast<long>(j - i - 1)) * Ball(mesh_));
    return up(up((ratio - Ball(1)).upper_double() * half.greatest_mass[i]) +
              up(ratio.upper_double() * half.greatest_lack[i]));
  }
  /// Lower bound of P - x_j Q of what lies above eps_j and belongs to group j.
  double lift(std::size_t j) const {
    double sum = j == cells() ? gain_above_ : 0;
    for (std::size_t i = j; i < cells() && keeper_[i] == j; ++i) {
      sum = down(sum + (1 - shares_[i].low) * gain(low_, i, j) +
                 (1 - shares_[i].high) * gain(high_, i, j));
    }
    return sum;
  }
  /// Upper bound of x_j Q - P of what lies below eps_j and belongs to group j.
  double weight(std::size_t j) const {
    double sum = 0;
    for (std::size_t i = j; i-- > 0 && taker_[i] == j;) {
      const Share& share = shares_[i];
      if (share.low == 0 && share.high == 0) continue;
      sum = up(sum + share.low * lack(low_, i, j) + share.high * lack(high_, i, j));
    }
    return sum;
  }

  /// Makes the lift of group j at least its weight: scales down what is given to it, at last to 0.
  void confine(std::size_t j) {
    const double available = lift(j);
    double needed = weight(j);
    if (PLAUDIT_BOUND("directed.outweighed", needed <= available, true)) return;
    const double part = available / needed * part_kept;
    const auto scale = [&](double by) {
      for (std::size_t i = j; i-- > 0 && taker_[i] == j;) {
        shares_[i].low *= by;
        shares_[i].high *= by;
      }
    };
    scale(part);
    needed = weight(j);
    if (!(needed <= available)) scale(0);
  }

  // Heuristics from here on: shares for which nearly nothing has to be confined.

  /// From one cell to the next, by how much the logarithm of the density times e^{-l/2} rises.
  double rise(std::size_t i) const {
    const std::size_t left = i - std::min<std::size_t>(i, 1);
    const std::size_t right = std::min(i + 1, cells() - 1);
    const double before = low_.greatest_mass[left] + high_.greatest_mass[left];
    const double after = low_.greatest_mass[right] + high_.greatest_mass[right];
    return std::log(after / before) / static_cast<double>(std::max<std::size_t>(right - left, 1)) -
           mesh_ / 2;
  }
  static double unusual(double slope) {
    return std::clamp(slope * part_of_slope, 0.0, most_unusual);
  }
  /// What a cell hands on to the next group, usually: `size` is the lack or gain of its far half.
  static double usual(double size, double slope) {
    return size * (1 + std::clamp(slope / 3, -0.5, 1.0));
  }

  /// Shares of cell i with this gain kept and this lack given, if there are some.
  std::optional<Share> share_for(std::size_t i, double kept, double lack) const {
    const double given = low_.least_gain[i] + high_.least_gain[i] - kept;
    const double scale =
        low_.least_gain[i] * high_.greatest_lack[i] - high_.least_gain[i] * low_.greatest_lack[i];
    const Share share{(given * high_.greatest_lack[i] - high_.least_gain[i] * lack) / scale,
                      (low_.least_gain[i] * lack - given * low_.greatest_lack[i]) / scale};
    const auto possible = [](double part) { return part >= 0 && part <= 1; };
    if (!possible(share.low) || !possible(share.high)) return std::nullopt;
    return share;
  }

  /// The share of cell j of which group j keeps the lift `needed`, where the cell has it. The slope
  /// splits the low half and the balance the high one, which hands on a third of an imbalance;
  /// where too little would be handed on, both are split so that it is the usual.
  Share share_below(std::size_t j, double needed) const {
    const double gain_low = low_.least_gain[j];
    const double slope = rise(j);
    const double low = unusual(slope);
    const double high = 1 - (needed - (1 - low) * gain_low) / high_.least_gain[j];
    if (!(high <= 1)) return {std::clamp(1 - needed / gain_low, 0.0, 1.0), 1};
    const Share share{low, std::clamp(high, 0.0, 1.0)};
    const double wanted = usual(high_.greatest_lack[j], slope);
    const double given = share.low * low_.greatest_lack[j] + share.high * high_.greatest_lack[j];
    if (given >= low_part_of_usual * wanted) return share;
    return share_for(j, needed, wanted).value_or(share);
  }
  /// The share of cell i that group i + 1 can lift, where the cell lacks more: the mirror image.
  Share share_above(std::size_t i, double available) const {
    const double lack_high = high_.greatest_lack[i];
    const double slope = -rise(i);
    const double high = 1 - unusual(slope);
    const double low = (available - high * lack_high) / low_.greatest_lack[i];
    if (!(low >= 0)) return {0, std::clamp(available / lack_high, 0.0, 1.0)};
    const Share share{std::clamp(low, 0.0, 1.0), high};
    const double wanted = usual(low_.least_gain[i], slope);
    const double kept =
        (1 - share.low) * low_.least_gain[i] + (1 - share.high) * high_.least_gain[i];
    if (kept >= low_part_of_usual * wanted) return share;
    return share_for(i, wanted, available).value_or(share);
  }

  /// Finds the lift of group j in cell j, and in as many more as it takes. @return the next group.
  std::size_t from_below(std::size_t j) {
    const double needed = weight(j) * (1 + balance);
    if (needed < low_.least_gain[j] + high_.least_gain[j]) {
      shares_[j] = share_below(j, needed);
      return j + 1;
    }
    double sum = 0;
    for (std::size_t i = j; i < cells(); ++i) {
      const double gain_low = gain(low_, i, j);
      const double gain_high = gain(high_, i, j);
      const double missing = needed - sum;
      keeper_[i] = j;
      shares_[i] = {0, 0};
      sum += gain_low + gain_high;
      if (sum <= needed) continue;
      shares_[i] = missing < gain_low ? Share{1 - missing / gain_low, 1}
                                      : Share{0, 1 - (missing - gain_low) / gain_high};
      return i + 1;
    }
    return cells();
  }
  /// Gives group j what it can lift of cell j - 1 and those below. @return the next group.
  std::size_t from_above(std::size_t j) {
    const double available = lift(j) * (1 - balance);
    if (available < low_.greatest_lack[j - 1] + high_.greatest_lack[j - 1]) {
      shares_[j - 1] = share_above(j - 1, available);
      return j - 1;
    }
    double sum = 0;
    for (std::size_t i = j; i-- > 0;) {
      const double lack_low = lack(low_, i, j);
      const double lack_high = lack(high_, i, j);
      const double left = available - sum;
      taker_[i] = j;
      shares_[i] = {1, 1};
      sum += lack_low + lack_high;
      if (sum <= available) continue;
      shares_[i] =
          left < lack_high ? Share{0, left / lack_high} : Share{(left - lack_high) / lack_low, 1};
      return i;
    }
    return 0;
  }

  /// Chooses all shares, from the end of the window that is nearer to the greatest mass of a cell:
  /// what finds no balance is then at the other end, where there is little.
  void sweep() {
    std::size_t most = 0;
    double greatest = 0;
    for (std::size_t i = 0; i < cells(); ++i) {
      const double mass = low_.greatest_mass[i] + high_.greatest_mass[i];
      if (mass > greatest) {
        greatest = mass;
        most = i;
      }
    }
    if (most < cells() / 2) {
      for (std::size_t j = 0; j < cells();) j = from_below(j);
    } else {
      for (std::size_t j = cells(); j > 0;) j = from_above(j);
    }
  }

  const Half& low_;
  const Half& high_;
  double mass_above_;
  double gain_above_;
  double mesh_;
  std::vector<Share> shares_;
  std::vector<std::size_t> keeper_;  ///< of each cell: the group of its kept part
  std::vector<std::size_t> taker_;   ///< and of its given part
};

}  // namespace

GridPair directed_pair(const PrivacyLoss& loss, Direction direction, double mesh,
                       GridWindow window) {
  const std::vector<CellIntegrals> integrals = cell_integrals(
      loss, direction, {mesh, window.first, window.last, false},
      {CellWeight::low, CellWeight::high, CellWeight::gain_low, CellWeight::gain_high});
  check_work_limit(seconds_of_cell * static_cast<double>(window.last - window.first));
  const Half low = half_of(integrals[0], integrals[2], mesh);
  const Half high = half_of(integrals[1], integrals[3], mesh);

  GridMasses ends;  // of the window
  const Ball first = Ball(window.first) * Ball(mesh);
  const Ball last = Ball(window.last) * Ball(mesh);
  ends.infinite = loss.mass_at_infinity();
  ends.below = clipped_nonnegative(Ball(1) - loss.p_above(first));
  ends.above = {clipped_nonnegative(loss.p_above(last) - ends.infinite), loss.q_above(last)};

  GridPair pair;
  pair.pessimistic = empty_law(mesh, window, ends.infinite);
  pair.pessimistic.masses = balls_of(masses_above(low, high, mesh));
  pair.window = close_window(ends, exp(last), pair.pessimistic);

  const double mass_above = down(ends.above.p.lower_double());
  const double gain_above = down((ends.above.p - exp(last) * ends.above.q).lower_double());
  pair.optimistic = empty_law(mesh, window, ends.infinite);
  pair.optimistic.masses = balls_of(Groups(low, high, mass_above, gain_above, mesh).masses());
  return pair;
}

}  // namespace plaudit
