// Of what the ends of answers are bounds, and the lower ends of the mechanism itself.
#include "accountants/session/band_of.hpp"

#include <doctest/doctest.h>

#include "accountants/session/renyi.hpp"
#include "mechanisms/language/spec.hpp"

using namespace plaudit;

namespace {

AnswerOptions with_attack() {
  AnswerOptions options;
  options.digits = 6;
  options.attack = true;
  return options;
}

Answer epsilon_with_attack(const std::string& spec, const char* delta,
                           const AnswerOptions& options = with_attack()) {
  return Session(parse_spec(spec), options).answer(Quantity::epsilon, parse_rational(delta));
}

}  // namespace

TEST_CASE("The lower end of a mechanism that attains its pair is one of the mechanism") {
  const Answer answer = epsilon_with_attack("gaussian(2)^10", "1e-6");
  CHECK(answer.of.mechanism);
  CHECK(answer.of.attained == Attained::yes);
  CHECK(!answer.of.attack);
  CHECK(certainly_less_equal(answer.band.lower, of_mechanism(answer).band.lower));
}

TEST_CASE("One step: attained at each epsilon, and no Renyi divergence for that") {
  const Answer one = epsilon_with_attack("exponential(1)", "1e-3");
  CHECK(one.of.mechanism);
  CHECK(certainly_less(for_claims(one).band.lower, one.band.lower));
  CHECK(certainly_less_equal(one.band.lower, of_mechanism(one).band.lower));
  const Answer divergence = renyi_answer(parse_spec("exponential(1)"), 2, with_attack());
  CHECK(!divergence.of.mechanism);
  REQUIRE(divergence.of.attack);
  // Range 1 is 1/8-concentrated: no mechanism has more than 1/4, and the pair has.
  CHECK(certainly_less(Ball(Rational(1, 4)), divergence.band.lower));
  CHECK(certainly_less_equal(divergence.of.attack->band.upper, Ball(Rational(1, 4))));
}

TEST_CASE("Several steps: the lower end of the mechanism is that of the attack") {
  const Answer answer = epsilon_with_attack("exponential(1)^50", "1e-6");
  CHECK(!answer.of.mechanism);
  REQUIRE(answer.of.attack);
  CHECK(answer.of.attack->spec == "pure(epsilon=0.5)^50");
  const Answer mechanism = of_mechanism(answer);
  CHECK(certainly_less(mechanism.band.lower, Ball(Rational(237, 10))));
  CHECK(certainly_less(Ball(20), mechanism.band.lower));
  CHECK(certainly_less(Ball(Rational(237, 10)), answer.band.lower));
  for (const DirectionAnswer& each : mechanism.directions) {
    CHECK(certainly_less(each.band.lower, Ball(Rational(237, 10))));
  }
  AnswerOptions alone = with_attack();
  alone.attack = false;
  const Answer asked_alone = epsilon_with_attack("exponential(1)^50", "1e-6", alone);
  CHECK(!asked_alone.of.attack);
  CHECK(of_mechanism(asked_alone).band.lower.is_exact_zero());
}

TEST_CASE("An attack has all digits, but where it is far from the upper end and only to be read") {
  const char* spec = "select(pure(epsilon=0.1), repeats=geometric, gamma=0.1)^2";
  AnswerOptions options = with_attack();
  options.digits = 10;
  const Answer whole = epsilon_with_attack(spec, "1e-6", options);
  options.attack_to_be_read = true;
  const Answer read = epsilon_with_attack(spec, "1e-6", options);
  REQUIRE(whole.of.attack);
  REQUIRE(read.of.attack);
  const Ball& all = whole.of.attack->band.lower;
  CHECK(certainly_less(whole.of.attack->band.upper, all * Ball(Rational(1000000001, 1000000000))));
  CHECK(certainly_less(all * Ball(Rational(999, 1000)), read.of.attack->band.lower));
  CHECK(certainly_less_equal(read.of.attack->band.lower, whole.of.attack->band.upper));
  CHECK(certainly_less(read.of.attack->band.upper, read.band.lower));
}

TEST_CASE("Replaced records: the attack may be better in either direction, and is one of both") {
  const char* spec =
      "without_replacement(gaussian(1, sensitivity=2), 500, 50000, adjacency=replace)^1000";
  for (const DirectionChoice choice : {DirectionChoice::both, DirectionChoice::add}) {
    AnswerOptions options = with_attack();
    options.direction = choice;
    const Answer answer = epsilon_with_attack(spec, "1e-5", options);
    REQUIRE(answer.of.attack);
    CHECK(certainly_less(Ball(Rational(1336, 100)), answer.of.attack->band.lower));
    CHECK(certainly_less(answer.of.attack->band.upper, Ball(14)));
    CHECK(certainly_less(Ball(14), answer.band.lower));
  }
}

TEST_CASE("Beside a factor that has no pair the lower ends are trivial, and no sign is known") {
  const Composition composition = parse_spec("zcdp(0.01) * approximate(0.1, 1e-3)");
  Session session(composition, with_attack());
  const Answer epsilon = session.answer(Quantity::epsilon, parse_rational("1e-5"));
  CHECK(epsilon.band.lower.is_exact_zero());
  CHECK(!epsilon.band.upper.is_finite());
  CHECK(!epsilon.band.exact);
  const Answer delta = session.answer(Quantity::delta, 1);
  CHECK(delta.band.lower.is_exact_zero());
  CHECK(certainly_positive(delta.band.upper));
  CHECK(!session.compare(Quantity::delta, 1, parse_rational("1e-4")));
  const Answer negative = session.answer(Quantity::delta, -1);
  CHECK(certainly_positive(negative.band.lower));  // 1 - 1/e, whatever was run
}

TEST_CASE("An attack above the upper end is a defect, or refutes a claim that is trusted") {
  Answer answer = epsilon_with_attack("exponential(1)^50", "1e-6");
  REQUIRE(answer.of.attack);
  for (DirectionAnswer& each : answer.of.attack->directions) each.band.lower = Ball(26);
  answer.of.attack->band.lower = Ball(26);
  CHECK_THROWS_AS(for_claims(answer), std::logic_error);
  answer.band.trusted = "a plug-in";
  for (DirectionAnswer& each : answer.directions) each.band.trusted = "a plug-in";
  CHECK_THROWS_AS(for_claims(answer), std::invalid_argument);
}

TEST_CASE("Data sets of one record added or removed are not swapped") {
  // Of both norms 1 the pair is symmetric; the attack, by the projections 1 and 0, is not.
  const Composition vectors =
      parse_spec("mixture(sigma=1, sensitivities=[[1, 0], [0, 1]], probabilities=[0.5, 0.5])");
  CHECK(vectors.symmetric());
  AnswerOptions options = with_attack();
  options.direction = DirectionChoice::add;
  const Answer answer = Session(vectors, options).answer(Quantity::delta, 2);
  REQUIRE(answer.of.attack);
  CHECK(certainly_less(answer.of.attack->band.upper, Ball(Rational(2057, 1000000))));
  options.direction = DirectionChoice::remove;
  const Answer other = Session(vectors, options).answer(Quantity::delta, 2);
  CHECK(certainly_less(Ball(Rational(2271, 1000000)), other.of.attack->band.lower));
}
