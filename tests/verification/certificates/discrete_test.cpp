// The kinds ends, threshold, lattice, atoms and laplace: what is written is accepted, coarse
// choices still contain the truth, every error term is needed, and nothing stronger is accepted.
#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "accountants/session/answer.hpp"
#include "lib/balls/decimal.hpp"
#include "lib/balls/precision.hpp"
#include "mechanisms/language/spec.hpp"
#include "support/statements.hpp"
#include "verification/certificates/write.hpp"
#include "verification/checker/statements.hpp"

using namespace plaudit;
using namespace plaudit::test;
using nlohmann::json;

namespace {

/// From the text of a band's end to a number; "inf" is none.
std::string lower_text(const Ball& x, int digits) {
  return x.is_finite() ? decimal_below(x, digits + 4) : "inf";
}
std::string upper_text(const Ball& x, int digits) {
  return x.is_finite() ? decimal_above(x, digits + 4) : "inf";
}

json lattice_certificate(const std::string& spec, Quantity quantity, const char* argument,
                         int digits) {
  const PrecisionScope precision(128 + 8L * digits);
  const Composition composition = parse_spec(spec);
  AnswerOptions options;
  options.digits = digits;
  const Rational at = parse_rational(argument);
  const Answer answer = Session(composition, options).answer(quantity, at);
  return json::parse(write_certificate(composition,
                                       {quantity, at, lower_text(answer.band.lower, digits),
                                        upper_text(answer.band.upper, digits)},
                                       answer, 60)
                         .text);
}

std::set<std::string> kinds(const json& certificate) {
  std::set<std::string> result;
  for (const json& statement : certificate["statements"]) {
    result.insert(statement["kind"].get<std::string>());
  }
  return result;
}

json line(long period, const json& ends, const json& summed) {
  return {{"tilt", {1, 0}},   {"right_order", {2, 0}}, {"left_order", {1, -1}},
          {"period", period}, {"ends", ends},          {"summed", summed}};
}

json window(long count, const json& lows, const json& highs) {
  return {{"count", count}, {"lows", lows}, {"highs", highs}};
}

struct DiscreteExample {
  const char* spec;
  Quantity quantity;
  const char* argument;
  const char* kind;  ///< that takes part
  int digits = 12;
};

const DiscreteExample discrete_examples[] = {
    {"approximate(epsilon=0.5, delta=0.01)^20", Quantity::epsilon, "0.01", "ends"},
    {"pure(epsilon=0.5)^20", Quantity::epsilon, "0", "ends"},
    {"pure(epsilon=1/3)^3", Quantity::delta, "1", "ends"},
    {"poisson(approximate(epsilon=2.42, delta=2.63e-6), rate=7.99e-5)^3", Quantity::epsilon,
     "1e-21", "ends"},
    {"gaussian(sigma=0.371)^945267", Quantity::epsilon, "1e-26", "threshold"},
    {"gaussian(sigma=2)^10 * gaussian(sigma=3)", Quantity::delta, "-1", "threshold"},
    {"gaussian(sigma=2)^10", Quantity::epsilon, "1e-9", "threshold", 200},
    {"poisson(gaussian(sigma=12.7), rate=0.00031)", Quantity::epsilon, "1e-24", "threshold"},
    {"poisson(gaussian(sigma=2), rate=0.1)", Quantity::epsilon, "1e-5", "threshold", 100},
    {"group(poisson(gaussian(sigma=0.748, sensitivity=0.625), rate=0.0154), size=3)",
     Quantity::epsilon, "1e-5", "threshold"},
    {"pair(without_replacement, sigma=0.343, rate=0.000148)", Quantity::epsilon, "1e-15",
     "threshold"},
    {"without_replacement(gaussian(sigma=0.596), batch=652, population=16320, adjacency=replace)",
     Quantity::epsilon, "1e-23", "threshold"},
    {"with_replacement(gaussian(sigma=2), batch=10, population=100)", Quantity::delta, "0.1",
     "threshold"},
    {"poisson(laplace(scale=1.09), rate=0.185)", Quantity::epsilon, "1e-11", "threshold"},
    {"poisson(discrete_gaussian(sigma=1.16), rate=0.0494)", Quantity::epsilon, "1e-38",
     "threshold"},
    {"discrete_gaussian(sigma=0.3, sensitivity=3)", Quantity::delta, "1", "threshold"},
    {"poisson(discrete_laplace(scale=1.35), rate=0.00351)", Quantity::epsilon, "1e-13",
     "threshold"},
    {"discrete_laplace(scale=13.5)^3052", Quantity::epsilon, "1e-16", "lattice"},
    {"randomized_response(probability=0.75)^20", Quantity::delta, "0", "ends"},
    {"randomized_response(probability=0.75)^250", Quantity::delta, "0", "lattice"},
    {"poisson(pure(epsilon=2.62), rate=0.839)^8", Quantity::epsilon, "1e-6", "lattice"},
    {"pure(epsilon=0.0272)^656624", Quantity::epsilon, "1e-2", "lattice"},
    {"pure(epsilon=0.125)^53", Quantity::epsilon, "1e-38", "ends"},
    {"pure(epsilon=0.125)^53", Quantity::epsilon, "1e-10", "lattice"},
    {"discrete_gaussian(sigma=2.49)^51", Quantity::epsilon, "1e-18", "lattice"},
    {"discrete_gaussian(sigma=3)^50 * discrete_laplace(scale=9, sensitivity=2)^30",
     Quantity::epsilon, "1e-8", "lattice", 30},
    {"laplace(scale=0.823)^10", Quantity::epsilon, "1e-33", "ends"},
    {"laplace(scale=0.823)^10", Quantity::epsilon, "1e-6", "laplace"},
    {"laplace(scale=12.1)^50", Quantity::epsilon, "1e-30", "ends"},
    {"laplace(scale=12.1)^50", Quantity::epsilon, "1e-20", "laplace"},
    {"poisson(laplace(scale=8.47), rate=0.124)^2", Quantity::epsilon, "5.3e-172", "ends"},
    {"laplace(scale=3)^60", Quantity::delta, "1", "laplace"},
    {"poisson(approximate(epsilon=0.5, delta=0.01), rate=0.1)^20", Quantity::delta, "0.2", "atoms"},
    {"poisson(discrete_gaussian(sigma=1.5), rate=0.1)^2", Quantity::epsilon, "1e-12", "atoms"},
};

}  // namespace

