// The interval checker against the accountants, and what a certificate may not say.
#include "verification/certificate.hpp"

#include <doctest/doctest.h>

#include "lib/decimal.hpp"
#include "lib/precision.hpp"
#include "mechanisms/spec.hpp"

using namespace plaudit;

namespace {

struct Made {
  Answer answer;
  Certificate certificate;
};

Made certified(const std::string& spec, Quantity quantity, const char* argument, int digits) {
  const Composition composition = parse_spec(spec);
  AnswerOptions options;
  options.digits = digits;
  const Rational at = parse_rational(argument);
  Answer answer = Session(composition, options).answer(quantity, at);
  const Rational lower = parse_rational(decimal_below(answer.band.lower, digits + 4));
  const Rational upper = parse_rational(decimal_above(answer.band.upper, digits + 4));
  Certificate certificate = make_certificate(composition, quantity, at, lower, upper, answer);
  return {std::move(answer), std::move(certificate)};
}

}  // namespace

TEST_CASE("certificates of epsilon and of delta are accepted and survive JSON") {
  for (const char* spec : {"poisson(gaussian(sigma=1), rate=0.01)^10000", "gaussian(sigma=3)^20",
                           "poisson(gaussian(sigma=2), rate=0.1)^50 * gaussian(sigma=5)^3",
                           "laplace(scale=1)^300", "laplace(scale=5)^20 * gaussian(sigma=8)^100"}) {
    for (const Quantity quantity : {Quantity::epsilon, Quantity::delta}) {
      const Made made = certified(spec, quantity, quantity == Quantity::epsilon ? "1e-7" : "3", 10);
      INFO(std::string(spec));
      const Certificate again = parse_certificate(to_json(made.certificate));
      const CertificateVerdict verdict = check_certificate(again);
      CHECK(verdict.accepted);
      CHECK(verdict.reason == "");
      CHECK(to_json(again) == to_json(made.certificate));
    }
  }
}

TEST_CASE("the interval evaluation of a statement meets the band of the accountants") {
  const Made made =
      certified("poisson(gaussian(sigma=1), rate=0.01)^10000", Quantity::delta, "5", 12);
  for (const CertificateStatement& statement : made.certificate.statements) {
    const StatementEvaluation found = evaluate_statement(statement);
    REQUIRE(found.valid);
    CHECK(found.lower <= found.upper);
    for (const DirectionAnswer& each : made.answer.directions) {
      if (each.direction != statement.direction) continue;
      const PrecisionScope scope(400);
      CHECK(certainly_less_equal(each.band.lower, Ball(found.upper)));
      CHECK(certainly_less_equal(Ball(found.lower), each.band.upper));
    }
  }
}

TEST_CASE("a claim that does not follow is rejected, with the reason") {
  const Made made =
      certified("poisson(gaussian(sigma=1), rate=0.01)^10000", Quantity::epsilon, "1e-6", 8);
  const auto reason = [&](const auto& change) {
    Certificate c = made.certificate;
    change(c);
    const CertificateVerdict verdict = check_certificate(c);
    CHECK_FALSE(verdict.accepted);
    return verdict.reason;
  };
  CHECK(reason([](Certificate& c) { c.upper -= Rational(1, 1000000000); }) ==
        "nothing bounds the remove direction from above");
  CHECK(reason([](Certificate& c) { c.lower += Rational(1, 1000000000); }) ==
        "nothing bounds the claim from below");
  CHECK(reason([](Certificate& c) { c.statements.clear(); }) != "");
  CHECK(reason([](Certificate& c) { c.statements[0].factors[0].count -= 1; }) ==
        "the factors are not those of the spec");
  CHECK(reason([](Certificate& c) { c.spec = "poisson(gaussian(sigma=1), rate=0.02)^10000"; }) ==
        "the factors are not those of the spec");
  CHECK(reason([](Certificate& c) { c.statements[0].nodes /= 3; }) != "");
  CHECK(reason([](Certificate& c) { c.statements[0].right_order = c.statements[0].t; }) ==
        "the right order must exceed t");
  CHECK(reason([](Certificate& c) { c.statements[0].errors.truncation = "0"; }) ==
        "the truncation exceeds what is stated");
  CHECK(reason([](Certificate& c) { c.statements[0].factors[0].line.v *= 40; }) ==
        "a strip is wider than Lemma 2 allows");
  CHECK(reason([](Certificate& c) { c.statements[0].factors[0].line.last /= 3; }) != "");
  CHECK(reason([](Certificate& c) { c.statements[0].residues = 3; }) != "");
}

TEST_CASE("the statements of Laplace noise: another ratio, fewer nodes, a formula at its pole") {
  const Made made = certified("laplace(scale=1)^300", Quantity::epsilon, "1e-6", 8);
  const auto reason = [&](const auto& change) {
    Certificate c = made.certificate;
    change(c);
    const CertificateVerdict verdict = check_certificate(c);
    CHECK_FALSE(verdict.accepted);
    return verdict.reason;
  };
  CHECK(reason([](Certificate& c) { *c.statements[0].factors[0].laplace *= Rational(99, 100); }) ==
        "the factors are not those of the spec");
  CHECK(reason([](Certificate& c) { c.statements[0].factors[0].laplace.reset(); }) != "");
  CHECK(reason([](Certificate& c) { c.statements[0].nodes /= 2; }) ==
        "the truncation exceeds what is stated");
  CHECK(reason([](Certificate& c) {
          c.statements[0].residues = 1;
          c.statements[0].left_order = 0.5;
        }) != "");
}

TEST_CASE("where no certificate can be made the reason is said") {
  CHECK_THROWS_AS(certified("pure(epsilon=0.1)^10", Quantity::epsilon, "1e-6", 8),
                  std::invalid_argument);
  CHECK_THROWS_AS(certified("laplace(scale=1)^10", Quantity::epsilon, "1e-6", 8),
                  std::invalid_argument);
  CHECK_THROWS_AS(
      certified("poisson(gaussian(sigma=1), rate=0.01)^2", Quantity::epsilon, "1e-6", 8),
      std::invalid_argument);
}

TEST_CASE("malformed certificates name the field") {
  for (const char* text : {"", "[]", "{}", "{\"plaudit_certificate\": 2}",
                           "{\"plaudit_certificate\": 1, \"spec\": 3}"}) {
    CHECK_THROWS_AS(parse_certificate(text), std::invalid_argument);
  }
}
