// Discrete Gaussian noise, phi(k) = e^{-k^2/(2v)} / Theta: its tails. Its moments on vertical lines
// are in accountants/proof/arithmetic/noise_line.hpp. Theorem:
// docs/proofs/discrete.md#gaussian-tails.
#pragma once

#include <utility>

#include "accountants/proof/arithmetic/budget.hpp"
#include "accountants/proof/arithmetic/intervals.hpp"
#include "accountants/proof/arithmetic/noise_line.hpp"

namespace plaudit::proof {

/// An enclosure, and what of its width is owed to terms left out.
struct Tail {
  Interval value;
  Interval rest;
};

/// How many terms of sums over discrete noise are taken, exactly, so that both checkers take as
/// many (docs/certificates/costs.md): of e^{-k^2/(2v)}, of theta.
Integer direct_terms(const Rational& variance, long bits);
Integer theta_terms(const Rational& variance, long bits);

/// sum over all integers k of e^{-k^2/(2v)}
Interval discrete_gaussian_normaliser(const Rational& variance, Budget& budget);

/// T(j) = sum_{k >= j} phi(k).
class NoiseTails {
 public:
  NoiseTails(const Rational& variance, Budget& budget);
  Tail at(const Integer& j) const;

 private:
  Rational variance_;
  Budget* budget_;
  Interval theta_;
};

using NoiseLine = NoiseOnLine<Interval>;

}  // namespace plaudit::proof
