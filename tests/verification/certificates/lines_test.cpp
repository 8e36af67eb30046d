// The kinds straight, cut and moments for every law: what is written is accepted, coarse choices
// still contain the truth although they are visibly off, and no error term can be left out.
#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "accountants/session/answer.hpp"
#include "lib/balls/decimal.hpp"
#include "lib/balls/precision.hpp"
#include "mechanisms/language/spec.hpp"
#include "tests/support/slow.hpp"
#include "tests/support/statements.hpp"
#include "verification/certificates/write.hpp"
#include "verification/checker/statements.hpp"

using namespace plaudit;
using nlohmann::json;
using plaudit::test::slow_tests;

namespace {

/// delta(epsilon) of one direction.
struct LineTruth {
  Rational low;
  Rational high;
};

Answer answer_of(const std::string& spec, Quantity quantity, const char* argument, int digits) {
  const PrecisionScope precision(128 + 8L * digits);
  AnswerOptions options;
  options.digits = digits;
  return Session(parse_spec(spec), options).answer(quantity, parse_rational(argument));
}

LineTruth line_truth(const std::string& spec, const char* epsilon, Direction direction) {
  const PrecisionScope precision(288);
  AnswerOptions options;
  options.digits = 20;
  options.direction = direction == Direction::add ? DirectionChoice::add : DirectionChoice::remove;
  const Answer answer =
      Session(parse_spec(spec), options).answer(Quantity::delta, parse_rational(epsilon));
  for (const DirectionAnswer& each : answer.directions) {
    if (each.direction != direction) continue;
    return {parse_rational(decimal_below(each.band.lower, 25)),
            parse_rational(decimal_above(each.band.upper, 25))};
  }
  return {parse_rational(decimal_below(answer.band.lower, 25)),
          parse_rational(decimal_above(answer.band.upper, 25))};
}

json line_certificate(const std::string& spec, const char* epsilon, int digits) {
  const Answer answer = answer_of(spec, Quantity::delta, epsilon, digits);
  return json::parse(write_certificate(parse_spec(spec),
                                       {Quantity::delta, parse_rational(epsilon),
                                        decimal_below(answer.band.lower, digits + 4),
                                        decimal_above(answer.band.upper, digits + 4)},
                                       answer, 120)
                         .text);
}

json statement_of(const json& certificate, const std::string& kind) {
  for (const json& statement : certificate["statements"]) {
    if (statement["kind"] == kind) return statement;
  }
  return nullptr;
}

test::Evaluated evaluated_line(const std::string& spec, const json& statement) {
  return test::evaluated(proof::read_spec(spec, {}), statement);
}

/// The objects anywhere below that have the field.
void visit(json& value, const std::string& field, const std::function<void(json&)>& change) {
  if (value.is_object() && value.contains(field)) change(value);
  for (json& each : value) {
    if (each.is_structured()) visit(each, field, change);
  }
}

/// Every rule of this name, anywhere below.
void change_rules(json& value, const std::string& name, const std::function<void(json&)>& change) {
  visit(value, name, [&](json& owner) {
    if (owner[name].is_object()) change(owner[name]);
  });
}

struct LineExample {
  const char* spec;
  const char* epsilon;

  /// Of 8 digits, made once.
  const json& certificate() const {
    static std::map<std::string, json> made;
    const auto [place, fresh] = made.try_emplace(spec);
    if (fresh) place->second = line_certificate(spec, epsilon, 8);
    return place->second;
  }
};

const LineExample line_examples[] = {
    {"poisson(gaussian(sigma=1), rate=0.1)^30", "2"},
    {"poisson(mixture(sigma=2, sensitivities=[1, 2], probabilities=[0.5, 0.5]), rate=1)^9", "4"},
    {"pair(poisson, sigma=1, rate=0.1)^30", "4"},
    {"with_replacement(gaussian(sigma=1), batch=4, population=6)^5 * gaussian(sigma=2)", "4"},
    {"poisson(laplace(scale=1), rate=0.2)^20 * gaussian(sigma=3)", "1"},
    {"poisson(discrete_gaussian(sigma=1.5), rate=0.2)^10 * gaussian(sigma=1.5)^2", "2"},
    {"discrete_gaussian(sigma=1.5)^5 * gaussian(sigma=2)", "4"},
    {"approximate(epsilon=0.5, delta=0.0001)^5 * gaussian(sigma=1)", "2"},
    {"laplace(scale=2)^10 * gaussian(sigma=2)", "3"},
    {"poisson(gaussian(sigma=7.08), rate=0.000535)^13", "0.0038"},
};

}  // namespace

TEST_CASE("lines of every law: accepted") {
  for (const LineExample& example : line_examples) {
    INFO(std::string(example.spec));
    const json& made = example.certificate();
    const proof::Verdict verdict = proof::check(made.dump(), {});
    CHECK(verdict.reason == "");
    REQUIRE(verdict.accepted);
  }
}

