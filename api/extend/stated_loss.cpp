#include "api/extend/stated_loss.hpp"

#include <cmath>

#include "api/extend/stated_atoms.hpp"
#include "api/extend/stated_lattice.hpp"
#include "api/extend/stated_law.hpp"
#include "api/extend/tail_estimate.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit::inline v0 {

namespace {

constexpr long bits_of_roundings = 32;  ///< by which a law's own arithmetic is finer than a grid's

}  // namespace

// 0.69 < log 2: e^-nats is at least 2^-bits, with 64 bits for what the plug-in's arithmetic loses.
LineValues StatedLoss::mgf_on_line(const Ball& t, const Ball& step, std::size_t count,
                                   LineAccuracy accuracy) const {
  require_moments();
  const PrecisionScope scope(
      std::max(working_precision(), precision_bits(accuracy.nats / 0.69) + 64));
  LineValues result;
  result.values = law_.mgf_on_line(t, step, count);
  const Ball whole = law_.mgf(ComplexBall(t)).real();
  for (const ComplexBall& value : result.values) {
    if (certainly_greater(abs(value), whole)) law_.refuse("|M(t + is)| exceeds M(t)");
  }
  return result;
}

// Proof: docs/proofs/stated_laws.md#beyond
Ball StatedLoss::mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const {
  Ball whole = mgf_upper(t, nats);
  const PrecisionScope scope(std::max(working_precision(), precision_bits(nats / 0.69) + 64));
  const auto stated = law_.mgf_beyond(t, s);
  if (!stated) return whole;
  if (certainly_greater(abs(law_.mgf(ComplexBall(t, s))), *stated)) {
    law_.refuse("|M(t + is)| exceeds its stated bound");
  }
  return min(*stated, whole).upper();
}

/// The tails at the points, with neighbouring points checked against each other. Grids divide their
/// differences by the square of the mesh: what a few roundings of the law lose would set the width.
TailMasses StatedLoss::tails_above(const std::vector<Ball>& points) const {
  const PrecisionScope scope(working_precision() + bits_of_roundings);
  TailMasses masses = core::PrivacyLoss::tails_above(points);
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (!certainly_less(points[i - 1], points[i])) continue;
    law_.check_between(points[i - 1], {masses.p[i - 1], masses.q[i - 1]}, points[i],
                       {masses.p[i], masses.q[i]});
  }
  return masses;
}

// Proof: docs/proofs/stated_laws.md#atom
Ball StatedLoss::p_atom(const Ball& x) const {
  if (!x.is_finite()) return hull(Ball(0), Ball(1));
  const Ball before = (x.lower() - ldexp(Ball(1), -working_precision())).lower();
  const Ball most = p_at(before) - p_at(x.upper());
  Ball any = hull(Ball(0),
                  clipped_nonnegative(PLAUDIT_BOUND("stated.atom", most, ldexp(most, -9)).upper()));
  if (!x.is_exact()) return any;
  const auto stated = law_.atom(x);
  if (!stated) return any;
  if (!overlaps(*stated, any)) law_.refuse("P(L = x) is no step of P(L > x)");
  return *stated;
}

// A law cannot always tell on which side of an atom the point lies. Both tails are then as wide as
// the atom, and delta next to the point is not. Proof: docs/proofs/stated_laws.md#balls
Ball StatedLoss::delta(const Ball& epsilon) const {
  if (!epsilon.is_finite()) return hull(Ball(0), Ball(1));
  Ball value = delta_at(epsilon.lower());
  if (!epsilon.is_exact()) {
    value = between(PLAUDIT_BOUND("stated.delta_of_ball", delta_at(epsilon.upper()), value), value);
  }
  const Ball gap = ldexp(Ball(1), -working_precision() / 2);
  if (!certainly_less(gap, value.radius())) return value;
  const Ball least = delta_at((epsilon + gap).upper()).lower();
  const Ball most = delta_at((epsilon - gap).lower()).upper();
  return hull(max(value.lower(), PLAUDIT_BOUND("stated.delta_beside", least, most)).lower(),
              min(value.upper(), most).upper());
}

/// From log M at t and t +- step where M is stated: an atomic approximation leaves out tails, whose
/// part a composition of many steps multiplies. Of 256 bits the differences lose some 40, by the
/// relative step of 2^-20. Heuristic: a bad value costs width.
CumulantEstimate StatedLoss::estimate_cumulant(double t) const {
  if (!has_mgf_) {
    std::call_once(once_, [&] {
      const UncountedWork kept;
      estimate_ = estimate_from_tails(law_);
    });
    return estimate_.cumulant(t);
  }
  constexpr long bits = 256;
  constexpr double part = 0x1p-20;
  const PrecisionScope scope(bits);
  const double step = part * std::max(1.0, std::fabs(t));
  const Ball here = log_mgf(Ball(t));
  const Ball right = log_mgf(Ball(t) + Ball(step));
  const Ball left = log_mgf(Ball(t) - Ball(step));
  const double variance = (right + left - ldexp(here, 1)).estimate() / (step * step);
  return {here.estimate(), (right - left).estimate() / (2 * step), std::max(0.0, variance)};
}

double StatedLoss::estimate_log_decay(double t, double s) const {
  const auto stated = law_.mgf_beyond(Ball(t), Ball(s));
  if (!stated) return 0;
  return std::min(0.0, stated->estimate_log() - log_mgf(Ball(t)).estimate());
}

std::shared_ptr<const core::PrivacyLoss> stated_loss(std::shared_ptr<const extend::Law> law,
                                                     const std::string& name) {
  LawQuestions questions(std::move(law), name);
  questions.check();
  if (questions.lattice_window()) return loss_on_lattice(questions);
  if (!questions.atoms().empty()) return loss_of_atoms(questions);
  return std::make_shared<StatedLoss>(std::move(questions));
}

}  // namespace plaudit::inline v0
