// Sketches of many laws: their cumulants against those of all laws.
#include "accountants/cumulants/sketch.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>

#include "mechanisms/language/spec.hpp"

using namespace plaudit;

namespace {

ComposedLoss many(int laws, const char* one_more, Direction direction) {
  std::mt19937 random(7);
  const auto between = [&](double low, double high) {
    return low + (high - low) * std::uniform_real_distribution<double>(0, 1)(random);
  };
  std::vector<Factor> factors;
  const auto add = [&](const std::string& spec) {
    const Composition one = parse_spec(spec);
    factors.insert(factors.end(), one.factors().begin(), one.factors().end());
  };
  for (int i = 0; i < laws; ++i) {
    const std::string sigma = std::to_string(between(0.7, 4));
    const std::string rate = std::to_string(between(0.001, 0.05));
    add("poisson(gaussian(" + sigma + "), rate=" + rate + ")^" + std::to_string(1 + i % 3));
  }
  add(one_more);
  return {Composition(factors), direction};
}

}  // namespace

TEST_CASE("few laws have no sketch, many have one of few laws with nearly their cumulants") {
  CHECK(!sketch_of(many(50, "gaussian(9)", Direction::remove)));
  // one law that hardly counts, one that rules all orders, one that rules the high ones alone
  for (const char* one : {"gaussian(90)", "gaussian(0.2)", "poisson(gaussian(0.4), rate=1e-7)"}) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const ComposedLoss all = many(600, one, direction);
      const auto few = sketch_of(all);
      REQUIRE(few);
      CHECK(few->terms().size() < 250);
      CHECK(few->steps() == all.steps());
      for (const double order : {0.5, 2.0, 7.0, 30.0}) {
        INFO(std::string(one), ", order ", order);
        const CumulantEstimate whole = all.estimate_cumulant(order);
        const CumulantEstimate part = few->estimate_cumulant(order);
        CHECK(part.value == doctest::Approx(whole.value).epsilon(0.05));
        CHECK(part.mean == doctest::Approx(whole.mean).epsilon(0.05));
        // where one kind of draws takes over from another it changes fast
        CHECK(part.variance == doctest::Approx(whole.variance).epsilon(0.35));
      }
    }
  }
}

TEST_CASE("no laws have no sketch") { CHECK(!sketch_of(ComposedLoss({}, Direction::remove))); }
