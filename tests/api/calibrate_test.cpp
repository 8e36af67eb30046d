// Calibrations and requests as functions.
#include <doctest/doctest.h>

#include <plaudit/calibrate.hpp>
#include <plaudit/requests.hpp>
#include <string>

namespace {

/// The same spec with a value in place of its ?.
std::string filled(std::string spec, const std::string& value) {
  return spec.replace(spec.find('?'), 1, value);
}

}  // namespace

TEST_CASE("calibration: both ends are right by queries of their own") {
  for (const char* spec : {"poisson(gaussian(sigma=?), rate=0.01)^1000",
                           "poisson(gaussian(sigma=1), rate=?)^1000", "gaussian(sigma=20)^?"}) {
    const plaudit::Calibration found = plaudit::calibrate_epsilon(spec, 1, "1e-5", {.digits = 6});
    REQUIRE(found.reached);
    REQUIRE(found.suffices.has_value());
    REQUIRE(found.fails.has_value());
    const auto delta = [&](const plaudit::Calibration::End& end) {
      return plaudit::delta(plaudit::parse(filled(spec, end.value)), 1, {.digits = 16});
    };
    const plaudit::Real target = plaudit::Real(1) / 100000;
    CHECK(delta(*found.suffices).upper() <= target);
    CHECK(delta(*found.fails).lower() > target);
    CHECK(plaudit::parse(filled(spec, found.fails->value)).spec() == found.fails->spec);
    CHECK(found.suffices->band.upper() <= 1);
    CHECK(found.fails->band.lower() >= 1);
    for (const auto* end : {&*found.suffices, &*found.fails}) {
      const plaudit::Band direct =
          plaudit::epsilon(plaudit::parse(end->spec), "1e-5", {.digits = 16});
      CHECK(end->band.lower() <= direct.lower());
      CHECK(direct.upper() <= end->band.upper());
    }
    CHECK(found.json.find("\"suffices\": \"" + found.suffices->value + '"') != std::string::npos);
  }
}

TEST_CASE("calibration: a target delta, bounds, a tie, what no value meets") {
  const plaudit::Calibration by_delta =
      plaudit::calibrate_delta("gaussian(sigma=?)", "1e-4", 1, {.digits = 5});
  CHECK(by_delta.reached);
  CHECK(by_delta.parameter == "sigma");
  CHECK(by_delta.mechanism == "gaussian");
  CHECK(by_delta.theorem == "docs/proofs/monotone.md#noise");

  const plaudit::Calibration tie = plaudit::calibrate_epsilon("pure(epsilon=1/10)^?", 1, 0);
  CHECK(tie.integer);
  CHECK(tie.parameter == "power");
  REQUIRE(tie.suffices.has_value());
  REQUIRE(tie.fails.has_value());
  CHECK(tie.suffices->value == "10");
  CHECK(tie.fails->value == "11");

  const plaudit::Calibration none = plaudit::calibrate_epsilon(
      "gaussian(sigma=?)", 1, "1e-5", {.digits = 5, .from = "1/2", .to = 1});
  CHECK(none.none_meets);
  CHECK_FALSE(none.reached);
  CHECK_FALSE(none.suffices.has_value());
  REQUIRE(none.fails.has_value());
  CHECK(none.fails->value == "1");

  const plaudit::Calibration all =
      plaudit::calibrate_epsilon("gaussian(sigma=?)", 1, "1e-5", {.digits = 5, .from = 5, .to = 7});
  CHECK(all.reached);
  CHECK_FALSE(all.fails.has_value());
  REQUIRE(all.suffices.has_value());
  CHECK(all.suffices->value == "5");
}

TEST_CASE("calibration: wide bands leave values undecided") {
  // bounds by moments are some per cent wide: no decision is made within them
  const plaudit::Calibration found = plaudit::calibrate_epsilon(
      "gaussian(sigma=?)^100", 1, "1e-5", {.digits = 4, .accountant = "moments"});
  CHECK_FALSE(found.reached);
  CHECK_FALSE(found.remark.empty());
  REQUIRE(found.suffices.has_value());
  const plaudit::Calibration narrow =
      plaudit::calibrate_epsilon("gaussian(sigma=?)^100", 1, "1e-5", {.digits = 4});
  REQUIRE(narrow.reached);
  CHECK(std::stod(found.suffices->value) > 1.01 * std::stod(narrow.suffices->value));
  if (found.fails) CHECK(std::stod(found.fails->value) < std::stod(narrow.fails->value));
}

TEST_CASE("calibration for what the best tests reach") {
  const plaudit::Calibration mu = plaudit::calibrate_mu("gaussian(sigma=?)^100", 1, {.digits = 6});
  REQUIRE(mu.suffices);
  CHECK(mu.suffices->value == "10");
  const plaudit::Calibration advantage =
      plaudit::calibrate_advantage("laplace(scale=?)", "1/10", {.digits = 6});
  CHECK(advantage.suffices->value == "4.745611");
  const plaudit::Calibration rate =
      plaudit::calibrate_true_positive_rate("gaussian(sigma=?)", "1/10", "1/100", {.digits = 6});
  CHECK(rate.fails->value.find("0.95712") == 0);
  CHECK(rate.json.find("\"tpr_at_fails\"") != std::string::npos);
  CHECK_THROWS_AS(plaudit::calibrate_mu("gaussian(sigma=?)", -1), std::invalid_argument);
}

TEST_CASE("calibration: what is wrong is named") {
  const auto message = [](const char* spec, const plaudit::Number& target,
                          const plaudit::CalibrationOptions& options) {
    try {
      plaudit::calibrate_epsilon(spec, target, "1e-5", options);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK(message("gaussian(sigma=1)", 1, {}).find("needs one ?") != std::string::npos);
  CHECK(message("discrete_gaussian(sigma=?)", 1, {}).find("discrete_gaussian: sigma") !=
        std::string::npos);
  CHECK(message("gaussian(sigma=?)", -1, {}).find("target") != std::string::npos);
  CHECK(message("gaussian(sigma=?)", 1, {.digits = 0}).find("digits") != std::string::npos);
  CHECK(message("gaussian(sigma=?)", 1, {.from = -1}).find("from") != std::string::npos);
  CHECK(message("gaussian(sigma=1)^?", 1, {.to = "5/2"}).find("to") != std::string::npos);
  CHECK(message("gaussian(sigma=?)", 1, {.accountant = "saddle_point_msd"}).find("certified") !=
        std::string::npos);
}

TEST_CASE("requests: answers and errors as lines") {
  plaudit::Requests requests({.digits = 6});
  const std::string one =
      requests.answer(R"json({"id": "a", "spec": "gaussian(sigma=1)", "delta": 1e-5})json");
  CHECK(one.find("{\"id\":\"a\",\"plaudit\":") == 0);
  CHECK(one.find("\"lower\":\"4.377") != std::string::npos);
  CHECK(one.find('\n') == std::string::npos);
  CHECK(requests.answer("{").find("{\"id\":2,\"error\":") == 0);
  const std::string third = requests.answer(
      R"json({"spec": "gaussian(sigma=?)", "target_epsilon": 1, "delta": "1e-5"})json");
  CHECK(third.find("{\"id\":3,") == 0);
  CHECK(third.find("\"suffices\":\"3.7306") != std::string::npos);
  const std::string file =
      requests.answer(R"json({"spec": "pld(file=\"x\")", "delta": "1e-5"})json");
  CHECK(file.find("names a file") != std::string::npos);
}
