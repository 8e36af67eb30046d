// 252 steps of 28 noise multipliers took 1.1 s at 4 digits and 0.12 s at 6: the lower edge of the
// strip of an integral was taken to cost less than its bound says, so that the nodes of a line were
// wider than any digits, whatever was asked of them, and fourier had to answer.
#include <doctest/doctest.h>

#include <string>

#include "accountants/session/answer.hpp"
#include "mechanisms/language/spec.hpp"

using namespace plaudit;

TEST_CASE("a falling schedule of noise is answered by a contour, however few digits are asked") {
  std::string spec;
  long sigma = 48569;  // in ten-thousandths
  for (int k = 0; k < 28; ++k) {
    if (k > 0) spec += " * ";
    spec += "poisson(gaussian(" + std::to_string(sigma) + "/10000), 0.042366)^9";
    sigma = sigma * 96123 / 100000;
  }
  for (const int digits : {3, 4, 6, 12}) {  // 3 and 4 failed
    AnswerOptions options;
    options.digits = digits;
    Session session(parse_spec(spec), options);
    const Answer answer = session.answer(Quantity::epsilon, parse_rational("1.5111e-10"));
    INFO(digits << " digits");
    CHECK(answer.reached);
    CHECK(answer.band.accountant == "contour");
  }
}
