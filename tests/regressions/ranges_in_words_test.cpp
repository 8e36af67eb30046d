// "Finite losses lie between -0.100001 and 0.0999999" was said of a law with atoms at -0.1 and 0.1:
// both ends were rounded down.
#include <doctest/doctest.h>

#include <regex>
#include <string>
#include <vector>

#include "plaudit/plaudit.hpp"

using plaudit::Direction;
using plaudit::PrivacyLoss;
using plaudit::Real;

TEST_CASE("every finite loss lies in the range that describe() says") {
  struct Law {
    const char* spec;
    const char* least;
    const char* greatest;
  };
  const std::vector<Law> laws = {
      {"pure(epsilon=0.1)", "-0.1", "0.1"},
      {"laplace(scale=10)", "-0.1", "0.1"},
      {"laplace(scale=3)^7", "-2.3333333333333333333333333333333334",
       "2.3333333333333333333333333333333334"},
      {"discrete_laplace(scale=10)^3", "-0.3", "0.3"},
      {"poisson(pure(epsilon=1), rate=0.1)", "-0.06529833599883369", "0.158565078740429111"},
      {"approximate(epsilon=0.3, delta=0.1)", "-0.3", "0.3"},
  };
  const std::regex range("Finite losses lie between (\\S+) and ([^; ]+)");
  for (const Law& law : laws) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const std::string text = PrivacyLoss(plaudit::parse(law.spec), direction).describe();
      INFO(text);
      std::smatch found;
      REQUIRE(std::regex_search(text, found, range));
      const bool swapped = direction == Direction::add;
      const Real least(swapped ? law.greatest : law.least, 80);
      const Real greatest(swapped ? law.least : law.greatest, 80);
      CHECK(Real(found[1].str(), 80) <= (swapped ? -least : least));
      CHECK(Real(found[2].str(), 80) >= (swapped ? -greatest : greatest));
    }
  }
}
