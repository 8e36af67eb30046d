// The arguments of a mechanism as plug-ins and Python read them: from its canonical text, exactly.
#include <doctest/doctest.h>
#include <plaudit/extend.hpp>
#include <plaudit/plaudit.hpp>

using namespace plaudit;
using Kind = extend::Argument::Kind;

TEST_CASE("arguments: numbers, words, lists, lists of lists, mechanisms, by name and by place") {
  const auto sampled = extend::arguments(parse("poisson(gaussian(0.8), 1/3, adjacency=replace)"));
  REQUIRE(sampled.size() == 3);
  CHECK(sampled[0].name == "mechanism");
  CHECK(sampled[0].kind == Kind::mechanism);
  CHECK(parse(sampled[0].text).spec() == "gaussian(sigma=0.8)");
  CHECK(sampled[1].name == "rate");
  CHECK(sampled[1].kind == Kind::number);
  CHECK(sampled[1].text == "1/3");
  CHECK(sampled[2].kind == Kind::word);
  CHECK(sampled[2].text == "replace");

  const auto mixture =
      extend::arguments(parse("mixture(2, sensitivities=[0, 1], probabilities=[0.25, 3/4])"));
  REQUIRE(mixture.size() == 3);
  CHECK(mixture[1].kind == Kind::list);
  CHECK(mixture[1].list == std::vector<std::string>{"0", "1"});
  CHECK(mixture[2].list == std::vector<std::string>{"0.25", "0.75"});

  const auto matrix = extend::arguments(parse("matrix([[1, 0], [1, 1]], sigma=2)"));
  CHECK(matrix[0].kind == Kind::vectors);
  CHECK(matrix[0].vectors == std::vector<std::vector<std::string>>{{"1", "0"}, {"1", "1"}});
}

TEST_CASE("arguments: what is no single mechanism has none, and defaults are left out") {
  CHECK_THROWS_AS(extend::arguments(parse("laplace(2)^3")), std::invalid_argument);
  CHECK_THROWS_AS(extend::arguments(parse("laplace(2) * laplace(3)")), std::invalid_argument);
  CHECK(extend::arguments(parse("laplace(2, sensitivity=1)")).size() == 1);
}
