// Combinations of atoms were visited by a function that called itself once for each atom that is
// drawn: a law with 20,001 atoms in a certificate, or 200,000 draws in the library, ended the
// process by signal 11. Both keep a stack of their own now.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "accountants/proof/arithmetic/multisets.hpp"
#include "verification/checker/statements.hpp"

using namespace plaudit;

namespace {

struct Counter {
  std::size_t depth = 0, deepest = 0, leaves = 0, steps = 0;

  void push(std::size_t, std::uint64_t) { deepest = std::max(deepest, ++depth); }
  void pop() { --depth; }
  void leaf(double) { ++leaves; }
  bool step() { return ++steps < 1'000'000; }
};

}  // namespace

TEST_CASE("200,000 draws from as many categories are visited without recursion") {
  constexpr std::size_t size = 200'000;
  Counter counter;
  const Category category{-std::log(double(size))};
  Multisets<Counter> multisets(std::vector<Category>(size, category), size, -1e300, counter);
  CHECK_FALSE(multisets.visit());
  CHECK(counter.deepest > size / 2);
  CHECK(counter.depth == 0);
}

TEST_CASE("all multisets of three draws from four categories") {
  Counter counter;
  Multisets<Counter> multisets(std::vector<Category>(4, {std::log(0.25)}), 3, -1e300, counter);
  CHECK(multisets.visit());
  CHECK(counter.leaves == 20);
  CHECK(counter.depth == 0);
}

TEST_CASE("a certificate on a law of many atoms is checked") {
  for (const int size : {20'001, 60'001}) {
    std::string losses, masses, lows, highs;
    for (int i = 0; i < size; ++i) {
      const std::string comma = i == 0 ? "" : ",";
      losses += comma + "\"" + std::to_string(i) + "/1000000\"";
      masses += comma + "\"1/" + std::to_string(size) + "\"";
      lows += comma + "0";
      highs += comma + (i + 1 < size ? "0" : "1");
    }
    const std::string law = R"("files":{"a":{"adjacency":"add/remove","both":{"losses":[)" +
                            losses + R"(],"masses":[)" + masses + "]}}},";
    const std::string choices = R"({"outer":[{"count":0}],"inner":[{"count":1,"lows":[)" + lows +
                                R"(],"highs":[)" + highs + "]}]}";
    const std::string certificate =
        R"x({"plaudit_certificate":3,"spec":"pld(file=\"a\")",)x" + law +
        R"("adjacency":"add_remove","group_size":1,"guarantee":true,"quantity":"delta",)"
        R"("argument":"0","lower":"0","upper":"1","statements":[{"direction":"remove",)"
        R"("epsilon":"0","at_most":"1","kind":"atoms","bits":128,)"
        R"("choices":)" +
        choices + "}]}";
    nlohmann::json complete = nlohmann::json::parse(certificate);
    complete["laws"] =
        proof::law_list(proof::read_spec(complete["spec"].get<std::string>(), complete["files"]));
    const proof::Verdict verdict = proof::check(complete.dump(), {});
    INFO(verdict.reason);
    CHECK(verdict.accepted);
  }
}