TEST_CASE("lines of every law: coarse choices contain the truth") {
  for (const LineExample& example : line_examples) {
    INFO(std::string(example.spec));
    const json& made = example.certificate();
    const json statement = statement_of(made, "straight");
    REQUIRE_FALSE(statement.is_null());
    const Direction direction =
        statement["direction"] == "remove" ? Direction::remove : Direction::add;
    const LineTruth value = line_truth(example.spec, example.epsilon, direction);
    const auto tried = [&](const std::function<void(json&)>& change, bool visible) {
      json coarse = statement;
      change(coarse["choices"]);
      const test::Evaluated found = evaluated_line(example.spec, coarse);
      if (!found.valid) return false;
      CHECK(found.low <= value.high);
      CHECK(found.high >= value.low);
      if (!visible) return true;
      // were the error not counted, this would contradict the truth
      const Rational middle = (found.low + found.high) / 2;
      return abs(middle - value.low) > value.low / 1000000000;
    };
    CHECK(tried([](json&) {}, false));
    const auto coarser = [](json& rule) {
      rule["d"][0] = rule["d"][0].get<long>() * 3;
      rule["first"] = rule["first"].get<long>() / 3;
      rule["last"] = rule["last"].get<long>() / 3;
    };
    const auto shorter = [](json& rule) {
      rule["first"] = rule["first"].get<long>() / 2;
      rule["last"] = rule["last"].get<long>() / 2;
    };
    bool has_line = false;
    json probe = statement;
    change_rules(probe["choices"], "line", [&](json&) { has_line = true; });
    if (has_line) {
      CHECK(tried([&](json& c) { change_rules(c, "line", coarser); }, true));
      tried([&](json& c) { change_rules(c, "line", shorter); }, false);
      tried([&](json& c) { change_rules(c, "axis", coarser); }, false);
      tried([&](json& c) { change_rules(c, "decay", coarser); }, false);
      tried([&](json& c) { visit(c, "axis", [](json& owner) { owner.erase("axis"); }); }, false);
      tried([&](json& c) { visit(c, "decay", [](json& owner) { owner.erase("decay"); }); }, false);
      tried([&](json& c) { visit(c, "line", [](json& owner) { owner.erase("line"); }); }, false);
    }
    // Fewer nodes: the truncation is counted; a larger step: the aliases. How many nodes a product
    // of several lines has to spare differs.
    bool few = false;
    for (const long part : {2, 3, 5, 8, 16}) {
      if (!slow_tests() && part % 3 != 2) continue;
      few = tried([&](json& c) { c["nodes"] = c["nodes"].get<long>() / part; }, true) || few;
    }
    CHECK(few);
    bool wide = false;
    for (const long quarters : {6, 8, 16, 32}) {
      if (!slow_tests() && wide) continue;
      const auto widen = [&](json& c) {
        c["h"] = {c["h"][0].get<long>() / 64 * quarters, c["h"][1].get<long>() + 6 - 2};
      };
      wide = tried(widen, true) || wide;
      // a line that needs no order for its aliases needs a period that reaches the end of the
      // support
      json coarse = statement;
      widen(coarse["choices"]);
      wide = wide || evaluated_line(example.spec, coarse).reason ==
                         "the period does not reach the end of the support";
    }
    CHECK(wide);
  }
}

TEST_CASE("one moment: both sides, all orders") {
  const char* specs[] = {
      "poisson(gaussian(sigma=1), rate=0.1)^30",
      "approximate(epsilon=0.5, delta=0.0001)^5 * gaussian(sigma=1)",
      "with_replacement(gaussian(sigma=1), batch=4, population=6)^5 * gaussian(sigma=2)",
      "poisson(discrete_gaussian(sigma=1.5), rate=0.2)^10 * gaussian(sigma=1.5)^2",
      "poisson(laplace(scale=1), rate=0.2)^20 * gaussian(sigma=3)",
      "pair(poisson, sigma=3, rate=0.1)^30",
      "discrete_gaussian(sigma=1.5)^5"};
  for (const std::string spec : specs) {
    INFO(spec);
    json factor = json::object();
    if (spec.rfind("with_replacement", 0) == 0) factor["labels"] = json::array();
    json factors = json::array({factor});
    if (spec.find(" * ") != std::string::npos) factors.push_back(json::object());
    for (const char* epsilon : {"-3", "-0.5", "0", "0.4", "2", "5"}) {
      const LineTruth value = line_truth(spec, epsilon, Direction::remove);
      bool upper = false;
      bool lower = false;
      for (const json& order : {json{1, -4}, json{1, 0}, json{3, 0}, json{10, 0}, json{-1, -3},
                                json{-1, -1}, json{-1, 0}, json{-3, 0}, json{-8, 0}}) {
        const test::Evaluated found =
            evaluated_line(spec, {{"direction", "remove"},
                                  {"epsilon", epsilon},
                                  {"kind", "moments"},
                                  {"bits", 128},
                                  {"choices", {{"order", order}, {"factors", factors}}}});
        CHECK(found.reason == "");
        CHECK(found.low <= value.high);
        CHECK(found.high >= value.low);
        upper = upper || found.high < 1;
        lower = lower || found.low > 0;
      }
      CHECK((upper || lower));
    }
  }
}

TEST_CASE(
    "left of the poles the values of a cut law are wider by what the whole has beyond the cut") {
  const char* spec = "poisson(gaussian(sigma=1), rate=0.5)";
  const LineTruth value = line_truth(spec, "2", Direction::remove);
  const json rule = {{"eta", {1, 0}}, {"v", {1, 0}}, {"d", {1, -2}}, {"first", -60}, {"last", 60}};
  for (const json& cut : {json{1, -10}, json{1, 0}, json{5, 0}}) {
    for (const long t : {-2, -4}) {
      const json factor = {{"cut", cut}, {"line", rule}, {"decay", rule}};
      const test::Evaluated found = evaluated_line(spec, {{"direction", "remove"},
                                                          {"epsilon", "2"},
                                                          {"kind", "cut"},
                                                          {"bits", 128},
                                                          {"choices",
                                                           {{"t", {t, 0}},
                                                            {"h", {1, -3}},
                                                            {"nodes", 1500},
                                                            {"residues", 2},
                                                            {"left_order", {6, 0}},
                                                            {"factors", json::array({factor})}}}});
      CHECK(found.reason == "");
      CHECK(found.low <= value.high);
      CHECK(found.high >= value.low);
    }
  }
}