TEST_CASE("certificates of these kinds are accepted, and nothing stronger is") {
  for (const DiscreteExample& example : discrete_examples) {
    INFO(std::string(example.spec));
    const json made =
        lattice_certificate(example.spec, example.quantity, example.argument, example.digits);
    CHECK(kinds(made).count(example.kind) == 1);
    const proof::Verdict verdict = proof::check(made.dump(), {});
    CHECK(verdict.reason == "");
    REQUIRE(verdict.accepted);
    const proof::Spec spec = proof::read_spec(example.spec, {});
    for (std::size_t i = 0; i < made["statements"].size(); ++i) {
      const auto rejected = [&](const auto& change) {
        json forged = made;
        change(forged["statements"][i]);
        return !proof::check(forged.dump(), {}).accepted;
      };
      CHECK(rejected([](json& s) { s["choices"]["more"] = 1; }));
      // a bound that contradicts what is proven
      const json& statement = made["statements"][i];
      if (statement["epsilon"] == "inf") continue;
      const Evaluated found = test::evaluated(spec, statement);
      REQUIRE(found.valid);
      CHECK(rejected([&](json& s) {
        const Rational less = found.low * Rational(999, 1000) - Rational(1, Integer(1) << 9999);
        const Rational more = found.high * Rational(1001, 1000) + Rational(1, Integer(1) << 9999);
        if (s.contains("at_most")) s["at_most"] = to_string(less);
        if (s.contains("at_least")) s["at_least"] = to_string(more);
        if (s.contains("exceeds_before")) s["exceeds_before"] = "0.9";
      }));
    }
  }
}

