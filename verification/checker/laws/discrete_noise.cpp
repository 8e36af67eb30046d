#include "verification/checker/laws/discrete_noise.hpp"

#include <algorithm>

#include "accountants/proof/arithmetic/rejected.hpp"

namespace plaudit::proof {

namespace {

constexpr long most_terms = 4'000'000;

/// Nats at which a term is below the working precision.
long nats_kept(long bits) { return 7 * (bits + 8) / 10 + 1; }

long checked(const Integer& terms) {
  require(terms <= most_terms, "needs too many terms of discrete noise");
  return to_long(terms);
}

/// sum_{k >= first} e^{-w k^2}, first >= 0: some terms, and a bound of the rest by the geometric
/// series of the first ratio left out, for ratios e^{-w (2k+1)} decrease.
Tail gaussian_sum(const Interval& w, const Integer& first, const Integer& enough, Budget& budget) {
  const long terms = checked(enough);
  budget.spend(3.0 * static_cast<double>(terms));
  const Interval k(first);
  const Interval step = exp(-2 * w);
  Interval term = exp(-w * k * k);
  Interval ratio = exp(-w * (2 * k + 1));
  Interval total = 0;
  for (long i = 0; i < terms; ++i) {
    total += term;
    term *= ratio;
    ratio *= step;
  }
  return {total, top(term / (1 - ratio))};
}

Interval both(const Tail& tail) { return hull(tail.value, tail.value + tail.rest); }

/// 2 pi^2 v
Interval dual_rate(const Rational& variance) { return 2 * square(pi()) * Interval(variance); }

}  // namespace

Integer direct_terms(const Rational& variance, long bits) {
  return 2 + root_of(floor_of(2 * variance * nats_kept(bits)));
}
Integer dual_terms(const Rational& variance, long bits) {  // 2 pi^2 > 19
  return 2 + root_of(floor_of(nats_kept(bits) / (19 * variance)));
}
Integer theta_terms(const Rational& variance, long bits) {
  const Integer terms = dual_terms(variance, bits) + floor_of(1 / (50 * variance));
  return std::min(terms, Integer(10000));
}

/// By Poisson's formula but for small v.
Interval discrete_gaussian_normaliser(const Rational& variance, Budget& budget) {
  if (variance < Rational(1, 4)) {
    const Integer terms = direct_terms(variance, working_precision());
    return 1 + 2 * both(gaussian_sum(Interval(Rational(1 / (2 * variance))), 1, terms, budget));
  }
  const Integer terms = dual_terms(variance, working_precision());
  const Interval dual = 1 + 2 * both(gaussian_sum(dual_rate(variance), 1, terms, budget));
  return sqrt(2 * pi() * Interval(variance)) * dual;
}

Integer nearest_to(const Rational& q) { return floor_of(q + Rational(1, 2)); }

double estimate(const Interval& x) { return mpfr_get_d(x.low(), MPFR_RNDN); }

NoiseTails::NoiseTails(const Rational& variance, Budget& budget)
    : variance_(variance),
      budget_(&budget),
      theta_(discrete_gaussian_normaliser(variance, budget)) {}

Tail NoiseTails::at(const Integer& j) const {
  if (j <= 0) {
    const Tail other = at(Integer(1 - j));
    return {1 - other.value, other.rest};
  }
  // e^{-(k^2 - j^2)/(2v)} is small both where k - j and where the square of that are large
  const long bits = working_precision();
  const Integer steep = 2 + floor_of(Rational(nats_kept(bits) * variance_ / j));
  const Integer terms = std::min(steep, direct_terms(variance_, bits));
  const Tail sum = gaussian_sum(Interval(Rational(1 / (2 * variance_))), j, terms, *budget_);
  const Interval rest = top(sum.rest / theta_);
  const Interval value = sum.value / theta_;
  return {hull(value, value + rest), rest};
}

NoiseLine::NoiseLine(const Rational& variance, const Integer& sensitivity, const Interval& t,
                     Budget& budget)
    : rate_(dual_rate(variance)), turn_(2 * pi() * Interval(sensitivity) * t) {
  const Integer terms = dual_terms(variance, working_precision());
  const Interval theta = 1 + 2 * both(gaussian_sum(rate_, 1, terms, budget));
  const Interval mu(Rational(sensitivity * sensitivity / (2 * variance)));
  front_ = exp(mu * square(t)) / theta;
  reach_ = checked(terms);
}

/// The terms beyond the reach, without the front, for |x| <= most < 1: |x + m| >= reach + 1 - most
/// + i, i = 0, 1, ..., on either side.
Interval NoiseLine::beyond(const Rational& most) const {
  const Interval y(Rational(reach_ + 1 - most));
  return top(2 * exp(-rate_ * square(y)) / (1 - exp(-rate_ * (2 * y + 1))));
}

Complex NoiseLine::sum_at(const Interval& x, const Rational& most) const {
  Complex total{spread(beyond(most)), spread(beyond(most))};
  for (long m = -reach_; m <= reach_; ++m) {
    const Interval place = x + m;
    const Interval size = exp(-rate_ * square(place));
    const Interval angle = turn_ * place;
    total += Complex{size * cos(angle), size * sin(angle)};
  }
  return front_ * total;
}

Complex NoiseLine::at(Rational x) const {
  x -= nearest_to(x);
  return sum_at(Interval(x), Rational(1, 2));
}

Complex NoiseLine::near(const Interval& x) const {
  const Interval part = x - Interval(nearest_to(lower(x)));
  const Rational most(3, 4);
  require(at_most(abs(part), Interval(most)), "a place on the noise's line is too inexact");
  return sum_at(part, most);
}

// Falls from 0 to 1/2: docs/certificates/lattice.md#noise
Interval NoiseLine::bound(const Rational& x) const {
  Interval total = beyond(Rational(1, 2));
  for (long m = -reach_; m <= reach_; ++m) {
    total += exp(-rate_ * square(Interval(Rational(x + m))));
  }
  return top(front_ * total);
}

}  // namespace plaudit::proof
