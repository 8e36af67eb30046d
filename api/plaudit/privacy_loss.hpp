// The law of the privacy loss, enclosed at any point and to any number of digits.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plaudit/mechanisms.hpp"

namespace plaudit {

inline namespace v0 {

struct PrivacyLossData;

/// The law of the privacy loss L = log dP/dQ of the dominating pair (P, Q) in one direction, in
/// nats. Every function encloses its value for the exact parameters and the exact point, towards
/// `digits` significant digits (a goal: the enclosure is true in any case). Probabilities are
/// enclosed within [0, 1]. Where a function reaches a limit of time or memory, its enclosure is
/// wider, at worst the line, or [0, 1] for a probability. Safe for use from several threads at
/// once.
/// Of a composition, tails, atoms at a point, quantiles and the curve come from certified values of
/// delta (docs/proofs/tails.md#secants): to any number of digits at points of continuity and where
/// all losses are on one lattice, otherwise up to the mass of the atom at the point. density() and
/// atoms() ask for one mechanism, once, and otherwise throw std::invalid_argument.
class PrivacyLoss {
 public:
  struct Limits {
    double timeout_seconds = 60;  ///< of one call
    std::size_t memory_bytes = 2'000'000'000;
  };
  /// @throws std::invalid_argument where the limits end this already.
  PrivacyLoss(const Composition& composition, Direction direction);
  PrivacyLoss(const Composition& composition, Direction direction, const Limits& limits);

  /// log M(t), M(z) = E_P[e^{zL}; L < infinity]; at a complex z on some branch.
  Interval log_mgf(const Number& t, int digits = 15) const;
  struct Complex {
    Interval real;
    Interval imaginary;
  };
  Complex log_mgf(const Number& real, const Number& imaginary, int digits) const;

  /// P(L = infinity), and the ends of the support of the finite part of L.
  Interval mass_at_infinity(int digits = 15) const;
  Interval least_loss(int digits = 15) const;
  Interval greatest_loss(int digits = 15) const;

  /// P(L > x), the mass at infinity included, Q(L > x) and P(L = x). Where an atom is a rational or
  /// the logarithm of a rational, on which side of the rational x it lies is decided exactly.
  Interval p_above(const Number& x, int digits = 15) const;
  Interval q_above(const Number& x, int digits = 15) const;
  Interval p_atom(const Number& x, int digits = 15) const;
  /// The density of the continuous part of L under P; nothing where there is no formula.
  std::optional<Interval> density(const Number& x, int digits = 15) const;
  /// The least x with P(L <= x) >= p, for 0 < p < 1; infinite where p > P(L < infinity).
  Interval quantile(const Number& p, int digits = 15) const;
  /// The privacy curve, P(L > epsilon) - e^epsilon Q(L > epsilon).
  Interval delta(const Number& epsilon, int digits = 15) const;

  /// A finite loss of positive probability (which may be enclosed from 0 on where the mechanism
  /// itself gives an interval).
  struct Atom {
    Interval loss;
    std::string exact_loss;  ///< "1/10" where the loss is known to be this rational, else empty
    Interval p;              ///< P(L = loss)
    Interval q;              ///< Q(L = loss)
  };
  /// All atoms, by increasing loss. @throws std::invalid_argument where there are infinitely many,
  /// or no list is known.
  std::vector<Atom> atoms(int digits = 15) const;
  /// Those with losses from `from` to `to`, ends included; also of noise on the integers, where a
  /// window of over 65536 atoms is refused.
  std::vector<Atom> atoms(const Number& from, const Number& to, int digits = 15) const;

  /// In words and rounded numbers: what the law is, its atoms, support and mass at infinity.
  std::string describe() const;

 private:
  std::shared_ptr<const PrivacyLossData> data_;
};

}  // namespace v0
}  // namespace plaudit
