#include "mechanisms/allocation/allocation_nodes.hpp"

#include <cmath>
#include <optional>
#include <stdexcept>

#include "lib/analysis/lognormal_transform.hpp"
#include "lib/analysis/power_series.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/allocation/allocation_bounds.hpp"

namespace plaudit {

namespace {

/// The coefficient of x^m in f^t, m the degree of f, t >= 1.
ComplexBall coefficient_of_power(const std::vector<ComplexBall>& f, std::uint64_t t) {
  const std::size_t m = f.size() - 1;
  if (t < m || f[0].may_be_zero()) return series_power(f, t, m + 1)[m];
  // g = (f / f_0)^t has n g_n = sum_k (k (t + 1) - n) (f_k / f_0) g_(n-k), as f g' = t f' g.
  const ComplexBall inverse = ComplexBall(1) / f[0];
  std::vector<ComplexBall> relative;
  relative.reserve(f.size());
  for (const ComplexBall& each : f) relative.push_back(each * inverse);
  std::vector<ComplexBall> g(m + 1);
  std::vector<ComplexBall> weighted(m + 1);
  g[m] = ComplexBall(1);  // backwards: g_n at m - n
  for (std::size_t n = 1; n <= m; ++n) {
    for (std::size_t k = 1; k <= n; ++k) {
      weighted[k] = relative[k];
      weighted[k].scale(Ball(t + 1) * Ball(std::uint64_t{k}) - Ball(std::uint64_t{n}));
    }
    g[m - n] = dot(weighted.data() + 1, g.data() + (m - n + 1), n);
    g[m - n].divide_by(n);
  }
  return g[0] * large_power(f[0], t);
}

}  // namespace

// Proof: docs/proofs/random_allocation.md#mellin
std::vector<ComplexBall> allocation_nodes(const AllocationLines::Line& line,
                                          const Rational& squared_rate, std::uint64_t steps) {
  const std::uint64_t m = line.order;
  const auto rate = std::sqrt(plaudit::estimate(squared_rate));
  const double unit = plaudit::estimate(line.unit);
  const auto rule = LognormalTransform::choose(rate, unit, line.theta, line.nats_of_transform);
  if (!rule) {
    throw std::domain_error("random allocation: no rule for the transform");
  }
  const long shift = line.units_of_rate;
  const long first = line.first * line.units_of_step;
  const long last = line.last * line.units_of_step + static_cast<long>(m) * shift;
  const LognormalTransform transform({squared_rate, line.unit, -log(Ball(steps)), line.theta},
                                     *rule, first, last);
  // m! / t^m times the m-th coefficient of (sum_k e^(a^2 k (k-1) / 2) phi(e^(u + a^2 k)) x^k /
  // k!)^t
  const std::vector<Ball> factors = moments_of_draw(squared_rate, steps, m);
  const Ball front = factorial(m);
  std::vector<std::optional<ComplexBall>> known(static_cast<std::size_t>(last - first) + 1);
  const auto phi = [&](long i) -> const ComplexBall& {
    auto& value = known[static_cast<std::size_t>(i - first)];
    if (!value) value = transform.at(i);
    return *value;
  };
  std::vector<ComplexBall> result;
  result.reserve(line.size());
  std::vector<ComplexBall> f(m + 1);
  for (long j = line.first; j <= line.last; ++j) {
    check_work_limit();
    const long i = j * line.units_of_step;
    for (std::uint64_t k = 0; k <= m; ++k) {
      f[k] = phi(i + static_cast<long>(k) * shift);
      f[k].scale(factors[k]);
    }
    if (m == 0) {
      result.push_back(large_power(f[0], steps));
    } else {
      result.push_back(coefficient_of_power(f, steps));
      result.back().scale(front);
    }
  }
  return result;
}

}  // namespace plaudit
