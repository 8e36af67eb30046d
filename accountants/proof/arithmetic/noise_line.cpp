#include "accountants/proof/arithmetic/noise_line.hpp"

#include "accountants/proof/arithmetic/rejected.hpp"

namespace plaudit::proof {

namespace {

constexpr long most_terms = 4'000'000;

template <class Real>
ComplexOf<Real> turned_by(const Real& angle) {
  return {cos(angle), sin(angle)};
}

}  // namespace

long nats_kept(long bits) { return 7 * (bits + 8) / 10 + 1; }

long checked_terms(const Integer& terms) {
  require(terms <= most_terms, "needs too many terms of discrete noise");
  return to_long(terms);
}

Integer dual_terms(const Rational& variance, long bits) {  // 2 pi^2 > 19
  return 2 + root_of(floor_of(nats_kept(bits) / (19 * variance)));
}

Integer nearest_to(const Rational& q) { return floor_of(q + Rational(1, 2)); }

template <class Real>
NoiseOnLine<Real>::NoiseOnLine(const Rational& variance, const Integer& sensitivity, const Real& t,
                               Budget& budget)
    : rate_(scaled(square(Made<Real>::pi()), 1) * Real(variance)),
      turn_(scaled(Made<Real>::pi(), 1) * Made<Real>::from(sensitivity) * t),
      reach_(checked_terms(dual_terms(variance, working_precision()))) {
  budget.spend(6.0 * static_cast<double>(reach_));
  const Real mu(Rational(sensitivity * sensitivity / (2 * variance)));
  Real theta(0);
  for (long m = 0; m <= reach_; ++m) {
    const Real size = exp(-rate_ * Real(m * m));
    terms_.push_back(size * turned_by<Real>(turn_ * Real(m)));
    theta += m == 0 ? size : 2 * size;
  }
  theta = hull(theta, theta + beyond(0));
  shift_ = mu * t;
  front_ = exp(shift_ * t) / theta;
}

/// The terms beyond the reach, without the front, for |x| <= most < 1: |x + m| >= reach + 1 - most
/// + i, i = 0, 1, ..., on either side.
template <class Real>
Real NoiseOnLine<Real>::beyond(const Rational& most) const {
  const Real y(Rational(reach_ + 1 - most));
  return top(2 * exp(-rate_ * square(y)) / (1 - exp(-rate_ * (2 * y + 1))));
}

// e^{-w (x+m)^2} = e^{-w x^2} e^{-w m^2} (e^{-2 w x})^m, w the rate
template <class Real>
ComplexOf<Real> NoiseOnLine<Real>::at(Rational x) const {
  x -= nearest_to(x);
  const Real place(x);
  const Real up = exp(-2 * rate_ * place);
  const Real down = 1 / up;
  Real real(1);
  Real imaginary(0);
  Real plus(1);
  Real minus(1);
  for (std::size_t m = 1; m < terms_.size(); ++m) {
    plus *= up;
    minus *= down;
    real += real_part(terms_[m]) * (plus + minus);
    imaginary += imaginary_part(terms_[m]) * (plus - minus);
  }
  const Real rest = beyond(Rational(1, 2));
  const Real around = hull(-rest, rest);
  return front_ * (exp(-rate_ * square(place)) * turned_by<Real>(turn_ * place) *
                       ComplexOf<Real>{real, imaginary} +
                   ComplexOf<Real>{around, around});
}

template <class Real>
ComplexOf<Real> NoiseOnLine<Real>::near(const Real& x) const {
  const Real part = x - Made<Real>::from(floors_of(x + Real(Rational(1, 2))).first);
  const Rational most(3, 4);
  require(at_most(abs(part), Real(most)), "a place on the noise's line is too inexact");
  const Real rest = beyond(most);
  const Real around = hull(-rest, rest);
  ComplexOf<Real> total{around, around};
  for (long m = -reach_; m <= reach_; ++m) {
    const Real place = part + Real(m);
    total += exp(-rate_ * square(place)) * turned_by<Real>(turn_ * place);
  }
  return front_ * total;
}

// Falls from 0 to 1/2: docs/certificates/lattice.md#noise
template <class Real>
Real NoiseOnLine<Real>::bound(const Rational& x) const {
  Real total = beyond(Rational(1, 2));
  for (long m = -reach_; m <= reach_; ++m) {
    total += exp(-rate_ * square(Real(Rational(x + m))));
  }
  return top(front_ * total);
}

template <class Real>
Real NoiseOnLine<Real>::log_moment() const {
  return log(real_part(at(0))) + shift_;
}

template class NoiseOnLine<Ball>;
template class NoiseOnLine<Interval>;

}  // namespace plaudit::proof
