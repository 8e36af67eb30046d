// Sessions: directions, options, and all accountants against each other on random compositions.
#include "accountants/session/answer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "accountants/session/direction_session.hpp"
#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"
#include "support/curves.hpp"
#include "support/random.hpp"
#include "support/random_specs.hpp"
#include "support/slow.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

AnswerOptions options(DirectionChoice direction = DirectionChoice::both, int digits = 12) {
  AnswerOptions result;
  result.direction = direction;
  result.digits = digits;
  return result;
}

/// `a` lies at or below `b`, as far as the bands can tell.
bool may_be_less_equal(const Enclosure& a, const Enclosure& b) {
  return !certainly_greater(a.lower, b.upper);
}

}  // namespace

TEST_CASE("`both` is the larger of the two directions") {
  Random random(32);
  for (int i = 0; i < trials(8); ++i) {
    const std::string spec = random_spec(random);
    const Rational delta = parse_rational(random_delta(random));
    AnswerOptions chosen = options();
    chosen.timeout_seconds = 0.3;
    const auto ask = [&](DirectionChoice direction, Quantity quantity, const Rational& x) {
      chosen.direction = direction;
      return Session(parse_spec(spec), chosen).answer(quantity, x);
    };
    for (const Quantity quantity : {Quantity::epsilon, Quantity::delta}) {
      const Rational x = quantity == Quantity::epsilon ? delta : Rational(3, 2);
      const Answer both = ask(DirectionChoice::both, quantity, x);
      const Answer remove = ask(DirectionChoice::remove, quantity, x);
      const Answer add = ask(DirectionChoice::add, quantity, x);
      INFO(spec, ", argument ", to_string(x));
      CHECK(both.directions.size() == 2);
      CHECK(remove.directions.size() == 1);
      CHECK(remove.directions[0].direction == Direction::remove);
      CHECK(add.directions[0].direction == Direction::add);
      CHECK(may_be_less_equal(remove.band, both.band));
      CHECK(may_be_less_equal(add.band, both.band));
      const bool meets = overlaps(both.band, remove.band) || overlaps(both.band, add.band);
      CHECK(meets);
      for (const DirectionAnswer& each : both.directions) {
        // end by end
        CHECK(!certainly_less(both.band.lower, each.band.lower));
        CHECK(!certainly_less(both.band.upper, each.band.upper));
      }
    }
  }
}

TEST_CASE("more digits asked than can be had: no fewer than few digits give") {
  const Deadline late(1e6);  // by work alone: the clock has no part in it
  for (const char* spec : {"poisson(gaussian(sigma=0.65), rate=0.01)^2000",
                           "discrete_gaussian(sigma=10)^100 * discrete_gaussian(sigma=7)^100"}) {
    INFO(std::string(spec));
    const auto ask = [&](int digits) {
      const AnswerOptions how = options(DirectionChoice::remove, digits);
      return DirectionSession(parse_spec(spec), Direction::remove, how)
          .answer(Quantity::epsilon, Rational(1, 99999), late, usually(1, 4));
    };
    const Enclosure wide = ask(5000);
    CHECK_FALSE(reached(wide, 5000));
    CHECK(relative_width(wide.lower, wide.upper) < 2e-5);
    CHECK(overlaps(wide, ask(5)));
  }
}

TEST_CASE("more digits asked: no band is wider, whatever is reached") {
  // by work alone: the clock has no part in it
  const Deadline late(1000);
  const Rational delta(1, 1000000);
  for (const char* spec :
       {"poisson(discrete_gaussian(1.5), 0.05)^100 * poisson(laplace(3), 0.05)^20",
        "poisson(discrete_gaussian(2), 0.01)^1000"}) {
    std::optional<Ball> former;
    for (const int digits : {5, 8, 10, 12, 15}) {
      if (digits % 2 == 0 && digits != 10 && !slow_tests()) continue;
      INFO(std::string(spec), ", ", digits, " digits");
      const AnswerOptions how = options(DirectionChoice::remove, digits);
      const Enclosure band = DirectionSession(parse_spec(spec), Direction::remove, how)
                                 .answer(Quantity::epsilon, delta, late, 0.6);
      const PrecisionScope scope(256);
      const Ball width = band.upper - band.lower;
      if (digits == 5) CHECK(reached(band, digits));
      if (former && !reached(band, digits)) CHECK(certainly_less_equal(width, *former));
      former = width;
    }
  }
}

