#include "mechanisms/mixtures/gaussian_loss.hpp"

#include <cmath>

#include "lib/analysis/normal/normal_cdf_table.hpp"
#include "lib/exact/square_root.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/mixtures/gaussian_mixture_loss.hpp"

namespace plaudit {

GaussianLoss::GaussianLoss(GaussianMixture mixture) : mixture_(std::move(mixture)) {
  mean_ = mixture_.squared_rate(0) / 2;
  mean_estimate_ = estimate(mean_);
  facts_.gaussian_mean = mean_;
  facts_.gaussian_mixture = &mixture_;
}

GaussianLoss::GaussianLoss(Rational mean)
    : mean_(std::move(mean)), mean_estimate_(estimate(mean_)) {
  facts_.gaussian_mean = mean_;
}

Ball GaussianLoss::log_mgf(const Ball& t) const { return Ball(mean_) * t * (t + Ball(1)); }

ComplexBall GaussianLoss::log_mgf(const ComplexBall& z) const {
  return ComplexBall(Ball(mean_)) * z * (z + ComplexBall(1));
}

Ball GaussianLoss::p_above(const Ball& x) const {
  const Ball mu(mean_);
  return normal_cdf((mu - x) / sqrt(ldexp(mu, 1)));
}

Ball GaussianLoss::q_above(const Ball& x) const {
  const Ball mu(mean_);
  return normal_cdf((-mu - x) / sqrt(ldexp(mu, 1)));
}

TailMasses GaussianLoss::tails_above(const std::vector<Ball>& points) const {
  const Ball mu(mean_);
  const Ball inverse = Ball(1) / sqrt(ldexp(mu, 1));
  NormalCdfTable under_p;
  NormalCdfTable under_q;
  TailMasses tails;
  tails.p.reserve(points.size());
  tails.q.reserve(points.size());
  for (const Ball& x : points) {
    if ((tails.p.size() & 63) == 0) check_work_limit();
    tails.p.push_back(under_p.at((mu - x) * inverse));
    tails.q.push_back(under_q.at((-mu - x) * inverse));
  }
  return tails;
}

Ball GaussianLoss::p_atom(const Ball&) const { return Ball(0); }

std::optional<Ball> GaussianLoss::density(const Ball& x) const {
  const Ball mu(mean_);
  const Ball deviation = sqrt(ldexp(mu, 1));
  return normal_density((x - mu) / deviation) / deviation;
}

Ball GaussianLoss::least_loss() const { return -positive_infinity(); }
Ball GaussianLoss::greatest_loss() const { return positive_infinity(); }

// Proof: docs/proofs/roots.md#sampled
std::shared_ptr<const PrivacyLoss> GaussianLoss::sampled(const Rational& rate,
                                                         Direction direction) const {
  const Root sigma = root_of(1 / (2 * mean_));
  return gaussian_mixture_loss({sigma.factor, {0, 1}, {1 - rate, rate}, sigma.radicand}, direction);
}

Ball GaussianLoss::mgf_bound_beyond(const Ball& t, const Ball& s, double) const {
  // |M(t + is)| = e^{mu (t (t + 1) - s^2)}, decreasing in |s|
  return exp(Ball(mean_) * (t * (t + Ball(1)) - square(s))).upper();
}

CumulantEstimate GaussianLoss::estimate_cumulant(double t) const {
  const double mu = mean_estimate_;
  return {mu * t * (t + 1), mu * (2 * t + 1), 2 * mu};
}

std::optional<CumulantEstimates> GaussianLoss::estimate_cumulants(double t) const {
  const CumulantEstimate at = estimate_cumulant(t);
  return CumulantEstimates{at.value, at.mean, at.variance};
}

double GaussianLoss::estimate_log_decay(double, double s) const { return -mean_estimate_ * s * s; }

double GaussianLoss::estimate_line_points(double, double, double) const { return 1; }

std::string GaussianLoss::describe() const {
  return "gaussian privacy loss of mean " + to_string(mean_);
}

}  // namespace plaudit
