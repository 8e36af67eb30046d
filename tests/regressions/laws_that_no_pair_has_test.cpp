// A `pld` file could state P and Q that no pair of probabilities satisfies: the masses of Q were
// summed over the lower ends of the intervals of P, which need not sum to 1, and compared with 1 at
// 256 bits. Bands of such laws contradict each other: with the first law here, contour said
// [0.461, 0.470] where closed_form said 0.471120. Now the least mass of Q over all P with the sum 1
// decides, exactly.
#include <doctest/doctest.h>

#include "mechanisms/forms/pld_file.hpp"
#include "mechanisms/spec_error.hpp"

using namespace plaudit;

namespace {

bool law_is_refused(const std::string& law, const std::string& directions = "both") {
  std::string text = R"({"adjacency": "add/remove")";
  const std::string possible = R"({"losses": [0], "masses": [1]})";
  if (directions == "both") text += R"(, "both": )" + law;
  if (directions == "remove") text += R"(, "remove": )" + law + R"(, "add": )" + possible;
  if (directions == "add") text += R"(, "add": )" + law + R"(, "remove": )" + possible;
  try {
    parse_pld(text + "}", "x.json");
    return false;
  } catch (const SpecError& error) {
    CHECK(std::string(error.what()).find("must leave Q") != std::string::npos);
    return true;
  }
}

std::string two(const std::string& first, const std::string& second, const std::string& infinite) {
  return R"({"losses": ["-1/2", "1/2"], "masses": [)" + first + ", " + second +
         R"(], "infinite": )" + infinite + "}";
}

}  // namespace

TEST_CASE("the sum of P forces more mass on Q than the lower ends") {
  const std::string law =
      R"({"losses": ["-14.8", "4.0"], "masses": [["370345167/1000000000000000", "0.52"], "0.48"]})";
  CHECK(law_is_refused(law));
  CHECK(law_is_refused(law, "remove"));
  CHECK(law_is_refused(law, "add"));
  CHECK(law_is_refused(
      R"({"losses": ["-5.99", "0.19"], "masses": [["0.001692", "0.608"], "0.392"]})"));
}

TEST_CASE("the rest goes to infinity first, then to the greatest losses") {
  // e^(1/2) a + e^(-1/2) (1 - a) <= 1 for a <= 0.37754...
  CHECK_FALSE(law_is_refused(two("[\"0.1\", \"0.9\"]", "[\"0.1\", \"0.9\"]", "0")));
  CHECK_FALSE(law_is_refused(two("[\"0.37\", \"0.9\"]", "[\"0.1\", \"0.9\"]", "0")));
  CHECK(law_is_refused(two("[\"0.38\", \"0.9\"]", "[\"0.1\", \"0.9\"]", "0")));
  CHECK(law_is_refused(two("[\"0.1\", \"0.9\"]", "[\"0.1\", \"0.6\"]", "0")));
  CHECK_FALSE(law_is_refused(two("[\"0.1\", \"0.9\"]", "[\"0.1\", \"0.6\"]", "[0, \"0.2\"]")));
  CHECK_FALSE(law_is_refused(two("[\"0.6\", \"0.9\"]", "[\"0\", \"0.4\"]", "[0, \"0.4\"]")));
  CHECK(law_is_refused(two("[\"0.61\", \"0.9\"]", "[\"0\", \"0.4\"]", "[0, \"0.38\"]")));
}

TEST_CASE("no excess is too small") {
  // 1/e to 90 digits, rounded down, and up
  const std::string below =
      "0.36787944117144232159552377016146086744581113103176783450783680169746149574489980335714727";
  const std::string above = below.substr(0, below.size() - 1) + "8";
  for (const std::string direction : {"both", "remove", "add"}) {
    CHECK_FALSE(law_is_refused(
        R"({"losses": [-1], "masses": [")" + below + R"("], "infinite": [0, 1]})", direction));
    CHECK(law_is_refused(R"({"losses": [-1], "masses": [")" + above + R"("], "infinite": [0, 1]})",
                         direction));
  }
  CHECK_FALSE(law_is_refused(R"({"losses": [-1, 0], "masses": [0, 1]})"));  // exactly 1
}
