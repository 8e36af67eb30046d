// Rules of integration for the moments of a Gaussian mixture, as the kind `straight` states them
// (docs/certificates/straight.md). Floating point: they are proposed, and the checker decides.
#pragma once

#include <nlohmann/json.hpp>

#include "mechanisms/gaussian_mixture.hpp"
#include "mechanisms/mixture_estimate.hpp"

namespace plaudit {

/// Trapezoidal rule on y + i eta, y = j d for first <= j <= last, its error bounded on the strip
/// of half-width v around that line.
struct MixtureRule {
  double eta = 0;
  double v = 0;
  double d = 0;
  long first = 0;
  long last = 0;

  nlohmann::ordered_json json() const;
};

/// Rules at order r (of A), accurate to e^-nats. @throws std::invalid_argument where no strip is
/// wide enough.
class MixtureRules {
 public:
  explicit MixtureRules(const GaussianMixture& mixture);

  MixtureRule on_axis(double r, double nats) const { return cheapest(r, nats, false); }
  /// Shifted by its own half-width, so that its step does not depend on the height.
  MixtureRule on_line(double r, double nats) const { return cheapest(r, nats, true); }
  /// For the bound of |A(r + is')|, s' >= s.
  MixtureRule beyond(double r, double s, double nats) const;

 private:
  double log_turn(double r, double e) const;
  double log_edge(double r, double e, double s) const;
  MixtureRule cheapest(double r, double nats, bool shifted) const;
  void reach(MixtureRule& rule, double r, double nats) const;

  MixtureEstimate estimate_;
  double rate_;
  double least_rate_;
  double log_base_;
};

}  // namespace plaudit
