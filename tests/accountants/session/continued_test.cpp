// Runs that continue others: each answer against that of the same run asked alone, and what a step
// costs.
#include "accountants/session/continued.hpp"

#include <doctest/doctest.h>

#include "accountants/session/answer.hpp"
#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/language/spec.hpp"

using namespace plaudit;

namespace {

Composition then(const Composition& run, const Composition& step) {
  std::vector<Factor> factors = run.stated_factors();
  factors.insert(factors.end(), step.stated_factors().begin(), step.stated_factors().end());
  Composition result(factors);
  result.continue_from(run);
  return result;
}

Answer asked(const Composition& run, int digits, Quantity quantity = Quantity::epsilon,
             const char* argument = "1e-6") {
  AnswerOptions how;
  how.digits = digits;
  return Session(run, how).answer(quantity, parse_rational(argument));
}

Composition noise(double sigma, const char* rate = "0.02") {
  return parse_spec("poisson(gaussian(" + std::to_string(sigma) + "), rate=" + rate + ")");
}

void check_alike(const Answer& one, const Answer& other) {
  CHECK(one.reached);
  CHECK(other.reached);
  CHECK(!certainly_less(one.band.upper, other.band.lower));
  CHECK(!certainly_less(other.band.upper, one.band.lower));
}

/// The same run without what is known of another one.
Composition alone(const Composition& run) { return Composition(run.stated_factors()); }

}  // namespace

TEST_CASE("each step of a run has the epsilon of the run alone, for the work of a step") {
  Composition run = noise(1);
  asked(run, 6);
  double continued = 0;
  double anew = 0;
  for (int i = 1; i < 120; ++i) {
    run = then(run, noise(1 + 0.01 * i));
    const double before = work_done();
    const Answer answer = asked(run, 6);
    continued += work_done() - before;
    CAPTURE(i);
    CHECK(answer.reached);
    if (i % 10 != 0) continue;
    const double start = work_done();
    check_alike(answer, asked(alone(run), 6));
    anew += 10 * (work_done() - start);
  }
  CHECK(continued < 0.4 * anew);
}

TEST_CASE("two runs may continue the same one, with other steps and other questions") {
  Composition run = noise(1);
  for (int i = 1; i < 30; ++i) {
    asked(run, 8);
    run = then(run, noise(1 + 0.02 * i));
  }
  asked(run, 8);
  REQUIRE(continued_by(run));
  CHECK(!continued_by(alone(run)));
  for (const char* step :
       {"gaussian(sigma=9)", "laplace(scale=20)^3", "pure(epsilon=0.1)",
        "poisson(gaussian(1), rate=0.02)^40", "poisson(gaussian(0.3), rate=1e-4)",
        "approximate(epsilon=0.01, delta=1e-7)"}) {
    CAPTURE(std::string(step));
    const Composition longer = then(run, parse_spec(step));
    check_alike(asked(longer, 5), asked(alone(longer), 7));
    check_alike(asked(longer, 7, Quantity::delta, "0.9"),
                asked(alone(longer), 7, Quantity::delta, "0.9"));
    check_alike(asked(longer, 7, Quantity::epsilon, "1e-9"),
                asked(alone(longer), 7, Quantity::epsilon, "1e-9"));
  }
  check_alike(asked(run, 12), asked(alone(run), 12));
  const Composition doubled = then(run, run);
  check_alike(asked(doubled, 6), asked(alone(doubled), 6));
}

TEST_CASE("a run that was not asked leaves nothing, and hardly anything where nothing follows") {
  const Composition run = noise(1);
  CHECK(!run.notes().get());
  const Composition longer = then(run, noise(2));
  CHECK(!longer.notes().get());
  asked(run, 5);
  CHECK(run.notes().get());
  CHECK(!continued_by(run));
}

TEST_CASE("a moment of a longer run is that of its terms") {
  const PrecisionScope scope(64);
  const ComposedLoss first(parse_spec("poisson(gaussian(1), rate=0.1)^5"), Direction::add);
  const ComposedLoss more(parse_spec("laplace(2)^3 * gaussian(3)"), Direction::add);
  std::vector<ComposedLoss::Term> terms = first.terms();
  terms.insert(terms.end(), more.terms().begin(), more.terms().end());
  const ComposedLoss whole(terms, Direction::add);
  const Ball order(3.5);
  const KnownMoment moment = with_terms({3.5, first.log_mgf(order)}, more.terms(), whole.steps());
  CHECK(overlaps(moment.log_mgf, whole.log_mgf(order)));
  CHECK(certainly_less(abs(moment.log_mgf - whole.log_mgf(order)), Ball(1e-6)));
}

TEST_CASE("a run that is asked again has the same answer") {
  const Composition run = then(parse_spec("poisson(gaussian(1.1), 0.01)^1000"), noise(2));
  const Answer first = asked(run, 12);
  for (int i = 0; i < 3; ++i) {
    const Answer again = asked(run, 12);
    CHECK(exact_rational(again.band.lower.lower()) == exact_rational(first.band.lower.lower()));
    CHECK(exact_rational(again.band.upper.upper()) == exact_rational(first.band.upper.upper()));
  }
}
