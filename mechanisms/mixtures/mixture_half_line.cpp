#include "mechanisms/mixtures/mixture_half_line.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

namespace plaudit {

MixtureHalfLine::MixtureHalfLine(const ErrorTerm& quadrature, const ErrorTerm& tails, int side,
                                 const GaussianMixture& mixture, double edge)
    : HalfLineIntegral(quadrature, tails, side, edge,
                       mixture.estimated_rate(mixture.sensitivities.size() - 1)),
      outward_(side),
      mixture_(mixture),
      edge_(edge),
      ratios_(mixture) {
  for (std::size_t i = 0; i < mixture.sensitivities.size(); ++i) {
    const double rate = mixture.estimated_rate(i);
    rates_.push_back(side * rate);
    log_weights_.push_back(estimate_log(mixture.probabilities[i]) + rate * (edge_ - rate / 2));
  }
  const double most = *std::max_element(log_weights_.begin(), log_weights_.end());
  double total = 0;
  for (std::size_t i = 0; i < rates_.size(); ++i) {
    const double weight = std::exp(log_weights_[i] - most);
    total += weight;
    mean_rate_ += weight * std::fabs(rates_[i]);
    mean_square_rate_ += weight * rates_[i] * rates_[i];
  }
  mean_rate_ /= total;
  mean_square_rate_ /= total;
}

std::optional<Ball> MixtureHalfLine::known(const Ball& r) const {
  if (outward_ < 0 && !certainly_nonnegative(r) &&
      !certainly_positive(ratio()->at_minus_infinity())) {
    throw std::domain_error("integral over a half line to -inf needs a nonnegative power");
  }
  return std::nullopt;
}

std::function<Ball(const Ball&)> MixtureHalfLine::log_f() const {
  return [f = ratio(), edge = Ball(edge_), up = outward_ > 0](const Ball& rise) {
    return f->log_value(up ? edge + rise : edge - rise);
  };
}

std::function<ComplexBall(const ComplexBall&)> MixtureHalfLine::complex_log_f() const {
  const Ball edge(edge_);
  std::vector<Ball> rates;  // times the side
  std::vector<Ball> weights;
  for (std::size_t i = 0; i < mixture_.sensitivities.size(); ++i) {
    const Ball rate = mixture_.rate(i);
    rates.push_back(outward_ > 0 ? rate : -rate);
    weights.push_back(Ball(mixture_.probabilities[i]) *
                      exp(Ball(Rational(-mixture_.squared_rate(i) / 2)) + rate * edge));
  }
  return [rates = std::move(rates), weights = std::move(weights)](const ComplexBall& rise) {
    ComplexBall f;
    for (std::size_t i = 0; i < rates.size(); ++i) {
      if (rates[i].is_exact_zero()) {
        f += ComplexBall(weights[i]);
        continue;
      }
      ComplexBall scaled = rise;
      ComplexBall term = exp(scaled.scale(rates[i]));
      f += term.scale(weights[i]);
    }
    return log(f);  // arg f in [0, pi), so the principal logarithm is the right one
  };
}

/// 1 for r >= 0, as |f| is at most f on the real line. For r < 0, left of the edge, Lemma 2 (ii)
/// and (iv) with the weights at Y; +inf right of it, where RareDrawIntegral has norms of its own.
// Proof: docs/proofs/cut.md#norm
Ball MixtureHalfLine::turn(const Ball& angle, const Ball& r) const {
  if (certainly_nonnegative(r)) return Ball(1);
  return outward_ < 0 ? ratio()->turn_factor(r, angle, end()) : positive_infinity();
}

double MixtureHalfLine::log_turn(double angle, double r) const {
  const double crude = HalfLineIntegral::log_turn(angle, r);
  const double kept = 1 - angle * angle * mean_square_rate_;
  return outward_ < 0 && r < 0 && kept > 0 ? std::min(crude, r / 2 * std::log(kept)) : crude;
}

// Proof: docs/proofs/straight_contour.md#steady-turn
bool MixtureHalfLine::turns_steadily(double height) const {
  return certainly_less_equal(Ball(height), ldexp(pi(), -1)) && ratio()->turns_steadily(height);
}

/// Left of the edge the argument is bounded by the mean rate there.
// Proof: docs/proofs/cut.md#norm
Ball MixtureHalfLine::greatest_argument(const Ball& angle) const {
  return ratio()->turn_angle(angle, outward_ < 0 ? std::optional(end()) : std::nullopt);
}

double MixtureHalfLine::argument(double angle) const {
  const double crude = HalfLineIntegral::argument(angle);
  const double kept = 1 - angle * angle * mean_square_rate_ / 2;
  return outward_ < 0 && kept > 0 ? std::min(crude, std::atan(angle * mean_rate_ / kept)) : crude;
}

std::complex<double> MixtureHalfLine::turned_log_f(const Place& p,
                                                   std::complex<double> rise) const {
  std::complex<double> f = 0;
  for (std::size_t i = 0; i < rates_.size(); ++i) {
    f += std::exp(log_weights_[i] + rates_[i] * rise - p.l);
  }
  return std::log(f) + p.l;
}

}  // namespace plaudit
