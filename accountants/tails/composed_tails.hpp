// P(L > x), Q(L > x), P(L = x) and quantiles of a composition, from certified values of delta.
//
// delta is a convex function of u = e^eps, and its right and left slopes are -Q(L > eps) and
// -Q(L >= eps). So secants of delta on either side of x bound both, from below and from above,
// whichever accountants proved the values; where no loss lies between the ends of a secant, it is
// the slope itself. P(L > x) = delta(x) + e^x Q(L > x). Where the moment generating function falls
// along a line, its nodes are asked first (tail_line): they cost fewer digits than secants do.
// Proof: docs/proofs/tails.md#secants
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "accountants/atoms/exact_product.hpp"
#include "accountants/session/answer.hpp"
#include "accountants/tails/tail_line.hpp"
#include "lib/analysis/crossing.hpp"

namespace plaudit {

struct ComposedMasses {
  Span p_above;  ///< P(L > x), the mass at infinity included
  Span q_above;  ///< Q(L > x)
  Span p_atom;   ///< P(L = x)
};

/// Of one direction. Not thread-safe. Every function honours the limits in force, and what it
/// gives is an enclosure however early it is ended.
class ComposedTails {
 public:
  /// @param timeout_seconds for each value of delta.
  ComposedTails(const Composition& composition, Direction direction, double timeout_seconds);

  ComposedTails(const ComposedTails&) = delete;  // its line refers to its composition
  ComposedTails& operator=(const ComposedTails&) = delete;

  /// Towards `digits` significant digits. They are reached at a point of continuity, where all
  /// losses lie on one known lattice, where all factors are finite laws known exactly with not too
  /// many outcomes, and where the atoms of all factors are few and rational;
  /// elsewhere P(L > x) and Q(L > x) are known up to the mass of the atom at x.
  ComposedMasses at(const Rational& x, int digits);
  /// The privacy curve.
  Span delta(const Rational& epsilon, int digits);
  /// The least x with P(L <= x) >= p, 0 < p < 1: infinite where p exceeds P(L < infinity).
  Crossing quantile(const Rational& p, int digits);
  /// The atoms with losses in the window, where all losses lie on one known lattice of rationals;
  /// nothing where they do not, or the window has too many of its points.
  std::optional<std::vector<LossAtom>> atoms(const LossWindow& window, int digits);
  /// The density of L under P at x; nothing where no bound of its second derivative is known.
  std::optional<Span> density(const Rational& x, int digits);

 private:
  /// Where delta is asked: the secant over `right` is at most Q(L > x), that over `left` at least
  /// Q(L >= x); where it is `exact`, they are equal to them.
  struct Secants {
    std::pair<Rational, Rational> right;
    std::pair<Rational, Rational> left;
    bool exact;
  };

  std::optional<Secants> on_lattice(const Rational& x) const;
  bool has_rational_lattice() const {
    return lattice_ && lattice_->mesh != 0 && !lattice_->exp_unit;
  }
  std::optional<ComposedMasses> at_ends(const Rational& x) const;
  std::optional<ComposedMasses> of_outcomes(const Rational& x, int digits);
  std::optional<Ball> known_atom(const Rational& x);
  /// Narrows what is known by the nodes of a line. @returns whether the digits were reached.
  bool on_line(const Rational& x, int digits, ComposedMasses& best);
  Crossing on_points(const Crossing& found) const;
  /// The quantile where all losses are rational points of one lattice, by bisection of its points;
  /// nothing where they are not, or the values near one point do not decide.
  std::optional<Rational> quantile_on_lattice(const Rational& rest, int digits);
  Span slope(const std::pair<Rational, Rational>& ends, int digits);
  ComposedMasses masses(const Rational& x, const Secants& secants, int digits);

  Composition composition_;
  ComposedLoss loss_;
  AnswerOptions options_;
  std::optional<LossLattice> lattice_;
  std::vector<std::string> accountants_;  ///< that are asked, in turn
  std::map<std::pair<int, std::string>, Session> sessions_;
  std::map<std::pair<int, Rational>, Span> known_;
  std::unique_ptr<ExactProduct> product_;  ///< where there is no lattice
  std::optional<std::map<Rational, Ball>> atoms_;
  long atoms_bits_ = 0;             ///< the precision of these
  std::unique_ptr<TailLine> line_;  ///< the latest one
};

}  // namespace plaudit
