// `pure(0.196)^15` at 1e-6 took 8 to 20 seconds at 4 and 6 digits, by contours between narrow
// Gaussians, and milliseconds at 12: laws on one lattice are now asked of the exact transform
// first.
#include <doctest/doctest.h>

#include <string>

#include "accountants/session/answer.hpp"
#include "mechanisms/language/spec.hpp"

using namespace plaudit;

TEST_CASE("laws on one lattice are answered by the exact transform, however few digits are asked") {
  for (const char* spec :
       {"pure(0.196)^15", "discrete_gaussian(5)^100", "poisson(pure(1), 0.01)^100"}) {
    for (const int digits : {4, 6, 12}) {
      AnswerOptions options;
      options.digits = digits;
      Session session(parse_spec(spec), options);
      const Answer answer = session.answer(Quantity::epsilon, parse_rational("1e-6"));
      INFO(spec << ", " << digits << " digits");
      CHECK(answer.reached);
      CHECK(answer.band.accountant == "fourier");
    }
  }
}
