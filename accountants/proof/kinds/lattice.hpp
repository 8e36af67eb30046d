// Sums of losses on a lattice b + aZ, exactly: one period of the contour, K nodes, is all of it.
//
// docs/proofs/lattice.md#folding: with W = aK, z_k = t + 2 pi i k / W and l0 the least lattice
// point above eps,
//   T(eps) = (1/K) sum_k M(z_k) [e^{-z_k l0} / (1 - e^{-a z_k})
//                                - e^{eps - (z_k+1) l0} / (1 - e^{-a (z_k+1)})]
// over one period is delta up to the aliases, which have bounds; nothing is truncated. The terms k
// and K - k are conjugate. Ranges of k may be bounded instead of summed. As certificates have it:
// docs/certificates/lattice.md. What the laws are is asked of LatticeFactor.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "accountants/proof/kinds/lattice_factor.hpp"
#include "accountants/proof/kinds/proof.hpp"

namespace plaudit::proof {

struct LatticeRange {
  long last;    ///< its first index is the one after the last of the range before it
  bool summed;  ///< or bounded as a whole
};

struct LatticeChoices {
  Rational tilt = 1;                      ///< t > 0
  Rational right_order = 2;               ///< > t: of the moment that bounds the right alias
  Rational left_order = 1;                ///< in (0, 1]: of the one that bounds the left alias
  long period = 1;                        ///< K
  std::vector<LatticeRange> ranges = {};  ///< of the indices 0 .. floor(K / 2)
};

inline constexpr ErrorTerm right_alias_term{"lattice.right.aliasing",
                                            "docs/proofs/lattice.md#folding (right)"};
inline constexpr ErrorTerm left_alias_term{"lattice.left.aliasing",
                                           "docs/proofs/lattice.md#folding (left)"};
inline constexpr ErrorTerm spectrum_term{
    "lattice.spectrum", "docs/proofs/lattice.md#spectrum (values that are only bounded)"};

inline constexpr long longest_period = 1L << 22;

/// @throws Rejected where the choices are out of range.
void check_choices(const LatticeChoices& choices);

template <class Real>
class LatticeContour {
 public:
  using Factors = std::vector<std::unique_ptr<LatticeFactor<Real>>>;

  /// Takes the nodes' values of the factors. @param line of the choices' tilt and period; it
  /// outlives this. @param step its mesh a.
  LatticeContour(Factors factors, const PeriodLine<Real>& line, Number<Real> step,
                 LatticeChoices choices, Budget& budget);

  /// @throws Rejected where the precision does not tell points of the lattice apart.
  ProofOf<Real> at(const Number<Real>& epsilon);
  /// Other orders of the aliases than those of the choices, from now on.
  void set_orders(const Rational& right, const Rational& left);

  const std::vector<long>& nodes() const { return indices_; }
  const Real& infinite() const { return infinite_; }

 private:
  struct Sum {
    Real value;
    Real bounded;  ///< of the terms that are not summed
  };
  struct Weight {          ///< of a node
    ComplexOf<Real> near;  ///< prod F^n / (1 - e^{-a z}), twice but for real nodes
    ComplexOf<Real> far;   ///< prod F^n / (1 - e^{-a (z+1)})
  };
  struct Turned {  ///< the sums over the nodes for l0 = b + a index
    Integer index;
    Real near;
    Real far;
  };

  const Turned& turned_to(const Integer& index);
  void add_masses();
  void add_node(long k);
  void add_bounded(long first, long last);
  ComplexOf<Real> product(long k) const;
  Sum from(const Integer& index, const Real& epsilon);
  Real width() const { return line_.step * Real(choices_.period); }
  /// Whether all losses are at most epsilon + W: then there is no right alias.
  bool ends_before(const Number<Real>& epsilon) const;
  /// log M(order).
  const Real& log_moment(const Rational& order);
  /// A bound of A_+ respectively B of docs/proofs/straight_contour.md#one-residue.
  Real right_alias(const Real& epsilon, const Rational& order);
  Real left_alias(const Real& epsilon, const Rational& order);
  /// The curve from its value up to these errors, which are charged.
  ProofOf<Real> bounded(const Real& value, const Real& right, const Real& left,
                        const Real& unseen) const;

  Factors factors_;
  const PeriodLine<Real>& line_;
  Number<Real> step_;
  LatticeChoices choices_;
  Budget& budget_;
  Number<Real> offset_;
  Real finite_;
  Real infinite_;
  std::optional<Integer> last_;  ///< the greatest loss is b + a last
  Real damp_near_;               ///< e^{-a t}
  Real damp_far_;                ///< e^{-a (t+1)}
  std::vector<long> indices_;    ///< of the nodes
  std::vector<Weight> weights_;
  Real bounded_near_;  ///< sum over the bounded ranges of their size / |1 - e^{-a z}|
  Real bounded_far_;
  std::vector<std::pair<Rational, Real>> log_moments_;
  std::optional<Turned> turned_;  ///< the last ones
};

}  // namespace plaudit::proof
