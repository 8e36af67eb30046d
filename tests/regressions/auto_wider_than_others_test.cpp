// `auto` said "no method comes nearer" of [1.02e-6, 0.137] where basic_composition proves 0.0011 in
// milliseconds: it never asked most accountants, and forgot those that it had stopped. Where it
// does not reach the digits it now intersects with all certified accountants, and says which of
// them were stopped. Time is counted as work, so that each has the same on any machine.
#include <doctest/doctest.h>

#include <string>

#include "accountants/refusals.hpp"
#include "accountants/registry.hpp"
#include "accountants/session/direction_session.hpp"
#include "lib/balls/precision.hpp"
#include "mechanisms/language/spec.hpp"
#include "support/slow.hpp"

using namespace plaudit;
using plaudit::test::slow_tests;

namespace {

constexpr double beyond_any_clock = 1e9;
constexpr double work_of_all = 0.5;  ///< nominal seconds

struct Question {
  const char* spec;
  Quantity quantity;
  const char* argument;
  int digits;
};

Enclosure answer_by(const Question& asked, const std::string& accountant,
                    double work = work_of_all) {
  AnswerOptions options;
  options.digits = asked.digits;
  options.accountant = accountant;
  DirectionSession session(parse_spec(asked.spec), Direction::remove, options);
  return session.answer(asked.quantity, parse_rational(asked.argument),
                        Deadline(beyond_any_clock, work), work);
}

const Question questions[] = {
    {"poisson(gaussian(sigma=1.13), rate=0.000125788, adjacency=replace)^2", Quantity::epsilon,
     "1.7e-8", 12},
    {"randomized_response(epsilon=3.15)^3637 * permute_and_flip(epsilon=0.0235)^3", Quantity::delta,
     "6.3", 12},
    {"laplace(scale=0.539) * poisson(gaussian(sigma=2.46), rate=6.73e-06, adjacency=replace)",
     Quantity::epsilon, "3.1e-07", 4},
    {"tcdp(rho=0.01, omega=8) * approximate(epsilon=0.1, delta=1e-9)^3", Quantity::epsilon, "1e-6",
     6},
    {"with_replacement(gaussian(sigma=4.02), batch=56, population=1838)^10 * zcdp(rho=0.00295)^2",
     Quantity::delta, "0.14", 9},  // moments alone apply, and need more than a look's share
};

}  // namespace

TEST_CASE("auto is no wider than any certified accountant with the same work") {
  const PrecisionScope scope(1000);
  for (const Question& asked : questions) {
    const Enclosure mine = answer_by(asked, "auto");
    if (&asked == questions) {  // a band that is too wide says who was asked
      CHECK_FALSE(reached(mine, asked.digits));
      CHECK(mine.remark.find("basic_composition") != std::string::npos);
      CHECK(mine.remark.find("contour") != std::string::npos);
    }
    const Ball allowed =
        mine.upper.is_finite()
            ? mine.upper / power(Ball(10), static_cast<std::uint64_t>(asked.digits))
            : Ball(0);
    const ComposedLoss loss(parse_spec(asked.spec), Direction::remove);
    for (const auto& each : accountants()) {
      if (each->estimates_only() || refusal_of(*each, loss)) continue;
      const Enclosure other = answer_by(asked, std::string(each->name()));
      INFO(std::string(asked.spec), ", ", std::string(each->name()));
      if (other.upper.is_finite()) CHECK(certainly_less_equal(mine.upper, other.upper + allowed));
      CHECK(certainly_less_equal(other.lower, mine.lower + allowed));
    }
  }
}

// Each far node of the line was an integral of its own: 13.6 nominal seconds by `contour`, of which
// `auto` had too few in 60 s, and answered [0, 0.315].
TEST_CASE("rare batches with replacement reach their digits") {
  const Question asked{"with_replacement(gaussian(sigma=1), batch=64, population=1000000)^1000",
                       Quantity::epsilon, "1e-5", 6};
  const PrecisionScope scope(200);
  if (slow_tests()) CHECK(reached(answer_by(asked, "contour", 5), asked.digits));
  CHECK(reached(answer_by(asked, "auto", 20), asked.digits));
}
