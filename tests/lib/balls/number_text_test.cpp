#include "lib/balls/number_text.hpp"

#include "tests/support/containment.hpp"
#include "tests/support/random.hpp"

using namespace plaudit;
using plaudit::test::Random;
using plaudit::test::trials;

TEST_CASE("numbers as text come back as they were") {
  Random random(91);
  for (int i = 0; i < trials(500); ++i) {
    const Rational q = random.rational();
    CHECK(loaded_rational(dumped(q)) == q);
    const PrecisionScope scope(random.integer(2, 300));
    const Ball ball = widened(Ball(q), Ball(random.number()));
    const Ball again = loaded_ball(dumped(ball));
    CHECK(contains(again, ball));
    CHECK(contains(ball, again));
  }
  CHECK_FALSE(loaded_ball(dumped(positive_infinity())).is_finite());
  for (const char* text : {"", "1", "1/0x", "a/b", "/"}) {
    CHECK_THROWS_AS(loaded_rational(text), std::invalid_argument);
  }
  CHECK_THROWS_AS(loaded_ball("?"), std::invalid_argument);
}
