// The law of a plug-in as a privacy loss that is known by its tails, and by what else it states.
//
// The law is stated at exact points; over a ball [a, b] the tails and delta, which do not increase,
// are enclosed from the lower end at b to the upper end at a.
// Proof: docs/proofs/stated_laws.md#balls
#pragma once

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "api/extend/law_questions.hpp"
#include "lib/mutant.hpp"
#include "mechanisms/laws/atom_estimate.hpp"

namespace plaudit::inline v0 {

/// The ball from the lower end of the first enclosure to the upper end of the second.
inline Ball between(const Ball& least, const Ball& greatest) {
  return hull(least.lower(), greatest.upper());
}

class StatedLoss : public core::PrivacyLoss {
 public:
  explicit StatedLoss(LawQuestions law) : law_(std::move(law)), has_mgf_(law_.has_mgf()) {
    facts_.greatest_loss = law_.exact_greatest_loss();
    facts_.greatest_loss_unknown = !law_.knows_greatest_loss();
    facts_.mass_at_infinity = law_.exact_mass_at_infinity();
    facts_.q_mass = law_.exact_q_mass();
    facts_.atoms_unknown = !law_.atom(Ball(0));
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
    if (x.is_exact()) return p_at(x);
    return between(p_at(PLAUDIT_BOUND("stated.tails_of_ball", x.upper(), x.lower())),
                   p_at(x.lower()));
  }
  Ball q_above(const Ball& x) const override {
    if (!x.is_finite()) return hull(Ball(0), q_mass());
    if (x.is_exact()) return q_at(x);
    return between(q_at(x.upper()), q_at(x.lower()));
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

 protected:
  const LawQuestions& law() const { return law_; }
  /// The tails at exact points.
  virtual Ball p_at(const Ball& point) const { return law_.p_above(point); }
  virtual Ball q_at(const Ball& point) const { return law_.q_above(point); }

 private:
  void require_moments() const {
    if (!has_mgf_) throw std::logic_error("the moments of " + describe() + " are not stated");
  }
  /// P(L > x) - e^x Q(L > x) at an exact point.
  Ball delta_at(const Ball& x) const { return p_at(x) - exp(x) * q_at(x); }

  LawQuestions law_;
  bool has_mgf_;
  mutable std::once_flag once_;
  mutable AtomEstimate estimate_;  ///< for estimate_cumulant() without M, made when first asked
};

}  // namespace plaudit::inline v0
