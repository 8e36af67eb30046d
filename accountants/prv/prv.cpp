// Accountant `prv`: numerical composition of privacy loss random variables (Gopi, Lee, Wutschitz,
// NeurIPS 2021), from masses of the cells of a lattice.
//
//   published     Theorem 5.5 of the paper as stated, every hypothesis checked;
//   algorithm     the same band, and beside it, in words, what Algorithm 1 gives in binary64;
//   tight         the same laws with the least coupling bound proved and about the best shift;
//   deconvolved   the rounding undone on the line of the contour: many digits from few cells;
//   auto          deconvolved where that is affordable, else tight where its lattice is short, else
//                 the two laws of fourier(mode=grid): the method of the band says which.
// Proof: docs/proofs/prv.md#coupling, docs/proofs/prv.md#rounded
#include <cmath>
#include <string_view>
#include <utility>

#include "accountants/lattice/grid_curve.hpp"
#include "accountants/prv/prv_algorithm.hpp"
#include "accountants/prv/prv_coupling.hpp"
#include "accountants/prv/prv_sampler.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/text.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

// Cells of a line: in mode deconvolved, before another way is tried, and in mode auto where nobody
// asked for digits.
constexpr double most_cells = 2097152;
constexpr double few_cells = 524288;
constexpr double fewest_cells = 1024;
constexpr double more_digits = 3;  ///< beyond the decimals of a stated error of epsilon
constexpr long least_digits = 3;
constexpr long most_digits = 50;

/// The bands of several curves, asked in order until one is narrow.
class SeveralCurves final : public PrivacyCurve {
 public:
  /// A band ends the search that has the digits of the goal; or, in epsilon, one digit or this
  /// width (one digit or a positive lower end in delta): both where the goal is not stated.
  SeveralCurves(std::vector<std::unique_ptr<PrivacyCurve>> curves, const Rational& width,
                const Goal& goal)
      : curves_(std::move(curves)), width_(width), goal_(goal) {}

  Enclosure delta(const Rational& epsilon) override {
    return first_narrow([&](PrivacyCurve& curve) { return curve.delta(epsilon); },
                        [](const Enclosure& band) { return certainly_positive(band.lower); });
  }
  Enclosure epsilon(const Rational& delta) override {
    return first_narrow([&](PrivacyCurve& curve) { return curve.epsilon(delta); },
                        [&](const Enclosure& band) {
                          return certainly_less_equal(band.upper - band.lower, Ball(width_));
                        });
  }

 private:
  static constexpr int few_digits = 1;

  template <class Ask, class Enough>
  Enclosure first_narrow(Ask&& ask, Enough&& enough) {
    Enclosure band;
    for (std::size_t i = 0; i < curves_.size(); ++i) {
      // The later ones are to have their chance too.
      const bool last = i + 1 == curves_.size();
      const WorkShare share(work_seconds_left() * (last ? 1 : 0.5));
      const Enclosure former = std::move(band);
      band = ask(*curves_[i]);
      if (i > 0) narrow(band, former.lower, former.upper);
      if (reached(band, goal_.digits)) break;
      const bool few = reached(band, few_digits);
      const bool narrow_enough = enough(band);
      if (!goal_.stated && few && narrow_enough) stop_at_usual_width(band);
      if (goal_.stated ? few || narrow_enough : few && narrow_enough) break;
    }
    return band;
  }

  std::vector<std::unique_ptr<PrivacyCurve>> curves_;
  Rational width_;
  Goal goal_;
};

enum class PrvMode { automatic, published, algorithm, tight, deconvolved };
constexpr std::pair<std::string_view, PrvMode> prv_modes[] = {
    {"auto", PrvMode::automatic},          {"published", PrvMode::published},
    {"algorithm", PrvMode::algorithm},     {"tight", PrvMode::tight},
    {"deconvolved", PrvMode::deconvolved},
};

struct Settings {
  PrvMode mode = PrvMode::automatic;
  bool eps_error_given = false;
  CouplingSettings coupling;
};

std::optional<std::string> deconvolution_refusal(const ComposedLoss& loss) {
  for (const ComposedLoss::Term& term : loss.terms()) {
    if (term.loss->facts().gaussian_mixture == nullptr) {
      return "prv(mode=deconvolved) knows Gaussian mechanisms and their mixtures only";
    }
  }
  return std::nullopt;
}

