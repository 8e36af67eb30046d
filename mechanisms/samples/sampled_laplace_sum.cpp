// Poisson samples of two Laplace mechanisms on the same records: with f(l) = 1 - rate + rate e^l,
// A(w) = E_Q f(L)^w is a sum over four atoms and an integral over each piece of the density, by
// adaptive integration. Proof: docs/proofs/roots.md#laplace-sum
#include <cmath>
#include <limits>

#include "lib/analysis/certified_integral.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "mechanisms/laws/laplace_sum_loss.hpp"
#include "mechanisms/samples/sampled_loss.hpp"

namespace plaudit {

namespace {

/// A(w), summed in units of f^w at the end with the larger |f^w|, of Q-mass e^-s / 4 at least.
ComplexBall moment_of_sum(const LaplaceSumLoss& law, const Rational& rate, const ComplexBall& w) {
  const long bits = working_precision();
  const double size = std::min(law.greatest_loss().estimate(), 1e4);
  const PrecisionScope scope(bits + 16 + precision_bits(1.5 * size));
  const Ball s = law.greatest_loss();
  const Ball taken(rate);
  const Ball end = w.real().estimate() >= 0 ? s : -s;
  const ComplexBall top(log1p(taken * expm1(end)));
  ComplexBall sum;
  const std::vector<LossAtom> atoms = *law.atoms_in({});
  for (const LossAtom& atom : atoms) {
    const ComplexBall log_f(log1p(taken * expm1(atom.loss)));
    sum += ComplexBall(atom.q) * exp(w * (log_f - top));
  }
  const ComplexBall one(1);
  for (const LaplaceSumLoss::Piece& piece : law.pieces()) {
    const ComplexBall constant{Ball(piece.constant)};
    const ComplexBall slope{Ball(piece.slope)};
    const Integrand integrand = [&](const ComplexBall& l, bool analytic) {
      const ComplexBall f = one + ComplexBall(taken) * (exp(l) - one);
      // log f is analytic off the ray f <= 0
      if (analytic && !certainly_positive(f.real()) && f.imaginary().may_be_zero()) {
        return ComplexBall(Ball(std::numeric_limits<double>::quiet_NaN()));
      }
      return exp(w * (log(f) - top) - ldexp(l + ComplexBall(s), -1)) * (constant + slope * l);
    };
    const Ball tolerance = ldexp(exp(-s), -bits - 6);
    const ComplexBall part =
        certified_integral(integrand, Ball(piece.from), Ball(piece.to), tolerance);
    sum += PLAUDIT_BOUND("laplace_sum.piece", part, ComplexBall(Ball(0)));
  }
  return exp(w * top) * sum;
}

AtomEstimate picture_of_sum(const LaplaceSumLoss& law, double rate, Direction direction) {
  AtomEstimate result;
  const double s = law.greatest_loss().estimate();
  const bool removes = direction == Direction::remove;
  const auto add = [&](double l, double log_q) {
    const double log_f = std::log1p(rate * std::expm1(l));
    result.add(removes ? log_f : -log_f, removes ? log_q + log_f : log_q);
  };
  const std::vector<LossAtom> atoms = *law.atoms_in({});
  for (const LossAtom& atom : atoms) add(atom.loss.estimate(), atom.q.estimate_log());
  for (const LaplaceSumLoss::Piece& piece : law.pieces()) {
    const double from = estimate(piece.from);
    const double width = (estimate(piece.to) - from) / 200;
    for (int i = 0; i < 200; ++i) {
      const double l = from + width * (i + 0.5);
      const double level = estimate(piece.constant) + estimate(piece.slope) * l;
      add(l, std::log(level * width) - (l + s) / 2);
    }
  }
  return result;
}

}  // namespace

std::shared_ptr<const PrivacyLoss> LaplaceSumLoss::sampled(const Rational& rate,
                                                           Direction direction) const {
  const auto base = std::make_shared<const LaplaceSumLoss>(wide_.ratio(), narrow_.ratio());
  return std::make_shared<SampledLoss>(SampledLoss::Parts{
      base, rate, direction,
      [base, rate](const ComplexBall& w) { return moment_of_sum(*base, rate, w); },
      picture_of_sum(*base, estimate(rate), direction)});
}

}  // namespace plaudit
