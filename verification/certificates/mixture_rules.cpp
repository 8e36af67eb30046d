#include "verification/certificates/mixture_rules.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "lib/strip_quadrature.hpp"
#include "verification/certificates/question.hpp"

namespace plaudit {

namespace {

constexpr double impossible = 1e300;

/// log Phi(-x), roughly.
double log_tail(double x) { return x <= 0 ? 0 : -x * x / 2 - 0.69; }

}  // namespace

nlohmann::ordered_json MixtureRule::json() const {
  return {
      {"eta", dyadic(eta)}, {"v", dyadic(v)}, {"d", dyadic(d)}, {"first", first}, {"last", last}};
}

MixtureRules::MixtureRules(const GaussianMixture& mixture)
    : estimate_(mixture),
      rate_(estimate_.greatest_rate()),
      least_rate_(estimate_.least_rate()),
      log_base_(mixture.sensitivities.front() == 0 ? estimate_log(mixture.probabilities.front())
                                                   : -impossible) {}

MixtureRule MixtureRules::beyond(double r, double s, double nats) const {
  double eta = 0;
  const double decay = estimate_.log_decay(r, s, &eta);
  const double limit = std::numbers::pi / rate_;
  eta = std::clamp(eta, 1e-3 * limit, 0.9 * limit);
  MixtureRule best;
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
  if (least == impossible) throw std::invalid_argument("no strip for a rule");
  reach(best, r, nats - decay + eta * eta / 2 + log_turn(r, eta));
  return best;
}

double MixtureRules::log_turn(double r, double e) const {
  if (r >= 0) return 0;
  const double cosine = std::cos((rate_ - least_rate_) * e / 2);
  return cosine > 0 ? r * std::log(cosine) : impossible;
}

/// log of the bound of int |F(x + ie)| over A(r).
double MixtureRules::log_edge(double r, double e, double s) const {
  if (std::fabs(e) * rate_ >= std::numbers::pi * 0.999) return impossible;
  return e * e / 2 + log_turn(r, std::fabs(e)) + s * rate_ * std::max(0.0, -e);
}

MixtureRule MixtureRules::cheapest(double r, double nats, bool shifted) const {
  const double limit = std::numbers::pi / rate_;
  MixtureRule best;
  double least = impossible;
  for (double part = 0.03; part < (shifted ? 0.5 : 0.99); part *= 1.2) {
    const double v = part * limit;
    const double eta = shifted ? v : 0;
    const double edges = std::max(log_edge(r, eta + v, 0), log_edge(r, eta - v, 0)) + 0.7;
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
void MixtureRules::reach(MixtureRule& rule, double r, double nats) const {
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

}  // namespace plaudit
