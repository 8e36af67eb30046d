// The kind bent: coarse choices still contain the truth, every error term is needed, what does not
// meet a hypothesis is rejected.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "accountants/contour/hyperbola_contour.hpp"
#include "accountants/cumulants/cumulant_table.hpp"
#include "accountants/session/answer.hpp"
#include "lib/balls/decimal.hpp"
#include "lib/balls/precision.hpp"
#include "mechanisms/language/spec.hpp"
#include "tests/support/slow.hpp"
#include "tests/support/statements.hpp"
#include "verification/certificates/proposals/evidence.hpp"
#include "verification/certificates/write.hpp"
#include "verification/checker/statements.hpp"

using namespace plaudit;
using nlohmann::json;

namespace {

struct BentCase {
  const char* spec;
  const char* direction;
  const char* epsilon;

  Direction side() const {
    return std::string(direction) == "add" ? Direction::add : Direction::remove;
  }
};

const BentCase three_steps{"poisson(gaussian(sigma=0.65), rate=0.01)^3", "remove", "2"};

Rational bent_truth(const BentCase& asked);

/// Of the three steps, found once.
const Rational& truth_of_three_steps() {
  static const Rational delta = bent_truth(three_steps);
  return delta;
}

Rational bent_truth(const BentCase& asked) {
  const PrecisionScope precision(200);
  AnswerOptions options;
  options.digits = 14;
  options.timeout_seconds = 600;
  options.direction =
      asked.side() == Direction::add ? DirectionChoice::add : DirectionChoice::remove;
  const Answer answer = Session(parse_spec(asked.spec), options)
                            .answer(Quantity::delta, parse_rational(asked.epsilon));
  for (const DirectionAnswer& each : answer.directions) {
    if (each.direction != asked.side()) continue;
    const Rational low = parse_rational(decimal_below(each.band.lower, 20));
    const Rational high = parse_rational(decimal_above(each.band.upper, 20));
    REQUIRE(high - low < high * Rational(1, Integer(1) << 40));
    return (low + high) / 2;
  }
  FAIL("no such direction");
  return 0;
}

/// Choices whose error is about `accuracy` times delta.
json statement(const BentCase& asked, const Rational& delta, double accuracy) {
  constexpr int effort = 400;
  constexpr long least_bits = 110;
  const ComposedLoss loss(parse_spec(asked.spec), asked.side());
  const double epsilon = estimate(parse_rational(asked.epsilon));
  const double log_delta = estimate_log(delta);
  CumulantTable table(loss);
  const HyperbolaPlan plan = plan_hyperbola(
      hyperbola_law(loss),
      {epsilon, table.saddle(epsilon), log_delta, log_delta + std::log(accuracy)}, effort);
  const Proposal proposal = proposal_of({plan.choices, std::max(plan.bits_to_check, least_bits)});
  return {{"direction", asked.direction},
          {"epsilon", asked.epsilon},
          {"kind", "bent"},
          {"bits", proposal.bits},
          {"choices", proposal.choices}};
}

test::Evaluated evaluated_at(const BentCase& asked, const json& statement) {
  return test::evaluated(proof::read_spec(asked.spec, {}), statement);
}

Rational size_of(const test::Evaluated& found, const std::string& name) {
  for (const auto& [term, size] : found.errors) {
    if (term == name) return parse_rational(size);
  }
  FAIL("no such error: ", name);
  return 0;
}

}  // namespace

TEST_CASE("coarse and fine choices contain the truth") {
  int turn = 0;
  for (const BentCase& asked :
       {three_steps, BentCase{"poisson(gaussian(sigma=0.8), rate=0.2)^3", "add", "0.3"},
        BentCase{"poisson(gaussian(sigma=0.6), rate=0.05)^2 * gaussian(sigma=8)", "remove", "1"},
        BentCase{"group(poisson(gaussian(sigma=0.87), rate=0.01), size=2)^3", "remove", "1.5"},
        BentCase{
            "poisson(gaussian(sigma=2.4), rate=0.36) * poisson(gaussian(sigma=0.9), rate=0.0035)",
            "remove", "0.5"},
        BentCase{"poisson(gaussian(sigma=0.5), rate=0.001)^100", "remove", "0.5"}}) {
    INFO(std::string(asked.spec));
    const Rational delta =
        asked.spec == std::string(three_steps.spec) ? truth_of_three_steps() : bent_truth(asked);
    Rational width = 1;
    ++turn;
    for (const double accuracy : {1e-1, 1e-7}) {
      if (turn % 2 == 0 && accuracy < 0.1 && !test::slow_tests()) continue;
      const test::Evaluated found = evaluated_at(asked, statement(asked, delta, accuracy));
      CHECK(found.reason == "");
      CHECK(found.low <= delta * (1 + Rational(1, Integer(1) << 39)));
      CHECK(found.high >= delta * (1 - Rational(1, Integer(1) << 39)));
      CHECK(found.high - found.low < width);
      CHECK(estimate(found.high - found.low) < 20 * accuracy * estimate(delta));
      width = found.high - found.low;
    }
  }
}

