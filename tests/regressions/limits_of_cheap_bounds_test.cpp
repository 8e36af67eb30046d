// Cheap bounds were asked where no limit was in force, the one that joins bands being off: with a
// limit of 0.05 s this took half a minute in the library, and the program's backstop ended it.
#include <doctest/doctest.h>

#include <ctime>

#include "accountants/session/answer.hpp"
#include "mechanisms/language/spec.hpp"

using namespace plaudit;

TEST_CASE("a limit of time holds while cheap bounds are asked") {
  AnswerOptions options;
  options.timeout_seconds = 0.05;
  const std::clock_t start = std::clock();
  const Answer answer =
      Session(parse_spec("with_replacement(gaussian(sigma=1), batch=1000, population=100000)^1000"),
              options)
          .answer(Quantity::epsilon, parse_rational("1e-6"));
  // of processor time: 0.25 s, where it was more than 20 s
  CHECK(std::clock() - start < 5 * CLOCKS_PER_SEC);
  CHECK(answer.band.certified);
}
