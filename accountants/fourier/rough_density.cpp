#include "accountants/fourier/rough_density.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/mixtures/mixture_shape.hpp"
#include "mechanisms/replacement/replacement_loss.hpp"

namespace plaudit {

namespace {

constexpr int most_roots = 100;  ///< steps of Newton's rule for one root
constexpr double root_found = 1e-15;
constexpr double large_exponent = 600;       ///< e^x is far from overflow up to here
constexpr double nats_of_rare_labels = 120;  ///< labels so rare add nothing
constexpr long ball_bits = 64;               ///< of densities that a law says in balls

/// log phi(y).
double log_normal(double y) { return -y * y / 2 - log_sqrt_two_pi; }

/// The mixture's part with positive rates, D = f - f(-inf), whose logarithm is convex in y.
class PositivePart {
 public:
  explicit PositivePart(const MixtureShape& shape) {
    for (std::size_t i = 0; i < shape.rates().size(); ++i) {
      if (shape.rates()[i] > 0) {
        rates_.push_back(shape.rates()[i]);
        log_weights_.push_back(shape.log_weights()[i]);
      } else {
        still_ = std::exp(shape.log_weights()[i]);
      }
    }
  }

  /// The root y of log f(y) = l, and f'/f there; nothing below the range of log f.
  std::optional<double> root(double l, double& rate) const {
    const double part = still_ > 0 ? still_ * std::exp(-l) : 0;  // of f that does not vary
    if (!(part < 1)) return std::nullopt;
    const double goal = l + std::log1p(-part);
    // Each term alone is at most D: the root lies to the left, and Newton's rule falls to it.
    double y = infinity;
    for (std::size_t k = 0; k < rates_.size(); ++k) {
      y = std::min(y, (goal - log_weights_[k]) / rates_[k]);
    }
    double slope = rates_[0];
    for (int i = 0; rates_.size() > 1 && i < most_roots; ++i) {
      const double change = (goal - log_sum(y, slope)) / slope;
      y += change;
      if (!(std::fabs(change) > root_found * std::max(1.0, std::fabs(y)))) break;
    }
    rate = slope * (1 - part);
    return y;
  }

 private:
  /// log D(y) and its slope.
  double log_sum(double y, double& slope) const {
    double greatest = -infinity;
    for (std::size_t k = 0; k < rates_.size(); ++k) {
      greatest = std::max(greatest, log_weights_[k] + rates_[k] * y);
    }
    double sum = 0;
    double weighted = 0;
    for (std::size_t k = 0; k < rates_.size(); ++k) {
      const double below = log_weights_[k] + rates_[k] * y - greatest;
      if (below < -MixtureShape::nats_of_double) continue;
      const double share = std::exp(below);
      sum += share;
      weighted += share * rates_[k];
    }
    slope = weighted / sum;
    return greatest + std::log(sum);
  }

  std::vector<double> rates_;
  std::vector<double> log_weights_;
  double still_ = 0;  ///< f(-inf)
};

std::function<double(double)> of_mixture(const GaussianMixture& mixture, Direction direction) {
  const bool removes = direction == Direction::remove;
  return [removes, part = PositivePart(MixtureShape(mixture))](double x) {
    double rate = 0;
    const std::optional<double> y = part.root(removes ? x : -x, rate);
    return y ? log_normal(*y) + (removes ? x : 0) - std::log(rate) : -infinity;
  };
}

/// Of a mixture against its mirror image: L(y) = log f(y) - log f(-y) is odd and increasing.
std::function<double(double)> of_mirrored(const GaussianMixture& mixture) {
  return [shape = MixtureShape(mixture)](double x) {
    const double goal = std::fabs(x);
    double low = 0;
    double high = 1;
    double rate = 0;
    double mirrored_rate = 0;
    const auto excess = [&](double y) {
      return shape.log_f(y, rate) - shape.log_f(-y, mirrored_rate) - goal;
    };
    while (excess(high) < 0 && high < 1e150) {
      low = high;
      high *= 2;
    }
    double y = high;
    for (int i = 0; i < most_roots; ++i) {
      const double value = excess(y);
      (value < 0 ? low : high) = y;
      double next = y - value / (rate + mirrored_rate);
      if (!(next >= low && next <= high)) next = low + (high - low) / 2;
      const bool found = !(std::fabs(next - y) > root_found * std::max(1.0, y));
      y = next;
      if (found) break;
    }
    const double log_ratio = shape.log_f(x < 0 ? -y : y);
    return log_normal(y) + log_ratio - std::log(rate + mirrored_rate);
  };
}

/// Of replaced records: given a label at distance a, L = x > 0 where y > a/2 has f(y) = e^x, f(y) =
/// 1 - q + q e^{ay - a^2/2}; and the density at -x is e^{-x} times that at x.
std::function<double(double)> of_replacement(const ReplacementLoss& law) {
  struct Label {
    double a;
    double log_weight;
  };
  std::vector<Label> labels;
  double most = -infinity;
  law.estimate_labels([&](double a, double log_weight) {
    labels.push_back({a, log_weight});
    most = std::max(most, log_weight);
  });
  std::erase_if(labels,
                [&](const Label& label) { return label.log_weight < most - nats_of_rare_labels; });
  return [labels, q = law.rate().estimate()](double x) {
    const double size = std::fabs(x);
    const double above =
        size > large_exponent ? size - std::log(q) : std::log1p(std::expm1(size) / q);
    const double slope =
        q - (1 - q) * std::expm1(-size);  // (q - 1 + f) / f, the slope of log f over a
    double sum = 0;
    for (const Label& label : labels) {
      const double y = label.a / 2 + above / label.a;
      sum += std::exp(label.log_weight - y * y / 2) / label.a;
    }
    return std::log(sum) - log_sqrt_two_pi - std::log(slope) + std::max(0.0, x);
  };
}

}  // namespace

std::function<double(double)> rough_log_density(const PrivacyLoss& loss, Direction direction) {
  const LossFacts& facts = loss.facts();
  if (facts.gaussian_mixture != nullptr && !facts.cut) {
    return of_mixture(*facts.gaussian_mixture, direction);
  }
  if (facts.mirrored_mixture != nullptr) return of_mirrored(*facts.mirrored_mixture);
  if (facts.replacement != nullptr) {
    return of_replacement(*facts.replacement);
  }
  return [&loss](double x) {
    const PrecisionScope scope(ball_bits);
    const std::optional<Ball> value = loss.density(Ball(x));
    const double log_value = value && value->is_finite() ? value->estimate_log() : -infinity;
    return std::isfinite(log_value) ? log_value : -infinity;
  };
}

}  // namespace plaudit
