// The law of a plug-in as a privacy loss. The law is stated at exact points; over a ball [a, b] the
// tails and delta, which do not increase, are enclosed from the lower end at b to the upper end at
// a. Proof: docs/proofs/stated_laws.md#balls
#include "api/extend/stated_loss.hpp"

#include <cmath>
#include <mutex>
#include <stdexcept>

#include "api/extend/law_questions.hpp"
#include "api/extend/tail_estimate.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit::inline v0 {

namespace {

/// The ball from the lower end of the first enclosure to the upper end of the second.
Ball between(const Ball& least, const Ball& greatest) {
  return hull(least.lower(), greatest.upper());
}

class StatedLoss final : public core::PrivacyLoss {
 public:
  explicit StatedLoss(LawQuestions law) : law_(std::move(law)), has_mgf_(law_.has_mgf()) {
    facts_.greatest_loss = law_.exact_greatest_loss();
    facts_.mass_at_infinity = law_.exact_mass_at_infinity();
  }

  bool has_moments() const override { return has_mgf_; }

  Ball log_mgf(const Ball& t) const override {
    require_moments();
    return log(law_.mgf(ComplexBall(t)).real());
  }
  ComplexBall log_mgf(const ComplexBall& z) const override {
    require_moments();
    return log(law_.mgf(z));
  }
  LineValues mgf_on_line(const Ball& t, const Ball& step, std::size_t count,
                         LineAccuracy accuracy) const override;
  Ball mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const override;

  // Proof: docs/proofs/stated_laws.md#balls
  Ball p_above(const Ball& x) const override {
    if (!x.is_finite()) return hull(mass_at_infinity(), Ball(1));
    if (x.is_exact()) return law_.p_above(x);
    return between(law_.p_above(PLAUDIT_BOUND("stated.tails_of_ball", x.upper(), x.lower())),
                   law_.p_above(x.lower()));
  }
  Ball q_above(const Ball& x) const override {
    if (!x.is_finite()) return hull(Ball(0), q_mass());
    if (x.is_exact()) return law_.q_above(x);
    return between(law_.q_above(x.upper()), law_.q_above(x.lower()));
  }
  TailMasses tails_above(const std::vector<Ball>& points) const override;
  Ball p_atom(const Ball& x) const override;
  std::optional<Ball> density(const Ball& x) const override {
    return x.is_finite() && x.is_exact() ? law_.density(x) : std::nullopt;
  }
  Ball delta(const Ball& epsilon) const override;

  Ball mass_at_infinity() const override { return law_.mass_at_infinity(); }
  Ball q_mass() const override { return law_.q_mass(); }
  Ball least_loss() const override { return law_.least_loss(); }
  Ball greatest_loss() const override { return law_.greatest_loss(); }

  CumulantEstimate estimate_cumulant(double t) const override;
  double estimate_log_decay(double t, double s) const override;
  /// A value of M is one call: line_bound() may then use |M'| <= max|L| M(t) where L is bounded.
  double estimate_line_points(double, double, double) const override { return 1; }
  std::string describe() const override { return law_.name() + ", of a plug-in"; }

 private:
  void require_moments() const {
    if (!has_mgf_) throw std::logic_error("the moments of " + describe() + " are not stated");
  }
  /// P(L > x) - e^x Q(L > x) at an exact point.
  Ball delta_at(const Ball& x) const {
    const LawQuestions::Tails tails = law_.tails(x);
    return tails.p - exp(x) * tails.q;
  }

