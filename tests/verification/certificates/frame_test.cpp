// The frame of certificates: what is written is accepted, what does not follow is rejected, and
// the checker reads specs as the program prints them.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "lib/balls/decimal.hpp"
#include "lib/balls/precision.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/language/spec.hpp"
#include "tests/support/slow.hpp"
#include "tests/support/statements.hpp"
#include "verification/certificates/law_files.hpp"
#include "verification/certificates/proposals/question.hpp"
#include "verification/certificates/stated_curves.hpp"
#include "verification/certificates/write.hpp"
#include "verification/checker/statements.hpp"
#include "verification/crosscheck/random_composition.hpp"

using namespace plaudit;
using nlohmann::json;

namespace {

struct Made {
  Answer answer;
  json certificate;
};

Made certified(const std::string& spec, Quantity quantity, const char* argument, int digits) {
  const Composition composition = parse_spec(spec);
  AnswerOptions options;
  options.digits = digits;
  const Rational at = parse_rational(argument);
  Answer answer = Session(composition, options).answer(quantity, at);
  const std::string text =
      write_certificate(composition,
                        {quantity, at, decimal_below(answer.band.lower, digits + 4),
                         decimal_above(answer.band.upper, digits + 4)},
                        answer, 60)
          .text;
  return {std::move(answer), json::parse(text)};
}

proof::Verdict verdict_on(const json& certificate) { return proof::check(certificate.dump(), {}); }

/// Why the certificate is rejected once it was changed.
std::string reason(const json& certificate, const std::function<void(json&)>& change) {
  json changed = certificate;
  change(changed);
  const proof::Verdict verdict = verdict_on(changed);
  CHECK_FALSE(verdict.accepted);
  return verdict.reason;
}

json& first_with_rules(json& certificate) {
  for (json& statement : certificate["statements"]) {
    for (json& factor : statement["choices"]["factors"]) {
      if (factor.contains("line")) return factor;
    }
  }
  return certificate["statements"][0]["choices"]["factors"][0];
}

/// With what the program states of curves.
proof::Spec read(const std::string& spec) {
  CurvesOfProgram curves;
  return proof::read_spec(spec, {}, nullptr,
                          [&](const std::string& mechanism) { return curves.at(mechanism); });
}

/// Whether the checkers know the laws of all mechanisms in the spec; of which not, is said.
bool has_certificates(const std::string& spec) {
  try {
    (void)read(spec);
    return true;
  } catch (const proof::Rejected& refusal) {
    const std::string why = refusal.what();
    CHECK((spec.find("categories=") != std::string::npos ||
           why.find("for a certificate") != std::string::npos ||
           why.find("a bound at points") != std::string::npos ||
           why.find("parallel of") != std::string::npos ||
           why.find("a curve without a closed form") != std::string::npos ||
           why.find("has no law in certificates but as a factor") != std::string::npos ||
           why.find("nothing is stated of the curve") != std::string::npos ||
           why.find("has no law in certificates") != std::string::npos));
    return false;
  }
}

}  // namespace

TEST_CASE("certificates of epsilon and of delta are accepted") {
  for (const char* spec : {"poisson(gaussian(sigma=1), rate=0.01)^10000", "gaussian(sigma=3)^20",
                           "poisson(gaussian(sigma=2), rate=0.1)^50 * gaussian(sigma=5)^3",
                           "laplace(scale=1)^300", "laplace(scale=5)^20 * gaussian(sigma=8)^100"}) {
    for (const Quantity quantity : {Quantity::epsilon, Quantity::delta}) {
      const Made made = certified(spec, quantity, quantity == Quantity::epsilon ? "1e-7" : "3", 10);
      INFO(std::string(spec));
      const proof::Verdict verdict = verdict_on(made.certificate);
      CHECK(verdict.accepted);
      CHECK(verdict.reason == "");
      CHECK(verdict.spec == spec);
      CHECK(verdict.statements.size() == made.certificate["statements"].size());
    }
  }
}

