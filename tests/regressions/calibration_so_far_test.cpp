// A calibration that had found one side and was ended at its limit printed nothing: what is proven
// is handed on as it is proven.
#include <doctest/doctest.h>

#include "verification/calibration/calibration.hpp"

TEST_CASE("each side is handed on when it comes nearer, and holds what the decision has shown") {
  const plaudit::CalibrationQuestion question{"gaussian(sigma=?)^3", plaudit::Quantity::epsilon,
                                              plaudit::Rational(1), plaudit::Rational(1, 100000)};
  plaudit::AnswerOptions options;
  options.digits = 6;
  int heard = 0;
  bool one_side = false;
  std::optional<plaudit::Rational> suffices;
  const plaudit::Calibration end =
      plaudit::calibrate(question, options, [&](const plaudit::Calibration& so_far) {
        ++heard;
        CHECK(!so_far.reached);
        CHECK(!so_far.remark.empty());
        one_side = one_side || so_far.suffices.has_value() != so_far.fails.has_value();
        if (!so_far.suffices) return;
        const plaudit::Enclosure& band = so_far.suffices->answer.band;
        CHECK(certainly_less_equal(band.upper, plaudit::Ball(1)));
        CHECK((!suffices || so_far.suffices->value <= *suffices));
        suffices = so_far.suffices->value;
      });
  CHECK(heard >= 2);
  CHECK(one_side);
  REQUIRE(end.reached);
  CHECK(*suffices == end.suffices->value);
}
