// The Fourier accountant as published (Koskela, Jalko, Honkela, AISTATS 2020, Algorithm 1), and
// what its number is worth.
//
// With dx = 2 L / n and w the density of one step's loss, p_j = dx w(j dx) for -n/2 <= j < n/2,
//   I = sum_{j dx > eps} (1 - e^{eps - j dx}) c_j,   c = inverse DFT of (DFT of p)^k.
// The number I is computed with FFTW in binary64, like the published one. The band is I +- the sum
// of five bounds: I is compared with the exact value of this sum (published_fourier.rounding),
// whose significant frequencies are computed in balls; then
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
#include "accountants/inversion.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/analysis/fft.hpp"
#include "lib/analysis/power_sums.hpp"
#include "lib/balls/ball_memory.hpp"
#include "lib/balls/error_term.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/text.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/mixtures/mixture_density.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm discretisation_term{"published_fourier.discretisation",
                                        "Poisson summation, n-fold (fourier.md#published)"};
constexpr ErrorTerm kink_term{"published_fourier.kink", "Euler-Maclaurin, second order"};
constexpr ErrorTerm periodisation_term{"published_fourier.periodisation",
                                       "Chernoff beyond [-L, L), after n steps"};
constexpr ErrorTerm tail_term{"published_fourier.tail", "Chernoff beyond [-L, L), one step"};
constexpr ErrorTerm rounding_term{"published_fourier.rounding",
                                  "distance to the exact sum (balls, few frequencies)"};
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
constexpr std::uint64_t most_estimated = std::uint64_t{1} << 23;
constexpr double most_products = 2e7;

/// Density values of one factor on the grid.
struct Sampled {
  std::vector<long> index;   ///< x = index dx
  std::vector<Ball> weight;  ///< dx w(x)
  Ball left_out;             ///< bound of the sum of dx w over all other points of the lattice
};

Sampled sample_density(const PrivacyLoss& loss, Direction direction, const Ball& dx, long half) {
  const bool removes = direction == Direction::remove;
  const MixtureDensity density(*loss.facts().gaussian_mixture, Ball(removes ? 1 : 0));
  const MixtureDensity::Window window = density.window(dx, density_nats);
  if (!(window.points() <= static_cast<double>(most_points))) {
    throw std::domain_error("published Fourier: the grid is too fine");
  }
  Sampled result;
  result.left_out = window.outside;
  density.sample(dx, window, Ball(0), [&](long l, const Ball& value) {
    const long j = removes ? l : -l;  // x = -log f in the add direction
    if (j < -half || j >= half || value.is_exact_zero()) return;
    result.index.push_back(j);
    result.weight.push_back(value);
  });
  return result;
}

std::size_t wrapped(long j, std::uint64_t n) {
  return static_cast<std::size_t>(j < 0 ? j + static_cast<long>(n) : j);
}

/// Algorithm 1 in binary64: c_j for j = 0 .. n/2 - 1, the half that can exceed eps >= 0, and the
/// other half behind it.
std::vector<double> convolved(const std::vector<Sampled>& factors,
                              const std::vector<ComposedLoss::Term>& terms, std::uint64_t n) {
  ComplexVector product;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    ComplexVector data(n);
    for (std::size_t j = 0; j < factors[i].index.size(); ++j) {
      data[wrapped(factors[i].index[j], n)] = factors[i].weight[j].estimate();
    }
    check_work_limit();
    fftw_transform(data, Sign::minus);
    const double count = static_cast<double>(terms[i].count);
    for (std::complex<double>& value : data) {
      value = value == 0.0 ? 0.0 : std::exp(count * std::log(value));
    }
    if (product.empty()) {
      product = std::move(data);
    } else {
      for (std::size_t k = 0; k < n; ++k) product[k] *= data[k];
    }
    check_work_limit();
  }
  fftw_transform(product, Sign::plus);
  check_memory(8 * static_cast<double>(n));
  std::vector<double> result(n);
  for (std::size_t k = 0; k < n; ++k) result[k] = product[k].real() / static_cast<double>(n);
  return result;
}

double outer_sum(const std::vector<double>& c, double dx, double epsilon) {
  const auto half = static_cast<long>(c.size() / 2);
  long first = checked_integer(std::max(-static_cast<double>(half), std::floor(epsilon / dx)),
                               "published Fourier: epsilon in units of the grid");
  double sum = 0;
  double lost = 0;  // compensated, as the order of summation is not part of the algorithm
  for (long j = first; j < half; ++j) {
    const double x = static_cast<double>(j) * dx;
    if (!(x > epsilon)) continue;
    const double term = -std::expm1(epsilon - x) * c[wrapped(j, c.size())] - lost;
    const double next = sum + term;
    lost = (next - sum) - term;
    sum = next;
  }
  return sum;
}

