// Laws of a loss that ends at two atoms: for Im z > 0
//   M(z) = e^(z top) U(z) + e^(z bottom) V(z),
// where U and V are analytic, and bounded by what they are at most at each height.
//
// Laplace noise, its Poisson samples, and laws of two atoms alone are such.
// Theorem: docs/proofs/turned_line.md#ends
#pragma once

#include <memory>
#include <vector>

#include "lib/balls/complex_ball.hpp"
#include "lib/balls/error_term.hpp"
#include "mechanisms/composition.hpp"

namespace plaudit {

inline constexpr ErrorTerm end_fraction_term{"turned_laplace.fraction",
                                             "docs/proofs/turned_line.md#fraction"};
inline constexpr ErrorTerm end_values_term{"turned_laplace.values",
                                           "docs/proofs/laplace.md#sampled-values"};

/// How accurate values are to be, and up to which height those on the line are wanted.
struct EndAccuracy {
  double nats = 40;
  double t = 1;
  double height = 1;
};

template <class Number>
struct TwoEnds {
  Number top;
  Number bottom;
};

class EndLaw {
 public:
  virtual ~EndLaw() = default;

  /// The atoms, the greater one on top.
  const TwoEnds<Ball>& losses() const { return losses_; }
  /// U and V. The radius of z is widened by a few bits for each term: z should be near exact.
  virtual TwoEnds<ComplexBall> ends(const ComplexBall& z) const = 0;
  /// Upper bounds of |U| and |V| for all Im z >= height > 0.
  virtual TwoEnds<Ball> sizes(const Ball& height) const = 0;
  /// M(z) for Re z = t and 0 <= Im z <= height of the accuracy.
  virtual ComplexBall value(const ComplexBall& z) const = 0;
  /// Heuristic: from which height on U and V cost little.
  virtual double easy_height() const { return 0; }
  /// Heuristic: bits by which U and V widen the radius of z, from that height on.
  virtual long bits_lost(const EndAccuracy&) const { return 0; }

 protected:
  TwoEnds<Ball> losses_;
};

struct EndPower {
  std::unique_ptr<const EndLaw> law;
  std::uint64_t count;
};

/// Whether all factors are such laws, without a mass at infinity.
bool has_end_laws(const ComposedLoss& loss);

/// The factors, at the working precision; the one of the greatest power is the last.
std::vector<EndPower> end_laws(const ComposedLoss& loss, const EndAccuracy& accuracy);

}  // namespace plaudit
