// The law of a composition with few outcomes, exactly, and the values of its curve that are
// rational numbers.
//
// Factors whose law is known exactly are multiplied out. Of the others only the least and greatest
// loss and rational masses are needed: a value is found where they move no outcome of the product
// from one side of epsilon to the other. Proof: docs/proofs/ties.md#sides
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "mechanisms/composition.hpp"

namespace plaudit {

class ExactProduct {
 public:
  /// @param work what it may cost, in multiplications of short numbers (about 0.5 microseconds).
  /// @return null where the losses are not as above, or that is too little.
  static std::unique_ptr<ExactProduct> of(const ComposedLoss& loss, double work);
  ~ExactProduct();

  /// delta(epsilon) where it is found to be rational. @param infinite the mass at infinity.
  std::optional<Rational> delta(const Rational& epsilon, const Rational& infinite) const;
  /// The finite parts of P(L > x) and Q(L > x), and P(L = x), at the working precision: which
  /// outcomes lie at x is decided exactly. Nothing where a factor is not known exactly, or an
  /// outcome is nearer to x than any precision tried. Proof: docs/proofs/tails.md#exact-points
  std::optional<PointMasses> masses_at(const Rational& x) const;
  /// All atoms by increasing loss, at the working precision. Nothing where a factor is not known
  /// exactly.
  std::optional<std::vector<LossAtom>> atoms() const;

 private:
  struct State;
  explicit ExactProduct(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace plaudit