class PublishedFourierCurve final : public NarrowingCurve {
 public:
  PublishedFourierCurve(const ComposedLoss& loss, const PublishedFourier& settings)
      : NarrowingCurve(loss, "fourier"), settings_(settings), table_(loss_) {
    if (settings.length <= 0) throw std::invalid_argument("published Fourier: L must be positive");
    if (settings.points < 2 || settings.points % 2 != 0 || settings.points > most_points) {
      throw std::invalid_argument("published Fourier: n must be even, at least 2, at most 2^24");
    }
  }

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    const PrecisionScope scope(bits);
    prepare(epsilon);
    add_number(band, Ball(epsilon), estimate(epsilon));
  }

  void narrow_epsilon(Enclosure& band, const Rational& delta) override {
    if (delta <= 0 || delta >= 1) return;
    const PrecisionScope scope(bits);
    const double guess = std::max(0.0, table_.epsilon_for(estimate_log(delta)));
    prepare(checked_rational(guess, "the estimate of epsilon"));
    Enclosure last;
    const auto curve = [&](const Ball& x) {
      last = Enclosure();
      last.upper = Ball(1);
      add_number(last, x, x.estimate());
      return hull(last.lower, last.upper);
    };
    const Crossing found = invert_curve(loss_, curve, delta, Ball(guess), 40);
    band.method = last.method;
    band.ledger = last.ledger;
    narrow(band, found.lower, found.upper);
  }

 private:
  // ---- what does not depend on epsilon

  void prepare(const Rational& epsilon) {
    if (ready_) return;
    const std::uint64_t n = settings_.points;
    half_ = static_cast<long>(n / 2);
    length_ = Ball(settings_.length);
    dx_ = ldexp(length_, 1) / Ball(n);
    dx_near_ = 2 * estimate(settings_.length) / static_cast<double>(n);
    period_ = ldexp(pi(), 1) / dx_;  // D
    std::vector<Sampled> factors = sampled(dx_, half_);
    c_ = convolved(factors, loss_.terms(), n);
    if (loss_.terms().size() == 1 && loss_.terms()[0].count == 1) {
      single_ = std::move(factors[0]);
    } else {
      make_spectrum(factors);
      factors.clear();
    }
    if (2 * n <= most_estimated) {
      const PrecisionScope coarse(estimate_bits);  // an estimate
      const Ball finer = ldexp(dx_, -1);
      c_finer_ = convolved(sampled(finer, 2 * half_), loss_.terms(), 2 * n);
    }
    tail_ = one_step_tail();
    periodisation_ = composed_tail();
    make_line(epsilon);
    ready_ = true;
  }

  std::vector<Sampled> sampled(const Ball& dx, long half) const {
    std::vector<Sampled> factors;
    for (const ComposedLoss::Term& term : loss_.terms()) {
      factors.push_back(sample_density(*term.loss, loss_.direction(), dx, half));
    }
    return factors;
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

  /// The product of F_k^count for k <= N in balls, and a bound of all the others.
  void make_spectrum(const std::vector<Sampled>& factors) {
    const double step = std::numbers::pi / estimate(settings_.length);  // of s between frequencies
    const auto count = static_cast<std::size_t>(
        clamped_integer(std::ceil(negligible_height(0) / step) + 1, 1, half_));
    const Ball turn = -ldexp(pi(), 1) / Ball(settings_.points);
    const Ball beyond = pi() * Ball(std::uint64_t{count}) / length_;
    std::vector<ComplexBall> logs(count);
    Ball log_rest;
    for (std::size_t i = 0; i < factors.size(); ++i) {
      const Sampled& factor = factors[i];
      const ComposedLoss::Term& term = loss_.terms()[i];
      if (static_cast<double>(factor.index.size()) * static_cast<double>(count) > most_products) {
        throw std::domain_error("published Fourier: too many frequencies matter");
      }
      std::vector<ComplexBall> weights;
      std::vector<ComplexBall> bases;
      for (std::size_t j = 0; j < factor.index.size(); ++j) {
        if ((j & 255) == 0) check_work_limit();
        weights.emplace_back(factor.weight[j]);
        const Ball angle = turn * Ball(factor.index[j]);
        bases.emplace_back(cos(angle), sin(angle));
      }
      const std::vector<ComplexBall> values = power_sums(weights, bases, count);
      const Ball times(term.count);
      for (std::size_t k = 0; k < count; ++k) {
        // the points left out lie in [-L, L) or not: in either case this bounds what they add
        const ComplexBall value = widened(values[k], factor.left_out);
        if (value.may_be_zero()) throw std::domain_error("published Fourier: a frequency is lost");
        ComplexBall scaled = log(value);
        scaled.scale(times);
        logs[k] += scaled;
      }
      const Ball size = term.loss->mgf_bound_beyond(Ball(0), beyond.lower(), density_nats) +
                        aliases(term, Ball(0), ldexp(period_, -1)) + tail_of(term);
      log_rest += times * log(size);
    }
    spectrum_.clear();
    for (const ComplexBall& value : logs) spectrum_.push_back(exp(value));
    // at most n frequencies, each against a sum of at most n values below 1, divided by n
    spectrum_rest_ = (Ball(settings_.points) * exp(log_rest)).upper();
    if (count == static_cast<std::size_t>(half_)) spectrum_rest_ = positive_infinity();
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
    if (!single_.index.empty()) {  // one step: the transforms undo each other
      Ball plain;
      for (std::size_t j = 0; j < single_.index.size(); ++j) {
        if (single_.index[j] < first) continue;
        plain += single_.weight[j] * -expm1(epsilon - dx_ * Ball(single_.index[j]));
      }
      return widened(plain, single_.left_out + ldexp(unsure, 2));
    }
    const Ball turn = ldexp(pi(), 1) / n;
    const Ball ratio = exp(-dx_);
    const Ball start = exp(epsilon - dx_ * Ball(first));
    const Ball stop = exp(epsilon - dx_ * Ball(half_));
    Ball sum;
    for (std::size_t k = 0; k < spectrum_.size(); ++k) {
      const auto at = [&](long j) {
        const Ball angle = turn * Ball(j) * Ball(std::uint64_t{k});
        return ComplexBall(cos(angle), sin(angle));
      };
      const ComplexBall low = at(first);
      const ComplexBall high = at(half_);
      const ComplexBall unit = at(1);
      ComplexBall inner =
          k == 0 ? ComplexBall(Ball(half_ - first)) : (low - high) / (ComplexBall(1) - unit);
      inner -= (low * ComplexBall(start) - high * ComplexBall(stop)) /
               (ComplexBall(1) - unit * ComplexBall(ratio));
      const Ball part = (spectrum_[k] * inner).real();
      sum += k == 0 ? part : ldexp(part, 1);
    }
    return widened(sum / n, spectrum_rest_ + ldexp(unsure, 2));
  }

  // Proof: docs/proofs/fourier.md#published
  void add_number(Enclosure& band, const Ball& epsilon, double near) {
    const double number = outer_sum(c_, dx_near_, near);
    Ledger& ledger = band.ledger;
    const Ball tilt = exp(-t_ * epsilon);
    Ball error = ledger.add(rounding_term, abs(Ball(number) - exact_sum(epsilon)));
    error += ledger.add(periodisation_term, periodisation_);
    error += ledger.add(tail_term, tail_);
    error += ledger.add(discretisation_term, discretisation_ * tilt);
    error += ledger.add(kink_term, kink_ * tilt);
    band.method = "published: " + general_text(number, 13) +
                  " with n = " + std::to_string(settings_.points) +
                  ", L = " + to_string(settings_.length);
    if (!c_finer_.empty()) {
      const double apart = std::fabs(number - outer_sum(c_finer_, dx_near_ / 2, near));
      band.method += "; its estimate of its error 2 |I_n - I_2n| = " + general_text(2 * apart, 3);
    }
    if (!error.is_finite()) {
      band.remark = "an error of the published number has no finite bound here";
      return;
    }
    narrow(band, (Ball(number) - error).lower(), (Ball(number) + error).upper());
  }

  PublishedFourier settings_;
  CumulantTable table_;
  bool ready_ = false;
  long half_ = 0;
  Ball length_;
  Ball dx_;
  double dx_near_ = 0;
  Ball period_;
  std::vector<double> c_;
  std::vector<double> c_finer_;
  Sampled single_;  ///< the law itself where there is one step only
  std::vector<ComplexBall> spectrum_;
  Ball spectrum_rest_;
  Ball tail_;
  Ball periodisation_;
  Ball t_;
  Ball discretisation_;  ///< times e^{-t eps}
  Ball kink_;            ///< times e^{-t eps}
};

}  // namespace

std::unique_ptr<PrivacyCurve> published_fourier_curve(const ComposedLoss& loss,
                                                      const PublishedFourier& settings) {
  if (const auto refusal = density_refusal(loss)) throw std::invalid_argument(*refusal);
  return std::make_unique<PublishedFourierCurve>(loss, settings);
}

}  // namespace plaudit
