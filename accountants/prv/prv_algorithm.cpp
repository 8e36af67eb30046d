// Algorithms 1 and 2 of Gopi, Lee and Wutschitz (NeurIPS 2021), in binary64.
//
//   Algorithm 2   q_j = P((j - 1/2) h < Y <= (j + 1/2) h) for |j| <= n, normalised, at the points
//                 j h + mu, mu such that the mean is that of Y given |Y| <= L, L = (n + 1/2) h;
//   Algorithm 1   the circular convolution of these laws modulo 2 L = (2 n + 1) h, by FFT;
//   curve         delta(eps) = E (1 - e^{eps - Y~})_+, inverted in closed form between two points;
//   (8)           lower and upper: delta(eps +- eps_error) -+ delta_error, or epsilon at
//                 delta +- delta_error, -+ eps_error.
// h is that of Theorem 5.5, rounded down to 24 bits. L is chosen as in Remark 5.6, where the
// library of the authors (prv-accountant 0.2.0) takes the Renyi accountant at 151 orders, and adds
// 3; then the number of points is rounded up to one that suits an FFT.
// Masses and mean are the centres of proven enclosures; all else is floating point without an error
// bound, so nothing here enters a band. docs/proofs/prv.md#algorithm
#include "accountants/prv/prv_algorithm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "accountants/cumulants/cumulant_table.hpp"
#include "accountants/cumulants/order_search.hpp"
#include "lib/analysis/double_polynomial.hpp"
#include "lib/analysis/fft.hpp"
#include "lib/balls/ball_memory.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/text.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr double most_points_of_algorithm = 4194304;
constexpr double margin_of_library = 3;  ///< Remark 5.6 says 2 + eps_error
constexpr int digits_of_algorithm = 12;
constexpr double seconds_of_core = 5e-4;  ///< nominal, of 1024 frequencies
constexpr double bytes_per_point = 96;
constexpr double smallest_part = 2.2e-16;  ///< times the points: a smaller delta is refused
constexpr double lost_nats = -50;          ///< powers of the spectrum below e^-50 are set to 0
constexpr long bits_of_cells = 112;
constexpr double negligible_nats_of_algorithm = 30;  ///< the cells left out have e^-30 delta_error

struct Triple {
  double lower;
  double estimate;
  double upper;
};

/// Whether all prime factors are 3, 5 and 7.
bool suits_a_transform(long odd) {
  for (const long prime : {3L, 5L, 7L}) {
    while (odd % prime == 0) odd /= prime;
  }
  return odd == 1;
}

/// The convolved law: masses at (j - half) mesh + shift.
struct ConvolvedLaw {
  double mesh = 0;
  double shift = 0;
  double length = 0;
  double infinite = 0;  ///< mass at infinity of the composition
  std::vector<double> masses;

  double point(std::size_t j) const {
    const std::size_t half = masses.size() / 2;
    return (static_cast<double>(j) - static_cast<double>(half)) * mesh + shift;
  }

  double delta(double epsilon) const {
    double sum = 0;
    for (std::size_t j = masses.size(); j-- > 0 && point(j) >= epsilon;) {
      sum -= masses[j] * std::expm1(epsilon - point(j));
    }
    return sum * (1 - infinite) + infinite;
  }

  /// Where the curve of the finite part, d1 - e^eps d2 between two points, meets `delta`.
  double epsilon(double delta) const {
    double above = 0;   // d1: P(Y~ >= x)
    double tilted = 0;  // d2: Q(Y~ >= x)
    for (std::size_t j = masses.size(); j-- > 0;) {
      const double x = point(j);
      const double next = above + masses[j];
      const double next_tilted = tilted + masses[j] * std::exp(-x);
      if (next - std::exp(x) * next_tilted > delta) return std::log((above - delta) / tilted);
      above = next;
      tilted = next_tilted;
    }
    throw std::domain_error("delta is not reached inside its window");
  }
};

/// log(1 + w), also where w is small.
std::complex<double> log_one_plus(std::complex<double> w) {
  return {0.5 * std::log1p(2 * w.real() + std::norm(w)), std::atan2(w.imag(), 1 + w.real())};
}

/// The normalised masses of one law around the index 0 of a period.
class PeriodicLaw {
 public:
  PeriodicLaw(const LatticeLaw& law, std::size_t points) : masses_(points) {
    Ball sum;
    for (const Ball& mass : law.masses) sum += mass;
    double greatest = 0;
    for (std::size_t i = 0; i < law.masses.size(); ++i) {
      const double mass = (law.masses[i] / sum).estimate();
      masses_[place(law.first + static_cast<long>(i))] = mass;
      if (mass > greatest) {
        greatest = mass;
        middle_ = law.first + static_cast<long>(i);
      }
    }
  }

  ComplexVector spectrum() const {
    ComplexVector data(masses_.begin(), masses_.end());
    check_work_limit();
    fftw_transform(data, Sign::minus);
    return data;
  }

  /// The core: the cells around the one with the greatest mass.
  PeriodicLaw without_core() const {
    PeriodicLaw rest = *this;
    for (long j = -core_cells; j <= core_cells; ++j) rest.masses_[place(middle_ + j)] = 0;
    return rest;
  }

