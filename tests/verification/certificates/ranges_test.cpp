// Contours with ranges of nodes, and the kind pinch: a range that is bounded holds what its nodes
// add, for every law and length; what is found contains the truth; every error is needed; choices
// that do not fit are refused.
#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "accountants/session/answer.hpp"
#include "lib/balls/decimal.hpp"
#include "lib/balls/precision.hpp"
#include "mechanisms/language/spec.hpp"
#include "support/slow.hpp"
#include "support/statements.hpp"
#include "verification/checker/statements.hpp"

using namespace plaudit;
using namespace plaudit::test;
using nlohmann::json;

namespace {

/// t = 1, period 16 pi, one residue.
json contour(long nodes, std::size_t factors) {
  json each = json::array();
  for (std::size_t i = 0; i < factors; ++i) each.push_back(json::object());
  return {{"t", {1, 0}},           {"h", {1, -3}},         {"nodes", nodes}, {"residues", 1},
          {"right_order", {3, 0}}, {"left_order", {1, 0}}, {"factors", each}};
}

json ranged(long nodes, std::size_t factors, const json& ends, const json& how, long block = 0) {
  json result = contour(nodes, factors);
  result["ranges"] = {{"ends", ends}, {"how", how}};
  if (block > 0) result["ranges"]["block"] = block;
  return result;
}

/// All laws whose nodes can be summed anywhere. |M| of the first two is least, by orders of
/// magnitude, in the middle of a range below.
const char* const summable[] = {
    "pure(epsilon=0.7)^40",
    "laplace(scale=1.4)^40",
    "laplace(scale=2)^3 * gaussian(sigma=9)",
    "discrete_gaussian(sigma=2)^3",
    "discrete_gaussian(sigma=0.4)^2 * gaussian(sigma=9)",
    "poisson(discrete_gaussian(sigma=2), rate=0.2)^5 * gaussian(sigma=9)",
    "approximate(epsilon=0.7, delta=0.001)^3 * laplace(scale=3)",
    "poisson(discrete_laplace(scale=3, sensitivity=2), rate=0.2)^9 * gaussian(sigma=9)",
};

}  // namespace

TEST_CASE("a bounded range holds what its nodes add") {
  for (const std::string spec : summable) {
    INFO(spec);
    const proof::Spec read = proof::read_spec(spec, {});  // it remembers nodes that were summed
    const std::size_t factors = spec.find(" * ") == std::string::npos ? 1 : 2;
    for (const char* direction : {"remove", "add"}) {
      const bool alike = spec.find("poisson") == std::string::npos;
      if (alike && std::string(direction) == "add") continue;
      for (const long first : {6L, 150L}) {
        for (const long length : {1L, 24L, 60L}) {
          const long last = first + length - 1;
          const auto with = [&](const json& how, long block = 0) {
            const json ends = {first - 1, last, last + 2};
            return evaluated(read, "straight", "0.5", ranged(2, factors, ends, how, block),
                             direction, 400);
          };
          // those around it are summed, and no truncation differs; all the rounding is far below
          const Evaluated summed = with({1, 1, 1});
          REQUIRE(summed.reason == "");
          const Rational around = (summed.low + summed.high) / 2;
          CHECK(error_sizes(summed)["ranges"] == 0);
          Rational before;
          for (const long block : {0L, length, std::max(1L, length / 6), 1L}) {
            if (block > 0 && length % block != 0) continue;
            const Evaluated bounded = block == 0 ? with({1, 0, 1}) : with({1, 2, 1}, block);
            REQUIRE(bounded.reason == "");
            const Rational middle = (bounded.low + bounded.high) / 2;
            const Rational size = error_sizes(bounded)["ranges"];
            CHECK(abs(middle - around) <= size);
            CHECK(size > 0);
            if (block == length) CHECK(abs(size - before) <= before / 100000);
            before = size;
          }
        }
      }
    }
  }
}

