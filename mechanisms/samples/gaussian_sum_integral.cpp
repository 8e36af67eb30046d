#include "mechanisms/samples/gaussian_sum_integral.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "lib/analysis/normal/normal_tail.hpp"
#include "lib/constants.hpp"
#include "lib/mutant.hpp"
#include "mechanisms/laws/laplace_loss.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm sum_quadrature_term{"gaussian_sum.quadrature",
                                        "docs/proofs/roots.md#gaussian-sum-integral"};
constexpr ErrorTerm sum_tails_term{"gaussian_sum.tails",
                                   "docs/proofs/roots.md#gaussian-sum-integral"};

}  // namespace

GaussianSumIntegral::GaussianSumIntegral(Rational mean, std::shared_ptr<const PrivacyLoss> other,
                                         Rational rate)
    : StripIntegral(sum_quadrature_term, sum_tails_term),
      mean_(std::move(mean)),
      other_(std::move(other)),
      rate_(std::move(rate)),
      m_(plaudit::estimate(mean_)),
      mu_(std::sqrt(2 * m_)),
      q_(plaudit::estimate(rate_)),
      a_(other_->greatest_loss().estimate()) {
  if (other_->facts().laplace != nullptr) {
    pieces_ = {{a_, -a_ - std::numbers::ln2}, {-a_, -std::numbers::ln2}};
    const double width = a_ / 32;
    for (int i = 0; i < 64; ++i) {
      const double l = -a_ + width * (i + 0.5);
      pieces_.emplace_back(l, std::log(width / 4) - (l + a_) / 2);
    }
  } else {
    const auto atoms = other_->atoms(0, 0);
    for (const Atom& atom : atoms->law.atoms) {
      pieces_.emplace_back(atom.loss.estimate(), atom.q.estimate_log());
    }
  }
}

// ---- the integrand

void GaussianSumIntegral::axis_points(const Strip& strip, const Sink<Ball>& sink) const {
  const GaussianSum law(mean_, *other_);
  const Ball rate(rate_);
  const Ball d(strip.d);
  const Ball root = ldexp(log(ldexp(pi(), 1)), -1);
  for (long j = strip.first; j <= strip.last; ++j) {
    const Ball x = d * Ball(j);
    sink(log1p(rate * expm1(x)), log(law.q_density(x)) + root);
  }
}

void GaussianSumIntegral::line_points(const Strip& strip, const Sink<ComplexBall>& sink) const {
  const GaussianSum law(mean_, *other_);
  const Ball rate(rate_);
  const Ball d(strip.d);
  const Ball eta(strip.eta);
  const ComplexBall root(ldexp(log(ldexp(pi(), 1)), -1));
  for (long j = strip.first; j <= strip.last; ++j) {
    const ComplexBall x(d * Ball(j), eta);
    ComplexBall excess = expm1(x);
    // arg f lies in [0, pi), so the principal logarithm is the right one; of q, any is
    sink(log1p(excess.scale(rate)), log(law.q_density(x)) + root);
  }
}

std::optional<Ball> GaussianSumIntegral::known(const Ball& r) const {
  if (r.is_exact_zero() || (r - Ball(1)).is_exact_zero()) return Ball(1);
  return std::nullopt;
}

// Proof: docs/proofs/roots.md#gaussian-sum-integral
std::vector<StripIntegral::Norm> GaussianSumIntegral::norms(double e, const Ball& r,
                                                            const Ball& s_max, double) const {
  const Ball height = abs(Ball(e));
  if (!certainly_less(height, pi())) return {{positive_infinity(), Ball(0)}};
  Ball slope = PLAUDIT_BOUND("gaussian_sum.norm_gauss",
                             exp(ldexp(square(height) / Ball(mean_), -2)), Ball(1));
  if (!certainly_nonnegative(r)) {
    const Ball turned = exp(r * log(cos(ldexp(height, -1))));
    slope *= PLAUDIT_BOUND("gaussian_sum.norm_turned", max(turned, Ball(1)), Ball(1));
  }
  if (e < 0) slope *= exp(PLAUDIT_BOUND("gaussian_sum.norm_angle", s_max, Ball(0)) * height);
  return {{slope.is_finite() ? slope.upper() : positive_infinity(), Ball(0)}};
}