TEST_CASE("a session answers a curve as single sessions do") {
  const Composition run = parse_spec("poisson(gaussian(sigma=1), rate=0.01)^2000");
  Session shared(run, options());
  for (const char* delta : {"1e-5", "1e-6", "0.1", "1e-40", "1e-5"}) {
    const Answer here = shared.answer(Quantity::epsilon, parse_rational(delta));
    const Answer alone = Session(run, options()).answer(Quantity::epsilon, parse_rational(delta));
    INFO("delta ", std::string(delta));
    CHECK(here.reached);
    CHECK(here.band.remark.empty());
    CHECK_BANDS_OVERLAP(here.band, alone.band);
  }
}

TEST_CASE("who asks for no digits gets the usual width in both directions, at the price of each") {
  const auto work_of = [](DirectionChoice direction) {
    AnswerOptions chosen = options(direction);
    chosen.accountant = "fourier";
    chosen.digits_asked = DigitsAsked::by_nobody;
    const double before = work_done();
    const Answer answer =
        Session(parse_spec("poisson(gaussian(sigma=1.5), rate=0.01)^10000"), chosen)
            .answer(Quantity::epsilon, parse_rational("1e-6"));
    CHECK(answer.band.cause == Cause::width);
    for (const DirectionAnswer& each : answer.directions) {
      CHECK(each.band.cause == Cause::width);
      CHECK(certainly_less_equal(each.band.upper - each.band.lower, Ball(Rational(1, 1000))));
    }
    return work_done() - before;
  };
  const double apart = work_of(DirectionChoice::remove) + work_of(DirectionChoice::add);
  CHECK(work_of(DirectionChoice::both) < 1.1 * apart);
}

namespace {

struct Asked {
  Answer answer;
  double work;
};

Asked epsilon_and_work(const char* spec, const char* delta, const AnswerOptions& how) {
  const double before = work_done();
  Answer answer = Session(parse_spec(spec), how).answer(Quantity::epsilon, parse_rational(delta));
  return {std::move(answer), work_done() - before};
}

AnswerOptions unasked(DirectionChoice direction = DirectionChoice::both) {
  AnswerOptions result = options(direction);
  result.digits_asked = DigitsAsked::by_nobody_of_one_number;
  return result;
}

// Twelve digits of it take much work, six take little.
constexpr const char* dear = "bounded_range(epsilon=0.18)^2";
constexpr const char* dear_delta = "5.6e-5";

}  // namespace

TEST_CASE("digits for which nobody asked: all of them where they are cheap, at the same price") {
  for (const char* spec :
       {"poisson(gaussian(sigma=1), rate=0.01)^2000", "laplace(scale=10)^100", "gaussian(2)",
        "poisson(gaussian(sigma=1), rate=0.01)^200 * laplace(scale=30)^3"}) {
    INFO(std::string(spec));
    const Asked stated = epsilon_and_work(spec, "1e-6", options());
    const Asked found = epsilon_and_work(spec, "1e-6", unasked());
    REQUIRE(stated.work < 0.09);
    CHECK(found.work < 1.05 * stated.work + 1e-3);
    CHECK(found.answer.reached);
    CHECK(found.answer.digits == 12);
    CHECK(reached(found.answer.band, 12));
    CHECK(found.answer.band.remark.empty());
    CHECK(found.answer.band.cause == Cause::none);
  }
}

TEST_CASE("digits for which nobody asked: few suffice where all are dear, and the answer says so") {
  for (const char* accountant : {"auto", "contour"}) {
    AnswerOptions how = options();
    AnswerOptions hows = unasked();
    how.accountant = hows.accountant = accountant;
    const Asked stated = epsilon_and_work(dear, dear_delta, how);
    const Asked found = epsilon_and_work(dear, dear_delta, hows);
    INFO(std::string(accountant), ": ", stated.work, " and ", found.work, " s of work");
    CHECK(stated.answer.reached);
    CHECK(stated.answer.digits == 12);
    CHECK(stated.work > 2 * found.work);
    CHECK(found.answer.reached);
    CHECK(found.answer.digits == 6);
    CHECK(reached(found.answer.band, 6));
    CHECK_FALSE(reached(found.answer.band, 12));
    CHECK(found.answer.band.cause == Cause::enough);
    CHECK(found.answer.band.remark.find("6 digits suffice") == 0);
    CHECK(found.answer.band.remark.find("--digits 12") != std::string::npos);
    CHECK_BANDS_OVERLAP(found.answer.band, stated.answer.band);
    CHECK(certainly_less_equal(found.answer.band.lower, stated.answer.band.upper));
  }
}

