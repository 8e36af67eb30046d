#include "verification/audit/witness.hpp"

#include <cmath>
#include <cstdio>
#include <vector>

#include "mechanisms/forms/gaussian_mixture_mechanism.hpp"
#include "verification/crosscheck/directed.hpp"

namespace plaudit {

namespace {

/// log dP/dQ of the remove direction at output y, in floating point.
double log_ratio(const GaussianMixture& mixture, double y) {
  const double sigma = estimate(mixture.sigma);
  std::vector<double> exponents;
  double most = -HUGE_VAL;
  for (std::size_t i = 0; i < mixture.sensitivities.size(); ++i) {
    const double c = estimate(mixture.sensitivities[i]);
    exponents.push_back(estimate_log(mixture.probabilities[i]) + c * (y - c / 2) / (sigma * sigma));
    most = std::max(most, exponents.back());
  }
  double sum = 0;
  for (const double x : exponents) sum += std::exp(x - most);
  return most + std::log(sum);
}

/// Where the ratio, which increases with y, reaches the level; nothing where it never does.
std::optional<double> output_at(const GaussianMixture& mixture, double level) {
  double low = -1;
  double high = 1;
  for (int i = 0; log_ratio(mixture, low) > level; ++i, low *= 2) {
    if (i == 60) return std::nullopt;
  }
  for (int i = 0; log_ratio(mixture, high) < level; ++i, high *= 2) {
    if (i == 60) return std::nullopt;
  }
  for (int i = 0; i < 200; ++i) {
    const double middle = low + (high - low) / 2;
    (log_ratio(mixture, middle) < level ? low : high) = middle;
  }
  return high;
}

}  // namespace

std::optional<OutputEvent> output_event(const Composition& composition, Direction direction,
                                        const Rational& epsilon, const Rational& claimed) {
  if (composition.factors().size() != 1 || composition.factors()[0].count != 1) return std::nullopt;
  const auto* mechanism =
      dynamic_cast<const GaussianMixtureMechanism*>(composition.factors()[0].mechanism.get());
  if (mechanism == nullptr) return std::nullopt;
  const GaussianMixture& mixture = mechanism->mixture();
  const bool remove = direction == Direction::remove;
  const double level = estimate(epsilon);
  const auto found = output_at(mixture, remove ? level : -level);
  if (!found) return std::nullopt;
  char text[40];
  std::snprintf(text, sizeof text, "%.12g", *found);
  const Rational end = parse_rational(text);

  // P and Q of the half line; Phi is evaluated on its small side.
  const Directed sigma(mixture.sigma);
  const auto beyond = [&](const Rational& centre) {
    const Directed distance = Directed(Rational(centre - end)) / sigma;
    return normal_below(remove ? distance : -distance);
  };
  Directed mixed(0);
  for (std::size_t i = 0; i < mixture.sensitivities.size(); ++i) {
    mixed = mixed + Directed(mixture.probabilities[i]) * beyond(mixture.sensitivities[i]);
  }
  const Directed plain = beyond(0);
  const Directed& p = remove ? mixed : plain;
  const Directed& q = remove ? plain : mixed;
  const Directed delta = p - exp(Directed(epsilon)) * q;
  if (!delta.certainly_positive()) return std::nullopt;
  for (const int digits : {8, 16, 30}) {
    const std::string shown = delta.below(digits);
    if (parse_rational(shown) <= claimed) continue;
    return OutputEvent{std::string("output ") + (remove ? "> " : "< ") + text, shown};
  }
  return std::nullopt;
}

}  // namespace plaudit
