// The random number K of runs of private selection, by phi(s) = E s^K.
#pragma once

#include <cstdint>
#include <string>

#include "lib/balls/ball.hpp"
#include "lib/exact/rational.hpp"

namespace plaudit {

struct Repeats {
  enum class Kind { poisson, negative_binomial, binomial } kind;
  Rational mean;         ///< of poisson
  Rational eta;          ///< of negative_binomial: K >= 1, phi'(s) ~ (1 - (1-gamma) s)^(-eta-1)
  Rational gamma;        ///< of negative_binomial; where its mean is stated, a lower end,
  Rational gamma_above;  ///< and an upper end
  std::uint64_t trials;  ///< of binomial
  Rational probability;  ///< the same
  std::string text;      ///< as in a spec

  /// log C of an epsilon-private base, e = e^epsilon.
  /// Proof: docs/proofs/repeats.md#pure
  Ball log_factor_of_pure(const Ball& e) const;

  /// 1 - phi(1 - h) for 0 <= h <= 1: the probability that one of K runs is in an event of
  /// probability h. Where gamma lies between two ends, an upper end.
  Ball any_of(const Ball& h) const { return any_of(h, Ball(gamma)); }

  /// The probability that the released run is in an event of probability h under one run, where
  /// outputs of probability `better` rank above it and the others below. An enclosure.
  /// Proof: docs/proofs/repeats.md#tests
  Ball released(const Ball& better, const Ball& h) const;

 private:
  Ball any_of(const Ball& h, const Ball& gamma_of_law) const;
};

}  // namespace plaudit
