// Statements of one file share what does not depend on epsilon: each is found to prove what it
// proves alone, whatever was evaluated before it.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "accountants/session/answer.hpp"
#include "mechanisms/language/spec.hpp"
#include "tests/support/statements.hpp"
#include "verification/certificates/write.hpp"
#include "verification/checker/statements.hpp"

using namespace plaudit;
using nlohmann::json;

namespace {

const char* const sampled = "poisson(gaussian(sigma=1), rate=0.1)^30";

/// A line of the certificate of delta(2).
json honest() {
  const Answer answer =
      Session(parse_spec(sampled), {}).answer(Quantity::delta, parse_rational("2"));
  const json made = json::parse(
      write_certificate(parse_spec(sampled),
                        {Quantity::delta, parse_rational("2"), decimal_below(answer.band.lower, 16),
                         decimal_above(answer.band.upper, 16)},
                        answer, 120)
          .text);
  for (const json& statement : made["statements"]) {
    if (statement["kind"] == "straight" && statement["direction"] == "remove") return statement;
  }
  FAIL("no straight line");
  return {};
}

/// Times a power of two.
json scaled(const json& dyadic, int exponent) {
  return json::array({dyadic[0], dyadic[1].get<long>() + exponent});
}

/// Each differs from the first one in one thing.
std::vector<json> variants(const json& first) {
  std::vector<json> all{first};
  const auto changed = [&](const auto& change) { change(all.emplace_back(first)); };
  changed([](json& s) { s["epsilon"] = "2.5"; });
  changed([](json& s) { s["bits"] = s["bits"].get<long>() - 40; });
  changed([](json& s) { s["choices"]["t"] = scaled(s["choices"]["t"], -1); });
  changed([](json& s) { s["choices"]["h"] = scaled(s["choices"]["h"], -1); });
  changed([](json& s) { s["choices"]["nodes"] = s["choices"]["nodes"].get<long>() - 3; });
  for (const char* order : {"right_order", "left_order"}) {
    if (!first["choices"].contains(order)) continue;
    changed([&](json& s) { s["choices"][order] = scaled(s["choices"][order], 1); });
  }
  changed([](json& s) {
    json& last = s["choices"]["factors"][0]["line"]["last"];
    last = last.get<long>() - 20;
  });
  changed([](json& s) {  // one more Gaussian at the same nodes
    json near = s["choices"];
    near["left_order"] = near["right_order"];  // with it the losses have no end
    s["kind"] = "pinch";
    s["choices"] = {{"tau", json::array({1, -2})}, {"near", near}};
  });
  return all;
}

}  // namespace

TEST_CASE("a statement proves the same, whichever statements came before it") {
  const std::vector<json> all = variants(honest());
  const proof::Spec shared = proof::read_spec(sampled, {});
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const std::size_t j : {std::size_t{0}, i}) {  // the first one before each of them
      CAPTURE(all[j].dump().substr(0, 300));
      const test::Evaluated alone = test::evaluated(proof::read_spec(sampled, {}), all[j]);
      const test::Evaluated after = test::evaluated(shared, all[j]);
      CHECK(after.reason == alone.reason);
      CHECK(after.low == alone.low);
      CHECK(after.high == alone.high);
      CHECK(after.errors == alone.errors);
      CHECK(alone.reason == "");
    }
  }
  CHECK(all.size() >= 9);
}

TEST_CASE("no more nodes are kept than one statement may sum") {
  const proof::Spec spec = proof::read_spec("gaussian(sigma=1)", {});
  json statement = json::parse(R"({"direction": "remove", "epsilon": "1", "kind": "straight",
      "bits": 32, "choices": {"t": [1, 0], "h": [1, -9], "nodes": 60000, "residues": 2,
      "right_order": [2, 0], "left_order": [2, 0], "factors": [{}]}})");
  for (const long nodes : {60000L, 60001L, 60000L}) {
    statement["choices"]["nodes"] = nodes;
    CHECK(test::evaluated(spec, statement).reason == "");
    std::size_t kept = 0;
    for (const auto& [place, known] : spec.remove.memory->nodes) kept += known.size();
    CHECK(kept > static_cast<std::size_t>(nodes));
    CHECK(kept <= 100000);
  }
}
