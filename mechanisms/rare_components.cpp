#include "mechanisms/rare_components.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "lib/mutant.hpp"
#include "lib/precision.hpp"

namespace plaudit {

namespace {

constexpr std::size_t least_components = 8;  // fewer are fast as they are

/// Heuristic: where log f = 0, f the mixture over the centred Gaussian.
double place_of_one(const GaussianMixture& mixture) {
  std::vector<double> rates;
  std::vector<double> log_weights;
  for (std::size_t i = 0; i < mixture.sensitivities.size(); ++i) {
    rates.push_back(estimate(Rational(mixture.sensitivities[i] / mixture.sigma)));
    log_weights.push_back(estimate_log(mixture.probabilities[i]) - rates[i] * rates[i] / 2);
  }
  const auto log_f = [&](double y) {
    double greatest = log_weights[0] + rates[0] * y;
    for (std::size_t i = 1; i < rates.size(); ++i) {
      greatest = std::max(greatest, log_weights[i] + rates[i] * y);
    }
    double sum = 0;
    for (std::size_t i = 0; i < rates.size(); ++i) {
      sum += std::exp(log_weights[i] + rates[i] * y - greatest);
    }
    return greatest + std::log(sum);
  };
  double low = 0;
  double high = 1;
  while (log_f(high) < 0 && high < 1e6) high *= 2;
  for (int i = 0; i < 40; ++i) {
    const double middle = (low + high) / 2;
    (log_f(middle) < 0 ? low : high) = middle;
  }
  return high;
}

}  // namespace

std::optional<FrequentMixture> without_rare_components(const GaussianMixture& mixture,
                                                       double log_mass) {
  const std::size_t all = mixture.sensitivities.size();
  if (all < least_components) return std::nullopt;
  std::vector<double> logs;
  logs.reserve(all);
  for (const Rational& probability : mixture.probabilities) {
    logs.push_back(estimate_log(probability));
  }
  // Components from `end` on have at most e^log_mass together.
  std::size_t end = all;
  double greatest = -std::numeric_limits<double>::infinity();
  double sum = 0;  // of e^(logs - greatest)
  while (end > 2) {
    const double next = logs[end - 1];
    if (next > greatest) {
      sum = sum * std::exp(greatest - next) + 1;
      greatest = next;
    } else {
      sum += std::exp(next - greatest);
    }
    if (greatest + std::log(sum) > log_mass) break;
    --end;
  }
  if (static_cast<double>(end) > 0.9 * static_cast<double>(all)) return std::nullopt;

  FrequentMixture frequent;
  frequent.mixture.sigma = mixture.sigma;
  const auto count = static_cast<std::ptrdiff_t>(end);
  frequent.mixture.sensitivities.assign(mixture.sensitivities.begin(),
                                        mixture.sensitivities.begin() + count);
  frequent.mixture.probabilities.assign(mixture.probabilities.begin(),
                                        mixture.probabilities.begin() + count);
  frequent.first_dropped = mixture.sensitivities[end];
  frequent.moved = 1 - sum_of(frequent.mixture.probabilities);
  // Not to the least sensitivity: its probability is the end of the support of the loss.
  frequent.keeper = static_cast<std::size_t>(
      std::max_element(logs.begin() + 1, logs.begin() + count) - logs.begin());
  frequent.mixture.probabilities[frequent.keeper] += frequent.moved;
  return frequent;
}

// Proof: docs/proofs/rare_components.md#share
RareShare::RareShare(const FrequentMixture& frequent) : moved_(Ball(frequent.moved).upper()) {
  const GaussianMixture& mixture = frequent.mixture;
  const Rational had = mixture.probabilities[frequent.keeper] - frequent.moved;
  const Ball ratio = moved_ / Ball(had);
  log_growth_ = PLAUDIT_BOUND("rare.keeper_grows", log1p(ratio).upper(), Ball(0));
  const Ball y(place_of_one(mixture));
  Ball f;  // with what was added to the keeper
  for (std::size_t i = 0; i < mixture.sensitivities.size(); ++i) {
    const Ball rate(Rational(mixture.sensitivities[i] / mixture.sigma));
    f += Ball(mixture.probabilities[i]) * exp(rate * y - ldexp(square(rate), -1));
  }
  log_least_ = (log(f) - log_growth_).lower();
  // e^(a Y - a^2/2) decreases in a >= Y, and is at most e^(Y^2/2) for any a
  const Ball rate(Rational(frequent.first_dropped / mixture.sigma));
  Ball exponent = ldexp(square(y), -1);
  if (certainly_greater_equal(rate, y)) exponent = rate * y - ldexp(square(rate), -1);
  fixed_ = (PLAUDIT_BOUND("rare.keeper_share", ratio, Ball(0)) +
            PLAUDIT_BOUND("rare.dropped_beyond", moved_ * exp(exponent - log_least_), Ball(0)))
               .upper();
}

Ball RareShare::at(const Ball& t) const {
  return (fixed_ +
          PLAUDIT_BOUND("rare.dropped_before", moved_ * exp(-(t + Ball(1)) * log_least_), Ball(0)))
      .upper();
}

}  // namespace plaudit
