// Privacy loss of a Gaussian mixture pair with at least two components, in one direction.
// remove: L = log f(Y), Y ~ P, M(z) = A(1 + z); add: L = -log f(Y), Y ~ Q, M(z) = A(-z), with f
// and A as in mixture_integral.hpp. f is increasing, so one root of f = e^{+-x} gives the
// distribution functions (docs/proofs/hockey_stick.md#mixture).
#pragma once

#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/mixtures/likelihood_ratio.hpp"
#include "mechanisms/mixtures/mixture_integral.hpp"
#include "mechanisms/strip/integral_loss.hpp"

namespace plaudit {

class MixtureLoss final : public IntegralLoss, public std::enable_shared_from_this<MixtureLoss> {
 public:
  MixtureLoss(GaussianMixture mixture, Direction direction);

  const GaussianMixture& mixture() const { return mixture_; }
  Direction direction() const { return direction_; }
  /// Encloses u with L = x at y = u (remove) or y = -u (add), so that L increases in u; -inf / +inf
  /// where there is none, nothing when undecided.
  std::optional<Ball> place(const Ball& x) const;

  Ball delta(const Ball& epsilon) const override;
  Ball p_above(const Ball& x) const override;
  Ball q_above(const Ball& x) const override;
  TailMasses tails_above(const std::vector<Ball>& points) const override;
  std::optional<Ball> density(const Ball& x) const override;
  Ball least_loss() const override;
  Ball greatest_loss() const override;
  std::shared_ptr<const PrivacyLoss> without_rare_draws(double log_mass) const override;
  Ball mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const override;
  Ball mgf_bound_beyond_below(const Ball& t, const Ball& s, double nats,
                              const Ball& mgf_above) const override;
  std::optional<CumulantEstimates> estimate_cumulants(double t) const override;
  double price_of_line_point() const override { return 1; }
  std::string describe() const override;

  /// Upper bound of |A(r + is')| over |s'| >= s >= 0: that of the integral up to `end` > 0 on a
  /// shifted line, and the integral of moduli beyond it. Any end is valid, and any eta: the shift,
  /// or 0 for one to be chosen. @param whole upper bound of A(r).
  Ball bound_by_parts(const Ball& r, const Ball& s, double nats, const Ball& whole, double end,
                      double eta = 0) const;

 private:
  const StripIntegral& integral() const override { return integral_; }
  bool removes() const { return direction_ == Direction::remove; }
  /// Encloses y with f(y) = e^x; -inf where e^x <= f(-inf), +inf for +inf; nothing when undecided.
  std::optional<Ball> root(const Ball& x) const { return root(*integral_.ratio(), x); }
  std::optional<Ball> root(const LikelihoodRatio& f, const Ball& x) const;
  Ball upper_mass(const Ball& y, bool mixture_side) const;
  Ball above(const Ball& x, bool mixture_side) const;
  /// A point beyond the last maximum of phi f^r, from which on it is e^-nats of A(r), about.
  double end_of_part(double r, double nats) const;

  GaussianMixture mixture_;
  Direction direction_;
  MixtureIntegral integral_;
};

/// The mixture that a law is, of which s may be irrational: then no fact names it. Null for others.
const GaussianMixture* rooted_mixture(const PrivacyLoss& loss);

}  // namespace plaudit
