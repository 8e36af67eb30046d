#include "accountants/grid_curve.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "accountants/cumulant_table.hpp"
#include "accountants/grid_pair.hpp"
#include "accountants/inversion.hpp"
#include "accountants/lattice_composition.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/precision.hpp"
#include "lib/work_limit.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm discretisation{"grid.discretisation", "docs/proofs/grid.md#order"};

constexpr double most_cells = 1 << 20;  ///< of all factors together
constexpr double least_cells = 64;
constexpr double share_of_time = 0.4;  ///< of what is left, for one pair of laws
constexpr double composing = 1.5;      ///< time to compose, in units of that to discretise
constexpr int most_attempts = 3;
constexpr double window_share = 1e-3;  ///< of the tolerance, for each end of the window
constexpr double spare_nats = 3;  ///< a query with delta smaller by this factor gets its own grid

/// A number of 12 bits at most x.
double short_below(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  return std::ldexp(std::floor(mantissa * 4096), exponent - 12);
}

std::string text_of(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

double seconds_now() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

/// Both composed laws, and for what they were made.
struct Grid {
  double epsilon = 0;
  double tolerance = 0;  ///< relative, of delta
  double log_delta = 0;  ///< estimate at epsilon
  double mesh = 0;
  double cells = 0;
  std::unique_ptr<LatticeComposition> upper;
  std::unique_ptr<LatticeComposition> lower;
  Ball window;        ///< charged to the upper law, all steps together
  std::string limit;  ///< what kept the mesh from being finer
};

class GridCurve final : public PrivacyCurve {
 public:
  GridCurve(const ComposedLoss& loss, const Goal& goal, GridSettings settings)
      : loss_(loss), table_(loss_), goal_(goal), settings_(std::move(settings)) {}

  Enclosure delta(const Rational& epsilon) override {
    return answered(trivial_delta(loss_, epsilon), std::exp(-2.302585 * goal_.digits),
                    estimate(epsilon), [&](Grid& grid, Enclosure& band) {
                      const PrecisionScope scope(working_bits(grid.tolerance));
                      const Enclosure above = grid.upper->delta(Ball(epsilon));
                      const Enclosure below = grid.lower->delta(Ball(epsilon));
                      describe(band, grid, above, below);
                      narrow(band, below.lower, above.upper);
                      return relative_width(band);
                    });
  }

  Enclosure epsilon(const Rational& delta) override {
    Enclosure band = trivial_epsilon(loss_, delta);
    band.accountant = settings_.accountant;
    if (reached(band, goal_.digits)) return band;
    const double infinite = loss_.mass_at_infinity().estimate();
    const double finite = std::max(estimate(delta) - infinite, 0.01 * estimate(delta));
    double guess = 0;
    double wanted = 0;
    try {
      guess = std::max(table_.epsilon_for(std::log(finite)), 1e-3);
      // A relative width w of delta becomes w / t in epsilon.
      wanted = std::exp(-2.302585 * goal_.digits) * guess * std::max(table_.saddle(guess), 0.1);
    } catch (const WorkLimitReached&) {
      band.remark = "time limit reached";
      return band;
    }
    return answered(std::move(band), wanted, guess, [&](Grid& grid, Enclosure& result) {
      const long bits = bits_of_digits(std::min(goal_.digits, 12)) + 4;
      const PrecisionScope scope(std::max(working_bits(grid.tolerance), bits + 64));
      const auto invert = [&](LatticeComposition& law) {
        return invert_curve(
            loss_,
            [&](const Ball& x) {
              const Enclosure found = law.delta(x);
              return hull(found.lower, found.upper);
            },
            delta, Ball(guess), bits);
      };
      const Crossing above = invert(*grid.upper);
      narrow(result, result.lower, above.upper);
      const Crossing below = invert(*grid.lower);
      narrow(result, below.lower, result.upper);
      const Ball at = result.upper.is_finite() ? result.upper : result.lower;
      describe(result, grid, grid.upper->delta(at), grid.lower->delta(at));
      return relative_width(result) * wanted * std::exp(2.302585 * goal_.digits);
    });
  }

 private:
  static long working_bits(double tolerance) {
    return 96 + static_cast<long>(std::max(0.0, -std::log2(tolerance)));
  }

  static double relative_width(const Enclosure& band) {
    if (!band.upper.is_finite()) return std::numeric_limits<double>::infinity();
    return ((band.upper - band.lower) / max(abs(band.upper), Ball(0x1p-1000))).upper_double();
  }

  /// Asks `query` on finer and finer grids. It narrows the band and returns the relative width
  /// that it leaves in delta.
  template <class Query>
  Enclosure answered(Enclosure band, double tolerance, double epsilon, Query&& query) {
    band.accountant = settings_.accountant;
    try {
      double wanted = tolerance;
      for (int attempt = 0; attempt < most_attempts; ++attempt) {
        prepare(epsilon, wanted);
        const double width = query(*grid_, band);
        band.remark.clear();
        if (reached(band, goal_.digits)) break;
        band.remark = grid_->limit;
        if (!grid_->limit.empty() || !std::isfinite(width)) break;
        wanted = grid_->tolerance * std::clamp(0.7 * tolerance / width, 1e-6, 0.5);
      }
    } catch (const WorkLimitReached&) {
      band.remark = "time limit reached";
    } catch (const std::domain_error& error) {
      band.remark = error.what();
    }
    return band;
  }

  void describe(Enclosure& band, const Grid& grid, const Enclosure& above, const Enclosure& below) {
    band.method =
        "mesh " + text_of(grid.mesh) + ", " + text_of(grid.cells) + " cells, " + above.method;
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
      const bool fine = fixed() || finest_mesh(t, tolerance) > 0.95 * grid_->mesh ||
                        (grid_->epsilon == epsilon && grid_->tolerance <= tolerance);
      if (fine && table_.log_delta(epsilon, t) > grid_->log_delta - spare_nats) return;
    }
    grid_ = build(epsilon, tolerance);
  }

  /// The mesh where n t (t + 1) h^2 / 8, about the relative gap of the two curves, is as wanted;
  /// fine enough for the law of one step.
  double finest_mesh(double t, double tolerance) {
    double finest = std::sqrt(8 * 0.8 * tolerance / (loss_.steps() * t * (t + 1)));
    for (const ComposedLoss::Term& term : loss_.terms()) {
      finest = std::min(finest, std::sqrt(term.loss->estimate_cumulant(t).variance) / 4);
    }
    return finest;
  }

  bool fixed() const { return settings_.mesh || settings_.buckets > 0; }

  std::unique_ptr<Grid> build(double epsilon, double tolerance) {
    auto grid = std::make_unique<Grid>();
    grid->epsilon = epsilon;
    grid->tolerance = tolerance;
    const double t = table_.saddle(epsilon);
    const double steps = loss_.steps();
    const double log_delta = std::min(table_.log_delta(epsilon, t), 0.0);
    const double log_share = std::log(tolerance * window_share / steps);
    grid->log_delta = log_delta;
    const double finest = finest_mesh(t, tolerance);
    std::vector<std::pair<double, double>> windows;
    double length = 0;
    const double look = std::min(finest, 0.01);
    for (const ComposedLoss::Term& term : loss_.terms()) {
      const GridWindow window = choose_window(*term.loss, look, log_delta + log_share,
                                              log_share + term.loss->estimate_cumulant(t).value, t);
      windows.emplace_back(static_cast<double>(window.first) * look,
                           static_cast<double>(window.last) * look);
      length += windows.back().second - windows.back().first;
    }
    double mesh = std::min(finest, length / least_cells);
    if (settings_.mesh) {
      mesh = estimate(*settings_.mesh);
      grid->limit = "the mesh was given";
    } else if (settings_.buckets > 0) {
      mesh = length / static_cast<double>(settings_.buckets);
      grid->limit = "the number of buckets was given";
    }
    const double affordable = work_seconds_left() * share_of_time / (composing * seconds_per_cell_);
    if (length / mesh > std::min(most_cells, affordable)) {
      grid->limit = affordable < most_cells ? "the time left bounds the number of cells"
                                            : "the number of cells is at its limit";
      mesh = length / std::min(most_cells, std::max(affordable, least_cells));
    }
    mesh = short_below(mesh);
    grid->mesh = mesh;

    // What ball arithmetic loses: 2^-bits / mesh per cell and step.
    const double lost = std::log2(steps * length / (mesh * mesh * tolerance)) + 6;
    const PrecisionScope scope(std::max(64L, static_cast<long>(std::ceil(lost)) - 3));
    std::vector<LatticeComposition::Factor> upper;
    std::vector<LatticeComposition::Factor> lower;
    const double start = seconds_now();
    for (std::size_t i = 0; i < windows.size(); ++i) {
      const ComposedLoss::Term& term = loss_.terms()[i];
      GridWindow window{std::lround(std::floor(windows[i].first / mesh)),
                        std::lround(std::ceil(windows[i].second / mesh))};
      window.last = std::max(window.last, window.first + 2);
      const GridMasses masses = grid_masses(*term.loss, mesh, window);
      GridPair pair = settings_.buckets > 0 ? bucket_pair(masses) : grid_pair(masses, t);
      grid->cells += static_cast<double>(window.last - window.first);
      grid->window += Ball(term.count) * pair.window;
      upper.push_back({std::make_shared<LatticeLaw>(std::move(pair.pessimistic)), term.count});
      lower.push_back({std::make_shared<LatticeLaw>(std::move(pair.optimistic)), term.count});
    }
    seconds_per_cell_ = (seconds_now() - start) / grid->cells;
    const double nats = -std::log(tolerance) + 5;
    grid->upper = std::make_unique<LatticeComposition>(std::move(upper), epsilon, nats);
    grid->lower = std::make_unique<LatticeComposition>(std::move(lower), epsilon, nats);
    return grid;
  }

  ComposedLoss loss_;
  CumulantTable table_;
  Goal goal_;
  GridSettings settings_;
  std::unique_ptr<Grid> grid_;
  double seconds_per_cell_ = 1e-5;
};

}  // namespace

std::unique_ptr<PrivacyCurve> grid_curve(const ComposedLoss& loss, const Goal& goal,
                                         const GridSettings& settings) {
  return std::make_unique<GridCurve>(loss, goal, settings);
}

}  // namespace plaudit
