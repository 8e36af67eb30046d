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
#include <numbers>
#include <stdexcept>

#include "accountants/cumulants/cumulant_table.hpp"
#include "accountants/fourier/density_aliases.hpp"
#include "accountants/fourier/fourier_density.hpp"
#include "accountants/fourier/published_bounds.hpp"
#include "accountants/fourier/published_frequencies.hpp"
#include "accountants/fourier/published_numbers.hpp"
#include "accountants/inversion.hpp"
#include "accountants/lattice/grid_curve.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/ball_memory.hpp"
#include "lib/balls/error_term.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/text.hpp"
#include "lib/work/work_limit.hpp"

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
constexpr double density_nats = 48;
constexpr long estimate_bits = 96;
constexpr double step_of_height = 1.25;

// Orders of the Chernoff bounds of what lies outside of [-L, L): powers of 2^(1/4).
constexpr double part_of_octave = 0.25;
constexpr int least_order_of_step = -40;
constexpr int least_order_of_sum = -60;
constexpr int greatest_order = 28;
constexpr double passed = 100;  ///< nats above the least, where the search ends

// The real part of the line, and its end before pi / dx.
constexpr double least_real_part = 0.01;
constexpr double greatest_real_part = 1e4;
constexpr double before_the_end = 0.999;
constexpr double tail_nats = 6;   ///< for a moment in a Chernoff bound, the number of steps apart
constexpr double line_nats = 10;  ///< for a bound on the line
constexpr double negligible_nats = 50;
constexpr int pieces = 96;  ///< of the integrals along the line
constexpr std::uint64_t most_points = std::uint64_t{1} << 24;
constexpr long most_frequencies = 1 << 19;
constexpr double most_products = 2e7;
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
    const NewtonEpsilon found = newton_epsilon(c_, dx_near_, infinite_, estimate(delta), tolerance);
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
    half_ = static_cast<long>(n / 2);
    length_ = Ball(settings_.length);
    dx_ = ldexp(length_, 1) / Ball(n);
    dx_near_ = 2 * estimate(settings_.length) / static_cast<double>(n);
    period_ = ldexp(pi(), 1) / dx_;  // D
    infinite_ = loss_.mass_at_infinity().estimate();
    const bool one_step = loss_.terms().size() == 1 && loss_.terms()[0].count == 1;
    const double most_kept =
        one_step ? static_cast<double>(n) : most_products / static_cast<double>(frequencies());
    factors_ = sampled(dx_, half_, most_kept);
    c_ = convolved_masses(factors_, loss_.terms(), n);
    for (SampledFactor& factor : factors_) factor.values = {};
  }

  /// I_2n, once. @param say called before, as it may not get done.
  template <class Say>
  void prepare_finer(Say&& say) {
    if (!c_finer_.empty() || no_finer_) return;
    say();
    no_finer_ = true;
    try {
      const PrecisionScope coarse(estimate_bits);  // an estimate
      const std::vector<SampledFactor> finer = sampled(ldexp(dx_, -1), 2 * half_, 0);
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

  double number_at(double epsilon) const { return infinite_ + outer_sum(c_, dx_near_, epsilon); }

  std::string words_of_settings() const {
    return " with n = " + std::to_string(settings_.points) + ", L = " + to_string(settings_.length);
  }

  /// err(L, n) = 2 |I_n - I_2n| at this epsilon, (7.4).
  std::string words_of_error(double epsilon) const {
    if (c_finer_.empty()) return "; I_2n is not at hand";
    const double finer = infinite_ + outer_sum(c_finer_, dx_near_ / 2, epsilon);
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
    if (ready_) return;
    if (loss_.terms().size() == 1 && loss_.terms()[0].count == 1 && !factors_[0].weights.empty()) {
      single_ = std::move(factors_[0]);
    } else {
      make_spectrum();
    }
    factors_.clear();
    tail_ = one_step_tail();
    periodisation_ = composed_tail();
    make_line(epsilon);
    ready_ = true;
  }

  double log_decay(double t, double s) const { return loss_.estimate_log_decay(t, s); }

  /// Least height, doubled from 1 deviation, beyond which the composed |M| is negligible.
  double negligible_height(double t) const {
    double s = 1 / std::sqrt(std::max(loss_.estimate_cumulant(t).variance, 1e-300));
    while (log_decay(t, s) > -negligible_nats && s < 1e300) s *= step_of_height;
    return s;
  }

  Ball aliases(const ComposedLoss::Term& term, const Ball& t, const Ball& s_max) const {
    return alias_bound(*term.loss, loss_.direction(), t, period_, s_max, density_nats);
  }

  /// N: how many frequencies matter.
  std::size_t frequencies() const {
    const double step = std::numbers::pi / estimate(settings_.length);  // of s between frequencies
    const double count = std::ceil(negligible_height(0) / step) + 1;
    return static_cast<std::size_t>(clamped_integer(count, 1, std::min(half_, most_frequencies)));
  }

  /// The product of F_k^count for k < N in balls, and a bound of what all the others add.
  void make_spectrum() {
    const std::size_t count = frequencies();
    check_memory_of_balls(8 * static_cast<double>(count));
    const Ball beyond = pi() * Ball(std::uint64_t{count}) / length_;
    std::vector<ComplexBall> logs(count);
    Ball log_rest;
    for (std::size_t i = 0; i < factors_.size(); ++i) {
      const ComposedLoss::Term& term = loss_.terms()[i];
      const std::vector<ComplexBall> values =
          factors_[i].weights.empty()
              ? frequencies_of_law(*term.loss, loss_.direction(), static_cast<double>(term.count),
                                   length_, dx_, tail_of(term), count)
              : frequencies_of_sum(factors_[i], settings_.points, count);
      const Ball times(term.count);
      for (std::size_t k = 0; k < count; ++k) {
        if (values[k].may_be_zero()) {
          throw std::domain_error("published Fourier: a frequency is lost");
        }
        ComplexBall scaled = log(values[k]);
        scaled.scale(times);
        logs[k] += scaled;
      }
      const Ball size = term.loss->mgf_bound_beyond(Ball(0), beyond.lower(), density_nats) +
                        aliases(term, Ball(0), ldexp(period_, -1)) + tail_of(term);
      log_rest += times * log(size);
    }
    spectrum_.clear();
    for (const ComplexBall& value : logs) spectrum_.push_back(exp(value));
    // each against |g_k| <= n / (2 k), twice, divided by n: a harmonic sum
    const Ball harmonic =
        log(Ball(half_) / Ball(std::uint64_t{count})) + Ball(1) / Ball(std::uint64_t{count});
    spectrum_rest_ = (harmonic * exp(log_rest)).upper();
  }

  /// Chernoff on the lattice: sum of dx w(x) over the lattice with x >= L or x < -L.
  Ball tail_of(const ComposedLoss::Term& term) const {
    const double length = estimate(settings_.length);
    Ball sum;
    const auto add = [&](double sign) {
      double best = 0;
      double least = 0;
      for (int k = least_order_of_step; k <= greatest_order; ++k) {
        const double t = std::exp2(part_of_octave * k);
        const double value = term.loss->estimate_cumulant(sign * t).value - t * length;
        if (std::isfinite(value) && value < least) {
          least = value;
          best = t;
        }
        if (value > least + passed) break;
      }
      const Ball t(std::round(best * 1024) / 1024);
      const Ball signed_t = Ball(sign) * t;
      sum += (term.loss->mgf_upper(signed_t, 10) + aliases(term, signed_t, Ball(0))) *
             exp(-t * length_);
    };
    if (!certainly_greater(length_, term.loss->greatest_loss())) add(+1);
    if (!certainly_less(-length_, term.loss->least_loss())) add(-1);
    return sum.is_finite() ? sum.upper() : positive_infinity();
  }

  /// What cutting every factor to [-L, L) takes from the mass of the composition.
  Ball one_step_tail() const {
    Ball factor;
    Ball sum;
    for (const ComposedLoss::Term& term : loss_.terms()) {
      const Ball count(term.count);
      factor += count * log1p(aliases(term, Ball(0), Ball(0)));
      sum += count * tail_of(term);
    }
    return sum * exp(factor);
  }

  /// Chernoff: mass of the n-fold convolution of p outside of [-L, L).
  Ball composed_tail() const {
    if (loss_.terms().size() == 1 && loss_.terms()[0].count == 1) return Ball(0);  // no convolution
    const double length = estimate(settings_.length);
    Ball sum;
    const auto add = [&](double sign) {
      double best = 0;
      double least = 0;
      for (int k = least_order_of_sum; k <= greatest_order; ++k) {
        const double t = std::exp2(part_of_octave * k);
        const double value = loss_.estimate_cumulant(sign * t).value - t * length;
        if (std::isfinite(value) && value < least) {
          least = value;
          best = t;
        }
        if (value > least + passed) break;
      }
      const Ball t(std::round(best * 4096) / 4096);
      const Ball signed_t = Ball(sign) * t;
      Ball exponent = -t * length_;
      for (const ComposedLoss::Term& term : loss_.terms()) {
        const double nats = std::log(static_cast<double>(term.count)) + tail_nats;
        exponent += Ball(term.count) *
                    log(term.loss->mgf_upper(signed_t, nats) + aliases(term, signed_t, Ball(0)));
      }
      sum += exp(exponent);
    };
    add(+1);
    add(-1);
    return sum.is_finite() ? sum.upper() : positive_infinity();
  }

  /// The two integrals along Re z = t that bound discretisation and kink; any t > 0 is valid.
  void make_line(const Rational& epsilon) {
    const double saddle = table_.saddle(std::max(0.0, estimate(epsilon)));
    t_ = Ball(std::round(std::clamp(saddle, least_real_part, greatest_real_part) * 256) / 256);
    const Ball end = ldexp(period_, -1);  // pi / dx
    const double height =
        std::min(negligible_height(t_.estimate()), before_the_end * end.estimate());
    const Ball width = Ball(height) / Ball(pieces);
    std::vector<Ball> near;
    std::vector<Ball> far;
    for (const ComposedLoss::Term& term : loss_.terms()) {
      near.push_back(aliases(term, t_, Ball(height)));
      far.push_back(aliases(term, t_, end));
    }
    const Ball slope = Ball(1) / t_ + Ball(1) / (t_ + Ball(1));
    const Ball constant = ldexp(t_ + Ball(1), 1);
    Ball discretisation;
    Ball kink;
    for (int piece = 0; piece <= pieces; ++piece) {
      check_work_limit();
      const bool last = piece == pieces;
      const Ball from = width * Ball(piece);
      Ball log_product;
      Ball rise;
      Ball log_alias;
      Ball first_bound;
      for (std::size_t i = 0; i < loss_.terms().size(); ++i) {
        const ComposedLoss::Term& term = loss_.terms()[i];
        const Ball count(term.count);
        const double nats = std::log(static_cast<double>(term.count)) + line_nats;
        const Ball bound = term.loss->mgf_bound_beyond(t_, from.lower(), nats);
        const Ball& alias = last ? far[i] : near[i];
        if (i == 0) first_bound = bound;
        log_product += count * log(bound);
        rise += count * log1p(alias / bound);
        log_alias += count * log(alias);
      }
      const Ball product = exp(log_product);
      const Ball wrong = product * expm1(rise) + exp(log_alias);
      if (last) {
        discretisation += (end - from) * wrong;
        const ComposedLoss::Term& term = loss_.terms()[0];
        kink += product / first_bound * fourth_order_bound(*term.loss, loss_.direction(), t_) *
                (constant / (Ball(3) * power(from, 3)) + slope / from);
      } else {
        discretisation += width * wrong;
        kink += width * product * (constant + slope * square(from + width));
      }
    }
    // c(t) = t^t / (1 + t)^(1 + t), the greatest value of (1 - e^{-x}) e^{-tx}
    const Ball peak = exp(t_ * log(t_) - (t_ + Ball(1)) * log1p(t_));
    discretisation_ = discretisation / pi() * (Ball(1) / (t_ * (t_ + Ball(1))) + dx_ * peak);
    kink_ = kink / pi() * square(dx_) / Ball(12);
  }

  // ---- one epsilon

  /// The sum of Algorithm 1 without rounding: (1/n) sum_k F_k^count sum_j g(j dx) e^{2 pi i j k/n}.
  Ball exact_sum(const Ball& epsilon) const {
    const Ball n(settings_.points);
    const double near = std::floor((epsilon / dx_).estimate());
    const long first = checked_integer(std::max(-static_cast<double>(half_), near + 1),
                                       "published Fourier: epsilon in units of the grid");
    if (first >= half_) return Ball(0);
    // A point taken for the other side of eps would lie this near to it and weigh no more.
    const Ball unsure = ldexp(Ball(1), -90);
    const bool from_start = first == -half_;
    if (!certainly_less(epsilon - unsure, dx_ * Ball(first)) ||
        (!from_start && !certainly_less(dx_ * Ball(first - 1), epsilon + unsure))) {
      throw std::domain_error("published Fourier: epsilon is too large for this grid");
    }
    if (!single_.weights.empty()) {  // one step: the transforms undo each other
      Ball plain;
      for (std::size_t i = 0; i < single_.weights.size(); ++i) {
        const long j = single_.first + static_cast<long>(i);
        if (j >= first) plain += single_.weights[i] * -expm1(epsilon - dx_ * Ball(j));
      }
      return widened(plain, single_.left_out + ldexp(unsure, 2));
    }
    return widened(sum_of_spectrum(epsilon, first) / n, spectrum_rest_ + ldexp(unsure, 2));
  }

  /// sum_{|k| < N} F_k^count sum_{j >= first} g(j dx) e^{2 pi i j k / n}.
  Ball sum_of_spectrum(const Ball& epsilon, long first) const {
    const Ball n(settings_.points);
    const Ball turn = ldexp(pi(), 1) / n;
    const Ball ratio = exp(-dx_);
    const Ball start = exp(epsilon - dx_ * Ball(first));
    const Ball stop = exp(epsilon - dx_ * Ball(half_));
    RootPowers low(turn * Ball(first));
    RootPowers high(turn * Ball(half_));
    RootPowers unit(turn);
    Ball sum;
    for (std::size_t k = 0; k < spectrum_.size(); ++k) {
      if ((k & 255) == 0) check_work_limit();
      const ComplexBall low_k = low(k);
      const ComplexBall high_k = high(k);
      const ComplexBall unit_k = unit(k);
      ComplexBall inner =
          k == 0 ? ComplexBall(Ball(half_ - first)) : (low_k - high_k) / (ComplexBall(1) - unit_k);
      inner -= (low_k * ComplexBall(start) - high_k * ComplexBall(stop)) /
               (ComplexBall(1) - unit_k * ComplexBall(ratio));
      const Ball part = (spectrum_[k] * inner).real();
      sum += k == 0 ? part : ldexp(part, 1);
    }
    return sum;
  }

  // Proof: docs/proofs/fourier.md#published
  void add_number(Enclosure& band, const Ball& epsilon, double near) {
    const double number = number_at(near);
    Ledger& ledger = band.ledger;
    const Ball tilt = exp(-t_ * epsilon);
    Ball error = ledger.add(rounding_term, abs(Ball(number) - exact_sum(epsilon)));
    error += ledger.add(periodisation_term, periodisation_);
    error += ledger.add(tail_term, tail_);
    error += ledger.add(discretisation_term, discretisation_ * tilt);
    error += ledger.add(kink_term, kink_ * tilt);
    if (!error.is_finite()) {
      band.remark = "an error of the published number has no finite bound here";
      return;
    }
    narrow(band, (Ball(number) - error).lower(), (Ball(number) + error).upper());
  }

  PublishedFourier settings_;
  CumulantTable table_;
  std::unique_ptr<PrivacyCurve> grid_;  ///< for laws whose number has no bounds of its errors
  bool ready_ = false;
  bool no_finer_ = false;  ///< I_2n was tried
  long half_ = 0;
  Ball length_;
  Ball dx_;
  double dx_near_ = 0;
  double infinite_ = 0;  ///< P(L = inf)
  Ball period_;
  std::vector<SampledFactor> factors_;
  std::vector<double> c_;
  std::vector<double> c_finer_;
  SampledFactor single_;  ///< the law itself where there is one step only
  std::vector<ComplexBall> spectrum_;
  Ball spectrum_rest_;
  Ball tail_;
  Ball periodisation_;
  Ball t_;
  Ball discretisation_;  ///< times e^{-t eps}
  Ball kink_;            ///< times e^{-t eps}
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