TEST_CASE("ranges change nothing but what they leave out") {
  struct Example {
    const char* spec;
    const char* epsilon;
  };
  const Example examples[] = {
      {"laplace(scale=2)^10 * gaussian(sigma=2)", "3"},
      {"discrete_gaussian(sigma=1.5)^5 * gaussian(sigma=2)", "4"},
      {"poisson(discrete_gaussian(sigma=1.5), rate=0.2)^10 * gaussian(sigma=1.5)^2", "2"},
      {"poisson(laplace(scale=1), rate=0.2)^20 * gaussian(sigma=3)", "1"},
  };
  for (const Example& example : examples) {
    const std::string spec = example.spec;
    INFO(spec);
    const Truth value = truth(spec, example.epsilon, Direction::remove);
    const bool integral = spec.find("poisson(laplace") != std::string::npos;
    bool visible = false;
    for (const json& how : {json{1, 1, 1}, json{1, 0, 1}, json{0, 0, 0}, json{1, 2, 0}}) {
      if (integral && how[0] == 1) continue;
      for (const long nodes : {4L, 12L, 60L}) {
        json choices =
            ranged(nodes, 2, {nodes + 20, nodes + 100, nodes + 200}, how, how[1] == 2 ? 16 : 0);
        const Evaluated found = evaluated(spec, "straight", example.epsilon, choices);
        REQUIRE(found.reason == "");
        CHECK(found.low <= value.high);
        CHECK(found.high >= value.low);
        if (abs((found.low + found.high) / 2 - value.low) > value.low / 1000000) visible = true;
      }
    }
    CHECK((visible || integral));
  }
}

TEST_CASE("ranges that do not fit are refused") {
  const std::string spec = "laplace(scale=2)^10 * gaussian(sigma=2)";
  const auto reason = [&](const json& ranges) {
    json choices = contour(20, 2);
    choices["ranges"] = ranges;
    const Evaluated found = evaluated(spec, "straight", "3", choices);
    CHECK_FALSE(found.valid);
    return found.reason;
  };
  const long far = 1L << 40;
  const json ones(std::vector<int>(100001, 1));
  std::vector<long> many;
  for (long k = 21; k < 21 + 100001; ++k) many.push_back(k);
  for (const json& bad : {
           json::object(),
           json{{"ends", json::array()}, {"how", json::array()}},
           json{{"ends", {40}}},
           json{{"ends", {40}}, {"how", {0, 0}}},
           json{{"ends", {40, 50}}, {"how", {0}}},
           json{{"ends", {20}}, {"how", {0}}},
           json{{"ends", {10, 40}}, {"how", {0, 0}}},
           json{{"ends", {40, 40}}, {"how", {0, 0}}},
           json{{"ends", {40, 30}}, {"how", {0, 0}}},
           json{{"ends", {40}}, {"how", {3}}},
           json{{"ends", {40}}, {"how", {-1}}},
           json{{"ends", {40}}, {"how", {true}}},
           json{{"ends", {40}}, {"how", {2}}},
           json{{"ends", {40}}, {"how", {2}}, {"block", 0}},
           json{{"ends", {40}}, {"how", {2}}, {"block", -4}},
           json{{"ends", {40}}, {"how", {2}}, {"block", 3}},
           json{{"ends", {40}}, {"how", {2}}, {"block", 40}},
           json{{"ends", {40}}, {"how", {0}}, {"block", 4}},
           json{{"ends", {40}}, {"how", {0}}, {"first", 21}},
           json{{"ends", {far + 1}}, {"how", {0}}},
           json{{"ends", {far}}, {"how", {1}}},
           json{{"ends", {100001}}, {"how", {1}}},
           json{{"ends", {20 + (1L << 22) + 1}}, {"how", {2}}, {"block", 1}},
           json{{"ends", many}, {"how", ones}},
       }) {
    CHECK_FALSE(reason(bad).empty());
  }
  // a range as long as may be is taken
  json choices = contour(20, 2);
  choices["ranges"] = {{"ends", {far}}, {"how", {0}}};
  CHECK(evaluated(spec, "straight", "3", choices).reason == "");
  // laws with integrals have no nodes but those from 0 on
  choices = ranged(20, 2, {30}, {1});
  CHECK(evaluated("poisson(laplace(scale=1), rate=0.2)^20 * gaussian(sigma=3)", "straight", "1",
                  choices)
            .reason.find("integrals") != std::string::npos);
}

