// delta(eps) by the residue-corrected trapezoid on a vertical line Re z = t (the line).
//
// docs/proofs/straight_contour.md#periodisation: with z_k = t + i k h, P = 2 pi / h,
//   D(eps) = (h / pi) Re sum'_{k>=0} e^{-z_k eps} M(z_k) / (z_k (1 + z_k))
//            - m0 / (e^{tP} - 1) + q0 e^eps / (e^{(t+1)P} - 1)
// exceeds the finite part of delta(eps) by the two aliases A+ + A-, bounded by Chernoff. Without
// the last term it exceeds it by A+ - B; that is the better form for many compositions, where
// e^eps is huge and L keeps away from its left half. On a one-sided line (#one-sided) the period
// reaches to an end of the support: one alias is 0, the other a factor of delta itself. The nodes
// beyond N by #truncation; the values M(z_k) by #line-quadrature; rounding by ball arithmetic.
// The nodes do not depend on eps: one object answers a whole range of eps rigorously, tightly near
// the eps it was made for.
#pragma once

#include <memory>
#include <vector>

#include "accountants/accountant.hpp"
#include "accountants/contour/line_aliases.hpp"
#include "accountants/contour/rough_line.hpp"
#include "accountants/contour/straight_choice.hpp"
#include "accountants/sweep/line_sweep.hpp"
#include "lib/balls/error_term.hpp"

namespace plaudit {

/// What the values at the nodes add to the radius: in the ledger of every band from a line.
inline constexpr ErrorTerm line_quadrature_term{
    "contour.quadrature", "docs/proofs/straight_contour.md#line-quadrature (part of the radius)"};

class StraightContour {
 public:
  StraightContour(const ComposedLoss& loss, CumulantTable& table, double epsilon,
                  const StraightChoice& choice);
  /// The same for a composition that has one more Gaussian mechanism, of this mean loss.
  StraightContour(const StraightContour& other, const ComposedLoss& loss, CumulantTable& table,
                  const Rational& mean);
  /// The same for a composition that has these terms more, of which alone values are computed. The
  /// other line has no sweep().
  StraightContour(const StraightContour& other, const ComposedLoss& loss, CumulantTable& table,
                  const std::vector<ComposedLoss::Term>& more);

  /// Encloses the total delta at an exact (or ball) epsilon.
  Enclosure delta(const Ball& epsilon);
  /// About the total delta: the sum alone, without bounds.
  Ball middle(const Ball& epsilon) const;
  /// The same in floating point; nothing where nodes far up the line matter.
  std::optional<RoughLine> rough() const;
  const StraightChoice& choice() const { return choice_; }
  /// M(z_k) / (z_k (1 + z_k)) for k = 0, 1, ..., the first one halved.
  const std::vector<ComplexBall>& nodes() const { return nodes_; }
  /// An upper bound of log |M| at all nodes left out, where sweep() is null.
  const Ball& log_decay() const { return log_decay_; }
  LineAliases& aliases() { return aliases_; }
  /// The precision at which nodes were made and at which delta() works.
  long bits() const { return bits_; }
  /// What was done beyond the nodes; null where |M| falls for good.
  const std::shared_ptr<const LineSweep>& sweep() const { return sweep_; }

 private:
  Ball corrected_sum(const Ball& epsilon) const;
  void multiply_by(const ComposedLoss::Term& term, double nats, std::vector<Ball>& relative);
  void sweep_beyond(const Ball& t, const Ball& h);
  void fall_beyond(const ComposedLoss::Term& term, const Ball& mgf_above);

  const ComposedLoss& loss_;
  StraightChoice choice_;
  long bits_ = 64;
  std::vector<Ball> mgf_above_;  ///< upper bounds of the M(t) of the terms that were multiplied by
  std::vector<ComplexBall> nodes_;
  Ball node_quadrature_;  ///< sum of the quadrature errors over the nodes
  struct FarNode {
    long index;
    ComplexBall value;
  };
  std::vector<FarNode> far_nodes_;  ///< those that matter beyond the others
  /// Stands for log prod B_i^n_i in the bound of the nodes left out (#truncation); after a sweep
  /// log M(t) - nats + log(1 + log(last / N)) (pinch.md#sweep), and far_nodes_ are not left out.
  Ball log_decay_;
  mutable LineAliases aliases_;
  std::shared_ptr<const LineSweep> sweep_;
};

}  // namespace plaudit
