// Random points of the whole box of parameters: sigma 0.1 .. 1000, rate 1e-9 .. 1, up to 10^12
// steps, epsilon 0 .. 10^4, delta 0.5 .. 10^-1000. Nothing may throw, hang, contradict the moments
// accountant, or return something that is not a band. Prints how many reach 12 digits, and why the
// others do not. PLAUDIT_SLOW=1 runs it, PLAUDIT_TEST_MULTIPLIER scales it.
#include <doctest/doctest.h>

#include <cstdio>
#include <ctime>
#include <map>

#include "accountants/registry.hpp"
#include "accountants/session/answer.hpp"
#include "lib/work/work_limit.hpp"
#include "support/curves.hpp"
#include "support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

std::string between(Random& random, double low, double high) {
  const double end = random.one_in(2) ? low : high;
  if (random.one_in(8)) high = low = end;
  char text[40];
  std::snprintf(text, sizeof text, "%.3g", std::exp(random.uniform(std::log(low), std::log(high))));
  return text;
}

struct BoxQuery {
  std::string spec;
  Direction direction;
  Quantity quantity;
  std::string argument;

  std::string command() const {
    const bool epsilon = quantity == Quantity::epsilon;
    return std::string("plaudit ") + (epsilon ? "epsilon" : "delta") + " '" + spec + "' " +
           (epsilon ? "--delta " : "--epsilon ") + argument + " --direction " +
           std::string(name_of(direction));
  }
};

BoxQuery random_query(Random& random) {
  BoxQuery query;
  const std::string rate = random.one_in(10)   ? "1"
                           : random.one_in(10) ? "1e-9"
                                               : between(random, 1e-8, 0.999);
  const std::string steps =
      random.one_in(10)
          ? std::to_string(random.integer(1, 3))
          : std::to_string(static_cast<long>(std::exp(random.uniform(0, std::log(1e12)))));
  query.spec =
      "poisson(gaussian(sigma=" + between(random, 0.1, 1000) + "), rate=" + rate + ")^" + steps;
  query.direction = random.one_in(2) ? Direction::add : Direction::remove;
  if (random.one_in(2)) {
    query.quantity = Quantity::epsilon;
    query.argument =
        random.one_in(6)
            ? "0.5"
            : "1e-" + std::to_string(static_cast<long>(std::exp(random.uniform(0, 6.908))));
  } else {
    query.quantity = Quantity::delta;
    query.argument = random.one_in(8) ? "0" : between(random, 1e-3, 1e4);
  }
  return query;
}

}  // namespace

TEST_CASE("random points of the box") {
  Random random(41);
  const int count = trials(100);
  constexpr double timeout = 2;
  int good = 0;
  double worst = 0;
  std::map<std::string, int> reasons;
  std::map<std::string, std::string> examples;
  for (int i = 0; i < count; ++i) {
    const BoxQuery query = random_query(random);
    INFO(query.command());
    const bool epsilon = query.quantity == Quantity::epsilon;
    const Rational argument = parse_rational(query.argument);
    AnswerOptions options;
    options.timeout_seconds = timeout;
    options.direction =
        query.direction == Direction::add ? DirectionChoice::add : DirectionChoice::remove;
    const double start = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
    Answer answer;
    try {
      answer = Session(parse_spec(query.spec), options).answer(query.quantity, argument);
    } catch (const std::exception& error) {
      FAIL_CHECK(query.command(), " threw ", std::string(error.what()));
      continue;
    }
    const double seconds = static_cast<double>(std::clock()) / CLOCKS_PER_SEC - start;
    worst = std::max(worst, seconds);
    CHECK_MESSAGE(seconds < 2 * timeout, query.command());
    const Enclosure& band = answer.band;
    CHECK_MESSAGE(certainly_less_equal(Ball(0), band.lower), query.command());
    CHECK_MESSAGE(certainly_less_equal(band.lower, band.upper), query.command());
    if (!epsilon) CHECK_MESSAGE(certainly_less_equal(band.upper, Ball(1)), query.command());
    {
      const auto moments =
          accountant("moments")->open(loss_from(query.spec, query.direction), {12});
      const WorkLimit limit(timeout);
      const Enclosure other = epsilon ? moments->epsilon(argument) : moments->delta(argument);
      CHECK_MESSAGE(overlaps(band, other), query.command(), ": ", show(band), " is apart from ",
                    show(other));
    }
    if (answer.reached) {
      ++good;
    } else {
      const std::string reason = band.remark.empty() ? "no remark" : band.remark;
      CHECK_MESSAGE(!band.remark.empty(), query.command());
      ++reasons[reason];
      examples.emplace(reason, query.command());
    }
  }
  std::string summary = std::to_string(good) + " of " + std::to_string(count) +
                        " reach 12 digits; worst processor time " + std::to_string(worst) + " s";
  for (const auto& [reason, number] : reasons) {
    summary += "\n  " + std::to_string(number) + ": " + reason + ", e.g. " + examples[reason];
  }
  MESSAGE(summary);
  CHECK(good > count / 2);
}