  LawQuestions law_;
  bool has_mgf_;
  mutable std::once_flag once_;
  mutable AtomEstimate estimate_;  ///< for estimate_cumulant() without M, made when first asked
};

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

/// The tails at the points, with neighbouring points checked against each other.
TailMasses StatedLoss::tails_above(const std::vector<Ball>& points) const {
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
  const Ball most = law_.p_above(before) - law_.p_above(x.upper());
  Ball any = hull(Ball(0),
                  clipped_nonnegative(PLAUDIT_BOUND("stated.atom", most, ldexp(most, -9)).upper()));
  if (!x.is_exact()) return any;
  const auto stated = law_.atom(x);
  if (!stated) return any;
  if (!overlaps(*stated, any)) law_.refuse("P(L = x) is no step of P(L > x)");
  return *stated;
}

// Proof: docs/proofs/stated_laws.md#balls
Ball StatedLoss::delta(const Ball& epsilon) const {
  if (!epsilon.is_finite()) return hull(Ball(0), Ball(1));
  Ball upper = delta_at(epsilon.lower());
  if (epsilon.is_exact()) return upper;
  return between(PLAUDIT_BOUND("stated.delta_of_ball", delta_at(epsilon.upper()), upper), upper);
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

/// The law of finitely many atoms, for which every accountant applies, checked against the tails.
std::shared_ptr<const core::PrivacyLoss> finite_loss(const LawQuestions& law) {
  const std::size_t count = law.atoms().size();
  std::optional<FiniteLoss::Lattice> lattice;
  if (const auto stated = law.lattice()) {
    lattice = {exact(stated->mesh, "mesh"), exact(stated->offset, "offset"), stated->places};
    if (lattice->mesh <= 0) law.refuse("the mesh of the lattice is not > 0");
    if (lattice->places.size() != count) {
      law.refuse("the lattice has another number of places than there are atoms");
    }
  }
  const auto provider = [law, count] {
    FiniteLaw result;
    for (const extend::Atom& atom : law.atoms()) {
      const Ball loss = to_ball(atom.loss);
      const Ball p = clipped_nonnegative(to_ball(atom.p));
      if (!loss.is_finite() || !p.is_finite()) law.refuse("an atom is not finite");
      result.atoms.push_back({loss, p, p * exp(-loss)});
    }
    if (result.atoms.size() != count) law.refuse("the number of atoms is not always the same");
    result.infinite = law.mass_at_infinity();
    result.q_mass = law.q_mass();
    return result;
  };
  {  // Refused: sums other than the masses, and atoms larger than the step of P(L > x) around them.
    const PrecisionScope scope(128);
    Ball whole = law.mass_at_infinity();
    Ball under_q;
    std::size_t place = 0;
    for (const Atom& atom : provider().atoms) {
      whole += atom.p;
      under_q += atom.q;
      if (lattice &&
          !overlaps(atom.loss, Ball(Rational(lattice->offset +
                                             lattice->mesh * Rational(lattice->places[place]))))) {
        law.refuse("an atom does not lie at its place on the lattice");
      }
      ++place;
      const Ball gap = ldexp(max(Ball(1), abs(atom.loss)), -60);
      const Ball below = law.tails((atom.loss.lower() - gap).lower()).p;
      const Ball above = law.tails((atom.loss.upper() + gap).upper()).p;
      if (certainly_less(below - above, atom.p)) law.refuse("an atom is no step of P(L > x)");
    }
    if (!overlaps(whole, Ball(1))) law.refuse("the atoms and the mass at infinity do not add up");
    if (!overlaps(under_q, law.q_mass())) law.refuse("the atoms do not add up to Q(dP/dQ > 0)");
  }
  FiniteLoss::Exact known;
  known.infinite = law.exact_mass_at_infinity();
  known.greatest = law.exact_greatest_loss();
  return std::make_shared<FiniteLoss>(law.name() + ", of a plug-in", provider, lattice, known);
}

}  // namespace

std::shared_ptr<const core::PrivacyLoss> stated_loss(std::shared_ptr<const extend::Law> law,
                                                     const std::string& name) {
  LawQuestions questions(std::move(law), name);
  questions.check();
  if (!questions.atoms().empty()) return finite_loss(questions);
  return std::make_shared<StatedLoss>(std::move(questions));
}

}  // namespace plaudit::inline v0
