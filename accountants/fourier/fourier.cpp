// The Fourier accountant: discretise the privacy loss, compose by discrete Fourier transforms.
//
// Modes:
//   density   Riemann sums of the density, tilted (docs/proofs/fourier.md#riemann)
//   grid      a pessimistic and an optimistic law on a grid (docs/proofs/grid.md#order), composed
//             by the folded contour (docs/proofs/lattice.md#folding)
//   evolving  the same in two stages, on a coarser grid in the second (Ghazi, Kamath, Kumar and
//             Manurangsi, ICML 2022; docs/proofs/grid.md#coarser)
//   published the algorithm of Koskela, Jälkö and Honkela (AISTATS 2020) with its settings, its
//             errors bounded
//   lattice   laws on a lattice, with no discretisation at all (docs/proofs/lattice.md#folding)
//   auto      lattice where the law is on one; else grid and density, where it applies, until the
//   wanted width is reached; the band is
//             the intersection
#include <stdexcept>
#include <string>
#include <utility>

#include "accountants/fourier/fourier_density.hpp"
#include "accountants/lattice/grid_curve.hpp"
#include "accountants/lattice/lattice_curve.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr int digits_of_grid = 5;

/// Density and grid.
class AutomaticCurve final : public NarrowingCurve {
 public:
  AutomaticCurve(const ComposedLoss& loss, const Goal& goal)
      : NarrowingCurve(loss, "fourier"), goal_(goal), dense_(!density_refusal(loss_)) {}

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    ask(band, [&](PrivacyCurve& curve) { return curve.delta(epsilon); });
  }
  void narrow_epsilon(Enclosure& band, const Rational& delta) override {
    ask(band, [&](PrivacyCurve& curve) { return curve.epsilon(delta); });
  }

 private:
  template <class Query>
  void ask(Enclosure& band, Query&& query) {
    // Few digits: the grid is cheaper, whatever the density is like.
    const bool grid_first = goal_.digits <= digits_of_grid || !dense_;
    for (const bool on_grid : {grid_first, !grid_first}) {
      if (!on_grid && !dense_) continue;
      std::unique_ptr<PrivacyCurve>& curve = on_grid ? grid_ : density_;
      if (!curve) curve = on_grid ? grid_curve(loss_, goal_, {}) : density_curve(loss_, goal_);
      // The second one is to have its chance too.
      const bool last = on_grid != grid_first || !dense_;
      const WorkShare share(work_seconds_left() * (last ? 1 : 0.5));
      join(band, query(*curve));
      if (reached(band, goal_.digits)) break;
    }
  }

  /// Intersects, and keeps the words of the narrower.
  static void join(Enclosure& band, const Enclosure& found) {
    const bool better = certainly_greater(found.lower, band.lower) ||
                        certainly_less(found.upper, band.upper) || band.method.empty();
    narrow(band, found.lower, found.upper);
    if (better) {
      band.method = found.method;
      band.ledger = found.ledger;
    }
    band.remark = found.remark;
  }

  Goal goal_;
  bool dense_;
  std::unique_ptr<PrivacyCurve> density_;
  std::unique_ptr<PrivacyCurve> grid_;
};

class Fourier final : public Accountant {
 public:
  std::string_view name() const override { return "fourier"; }
  std::string_view summary() const override {
    return "discretised privacy loss, composed by Fourier transforms: any composition";
  }
  std::string_view theorem() const override {
    return "docs/proofs/fourier.md#riemann, docs/proofs/grid.md#order, "
           "docs/proofs/lattice.md#folding";
  }
  const std::vector<Parameter>& parameters() const override {
    static const std::vector<Parameter> all = {
        {"mode", "auto, density, grid, lattice, evolving or published", "auto"},
        {"mesh", "a positive number (mode grid)", "auto"},
        {"length", "a positive number (mode published)", "20"},
        {"points", "an even integer from 2 to 16777216 (mode published)", "1000000"},
    };
    return all;
  }
  std::shared_ptr<const Accountant> with(const Arguments& settings) const override {
    auto chosen = std::make_shared<Fourier>();
    chosen->mode_ =
        settings.word("mode", {"auto", "density", "grid", "lattice", "evolving", "published"});
    if (settings.given("mesh")) {
      if (chosen->mode_ != "grid") settings.reject("mode", chosen->mode_ + " with a mesh");
      chosen->mesh_ = settings.positive("mesh");
    }
    if (chosen->mode_ == "published") {
      chosen->published_.length = settings.positive("length");
      chosen->published_.points = settings.count("points", most_points);
      if (chosen->published_.points % 2 != 0) {
        settings.reject("points", std::to_string(chosen->published_.points));
      }
    } else if (settings.given("length") || settings.given("points")) {
      settings.reject("mode", chosen->mode_ + " with length or points");
    }
    return chosen;
  }
  std::optional<std::string> refusal(const ComposedLoss& loss) const override {
    if (mode_ == "density" || mode_ == "published") return density_refusal(loss);
    if (mode_ == "lattice") return lattice_refusal(loss);
    return std::nullopt;
  }
  std::unique_ptr<PrivacyCurve> open(const ComposedLoss& loss, const Goal& goal) const override {
    if (const auto reason = refusal(loss)) throw std::invalid_argument(*reason);
    if (mode_ == "density") return density_curve(loss, goal);
    if (mode_ == "published") return published_fourier_curve(loss, published_);
    if (mode_ == "lattice" || (mode_ == "auto" && !lattice_refusal(loss))) {
      return lattice_curve(loss, goal);
    }
    if (mode_ == "auto") return std::make_unique<AutomaticCurve>(loss, goal);
    GridSettings settings;
    settings.mesh = mesh_;
    settings.evolving = mode_ == "evolving";
    return grid_curve(loss, goal, settings);
  }

 private:
  static constexpr std::uint64_t most_points = 1 << 24;

  std::string mode_ = "auto";
  std::optional<Rational> mesh_;
  PublishedFourier published_;
};

}  // namespace

std::shared_ptr<const Accountant> fourier_accountant() { return std::make_shared<Fourier>(); }

}  // namespace plaudit
