#include "verification/checker/laws/discrete_noise.hpp"

#include <algorithm>

#include "accountants/proof/arithmetic/rejected.hpp"

namespace plaudit::proof {

namespace {

/// sum_{k >= first} e^{-w k^2}, first >= 0: some terms, and a bound of the rest by the geometric
/// series of the first ratio left out, for ratios e^{-w (2k+1)} decrease.
Tail gaussian_sum(const Interval& w, const Integer& first, const Integer& enough, Budget& budget) {
  const long terms = checked_terms(enough);
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

}  // namespace plaudit::proof
