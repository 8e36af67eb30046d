// The kind `pinch`: delta between the curves of compositions with a little Gaussian noise more,
// each on a straight contour. docs/certificates/pinch.md Proof: docs/proofs/pinch.md#pinch
#include "accountants/proof/arithmetic/rejected.hpp"
#include "verification/checker/contour.hpp"

namespace plaudit::proof {

namespace {

/// delta with one more Gaussian mechanism, `rate` its sensitivity over sigma.
Proof with_gaussian(Fields choices, const Run& run, const Rational& rate, const Rational& epsilon,
                    Budget& budget) {
  LineProduct product(choices, run, false);
  product.add_gaussian(rate);
  return prove_total(choices, product, epsilon, budget);
}

void take_errors(Proof& proof, const std::string& prefix, const Proof& from) {
  for (const auto& [name, size] : from.errors) proof.errors.emplace_back(prefix + name, size);
  proof.varies += from.varies;
}

}  // namespace

Proof prove_pinch(Fields& choices, const Run& run, const Rational& epsilon, Budget& budget) {
  const Rational tau = choices.dyadic("tau");
  require(tau > 0, "tau must be positive");
  const Proof near = with_gaussian(choices.object("near"), run, tau, epsilon, budget);
  Proof proof;
  proof.high = near.high;
  take_errors(proof, "near_", near);
  if (!choices.has("far")) return proof;
  const Rational ratio = choices.dyadic("ratio");
  require(ratio > 1, "the ratio must exceed 1");
  const Rational far_tau = ratio * tau;
  // (ratio^2 - 1) tau^2 = far_tau^2 - tau^2
  const Interval fall(Rational((far_tau * far_tau - tau * tau) / 8));
  const Interval theta = Interval(ratio) * exp(-fall);
  require(positive(theta - 1), "the ratio is too small or too large: theta must exceed 1");
  const Proof far = with_gaussian(choices.object("far"), run, far_tau, epsilon, budget);
  proof.low = (theta * bottom(near.low) - top(far.high)) / (theta - 1);
  take_errors(proof, "far_", far);
  return proof;
}

}  // namespace plaudit::proof