TEST_CASE("coarse choices contain the truth, and the error terms are needed") {
  const std::string steps = "pure(epsilon=0.5)^20";
  const Truth at_three = truth(steps, "3", Direction::remove);
  const auto contains = [](const Evaluated& found, const Truth& value) {
    CHECK(found.reason == "");
    CHECK(found.low <= value.high);
    CHECK(found.high >= value.low);
  };
  SUBCASE("nodes that are bounded instead of summed") {
    const Evaluated found = evaluated(steps, "lattice", "3", line(64, {3, 9, 32}, {1, 0, 0}));
    contains(found, at_three);
    const Rational rest = error_sizes(found)["bounded"];
    CHECK(rest > 0);
    CHECK((found.low + rest * Rational(999, 1000) > at_three.high ||
           found.high - rest * Rational(999, 1000) < at_three.low));
  }
  SUBCASE("left aliases") {
    const Evaluated found = evaluated(steps, "lattice", "3", line(12, {6}, {1}));
    contains(found, at_three);
    CHECK(at_three.low > found.high - error_sizes(found)["left_aliasing"]);
  }
  SUBCASE("right aliases") {
    json choices = line(5, {2}, {1});
    choices["tilt"] = {1, -6};
    choices["right_order"] = {1, -3};
    const Evaluated found = evaluated(steps, "lattice", "3", choices);
    contains(found, at_three);
    CHECK(error_sizes(found)["right_aliasing"] > 0);
    choices = line(4, {2}, {1});
    choices["left_order"] = {1, 0};
    const Evaluated other = evaluated(steps, "lattice", "-4", choices);
    const Truth below = truth(steps, "-4", Direction::remove);
    contains(other, below);
    CHECK(error_sizes(other)["right_aliasing"] > error_sizes(other)["left_aliasing"]);
    CHECK(below.high < other.low + error_sizes(other)["right_aliasing"]);
  }
  SUBCASE("fewer continuous draws, rows left out") {
    const Truth value = truth("laplace(scale=2)^10", "1.3", Direction::remove);
    const auto at = [](long draws, long first) {
      return json{{"draws", draws},
                  {"first", first},
                  {"order", {1, 1}},
                  {"window_order", {1, -2}},
                  {"part", {1, -1}}};
    };
    const Evaluated fewer = evaluated("laplace(scale=2)^10", "laplace", "1.3", at(6, 0));
    contains(fewer, value);
    CHECK(value.low > fewer.high - error_sizes(fewer)["truncation"]);
    const Evaluated later = evaluated("laplace(scale=2)^10", "laplace", "1.3", at(10, 1));
    contains(later, value);
    CHECK(value.low > later.high - error_sizes(later)["window"]);
    const Evaluated all = evaluated("laplace(scale=2)^10", "laplace", "1.3", at(10, 0));
    contains(all, value);
  }
  SUBCASE("combinations left out") {
    const json choices = {{"outer", {window(10, {2, 5}, {4, 8})}},
                          {"inner", {window(10, {2, 4}, {6, 8})}}};
    const Evaluated found = evaluated(steps, "atoms", "3", choices);
    contains(found, at_three);
    CHECK(at_three.low > found.low);
    CHECK(at_three.low > found.high - error_sizes(found)["left_out"]);
  }
  SUBCASE("a wide bracket") {
    const std::string one = "poisson(gaussian(sigma=2), rate=0.1)";
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const char* name = direction == Direction::remove ? "remove" : "add";
      const json choices = direction == Direction::remove ? json{{"below", "1"}, {"above", "1.3"}}
                                                          : json{{"below", "1"}, {"above", "1.2"}};
      const Evaluated found = evaluated(one, "threshold", "0.05", choices, name);
      contains(found, truth(one, "0.05", direction));
      CHECK(found.high < 1);
      CHECK(truth(one, "0.05", direction).low > found.high - error_sizes(found)["bracket"]);
    }
    // without the crossing only the lower bound is proven
    const Evaluated wrong =
        evaluated(one, "threshold", "0.05", {{"below", "1.3"}, {"above", "1.4"}});
    CHECK(wrong.high == 1);
    CHECK(wrong.low <= truth(one, "0.05", Direction::remove).low);
  }
}

TEST_CASE("all nodes of a period, or those that matter: the same number") {
  for (const char* spec : {"discrete_laplace(scale=2, sensitivity=3)^200",
                           "discrete_gaussian(sigma=3)^50 * discrete_laplace(scale=9)^30",
                           "approximate(epsilon=0.25, delta=0.001)^300"}) {
    const Evaluated all = evaluated(spec, "lattice", "6", line(2048, {1024}, {1}), "remove", 400);
    INFO(std::string(spec));
    REQUIRE(all.valid);
    json ends = json::array();
    json summed = json::array();
    for (const long last : {40, 60, 90, 130, 200, 300, 500, 700, 1024}) {
      ends.push_back(last);
      summed.push_back(last == 40 ? 1 : 0);
    }
    const Evaluated some = evaluated(spec, "lattice", "6", line(2048, ends, summed), "remove", 400);
    REQUIRE(some.valid);
    CHECK(some.low <= all.low);
    CHECK(some.high >= all.high);
    CHECK(error_sizes(some)["bounded"] > 0);
  }
}

