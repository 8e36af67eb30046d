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

#include "accountants/cumulants/cumulant_table.hpp"
#include "accountants/fourier/fourier_density.hpp"
#include "accountants/fourier/published_bounds.hpp"
#include "accountants/fourier/published_lattice.hpp"
#include "accountants/fourier/published_line.hpp"
#include "accountants/fourier/published_numbers.hpp"
#include "accountants/fourier/published_sum.hpp"
#include "accountants/inversion.hpp"
#include "accountants/lattice/grid_curve.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/ball_memory.hpp"
#include "lib/balls/error_term.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/text.hpp"

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
constexpr double most_products = 2e7;     ///< of points and frequencies, for sums in balls
constexpr double usual_tolerance = 1e-6;  ///< of delta, where Newton's iteration ends

class PublishedFourierCurve final : public NarrowingCurve {
 public:
  PublishedFourierCurve(const ComposedLoss& loss, const PublishedFourier& settings,
                        const Goal& goal)
      : NarrowingCurve(loss, "fourier"), settings_(settings), table_(loss_) {
    if (settings.length <= 0) throw std::invalid_argument("published Fourier: L must be positive");
    if (settings.points < 2 || settings.points % 2 != 0 || settings.points > most_points) {
      throw std::invalid_argument("published Fourier: n must be even, at least 2, at most 2^24");
    }
    if (!bounds_known()) {  // a grid has some
      GridSettings grid;
      if (!goal.stated) grid.width = Rational(1, 1000);
      grid_ = grid_curve(loss_, goal, grid);
    }
  }

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    const PrecisionScope scope(bits);
    prepare_number();
    const double near = estimate(epsilon);
    prepare_finer([&] { say_number(band, near); });
    say_number(band, near);
    if (grid_) return by_grid(band, grid_->delta(epsilon));
    prepare_errors(epsilon);
    add_number(band, Ball(epsilon), near);
  }

  void narrow_epsilon(Enclosure& band, const Rational& delta) override {
    if (delta <= 0 || delta >= 1) return;
    const PrecisionScope scope(bits);
    prepare_number();
    const double tolerance =
        settings_.tolerance ? estimate(*settings_.tolerance) : usual_tolerance * estimate(delta);
    const NewtonEpsilon found =
        newton_epsilon(c_, lattice_->dx_near(), infinite_, estimate(delta), tolerance);
    prepare_finer([&] { say_epsilon(band, found, tolerance); });
    say_epsilon(band, found, tolerance);
    if (grid_) return by_grid(band, grid_->epsilon(delta));
    // Newton's epsilon is where to start from, if it is one.
    const double guess = found.stopped ? std::max(0.0, found.epsilon)
                                       : std::max(0.0, table_.epsilon_for(estimate_log(delta)));
    prepare_errors(checked_rational(guess, "the estimate of epsilon"));
    Enclosure last;
    const auto curve = [&](const Ball& x) {
      last = Enclosure();
      last.upper = Ball(1);
      add_number(last, x, x.estimate());
      return hull(last.lower, last.upper);
    };
    const Crossing crossing = invert_curve(loss_, curve, delta, Ball(guess), 40);
    band.ledger = last.ledger;
    band.remark = last.remark;
    narrow(band, crossing.lower, crossing.upper);
  }

 private:
  /// Whether the errors of the number have bounds: where aliases have one.
  bool bounds_known() const {
    return std::all_of(loss_.terms().begin(), loss_.terms().end(), [](const auto& term) {
      const LossFacts& facts = term.loss->facts();
      return facts.gaussian_mixture != nullptr || facts.mirrored_mixture != nullptr;
    });
  }

  // ---- the number itself

  void prepare_number() {
    if (!c_.empty()) return;
    const std::uint64_t n = settings_.points;
    lattice_.emplace(loss_, settings_);
    infinite_ = loss_.mass_at_infinity().estimate();
    const double most_kept = lattice_->one_step()
                                 ? static_cast<double>(n)
                                 : most_products / static_cast<double>(lattice_->frequencies());
    factors_ = sampled(lattice_->dx(), lattice_->half(), most_kept);
    c_ = convolved_masses(factors_, loss_.terms(), n);
    for (SampledFactor& factor : factors_) factor.values = {};
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
          sampled(ldexp(lattice_->dx(), -1), 2 * lattice_->half(), 0);
      c_finer_ = convolved_masses(finer, loss_.terms(), 2 * settings_.points);
    } catch (const MemoryLimitReached&) {
      return;  // said in words
    } catch (const std::domain_error&) {
      return;
    }
  }

  std::vector<SampledFactor> sampled(const Ball& dx, long half, double most_kept) const {
    std::vector<SampledFactor> factors;
    for (const ComposedLoss::Term& term : loss_.terms()) {
      factors.push_back(sample_factor(*term.loss, loss_.direction(), dx, half, most_kept));
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
           general_text(2 * std::fabs(number_at(epsilon) - finer), 3);
  }

  void say_number(Enclosure& band, double epsilon) const {
    band.method = "published: " + general_text(number_at(epsilon), 13) + words_of_settings() +
                  words_of_error(epsilon) + words_of(published_bounds(loss_, settings_.length));
  }

  void say_epsilon(Enclosure& band, const NewtonEpsilon& found, double tolerance) const {
    band.method = "published: " + general_text(found.epsilon, 13) + words_of_settings() + "; " +
                  std::to_string(found.steps) + " steps of Newton's iteration from 0 " +
                  (found.stopped ? "until" : "did not reach") +
                  " |delta(eps) - delta| = " + general_text(found.miss, 3) +
                  " <= tau = " + general_text(tolerance, 3) + words_of_error(found.epsilon) +
                  words_of(published_bounds(loss_, settings_.length));
  }

  /// A band that knows nothing of the number beside it.
  static void by_grid(Enclosure& band, Enclosure&& found) {
    const std::string number = band.method +
                               "; the band is that of mode=grid, for the errors of "
                               "this law's number have no bounds here: ";
    band.remark = found.remark;
    take(band, std::move(found));
    band.method = number + band.method;
  }

  // ---- its errors, as far as they do not depend on epsilon

  void prepare_errors(const Rational& epsilon) {
    if (line_) return;
    if (!sum_) sum_.emplace(*lattice_, std::move(factors_));
    factors_.clear();
    tail_ = lattice_->one_step_tail();
    periodisation_ = lattice_->composed_tail();
    line_ = published_line(*lattice_, table_.saddle(std::max(0.0, estimate(epsilon))));
  }

  // ---- one epsilon

  // Proof: docs/proofs/fourier.md#published
  void add_number(Enclosure& band, const Ball& epsilon, double near) {
    const double number = number_at(near);
    Ledger& ledger = band.ledger;
    const Ball tilt = exp(-line_->t * epsilon);
    Ball error = ledger.add(rounding_term, abs(Ball(number) - sum_->at(epsilon)));
    error += ledger.add(periodisation_term, periodisation_);
    error += ledger.add(tail_term, tail_);
    error += ledger.add(discretisation_term, line_->discretisation * tilt);
    error += ledger.add(kink_term, line_->kink * tilt);
    if (!error.is_finite()) {
      band.remark = "an error of the published number has no finite bound here";
      return;
    }
    narrow(band, (Ball(number) - error).lower(), (Ball(number) + error).upper());
  }

  PublishedFourier settings_;
  CumulantTable table_;
  std::unique_ptr<PrivacyCurve> grid_;  ///< for laws whose number has no bounds of its errors
  bool no_finer_ = false;               ///< I_2n was tried
  std::optional<PublishedLattice> lattice_;
  double infinite_ = 0;  ///< P(L = inf)
  std::vector<SampledFactor> factors_;
  std::vector<double> c_;
  std::vector<double> c_finer_;
  std::optional<PublishedSum> sum_;
  Ball tail_;
  Ball periodisation_;
  std::optional<PublishedLine> line_;
};

}  // namespace

std::optional<std::string> published_fourier_refusal(const ComposedLoss& loss) {
  return sampling_refusal(loss);
}

std::unique_ptr<PrivacyCurve> published_fourier_curve(const ComposedLoss& loss,
                                                      const PublishedFourier& settings,
                                                      const Goal& goal) {
  if (const auto refusal = sampling_refusal(loss)) throw std::invalid_argument(*refusal);
  return std::make_unique<PublishedFourierCurve>(loss, settings, goal);
}

}  // namespace plaudit
