// The Fourier accountant as published (Koskela, Jalko, Honkela, AISTATS 2020, Algorithm 1), and
// what its number is worth.
//
// With dx = 2 L / n and w the density of one step's loss, p_j = dx w(j dx) for -n/2 <= j < n/2,
//   I = sum_{j dx > eps} (1 - e^{eps - j dx}) c_j,   c = inverse DFT of (DFT of p)^k.
// The number I is computed with FFTW in binary64, like the published one, and said in any case. The
// band is I +- the sum of five bounds: I is compared with the exact value of this sum
// (published_fourier.rounding), whose significant frequencies are enclosed in balls; then
//   .periodisation  circular against linear convolution          .tail  w cut to [-L, L)
//   .discretisation n-fold convolution of p against the law's     .kink  the outer sum's integral
// Proof: docs/proofs/fourier.md#published
#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "accountants/contour/contour.hpp"
#include "accountants/cumulants/cumulant_table.hpp"
#include "accountants/fourier/fourier_density.hpp"
#include "accountants/fourier/published_bounds.hpp"
#include "accountants/fourier/published_lattice.hpp"
#include "accountants/fourier/published_line.hpp"
#include "accountants/fourier/published_numbers.hpp"
#include "accountants/fourier/published_sum.hpp"
#include "accountants/inversion.hpp"
#include "accountants/lattice/grid_curve.hpp"
#include "accountants/moments/moments.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/decimal.hpp"
#include "lib/balls/error_term.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/text.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/mixtures/gaussian_mixture.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm discretisation_term{"published_fourier.discretisation",
                                        "Poisson summation, n-fold (fourier.md#published)"};
constexpr ErrorTerm kink_term{"published_fourier.kink", "Euler-Maclaurin, second order"};
constexpr ErrorTerm periodisation_term{"published_fourier.periodisation",
                                       "Chernoff beyond [-L, L), after n steps"};
constexpr ErrorTerm tail_term{"published_fourier.tail", "Chernoff beyond [-L, L), one step"};
constexpr ErrorTerm rounding_term{"published_fourier.rounding",
                                  "distance to the exact sum (few frequencies)"};
constexpr long bits = 128;
constexpr long estimate_bits = 96;
constexpr std::uint64_t most_points = std::uint64_t{1} << 24;
constexpr double usual_tolerance = 1e-6;  ///< of delta, where Newton's iteration ends
// Choices: how much of the work left, and how many nominal seconds, the bounds of the number's
// errors may take, and from how many digits on a contour's band needs no other.
constexpr double part_for_bounds = 0.5;
constexpr double most_for_quick_bounds = 10;
constexpr double most_for_bounds = 0.5;
constexpr int digits_beside = 3;

/// A number of the algorithm, which may overflow where the samples have a mass far above 1.
std::string words_of_double(double x, int digits) {
  return std::isfinite(x) ? general_text(x, digits) : "beyond binary64";
}

