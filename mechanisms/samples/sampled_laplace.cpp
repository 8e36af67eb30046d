// Poisson samples of Laplace noise: the moments, two atoms and an integral between them.
//
// With f(l) = 1 - rate + rate e^l and a = sensitivity / scale, under the law without the record
//   A(w) = (e^{-a} f(a)^w + f(-a)^w) / 2 + I(w),   I(w) = (1/4) int_{-a}^{a} e^{-(l+a)/2} f(l)^w
//   dl.
// One value is by adaptive integration; along a line mechanisms/samples/interval_integral.hpp has
// all nodes of one sum.
// Proof: docs/proofs/discrete.md#sampled-laplace
#include <algorithm>
#include <cmath>
#include <limits>

#include "lib/analysis/certified_integral.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/laws/laplace_loss.hpp"
#include "mechanisms/samples/interval_integral.hpp"
#include "mechanisms/samples/sampled_loss.hpp"

namespace plaudit {

namespace {

constexpr long spare_bits_of_atoms = 64;

/// A(w) at one power by Arb's integrator; on_line() has many powers by one sum.
/// The integrand is taken relative to f^w at the end of the larger |f^w|, so that A is at least
/// e^{-a} / 2 times that for real w.
ComplexBall moment(const Rational& ratio, const Rational& rate, const ComplexBall& w) {
  const long bits = working_precision();
  const double size = std::min(estimate(ratio), 1e4);
  const PrecisionScope scope(bits + 16 + precision_bits(1.5 * size));
  const Ball a(ratio);
  const Ball taken(rate);
  const Ball end = w.real().estimate() >= 0 ? a : -a;
  const ComplexBall top(log1p(taken * expm1(end)));
  const auto power = [&](const Ball& l) {
    return exp(w * (ComplexBall(log1p(taken * expm1(l))) - top));
  };
  const ComplexBall one(1);
  const ComplexBall weight(taken);
  const ComplexBall half(Ball(0.5));
  const Integrand integrand = [&](const ComplexBall& l, bool analytic) {
    const ComplexBall f = one + weight * (exp(l) - one);
    // log f is analytic off the ray f <= 0
    if (PLAUDIT_BOUND("sampled_laplace.analytic", analytic, false) &&
        !certainly_positive(f.real()) && f.imaginary().may_be_zero()) {
      return ComplexBall(Ball(std::numeric_limits<double>::quiet_NaN()));
    }
    return exp(w * (log(f) - top) - half * (l + ComplexBall(a)));
  };
  const Ball tolerance = ldexp(exp(-a), -bits - 4);
  const ComplexBall curve = certified_integral(integrand, -a, a, tolerance);
  const ComplexBall atoms = ComplexBall(exp(-a)) * power(a) + power(-a);
  return exp(w * top) * (half * atoms + ComplexBall(Ball(0.25)) * curve);
}

/// The atoms of A at the working precision: masses e^{-a} / 2 and 1/2, log f at a and at -a.
struct EndAtoms {
  EndAtoms(const Rational& ratio, const Rational& rate)
      : high(log1p(Ball(rate) * expm1(Ball(ratio)))),
        low(log1p(Ball(rate) * expm1(-Ball(ratio)))),
        fall(-Ball(ratio)) {}

  Ball at_high(const Ball& r) const { return ldexp(exp(r * high + fall), -1); }
  Ball at_low(const Ball& r) const { return ldexp(exp(r * low), -1); }

