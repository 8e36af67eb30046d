#include "accountants/fourier/published_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lib/analysis/fft.hpp"
#include "lib/balls/ball_memory.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/mixtures/mixture_density.hpp"

namespace plaudit {

namespace {

constexpr double sampled_nats = 48;  ///< a mixture's tails of about e^-48 are left out
constexpr double most_sampled = 1 << 25;
constexpr int most_newton_steps = 1000;
/// Where the two sides of a density at an atom are looked at, in units of the grid, and how near an
/// atom is to a grid point to lie on it.
constexpr long side_bits = 20;
constexpr double on_grid = 1e-9;
constexpr double seconds_of_sample = 1e-8;

std::size_t place_of(long j, std::uint64_t n) {
  return static_cast<std::size_t>(j < 0 ? j + static_cast<long>(n) : j);
}

SampledFactor sample_mixture(const GaussianMixture& mixture, Direction direction, const Ball& dx,
                             long half, double most_kept) {
  const bool removes = direction == Direction::remove;
  const MixtureDensity density(mixture, Ball(removes ? 1 : 0));
  const MixtureDensity::Window window = density.window(dx, sampled_nats);
  if (!(window.points() <= most_sampled)) {
    throw std::domain_error("published Fourier: the grid is too fine");
  }
  SampledFactor result;
  result.left_out = window.outside;
  // x = -log f in the add direction
  const long lowest = std::max(removes ? window.first : -window.last, -half);
  const long highest = std::min(removes ? window.last : -window.first, half - 1);
  result.first = lowest;
  if (highest < lowest) return result;
  const auto points = static_cast<std::size_t>(highest - lowest + 1);
  const bool kept = static_cast<double>(points) <= most_kept;
  check_memory(8 * static_cast<double>(points));
  if (kept) check_memory_of_balls(static_cast<double>(points));
  result.values.resize(points);
  if (kept) result.weights.resize(points);
  density.sample(dx, window, Ball(0), [&](long l, const Ball& value) {
    const long j = removes ? l : -l;
    if (j < lowest || j > highest) return;
    const auto i = static_cast<std::size_t>(j - lowest);
    result.values[i] = value.estimate();
    if (kept) result.weights[i] = value;
  });
  return result;
}

/// One side of the density at x; nothing known counts as 0, as at the ends of a support.
double density_at(const PrivacyLoss& loss, const Ball& x) {
  const std::optional<Ball> value = loss.density(x);
  const double number = value ? value->estimate() : 0;
  return std::isfinite(number) ? number : 0;
}

/// Narrows the window to the support of the loss and a point on each side.
void restrict_to_support(const PrivacyLoss& loss, const Ball& dx, long& lowest, long& highest) {
  const double least = (loss.least_loss() / dx).estimate();
  const double greatest = (loss.greatest_loss() / dx).estimate();
  if (least > static_cast<double>(lowest)) {
    lowest = checked_integer(std::floor(least), "the least loss") - 1;
  }
  if (greatest < static_cast<double>(highest)) {
    highest = checked_integer(std::ceil(greatest), "the greatest loss") + 1;
  }
}

SampledFactor sample_law(const PrivacyLoss& loss, const Ball& dx, long half) {
  SampledFactor result;
  long lowest = -half;
  long highest = half - 1;
  restrict_to_support(loss, dx, lowest, highest);
  lowest = std::max(lowest, -half);
  highest = std::min(highest, half - 1);
  result.first = lowest;
  if (highest < lowest) return result;
  check_memory(8 * static_cast<double>(highest - lowest + 1));
  result.values.resize(static_cast<std::size_t>(highest - lowest + 1));
  const double width = dx.estimate();
  for (long j = lowest; j <= highest; ++j) {
    if ((j & 255) == 0) check_work_limit(256 * seconds_of_sample);
    result.values[static_cast<std::size_t>(j - lowest)] = width * density_at(loss, dx * Ball(j));
  }
  const std::vector<LossAtom> none;
  const Ball side = ldexp(dx, -side_bits);
  for (const LossAtom& atom : loss.atoms_in(std::nullopt).value_or(none)) {
    const double at = (atom.loss / dx).estimate();
    if (!(at >= static_cast<double>(lowest) && at <= static_cast<double>(highest))) continue;
    const double below = std::floor(at + on_grid);
    const double share = std::max(0.0, at - below);
    const auto i = static_cast<std::size_t>(checked_integer(below, "an atom") - lowest);
    if (share < on_grid) {
      result.values[i] =
          width / 2 * (density_at(loss, atom.loss - side) + density_at(loss, atom.loss + side));
    }
    result.values[i] += (1 - share) * atom.p.estimate();
    if (i + 1 < result.values.size()) result.values[i + 1] += share * atom.p.estimate();
  }
  return result;
}

}  // namespace

SampledFactor sample_factor(const PrivacyLoss& loss, Direction direction, const Ball& dx, long half,
                            double most_kept) {
  if (const GaussianMixture* mixture = loss.facts().gaussian_mixture) {
    return sample_mixture(*mixture, direction, dx, half, most_kept);
  }
  return sample_law(loss, dx, half);
}

std::optional<std::string> sampling_refusal(const ComposedLoss& loss) {
  const PrecisionScope scope(64);
  for (const ComposedLoss::Term& term : loss.terms()) {
    if (term.loss->facts().gaussian_mixture != nullptr) continue;
    const Ball inside(Rational(1, 1024));  // any point but 0, where some laws have an atom
    if (!term.loss->density(inside) && !term.loss->atoms_in(std::nullopt)) {
      return "mode published needs a formula for the density of the privacy loss, or its finitely "
             "many atoms";
    }
  }
  return std::nullopt;
}

std::vector<double> convolved_masses(const std::vector<SampledFactor>& factors,
                                     const std::vector<ComposedLoss::Term>& terms,
                                     std::uint64_t n) {
  const auto length = static_cast<double>(n);
  check_memory(length * (factors.size() > 1 ? 32 : 16));
  ComplexVector product;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    ComplexVector data(n);
    for (std::size_t j = 0; j < factors[i].values.size(); ++j) {
      data[place_of(factors[i].first + static_cast<long>(j), n)] = factors[i].values[j];
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
  check_memory(8 * length);
  std::vector<double> result(n);
  for (std::size_t k = 0; k < n; ++k) result[k] = product[k].real() / length;
  return result;
}

namespace {

/// Sum of weight(x) c over the points x > epsilon.
template <class Weight>
double sum_above(const std::vector<double>& c, double dx, double epsilon, Weight&& weight) {
  const auto half = static_cast<long>(c.size() / 2);
  const double from =
      std::clamp(std::floor(epsilon / dx), -static_cast<double>(half), static_cast<double>(half));
  const long first = checked_integer(from, "published Fourier: epsilon in units of the grid");
  double sum = 0;
  double lost = 0;  // compensated, as the order of summation is not part of the algorithm
  for (long j = first; j < half; ++j) {
    const double x = static_cast<double>(j) * dx;
    if (!(x > epsilon)) continue;
    const double term = weight(x) * c[place_of(j, c.size())] - lost;
    const double next = sum + term;
    lost = (next - sum) - term;
    sum = next;
  }
  return sum;
}

}  // namespace

double outer_sum(const std::vector<double>& c, double dx, double epsilon) {
  return sum_above(c, dx, epsilon, [&](double x) { return -std::expm1(epsilon - x); });
}

NewtonEpsilon newton_epsilon(const std::vector<double>& c, double dx, double infinite, double delta,
                             double tolerance) {
  NewtonEpsilon at;
  for (;; ++at.steps) {
    check_work_limit();
    const double excess = infinite + outer_sum(c, dx, at.epsilon) - delta;
    at.miss = std::fabs(excess);
    at.stopped = at.miss <= tolerance;
    if (at.stopped || at.steps == most_newton_steps) return at;
    // the derivative of the sum is -sum e^{eps - j dx} c_j
    const double slope =
        -sum_above(c, dx, at.epsilon, [&](double x) { return std::exp(at.epsilon - x); });
    const double next = at.epsilon - excess / slope;
    if (!std::isfinite(next)) return at;
    at.epsilon = next;
  }
}

}  // namespace plaudit