TEST_CASE("every error term is needed") {
  const Rational& delta = truth_of_three_steps();
  const json fine = statement(three_steps, delta, 1e-8);
  const auto double_of = [](const json& pair) {
    return std::ldexp(pair[0].get<double>(), pair[1].get<int>());
  };
  // without the term the bounds miss the truth
  const auto needed = [&](const char* name, const std::function<void(json&)>& change) {
    json coarse = fine;
    change(coarse["choices"]);
    const test::Evaluated found = evaluated_at(three_steps, coarse);
    INFO(std::string(name));
    REQUIRE(found.reason == "");
    CHECK(found.low <= delta);
    CHECK(found.high >= delta);
    const Rational size = size_of(found, name);
    CHECK((found.low + size > delta || found.high - size < delta));
  };
  needed("quadrature_z", [&](json& c) {
    // six times the step, the same arcs
    const long nodes = c["per_arc"].get<long>() * c["arcs"].get<long>();
    c["step"] = dyadic(6 * double_of(c["step"]));
    c["per_arc"] = 1;
    c["arcs"] = nodes / 6 + 1;
    c["arcs_beyond"] = 20;
  });
  needed("truncation", [](json& c) {
    const long half = c["arcs"].get<long>() / 2;
    c["arcs_beyond"] = c["arcs_beyond"].get<long>() + c["arcs"].get<long>() - half;
    c["arcs"] = half;
  });
  needed("quadrature_y", [&](json& c) {
    json& path = c["paths"][0];
    path["step"] = dyadic(4 * double_of(path["step"]));
    path["first"] = path["first"].get<long>() / 4 - 1;
    path["last"] = path["last"].get<long>() / 4 + 1;
  });
  needed("tails", [&](json& c) {
    json& path = c["paths"][0];
    path["first"] = static_cast<long>(std::ceil(-2.5 / double_of(path["step"])));
  });
}

TEST_CASE("a certificate by hyperbolas is accepted") {
  const Composition composition = parse_spec(three_steps.spec);
  AnswerOptions options;
  options.digits = test::usually(6, 12);
  const Answer answer =
      Session(composition, options).answer(Quantity::epsilon, parse_rational("1e-6"));
  const json made = json::parse(write_certificate(composition,
                                                  {Quantity::epsilon, parse_rational("1e-6"),
                                                   decimal_below(answer.band.lower, 16),
                                                   decimal_above(answer.band.upper, 16)},
                                                  answer, 300)
                                    .text);
  const proof::Verdict verdict = proof::check(made.dump(), {});
  CHECK(verdict.reason == "");
  CHECK(verdict.accepted);
  const auto is_bent = [](const json& statement) { return statement["kind"] == "bent"; };
  CHECK(std::count_if(made["statements"].begin(), made["statements"].end(), is_bent) == 2);
}

TEST_CASE("hypotheses that fail are named") {
  const Rational& delta = truth_of_three_steps();
  const json honest = statement(three_steps, delta, 1e-2);
  REQUIRE(evaluated_at(three_steps, honest).reason == "");
  const auto reason = [&](const std::function<void(json&)>& change) {
    json forged = honest;
    change(forged["choices"]);
    return evaluated_at(three_steps, forged).reason;
  };
  const auto path = [&](const char* name, double value) {
    return reason([&](json& c) { c["paths"][0][name] = dyadic(value); });
  };
  CHECK(path("tilt", 1) == "bent: no path");
  CHECK(path("tilt", 0.05) ==
        "bent: a path is not tilted enough for the hyperbola, or cut too early on the right");
  CHECK(path("bend", 0.25) == "bent: a path is not analytic on its strip");
  CHECK(path("bend", -1) == "bent: no path");
  CHECK(path("strip", 0) == "bent: no path");
  CHECK(path("accuracy", 1) == "bent: accuracy must lie in (0, 1)");
  // above, respectively through, the zeros of f at the height pi / a = 2.04
  CHECK(path("rise", 2.5) == "bent: too many pieces");
  CHECK(path("knee", -6) == "bent: too many pieces");
  CHECK(reason([](json& c) {
          c["center"] = {0, 0};
        }) == "bent: a pole lies on the strip of hyperbolas");
  CHECK(reason([](json& c) { c["angle"] = {3, -1}; }) == "bent: the hyperbola is too flat");
  CHECK(reason([](json& c) { c["strip"] = c["angle"]; }) == "bent: no strip of hyperbolas");
  CHECK(reason([](json& c) { c["step"] = {0, 0}; }) == "bent: no strip of hyperbolas");
  CHECK(reason([](json& c) { c["paths"].push_back(c["paths"][0]); }) ==
        "the statement.choices: 'paths' must be a list of at most 1");
  CHECK(reason([](json& c) { c["paths"] = json::array(); }) != "");
  CHECK(reason([](json& c) { c["paths"][0]["more"] = 1; }) != "");
  CHECK(reason([](json& c) { c["paths"][0]["last"] = c["paths"][0]["first"]; }) != "");
  CHECK(reason([](json& c) { c["paths"][0]["first"] = 1; }) ==
        "bent: a path is cut too early on the left");
  json add = honest;
  add["direction"] = "add";
  CHECK(evaluated_at(three_steps, add).reason == "bent: kappa is not positive");
  const BentCase without{"poisson(laplace(scale=1), rate=0.01)^3", "remove", "2"};
  CHECK(evaluated_at(without, honest).reason == "bent: not for these factors");
  const BentCase away{"mixture(sigma=1, sensitivities=[0.5, 1], probabilities=[0.5, 0.5])^3",
                      "remove", "2"};
  CHECK(evaluated_at(away, honest).reason == "bent: a mixture without a component at 0");
}