  Ball high;
  Ball low;
  Ball fall;
};

LineValues on_line(const IntervalIntegral& between, const Rational& ratio, const Rational& rate,
                   const Ball& r, const Ball& step, std::size_t count,
                   const LineAccuracy& accuracy) {
  LineValues line = between.on_line(r, step, count, accuracy);
  const PrecisionScope scope(
      std::max(working_precision(), precision_bits(accuracy.nats / log_two) + spare_bits_of_atoms));
  const EndAtoms atoms(ratio, rate);
  const auto add = [&](const Ball& mass, const Ball& loss) {
    const Ball angle = step * loss;
    const std::vector<ComplexBall> turns = powers(ComplexBall(cos(angle), sin(angle)), count);
    for (std::size_t k = 0; k < count; ++k) {
      check_work_limit_in_turn(k, count);
      ComplexBall atom = turns[k];
      line.values[k] += atom.scale(mass);
    }
  };
  add(PLAUDIT_BOUND("sampled_laplace.high_atom", atoms.at_high(r), Ball(0)), atoms.high);
  add(atoms.at_low(r), atoms.low);
  return line;
}

/// The atoms stay; the curve decays like 1 / s.
// Proof: docs/proofs/discrete.md#sampled-laplace-decay
Ball beyond(const Rational& ratio, const Rational& rate, const Ball& r, const Ball& s) {
  const Ball a(ratio);
  const Ball taken(rate);
  const Ball up = log1p(taken * expm1(a));
  const Ball down = log1p(taken * expm1(-a));
  const Ball atoms = ldexp(exp(r * up - a) + exp(r * down), -1);
  const Ball front = exp(ldexp(-a, -1)) / ldexp(taken, 2);
  const Ball turn = ldexp(Ball(3) * a, -1);
  const Ball ends = exp((r + Ball(1)) * up - turn) + exp((r + Ball(1)) * down + turn);
  return PLAUDIT_BOUND("sampled_laplace.atoms_beyond", atoms, Ball(0)) +
         PLAUDIT_BOUND("sampled_laplace.curve_beyond", ldexp(front * ends / s, 1), Ball(0));
}

double estimate_decay(double a, double rate, const AtomEstimate& law, double r, double s) {
  const double up = std::log1p(rate * std::expm1(a));
  const double down = std::log1p(rate * std::expm1(-a));
  const double whole = law.cumulant(-r).value;  // log A(r): `law` is that of -log f
  const double atoms = std::exp(r * up - a - whole) + std::exp(r * down - whole);
  const double ends =
      std::exp((r + 1) * up - 1.5 * a - whole) + std::exp((r + 1) * down + 1.5 * a - whole);
  return std::log(atoms / 2 + std::exp(-a / 2) / (2 * rate) * ends / s);
}

/// Atoms and Gauss-Legendre points of the sampled law, in floating point.
AtomEstimate picture(double a, double rate, Direction direction) {
  constexpr double nodes[] = {-0.9061798459386640, -0.5384693101056831, 0.0, 0.5384693101056831,
                              0.9061798459386640};
  constexpr double weights[] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                0.4786286704993665, 0.2369268850561891};
  constexpr int panels = 64;
  AtomEstimate result;
  // log_q: log of the mass without the record
  const auto add = [&](double l, double log_q) {
    const double log_f = std::log1p(rate * std::expm1(l));
    if (direction == Direction::remove) {
      result.add(log_f, log_q + log_f);
    } else {
      result.add(-log_f, log_q);
    }
  };
  add(a, std::log(0.5) - a);
  add(-a, std::log(0.5));
  const double width = a / panels;
  for (int i = 0; i < panels; ++i) {
    for (int k = 0; k < 5; ++k) {
      const double l = -a + width * (2 * i + 1 + nodes[k]);
      add(l, std::log(0.25 * weights[k] * width) - (l + a) / 2);
    }
  }
  return result;
}

}  // namespace

std::shared_ptr<const PrivacyLoss> LaplaceLoss::sampled(const Rational& rate,
                                                        Direction direction) const {
  const auto between = std::make_shared<const IntervalIntegral>(ratio_, rate);
  SampledLoss::Parts parts{
      std::make_shared<LaplaceLoss>(ratio_), rate, direction,
      [ratio = ratio_, rate](const ComplexBall& w) { return moment(ratio, rate, w); },
      picture(estimate_, estimate(rate), direction)};
  parts.bound_beyond = [ratio = ratio_, rate](const Ball& r, const Ball& s) {
    return beyond(ratio, rate, r, s);
  };
  parts.estimate_log_decay = [a = estimate_, rate = estimate(rate),
                              law = picture(estimate_, estimate(rate), Direction::add)](
                                 double r, double s) { return estimate_decay(a, rate, law, r, s); };
  parts.on_line = [=, ratio = ratio_](const Ball& r, const Ball& step, std::size_t count,
                                      const LineAccuracy& accuracy) {
    return on_line(*between, ratio, rate, r, step, count, accuracy);
  };
  parts.estimate_points = [between](double r, double s, double nats) {
    return between->estimate_points(r, s, nats);
  };
  parts.facts.sampled_laplace = SampledLaplaceLaw{ratio_, rate, direction};
  return std::make_shared<SampledLoss>(std::move(parts));
}

}  // namespace plaudit
