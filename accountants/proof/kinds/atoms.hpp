// Compositions of laws without a continuous part, whatever their losses: the sum over all
// combinations of atoms, in two halves.
//
// docs/proofs/atom_sum.md#halves: a combination of atoms of one half of the steps has a loss l and
// the masses p and q under the two hypotheses. Over the pairs of a combination a of the outer half
// and i of the inner one,
//   delta(eps) = m_inf + sum (p_a p_i - e^eps q_a q_i)_+.
// Combinations may be left out: what they contribute is bounded by the moment of order t that they
// have (#left-out), for t = 0 their mass. Combinations whose order is not decided may be merged
// (#merged). Everything else is rounding.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "accountants/proof/arithmetic/budget.hpp"
#include "accountants/proof/kinds/proof.hpp"

namespace plaudit::proof {

/// A value of the loss that has positive probability: P(L = loss) = p, Q(L = loss) = q.
template <class Real>
struct AtomOf {
  Real loss;
  Real p;
  Real q;
};

/// The draws from one law that are in one half.
struct AtomShare {
  std::uint64_t draws = 0;
  /// Of each atom the least and the greatest number of draws that are kept.
  std::vector<std::uint64_t> lows = {};
  std::vector<std::uint64_t> highs = {};
  /// Estimated logs of the probabilities of the atoms, where combinations are left out by them.
  std::vector<double> logs = {};
  /// Which outcomes of discrete noise the atoms are: from the first to the last one.
  std::optional<std::pair<long, long>> outcomes = {};
};

struct AtomsChoices {
  std::vector<AtomShare> outer = {};  ///< of each factor
  std::vector<AtomShare> inner = {};
  Rational tilt = 0;  ///< >= 0: order of the moment that bounds what is left out
  /// Combinations whose estimated probability is below e^least are left out.
  double least = -std::numeric_limits<double>::infinity();
  bool merged = false;  ///< whether combinations whose order is not decided are merged
};

inline constexpr ErrorTerm atoms_left_out_term{"atom_sum.left_out",
                                               "docs/proofs/atom_sum.md#left-out"};

/// The combinations of one half, by increasing loss.
template <class Real>
struct AtomPoints {
  /// Combinations whose losses lie in `loss`: their masses, and E_P[e^(tilt L)] over them.
  struct Point {
    Real loss;
    Real p;
    Real q;
    std::optional<Real> tilted;  ///< that expectation; none where the tilt is 0: it is p then
    double log = 0;              ///< of the estimated probability
  };

  /// At the working precision.
  /// @param laws atoms of each factor, as the shares count them. @param most combinations.
  /// @throws Rejected where there are more, or none, or the choices are out of range.
  AtomPoints(const std::vector<std::vector<AtomOf<Real>>>& laws,
             const std::vector<AtomShare>& shares, const AtomsChoices& choices, std::size_t most,
             Budget& budget);

  Real tilted_mass() const;

  std::vector<Point> points;
  bool whole = true;  ///< no combination of these atoms is missing
};

/// What the sum knows of a composition.
template <class Real>
struct AtomicLaws {
  const std::vector<std::vector<AtomOf<Real>>>& outer;  ///< atoms of each factor
  const std::vector<std::vector<AtomOf<Real>>>& inner;
  bool whole;                    ///< whether these are all atoms of all factors
  Real infinite;                 ///< P(L = inf)
  std::function<Real()> moment;  ///< E_P[e^(tilt L); L < inf]: asked for where atoms are left out
};

template <class Real>
class AtomSum {
 public:
  AtomSum(const AtomicLaws<Real>& laws, const AtomsChoices& choices, std::size_t most,
          Budget& budget);

  /// Bounds of delta(epsilon).
  ProofOf<Real> at(const Real& epsilon, Budget& budget) const;
  /// Pairs of combinations for which it is not decided whether their loss exceeds epsilon: they are
  /// summed one by one.
  Integer undecided(const Real& epsilon) const;

  std::size_t outer_points() const { return outer_.points.size(); }
  std::size_t inner_points() const { return inner_.points.size(); }

 private:
  /// The inner points from `certain` on certainly have losses above a bound, those before
  /// `possible` certainly have not; possible <= certain.
  struct Cut {
    std::size_t possible = 0;
    std::size_t certain = 0;
  };
  void move(Cut& cut, const Real& bound) const;

  AtomPoints<Real> outer_;
  AtomPoints<Real> inner_;
  std::vector<Real> least_;   ///< from each inner point on no loss is below it
  std::vector<Real> most_;    ///< up to each inner point no loss is above it
  std::vector<Real> p_from_;  ///< sums over the inner points from each one on
  std::vector<Real> q_from_;
  Rational tilt_;
  bool merged_;
  Real infinite_;
  Real missing_ = 0;  ///< E_P[e^(tilt L); L < inf] over what was left out, from above
};

}  // namespace plaudit::proof