TEST_CASE("the interval evaluation of a statement meets the band of the accountants") {
  const Made made =
      certified("poisson(gaussian(sigma=1), rate=0.01)^10000", Quantity::delta, "5", 12);
  const proof::Spec spec = proof::read_spec(made.certificate["spec"].get<std::string>(), {});
  for (const json& statement : made.certificate["statements"]) {
    const test::Evaluated found = test::evaluated(spec, statement);
    REQUIRE(found.valid);
    CHECK(found.low <= found.high);
    for (const DirectionAnswer& each : made.answer.directions) {
      if (name_of(each.direction) != statement["direction"].get<std::string>()) continue;
      const PrecisionScope scope(400);
      CHECK(certainly_less_equal(each.band.lower, Ball(found.high)));
      CHECK(certainly_less_equal(Ball(found.low), each.band.upper));
    }
  }
}

TEST_CASE("a claim that does not follow is rejected, with the reason") {
  const json made =
      certified("poisson(gaussian(sigma=1), rate=0.01)^10000", Quantity::epsilon, "1e-6", 8)
          .certificate;
  const auto moved = [](json& value, const char* by) {
    value = to_string(parse_rational(value.get<std::string>()) + parse_rational(by));
  };
  CHECK(reason(made, [&](json& c) { moved(c["upper"], "-1e-9"); }) ==
        "nothing bounds the remove direction from above");
  CHECK(reason(made, [&](json& c) { moved(c["lower"], "1e-9"); }) ==
        "nothing bounds the claim from below");
  CHECK(reason(made, [](json& c) { c["statements"] = json::object(); }) ==
        "the certificate: 'statements' must be a list of at most 64");
  CHECK(reason(made, [](json& c) { c["statements"] = json::array(); }) ==
        "nothing bounds the remove direction from above");
  CHECK(reason(made, [](json& c) { c["spec"] = "poisson(gaussian(sigma=1), rate=0.02)^10000"; }) !=
        "");
  CHECK(reason(made, [](json& c) { c["statements"][0]["choices"]["nodes"] = 9; }) ==
        "delta is not proven to be at most what is stated");
  CHECK(reason(made, [](json& c) {
          c["statements"][0]["choices"]["right_order"] = c["statements"][0]["choices"]["t"];
        }) == "right_order is too small");
  CHECK(reason(made, [](json& c) { first_with_rules(c)["line"]["v"][1] = 7; }) ==
        "a strip is too wide");
  CHECK(reason(made, [](json& c) { first_with_rules(c)["line"]["last"] = 3; }) != "");
  CHECK(reason(made, [](json& c) { c["adjacency"] = "replace"; }) ==
        "adjacency: that of the spec is 'add_remove'");
  CHECK(reason(made, [](json& c) { c["group_size"] = 2; }) == "group_size is not that of the spec");
  CHECK(reason(made, [](json& c) { c["guarantee"] = false; }) ==
        "guarantee is not that of the spec");
}

TEST_CASE("whatever the schema does not have is rejected by name") {
  const json made = certified("gaussian(sigma=3)^20", Quantity::epsilon, "1e-6", 8).certificate;
  CHECK(reason(made, [](json& c) { c["theorem"] = "trust me"; }) ==
        "the certificate: 'theorem' is no field of a certificate there");
  CHECK(reason(made, [](json& c) { c["statements"][0]["unit"] = "1"; }) ==
        "the certificate.statements[0]: 'unit' is no field of a certificate there");
  CHECK(reason(made, [](json& c) { c["statements"][0]["choices"]["factors"][0]["count"] = 3; }) !=
        "");
  CHECK(reason(made, [](json& c) { c["plaudit_certificate"] = true; }) != "");
  CHECK(reason(made, [](json& c) { c["plaudit_certificate"] = 2; }) ==
        "plaudit_certificate: version 2 is read no more; write the file again with --certificate");
  CHECK(reason(made, [](json& c) { c["plaudit_certificate"] = 4; }) != "");
  CHECK(reason(made, [](json& c) { c["plaudit_certificate"] = 3.0; }) != "");
  CHECK(reason(made, [](json& c) { c["argument"] = 1e-6; }) != "");
  CHECK(reason(made, [](json& c) { c["argument"] = "+1e-6"; }) != "");
  CHECK(reason(made, [](json& c) { c["argument"] = "0x1p-3"; }) != "");
  CHECK(reason(made, [](json& c) { c.erase("adjacency"); }) ==
        "the certificate: 'adjacency' is missing");
  CHECK(reason(made, [](json& c) { c["statements"][0]["at_least"] = "0"; }) != "");
  CHECK(reason(made, [](json& c) { c["statements"][0]["errors"] = json::object(); }) != "");
  CHECK(reason(made, [](json& c) { c["files"]["a.json"] = json::object(); }) ==
        "files: the spec does not name 'a.json'");
}

