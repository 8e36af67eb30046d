// A privacy loss with finitely many values: discrete Laplace noise, laws from a file, and Poisson
// samples of such mechanisms.
//
// The law is a list of atoms (l, P(L = l), Q(L = l)), recomputed at the working precision, and the
// mass at infinity. Every sum over it is finite, so nothing but rounding is left.
#pragma once

#include <functional>
#include <mutex>

#include "mechanisms/laws/atom_estimate.hpp"
#include "mechanisms/laws/atomic_law.hpp"
#include "mechanisms/laws/curve_bound.hpp"
#include "mechanisms/laws/exact_law.hpp"
#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

class FiniteLoss final : public PrivacyLoss {
 public:
  /// Gives the law at the working precision of the caller, always the same atoms in the same order.
  using Provider = std::function<FiniteLaw()>;
  /// Where the atoms lie on a lattice: atom i at u (offset + places[i] mesh), exactly.
  struct Lattice {
    Rational mesh;  ///< > 0
    Rational offset;
    std::vector<long> places;
    std::optional<Rational> exp_unit = {};  ///< e^u > 1, where u is not 1
  };

  /// What is known of the law exactly.
  struct Exact {
    std::optional<Rational> infinite;     ///< the mass at infinity
    std::optional<Rational> greatest;     ///< the greatest finite loss, where it is rational
    std::shared_ptr<const ExactLaw> law;  ///< all of it, where that is short
    /// The losses in the order of the provider, where they are rational and on no lattice.
    std::vector<Rational> losses;
    bool by_intervals = false;  ///< the masses are known by intervals only
    /// The bounds at points that made it, where nobody stated them.
    std::shared_ptr<const CurveBounds> bounds = nullptr;

    static Exact sampled(const std::optional<Rational>& infinite,
                         const std::shared_ptr<const ExactLaw>& law, const Rational& rate,
                         Direction direction);
  };

  FiniteLoss(std::string description, Provider law, std::optional<Lattice> lattice, Exact exact);
  FiniteLoss(std::string description, Provider law, std::optional<Lattice> lattice = {});

  Ball log_mgf(const Ball& t) const override;
  ComplexBall log_mgf(const ComplexBall& z) const override;
  Ball p_above(const Ball& x) const override;
  Ball q_above(const Ball& x) const override;
  Ball p_atom(const Ball& x) const override;
  PointMasses masses_at(const Rational& x) const override;
  std::optional<std::vector<LossAtom>> atoms_in(
      const std::optional<LossWindow>& window) const override;
  std::optional<Ball> density(const Ball&) const override { return std::nullopt; }
  Ball mass_at_infinity() const override;
  Ball q_mass() const override;
  Ball least_loss() const override;
  Ball greatest_loss() const override;
  Ball delta(const Ball& epsilon) const override;
  std::shared_ptr<const LatticeLaw> lattice() const override;
  std::shared_ptr<const AtomicLaw> atoms(double tilt, double nats) const override;
  std::shared_ptr<const ExactLaw> exact_law() const override { return exact_.law; }
  std::shared_ptr<const PrivacyLoss> sampled(const Rational& rate,
                                             Direction direction) const override;
  CumulantEstimate estimate_cumulant(double t) const override { return estimate_.cumulant(t); }
  double estimate_log_decay(double, double) const override { return 0; }
  double estimate_line_points(double, double, double) const override { return 1; }
  std::string describe() const override { return description_; }

 private:
  /// The law at one precision, ordered by loss, with what makes tails quick.
  struct Table;
  std::shared_ptr<const Table> table() const;
  Ball above(const Ball& x, bool under_q) const;
  /// The losses of law_(), in its order, are known rationals.
  bool rational_losses() const { return rational_lattice() || !exact_.losses.empty(); }
  bool rational_lattice() const { return lattice_ && !lattice_->exp_unit; }
  /// For each atom of law_() where rational_losses(), else of the exact law: whether its loss is
  /// below x (-1), at x (0) or above it (1). Nothing where that is undecided for one.
  std::optional<std::vector<signed char>> sides(const Rational& x) const;

  std::string description_;
  Provider law_;
  std::optional<Lattice> lattice_;
  Exact exact_;
  AtomEstimate estimate_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const Table> table_;
};

}  // namespace plaudit
