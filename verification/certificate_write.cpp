// The writer: chooses one straight contour per statement in floating point and keeps it only if the
// interval checker proves the statement from it. Nothing here is trusted.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "accountants/straight_choice.hpp"
#include "lib/precision.hpp"
#include "lib/strip_quadrature.hpp"
#include "lib/work_limit.hpp"
#include "mechanisms/mixture_estimate.hpp"
#include "verification/certificate.hpp"

namespace plaudit {

namespace {

constexpr int most_attempts = 6;
constexpr double impossible = 1e300;

/// log Phi(-x), roughly.
double log_tail(double x) { return x <= 0 ? 0 : -x * x / 2 - 0.69; }

/// Rules for one factor at order r (of A), in the notation of docs/certificates.md.
class RuleMaker {
 public:
  explicit RuleMaker(const GaussianMixture& mixture)
      : estimate_(mixture),
        rate_(estimate_.greatest_rate()),
        least_rate_(estimate_.least_rate()),
        log_base_(mixture.sensitivities.front() == 0 ? estimate_log(mixture.probabilities.front())
                                                     : -impossible) {}

  double greatest_rate() const { return rate_; }
  const MixtureEstimate& estimates() const { return estimate_; }

  CertificateRule on_axis(double r, double nats) const { return cheapest(r, nats, 0, false); }
  /// Shifted by its own half-width, so that its step does not depend on the height.
  CertificateRule on_line(double r, double nats) const { return cheapest(r, nats, 0, true); }

  CertificateRule beyond(double r, double s, double nats) const {
    double eta = 0;
    const double decay = estimate_.log_decay(r, s, &eta);
    const double limit = std::numbers::pi / rate_;
    eta = std::clamp(eta, 1e-3 * limit, 0.9 * limit);
    CertificateRule best;
    double least = impossible;
    for (const double part : {0.08, 0.15, 0.25, 0.35, 0.5, 0.7, 0.9}) {
      const double v = part * (limit - eta);
      const double edges = 0.5 * (log_edge(r, eta + v, s) + log_edge(r, eta - v, s));
      const double d = 2 * std::numbers::pi * v / (nats - decay + edges + 1);
      if (d > 0 && 1 / d < least) {
        least = 1 / d;
        best = {short_double(eta), short_double(v), short_double(d), 0, 0};
      }
    }
    reach(best, r, nats - decay + eta * eta / 2 + log_turn(r, eta));
    return best;
  }

 private:
  double log_turn(double r, double e) const {
    if (r >= 0) return 0;
    const double cosine = std::cos((rate_ - least_rate_) * e / 2);
    return cosine > 0 ? r * std::log(cosine) : impossible;
  }
  /// log of the bound of int |F(x + ie)| over A(r).
  double log_edge(double r, double e, double s) const {
    if (std::fabs(e) * rate_ >= std::numbers::pi * 0.999) return impossible;
    return e * e / 2 + log_turn(r, std::fabs(e)) + s * rate_ * std::max(0.0, -e);
  }

  CertificateRule cheapest(double r, double nats, double s, bool shifted) const {
    const double limit = std::numbers::pi / rate_;
    CertificateRule best;
    double least = impossible;
    for (double part = 0.03; part < (shifted ? 0.5 : 0.99); part *= 1.2) {
      const double v = part * limit;
      const double eta = shifted ? v : 0;
      const double edges = std::max(log_edge(r, eta + v, s), log_edge(r, eta - v, s)) + 0.7;
      const double d = 2 * std::numbers::pi * v / (nats + edges);
      if (edges < impossible / 2 && d > 0 && 1 / d < least) {
        least = 1 / d;
        const double half = short_double(v);
        best = {shifted ? half : 0, half, short_double(d), 0, 0};
      }
    }
    if (least == impossible) throw std::invalid_argument("no strip for a rule");
    reach(best, r, nats + best.eta * best.eta / 2 + log_turn(r, best.eta));
    return best;
  }

  /// Extends the rule until the plain tail bounds are e^-nats A(r).
  void reach(CertificateRule& rule, double r, double nats) const {
    const double target = estimate_.integral(r).value - nats - 1;
    double y2 = std::max(0.0, r * rate_);
    const auto right = [&](double y) {
      const double value = r * estimate_.log_f(y);
      if (r < 0) return value + log_tail(y);
      return value - r * rate_ * y + r * r * rate_ * rate_ / 2 + log_tail(y - r * rate_);
    };
    while (right(y2) > target && y2 < 1e4) y2 += 0.25;
    const bool steep = r < 0 && log_base_ == -impossible;
    double y1 = steep ? -r * rate_ : 0;
    const auto left = [&](double y) {
      if (r >= 0) return r * estimate_.log_f(-y) + log_tail(y);
      if (!steep) return r * log_base_ + log_tail(y);
      return r * estimate_.log_f(-y) + r * rate_ * y + r * r * rate_ * rate_ / 2 +
             log_tail(y + r * rate_);
    };
    while (left(y1) > target && y1 < 1e4) y1 += 0.25;
    rule.first = -static_cast<long>(std::ceil(y1 / rule.d)) - 1;
    rule.last = static_cast<long>(std::ceil(y2 / rule.d)) + 1;
  }