// Proof: docs/proofs/roots.md#gaussian-sum-integral
Ball GaussianSumIntegral::outside(const Ball& r, const Strip& strip) const {
  const Ball m(mean_);
  const Ball mu = sqrt(ldexp(m, 1));
  const Ball a = other_->greatest_loss();
  const Ball up = max(r, Ball(0));
  const Ball high = Ball(strip.d) * Ball(strip.last);
  const Ball low = Ball(strip.d) * Ball(strip.first);
  const Ball beyond = high - a + m - ldexp(up * m, 1);
  const Ball below = -low - a - m;
  if (!certainly_nonnegative(beyond) || !certainly_nonnegative(below) ||
      !certainly_nonnegative(high) || !certainly_nonnegative(-low)) {
    return positive_infinity();
  }
  const Ball moment = exp(other_->log_mgf(up - Ball(1)) + m * up * (up - Ball(1)));
  const Ball right = moment * normal_tail_above(beyond / mu);
  const Ball grows = max(Ball(1), exp(r * log1p(-Ball(rate_))));
  const Ball left =
      PLAUDIT_BOUND("gaussian_sum.left_grows", grows, Ball(1)) * normal_tail_above(below / mu);
  const Ball turned = norms(strip.eta, r, Ball(0), strip.d).front().slope;
  const Ball result = turned * (PLAUDIT_BOUND("gaussian_sum.right_tail", right, Ball(0)) +
                                PLAUDIT_BOUND("gaussian_sum.left_tail", left, Ball(0)));
  return result.is_finite() ? result : positive_infinity();
}

// ---- choices in floating point

double GaussianSumIntegral::log_density(double x) const {
  double peak = -infinity;
  const auto height = [&](const std::pair<double, double>& piece) {
    const double y = (x - piece.first + m_) / mu_;
    return piece.second - y * y / 2;
  };
  for (const auto& piece : pieces_) peak = std::max(peak, height(piece));
  double sum = 0;
  for (const auto& piece : pieces_) sum += std::exp(height(piece) - peak);
  return peak + std::log(sum) - std::log(mu_) - log_sqrt_two_pi;
}

std::vector<Place> GaussianSumIntegral::places(double r) const {
  const Window range = window(r, 45, 0);  // all that a double sees
  const double step = std::max(std::min(mu_, 1.0) / 4, (range.high - range.low) / 20000);
  std::vector<Place> result;
  for (double x = range.low; x <= range.high; x += step) {
    result.push_back({x, std::fabs(x) < 1 ? std::log1p(q_ * std::expm1(x)) : log_ratio(x, q_),
                      log_density(x) + std::log(step)});
  }
  return result;
}

CumulantEstimate GaussianSumIntegral::estimate(double r) const {
  return tabulated_cumulant(places(r), r);
}

/// By the bound of q off the axis.
double GaussianSumIntegral::estimate_log_decay(double r, double s, double* best_eta) const {
  const auto turned = [&](const Place& p, double eta) -> TurnedPlace {
    return {log_ratio(std::complex<double>(p.x, eta), q_), p.g + eta * eta / (4 * m_)};
  };
  return tabulated_log_decay(places(r), r, s, greatest_height(), turned, best_eta);
}

double GaussianSumIntegral::greatest_height() const { return 0.97 * std::numbers::pi; }

double GaussianSumIntegral::log_norm(double e, double r, double s_max) const {
  const double height = std::fabs(e);
  if (!(height < std::numbers::pi)) return 1e300;
  return height * height / (4 * m_) + std::min(r, 0.0) * std::log(std::cos(height / 2)) +
         (e < 0 ? s_max * height : 0.0);
}

StripIntegral::Window GaussianSumIntegral::window(double r, double drop, int) const {
  const double reach = mu_ * std::sqrt(2 * drop);
  return {std::min(-a_ - m_ - reach, 0.0),
          std::max(a_ - m_ + 2 * m_ * std::max(r, 0.0) + reach, 0.0)};
}

double GaussianSumIntegral::largest_exponent(const Strip& strip, double r, double s) const {
  const double end = std::max(std::fabs(strip.low()), strip.high());
  const double far = (end + a_ + m_) / mu_;
  return (std::fabs(r) + s) * (end + 2 - std::log1p(-q_)) + far * far;
}

}  // namespace plaudit
