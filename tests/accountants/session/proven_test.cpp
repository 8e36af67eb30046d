// What a session tells of an answer while it works on it.
#include <doctest/doctest.h>

#include <vector>

#include "accountants/session/answer.hpp"
#include "support/curves.hpp"
#include "support/random.hpp"
#include "support/random_specs.hpp"

using namespace plaudit;
using namespace plaudit::test;

TEST_CASE("bands that are told on the way to an answer contain it, and narrow") {
  Random random(808);
  int told_early = 0;
  for (int i = 0; i < trials(12); ++i) {
    const std::string spec = random_spec(random);
    const Rational delta = parse_rational(random_delta(random));
    for (const Quantity quantity : {Quantity::epsilon, Quantity::delta}) {
      const Rational x = quantity == Quantity::epsilon ? delta : Rational(3, 2);
      std::vector<Answer> told;
      AnswerOptions how;
      how.digits = 9;
      how.threads = 1 + i % 2;
      how.proven = [&](const Answer& answer) { told.push_back(answer); };
      const Answer last = Session(parse_spec(spec), how).answer(quantity, x);
      INFO(spec, ", argument ", to_string(x));
      for (std::size_t k = 0; k < told.size(); ++k) {
        CHECK(told[k].quantity == quantity);
        CHECK(told[k].directions.size() == last.directions.size());
        CHECK_BANDS_OVERLAP(told[k].band, last.band);
        CHECK(certainly_less_equal(told[k].band.lower, last.band.upper));
        if (k == 0) continue;
        CHECK(!certainly_less(told[k].band.lower, told[k - 1].band.lower));
        CHECK(!certainly_less(told[k - 1].band.upper, told[k].band.upper));
      }
      told_early += told.size() > 1 ? 1 : 0;
    }
  }
  CHECK(told_early > 0);
}
