// The law of the privacy loss of one dominating pair: what every accountant works on.
//
// (P, Q) is the pair, L = log dP/dQ under P. M(z) = E_P[e^{zL}; L < inf] is the moment generating
// function of L without its mass at infinity, K = log M its cumulant generating function.
// Everything rigorous is an enclosure at the working precision for the exact parameters. What
// starts with `estimate_` is plain floating point: it may choose parameters and enters no bound.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lib/balls/ball.hpp"
#include "lib/balls/complex_ball.hpp"
#include "mechanisms/direction.hpp"

namespace plaudit {

struct AtomicLaw;
struct CurveBounds;
struct ExactLaw;
struct GaussianMixture;
struct LatticeLaw;
struct MomentBound;
class LaplaceLoss;
class PrivacyLoss;
class RangeLoss;
class ReplacementLoss;
class TwoPointLoss;

/// K and its first two derivatives at a real point, in floating point.
struct CumulantEstimate {
  double value;
  double mean;      ///< K'
  double variance;  ///< K''
};

/// K and its first derivatives at a real point, in floating point: [j] is K^(j).
using CumulantEstimates = std::array<double, 7>;

/// Wanted accuracy of values of M on a line: each value to about e^-nats M(t); or, where that asks
/// less, its power to about e^-nats M(t)^power.
struct LineAccuracy {
  LineAccuracy(double nats_, double power_ = 1) : nats(nats_), power(power_) {}
  double nats;
  double power;
};

/// Values of M on a vertical line, and their errors.
struct LineValues {
  std::vector<ComplexBall> values;  ///< M(t + i k step), k = 0 .. count-1
  Ball quadrature;         ///< upper bound of each value's quadrature error, which its radius has
  std::size_t points = 0;  ///< integration points used (0 for closed forms)
};

/// P(L > x), the mass at infinity included, and Q(L > x) at several points x.
struct TailMasses {
  std::vector<Ball> p;
  std::vector<Ball> q;
};

/// P(L > x), the mass at infinity included, Q(L > x) and P(L = x) at one point x.
struct PointMasses {
  Ball p_above;
  Ball q_above;
  Ball p_atom;
};

/// A point where P(L = loss) may be positive, with its masses under P and Q.
struct LossAtom {
  Ball loss;
  std::optional<Rational> exact_loss;  ///< where the loss is known to be this rational
  Ball p;
  Ball q;
};

/// The losses from `from` to `to`, ends included.
struct LossWindow {
  Rational from;
  Rational to;
};

/// All finite values of L lie in u (offset + mesh Z), where u is 1 or the logarithm of a rational
/// other than 1; mesh 0 stands for one value.
struct LossLattice {
  Rational mesh;
  Rational offset;
  std::optional<Rational> exp_unit;  ///< e^u, where u is not 1
};

/// Poisson-sampled Laplace noise: all there is to its law
/// (docs/proofs/discrete.md#sampled-laplace).
struct SampledLaplaceLaw {
  Rational ratio;  ///< sensitivity / scale
  Rational rate;   ///< in (0, 1)
  Direction direction;
};

/// Exact knowledge of a law, for the methods that are made for one kind of law. Nothing (null,
/// false) where it is not known, or not so.
struct LossFacts {
  /// L is Gaussian, with this mean mu = Delta^2 / (2 sigma^2) and the variance 2 mu.
  std::optional<Rational> gaussian_mean;
  /// The Gaussian mixture behind the pair.
  const GaussianMixture* gaussian_mixture = nullptr;
  /// The Gaussian mixture whose pair with its own mirror image (centres -c_i) this is.
  const GaussianMixture* mirrored_mixture = nullptr;
  /// The law itself, of these kinds.
  const TwoPointLoss* two_points = nullptr;
  const LaplaceLoss* laplace = nullptr;
  const RangeLoss* range = nullptr;
  const ReplacementLoss* replacement = nullptr;
  std::optional<SampledLaplaceLaw> sampled_laplace;
  /// A lattice that holds all finite values of L.
  std::optional<LossLattice> lattice;
  /// The greatest finite loss, where it is this rational.
  std::optional<Rational> greatest_loss;
  /// P(L = +inf) and Q(dP/dQ > 0), where they are these rationals.
  std::optional<Rational> mass_at_infinity;
  std::optional<Rational> q_mass;
  /// The outcome y, in units of the noise, beyond which a mixture's draws were moved to L = inf.
  std::optional<double> cut;
  /// greatest_loss() is infinite where nothing says that the losses have an end: they may have one.
  bool greatest_loss_unknown = false;
  /// p_atom() never has a positive lower end.
  bool atoms_unknown = false;
  /// Its distribution functions take longer than a contour integral of its moments.
  bool costly_tails = false;
  /// Its masses are stated by intervals, which no precision narrows.
  bool by_intervals = false;
  /// The bounds at points that made the law, where nobody stated them.
  const CurveBounds* curve_bounds = nullptr;
  /// Of a law of bounded moments alone: how each bound was proven, where that takes choices.
  const std::vector<MomentBound>* moment_bounds = nullptr;
  /// How many labels, numbers of replaced records in a batch, are taken one by one.
  std::optional<std::size_t> labels;
};

/// The atoms that are not certainly outside of the window.
std::vector<LossAtom> within(std::vector<LossAtom> atoms, const std::optional<LossWindow>& window);

/// A law that may take another one's place in a composition: the curve changes by at most `moved`
/// for each step in which it does.
struct FrequentLaw {
  std::shared_ptr<const PrivacyLoss> law;
  Ball moved;  ///< upper bound of the probability of the labels left out
};

class PrivacyLoss {
 public:
  PrivacyLoss() = default;
  PrivacyLoss(const PrivacyLoss&) = delete;  // facts may name members
  PrivacyLoss& operator=(const PrivacyLoss&) = delete;
  virtual ~PrivacyLoss() = default;

