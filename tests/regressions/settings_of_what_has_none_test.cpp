// `rare_draws(x=1)` was refused with "has no parameter 'x', but " and nothing after it.
#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "plaudit/plaudit.hpp"

TEST_CASE("an accountant without settings says so") {
  const plaudit::Composition run = plaudit::parse("gaussian(sigma=1)");
  for (const char* name : {"largest_draw", "two_steps", "contour"}) {
    for (const char* settings : {"(x=1)", "(1)"}) {
      try {
        (void)plaudit::delta(run, "1", {.accountant = std::string(name) + settings});
        FAIL_CHECK(name << settings << " is accepted");
      } catch (const std::invalid_argument& error) {
        const std::string message = error.what();
        INFO(message);
        CHECK(message.find("takes no arguments") != std::string::npos);
      }
    }
  }
}
