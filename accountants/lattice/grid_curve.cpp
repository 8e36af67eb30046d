// The laws above and below lie on the grid i h, h the mesh; n counts steps, t is the saddle point.
// narrow_delta and narrow_epsilon ask finer and finer grids (refine_grid, prepare). build chooses
// windows and h in doubles (choose_windows, finest_mesh, choose_mesh), compose makes the laws of a
// step (discretised; in two stages evolve) and composes them. By docs/proofs/grid.md#order any grid
// gives a band; the gap of its laws, about n t (t + 1) h^2 / 8 of delta (more where losses are only
// rounded), is part of that. What kept h from being finer is said in its remark.
#include "accountants/lattice/grid_curve.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include "accountants/cumulants/cumulant_table.hpp"
#include "accountants/inversion.hpp"
#include "accountants/lattice/directed_pair.hpp"
#include "accountants/lattice/grid_mesh.hpp"
#include "accountants/lattice/grid_pair.hpp"
#include "accountants/lattice/lattice_composition.hpp"
#include "accountants/lattice/lattice_power.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/plan/lattice_sketch.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/text.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/cells/cell_integrals.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm discretisation{"grid.discretisation", "docs/proofs/grid.md#order"};

constexpr double most_cells = 1 << 20;           ///< of all factors together
constexpr double most_directed_cells = 1 << 18;  ///< of laws in doubles: some tenths of a second
constexpr double spare_period = 0.95;   ///< of the longest: the next composition may want more
constexpr int most_coarser = 3;         ///< coarser meshes tried, where a period was too long
constexpr double least_cells = 64;      ///< of all factors together, unless the mesh was given
constexpr double least_mesh = 0x1p-40;  ///< never 0, which would ask for unbounded precision
constexpr double share_of_time = 0.4;   ///< of the work left, for one pair of laws
constexpr double composing = 1.5;       ///< work to discretise and compose, over the former alone
constexpr int most_grids = 3;           ///< made for one query, after a coarse one
constexpr double coarse_tolerance = 1e-4;  ///< relative, of delta: of the coarse grid
constexpr double least_nats = 16;     ///< of the composed curves: the inversion may start far away
constexpr double nats_of_curves = 5;  ///< the same, beyond those of the tolerance
constexpr double nats_of_directed_curves = 3;  ///< the same, of laws in doubles
constexpr double coarsest_look = 0.01;         ///< mesh on which a window is looked for
constexpr double least_finite_share = 0.01;    ///< of delta, that is left for finite losses
constexpr double least_guess = 1e-3;           ///< of epsilon
constexpr double least_saddle = 0.1;  ///< of a t that turns widths of epsilon into those of delta
constexpr double far_above = 0.1;  ///< a tolerance below this part of the coarse one: both are made
constexpr double part_of_crossing = 0.02;    ///< width of a crossing, over the width that will do
constexpr long most_bits = 100;              ///< of a crossing
constexpr double part_of_width = 0.4;        ///< of a width that will do, for which a grid is made
constexpr double part_of_epsilon = 0.04;     ///< width of a band that will do at most, over epsilon
constexpr int usual_digits = 3;              ///< of delta, where nobody asked for digits
constexpr double part_for_mesh = 0.8;        ///< of the tolerance, for the gap of the two laws
constexpr double part_for_each_stage = 0.4;  ///< the same where there are two stages
constexpr double cells_of_deviation = 4;     ///< of the tilted loss of one step, at least
constexpr long grid_bits = 96;               ///< precision of a curve, besides the bits it loses
constexpr double rounding_bits = 6;          ///< by which rounding is below the tolerance
// Orders that are tried for the moments that bound what is outside of the window of a power.
constexpr double least_order_step = 1e-3;
constexpr double greatest_order_step = 1e4;
constexpr double growth_of_order_step = 1.25;
constexpr double usual_seconds_per_cell = 1e-5;  ///< until some are made
constexpr double fine_enough = 0.95;  ///< the grid at hand serves down to this part of its mesh
constexpr double part_of_gap = 0.05;  ///< of the gap of the laws, that other errors may be
constexpr double part_of_tolerance = 0.7;  ///< of the wanted width: what the next grid is for
constexpr double least_step = 0.01;        ///< least factor from one tolerance to the next
constexpr long power_bits = 128;           ///< of the transforms of a power, at least
constexpr long longest_power = 1 << 20;    ///< points of its window
constexpr double wrap_nats = 20;       ///< by which what wraps, which enters every mass, is smaller
constexpr double window_share = 1e-3;  ///< of the tolerance, for each end of the window
constexpr const char* window_name = "the window of the grid";
constexpr double spare_nats = 3;  ///< queries with delta apart by this get their own grids