  MixtureEstimate estimate_;
  double rate_;
  double least_rate_;
  double log_base_;
};

/// One statement: proves delta(epsilon) <= bound (upper) or >= bound.
CertificateStatement make_statement(const Composition& composition, Direction direction,
                                    const Rational& epsilon, const Rational& bound, bool upper) {
  const std::vector<CertificateFactor> factors = certificate_factors(composition);
  const ComposedLoss loss(composition, direction);
  CumulantTable table(loss);
  const double near = estimate(epsilon);
  CertificateStatement s;
  s.direction = direction;
  s.epsilon = epsilon;
  (upper ? s.at_most : s.at_least) = bound;
  const double log_delta = table.log_delta(near, table.saddle(near));
  // the relative distance that must be resolved is not known beforehand: it is found by trying
  std::string reason = "no straight contour";
  double nats = 16;
  for (int attempt = 0; attempt < most_attempts; ++attempt, nats += 0.6 * nats) {
    check_work_limit();
    const StraightChoice choice = choose_straight(loss, table, near, nats, log_delta);
    if (!std::isfinite(choice.seconds) || choice.nodes < 1 || !(choice.t > 0)) {
      throw std::invalid_argument("no straight contour proves this band; no certificate");
    }
    s.t = choice.t;
    s.h = choice.h;
    s.nodes = static_cast<long>(choice.nodes);
    s.residues = choice.both_residues ? 2 : 1;
    const double period = 2 * std::numbers::pi / s.h;
    s.right_order = short_double(s.t + best_right_gap(table, s.t, near, period));
    if (!(s.right_order > s.t)) s.right_order = 2 * s.t;
    s.left_order = choice.both_residues
                       ? 1 + short_double(best_left_excess(table, s.t, near, period))
                       : std::min(1.0, short_double(best_left_order(table, s.t, near, period)));
    if (s.residues == 2 && !(s.left_order > 1)) s.left_order = 1.0 + 0x1p-10;
    if (s.left_order == 0.5) s.left_order += 0x1p-10;  // the formula of Laplace noise divides by 0
    const double height = s.h * static_cast<double>(s.nodes + 1);
    const CumulantEstimate k = table.at(s.t);
    s.bits = static_cast<long>((nats + choice.cancellation + std::log(loss.steps())) / 0.69 +
                               std::log2(20 + height * (std::fabs(near) + std::fabs(k.mean)) +
                                         std::fabs(k.value))) +
             60;
    s.factors = factors;
    const bool removes = direction == Direction::remove;
    const auto order = [&](double t) { return removes ? 1 + t : -t; };
    for (CertificateFactor& factor : s.factors) {
      if (factor.mixture.sensitivities.size() < 2) continue;  // closed forms
      const RuleMaker rules(factor.mixture);
      const double steps =
          std::log(static_cast<double>(factor.count) * static_cast<double>(factors.size())) + 5;
      const double cancelled = std::max(0.0, k.value - s.t * near - log_delta);
      factor.axis = rules.on_axis(order(s.t), 12);
      factor.line = rules.on_line(order(s.t), nats + cancelled + steps);
      factor.decay = rules.beyond(order(s.t), height, steps);
      factor.right = rules.on_axis(order(s.right_order), steps);
      factor.left = rules.on_axis(order(-s.left_order), steps);
    }
    const StatementEvaluation found = evaluate_statement(s);
    if (!found.valid) {
      reason = found.reason;
      continue;
    }
    s.errors = found.errors;
    // another checker rounds otherwise
    const Rational spare = bound / pow(Integer(2), static_cast<unsigned>(s.bits / 2));
    if (upper ? found.upper + spare <= bound : found.lower - spare >= bound) return s;
    reason = "the plain theorems do not reach so narrow a band";
    // the statement is false beyond doubt: no use in trying on
    if (upper ? found.lower > bound : found.upper < bound) break;
  }
  throw std::invalid_argument("no certificate: " + reason);
}

}  // namespace

Certificate make_certificate(const Composition& composition, Quantity quantity,
                             const Rational& argument, const Rational& lower, const Rational& upper,
                             const Answer& answer) {
  const PrecisionScope scope(128);
  Certificate certificate{composition.spec(), quantity, argument, lower, upper, {}};
  const bool epsilon = quantity == Quantity::epsilon;
  // from above: every direction; from below: the one with the greatest lower end
  const DirectionAnswer* decisive = &answer.directions.front();
  for (const DirectionAnswer& each : answer.directions) {
    if (certainly_greater(each.band.lower, decisive->band.lower)) decisive = &each;
  }
  std::vector<Direction> directions{Direction::remove};
  if (!composition.symmetric()) directions.push_back(Direction::add);
  for (const Direction direction : directions) {
    certificate.statements.push_back(make_statement(
        composition, direction, epsilon ? upper : argument, epsilon ? argument : upper, true));
  }
  if (lower > 0) {
    Rational bound = lower;
    if (epsilon) bound = argument + argument / pow(Integer(10), 60u);  // strictly above delta
    certificate.statements.push_back(
        make_statement(composition, decisive->direction, epsilon ? lower : argument, bound, false));
  }
  const CertificateVerdict verdict = check_certificate(certificate);
  if (!verdict.accepted) throw std::invalid_argument("no certificate: " + verdict.reason);
  return certificate;
}

}  // namespace plaudit