  const LossFacts& facts() const { return facts_; }

  /// Whether M is known: false for a law that answers its tails only, whose log_mgf and what is
  /// made of it throw std::logic_error. Accountants that need moments refuse it.
  virtual bool has_moments() const { return true; }

  /// log M(t) for real t where M is finite (all real t unless stated by the class).
  virtual Ball log_mgf(const Ball& t) const = 0;
  /// log M(z) on some branch: exp of it, and exp of integer multiples, are M(z) and its powers.
  virtual ComplexBall log_mgf(const ComplexBall& z) const = 0;

  /// P(L > x), the mass at infinity included, and Q(L > x).
  virtual Ball p_above(const Ball& x) const = 0;
  virtual Ball q_above(const Ball& x) const = 0;
  /// Both at many points, meant to be near each other: faster where a class knows how.
  virtual TailMasses tails_above(const std::vector<Ball>& points) const;
  /// P(L = x): the atom at the point x (0 for laws without atoms).
  virtual Ball p_atom(const Ball& x) const = 0;
  /// All of these at a rational point, at the working precision. Whether an atom lies at x, above
  /// or below is decided exactly where its loss is known to be rational or the logarithm of a
  /// rational. Proof: docs/proofs/tails.md#exact-points
  virtual PointMasses masses_at(const Rational& x) const;
  /// The atoms of L in a window, or all of them, sorted by the midpoints of their losses. Nothing
  /// where they are not known, or where there are infinitely many.
  virtual std::optional<std::vector<LossAtom>> atoms_in(
      const std::optional<LossWindow>& window) const;
  /// The density of the continuous part of L under P at x; nothing where there is no such formula.
  virtual std::optional<Ball> density(const Ball& x) const = 0;
  /// P(L = +inf).
  virtual Ball mass_at_infinity() const { return Ball(0); }
  /// P(L < inf) = M(0): 1 less the mass at infinity, or less than that for a part of a law.
  virtual Ball finite_mass() const { return Ball(1) - mass_at_infinity(); }
  /// Q(dP/dQ > 0) = M(-1).
  virtual Ball q_mass() const { return Ball(1); }
  /// Ends of the support of the finite part of L; +-inf where unbounded.
  virtual Ball least_loss() const = 0;
  virtual Ball greatest_loss() const = 0;
  /// mass_at_infinity() and q_mass() where they are known to be these rationals.
  std::optional<Rational> exact_mass_at_infinity() const;
  std::optional<Rational> exact_q_mass() const;
  /// The law with exact masses, where it is known and has few atoms; null otherwise.
  virtual std::shared_ptr<const ExactLaw> exact_law() const { return nullptr; }

