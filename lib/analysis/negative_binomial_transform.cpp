#include "lib/analysis/negative_binomial_transform.hpp"

#include <cmath>

#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

// Proof: docs/proofs/turned_line.md#fraction
TransformValue negative_binomial_transform(const NegativeBinomial& law, const ComplexBall& w,
                                           std::size_t terms) {
  const Ball height = abs(w.imaginary());
  if (terms == 0 || !certainly_positive(height)) {
    return {ComplexBall(positive_infinity()), positive_infinity()};
  }
  // G_n and H_n, of the recurrence with the factors w (rho - 1) + beta rho + n (rho + 1)
  const Ball slope = law.rho - Ball(1);
  const Ball step = law.rho + Ball(1);
  ComplexBall factor = w * ComplexBall(slope) + ComplexBall(law.beta * law.rho);
  ComplexBall last_g(1);
  ComplexBall last_h(0);
  ComplexBall g = factor;
  ComplexBall h(slope);
  Ball norm = law.rho * law.beta;  // rho^n n! (beta)_n
  for (std::size_t n = 1; n < terms; ++n) {
    if ((n & 63) == 0) check_work_limit();
    const Ball count(static_cast<std::uint64_t>(n));
    const Ball back = law.rho * count * (count - Ball(1) + law.beta);
    factor.add_real(step);
    last_g.scale(back);
    last_h.scale(back);
    ComplexBall next_g = factor * g - last_g;
    ComplexBall next_h = factor * h - last_h;
    last_g = std::move(g);
    last_h = std::move(h);
    g = std::move(next_g);
    h = std::move(next_h);
    norm *= law.rho * (count + Ball(1)) * (law.beta + count);
  }
  const Ball bound = norm / (square(abs(g)) * height);
  return {h / g,
          PLAUDIT_BOUND("negative_binomial_transform.error", bound, ldexp(bound, -40)).upper()};
}

std::size_t estimate_transform_terms(double beta, double rho, std::complex<double> w, double nats,
                                     std::size_t most) {
  const double wanted = nats - std::log(std::fabs(w.imag()));
  std::complex<double> last = 0;
  std::complex<double> value = 1;  // of the orthonormal polynomials, over e^log_scale
  double log_scale = 0;
  double former = 0;
  for (std::size_t n = 0; n < most; ++n) {
    const auto count = static_cast<double>(n);
    const double next_weight = std::sqrt((count + 1) * (count + beta) * rho) / (1 - rho);
    const double middle = (count * (1 + rho) + beta * rho) / (1 - rho);
    const std::complex<double> next = ((w - middle) * value - former * last) / next_weight;
    last = value;
    value = next;
    former = next_weight;
    const double size = std::abs(value);
    if (size > 1e100) {
      last /= size;
      value /= size;
      log_scale += std::log(size);
    }
    if (2 * (log_scale + std::log(std::abs(value))) >= wanted) return n + 1;
  }
  return most;
}

}  // namespace plaudit