TEST_CASE("only the canonical form of a spec is read") {
  const auto refused = [](const std::string& text) {
    INFO(text);
    CHECK_THROWS_AS(proof::read_spec(text, {}), proof::Rejected);
  };
  for (const char* text :
       {"gaussian(2)",
        "gaussian(sigma=2.0)",
        "gaussian( sigma=2)",
        "gaussian(sigma=2)*laplace(scale=1)",
        "gaussian(sigma=2)^1",
        "gaussian(sigma=2)^-1000",
        "gaussian(sigma=2)^01",
        "(gaussian(sigma=2))",
        "gaussian(sigma=-10)",
        "gaussian(sigma=0)",
        "gaussian(sigma=2) # * gaussian(sigma=1)",
        "gaussian(sigma=2)**2",
        "gaussian(sigma=2, sensitivity=1)",
        "gaussian(sigma=1/2)",
        "gaussian(sigma=2) * gaussian(sigma=2)",
        "gaussian(sigma=2)^1000000000001",
        "gaussian(sigma=2, sigma=3)",
        "gaussian(sigma=2, extra=3)",
        "gaussian(sensitivity=1, sigma=2)",
        "poisson(group(gaussian(sigma=1), size=2), rate=0.5)",
        "poisson(gaussian(sigma=1), rate=2)",
        "poisson(randomized_response(epsilon=1), rate=0.5)",
        "group(laplace(scale=1), size=2)",
        "without_replacement(gaussian(sigma=1), batch=200, population=100, adjacency=add_remove)",
        "without_replacement(gaussian(sigma=1), batch=60, population=60, adjacency=other)",
        "mixture(sigma=1, sensitivities=[0, 1], probabilities=[0.5, 0.4])",
        "mixture(sigma=1, sensitivities=[1, 0], probabilities=[0.5, 0.5])",
        "group(gaussian(sigma=1), size=2) * group(gaussian(sigma=1), size=3)",
        "pair(poisson, sigma=1, batch=1, population=2)",
        "pld(file=\"nothing.json\")",
        "",
        "gaussian(sigma=2) * poisson(gaussian(sigma=1), rate=0.5) * "
        "with_replacement(gaussian(sigma=1), batch=5, population=100)"}) {
    refused(text);
  }
}

TEST_CASE("the checker prints and mirrors the specs that the program prints") {
  Dice dice(20261122);
  for (int i = 0; i < test::usually(40, 400); ++i) {
    const Composition composition = parse_spec(random_composition(dice));
    const std::string text = composition.spec();
    INFO(text);
    if (!has_certificates(text)) continue;
    const proof::Spec spec = read(text);
    CHECK(spec.text == text);
    CHECK(spec.symmetric == composition.symmetric());
    CHECK(spec.adjacency.kind == composition.adjacency().kind);
    CHECK(spec.adjacency.group_size() == composition.adjacency().group_size());
    CHECK(spec.adjacency.guarantee == composition.adjacency().guarantee);
  }
  for (const MechanismKind& kind : mechanism_kinds()) {
    if (kind.build_example != nullptr) continue;
    const Composition example = parse_spec(kind.example);
    if (!has_certificates(example.spec())) continue;
    CHECK(read(example.spec()).text == example.spec());
  }
}

TEST_CASE("a choice that is no number, or no moderate one, is no certificate") {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double x : {none, infinite, -infinite}) {
    CHECK_THROWS_AS(dyadic(x), std::invalid_argument);
    CHECK_THROWS_AS(whole(x), std::invalid_argument);
  }
  CHECK_THROWS_AS(whole(0x1p54), std::invalid_argument);
  CHECK(whole(-2.5) == -2);
  CHECK(dyadic(0.375) == nlohmann::ordered_json::array({3, -3}));
}