TEST_CASE("what the ends of the support say") {
  const auto found = [](const char* spec, const char* epsilon, const char* direction = "remove") {
    return evaluated(spec, "ends", epsilon, json::object(), direction);
  };
  CHECK(found("pure(epsilon=0.5)^20", "10").high == 0);
  CHECK(found("pure(epsilon=0.5)^20", "10").before == Rational(0));
  CHECK_FALSE(found("pure(epsilon=0.5)^20", "10.0001").before.has_value());
  CHECK(found("pure(epsilon=0.5)^20", "9.999").high > 0);
  CHECK(found("laplace(scale=3)^6", "2").high == 0);
  CHECK(found("laplace(scale=3)^6", "1.999").high > 0);
  CHECK(found("gaussian(sigma=2)", "100").high == 1);
  CHECK(found("gaussian(sigma=2)", "100").before == Rational(0));
  // the ends of samples are not those of the other direction
  for (const char* spec :
       {"poisson(laplace(scale=2), rate=0.2)", "poisson(gaussian(sigma=2), rate=0.1)^3",
        "poisson(discrete_gaussian(sigma=2), rate=0.1)^2",
        "poisson(approximate(epsilon=1, delta=0.01), rate=0.2)^4"}) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      for (const char* epsilon : {"-0.6", "-0.1", "0", "0.1", "0.13", "0.3", "0.9"}) {
        const char* name = direction == Direction::remove ? "remove" : "add";
        const Evaluated said = found(spec, epsilon, name);
        const std::string where = std::string(spec) + " " + name + " " + epsilon;
        INFO(where);
        const Truth value = truth(spec, epsilon, direction);
        CHECK(said.low <= value.high);
        CHECK(said.high >= value.low);
      }
    }
  }
}

TEST_CASE("writers find what checkers prove by exponentials beyond 2^2^30") {
  const Evaluated found =
      evaluated("discrete_gaussian(sigma=1e-5)", "threshold", "4e9", json::object(), "remove", 256);
  CHECK(found.reason == "");
  CHECK(found.low > Rational(999999, 1000000));
}

TEST_CASE("ties of rationals hold, and nothing beyond them") {
  const auto claim = [](const char* spec, const char* quantity, const char* argument,
                        const char* lower, const char* upper, const json& statements) {
    json certificate = {{"plaudit_certificate", 3},
                        {"spec", spec},
                        {"laws", proof::law_list(proof::read_spec(spec, {}))},
                        {"adjacency", "as_stated"},
                        {"group_size", 1},
                        {"guarantee", true},
                        {"quantity", quantity},
                        {"argument", argument},
                        {"lower", lower},
                        {"upper", upper},
                        {"statements", statements}};
    return proof::check(certificate.dump(), {}).accepted;
  };
  const auto said = [](const char* verb, const char* epsilon, const char* value) {
    return json{{"direction", "remove"}, {"epsilon", epsilon}, {verb, value},
                {"kind", "ends"},        {"bits", 64},         {"choices", json::object()}};
  };
  const char* half = "randomized_response(probability=0.75)";
  CHECK(claim(half, "delta", "0", "0.5", "0.5",
              {said("at_most", "0", "0.5"), said("at_least", "0", "0.5")}));
  CHECK_FALSE(
      claim(half, "delta", "0", "0.5", "0.5",
            {said("at_most", "0", "0.49999999999999999999999"), said("at_least", "0", "0.5")}));
  CHECK_FALSE(claim(
      half, "delta", "0", "0.5000000000000000000000000001", "0.6",
      {said("at_most", "0", "0.6"), said("at_least", "0", "0.5000000000000000000000000001")}));
  CHECK(claim("randomized_response(probability=0.7)^3", "delta", "0", "0.568", "0.568",
              {said("at_most", "0", "0.568"), said("at_least", "0", "0.568")}));
  const char* leaking = "approximate(epsilon=0.3, delta=0.1)";
  CHECK(claim(leaking, "epsilon", "0.1", "0.3", "0.3",
              {said("at_most", "0.3", "0.1"), said("exceeds_before", "0.3", "0.1")}));
  CHECK_FALSE(claim(leaking, "epsilon", "0.1", "0.31", "0.31",
                    {said("at_most", "0.31", "0.1"), said("exceeds_before", "0.31", "0.1")}));
  CHECK_FALSE(claim(leaking, "epsilon", "0.1", "0.3", "0.3",
                    {said("at_most", "0.3", "0.1"), said("exceeds_before", "0.3", "0.11")}));
  CHECK_FALSE(claim(leaking, "epsilon", "0.1", "0.29", "0.29",
                    {said("at_most", "0.29", "0.1"), said("exceeds_before", "0.29", "0.1")}));
  CHECK(claim("approximate(epsilon=0.3, delta=0.1)^2", "epsilon", "0.19", "0.6", "0.6",
              {said("at_most", "0.6", "0.19"), said("exceeds_before", "0.6", "0.19")}));
  CHECK(claim("approximate(epsilon=0.3, delta=0.1)^2", "epsilon", "0.18", "inf", "inf",
              json::array({said("at_least", "inf", "0.19")})));
}
