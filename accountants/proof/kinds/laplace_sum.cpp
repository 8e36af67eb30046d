#include "accountants/proof/kinds/laplace_sum.hpp"

#include <algorithm>

#include "accountants/proof/arithmetic/krawtchouk.hpp"
#include "accountants/proof/arithmetic/rejected.hpp"

namespace plaudit::proof {

namespace {

/// KL(x || p), rest = 1 - p.
template <class Real>
Real entropy(const Rational& x, const Real& p, const Real& rest) {
  const Real share(x);
  const Real left = x == 0 ? Real(0) : share * log(share / p);
  return left + (1 - share) * log((1 - share) / rest);
}

/// Bounds the compositions with more continuous draws than are kept.
// Proof: docs/proofs/laplace.md#truncation
template <class Real>
Real more_draws(const Rational& ratio, unsigned long n, const Real& epsilon,
                const LaplaceChoices& choices) {
  if (choices.draws == n) return Real(0);
  require(choices.order > 0, "the order must be positive");
  const Real a(ratio);
  const Real t(choices.order);
  const Real v = 2 * t + 1;
  const Real up = exp(a * t);
  const Real down = exp(-a * (1 + t));
  const Real moment = (up * (1 + 1 / v) + down * (1 - 1 / v)) / 2;
  const Real atoms = (up + down) / (2 * moment);
  const Real p = 1 - atoms;  // the tilted probability of a continuous draw
  const Rational x(choices.draws + 1, n);
  require(positive(p) && below(p, Real(x)) && x < 1, "the order does not bound the draws left out");
  const Real steps(n);
  return top(
      min(exp(log_c(t) + steps * (log(moment) - entropy(x, p, atoms)) - t * epsilon), Real(1)));
}

/// Bounds the terms k < first.
// Proof: docs/proofs/laplace.md#window
template <class Real>
Real rows_before(const Rational& ratio, unsigned long n, const Real& epsilon,
                 const LaplaceChoices& choices) {
  if (choices.first == 0) return Real(0);
  const Rational& order = choices.window_order;
  const Rational& part = choices.part;
  require(order > 0 && part > 0 && part * (1 + 2 * order) <= 1, "the orders of the window");
  const Real a(ratio);
  const Real s(order);
  const Real y(Rational(1 / (1 + 2 * order)));
  const Real y_part(part);
  const Real down = exp(-a * (1 + s));
  const Real alpha = (exp(a * s) + down) / 2;
  const Real q = down / (2 * alpha);
  const Rational x(choices.first - 1, n);
  require(below(Real(x), q), "the window starts too late for its order");
  const Real steps(n);
  const Real spread = Real(choices.draws) * log(y / y_part) + steps * log1p(y_part);
  return top(exp(log_c(s) - s * epsilon + steps * (log(alpha) - entropy(x, q, 1 - q)) + spread));
}

}  // namespace

template <class Real>
ProofOf<Real> laplace_sum(const Rational& ratio, unsigned long n, const Real& epsilon,
                          const LaplaceChoices& choices, Budget& budget) {
  require(choices.draws >= 1 && choices.draws <= n && choices.first <= n,
          "draws or steps out of range");
  const Real a(ratio);
  const Real width = Real(n) * a;
  KrawtchoukRow row = krawtchouk_row(n, choices.first, choices.draws, budget);
  const Real rest = 1 / Made<Real>::factorial(choices.draws + 2);
  Real weight = Made<Real>::binomial(n, choices.first);
  Real half_x = half(width - epsilon) - Real(choices.first) * a;
  Real sum(0);
  for (unsigned long k = choices.first; k <= n && !at_most(half_x, Real(0)); ++k) {
    budget.spend(40 * static_cast<double>(row.size()));
    const Real part = row_sum(row, max(half_x, Real(0)), rest, budget);
    // the part is 0 where x <= 0: an undecided x gives the hull with 0
    sum += weight * (positive(half_x) ? part : hull(part, Real(0)));
    weight *= Real(n - k);
    weight /= Real(k + 1);
    half_x -= a;
    advance(row);
  }
  sum = scaled(sum * exp(half(epsilon - width)), 1 - static_cast<long>(n));
  const Real truncation = charged(laplace_truncation_term, more_draws(ratio, n, epsilon, choices));
  const Real window = charged(laplace_window_term, rows_before(ratio, n, epsilon, choices));
  ProofOf<Real> proof;
  proof.low = sum - window;
  proof.high = sum + window + truncation;
  proof.errors = {{&laplace_truncation_term, truncation}, {&laplace_window_term, window}};
  return proof;
}

template ProofOf<Ball> laplace_sum(const Rational&, unsigned long, const Ball&,
                                   const LaplaceChoices&, Budget&);
template ProofOf<Interval> laplace_sum(const Rational&, unsigned long, const Interval&,
                                       const LaplaceChoices&, Budget&);

Integer cost_of_laplace_sum(const Rational& ratio, unsigned long steps, const Rational& epsilon,
                            const LaplaceChoices& choices, long bits) {
  const Integer n(steps);
  const Integer bits_of_n(static_cast<long>(msb(n) + 1));
  const Integer first(choices.first);
  const Integer choose = std::min(n, first * bits_of_n);
  Integer before = first * (1 + choose / 1024);
  const Rational half_x = (ratio * (n - 2 * first) - epsilon) / 2;
  if (half_x <= 0) return before;
  const Integer high = floor_of(half_x) + 1;
  const Integer rows = std::min(n - first + 1, floor_of(half_x / ratio) + 2);
  const Integer size = bits + 2 * high + std::min(n, Integer(choices.draws) * bits_of_n);
  return before + (rows + 1) * (Integer(choices.draws) + 4 * high + bits + 8) * (4 + size / 256);
}

}  // namespace plaudit::proof