  /// The sum of mass (e^{-2 pi i j k / points} - 1) over the core. @param roots less_one().
  std::complex<double> core_less_one(std::size_t k, const ComplexVector& roots) const {
    std::complex<double> sum = 0;
    for (long j = -core_cells; j <= core_cells; ++j) {
      const std::size_t at = place(middle_ + j);
      sum += masses_[at] * roots[at * k % masses_.size()];  // the product is below 2^44
    }
    return sum;
  }

  /// e^{-2 pi i n / points} - 1 for all n, accurate relative to its size.
  static ComplexVector less_one(std::size_t points) {
    ComplexVector roots(points);
    const auto period = static_cast<double>(points);
    for (std::size_t n = 0; 2 * n <= points; ++n) {
      const double half_angle = std::numbers::pi * static_cast<double>(n) / period;
      const double sine = std::sin(half_angle);
      roots[n] = {-2 * sine * sine, -2 * sine * std::cos(half_angle)};
      if (n > 0) roots[points - n] = std::conj(roots[n]);
    }
    return roots;
  }

 private:
  static constexpr long core_cells = 64;  ///< on each side

  std::size_t place(long j) const {
    const long points = static_cast<long>(masses_.size());
    return static_cast<std::size_t>((j % points + points) % points);
  }

  std::vector<double> masses_;
  long middle_ = 0;
};

class Algorithm {
 public:
  Algorithm(const ComposedLoss& loss, double eps_error, double delta_error)
      : loss_(loss), eps_error_(eps_error), delta_error_(delta_error) {
    compose();
  }

  double delta_error() const { return delta_error_; }

  Triple delta(double epsilon) const {
    return {law_.delta(epsilon + eps_error_) - delta_error_, law_.delta(epsilon),
            law_.delta(epsilon - eps_error_) + delta_error_};
  }

  Triple epsilon(double delta) const {
    const double finite = (delta - law_.infinite) / (1 - law_.infinite);
    const double too_small = smallest_part * static_cast<double>(law_.masses.size());
    if (!(finite - delta_error_ > too_small)) {
      throw std::domain_error("delta is too small beside delta_error and rounding");
    }
    return {law_.epsilon(finite + delta_error_) - eps_error_, law_.epsilon(finite),
            law_.epsilon(finite - delta_error_) + eps_error_};
  }

  std::string describe() const {
    return "mesh " + general_text(law_.mesh, 4) + ", window " + general_text(law_.length, 4) +
           ", " + std::to_string(law_.masses.size()) + " points";
  }

 private:
  /// The Renyi accountant of the library: the least epsilon over its 151 orders.
  static double renyi_epsilon(const CumulantFunction& cumulant, double delta) {
    double best = std::numeric_limits<double>::infinity();
    const auto at_order = [&](double alpha) {
      const double divergence = cumulant(alpha - 1).value / (alpha - 1);
      const double epsilon =
          divergence - std::log(delta * alpha) / (alpha - 1) + std::log1p(-1 / alpha);
      if (epsilon < best) best = epsilon;
    };
    for (int tenth = 1; tenth < 100; ++tenth) at_order(1 + tenth / 10.0);
    for (int alpha = 12; alpha < 64; ++alpha) at_order(alpha);
    return best;
  }

  /// Remark 5.6 as the library has it, of the laws given that they are finite.
  double window_length() const {
    const auto given_finite = [](CumulantEstimate k, const Ball& log_mass) {
      k.value -= log_mass.estimate();
      return k;
    };
    const Ball whole_mass = log(loss_.finite_mass());
    double length = renyi_epsilon(
        [&](double t) { return given_finite(loss_.estimate_cumulant(t), whole_mass); },
        delta_error_ / 4);
    for (const ComposedLoss::Term& term : loss_.terms()) {
      const Ball mass = log(term.loss->finite_mass());
      const double single = renyi_epsilon(
          [&](double t) { return given_finite(term.loss->estimate_cumulant(t), mass); },
          delta_error_ / 8 / loss_.steps());
      length = std::max(length, single);
    }
    return std::max(length, eps_error_) + margin_of_library;
  }

  /// Theorem 5.5.
  double mesh() const {
    const double exact = eps_error_ / std::sqrt(loss_.steps() / 2 * std::log(12 / delta_error_));
    if (!(exact > 0)) throw std::domain_error("delta_error must be below 12");
    return short_at_most(exact);
  }

  /// Cells on each side.
  long half_window() const {
    const double halves = std::ceil(window_length() / law_.mesh - 0.5);
    if (!(2 * halves + 1 < most_points_of_algorithm)) {
      throw std::domain_error("more than 2^22 points would be needed");
    }
    long points = 2 * checked_integer(halves, "the window of algorithm 1") + 1;
    while (!suits_a_transform(points)) points += 2;
    return points / 2;
  }