TEST_CASE("digits for which nobody asked, in one direction, in two threads, and again") {
  AnswerOptions threads = unasked();
  threads.threads = 2;
  for (const AnswerOptions& how :
       {unasked(DirectionChoice::remove), unasked(DirectionChoice::add), threads}) {
    Session session(parse_spec(dear), how);
    for (int again = 0; again < 2; ++again) {
      const Answer answer = session.answer(Quantity::epsilon, parse_rational(dear_delta));
      CHECK(answer.reached);
      CHECK(reached(answer.band, 6));
      CHECK(answer.digits == (reached(answer.band, 12) ? 12 : 6));
      const Answer exact = session.answer(Quantity::epsilon, 1);
      CHECK(exact.digits == 12);
      CHECK(exact.band.exact);
      CHECK(exact.band.remark.empty());
    }
  }
}

TEST_CASE("digits for which nobody asked: what was told on the way stands in the end") {
  std::vector<Answer> told;
  AnswerOptions how = unasked();
  how.proven = [&](const Answer& answer) { told.push_back(answer); };
  const Answer last = epsilon_and_work(dear, dear_delta, how).answer;
  REQUIRE(!told.empty());
  for (const Answer& each : told) {
    CHECK(!certainly_less(last.band.lower, each.band.lower));
    CHECK(!certainly_less(each.band.upper, last.band.upper));
  }
}

TEST_CASE("digits for which nobody asked: fewer than few are as they were, limits are told") {
  AnswerOptions three = unasked();
  three.digits = 3;
  const Answer few = epsilon_and_work(dear, dear_delta, three).answer;
  CHECK(few.digits == 3);
  CHECK(few.band.cause == Cause::none);
  AnswerOptions hurried = unasked();
  hurried.timeout_seconds = 0.001;
  const Answer none =
      epsilon_and_work("with_replacement(gaussian(sigma=0.936), batch=94, population=9426)^9712",
                       "1.8e-7", hurried)
          .answer;
  CHECK(none.digits == 12);  // there is no time for tries
  CHECK_FALSE(none.reached);
  CHECK(none.band.cause != Cause::enough);
  CHECK(!none.band.remark.empty());
}

TEST_CASE("digits for which nobody asked take hardly longer than twelve where six take as long") {
  for (const char* spec :
       {"with_replacement(gaussian(sigma=0.936), batch=94, population=9426)^9712",
        "random_allocation(gaussian(sigma=2.13), steps=155)^3"}) {
    const Asked stated = epsilon_and_work(spec, "1.8e-7", options());
    const Asked found = epsilon_and_work(spec, "1.8e-7", unasked());
    INFO(std::string(spec), ": ", stated.work, " and ", found.work, " s of work");
    CHECK(found.answer.reached);
    CHECK(found.work < stated.work + 0.11);
  }
}

TEST_CASE("how many digits a band reaches") {
  Enclosure band;
  band.lower = Ball(0);
  band.upper = Ball(1);
  CHECK(digits_reached(band) == 0);
  for (const int digits : {1, 2, 6, 11, 300}) {
    const PrecisionScope scope(4096);
    band.lower = (Ball(1) - Ball(Rational(9, 10)) *
                                power(Ball(Rational(1, 10)), static_cast<std::uint64_t>(digits)))
                     .lower();
    CHECK(digits_reached(band) == digits);
  }
  band.upper = positive_infinity();
  CHECK(digits_reached(band) == 0);
  band.lower = positive_infinity();
  CHECK(!digits_reached(band));
  band.lower = band.upper = Ball(3);
  CHECK(!digits_reached(band));
}

TEST_CASE("threads change nothing but the time") {
  const Composition run = parse_spec("poisson(gaussian(sigma=1), rate=0.01)^2000");
  AnswerOptions two = options();
  two.threads = 2;
  const Answer a = Session(run, options()).answer(Quantity::delta, 1);
  const Answer b = Session(run, two).answer(Quantity::delta, 1);
  CHECK((a.band.lower - b.band.lower).is_exact_zero());
  CHECK((a.band.upper - b.band.upper).is_exact_zero());
}

