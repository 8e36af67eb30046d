// Random bent paths, and what is true on them, from the definitions alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "mechanisms/bent/bent_path.hpp"
#include "mechanisms/bent/hyperbola.hpp"
#include "support/mixtures.hpp"
#include "tests/support/exact.hpp"

namespace plaudit::test {

/// Two to four components, one at 0; noise and probabilities from tiny to large.
inline GaussianMixture random_bent_mixture(Random& random) {
  GaussianMixture mixture;
  const double noises[] = {0.25, 0.5, 1, 2, 4};
  mixture.sigma = exactly(noises[random.integer(0, 4)]);
  const long extra = random.one_in(2) ? 0 : random.integer(1, 2);
  mixture.sensitivities = {0};
  mixture.probabilities = {Rational(random.integer(1, 100), 100)};
  for (long i = 0; i < extra; ++i) {
    mixture.sensitivities.emplace_back(Rational(random.integer(10 * i + 1, 10 * i + 9), 20));
    mixture.probabilities.emplace_back(
        Rational(random.integer(1, 20), random.one_in(2) ? 20 : 2000));
  }
  mixture.sensitivities.emplace_back(1);
  const long rare = random.integer(0, 4);
  mixture.probabilities.emplace_back(Rational(random.integer(1, 99), rare == 0 ? 10000 : 100));
  if (rare == 1) mixture.probabilities.back() *= 50;
  Rational total = 0;
  for (const Rational& p : mixture.probabilities) total += p;
  for (Rational& p : mixture.probabilities) p /= total;
  return normalised(mixture);
}

/// Often admissible, often just not. The knee may lie anywhere.
inline BentShape random_bent_shape(Random& random) {
  BentShape shape{};
  shape.rise = random.uniform(0.05, 3.1);
  shape.half_width = shape.rise * random.uniform(0.02, 1);
  shape.slope = random.one_in(3) ? random.uniform(0.85, 0.99) : random.uniform(0.02, 0.9);
  shape.bend = 2 * shape.half_width / std::numbers::pi * (1 + std::exp(random.uniform(-6, 2)));
  shape.knee = random.uniform(-6, 9);
  return shape;
}

inline std::optional<BentPath> random_bent_path(Random& random) {
  for (int i = 0; i < 100; ++i) {
    try {
      return BentPath(random_bent_mixture(random), random_bent_shape(random));
    } catch (const std::domain_error&) {
    }
  }
  return std::nullopt;
}

/// What holds at one point of a path: V, log(f / p_0)(V) on the branch that is real on the real
/// axis, |phi(y) dy / dx|. Needs 0 < Im V < pi or Re V beyond the dominance.
struct BentPoint {
  ComplexBall v, l;
  Ball density;

  BentPoint(const BentPath& path, const MixtureInV& in_v, const Ball& x, double shift) {
    const BentShape& shape = path.shape();
    const ComplexBall xi(x, Ball(shift));
    const ComplexBall s = (xi - ComplexBall(Ball(shape.knee))) / ComplexBall(Ball(shape.bend));
    // S = bend log(1 + e^s), S' = 1 / (1 + e^-s)
    const bool right = s.real().estimate() > 0;
    const ComplexBall small = exp(right ? -s : s);
    const ComplexBall soft = right ? s + log(ComplexBall(1) + small) : log(ComplexBall(1) + small);
    const ComplexBall logistic = (right ? ComplexBall(1) : small) / (ComplexBall(1) + small);
    const ComplexBall i_slope(Ball(0), Ball(shape.slope));
    v = xi + ComplexBall(Ball(0), Ball(shape.rise)) +
        i_slope * ComplexBall(Ball(shape.bend)) * soft;
    const ComplexBall derivative = ComplexBall(1) + i_slope * logistic;
    ComplexBall u = exp(v);
    ComplexBall q = exp(-v);
    for (std::size_t i = 0; i < in_v.rate.size(); ++i) {
      const ComplexBall term = exp(v * ComplexBall(in_v.rate[i]) + ComplexBall(in_v.offset[i]));
      u += term;
      q += term * exp(-v);
    }
    const bool far = certainly_greater(v.real(), Ball(path.dominance()));
    l = far ? v + log(ComplexBall(1) + q) : log1p(u);
    const ComplexBall y = ComplexBall(in_v.origin) + v * ComplexBall(in_v.sigma);
    density = exp(ldexp(square(y.imaginary()) - square(y.real()), -1)) / sqrt(ldexp(pi(), 1)) *
              in_v.sigma * abs(derivative);
  }
};

/// |e^{w l}| and |e^{w l} - 1|.
inline Ball plain_size(const ComplexBall& w, const BentPoint& at) { return exp((w * at.l).real()); }
inline Ball minus_one_size(const ComplexBall& w, const BentPoint& at) {
  return abs(exp(w * at.l) - ComplexBall(1));
}

inline Hyperbola random_hyperbola(Random& random) {
  const double scale = std::exp(random.uniform(-3, 4));
  const double angle = random.uniform(0.02, 1.5);
  const double center = random.one_in(3) ? random.uniform(-3, 3) * scale : random.uniform(-6, 6);
  return {Ball(center), Ball(scale), Ball(angle)};
}

}  // namespace plaudit::test
