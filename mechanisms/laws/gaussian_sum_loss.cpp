#include "mechanisms/laws/gaussian_sum_loss.hpp"

#include "lib/mutant.hpp"
#include "mechanisms/laws/laplace_loss.hpp"

namespace plaudit {

namespace {

ComplexBall normal_cdf(const ComplexBall& z) {
  const Ball root = sqrt(Ball(2));
  return ldexp(erfc(-z / ComplexBall(root)), -1);
}
ComplexBall normal_density(const ComplexBall& z) {
  return exp(-ldexp(square(z), -1)) / ComplexBall(sqrt(ldexp(pi(), 1)));
}

bool on_the_right(const Ball& x) { return x.estimate() > 0; }
bool on_the_right(const ComplexBall& x) { return x.real().estimate() > 0; }

}  // namespace

GaussianSum::GaussianSum(const Rational& mean, const PrivacyLoss& other)
    : mean_(mean), deviation_(sqrt(Ball(Rational(2 * mean)))) {
  if (const LaplaceLoss* laplace = other.facts().laplace) {
    width_ = Ball(laplace->ratio());
  } else {
    atoms_ = other.atoms(0, 0)->law.atoms;
  }
}

/// On either side of 0 it takes the form that has no difference of numbers near 1.
template <class Number>
Number GaussianSum::between(const Number& x, bool right) const {
  const Number a(*width_);
  const Number mu(deviation_);
  const Number out = right ? -x : x;
  return normal_cdf((out + a) / mu) - normal_cdf((out - a) / mu);
}

// Proof: docs/proofs/roots.md#gaussian-sum
Ball GaussianSum::p_above(const Ball& x) const {
  if (width_) {
    const Ball& a = *width_;
    const Ball curve =
        ldexp(exp(ldexp(x - a, -1) - ldexp(mean_, -2)) * between(x, on_the_right(x)), -1);
    return normal_cdf((mean_ + a - x) / deviation_) -
           PLAUDIT_BOUND("gaussian_sum.curve", curve, ldexp(curve, -1));
  }
  Ball sum;
  for (const Atom& atom : atoms_) {
    sum += atom.p * normal_cdf((mean_ + atom.loss - x) / deviation_);
  }
  return sum;
}

// Proof: docs/proofs/roots.md#gaussian-sum
Ball GaussianSum::q_above(const Ball& x) const {
  if (width_) {
    const Ball& a = *width_;
    return normal_cdf((-mean_ - a - x) / deviation_) +
           ldexp(exp(-ldexp(x + a, -1) - ldexp(mean_, -2)) * between(x, on_the_right(x)), -1);
  }
  Ball sum;
  for (const Atom& atom : atoms_) {
    sum += atom.q * normal_cdf((atom.loss - mean_ - x) / deviation_);
  }
  return sum;
}

// Proof: docs/proofs/roots.md#gaussian-sum
template <class Number>
Number GaussianSum::density(const Number& x) const {
  const Number m(mean_);
  const Number mu(deviation_);
  const auto gaussian = [&](const Number& l) { return normal_density((l + m) / mu) / mu; };
  Number sum;
  if (width_) {
    const Number a(*width_);
    sum = ldexp(exp(-a) * gaussian(x - a) + gaussian(x + a), -1) +
          ldexp(exp(-ldexp(a + x, -1) - ldexp(m, -2)) * between(x, on_the_right(x)), -2);
  }
  for (const Atom& atom : atoms_) sum += Number(atom.q) * gaussian(x - Number(atom.loss));
  return sum;
}

template Ball GaussianSum::density(const Ball&) const;
template ComplexBall GaussianSum::density(const ComplexBall&) const;

bool GaussianSumLoss::takes(const PrivacyLoss& other) {
  if (other.facts().laplace != nullptr) return true;
  if (!other.exact_law() || other.exact_mass_at_infinity() != Rational(0)) return false;
  const auto atoms = other.atoms(0, 0);
  return atoms && atoms->whole && other.exact_q_mass() == Rational(1);
}

GaussianSumLoss::GaussianSumLoss(Rational mean, std::shared_ptr<const PrivacyLoss> other)
    : mean_(std::move(mean)), other_(std::move(other)) {}

Ball GaussianSumLoss::log_mgf(const Ball& t) const {
  return Ball(mean_) * t * (t + Ball(1)) + other_->log_mgf(t);
}

ComplexBall GaussianSumLoss::log_mgf(const ComplexBall& z) const {
  return ComplexBall(Ball(mean_)) * z * (z + ComplexBall(1)) + other_->log_mgf(z);
}

std::optional<Ball> GaussianSumLoss::density(const Ball& x) const {
  return exp(x) * GaussianSum(mean_, *other_).q_density(x);
}

/// That of the Gaussian factor, as the other one is greatest on the axis.
Ball GaussianSumLoss::mgf_bound_beyond(const Ball& t, const Ball& s, double) const {
  return exp(Ball(mean_) * (t * (t + Ball(1)) - square(s)) + other_->log_mgf(t)).upper();
}

CumulantEstimate GaussianSumLoss::estimate_cumulant(double t) const {
  const double m = estimate(mean_);
  const CumulantEstimate other = other_->estimate_cumulant(t);
  return {m * t * (t + 1) + other.value, m * (2 * t + 1) + other.mean, 2 * m + other.variance};
}

double GaussianSumLoss::estimate_log_decay(double, double s) const {
  return -estimate(mean_) * s * s;
}

std::string GaussianSumLoss::describe() const {
  return "gaussian privacy loss of mean " + to_string(mean_) + " and " + other_->describe();
}

}  // namespace plaudit
