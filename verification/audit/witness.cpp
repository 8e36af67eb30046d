#include "verification/audit/witness.hpp"

#include <cstdio>

#include "mechanisms/forms/gaussian_mixture_mechanism.hpp"
#include "verification/forms/directed.hpp"
#include "verification/forms/pairs.hpp"

namespace plaudit {

namespace {

/// Where the ratio, which increases with y, reaches the level; nothing where it never does.
std::optional<double> output_at(const pairs::Line& mixture, double level) {
  double low = -1;
  double high = 1;
  for (int i = 0; pairs::log_ratio(mixture, low) > level; ++i, low *= 2) {
    if (i == 60) return std::nullopt;
  }
  for (int i = 0; pairs::log_ratio(mixture, high) < level; ++i, high *= 2) {
    if (i == 60) return std::nullopt;
  }
  for (int i = 0; i < 200; ++i) {
    const double middle = low + (high - low) / 2;
    (pairs::log_ratio(mixture, middle) < level ? low : high) = middle;
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
  const GaussianMixture& stated = mechanism->mixture();
  pairs::Line mixture{stated.sigma, {}};
  for (std::size_t i = 0; i < stated.sensitivities.size(); ++i) {
    mixture.p[stated.sensitivities[i]] += stated.probabilities[i];
  }
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
  for (const auto& [centre, weight] : mixture.p) {
    mixed = mixed + Directed(weight) * beyond(centre);
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
