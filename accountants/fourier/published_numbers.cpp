#include "accountants/fourier/published_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "accountants/fourier/rough_density.hpp"
#include "lib/analysis/real_transform.hpp"
#include "lib/analysis/rough_samples.hpp"
#include "lib/balls/ball_memory.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/laws/lattice_law.hpp"
#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/mixtures/mixture_density.hpp"

namespace plaudit {

namespace {

constexpr double sampled_nats = 48;  ///< a mixture's tails of about e^-48 are left out
constexpr int most_newton_steps = 1000;
constexpr double seconds_of_term = 3e-8;
/// Where the two sides of a density at an atom are looked at, in units of the grid, and how near an
/// atom is to a grid point to lie on it.
constexpr double side_of_point = 0x1p-20;
constexpr double on_grid = 1e-9;
constexpr double seconds_of_point = 1e-7;  ///< of a transform and its powers
constexpr double nats_of_zero = 745;       ///< e^-745 is 0 in doubles

std::size_t place_of(long j, std::uint64_t n) {
  return static_cast<std::size_t>(j < 0 ? j + static_cast<long>(n) : j);
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

struct SplitAtom {
  double loss;
  double mass;
};

/// The finite atoms of a law, or those on its lattice that are not negligible.
std::vector<SplitAtom> atoms_of(const PrivacyLoss& loss) {
  std::vector<SplitAtom> result;
  if (const std::optional<std::vector<LossAtom>> atoms = loss.atoms_in(std::nullopt)) {
    for (const LossAtom& atom : *atoms) {
      result.push_back({atom.loss.estimate(), atom.p.estimate()});
    }
  } else if (const std::shared_ptr<const LatticeLaw> law = loss.lattice()) {
    for (std::size_t i = 0; i < law->masses.size(); ++i) {
      const Ball place = law->point(law->first + static_cast<long>(i));
      result.push_back({place.estimate(), law->masses[i].estimate()});
    }
  }
  return result;
}

}  // namespace

SampledFactor sample_factor(const PrivacyLoss& loss, Direction direction, const Ball& dx,
                            long half) {
  SampledFactor result;
  long lowest = -half;
  long highest = half - 1;
  restrict_to_support(loss, dx, lowest, highest);
  lowest = std::max(lowest, -half);
  highest = std::min(highest, half - 1);
  result.first = lowest;
  if (highest < lowest) return result;
  const double width = dx.estimate();
  const std::function<double(double)> log_density = rough_log_density(loss, direction);
  result.values = rough_samples(log_density, width, lowest, highest);
  for (double& value : result.values) value *= width;
  for (const SplitAtom& atom : atoms_of(loss)) {
    check_work_limit();
    const double at = atom.loss / width;
    if (!(at >= static_cast<double>(lowest) && at <= static_cast<double>(highest))) continue;
    const double below = std::floor(at + on_grid);
    const double share = std::max(0.0, at - below);
    const auto i = static_cast<std::size_t>(checked_integer(below, "an atom") - lowest);
    if (share < on_grid) {
      const double side = width * side_of_point;
      result.values[i] =
          width / 2 *
          (std::exp(log_density(atom.loss - side)) + std::exp(log_density(atom.loss + side)));
    }
    result.values[i] += (1 - share) * atom.mass;
    if (i + 1 < result.values.size()) result.values[i + 1] += share * atom.mass;
  }
  return result;
}

// Proof: docs/proofs/fourier.md#published
std::optional<SampledWeights> sample_weights(const PrivacyLoss& loss, Direction direction,
                                             const Ball& dx, long half, double most_kept) {
  if (loss.facts().gaussian_mixture == nullptr) return std::nullopt;
  const GaussianMixture& mixture = *loss.facts().gaussian_mixture;
  const bool removes = direction == Direction::remove;
  const MixtureDensity density(mixture, Ball(removes ? 1 : 0));
  const MixtureDensity::Window window = density.window(dx, sampled_nats);
  SampledWeights result;
  result.left_out = window.outside;
  // x = -log f in the add direction
  const long lowest = std::max(removes ? window.first : -window.last, -half);
  const long highest = std::min(removes ? window.last : -window.first, half - 1);
  result.first = lowest;
  if (highest < lowest) return result;
  const auto points = static_cast<std::size_t>(highest - lowest + 1);
  if (static_cast<double>(points) > most_kept) return std::nullopt;
  check_memory_of_balls(static_cast<double>(points));
  result.weights.resize(points);
  density.sample(dx, window, Ball(0), [&](long l, const Ball& value) {
    const long j = removes ? l : -l;
    if (j < lowest || j > highest) return;
    result.weights[static_cast<std::size_t>(j - lowest)] = value;
  });
  return result;
}

std::optional<std::string> sampling_refusal(const ComposedLoss& loss) {
  const PrecisionScope scope(64);
  for (const ComposedLoss::Term& term : loss.terms()) {
    if (term.loss->facts().gaussian_mixture != nullptr) continue;
    const Ball inside(Rational(1, 1024));  // any point but 0, where some laws have an atom
    if (!term.loss->density(inside) && !term.loss->atoms_in(std::nullopt) &&
        !term.loss->facts().lattice) {
      return "mode published needs a formula for the density of the privacy loss, or atoms that "
             "are finitely many or on a lattice";
    }
  }
  return std::nullopt;
}

std::vector<double> convolved_masses(const std::vector<SampledFactor>& factors,
                                     const std::vector<ComposedLoss::Term>& terms,
                                     std::uint64_t n) {
  const auto length = static_cast<double>(n);
  check_memory(length * (factors.size() > 1 ? 24 : 16));
  ComplexVector product;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    std::vector<double> data(n);
    for (std::size_t j = 0; j < factors[i].values.size(); ++j) {
      data[place_of(factors[i].first + static_cast<long>(j), n)] = factors[i].values[j];
    }
    check_work_limit(seconds_of_point * length);
    ComplexVector values = real_transform(std::move(data));
    const double count = static_cast<double>(terms[i].count);
    const double least = std::exp(-2 * nats_of_zero / count);  // of |F|^2: its power is 0 below
    for (std::complex<double>& value : values) {
      value = std::norm(value) > least ? std::exp(count * std::log(value)) : 0;
    }
    check_work_limit(seconds_of_point * length);
    if (product.empty()) {
      product = std::move(values);
    } else {
      for (std::size_t k = 0; k < product.size(); ++k) product[k] *= values[k];
    }
  }
  std::vector<double> result = real_inverse(std::move(product));
  check_work_limit(seconds_of_point * length);
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

namespace {

/// delta(eps) - delta of the sum, and minus its derivative, sum e^{eps - j dx} c_j.
struct Excess {
  double value;
  double fall;
};

}  // namespace

// In e^eps the sum is convex and, where it comes from atoms, piecewise linear: from below the root
// Newton's rule rises to it. In eps it is concave between atoms, and the rule may go to and fro.
NewtonEpsilon newton_epsilon(const std::vector<double>& c, double dx, double infinite, double delta,
                             double tolerance) {
  NewtonEpsilon at;
  double low = -infinity;  // where delta is exceeded, and where it is not
  double high = infinity;
  double last_miss = infinity;
  double miss_before = infinity;
  for (;; ++at.steps) {
    check_work_limit(seconds_of_term * static_cast<double>(c.size()));
    const Excess excess{
        infinite + outer_sum(c, dx, at.epsilon) - delta,
        sum_above(c, dx, at.epsilon, [&](double x) { return std::exp(at.epsilon - x); })};
    at.miss = std::fabs(excess.value);
    at.stopped = at.miss <= tolerance;
    if (at.stopped || at.steps == most_newton_steps) return at;
    (excess.value > 0 ? low : high) = at.epsilon;
    const double step = excess.value / excess.fall;
    double next = at.epsilon + (at.safe_steps > 0 ? std::log1p(step) : step);
    const bool stalled = at.miss > miss_before / 2 || !(next > low && next < high);
    if (at.safe_steps == 0 && stalled && std::isfinite(low)) {
      next = low;  // once more there, in e^eps from now on
    } else if (at.safe_steps > 0 && !(next > low && next < high)) {
      next = low + (high - low) / 2;  // rounding
      if (!(next > low && next < high)) return at;
    }
    at.safe_steps += at.safe_steps > 0 || next == low ? 1 : 0;
    if (!std::isfinite(next)) return at;
    miss_before = std::exchange(last_miss, at.miss);
    at.epsilon = next;
  }
}

}  // namespace plaudit
