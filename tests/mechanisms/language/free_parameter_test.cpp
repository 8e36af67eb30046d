// Where the question mark of a spec stands.
#include "mechanisms/language/free_parameter.hpp"

#include <doctest/doctest.h>

#include "mechanisms/spec_error.hpp"

namespace plaudit {

TEST_CASE("free parameter: its call, key, position and what is around it") {
  const FreeParameter sigma = find_free_parameter(
      "laplace(1) * Poisson( gaussian( sigma = ? , sensitivity=2), rate=0.1)^3");
  CHECK(sigma.call == "gaussian");
  CHECK(sigma.key == "sigma");
  CHECK(sigma.position == 0);
  CHECK(sigma.arguments == 2);
  CHECK(sigma.keys == std::vector<std::string>{"sigma", "sensitivity"});
  CHECK(sigma.around == std::vector<std::string>{"poisson"});
  CHECK_FALSE(sigma.is_power());
  CHECK(sigma.with(Rational(1, 3)) ==
        "laplace(1) * Poisson( gaussian( sigma = 1/3 , sensitivity=2), rate=0.1)^3");

  const FreeParameter rate = find_free_parameter("group(poisson(gaussian(1), ?), size=4)");
  CHECK(rate.call == "poisson");
  CHECK(rate.key.empty());
  CHECK(rate.position == 1);
  CHECK(rate.around == std::vector<std::string>{"group"});

  const FreeParameter entry = find_free_parameter("mixture(1, [0, ?], probabilities=[0.5, 0.5])");
  CHECK(entry.in_list);
  CHECK(entry.call == "mixture");
  CHECK(entry.position == 1);
}

TEST_CASE("free parameter: powers") {
  for (const char* spec : {"gaussian(1)^?", "(gaussian(1) * laplace(2)^3) ^ ?",
                           "((gaussian(1))^?)^2 * laplace(1)", "pld(file=\"a?(b\")^?"}) {
    CHECK_MESSAGE(find_free_parameter(spec).is_power(), spec);
    CHECK_FALSE(find_free_parameter(spec).in_expression);
  }
  CHECK(find_free_parameter("gaussian(1)^?").with(1'000'000'000'000) == "gaussian(1)^1e12");
  const FreeParameter product = find_free_parameter("gaussian(1)^(60 * ?)");
  CHECK(product.is_power());
  CHECK(product.in_expression);
  CHECK_FALSE(product.falls);
  CHECK(find_free_parameter("gaussian(1)^ceil(? * 60000 / 256)").falls);
  CHECK(find_free_parameter("gaussian(1)^(100 - (2 * ?))").falls);
  CHECK(find_free_parameter("gaussian(1)^((2 - 1) * ?)").falls);
}

TEST_CASE("free parameter: one number in several places, and times others") {
  const FreeParameter free =
      find_free_parameter("laplace(scale=?)^2 * gaussian(sigma = 2 * ?, 1)^? * pld(\"?\")");
  CHECK(free.call == "laplace");
  CHECK_FALSE(free.scaled);
  REQUIRE(free.others.size() == 2);
  CHECK(free.others[0].call == "gaussian");
  CHECK(free.others[0].key == "sigma");
  CHECK(free.others[0].scaled);
  CHECK(free.others[1].is_power());
  CHECK(free.with(7) == "laplace(scale=7)^2 * gaussian(sigma = 2 * 7, 1)^7 * pld(\"?\")");
  for (const char* spec : {"laplace(0.5*?)", "laplace(3/4 * ?)", "laplace(?*3)", "laplace(? / 3)",
                           "laplace(scale=2*?/3)"}) {
    CHECK_MESSAGE(find_free_parameter(spec).scaled, spec);
  }
}

TEST_CASE("free parameter: what is none") {
  for (const char* spec : {"",
                           "gaussian(1)",
                           "gaussian(1?)",
                           "gaussian(?1)",
                           "gaussian(1+?/3)",
                           "gaussian(3/?)",
                           "gaussian(-?)",
                           "gaussian(? * 2 - 1)",
                           "gaussian(-2 * ?)",
                           "gaussian(sqrt(2) * ?)",
                           "gaussian((?))",
                           "?",
                           "?(1)",
                           "gauss?ian(1)",
                           "gaussian(si?gma=1)",
                           "gaussian(1)?",
                           "gaussian(1)^2?",
                           "gaussian(sigma=1 ?)",
                           "pld(\"?\")",
                           "gaussian(1) * ?"}) {
    CHECK_THROWS_AS_MESSAGE(find_free_parameter(spec), SpecError, spec);
  }
  // unclosed brackets are found, and refused by the parser once a number is there
  CHECK(find_free_parameter("poisson(gaussian(?").call == "gaussian");
  CHECK(find_free_parameter("gaussian(?)))").call == "gaussian");
}

}  // namespace plaudit