class Prv final : public Accountant {
 public:
  explicit Prv(Settings settings = {}) : settings_(std::move(settings)) {}

  std::string_view name() const override { return "prv"; }
  std::string_view summary() const override {
    return "privacy loss random variables: rounded to a lattice, as published or sharper";
  }
  std::string_view theorem() const override {
    return "docs/proofs/prv.md#coupling, docs/proofs/prv.md#rounded";
  }
  const std::vector<Parameter>& parameters() const override {
    static const std::vector<Parameter> all = {
        {"mode", "auto, published, algorithm, tight or deconvolved", "auto"},
        {"eps_error", "a positive number", "auto"},
        {"delta_error", "a number in (0, 1), or auto for a thousandth of delta", "auto"},
    };
    return all;
  }
  std::shared_ptr<const Accountant> with(const Arguments& arguments) const override {
    Settings settings;
    std::vector<std::string_view> names;
    for (const auto& [name, mode] : prv_modes) names.push_back(name);
    const std::string word = arguments.word("mode", names);
    for (const auto& [name, mode] : prv_modes) {
      if (name == word) settings.mode = mode;
    }
    if (arguments.given("eps_error")) {
      settings.coupling.eps_error = arguments.positive("eps_error");
      settings.eps_error_given = true;
    }
    if (arguments.given("delta_error")) {
      settings.coupling.delta_error = arguments.positive_probability("delta_error");
    }
    settings.coupling.published =
        settings.mode == PrvMode::published || settings.mode == PrvMode::algorithm;
    return std::make_shared<Prv>(settings);
  }
  std::optional<std::string> refusal(const ComposedLoss& loss) const override {
    if (auto reason = lack_of_moments(name(), loss)) return reason;
    const bool mixtures = !deconvolution_refusal(loss);
    if (settings_.mode == PrvMode::deconvolved) return deconvolution_refusal(loss);
    if (settings_.mode == PrvMode::automatic && mixtures) return std::nullopt;
    return coupling_refusal(loss);
  }
  Offer offer(const ComposedLoss&) const override { return {.of = Offer::Of::bounds}; }
  bool has_usual_width() const override { return true; }
  std::unique_ptr<PrivacyCurve> curve(const ComposedLoss& loss, const Goal& goal) const override {
    const bool deconvolves = settings_.mode == PrvMode::deconvolved ||
                             (settings_.mode == PrvMode::automatic && !deconvolution_refusal(loss));
    if (settings_.mode == PrvMode::algorithm)
      return algorithm_curve(loss, goal, settings_.coupling);
    if (!deconvolves) return coupling_curve(loss, goal, settings_.coupling);
    Goal wanted = goal;
    if (settings_.eps_error_given) {  // digits that an epsilon of up to about 1000 then has
      const double error = estimate(settings_.coupling.eps_error);
      wanted.digits = static_cast<int>(
          clamped_integer(std::ceil(more_digits - std::log10(error)), least_digits, most_digits));
      wanted.stated = true;
    }
    std::vector<std::unique_ptr<PrivacyCurve>> curves;
    const auto deconvolve = [&](double cells) {
      curves.push_back(lattice_line_curve(loss, wanted, cell_sampler(cells)));
    };
    if (settings_.mode == PrvMode::deconvolved) {
      if (settings_.eps_error_given) deconvolve(few_cells);
      deconvolve(most_cells);
    } else {
      deconvolve(wanted.stated ? few_cells : fewest_cells);
      if (!coupling_refusal(loss)) {
        CouplingSettings coupling = settings_.coupling;
        coupling.short_lattice = true;
        curves.push_back(coupling_curve(loss, goal, coupling));
      }
      curves.push_back(grid_curve(loss, wanted, second_order()));
    }
    return std::make_unique<SeveralCurves>(std::move(curves), 2 * settings_.coupling.eps_error,
                                           wanted);
  }

 private:
  /// Two laws on a grid in place of one that is rounded: errors of the second order in the mesh.
  GridSettings second_order() const {
    GridSettings grid;
    grid.accountant = name();
    grid.width = 2 * settings_.coupling.eps_error;
    grid.words = "grid of the second order instead of a coupling, ";
    return grid;
  }

  Settings settings_;
};

}  // namespace

std::shared_ptr<const Accountant> prv_accountant();
std::shared_ptr<const Accountant> prv_accountant() { return std::make_shared<Prv>(); }

}  // namespace plaudit