  /// Hockey-stick divergence at one step: P(L > eps) - e^eps Q(L > eps), all eps.
  virtual Ball delta(const Ball& epsilon) const;

  /// The law with an event of P-probability at most about e^log_mass, rare draws that make high
  /// moments of L huge, moved to L = inf; null where there is no such form. Its curve lies above
  /// this one's, by at most the mass that was moved. Theorem: docs/proofs/cut.md#cut
  virtual std::shared_ptr<const PrivacyLoss> without_rare_draws(double log_mass) const;

  /// Where a public label is drawn first: the law without its rare labels, whose probability, at
  /// most about e^log_mass together, is given to the likeliest one; nothing where there are none.
  /// Proof: docs/proofs/rare_components.md#labels
  virtual std::optional<FrequentLaw> without_rare_labels(double log_mass) const;

  /// The law on its lattice, where L is a lattice variable; null otherwise. Masses and what lies
  /// outside the window (in `infinite` and in the first mass) are balls of the working precision:
  /// each mass is accurate relative to itself, and the window leaves out less than 2^-precision.
  virtual std::shared_ptr<const LatticeLaw> lattice() const;

  /// Atoms of a law without a continuous part, at the working precision; null for other laws. Where
  /// there are infinitely many, those that hold all but about e^-nats (heuristic) of Q, of P and of
  /// P tilted by any t in [0, tilt].
  virtual std::shared_ptr<const AtomicLaw> atoms(double tilt, double nats) const;

  /// The law of the pair after Poisson sampling at `rate` < 1 where this is the law of (P, Q), for
  /// one record: of ((1-rate) Q + rate P, Q) for remove, of (P, (1-rate) P + rate Q) for add; null
  /// where there is no form for it. Proof: docs/proofs/discrete.md#sampled
  virtual std::shared_ptr<const PrivacyLoss> sampled(const Rational& rate,
                                                     Direction direction) const;

  // ---- what the contour accountant asks (docs/proofs/straight_contour.md#periodisation)

  /// M(t + i k step) for k < count.
  virtual LineValues mgf_on_line(const Ball& t, const Ball& step, std::size_t count,
                                 LineAccuracy accuracy) const;
  /// Upper bound of |M(t + i s')| over all |s'| >= s >= 0, itself accurate to about e^{-nats}.
  /// The default is M(t).
  virtual Ball mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const;
  /// The same where `mgf_above`, an upper bound of M(t), is known: at most that.
  virtual Ball mgf_bound_beyond_below(const Ball& t, const Ball& s, double nats,
                                      const Ball& mgf_above) const {
    return min(mgf_bound_beyond(t, s, nats), mgf_above).upper();
  }
  /// Upper bound of M(t), accurate to about e^{-nats} of it, at the precision that this takes.
  virtual Ball mgf_upper(const Ball& t, double nats) const;

  virtual CumulantEstimate estimate_cumulant(double t) const = 0;
  /// The same with more derivatives, to nearly all digits of a double; nothing where the law has no
  /// such formula in doubles.
  virtual std::optional<CumulantEstimates> estimate_cumulants(double t) const;
  /// log(mgf_bound_beyond(t, s) / M(t)) <= 0, in floating point.
  virtual double estimate_log_decay(double t, double s) const = 0;
  /// Integration points mgf_on_line would need up to height s.
  virtual double estimate_line_points(double t, double s, double nats) const = 0;
  /// Cost of such a point relative to one of a Gaussian mixture, without products at the nodes.
  virtual double price_of_line_point() const { return 5; }

  /// Text for messages. Two laws may have the same: no bound may rest on it.
  virtual std::string describe() const = 0;

 protected:
  LossFacts facts_;  ///< set by constructors
};

}  // namespace plaudit
