// Laws of a loss that ends at two atoms: for Im z > 0
//   M(z) = e^(z top) U(z) + e^(z bottom) V(z),
// where U and V are analytic, and bounded for Im z >= y by numbers U*(y), V*(y).
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

/// Values on the line Re z = t up to the height, and U and V, are wanted to about e^-nats.
struct EndAccuracy {
  double nats = 40;
  double t = 1;
  double height = 1;
};

/// Heuristic: nominal seconds.
struct EndCosts {
  double near_node = 2e-5;  ///< of a value on the line
  double far_node = 2e-5;   ///< of U and V beside t + i height, where they cost most
  double bits = 0;          ///< beyond the working precision, with which U and V are computed
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
  /// U and V, Im z > 0.
  virtual TwoEnds<ComplexBall> ends(const ComplexBall& z) const = 0;
  /// Upper bounds of |U| and |V| for all Im z >= height > 0.
  virtual TwoEnds<Ball> sizes(const Ball& height) const = 0;
  /// M(t + i (middle + offset)) for many offsets, at heights from 0 to that of what was prepared.
  /// Faster where the offsets are those of the last call.
  virtual std::vector<ComplexBall> values(const Ball& t, const Ball& middle,
                                          const std::vector<Ball>& offsets) = 0;
  /// Before any of these: how accurate they are to be.
  virtual void prepare(const EndAccuracy&) {}
  virtual EndCosts costs(const EndAccuracy&) const { return {}; }

 protected:
  TwoEnds<Ball> losses_;
};

struct EndPower {
  std::unique_ptr<EndLaw> law;
  std::uint64_t count;
};

/// Whether the law is one of those three, without a mass at infinity.
bool has_two_ends(const PrivacyLoss& loss);

/// The factors of which that holds, at the working precision, by increasing powers.
std::vector<EndPower> end_laws(const ComposedLoss& loss);

/// The other factors.
std::vector<ComposedLoss::Term> terms_beside_ends(const ComposedLoss& loss);

}  // namespace plaudit
