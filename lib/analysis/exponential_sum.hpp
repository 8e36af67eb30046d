// Sums c_1 e^{a_1} + ... + c_k e^{a_k} with rational c and a, computed exactly.
//
// Two such sums are the same real number only where they have the same terms (Lindemann and
// Weierstrass), so equality is decided, not approximated.
// Proof: docs/proofs/ties.md#exponential-sums
#pragma once

#include <map>
#include <optional>

#include "lib/balls/ball.hpp"
#include "lib/exact/rational.hpp"

namespace plaudit {

class ExponentialSum {
 public:
  ExponentialSum() = default;
  ExponentialSum(const Rational& constant) : ExponentialSum(constant, 0) {}
  /// coefficient * e^exponent
  ExponentialSum(const Rational& coefficient, const Rational& exponent) {
    if (coefficient != 0) terms_.emplace(exponent, coefficient);
  }

  ExponentialSum& operator+=(const ExponentialSum& other);
  ExponentialSum& operator-=(const ExponentialSum& other);
  ExponentialSum operator*(const ExponentialSum& other) const;
  /// Times coefficient * e^exponent.
  ExponentialSum times(const Rational& coefficient, const Rational& exponent) const;

  bool operator==(const ExponentialSum&) const = default;
  bool is_zero() const { return terms_.empty(); }
  /// How many terms there are; 0 for the number 0.
  std::size_t size() const { return terms_.size(); }
  /// Exponents with their coefficients, none of them 0, by increasing exponent.
  const std::map<Rational, Rational>& terms() const { return terms_; }

  /// Encloses the number at the working precision.
  Ball enclosed() const;

 private:
  void add(const Rational& exponent, const Rational& coefficient);

  std::map<Rational, Rational> terms_;
};

ExponentialSum operator+(ExponentialSum a, const ExponentialSum& b);
ExponentialSum operator-(ExponentialSum a, const ExponentialSum& b);

/// c * e^a, one term.
struct Monomial {
  Rational coefficient;
  Rational exponent;
};

/// numerator / denominator where it is a monomial. @param denominator not 0.
std::optional<Monomial> monomial_quotient(const ExponentialSum& numerator,
                                          const ExponentialSum& denominator);
/// numerator / denominator where it is a rational. @param denominator not 0.
std::optional<Rational> rational_quotient(const ExponentialSum& numerator,
                                          const ExponentialSum& denominator);

}  // namespace plaudit
