// Kind `laplace`: n-fold Laplace noise of one ratio. docs/certificates/laplace.md.
#include "accountants/proof/arithmetic/rejected.hpp"
#include "accountants/proof/kinds/laplace_sum.hpp"
#include "verification/checker/kinds.hpp"

namespace plaudit::proof {

namespace {
constexpr long most_steps = 1000000;
}  // namespace

Proof prove_laplace(Fields& choices, const Run& run, const Rational& epsilon, Budget& budget) {
  LaplaceChoices given;
  given.draws = static_cast<unsigned long>(choices.integer("draws", 1, most_steps));
  given.first = static_cast<unsigned long>(choices.integer("first", 0, most_steps));
  given.order = choices.dyadic("order");
  given.window_order = choices.dyadic("window_order");
  given.part = choices.dyadic("part");
  choices.done();
  std::optional<Rational> ratio;
  Integer steps = 0;
  for (const Factor& factor : run.factors) {
    const auto* laplace = std::get_if<Laplace>(factor.law.get());
    require(laplace != nullptr && (!ratio || *ratio == laplace->ratio),
            "not Laplace noise of one ratio");
    ratio = laplace->ratio;
    steps += factor.count;
  }
  require(steps <= most_steps, "draws or steps out of range");
  const auto n = static_cast<unsigned long>(to_long(steps));
  require(epsilon < *ratio * n, "epsilon is beyond the greatest loss");
  require(given.draws <= n && given.first <= n, "draws or steps out of range");
  budget.announce(cost_of_laplace_sum(*ratio, n, epsilon, given, working_precision()));
  const ProofOf<Interval> found = laplace_sum(*ratio, n, Interval(epsilon), given, budget);
  return {.low = found.low,
          .high = found.high,
          .errors = {{"truncation", found.errors[0].size}, {"window", found.errors[1].size}}};
}

}  // namespace plaudit::proof
