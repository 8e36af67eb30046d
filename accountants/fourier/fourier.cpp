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
//   auto      lattice where the law is on one; else density and grid, where they apply, until the
//             wanted width is reached, or 1/1000 where no digits were asked for; the band is the
//             intersection
#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "accountants/fourier/fourier_density.hpp"
#include "accountants/fourier/published_numbers.hpp"
#include "accountants/lattice/grid_curve.hpp"
#include "accountants/lattice/lattice_curve.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr int digits_of_grid = 5;  ///< up to which a grid is asked before a density
// From so many steps on, a density of so few points is asked first: it takes some milliseconds, and
// often suffices.
constexpr double few_points = 128;
constexpr double many_steps = 3e4;
// Where nobody asked for digits, a band will do that has this width and these digits in epsilon, or
// these in delta.
const Rational usual_width(1, 1000);
constexpr int least_digits = 1;
constexpr int usual_digits = 3;
/// What a density is asked for where nobody asked for digits: they cost little.
constexpr int digits_of_line = 8;

/// Mode auto off a lattice: density and grid, the cheaper one first, until the band is narrow.
class AutomaticCurve final : public NarrowingCurve {
 public:
  AutomaticCurve(const ComposedLoss& loss, const Goal& goal)
      : NarrowingCurve(loss, "fourier"), goal_(goal) {
    Goal line = goal;
    if (!goal.stated) line.digits = std::min(goal.digits, digits_of_line);
    GridSettings grid;
    if (!goal.stated) grid.width = usual_width;
    const auto by_density = [this, line](double points) {
      return [this, line, points] { return density_curve(loss_, line, points); };
    };
    const auto by_grid = [this, grid] { return grid_curve(loss_, goal_, grid); };
    if (density_refusal(loss_)) {
      ways_.push_back({by_grid});
      return;
    }
    // Few digits: the grid is cheaper, unless a line of the density has very few points.
    const bool few = !goal.stated || goal.digits <= digits_of_grid;
    if (few && loss_.steps() >= many_steps) ways_.push_back({by_density(few_points)});
    if (few) ways_.push_back({by_grid});
    ways_.push_back({by_density(most_points_of_density)});
    if (!few) ways_.push_back({by_grid});
  }

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    ask(
        band, [&](PrivacyCurve& curve) { return curve.delta(epsilon); },
        [&] { return reached(band, usual_digits); });
  }
  void narrow_epsilon(Enclosure& band, const Rational& delta) override {
    ask(
        band, [&](PrivacyCurve& curve) { return curve.epsilon(delta); },
        [&] {
          return reached(band, least_digits) &&
                 certainly_less_equal(band.upper - band.lower, Ball(usual_width));
        });
  }

 private:
  struct Way {
    std::function<std::unique_ptr<PrivacyCurve>()> open;
    std::unique_ptr<PrivacyCurve> curve = nullptr;  ///< once it is asked
  };

  /// @param usual whether the band is narrow enough for who asked for no digits.
  template <class Query, class Usual>
  void ask(Enclosure& band, Query&& query, Usual&& usual) {
    for (Way& way : ways_) {
      if (!way.curve) way.curve = way.open();
      // The later ones are to have their chance too.
      const bool last = &way == &ways_.back();
      const WorkShare share(work_seconds_left() * (last ? 1 : 0.5));
      join(band, query(*way.curve));
      if (reached(band, goal_.digits)) break;
      if (!goal_.stated && usual()) {
        stop_at_usual_width(band);
        break;
      }
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
  std::vector<Way> ways_;
};

enum class FourierMode { automatic, density, grid, lattice, evolving, published };
constexpr std::pair<std::string_view, FourierMode> fourier_modes[] = {
    {"auto", FourierMode::automatic},    {"density", FourierMode::density},
    {"grid", FourierMode::grid},         {"lattice", FourierMode::lattice},
    {"evolving", FourierMode::evolving}, {"published", FourierMode::published},
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
        {"tolerance", "a positive number (mode published, epsilon by Newton's iteration)", "auto"},
    };
    return all;
  }
  std::shared_ptr<const Accountant> with(const Arguments& settings) const override {
    auto chosen = std::make_shared<Fourier>();
    std::vector<std::string_view> names;
    for (const auto& [name, mode] : fourier_modes) names.push_back(name);
    const std::string word = settings.word("mode", names);
    for (const auto& [name, mode] : fourier_modes) {
      if (name == word) chosen->mode_ = mode;
    }
    if (settings.given("mesh")) {
      if (chosen->mode_ != FourierMode::grid) settings.reject("mode", word + " with a mesh");
      chosen->mesh_ = settings.positive("mesh");
    }
    if (chosen->mode_ == FourierMode::published) {
      chosen->published_.length = settings.positive("length");
      chosen->published_.points = settings.count("points", most_points);
      if (chosen->published_.points % 2 != 0) {
        settings.reject("points", std::to_string(chosen->published_.points));
      }
      if (settings.given("tolerance")) {
        chosen->published_.tolerance = settings.positive("tolerance");
      }
    } else if (settings.given("length") || settings.given("points") ||
               settings.given("tolerance")) {
      settings.reject("mode", word + " with length, points or tolerance");
    }
    return chosen;
  }
  std::optional<std::string> refusal(const ComposedLoss& loss) const override {
    if (mode_ == FourierMode::density) return density_refusal(loss);
    if (mode_ == FourierMode::published) return sampling_refusal(loss);
    if (mode_ == FourierMode::lattice) return lattice_refusal(loss);
    return std::nullopt;
  }
  /// On a lattice nothing is discretised, and the answer is quick.
  Offer offer(const ComposedLoss& loss) const override {
    // of a single step closed_form sums all values of a lattice
    const bool small = loss.steps() > 1 && !lattice_refusal(loss);
    return {.cost = small ? Offer::Cost::small : Offer::Cost::usual};
  }
  bool has_usual_width() const override { return true; }
  std::unique_ptr<PrivacyCurve> curve(const ComposedLoss& loss, const Goal& goal) const override {
    if (mode_ == FourierMode::density) return density_curve(loss, goal, most_points_of_density);
    if (mode_ == FourierMode::published) return published_fourier_curve(loss, published_, goal);
    if (mode_ == FourierMode::lattice ||
        (mode_ == FourierMode::automatic && !lattice_refusal(loss))) {
      return lattice_curve(loss, goal);
    }
    if (mode_ == FourierMode::automatic) return std::make_unique<AutomaticCurve>(loss, goal);
    GridSettings settings;
    settings.mesh = mesh_;
    settings.evolving = mode_ == FourierMode::evolving;
    return grid_curve(loss, goal, settings);
  }

 private:
  static constexpr std::uint64_t most_points = 1 << 24;

  FourierMode mode_ = FourierMode::automatic;
  std::optional<Rational> mesh_;
  PublishedFourier published_;
};

}  // namespace

std::shared_ptr<const Accountant> fourier_accountant() { return std::make_shared<Fourier>(); }

}  // namespace plaudit
