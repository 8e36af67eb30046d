// Few compositions and rare events, for Gaussian mixtures with a component at 0 and Gaussians:
//   delta(eps) = (c / 2 pi i) int e^(-kappa w) e^(mu w(w-1)) prod At_i(w)^(n_i) / (w (w-1)) dw
// by the trapezoidal rule on a hyperbola in w, each At_i by one on a path in y. remove: kappa = eps
// + sum n_i lambda_i, c = e^eps; add: kappa = sum n_i lambda_i - eps, c = 1; lambda = -log p_0.
//
// docs/certificates/bent.md has the theorem; its sections are named in brackets. Errors: of both
// rules in w and in y (strips of analyticity), of what both leave out (bounds by arcs and pieces).
#pragma once

#include <vector>

#include "accountants/proof/kinds/hyperbola_path.hpp"
#include "accountants/proof/kinds/proof.hpp"

namespace plaudit::proof {

/// What is composed, in one direction.
struct HyperbolaLaw {
  bool removes = true;
  Rational mean = 0;  ///< mu: sum of count rate^2 / 2 over the Gaussian factors
  std::vector<MixtureLaw> mixtures;
};

struct HyperbolaChoices {
  Rational center, scale, angle;   ///< w(x) = center + scale sin(angle + ix)
  Rational strip;                  ///< |Im x| up to which it is used, below the angle
  Rational step;                   ///< between nodes
  long per_arc = 1;                ///< steps of an arc
  long arcs = 1;                   ///< with nodes, from x = 0
  long arcs_beyond = 0;            ///< without, before the closed form of all that follows
  std::vector<PathChoices> paths;  ///< one for each mixture
};

inline constexpr ErrorTerm hyperbola_quadrature_term{"bent.quadrature_z",
                                                     "docs/certificates/bent.md#assembly"};
inline constexpr ErrorTerm hyperbola_truncation_term{"bent.truncation",
                                                     "docs/certificates/bent.md#arc-integrals"};
inline constexpr ErrorTerm hyperbola_path_term{"bent.quadrature_y",
                                               "docs/certificates/bent.md#quadrature-in-y"};
inline constexpr ErrorTerm hyperbola_tails_term{"bent.tails",
                                                "docs/certificates/bent.md#quadrature-in-y"};

/// All that does not depend on epsilon is made once; then any epsilon is answered.
template <class Real>
class HyperbolaSum {
 public:
  /// Cuts the paths into pieces. @throws Rejected where a hypothesis is not certain.
  HyperbolaSum(const HyperbolaLaw& law, const HyperbolaChoices& choices, Budget& budget);

  /// Of all paths.
  std::size_t pieces() const;
  long nodes() const { return choices_.arcs * choices_.per_arc + 1; }
  /// -sum n_i log p_0,i - or + eps.
  Real kappa(const Real& epsilon) const { return law_.removes ? loss_ + epsilon : loss_ - epsilon; }

  /// The bounds of arcs, and the integrand at the nodes: at the working precision.
  void prepare();
  /// Afterwards. @throws Rejected unless kappa(epsilon) is positive, and where a hypothesis that
  /// depends on it is not certain.
  ProofOf<Real> at(const Real& epsilon) const;

 private:
  using Complex = ComplexOf<Real>;
  /// |F| on an arc, and what e^{-kappa w} makes of it: at most weight e^{-kappa real}.
  struct Bound {
    Real weight, real;
  };
  /// Beyond the last arc: products of the factors, of the Gaussian ones, and the divisor.
  struct Beyond {
    Real products, gaussian, center, rise, divisor;
  };
  struct Edge {
    std::vector<Bound> arcs;
    Beyond beyond;
  };
  struct Node {
    Complex w, value;        ///< value: (Pi - s) w' / (w (w-1)) step, without e^{-kappa w}
    Real real;               ///< Re w
    Real quadrature, tails;  ///< error bounds of the value
  };

  void check_strip() const;
  Real place(long steps) const { return Real(Rational(choices_.step * steps)); }
  Real edge(long arc) const { return place(arc * choices_.per_arc); }
  Bound on_arc(const Hyperbola<Real>& hyperbola, long i) const;
  Beyond beyond(const Hyperbola<Real>& hyperbola) const;
  Edge on_edge(const Hyperbola<Real>& hyperbola, long first) const;
  void make_nodes();
  Real integral(const Edge& edge, const Real& kappa, const Real& rate) const;
  /// Their sum. @param front c / pi
  Real add_errors(const Real& kappa, const Real& front, ProofOf<Real>& proof) const;

  HyperbolaLaw law_;
  HyperbolaChoices choices_;
  Budget* budget_;
  bool plain_;  ///< s = 0, with Gaussian factors; otherwise s = 1 is subtracted from Pi
  std::vector<MixturePath<Real>> paths_;
  std::vector<Hyperbola<Real>> hyperbolas_;  ///< inner, middle, outer
  Real loss_, growth_;
  Edge inner_, outer_, omitted_;  ///< at the angles g-, g+, and gamma beyond the last node
  std::vector<Node> nodes_;
};

}  // namespace plaudit::proof