std::string text_of(double x) { return general_text(x, 3); }

using Factors = std::vector<LatticeComposition::Factor>;

/// How the laws are composed in two stages: groups of `copies`, then the groups, on a grid that is
/// coarser by `ratio`.
struct Evolution {
  double tilt = 1;
  double log_delta = 0;
  double log_share = 0;  ///< log of the relative loss allowed to each group at each end
  std::uint64_t copies = 1;
  long ratio = 1;
};

/// The composed laws above and below, and for what they were made.
struct Grid {
  double epsilon = 0;
  double tolerance = 0;  ///< relative, of delta
  double log_delta = 0;  ///< estimate at epsilon
  double mesh = 0;
  double cells = 0;  ///< of the windows of all factors, and of their powers
  std::unique_ptr<LatticeComposition> upper;
  std::unique_ptr<LatticeComposition> lower;
  double upper_epsilon = 0;  ///< where each of the two is accurate
  double lower_epsilon = 0;
  Ball window;        ///< charged to the upper law, all steps together
  std::string limit;  ///< what kept the mesh from being finer
};

class GridCurve final : public NarrowingCurve {
 public:
  GridCurve(const ComposedLoss& loss, const Goal& goal, GridSettings settings)
      : NarrowingCurve(loss, settings.accountant),
        table_(loss_),
        goal_(goal),
        settings_(std::move(settings)),
        directed_(!settings_.rounded && !settings_.evolving) {
    for (const ComposedLoss::Term& term : loss_.terms()) {
      directed_ = directed_ && knows_cells(*term.loss);
    }
  }

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    double place = estimate(epsilon);
    inverting_ = false;
    const int digits = goal_.stated ? goal_.digits : usual_digits;
    refine_grid(band, std::exp(-log_ten * digits), place, [&](Grid& grid) {
      const PrecisionScope scope(working_bits(grid.tolerance));
      const Enclosure above = grid.upper->delta(Ball(epsilon));
      const Enclosure below = grid.lower->delta(Ball(epsilon));
      say(band, grid, above, below);
      narrow(band, below.lower, above.upper);
      if (!goal_.stated && reached(band, digits)) return 0.0;
      return relative_width(band);
    });
  }

  void narrow_epsilon(Enclosure& band, const Rational& delta) override {
    if (reached(band, goal_.digits)) return;
    const double infinite = loss_.mass_at_infinity().estimate();
    const double finite =
        std::max(estimate(delta) - infinite, least_finite_share * estimate(delta));
    const double guess = std::max(table_.epsilon_for(std::log(finite)), least_guess);
    // A relative width w of delta becomes w / t in epsilon.
    double width = std::exp(-log_ten * goal_.digits) * guess;
    double enough = 0;  // a band of this width ends the search
    if (settings_.width) {
      enough = estimate(*settings_.width);
      if (!goal_.stated) enough = std::min(enough, part_of_epsilon * guess);
      width = std::max(width, part_of_width * enough);
    }
    const double wanted = std::min(width * std::max(table_.saddle(guess), least_saddle), 1.0);
    double place = guess;
    inverting_ = true;
    refine_grid(band, wanted, place, [&](Grid& grid) {
      // An absolute width asks for no more of a crossing than a small part of it.
      const double part = std::clamp(part_of_crossing * enough / guess, 0x1p-40, 0.5);
      const long bits = std::min(bits_of_digits(std::min(goal_.digits, 12)) + 4,
                                 enough > 0 ? precision_bits(-std::log2(part)) : most_bits);
      const PrecisionScope scope(std::max(working_bits(grid.tolerance), bits + 64));
      const auto invert = [&](LatticeComposition& law, double near) {
        return invert_curve(
            loss_,
            [&](const Ball& x) {
              const Enclosure found = law.delta(x);
              return hull(found.lower, found.upper);
            },
            delta, Ball(near), bits);
      };
      const bool apart = settings_.buckets > 0;
      const Crossing above = invert(*grid.upper, apart ? grid.upper_epsilon : place);
      narrow(band, band.lower, above.upper);
      const Crossing below = invert(*grid.lower, apart ? grid.lower_epsilon : place);
      narrow(band, below.lower, band.upper);
      const Ball at = band.upper.is_finite() ? band.upper : band.lower;
      say(band, grid, grid.upper->delta(at), grid.lower->delta(at));
      // From below the crossing its search goes upward, by small steps.
      const double lowest = band.lower.estimate();
      if (directed_ && lowest > least_guess) place = lowest;
      if (certainly_less(band.upper - band.lower, Ball(enough))) return 0.0;
      return ((band.upper - band.lower) / Ball(width)).upper_double() * wanted;
    });
  }

 private:
  static long working_bits(double tolerance) {
    return grid_bits + precision_bits(std::max(0.0, -std::log2(tolerance)));
  }

  static double relative_width(const Enclosure& band) {
    if (!band.upper.is_finite()) return infinity;
    return ((band.upper - band.lower) / max(abs(band.upper), Ball(0x1p-1000))).upper_double();
  }

  /// Asks `query` on finer and finer grids. It narrows the band, returns the relative width that is
  /// left in delta (0: it will do), and may move `epsilon`, where the next grid is made for.
  template <class Query>
  void refine_grid(Enclosure& band, double tolerance, double& epsilon, Query&& query) {
    // A fine grid may take longer than there is time: a coarse one first has a band to show.
    const bool coarse = !fixed() && tolerance < far_above * coarse_tolerance;
    double wanted = coarse ? coarse_tolerance : tolerance;
    for (int attempt = coarse ? -1 : 0; attempt < most_grids; ++attempt) {
      prepare(epsilon, wanted);
      const bool made_here = grid_->epsilon == epsilon;
      const double width = query(*grid_);
      band.remark.clear();
      if (width == 0 || reached(band, goal_.digits)) break;
      band.remark = grid_->limit;
      if (!grid_->limit.empty()) break;
      // A grid made for another epsilon is no reason to ask for more at this one, or to give up.
      if (!made_here) {
        grid_ = nullptr;
        continue;
      }
      if (!std::isfinite(width)) break;
      // Where a mesh is too coarse for the law below, the width says nothing of the next one.
      if (attempt >= 0 && !certainly_positive(band.lower)) {
        wanted = grid_->tolerance * least_step;
        continue;
      }
      const double least = attempt < 0 ? 0 : least_step;
      wanted = grid_->tolerance * std::clamp(part_of_tolerance * tolerance / width, least, 0.5);
    }
  }

  void say(Enclosure& band, const Grid& grid, const Enclosure& above, const Enclosure& below) {
    band.method = settings_.words + "mesh " + text_of(grid.mesh) + ", " + text_of(grid.cells) +
                  " cells, " + above.method;
    band.ledger = above.ledger;
    for (const Ledger::Entry& entry : below.ledger.entries()) {
      band.ledger.note({entry.name.c_str(), entry.theorem.c_str()}, entry.size);
    }
    band.ledger.note(grid_window, grid.window);
    const Ball gap = above.lower - below.upper;
    if (certainly_positive(gap)) band.ledger.note(discretisation, gap);
  }

  /// Makes the grid for this epsilon and tolerance, unless the last one serves (heuristic).
  void prepare(double epsilon, double tolerance) {
    if (grid_) {
      const double t = table_.saddle(epsilon);
      const bool fine = fixed() || finest_mesh(t, tolerance) > fine_enough * grid_->mesh ||
                        (grid_->epsilon == epsilon && grid_->tolerance <= tolerance);
      if (fine && std::fabs(table_.log_delta(epsilon, t) - grid_->log_delta) < spare_nats) return;
    }
    for (int attempt = 0;; ++attempt) {
      try {
        grid_ = build(epsilon, tolerance);
        break;
      } catch (const PeriodTooLong& too_long) {
        if (fixed() || attempt == most_coarser || !std::isfinite(too_long.length)) throw;
        period_length_ = too_long.length;
      }
    }
    period_length_ = std::max(grid_->upper->period_length(), grid_->lower->period_length());
  }

  /// The h where n t (t + 1) h^2 / 8, about the relative gap of the two curves, is a part of the
  /// tolerance, or a part of the deviation of one step where that is less (heuristic).
  double finest_mesh(double t, double tolerance) {
    const double part = settings_.evolving ? part_for_each_stage : part_for_mesh;
    double finest = std::sqrt(8 * part * tolerance / (loss_.steps() * t * (t + 1)));
    double least = infinity;
    for (const ComposedLoss::Term& term : loss_.terms()) {
      finest = std::min(finest,
                        std::sqrt(term.loss->estimate_cumulant(t).variance) / cells_of_deviation);
      least = std::min(least, std::sqrt(term.loss->estimate_cumulant(0).variance));
    }
    // At the end of the support t grows without bound; no grid as fine as that is affordable.
    return std::max({finest, least / most_cells, least_mesh});
  }

  bool fixed() const { return settings_.mesh || settings_.buckets > 0; }

  std::unique_ptr<Grid> build(double epsilon, double tolerance) {
    auto grid = std::make_unique<Grid>();
    grid->epsilon = epsilon;
    grid->tolerance = tolerance;
    if (!std::isfinite(epsilon) || !(tolerance > 0)) {
      throw std::domain_error("no estimate of epsilon to make a grid for");
    }
    const double t = table_.saddle(epsilon);
    grid->log_delta = std::min(table_.log_delta(epsilon, t), 0.0);
    const double finest = finest_mesh(t, tolerance);
    Windows windows = choose_windows(*grid, t, finest);
    grid->mesh = choose_mesh(windows.length, finest, grid->limit);
    // A mesh that is coarser than was wanted is no reason to compose more accurately than it is.
    const double gap = loss_.steps() * t * (t + 1) * grid->mesh * grid->mesh / 8;
    if (directed_ && part_of_gap * gap > grid->tolerance) {
      grid->tolerance = std::min(part_of_gap * gap, coarse_tolerance);
      windows = choose_windows(*grid, t, finest);
    }

    // What ball arithmetic loses: 2^-bits / mesh per cell and step.
    // (Logarithms apart: the quotient leaves the range of a double.)
    const double lost = std::log2(loss_.steps() * windows.length) - 2 * std::log2(grid->mesh) -
                        std::log2(grid->tolerance) + rounding_bits;
    const PrecisionScope scope(std::max(64L, precision_bits(std::ceil(lost)) - 3));
    compose(*grid, windows, t);
    return grid;
  }

  /// The windows of the laws of one step, as losses, and the sum of their lengths.
  struct Windows {
    std::vector<std::pair<double, double>> ends;
    double length = 0;
  };

  Windows choose_windows(const Grid& grid, double t, double finest) {
    const double log_share = std::log(grid.tolerance * window_share / loss_.steps());
    const double look = std::min(finest, coarsest_look);
    Windows result;
    for (const ComposedLoss::Term& term : loss_.terms()) {
      const GridWindow window = choose_window(*term.loss, look, grid.log_delta + log_share,
                                              log_share + term.loss->estimate_cumulant(t).value, t);
      result.ends.emplace_back(static_cast<double>(window.first) * look,
                               static_cast<double>(window.last) * look);
      result.length += result.ends.back().second - result.ends.back().first;
    }
    return result;
  }

  /// The mesh for windows of this length in all: the finest that serves, the given one, or what
  /// there is time for; `limit` says what kept it from being finer.
  double choose_mesh(double length, double finest, std::string& limit) const {
    double mesh = std::min(finest, length / least_cells);
    if (settings_.mesh) {
      mesh = estimate(*settings_.mesh);
      limit = "the mesh was given";
    } else if (settings_.buckets > 0) {
      mesh = length / static_cast<double>(settings_.buckets);
      limit = "the number of buckets was given";
    }
    // So many buckets, or no grid: there may be more work for the next question.
    const double seconds = settings_.buckets > 0 ? infinity : work_seconds_left();
    const double affordable = seconds * share_of_time / (composing * seconds_per_cell_);
    const double most = directed_ ? most_directed_cells : most_cells;
    if (length / mesh > std::min(most, affordable)) {
      limit = affordable < most ? "the time left bounds the number of cells"
                                : "the number of cells is at its limit";
      mesh = length / std::min(most, std::max(affordable, least_cells));
    }
    const double period = static_cast<double>(LatticeComposition::longest_period);
    if (!fixed() && period_length_ > spare_period * period * mesh) {
      limit = "the length of the transform is at its limit";
      mesh = period_length_ / (spare_period * period);
    }
    return directed_ || settings_.mesh ? short_mesh(mesh) : mesh_for_atoms(loss_, mesh);
  }

  Evolution plan_evolution(const Grid& grid, double t) const {
    const double steps = loss_.steps();
    Evolution plan;
    plan.tilt = t;
    plan.log_delta = grid.log_delta;
    plan.log_share = std::log(grid.tolerance * window_share) - std::log(steps) / 2;
    plan.copies =
        static_cast<std::uint64_t>(clamped_integer(std::ceil(std::sqrt(steps)), 1, most_index));
    plan.ratio = clamped_integer(std::round(std::pow(steps, 0.25)), 1, most_index);
    return plan;
  }

  /// Discretises the laws of one step, above and below, and composes them.
  void compose(Grid& grid, const Windows& windows, double t) {
    const double mesh = grid.mesh;
    const Evolution plan = plan_evolution(grid, t);
    Factors upper;
    Factors lower;
    const double start = work_done();
    for (std::size_t i = 0; i < windows.ends.size(); ++i) {
      const ComposedLoss::Term& term = loss_.terms()[i];
      GridWindow window{checked_integer(std::floor(windows.ends[i].first / mesh), window_name),
                        checked_integer(std::ceil(windows.ends[i].second / mesh), window_name)};
      window.last = std::max(window.last, window.first + 2);
      GridPair pair = discretised(*term.loss, mesh, window, t);
      grid.cells += static_cast<double>(window.last - window.first);
      grid.window += Ball(term.count) * pair.window;
      if (settings_.evolving) {
        evolve(grid, term, pair, plan, upper, lower);
        continue;
      }
      upper.push_back({std::make_shared<LatticeLaw>(std::move(pair.pessimistic)), term.count});
      lower.push_back({std::make_shared<LatticeLaw>(std::move(pair.optimistic)), term.count});
    }
    seconds_per_cell_ = (work_done() - start) / grid.cells;
    const double more = directed_ ? nats_of_directed_curves : nats_of_curves;
    const double nats = std::max(-std::log(grid.tolerance) + more, least_nats);
    grid.upper_epsilon = aim(upper, grid);
    grid.lower_epsilon = aim(lower, grid);
    grid.upper = std::make_unique<LatticeComposition>(std::move(upper), grid.upper_epsilon, nats);
    grid.lower = std::make_unique<LatticeComposition>(std::move(lower), grid.lower_epsilon, nats);
  }

  /// Heuristic: where the curve of these laws is to be accurate. Those of few buckets cross delta
  /// far from where the curve between them does, so that each is composed for its own crossing.
  double aim(const Factors& laws, const Grid& grid) const {
    if (!inverting_ || settings_.buckets == 0) return grid.epsilon;
    LatticeSketch sketch;
    for (const LatticeComposition::Factor& each : laws) sketch.add(*each.law, each.count);
    return std::max(sketch.epsilon_for(grid.log_delta), least_guess);
  }

  GridPair discretised(const PrivacyLoss& loss, double mesh, GridWindow window, double t) const {
    if (directed_ && knows_cells(loss, {mesh, window.first, window.last, false})) {
      return directed_pair(loss, loss_.direction(), mesh, window);
    }
    if (settings_.rounded) {
      return bucket_pair(grid_masses(loss, mesh, window, Cells::whole));
    }
    return grid_pair(grid_masses(loss, mesh, window), t);
  }

  /// Adds the factor's laws after the first stage: groups of copies, and the rest as one group.
  /// Proof: docs/proofs/grid.md#coarser
  static void evolve(Grid& grid, const ComposedLoss::Term& term, const GridPair& pair,
                     const Evolution& plan, Factors& upper, Factors& lower) {
    const std::uint64_t copies = std::min(plan.copies, term.count);
    const std::uint64_t groups = term.count / copies;
    const std::pair<std::uint64_t, std::uint64_t> stages[] = {{copies, groups},
                                                              {term.count % copies, 1}};
    for (const auto& [size, count] : stages) {
      if (size == 0) continue;
      const PowerPlan power = plan_power(*term.loss, grid.mesh, size, plan);
      const PrecisionScope scope(std::max(working_precision(), power_bits));
      const GridWindow coarse{floor_quotient(power.window.first, plan.ratio),
                              floor_quotient(power.window.last, plan.ratio) + 1};
      GridPair above =
          grid_pair(grid_masses(lattice_power(pair.pessimistic, size, power, Side::upper),
                                plan.ratio, coarse),
                    plan.tilt);
      GridPair below = grid_pair(
          grid_masses(lattice_power(pair.optimistic, size, power, Side::lower), plan.ratio, coarse),
          plan.tilt);
      grid.cells += static_cast<double>(power.window.last - power.window.first);
      upper.push_back({std::make_shared<LatticeLaw>(std::move(above.pessimistic)), count});
      lower.push_back({std::make_shared<LatticeLaw>(std::move(below.optimistic)), count});
    }
  }

  static long floor_quotient(long a, long b) { return a / b - (a % b < 0 ? 1 : 0); }

  /// Heuristic: the window of n copies and the orders that bound what is outside of it.
  static PowerPlan plan_power(const PrivacyLoss& loss, double mesh, std::uint64_t n,
                              const Evolution& plan) {
    const auto count = static_cast<double>(n);
    const double t = plan.tilt;
    const auto k = [&](double order) { return count * loss.estimate_cumulant(order).value; };
    const double at_tilt = k(t);
    const double wrap = plan.log_share - wrap_nats;
    PowerPlan result;
    result.tilt = t;
    double top = infinity;
    double tilted_top = top;
    double bottom = -top;
    double tilted_bottom = -top;
    for (double step = least_order_step; step < greatest_order_step; step *= growth_of_order_step) {
      const auto better = [&](double& edge, double& order, double candidate, double value,
                              bool smaller) {
        if (!std::isfinite(candidate) || (smaller ? candidate >= edge : candidate <= edge)) return;
        edge = candidate;
        order = value;
      };
      const double far = (k(step) - plan.log_delta - plan.log_share) / step;
      better(top, result.far, far, step, true);
      const double right = (k(t + step) - at_tilt - wrap) / step;
      better(tilted_top, result.right, right, t + step, true);
      const double near = (plan.log_share + at_tilt - k(-step)) / (step + t);
      better(bottom, result.near, near, -step, false);
      const double left = (wrap + at_tilt - k(t - step)) / step;
      better(tilted_bottom, result.left, left, t - step, false);
    }
    result.window = {
        checked_integer(std::floor(std::min(bottom, tilted_bottom) / mesh), window_name) - 1,
        checked_integer(std::ceil(std::max(top, tilted_top) / mesh), window_name) + 1};
    if (!(result.right > t) || result.window.last - result.window.first > longest_power) {
      throw std::domain_error("composing a group of steps would need more than " +
                              std::to_string(longest_power) + " points");
    }
    return result;
  }

  CumulantTable table_;
  Goal goal_;
  GridSettings settings_;
  std::unique_ptr<Grid> grid_;
  bool directed_;             ///< all laws in doubles
  bool inverting_ = false;    ///< an epsilon is asked for
  double period_length_ = 0;  ///< of the last composition, if there was one
  double seconds_per_cell_ = usual_seconds_per_cell;
};

}  // namespace

std::unique_ptr<PrivacyCurve> grid_curve(const ComposedLoss& loss, const Goal& goal,
                                         const GridSettings& settings) {
  return std::make_unique<GridCurve>(loss, goal, settings);
}

}  // namespace plaudit
