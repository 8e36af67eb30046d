// Rules of integration along the paths of docs/certificates/lines.md. The bounds are those of the
// checker at low precision; they are proposed, and the checker decides.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "lib/exact/rational.hpp"
#include "verification/checker/laws/laws.hpp"
#include "verification/checker/paths/paths.hpp"

namespace plaudit {

/// Where an integrand has its mass on the axis, a step that resolves it, and a bound of the
/// half-widths of strips.
struct PathWindow {
  double low;
  double high;
  double step;
  double limit;
};

class PathRules {
 public:
  using Json = nlohmann::ordered_json;

  /// @throws std::invalid_argument where the integral is too long to be looked at.
  PathRules(proof::PathPointer path, const PathWindow& window);

  /// log of the integral along the axis, and of the bound of it that needs no rule.
  double log_integral() const { return log_integral_; }
  double log_crude() const;
  /// Good to a relative e^-nats; on the line for all heights.
  Json on_axis(double nats) const;
  Json on_line(double nats) const;
  /// The height eta of the line on which the integral of |F_w| is least, and the log of that over
  /// the integral on the axis.
  struct Shift {
    double eta = 0;
    double log_fall = 0;
  };
  /// For the bound beyond the height s, good to a relative e^-nats; null where it gains nothing.
  /// @param known where somebody knows; it is looked for otherwise.
  Json beyond(double s, double nats, const std::optional<Shift>& known) const;

 private:
  struct Rule {
    double eta = 0;
    double v = 0;
    double d = 0;
  };
  double log_edge(double e, double s) const;
  double log_tails(double first, double last, double eta) const;
  double log_decay(double eta, double s) const;
  Shift best_shift(double s, double nats) const;
  /// With the outermost points, so that what they leave out is e^log_target.
  Json reaching(const Rule& rule, double log_target) const;

  proof::PathPointer path_;
  PathWindow window_;
  double log_integral_;
  double core_;                          ///< where the integrand is greatest
  double core_low_ = 0, core_high_ = 0;  ///< where it is not far below that
};

/// a_i of the greatest i.
double greatest_rate(const proof::Mixture& law);
PathRules mixture_rules(const proof::Mixture& law, double r);
PathRules cut_rules(const proof::Mixture& law, double cut, double r);
PathRules mirrored_rules(const proof::Mirrored& law, double t);
PathRules half_rules(const Rational& a, const Rational& q, double r);
/// Of N(mu, 2 mu) within +-end at the order t.
PathRules bounded_gaussian_rules(const Rational& mu, const Rational& end, double t);
PathRules interval_rules(const Rational& a, const Rational& q, double r);

}  // namespace plaudit
