#include "accountants/proof/arithmetic/exponential_sums.hpp"

#include "lib/analysis/fixed/fixed_exponentials.hpp"

namespace plaudit::proof {

namespace {

/// Bits of the working precision that sums in fixed point need not have, for the powers that follow
/// widen their radii by about as many. A greater value gives wider enclosures, never wrong ones.
constexpr long spare_bits = 24;
constexpr double operations_of_exponential = 40;  ///< for the budget

template <class Real>
std::vector<ComplexOf<Real>> weights_of(const ExponentialRule<Real>& rule) {
  std::vector<ComplexOf<Real>> weights;
  for (const ComplexOf<Real>& each : rule.log_weights) weights.push_back(exp(each));
  return weights;
}

template <class Real>
std::vector<ComplexOf<Real>> one_by_one(const ExponentialRule<Real>& rule,
                                        const std::vector<ComplexOf<Real>>& w, Budget& budget) {
  const std::vector<ComplexOf<Real>> weights = weights_of(rule);
  std::vector<ComplexOf<Real>> sums;
  const ComplexOf<Real> one{Real(1), Real(0)};
  for (const ComplexOf<Real>& each : w) {
    budget.spend(operations_of_exponential * static_cast<double>(weights.size()));
    ComplexOf<Real> sum = one;
    for (std::size_t j = 0; j < weights.size(); ++j) {
      sum += weights[j] * (exp(each * rule.exponents[j]) - one);
    }
    sums.push_back(sum);
  }
  return sums;
}

}  // namespace

// In fixed point where so many bits fit; the sum of the weights, which is subtracted, is that at
// w = 0.
// Proof: docs/proofs/fixed_exponentials.md#sums
std::vector<ComplexBall> exponential_sums(const ExponentialRule<Ball>& rule,
                                          const std::vector<ComplexBall>& w, Budget& budget) {
  const long bits = working_precision() - spare_bits;
  if (limbs_of_exponentials(bits, rule.exponents.size()) > 0) {
    std::vector<ComplexBall> with_zero = w;
    with_zero.emplace_back();
    if (auto sums = fixed_exponential_sums(with_zero, rule.exponents, rule.log_weights, bits)) {
      const ComplexBall rest = ComplexBall(Ball(1)) - sums->back();
      sums->pop_back();
      for (ComplexBall& sum : *sums) sum += rest;
      return std::move(*sums);
    }
  }
  return one_by_one<Ball>(rule, w, budget);
}

std::vector<Complex> exponential_sums(const ExponentialRule<Interval>& rule,
                                      const std::vector<Complex>& w, Budget& budget) {
  return one_by_one<Interval>(rule, w, budget);
}

}  // namespace plaudit::proof
