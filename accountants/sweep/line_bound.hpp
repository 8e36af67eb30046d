// beta(s) = |M(t+is)| / M(t) of one law along the line Re z = t, bounded over intervals of s.
//
// It changes by at most E_t|L - c| |ds|, for any c and the mean E_t under P tilted by e^{tL}, so
// that the value in the middle of an interval bounds all of it. Laws with atoms are walked in
// binary64 with a proven error; on a lattice one period is tabulated; closed forms are evaluated in
// balls. Proof: docs/proofs/pinch.md#sweep, docs/proofs/pinch.md#rotation,
// docs/proofs/pinch.md#period
#pragma once

#include <memory>
#include <vector>

#include "mechanisms/laws/atomic_law.hpp"
#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

/// beta of one law over intervals of s.
class LineBound {
 public:
  virtual ~LineBound() = default;
  /// Upper bounds, at most 1, over |s - middle| <= half for the middles first + b step, b < count,
  /// all exact.
  virtual std::vector<double> along(const Ball& first, const Ball& step, double half,
                                    std::size_t count) const = 0;
  /// The same, faster and with greater bounds where the law allows that.
  virtual std::vector<double> coarsely(const Ball& first, const Ball& step, double half,
                                       std::size_t count) const {
    return along(first, step, half, count);
  }
  /// M(t + is) / M(t), as narrow as the precision was at which the bound was made.
  virtual ComplexBall ratio(const Ball& s) const = 0;
  /// The same at many s, to so many bits where that is faster.
  virtual std::vector<ComplexBall> ratios(const std::vector<Ball>& s, long bits) const;
  /// Change per unit of s of the part whose value is taken in the middle: lengths of blocks and
  /// cells are chosen by it. What is bounded besides (atoms left out, a density) may change faster.
  virtual double slope() const = 0;
};
/// Null for laws that are neither atoms, not too many, nor of bounded support in closed form, nor
/// Poisson-sampled Laplace noise. @param t exact. @param spared the weight of the atoms that
/// coarsely() may leave out and add to its bounds.
std::unique_ptr<LineBound> line_bound(const PrivacyLoss& loss, const Ball& t, double spared = 0);
/// Of these atoms alone, divided by the M(t) of `loss`; what they leave out of it is in the bounds
/// unless the law says that it is whole.
std::unique_ptr<LineBound> atoms_bound(const PrivacyLoss& loss, const AtomicLaw& law, const Ball& t,
                                       double spared = 0);

}  // namespace plaudit
