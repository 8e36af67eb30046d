// Printed figures of other people's accountants, digit by digit as far as they are right.
#include <doctest/doctest.h>

#include "accountants/contour/contour.hpp"
#include "support/curves.hpp"

using namespace plaudit;
using namespace plaudit::test;

// A. Koskela, J. Jalko, A. Honkela, Computing Tight Differential Privacy Guarantees Using FFT
// (AISTATS 2020), Tables 1 and 2: delta at eps = 1 of 10^4 steps with sigma = 1.5, q = 0.01,
// Poisson sampling, remove direction; n grid points on [-L, L], and the error they estimate.
TEST_CASE("Fourier accountant, Tables 1 and 2") {
  struct Row {
    const char* printed;
    int right_decimals;    ///< the truth begins with the same decimals, and no more
    const char* estimate;  ///< of the distance to the exact delta
  };
  constexpr Row rows[] = {{"0.0491228786423", 3, "2.01e-2"},     // n = 5e4, L = 12
                          {"0.0496013846114", 6, "1.06e-6"},     // 2e5
                          {"0.0496014103252", 10, "2.66e-11"},   // 8e5
                          {"0.0496014103163", 11, "2.22e-12"},   // 3.2e6
                          {"0.0422160172923", 2, "3.32e-1"},     // n = 3.2e6, L = 2
                          {"0.0496014103158", 11, "3.32e-6"},    // 6
                          {"0.0496014103134", 11, "2.22e-12"}};  // 10
  const ComposedLoss loss =
      loss_from("poisson(gaussian(sigma=1.5), rate=0.01)^10000", Direction::remove);
  const Enclosure band = contour_accountant()->open(loss, Goal{20})->delta(1);
  REQUIRE(reached(band, 20));
  const PrecisionScope scope(200);
  const Ball truth = band_of(band);
  for (const Row& row : rows) {
    const Ball value(parse_rational(row.printed));
    INFO(std::string(row.printed));
    // the decimals up to `right_decimals`, cut, bound the truth from below; one more digit does not
    const std::string text(row.printed);
    const auto cut = [&](int decimals) {
      return parse_rational(text.substr(0, 2 + static_cast<std::size_t>(decimals)));
    };
    const auto unit = [](int decimals) {
      Rational u = 1;
      for (int i = 0; i < decimals; ++i) u /= 10;
      return u;
    };
    const auto begins_with = [&](int decimals) {
      const Rational from = cut(decimals);
      return certainly_less_equal(Ball(from), truth) &&
             certainly_less(truth, Ball(Rational(from + unit(decimals))));
    };
    CHECK(begins_with(row.right_decimals));
    CHECK(!begins_with(row.right_decimals + 1));
    // their estimates of their own error are right
    CHECK(certainly_less(abs(value - truth), Ball(parse_rational(row.estimate))));
  }
}
