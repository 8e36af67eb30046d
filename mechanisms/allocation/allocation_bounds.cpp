#include "mechanisms/allocation/allocation_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "lib/analysis/power_series.hpp"
#include "lib/balls/complex_ball.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr std::uint64_t most_integer = 4000;  ///< beyond, elementary_bound() serves
constexpr long bits_of_integers = 128;        ///< precision of A(n)
constexpr long bits_of_difference = 2;        ///< more for each n beyond t
constexpr double seconds_of_product = 1e-7;   ///< nominal

}  // namespace

std::vector<Ball> moments_of_draw(const Rational& squared_rate, std::uint64_t steps,
                                  std::uint64_t most) {
  const Ball half = ldexp(Ball(squared_rate), -1);
  const Ball t(steps);
  std::vector<Ball> result;
  for (std::uint64_t k = 0; k <= most; ++k) {
    result.push_back(exp(half * Ball(k) * (Ball(k) - Ball(1))) / (factorial(k) * power(t, k)));
  }
  return result;
}

// Proof: docs/proofs/random_allocation.md#elementary
Ball AllocationBounds::elementary_bound(const Ball& r) const {
  const Ball half = ldexp(Ball(squared_rate_), -1);
  if (certainly_less_equal(r, Ball(0))) {
    const Ball p = -r;
    return exp(half * p + half * square(p) / Ball(steps_)).upper();
  }
  if (certainly_nonnegative(r) && certainly_less_equal(r, Ball(1))) return Ball(1);
  if (certainly_greater_equal(r, Ball(1))) return exp(half * r * (r - Ball(1))).upper();
  return max(elementary_bound(r.lower()), elementary_bound(r.upper()));
}

// Proof: docs/proofs/random_allocation.md#elementary
Ball AllocationBounds::integer_moment(std::uint64_t m) const {
  if (m <= 1) return Ball(1);
  const std::vector<Ball> of_draw = moments_of_draw(squared_rate_, steps_, m);
  const std::vector<ComplexBall> f(of_draw.begin(), of_draw.end());
  return series_power(f, steps_, m + 1)[m].real() * factorial(m);
}

// Proof: docs/proofs/random_allocation.md#elementary
void AllocationBounds::extend_integers(std::uint64_t most) const {
  if (most < integers_.size()) return;
  const std::uint64_t m = most + most / 2;
  check_work_limit(seconds_of_product * static_cast<double>(m) * static_cast<double>(m));
  // k (t + 1) < n makes differences, of which each costs a few bits
  const PrecisionScope scope(bits_of_integers +
                             (m > steps_ ? bits_of_difference * static_cast<long>(m - steps_) : 0));
  const Ball half = ldexp(Ball(squared_rate_), -1);
  // f_k = E X^k / k!; n g_n = sum_k (k (t + 1) - n) f_k g_(n-k)
  std::vector<Ball> f;
  Ball inverse_factorial(1);
  for (std::uint64_t k = 0; k <= m; ++k) {
    if (k > 1) inverse_factorial /= Ball(k);
    f.push_back(exp(half * Ball(k) * (Ball(k) - Ball(1))) * inverse_factorial);
  }
  std::vector<Ball> g(m + 1);  // backwards: g_n at m - n
  std::vector<Ball> weighted(m + 1);
  g[m] = Ball(1);
  integers_.assign(1, Ball(1));
  Ball scale(1);  // n! / t^n
  for (std::uint64_t n = 1; n <= m; ++n) {
    check_work_limit();
    for (std::uint64_t k = 1; k <= n; ++k)
      weighted[k] = f[k] * (Ball(k) * Ball(steps_ + 1) - Ball(n));
    g[m - n] = dot(weighted.data() + 1, g.data() + (m - n + 1), n) / Ball(n);
    scale *= Ball(n) / Ball(steps_);
    integers_.push_back(g[m - n] * scale);
  }
}

// Proof: docs/proofs/random_allocation.md#elementary
Ball AllocationBounds::between_integers(const Ball& r) const {
  const auto n =
      static_cast<std::uint64_t>(clamped_integer(std::floor(r.estimate()), 0, most_index));
  const Ball share = r - Ball(n);
  if (n > most_integer || n > 2 * steps_ || !certainly_nonnegative(share) ||
      !certainly_less_equal(share, Ball(1))) {
    // log A is convex and 0 at 0 and at 1
    const bool beyond_one = certainly_greater_equal(r, Ball(1));
    return hull(Ball(beyond_one ? 1 : 0), elementary_bound(r));
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  extend_integers(n + 2);
  const Ball& first = integers_[n];
  const Ball& second = integers_[n + 1];
  const Ball& third = integers_[n + 2];
  const Ball rest = Ball(1) - share;
  return hull(second * exp(rest * log(second / third)),
              exp(PLAUDIT_BOUND("allocation.between_integers", rest, share) * log(first) +
                  share * log(second)));
}

// Proof: docs/proofs/random_allocation.md#decay
Ball AllocationBounds::log_decay(const Ball& y) const {
  return -(Ball(squared_rate_) * square(y) /
           ldexp(PLAUDIT_BOUND("allocation.decay", Ball(steps_), Ball(std::uint64_t{1})), 1));
}

double AllocationBounds::estimate_log_decay(double y) const {
  return -plaudit::estimate(squared_rate_) * y * y / (2 * static_cast<double>(steps_));
}

}  // namespace plaudit
