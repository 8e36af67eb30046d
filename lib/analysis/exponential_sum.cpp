#include "lib/analysis/exponential_sum.hpp"

namespace plaudit {

void ExponentialSum::add(const Rational& exponent, const Rational& coefficient) {
  const auto [place, fresh] = terms_.try_emplace(exponent, coefficient);
  if (fresh) return;
  place->second += coefficient;
  if (place->second == 0) terms_.erase(place);
}

ExponentialSum& ExponentialSum::operator+=(const ExponentialSum& other) {
  for (const auto& [exponent, coefficient] : other.terms_) add(exponent, coefficient);
  return *this;
}

ExponentialSum& ExponentialSum::operator-=(const ExponentialSum& other) {
  for (const auto& [exponent, coefficient] : other.terms_) add(exponent, -coefficient);
  return *this;
}

ExponentialSum ExponentialSum::operator*(const ExponentialSum& other) const {
  ExponentialSum product;
  for (const auto& [exponent, coefficient] : terms_) {
    for (const auto& [other_exponent, other_coefficient] : other.terms_) {
      product.add(exponent + other_exponent, coefficient * other_coefficient);
    }
  }
  return product;
}

ExponentialSum ExponentialSum::times(const Rational& coefficient, const Rational& exponent) const {
  return *this * ExponentialSum(coefficient, exponent);
}

Ball ExponentialSum::enclosed() const {
  Ball sum;
  for (const auto& [exponent, coefficient] : terms_) {
    sum += exponent == 0 ? Ball(coefficient) : Ball(coefficient) * exp(Ball(exponent));
  }
  return sum;
}

ExponentialSum operator+(ExponentialSum a, const ExponentialSum& b) { return a += b; }
ExponentialSum operator-(ExponentialSum a, const ExponentialSum& b) { return a -= b; }

// Proof: docs/proofs/ties.md#exponential-sums
std::optional<Monomial> monomial_quotient(const ExponentialSum& numerator,
                                          const ExponentialSum& denominator) {
  if (numerator.size() != denominator.size()) return std::nullopt;
  const auto& [top, front] = *numerator.terms().rbegin();
  const auto& [other_top, other_front] = *denominator.terms().rbegin();
  const Monomial quotient{front / other_front, top - other_top};
  if (denominator.times(quotient.coefficient, quotient.exponent) != numerator) return std::nullopt;
  return quotient;
}

std::optional<Rational> rational_quotient(const ExponentialSum& numerator,
                                          const ExponentialSum& denominator) {
  if (numerator.is_zero()) return Rational(0);
  const std::optional<Monomial> quotient = monomial_quotient(numerator, denominator);
  if (!quotient || quotient->exponent != 0) return std::nullopt;
  return quotient->coefficient;
}

}  // namespace plaudit