  /// Algorithm 1; the laws are placed around the index 0 of the period.
  void compose() {
    law_.mesh = mesh();
    const long half = half_window();
    const auto points = static_cast<std::size_t>(2 * half + 1);
    law_.length = static_cast<double>(points) / 2 * law_.mesh;
    law_.infinite = loss_.mass_at_infinity().estimate();
    check_memory(bytes_per_point * static_cast<double>(points));
    ComplexVector product(points, 1.0);
    for (const ComposedLoss::Term& term : loss_.terms()) {
      const PrecisionScope scope(bits_of_cells);
      const RoundedFactor factor =
          rounded(*term.loss, loss_.direction(), term.count, Ball(law_.mesh), half,
                  negligible_nats_of_algorithm - std::log(delta_error_) + std::log(loss_.steps()));
      law_.shift += (Ball(term.count) * factor.law->offset).estimate();
      multiply(product, *factor.law, static_cast<double>(term.count));
    }
    fftw_transform(product, Sign::plus);
    law_.masses.resize(points);
    for (std::size_t j = 0; j < points; ++j) {
      const std::size_t place = (j + points - static_cast<std::size_t>(half)) % points;
      law_.masses[j] = product[place].real() / static_cast<double>(points);
    }
  }

  /// product times the power of the transform of the normalised masses. Rounding of the transform
  /// is multiplied by count: it is small where the core is summed by itself.
  static void multiply(ComplexVector& product, const LatticeLaw& law, double count) {
    const std::size_t points = product.size();
    const PeriodicLaw step(law, points);
    const ComplexVector spectrum = step.spectrum();
    const ComplexVector beyond = step.without_core().spectrum();
    const ComplexVector roots = PeriodicLaw::less_one(points);
    for (std::size_t k = 0; 2 * k < points; ++k) {  // an odd number of points, of a real sequence
      if ((k & 1023) == 0) check_work_limit(seconds_of_core);
      std::complex<double> power = 0;
      if (count * std::log(std::abs(spectrum[k])) > lost_nats) {
        const std::complex<double> core = step.core_less_one(k, roots);
        power = std::exp(count * log_one_plus(core + (beyond[k] - beyond[0])));
      }
      product[k] *= power;
      if (k > 0) product[points - k] *= std::conj(power);
    }
    check_work_limit();
  }

  const ComposedLoss& loss_;
  double eps_error_;
  double delta_error_;
  ConvolvedLaw law_;
};

class AlgorithmCurve final : public PrivacyCurve {
 public:
  AlgorithmCurve(const ComposedLoss& loss, const Goal& goal, const CouplingSettings& settings)
      : loss_(loss),
        settings_(settings),
        table_(loss_),
        published_(coupling_curve(loss, goal, settings)) {}

  Enclosure delta(const Rational& epsilon) override {
    const double near = plaudit::estimate(epsilon);
    const std::string words =
        in_words([&] { return text("delta", opened(rough_log_delta(table_, near)).delta(near)); });
    return beside(words, published_->delta(epsilon));
  }

  Enclosure epsilon(const Rational& delta) override {
    const std::string words = in_words([&] {
      if (delta <= 0 || delta >= 1) throw std::domain_error("delta must be between 0 and 1");
      return text("epsilon", opened(estimate_log(delta)).epsilon(plaudit::estimate(delta)));
    });
    return beside(words, published_->epsilon(delta));
  }

 private:
  const Algorithm& opened(double log_delta) {
    const double delta_error = settings_.delta_error ? plaudit::estimate(*settings_.delta_error)
                                                     : std::exp(log_delta) / 1000;
    if (!algorithm_ || delta_error != algorithm_->delta_error()) {
      algorithm_.emplace(loss_, plaudit::estimate(settings_.eps_error), delta_error);
    }
    return *algorithm_;
  }

  std::string text(const std::string& quantity, const Triple& found) const {
    const auto number = [](double x) { return general_text(x, digits_of_algorithm); };
    return quantity + " lower " + number(found.lower) + ", middle " + number(found.estimate) +
           ", upper " + number(found.upper) + " (" + algorithm_->describe() + ")";
  }

  /// Half of the time is the band's.
  template <class Work>
  static std::string in_words(Work&& work) {
    const WorkShare share(work_seconds_left() / 2);
    try {
      return work();
    } catch (const WorkLimitReached& limit) {
      return std::string("nothing: ") + limit.what();
    } catch (const std::domain_error& error) {
      return std::string("nothing: ") + error.what();
    }
  }

  static Enclosure beside(const std::string& words, Enclosure band) {
    band.method = "algorithm 1 in binary64, not proven: " + words +
                  "; band: " + (band.method.empty() ? "trivial" : band.method);
    return band;
  }

  const ComposedLoss loss_;
  CouplingSettings settings_;
  CumulantTable table_;
  std::unique_ptr<PrivacyCurve> published_;
  std::optional<Algorithm> algorithm_;
};

}  // namespace

std::unique_ptr<PrivacyCurve> algorithm_curve(const ComposedLoss& loss, const Goal& goal,
                                              const CouplingSettings& settings) {
  return std::make_unique<AlgorithmCurve>(loss, goal, settings);
}

}  // namespace plaudit
