// Kind `threshold`: one step of any law, or Gaussians only, at the optimal event. Theorems:
// docs/certificates/threshold.md; what accountants prove by them too stands in
// accountants/proof/kinds/threshold.hpp.
#include "accountants/proof/kinds/threshold.hpp"
#include "accountants/proof/arithmetic/rejected.hpp"
#include "verification/checker/curves/one_step.hpp"
#include "verification/checker/kinds.hpp"
#include "verification/checker/laws/label_choices.hpp"

namespace plaudit::proof {

namespace {

/// The mean of the loss of a composition of Gaussians; 0 where there are others.
Rational gaussian_mean(const Run& run) {
  Rational mu = 0;
  for (const Factor& factor : run.factors) {
    const auto* gaussian = std::get_if<Gaussian>(factor.law.get());
    if (gaussian == nullptr) return 0;
    mu += gaussian->mu * Integer(factor.count);
  }
  return mu;
}

/// One step of a law that takes its choices.
Proof one_step(const Law& law, Fields& choices, const Interval& eps, Budget& budget) {
  Proof proof;
  proof.errors = {{"bracket", 0}, {"tail", 0}};
  if (const auto* label = std::get_if<PublicLabel>(&law)) {  // [Public label]
    std::vector<Fields> given = label_choices(*label, choices);
    choices.done();
    const std::vector<Interval> shares = label->shares();
    proof.high = 0;
    for (std::size_t i = 0; i < given.size(); ++i) {
      const Proof one = one_step(*label->laws->each[i], given[i], eps, budget);
      proof.low += shares[i] * one.low;
      proof.high += shares[i] * one.high;
      for (std::size_t j = 0; j < proof.errors.size(); ++j) {
        proof.errors[j].second = top(proof.errors[j].second + shares[i] * one.errors[j].second);
      }
    }
    return proof;
  }
  const auto* mixture = std::get_if<Mixture>(&law);
  const auto* mirrored = std::get_if<Mirrored>(&law);
  if (mixture == nullptr && mirrored == nullptr) {
    choices.done();
    const Tail curve = one_step_curve(law, eps, budget);
    proof.low = proof.high = curve.value;
    proof.errors[1].second = curve.rest;
    return proof;
  }
  ThresholdChoices given;
  if (choices.has("below") || choices.has("above")) {
    given.bracket = Bracket{choices.exact("below"), choices.exact("above")};
  }
  choices.done();
  const ProofOf<Interval> found =
      mixture ? threshold(*mixture, eps, given, budget) : threshold(*mirrored, eps, given, budget);
  proof.low = found.low;
  proof.high = found.high;
  proof.errors[0].second = found.errors[0].size;
  return proof;
}

}  // namespace

Proof prove_threshold(Fields& choices, const Run& run, const Rational& epsilon, Budget& budget) {
  const Interval eps(epsilon);
  Proof proof;
  proof.errors = {{"bracket", 0}, {"tail", 0}};
  const Rational mu = gaussian_mean(run);
  if (mu > 0) {
    choices.done();
    budget.spend(400);
    proof.low = proof.high = curve(Gaussian{mu}, eps);
    return proof;
  }
  require(run.factors.size() == 1 && run.factors[0].count == 1, "more than one step");
  return one_step(*run.factors[0].law, choices, eps, budget);
}

}  // namespace plaudit::proof