TEST_CASE("pinch contains the truth, from both sides") {
  struct Example {
    const char* spec;
    const char* epsilon;
  };
  const Example examples[] = {
      {"poisson(discrete_laplace(scale=3, sensitivity=2), rate=0.2)^9", "0.3"},
      {"approximate(epsilon=0.7, delta=0.001)^3", "0.4"},
      {"discrete_gaussian(sigma=2)^3", "1"},
      {"laplace(scale=2)^3", "1"},
      {"pure(epsilon=0.5)^8", "1"},  // an atom at epsilon
      {"gaussian(sigma=1)", "1"},
  };
  for (const Example& example : examples) {
    const std::string spec = example.spec;
    INFO(spec);
    const proof::Spec read = proof::read_spec(spec, {});  // it remembers nodes that were summed
    for (const char* direction : {"remove", "add"}) {
      const bool alike = spec.find("poisson") == std::string::npos;
      if (alike && std::string(direction) == "add") continue;
      const Truth value =
          truth(spec, example.epsilon,
                std::string(direction) == "remove" ? Direction::remove : Direction::add);
      Rational width = 2;
      for (const long power : {-1L, -2L, -3L}) {
        if (power == -2 && !slow_tests()) continue;
        json choices = {{"tau", {1, power}},
                        {"near", ranged(40, 1, {400, 2000}, {1, 2}, 4)},
                        {"ratio", {2, 0}},
                        {"far", ranged(40, 1, {300}, {1})}};
        const Evaluated found = evaluated(read, "pinch", example.epsilon, choices, direction);
        REQUIRE(found.reason == "");
        CHECK(found.low <= value.low);
        CHECK(found.high >= value.high);
        if (power == -3) CHECK(found.low > 0);
        CHECK(found.high - found.low < width);
        width = found.high - found.low;
        // of second order at most but for atoms, and it is no wonder that the truth is inside
        CHECK(width > value.low / 1000000);
        // errors of either side widen the band
        for (const char* side : {"near", "far"}) {
          if (power == -1 && !slow_tests()) continue;
          json coarse = choices;
          coarse[side]["ranges"] = {{"ends", {12, 2000}}, {"how", {0, 1}}};
          coarse[side]["nodes"] = 9;
          const Evaluated wide = evaluated(read, "pinch", example.epsilon, coarse, direction);
          REQUIRE(wide.reason == "");
          CHECK(wide.low < found.low);
          CHECK((std::string(side) == "far" ? wide.high == found.high : wide.high > found.high));
        }
        choices.erase("far");
        choices.erase("ratio");
        const Evaluated above = evaluated(read, "pinch", example.epsilon, choices, direction);
        CHECK(above.low == 0);
        CHECK(above.high == found.high);
        CHECK(above.errors.size() == 5);
      }
    }
  }
}

TEST_CASE("pinch: choices that do not fit are refused") {
  const std::string spec = "poisson(discrete_laplace(scale=3, sensitivity=2), rate=0.2)^9";
  const json side = contour(200, 1);
  const json good = {{"tau", {1, -2}}, {"near", side}, {"ratio", {2, 0}}, {"far", side}};
  REQUIRE(evaluated(spec, "pinch", "0.3", good).reason == "");
  const auto refused = [&](const char* field, const json& value) {
    json choices = good;
    choices[field] = value;
    if (value.is_null()) choices.erase(field);
    const Evaluated found = evaluated(spec, "pinch", "0.3", choices);
    CHECK_FALSE(found.valid);
    CHECK_FALSE(found.reason.empty());
  };
  json ranges = side;
  ranges["ranges"] = {{"ends", {199}}, {"how", {0}}};
  json supported = side;
  supported.erase("right_order");
  json two = side;
  two["factors"].push_back(json::object());
  for (const json& tau :
       {json{0, 0}, json{-1, -2}, json(0.25), json("1/4"), json{1, 1101}, json()}) {
    refused("tau", tau);
  }
  // theta = ratio e^{-(ratio^2 - 1)/128} is 1 at the ratio 1 and near 19.5
  for (const json& ratio : {json{1, 0}, json{1, -1}, json{0, 0}, json{-2, 0}, json{20, 0},
                            json{1, 100}, json{1, 1000}, json()}) {
    refused("ratio", ratio);
  }
  for (const char* name : {"near", "far"}) {
    for (const json& bad : {json::object(), json::array(), ranges, supported, two}) {
      refused(name, bad);
    }
  }
  refused("near", json());
  refused("far", json());
  refused("between", 1);
  json nearly = good;
  nearly["ratio"] = {19, 0};
  CHECK(evaluated(spec, "pinch", "0.3", nearly).reason == "");
}
