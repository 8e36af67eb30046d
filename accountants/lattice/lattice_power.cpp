#include "accountants/lattice/lattice_power.hpp"

#include <stdexcept>
#include <vector>

#include "lib/analysis/fft.hpp"
#include "lib/balls/ball_memory.hpp"
#include "lib/balls/complex_ball.hpp"
#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

/// M(order)^n e^{-order edge}, a bound of P(S >= edge) for order > 0, of P(S <= edge) for order <
/// 0.
Ball chernoff(const LatticeLaw& law, std::uint64_t n, double order, const Ball& edge) {
  return exp(Ball(n) * log(law.mgf(Ball(order))) - Ball(order) * edge);
}

}  // namespace

// Proof: docs/proofs/grid.md#power
LatticeLaw lattice_power(const LatticeLaw& law, std::uint64_t n, const PowerPlan& plan, Side side) {
  if (!(plan.left < plan.tilt && plan.tilt < plan.right && plan.near < 0 && plan.far > 0)) {
    throw std::logic_error("orders of a power of a lattice law");
  }
  const Ball t(plan.tilt);
  const Ball count(n);
  const auto length = static_cast<std::size_t>(plan.window.last - plan.window.first + 1);
  std::size_t size = 2;
  while (size < length) size *= 2;
  const auto mask = static_cast<unsigned long>(size - 1);
  const auto place = [&](long j) {
    return static_cast<std::size_t>(static_cast<unsigned long>(j) & mask);
  };

  check_memory_of_balls(2 * static_cast<double>(size));
  std::vector<ComplexBall> data(size);
  std::vector<Ball> terms = law.tilted(t);
  Ball sum;
  for (const Ball& term : terms) sum += term;
  const Ball divisor = sum.middle();
  const Ball inverse = Ball(1) / divisor;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    data[place(law.first + static_cast<long>(i))] += ComplexBall(terms[i] * inverse);
  }
  check_work_limit();
  ball_transform(data, Sign::plus);
  for (std::size_t k = 0; k < size; ++k) {
    if ((k & 1023) == 0) check_work_limit();
    data[k] = power(data[k], n);
  }
  ball_transform(data, Sign::minus);
  check_work_limit();

  const Ball log_divisor = count * log(divisor);
  const Ball below = law.mesh * Ball(plan.window.first - 1);
  const Ball above = law.mesh * Ball(plan.window.last + 1);
  // Tilted mass outside of the window, in units of divisor^n.
  const Ball wrapped =
      charged(power_wrap, chernoff(law, n, plan.right, above) * exp(t * above - log_divisor) +
                              chernoff(law, n, plan.left, below) * exp(t * below - log_divisor));
  LatticeLaw result;
  result.mesh = law.mesh;
  result.offset = Ball(0);
  result.first = plan.window.first;
  result.masses.reserve(length);
  const Ball share = Ball(1) / Ball(static_cast<long>(size));
  const Ball step = exp(-t * law.mesh);
  Ball untilt;
  for (long j = plan.window.first; j <= plan.window.last; ++j) {
    if ((j & 63) == 0 || j == plan.window.first) untilt = exp(log_divisor - t * law.mesh * Ball(j));
    Ball mass = data[place(j)].real() * share;
    // what is in the window is at most the whole, and at least the whole but for what wrapped
    mass = side == Side::upper ? clipped_nonnegative(mass) : max(mass - wrapped, Ball(0));
    result.masses.push_back(mass * untilt);
    untilt *= step;
  }
  const Ball finite = law.mgf(Ball(0));
  if (!law.infinite.is_exact_zero()) {
    result.infinite = exp(count * log(finite)) * expm1(count * log1p(law.infinite / finite));
  }
  if (side == Side::upper) {
    result.infinite += charged(power_window, chernoff(law, n, plan.far, above));
    result.masses.front() += charged(power_window, chernoff(law, n, plan.near, below));
  }
  return result;
}

}  // namespace plaudit
