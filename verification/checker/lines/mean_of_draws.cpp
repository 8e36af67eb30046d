// Elementary bounds of the moments of random allocation. Proof:
// docs/proofs/random_allocation.md#elementary
#include "verification/checker/lines/mean_of_draws.hpp"

#include <utility>
#include <vector>

#include "accountants/proof/arithmetic/rejected.hpp"

namespace plaudit::proof {

namespace {

/// From this order on the moments of one draw bound those of the mean.
constexpr long highest_integer_order = 1000;

/// log A(m - 1) and log A(m), m >= 1, t draws: A(n) = n! t^-n g_n, where g is the power t of the
/// series of f_k = e^{a^2 k (k-1)/2} / k!.
std::pair<Interval, Interval> log_integer_moments(const MeanOfDraws& law, long m, Budget& budget) {
  const Integer t(law.draws);
  std::vector<Interval> f;
  Interval factorial = 1;
  for (long k = 0; k <= m; ++k) {
    if (k > 0) factorial *= k;
    f.push_back(exp(Interval(Rational(law.squared_rate * k * (k - 1) / 2))) / factorial);
  }
  std::vector<Interval> g{1};
  for (long n = 1; n <= m; ++n) {
    budget.spend(6.0 * static_cast<double>(n));
    Interval sum = 0;
    for (long k = 1; k <= n; ++k) {
      sum += Interval(Integer(k * (t + 1) - n)) * f[static_cast<std::size_t>(k)] *
             g[static_cast<std::size_t>(n - k)];
    }
    g.push_back(sum / n);
  }
  const auto log_moment = [&](long n, const Interval& n_factorial) {
    const Interval& found = g[static_cast<std::size_t>(n)];
    require(positive(found), "needs more bits for a moment of random allocation");
    return log(n_factorial * found) - Interval(n) * log(Interval(t));
  };
  return {log_moment(m - 1, factorial / m), log_moment(m, factorial)};
}

}  // namespace

Interval log_moment_bound(const MeanOfDraws& law, const Interval& r, Budget& budget) {
  const Interval a2(law.squared_rate);
  Interval one_draw = half(a2 * r * (r - 1));
  if (law.draws == 1) return one_draw;
  if (nonnegative(-r)) {
    return half(a2 * -r) + half(a2 * square(r)) / law.count();
  }
  require(nonnegative(r), "the sign of an order is not decided");
  if (at_most(r, 1)) return 0;
  require(at_most(1, r), "an order next to 1 is not decided");
  const Integer floor = floor_of(lower(r));
  if (floor >= highest_integer_order) return one_draw;
  const long m = to_long(floor) + 1;
  require(at_most(r, m), "an order next to an integer is not decided");
  const auto [below, above] = log_integer_moments(law, m, budget);
  // log A is convex, so that it lies below its chord
  return min((m - r) * below + (r - (m - 1)) * above, one_draw);
}

}  // namespace plaudit::proof