class PublishedFourierCurve final : public NarrowingCurve {
 public:
  PublishedFourierCurve(const ComposedLoss& loss, const PublishedFourier& settings,
                        const Goal& goal)
      : NarrowingCurve(loss, "fourier"), settings_(settings), table_(loss_), goal_(goal) {
    if (settings.length <= 0) throw std::invalid_argument("published Fourier: L must be positive");
    if (settings.points < 2 || settings.points % 2 != 0 || settings.points > most_points) {
      throw std::invalid_argument("published Fourier: n must be even, at least 2, at most 2^24");
    }
  }

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    const PrecisionScope scope(bits);
    at_once(band, [&](PrivacyCurve& curve) { return curve.delta(epsilon); });
    prepare_number();
    const double near = estimate(epsilon);
    prepare_finer([&] { say_number(band, near); });
    say_number(band, near);
    const bool bounded = with_bounds([&] {
      prepare_errors(epsilon);
      return add_number(band, Ball(epsilon), near);
    });
    if (bounded) return;
    beside(band, number_at(near), [&](PrivacyCurve& curve) { return curve.delta(epsilon); });
  }

  void narrow_epsilon(Enclosure& band, const Rational& delta) override {
    if (delta <= 0 || delta >= 1) return;
    const PrecisionScope scope(bits);
    at_once(band, [&](PrivacyCurve& curve) { return curve.epsilon(delta); });
    prepare_number();
    const double tolerance =
        settings_.tolerance ? estimate(*settings_.tolerance) : usual_tolerance * estimate(delta);
    const NewtonEpsilon found =
        newton_epsilon(c_, lattice_->dx_near(), infinite_, estimate(delta), tolerance);
    prepare_finer([&] { say_epsilon(band, found, tolerance); });
    say_epsilon(band, found, tolerance);
    if (found.stopped && with_bounds([&] { return invert_number(band, delta, found); })) return;
    if (!found.stopped) why_unbounded_ = " (Newton's iteration did not stop)";
    beside(band, found.epsilon, [&](PrivacyCurve& curve) { return curve.epsilon(delta); });
  }

 private:
  /// Whether the errors of the number have bounds: where aliases have one.
  bool bounds_known() const {
    return std::all_of(loss_.terms().begin(), loss_.terms().end(), [](const auto& term) {
      const LossFacts& facts = term.loss->facts();
      return facts.gaussian_mixture != nullptr || facts.mirrored_mixture != nullptr;
    });
  }

  /// Whether they are quick: of mixtures of two components.
  bool bounds_quick() const {
    return std::all_of(loss_.terms().begin(), loss_.terms().end(), [](const auto& term) {
      const GaussianMixture* mixture = term.loss->facts().gaussian_mixture;
      return mixture != nullptr && mixture->sensitivities.size() <= 2;
    });
  }

  // ---- bands that know nothing of the number

  /// A wide band in milliseconds, where that of the number may come late or not at all.
  template <class Ask>
  void at_once(Enclosure& band, Ask&& ask) const {
    if (bounds_quick() || moments_accountant()->refusal(loss_)) return;
    const Enclosure found = ask(*moments_accountant()->open(loss_, Goal{3}));
    narrow(band, found.lower, found.upper);
  }

  /// Narrows the band by that of another accountant: of a contour where a law is smooth, else, or
  /// where that says little, of a grid.
  template <class Ask>
  void beside(Enclosure& band, double number, Ask&& ask) {
    const std::string words = band.method;
    const auto take_from = [&](PrivacyCurve& curve, const char* name) {
      Enclosure found = ask(curve);
      band.remark = found.remark;
      band.cause = found.cause;
      take(band, std::move(found));
      band.method = words + off_by(band, number) + "; the band is that of " + name +
                    ", for the errors of this number have no bounds here" + why_unbounded_ + ": " +
                    band.method;
    };
    if (smooth()) {
      if (!contour_) contour_ = contour_accountant()->open(loss_, goal_);
      {
        const WorkShare share(part_for_bounds * work_seconds_left());
        take_from(*contour_, "contour");
      }
      if (reached(band, digits_beside)) return;
    }
    if (!grid_) {
      GridSettings settings;
      if (!goal_.stated) settings.width = Rational(1, 1000);
      grid_ = grid_curve(loss_, goal_, settings);
    }
    take_from(*grid_, "mode=grid");
  }

  /// Whether contours serve: beside one smooth law, atoms of others do no harm.
  bool smooth() const {
    return std::any_of(loss_.terms().begin(), loss_.terms().end(), [](const auto& term) {
      const LossFacts& facts = term.loss->facts();
      return facts.gaussian_mixture != nullptr || facts.mirrored_mixture != nullptr ||
             facts.replacement != nullptr;
    });
  }

  /// How far the number is from anything in the band at most, in words.
  static std::string off_by(const Enclosure& band, double number) {
    if (!band.upper.is_finite() || !std::isfinite(number)) return "";
    const Ball off = max(Ball(number) - band.lower, band.upper - Ball(number));
    return "; it is off by at most " + decimal_above(off, 3);
  }

  /// Whether the band became one of the number: `work` tells. A part of the work that is left.
  template <class Work>
  bool with_bounds(Work&& work) {
    why_unbounded_.clear();
    if (!bounds_known()) return false;
    try {
      const WorkShare share(std::min(part_for_bounds * work_seconds_left(),
                                     bounds_quick() ? most_for_quick_bounds : most_for_bounds));
      return work();
    } catch (const WorkShareReached&) {
      why_unbounded_ = " (they take too long)";
    } catch (const std::domain_error& error) {
      why_unbounded_ = " (" + std::string(error.what()) + ")";
    }
    return false;
  }

  // ---- the number itself

  void prepare_number() {
    if (!c_.empty()) return;
    const std::uint64_t n = settings_.points;
    lattice_.emplace(loss_, settings_);
    infinite_ = loss_.mass_at_infinity().estimate();
    c_ = convolved_masses(sampled(lattice_->dx(), lattice_->half()), loss_.terms(), n);
  }

  /// Computes I_2n, once. @param say puts what is known already into the band, as work may end
  /// here.
  template <class Say>
  void prepare_finer(Say&& say) {
    if (!c_finer_.empty() || no_finer_) return;
    say();
    no_finer_ = true;
    try {
      const PrecisionScope coarse(estimate_bits);  // an estimate
      const std::vector<SampledFactor> finer =
          sampled(ldexp(lattice_->dx(), -1), 2 * lattice_->half());
      c_finer_ = convolved_masses(finer, loss_.terms(), 2 * settings_.points);
    } catch (const MemoryLimitReached&) {
      return;  // said in words
    } catch (const std::domain_error&) {
      return;
    }
  }

  std::vector<SampledFactor> sampled(const Ball& dx, long half) const {
    std::vector<SampledFactor> factors;
    for (const ComposedLoss::Term& term : loss_.terms()) {
      factors.push_back(sample_factor(*term.loss, loss_.direction(), dx, half));
    }
    return factors;
  }

  double number_at(double epsilon) const {
    return infinite_ + outer_sum(c_, lattice_->dx_near(), epsilon);
  }

  std::string words_of_settings() const {
    return " with n = " + std::to_string(settings_.points) + ", L = " + to_string(settings_.length);
  }

  /// err(L, n) = 2 |I_n - I_2n| at this epsilon, (7.4).
  std::string words_of_error(double epsilon) const {
    if (c_finer_.empty()) return "; I_2n is not at hand";
    const double finer = infinite_ + outer_sum(c_finer_, lattice_->dx_near() / 2, epsilon);
    return "; its estimate of its error 2 |I_n - I_2n| = " +
           words_of_double(2 * std::fabs(number_at(epsilon) - finer), 3);
  }

  void say_number(Enclosure& band, double epsilon) const {
    band.method = "published: " + words_of_double(number_at(epsilon), 13) + words_of_settings() +
                  words_of_error(epsilon) + words_of(published_bounds(loss_, settings_.length));
  }

  void say_epsilon(Enclosure& band, const NewtonEpsilon& found, double tolerance) const {
    band.method = "published: " + words_of_double(found.epsilon, 13) + words_of_settings() + "; " +
                  std::to_string(found.steps) + " steps of Newton's iteration from 0 " +
                  (found.safe_steps > 0
                       ? "(" + std::to_string(found.safe_steps) + " in e^eps, where it stalled) "
                       : "") +
                  (found.stopped ? "until" : "did not reach") +
                  " |delta(eps) - delta| = " + words_of_double(found.miss, 3) +
                  " <= tau = " + words_of_double(tolerance, 3) + words_of_error(found.epsilon) +
                  words_of(published_bounds(loss_, settings_.length));
  }

  // ---- its errors, as far as they do not depend on epsilon

  void prepare_errors(const Rational& epsilon) {
    if (line_) return;
    if (!sum_) sum_.emplace(*lattice_);
    tail_ = lattice_->one_step_tail();
    periodisation_ = lattice_->composed_tail();
    line_ = published_line(*lattice_, table_.saddle(std::max(0.0, estimate(epsilon))));
  }

  // ---- one epsilon

  /// Whether the bounds of its errors say anything: they add up to less than 1.
  // Proof: docs/proofs/fourier.md#published
  bool add_number(Enclosure& band, const Ball& epsilon, double near) {
    const double number = number_at(near);
    Ledger& ledger = band.ledger;
    const Ball tilt = exp(-line_->t * epsilon);
    Ball error = ledger.add(rounding_term, abs(Ball(number) - sum_->at(epsilon)));
    error += ledger.add(periodisation_term, periodisation_);
    error += ledger.add(tail_term, tail_);
    error += ledger.add(discretisation_term, line_->discretisation * tilt);
    error += ledger.add(kink_term, line_->kink * tilt);
    if (!certainly_less(error, Ball(1))) {
      why_unbounded_ = " (they add up to more than 1: n or L is too small)";
      return false;
    }
    narrow(band, (Ball(number) - error).lower(), (Ball(number) + error).upper());
    return true;
  }

  /// By bisection of the bands of delta; whether these say anything, and that has an upper end.
  bool invert_number(Enclosure& band, const Rational& delta, const NewtonEpsilon& found) {
    const double guess = std::max(0.0, found.epsilon);
    prepare_errors(checked_rational(guess, "the estimate of epsilon"));
    Enclosure last;
    bool informative = false;
    const auto curve = [&](const Ball& x) {
      last = Enclosure();
      last.upper = Ball(1);
      informative = add_number(last, x, x.estimate()) || informative;
      return hull(last.lower, last.upper);
    };
    const Crossing crossing = invert_curve(loss_, curve, delta, Ball(guess), 40);
    if (!informative || !crossing.upper.is_finite()) return false;
    band.ledger = last.ledger;
    narrow(band, crossing.lower, crossing.upper);
    return true;
  }

  PublishedFourier settings_;
  CumulantTable table_;
  Goal goal_;
  std::unique_ptr<PrivacyCurve> contour_;  ///< bands beside the number
  std::unique_ptr<PrivacyCurve> grid_;
  std::string why_unbounded_;  ///< why the number has no band of its own, where it was tried
  bool no_finer_ = false;      ///< I_2n was tried
  std::optional<PublishedLattice> lattice_;
  double infinite_ = 0;  ///< P(L = inf)
  std::vector<double> c_;
  std::vector<double> c_finer_;
  std::optional<PublishedSum> sum_;
  Ball tail_;
  Ball periodisation_;
  std::optional<PublishedLine> line_;
};

}  // namespace

std::unique_ptr<PrivacyCurve> published_fourier_curve(const ComposedLoss& loss,
                                                      const PublishedFourier& settings,
                                                      const Goal& goal) {
  return std::make_unique<PublishedFourierCurve>(loss, settings, goal);
}

}  // namespace plaudit
