// The density of l = log f(Y) for a Gaussian mixture pair, tilted: with y = y(l) the root of
// f(y) = e^l, a(y) the mean rate there and r = 1 + t (remove) or -t (add),
//   G(l) = phi(y) e^{r l} / a(y),      A(r + i s) = int G(l) e^{i s l} dl = M(t +- i s);
// G(l) = e^{t x} w(x) at the loss x = l (remove) or x = -l (add), w its density.
// What Riemann sums of G need: values on a lattice, the terms left out at both ends, and
// |A(r + i s)| <= C / s^4 (docs/proofs/fourier.md#tails, #far).
#pragma once

#include <functional>

#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/mixtures/likelihood_ratio.hpp"
#include "mechanisms/mixtures/mixture_estimate.hpp"
#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

class MixtureDensity {
 public:
  /// At the working precision in force.
  MixtureDensity(const GaussianMixture& mixture, const Ball& r);

  /// Lattice points first .. last, and an upper bound of d sum G(j d) over all others.
  struct Window {
    long first = 0;
    long last = 0;
    Ball outside;
    double points() const { return static_cast<double>(last) - static_cast<double>(first) + 1; }
  };
  /// Chosen so that about e^{-nats} A(r) is left outside; d > 0.
  /// @throws std::domain_error where no bound of the tails is found.
  Window window(const Ball& d, double nats) const;

  /// Calls sink(j, value) with value enclosing e^{-scale} d G(j d), j = first .. last.
  /// @throws std::domain_error where a value has no finite enclosure.
  void sample(const Ball& d, const Window& window, const Ball& scale,
              const std::function<void(long, const Ball&)>& sink) const;

  /// Calls sink(j, y) with y enclosing the root of log f(y) = (j - 1/2) d, j = first .. last + 1:
  /// the ends of the cells around the lattice points; -inf where there is no root.
  /// @throws std::domain_error where a root has no enclosure.
  void cell_ends(const Ball& d, long first, long last,
                 const std::function<void(long, const Ball&)>& sink) const;

  /// C with |A(r + i s)| <= C / s^4 for all real s != 0, from an upper bound of A(r + 4).
  Ball fourth_order(const Ball& moment) const;

 private:
  struct Root {
    Ball y;
    Ball rate;  ///< D'/D at y, D = f - f(-inf)
  };
  /// The root y of D(y) = e^log_rest. @param near where Newton's rule begins, and then where it
  /// ended: the start for a neighbour. Proof: docs/proofs/fourier.md#root
  Root root(const Ball& log_rest, double& near) const;

  LikelihoodRatio f_;
  MixtureEstimate estimate_;
  Ball r_;
  Ball varying_;  ///< 1 - f(-inf)
  // The components with positive rates.
  std::vector<Ball> rates_;
  std::vector<Ball> weights_;
  Ball inverse_rate_;  ///< of the first one; with log_weight_ the root where it is the only one
  Ball log_weight_;
  std::vector<double> near_rates_;  ///< in doubles, for Newton's rule
  std::vector<double> near_log_weights_;
};

}  // namespace plaudit
