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
/// nats. Every function encloses its value for the exact parameters and the exact point, and aims
/// at `digits` significant digits. Where it reaches a limit of time or memory, its enclosure is
/// wider, at worst the whole line, or [0, 1] for a probability. Safe for use from several threads
/// at once.
/// Of a composition, tails, atoms at a point, quantiles and the curve follow from certified values
/// of delta (docs/proofs/tails.md#secants): to any number of digits where L is continuous at the
/// point or all losses are on one lattice, otherwise up to the mass of the atom at the point.
/// Its atoms are listed where they are few and rational, where all factors are finite laws known
/// exactly, and, in a window, where all losses lie on one lattice of rationals; its density is
/// known where the transform of a factor falls like the fourth power (Gaussian mixtures).
class PrivacyLoss {
 public:
  struct Limits {
    double timeout_seconds = 60;  ///< of one call
    std::size_t memory_bytes = 2'000'000'000;
  };
  /// @throws std::invalid_argument where a limit is met before the law is made.
  PrivacyLoss(const Composition& composition, Direction direction);
  PrivacyLoss(const Composition& composition, Direction direction, const Limits& limits);

  /// log M(t) with M(z) = E_P[e^{zL}; L < infinity]; at a complex z on an unspecified branch.
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
  /// the logarithm of one, it is decided exactly whether it lies below, at or above x.
  Interval p_above(const Number& x, int digits = 15) const;
  Interval q_above(const Number& x, int digits = 15) const;
  Interval p_atom(const Number& x, int digits = 15) const;
  /// The density of the continuous part of L under P; nothing where there is no formula.
  std::optional<Interval> density(const Number& x, int digits = 15) const;
  /// The least x with P(L <= x) >= p, for 0 < p < 1; infinite where p > P(L < infinity).
  Interval quantile(const Number& p, int digits = 15) const;
  /// The privacy curve, P(L > epsilon) - e^epsilon Q(L > epsilon).
  Interval delta(const Number& epsilon, int digits = 15) const;

  /// A finite loss of positive probability (whose enclosure may begin at 0 where the mechanism
  /// states the probability by an interval).
  struct Atom {
    Interval loss;
    std::string exact_loss;  ///< "1/10" where the loss is known to be this rational, else empty
    Interval p;              ///< P(L = loss)
    Interval q;              ///< Q(L = loss)
  };
  /// All atoms, by increasing loss. @throws std::invalid_argument where there are infinitely many,
  /// or no list is known.
  std::vector<Atom> atoms(int digits = 15) const;
  /// The atoms with losses from `from` to `to`, ends included; also of noise on the integers, whose
  /// atoms are infinitely many: there a window of over 65536 of them is refused.
  std::vector<Atom> atoms(const Number& from, const Number& to, int digits = 15) const;

  /// The law in words and rounded numbers: its kind, atoms, support and mass at infinity.
  std::string describe() const;

 private:
  std::shared_ptr<const PrivacyLossData> data_;
};

}  // namespace v0
}  // namespace plaudit
