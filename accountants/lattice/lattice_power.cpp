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

/// The masses of a law tilted, divided by d and folded modulo a period, and those of its power:
/// the y_j of the proof.
class FoldedPower {
 public:
  FoldedPower(const LatticeLaw& law, std::uint64_t n, const Ball& tilt, std::size_t length) {
    std::size_t size = 2;
    while (size < length) size *= 2;
    mask_ = static_cast<unsigned long>(size - 1);
    check_memory_of_balls(2 * static_cast<double>(size));
    data_.resize(size);
    const std::vector<Ball> terms = law.tilted(tilt);
    Ball sum;
    for (const Ball& term : terms) sum += term;
    divisor_ = sum.middle();
    const Ball inverse = Ball(1) / divisor_;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      data_[place(law.first + static_cast<long>(i))] += ComplexBall(terms[i] * inverse);
    }
    check_work_limit();
    ball_transform(data_, Sign::plus);
    for (std::size_t k = 0; k < size; ++k) {
      if ((k & 1023) == 0) check_work_limit();
      data_[k] = power(data_[k], n);
    }
    ball_transform(data_, Sign::minus);
    check_work_limit();
    share_ = Ball(1) / Ball(static_cast<long>(size));
  }

  const Ball& divisor() const { return divisor_; }
  Ball mass(long j) const { return data_[place(j)].real() * share_; }

 private:
  std::size_t place(long j) const {
    return static_cast<std::size_t>(static_cast<unsigned long>(j) & mask_);
  }

  unsigned long mask_ = 0;
  std::vector<ComplexBall> data_;
  Ball divisor_;
  Ball share_;
};

}  // namespace

// Proof: docs/proofs/grid.md#power
LatticeLaw lattice_power(const LatticeLaw& law, std::uint64_t n, const PowerPlan& plan, Side side) {
  if (!(plan.left < plan.tilt && plan.tilt < plan.right && plan.near < 0 && plan.far > 0)) {
    throw std::logic_error("orders of a power of a lattice law");
  }
  const Ball t(plan.tilt);
  const Ball count(n);
  const auto length = static_cast<std::size_t>(plan.window.last - plan.window.first + 1);
  const FoldedPower folded(law, n, t, length);
  const Ball log_divisor = count * log(folded.divisor());
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
  const Ball step = exp(-t * law.mesh);
  Ball untilt;
  for (long j = plan.window.first; j <= plan.window.last; ++j) {
    if ((j & 63) == 0 || j == plan.window.first) untilt = exp(log_divisor - t * law.mesh * Ball(j));
    Ball mass = folded.mass(j);
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
