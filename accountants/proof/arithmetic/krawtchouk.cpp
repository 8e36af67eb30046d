#include "accountants/proof/arithmetic/krawtchouk.hpp"

#include "lib/constants.hpp"

namespace plaudit::proof {

KrawtchoukRow krawtchouk_row(unsigned long n, unsigned long k, unsigned long draws,
                             Budget& budget) {
  // kappa_m = [x^m] (1+x)^(n-k) (1-x)^k, whose logarithmic derivative is (n - 2k - nx) / (1 - x^2)
  std::vector<Integer> kappa(draws + 1);
  kappa[0] = 1;
  const Integer slope = Integer(n) - 2 * Integer(k);
  for (unsigned long m = 0; m < draws; ++m) {
    if ((m & 255) == 0) budget.spend(256);
    Integer next = slope * kappa[m];
    if (m > 0) next -= kappa[m - 1] * (n - m + 1);
    kappa[m + 1] = next / (m + 1);  // exactly
  }
  KrawtchoukRow row(draws + 2);
  for (std::size_t j = 1; j < row.size(); ++j) {
    row[j] = kappa[j - 1];
    if (j > 1) row[j] += row[j - 2];
  }
  return row;
}

void advance(KrawtchoukRow& row) {  // times (1-x) / (1+x)
  for (std::size_t j = row.size() - 1; j > 0; --j) row[j] -= row[j - 1];
  for (std::size_t j = 1; j < row.size(); ++j) row[j] -= row[j - 1];
}

namespace {

/// term (1 + (h^2)/((j+1)(j+2)) + ...): every second term of the exponential series from the j-th.
template <class Real>
Real every_second_term(const Real& half, Real term, unsigned long j, Budget& budget) {
  Real sum(0);
  const Real square_half = square(half);
  const double goal = -static_cast<double>(working_precision()) * log_two;
  while (true) {
    if (j % 64 < 2) budget.spend(64);  // about |half| terms
    sum += term;
    const Real ratio = square_half / (Real(j + 1) * Real(j + 2));
    const Real next = term * ratio;
    // ratios decrease: once below 1/2 the rest is at most twice the next term
    if (!bounded(next) || (below(ratio, Real(Rational(1, 2))) &&
                           estimate_log(top(next)) <= estimate_log(sum) + goal)) {
      return hull(sum, sum + scaled(next, 1));
    }
    term = next;
    j += 2;
  }
}

}  // namespace

template <class Real>
Real row_sum(const KrawtchoukRow& row, const Real& half, const Real& rest, Budget& budget) {
  const std::size_t last = row.size() - 1;
  Real sum = Made<Real>::from(row[last]);
  for (std::size_t j = last; j > 0; --j) {
    sum *= half;
    Made<Real>::divide(sum, j);
    sum += Made<Real>::from(row[j - 1]);
  }
  const Real next = power(half, last + 1) * rest;
  sum += Made<Real>::from(row[last - 1]) * every_second_term(half, next, last + 1, budget);
  sum += Made<Real>::from(row[last]) *
         every_second_term<Real>(half, next * half / Real(static_cast<unsigned long>(last + 2)),
                                 last + 2, budget);
  return sum;
}

template Ball row_sum(const KrawtchoukRow&, const Ball&, const Ball&, Budget&);
template Interval row_sum(const KrawtchoukRow&, const Interval&, const Interval&, Budget&);

}  // namespace plaudit::proof