TEST_CASE("a symmetric composition is computed once") {
  const Answer answer =
      Session(parse_spec("gaussian(sigma=3)^7"), options()).answer(Quantity::delta, 1);
  REQUIRE(answer.directions.size() == 2);
  CHECK((answer.directions[0].band.lower - answer.directions[1].band.lower).is_exact_zero());
  CHECK(answer.band.accountant == "closed_form");
}

TEST_CASE("what is refused") {
  const Composition run = parse_spec("poisson(gaussian(sigma=1), rate=0.01)^20");
  AnswerOptions unknown = options();
  unknown.accountant = "magic";
  CHECK_THROWS_AS(Session(run, unknown).answer(Quantity::delta, 1), std::invalid_argument);
  AnswerOptions unfit = options();
  unfit.accountant = "closed_form";
  CHECK_THROWS_AS(Session(run, unfit).answer(Quantity::delta, 1), std::invalid_argument);
  Session session(run, options());
  CHECK_THROWS_AS(session.answer(Quantity::epsilon, 2), std::invalid_argument);
  CHECK_THROWS_AS(session.answer(Quantity::epsilon, Rational(-1, 10)), std::invalid_argument);
  // ends of the domain are answers
  CHECK(session.answer(Quantity::epsilon, 1).band.upper.is_exact_zero());
  CHECK(!session.answer(Quantity::epsilon, 0).band.upper.is_finite());
}

TEST_CASE("a tiny time limit: an honest wide band, quickly") {
  for (const char* spec : {"poisson(gaussian(sigma=0.3), rate=1e-4)^1000",
                           "group(poisson(gaussian(sigma=1), rate=0.01), size=200)^50",
                           "poisson(gaussian(sigma=0.1), rate=1e-9)^7"}) {
    const Composition run = parse_spec(spec);
    AnswerOptions hurried = options(DirectionChoice::both, 60);
    hurried.timeout_seconds = 0.02;
    AnswerOptions rough = options(DirectionChoice::both, 3);
    rough.timeout_seconds = 0.3;
    const double before = work_done();
    const Answer delta = Session(run, hurried).answer(Quantity::delta, 1);
    const Answer epsilon = Session(run, hurried).answer(Quantity::epsilon, Rational(1, 1000000));
    INFO(std::string(spec));
    CHECK(work_done() - before < 0.5);  // the last resorts, which no limit ends, among it
    for (const Answer& answer : {delta, epsilon}) {
      CHECK(certainly_less_equal(answer.band.lower, answer.band.upper));
      if (!answer.reached) CHECK(!answer.band.remark.empty());
    }
    const Answer truth = Session(run, rough).answer(Quantity::delta, 1);
    CHECK_BANDS_OVERLAP(delta.band, truth.band);
  }
}

TEST_CASE("where nothing reaches the digits, no accountant that is cheap knows better") {
  // a far tail in which moments say 0.009, and the deltas of the steps add up to 1e-27
  const Composition run = parse_spec("poisson(gaussian(sigma=0.8035), rate=3.071e-9)^40");
  const Rational epsilon = parse_rational("0.01866");
  const Deadline late(1e6);
  for (const Direction direction : {Direction::remove, Direction::add}) {
    AnswerOptions how = options();
    const auto ask = [&] {
      return DirectionSession(run, direction, how).answer(Quantity::delta, epsilon, late, 2);
    };
    const Enclosure found = ask();
    how.accountant = "basic_composition";
    const Enclosure basic = ask();
    CHECK(certainly_less_equal(found.upper, basic.upper));
    CHECK(certainly_less(basic.upper, Ball(1e-20)));
  }
}

TEST_CASE("an estimate of one direction is no end of a certified band") {
  // "remove" has no estimate and keeps what holds of any composition; "add" has one above it
  AnswerOptions options;
  options.accountant = "gaussian_limit";
  const Answer answer = Session(parse_spec("poisson(gaussian(0.002), 0.5)^30"), options)
                            .answer(Quantity::delta, parse_rational("0.001"));
  REQUIRE(answer.directions.size() == 2);
  CHECK(answer.directions[0].band.certified);
  CHECK_FALSE(answer.directions[1].band.certified);
  CHECK_FALSE(answer.band.certified);
  CHECK_FALSE(answer.reached);
}
