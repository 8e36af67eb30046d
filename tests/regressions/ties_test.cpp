// What was undecided where a number is exactly rational, and the top of a law from a file that was
// taken for its greatest loss although its mass may be 0: epsilon(0) of masses [9/10, 1] at 0 and
// [0, 1/10] at 1/20 was answered with [1/20, 1/20], where 0 is as possible.
#include "accountants/atoms/ties.hpp"

#include <doctest/doctest.h>

#include "accountants/inversion.hpp"
#include "lib/analysis/exponential_sum.hpp"
#include "lib/balls/decimal.hpp"
#include "lib/balls/precision.hpp"
#include "mechanisms/forms/pld_file.hpp"
#include "support/losses.hpp"

using namespace plaudit;
using plaudit::test::loss_from;

namespace {

ExponentialSum term(const char* coefficient, const char* exponent) {
  return {parse_rational(coefficient), parse_rational(exponent)};
}

}  // namespace

TEST_CASE("exponential sums are equal only term by term") {
  const ExponentialSum sum = term("1/2", "1/3") + term("-2", "0");
  CHECK((sum - sum).is_zero());
  CHECK(sum * sum == term("1/4", "2/3") + term("-2", "1/3") + term("4", "0"));
  CHECK(rational_quotient(sum.times(3, 0), sum) == Rational(3));
  CHECK(rational_quotient(ExponentialSum(), sum) == Rational(0));
  CHECK(!rational_quotient(sum.times(3, 1), sum));
  CHECK(!rational_quotient(sum + term("1e-300", "0"), sum));
  const auto quotient = monomial_quotient(sum.times(3, 1), sum);
  REQUIRE(quotient);
  CHECK(quotient->coefficient == 3);
  CHECK(quotient->exponent == 1);
  const PrecisionScope scope(200);
  CHECK(overlaps(sum.enclosed(), ldexp(exp(Ball(Rational(1, 3))), -1) - Ball(2)));
}

TEST_CASE(
    "exact values lie in the curves' enclosures, and are not given where they are not rational") {
  struct Case {
    const char* spec;
    const char* epsilon;
    const char* delta;  // null: not rational
  };
  for (const Case& each : {
           Case{"randomized_response(probability=3/4)", "0", "1/2"},
           Case{"randomized_response(probability=3/4)", "1/10", nullptr},
           Case{"randomized_response(probability=3/4)", "11/10", "0"},
           Case{"pure(epsilon=1)", "0", nullptr},
           Case{"pure(epsilon=1)", "1", "0"},
           Case{"pure(epsilon=1)", "-1", nullptr},
           Case{"approximate(epsilon=1, delta=1/3)^2", "2", "5/9"},
           Case{"approximate(epsilon=1, delta=1/3)^2", "19/10", nullptr},
           Case{"discrete_laplace(scale=2, sensitivity=3)", "3/2", "0"},
           Case{"discrete_laplace(scale=2, sensitivity=3)", "1/2", nullptr},
           Case{"laplace(scale=2)", "1/4", nullptr},
           Case{"poisson(approximate(epsilon=0, delta=1/4), rate=1/2)", "0", "1/8"},
           Case{"poisson(pure(epsilon=1), rate=1/2)", "0", nullptr},
           Case{"randomized_response(probability=3/4) * pure(epsilon=1)", "0", "1/2"},
           Case{"randomized_response(probability=3/4) * pure(epsilon=2)", "0", nullptr},
           Case{"randomized_response(probability=3/4) * laplace(scale=1)", "0", "1/2"},
           Case{"randomized_response(probability=3/4) * laplace(scale=1/2)", "0", nullptr},
           Case{"randomized_response(probability=3/4) * gaussian(sigma=100)", "0", nullptr},
       }) {
    INFO(each.spec, " at ", each.epsilon);
    const ComposedLoss loss = loss_from(each.spec, Direction::remove);
    const Rational epsilon = parse_rational(each.epsilon);
    const auto found = Ties(loss).delta(epsilon, Ties::much_work);
    CHECK(found.has_value() == (each.delta != nullptr));
    if (!found || each.delta == nullptr) continue;
    CHECK(*found == parse_rational(each.delta));
    if (loss.terms().size() == 1 && loss.terms()[0].count == 1) {
      CHECK(overlaps(loss.terms()[0].loss->delta(Ball(epsilon)), Ball(*found)));
    }
  }
}

TEST_CASE("too much work: nothing is concluded") {
  const ComposedLoss loss = loss_from("randomized_response(probability=3/4)^100000");
  CHECK(!Ties(loss).delta(0, Ties::little_work));
  const ComposedLoss many = loss_from("discrete_laplace(scale=7, sensitivity=500)^500");
  CHECK(!Ties(many).delta(0, Ties::little_work));
}

TEST_CASE("a loss whose mass may be 0 need not be the greatest one") {
  const WrittenPair pair = parse_pld(
      R"({"adjacency": "as stated", "both": {"losses": ["0", "1/20"],
          "masses": [["9/10", "1"], ["0", "1/10"]]}})",
      "maybe.json");
  const ComposedLoss loss({{loss_of(pair.remove, "maybe"), 3, nullptr}}, Direction::remove);
  const auto found = inversion_without_search(loss, Ball(1), 0);
  REQUIRE(found);
  CHECK(certainly_less_equal(found->lower, Ball(0)));
  CHECK(certainly_greater_equal(found->upper, Ball(Rational(14, 100))));
  CHECK(!Ties(loss).epsilon(0, Ties::much_work));
  CHECK(!Ties(loss).compare_epsilon(0, Rational(1, 10), Ties::much_work));
}

TEST_CASE("decimals of rationals: themselves where they are that short, outward otherwise") {
  CHECK(decimal_below(Rational(3, 10), 16) == "0.3");
  CHECK(decimal_above(Rational(3, 10), 16) == "0.3");
  CHECK(decimal_below(Rational(1, 3), 4) == "0.3333");
  CHECK(decimal_above(Rational(1, 3), 4) == "0.3334");
  CHECK(decimal_below(Rational(-1, 3), 4) == "-0.3334");
  CHECK(decimal_above(Rational(99999, 100), 4) == "1000");
  CHECK(decimal_below(Rational(99999, 100), 4) == "999.9");
  CHECK(decimal_below(Rational(1000), 5) == "1000");
  CHECK(decimal_above(Rational(0), 5) == "0");
  CHECK(decimal_above(parse_rational("1e-300"), 5) == "1e-300");
}
