// An infinite limit of time made not-a-numbers of the shares of work, and a wide band of a question
// that takes half a second: [0.9528, 1.7118] for dpsgd(1.1, 0.01, 1000) at 1e-5.
#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <limits>
#include <plaudit/audit.hpp>
#include <plaudit/best_tests.hpp>
#include <plaudit/calibrate.hpp>
#include <plaudit/catalogue.hpp>
#include <plaudit/certificate.hpp>
#include <plaudit/privacy_loss.hpp>

#include "lib/work/work_limit.hpp"

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double no_limits[] = {1e9, 1e19, 1e300, std::numeric_limits<double>::max(), infinite};

}  // namespace

TEST_CASE("without a limit of time the answer is that of a long one") {
  const plaudit::Composition run = plaudit::parse("poisson(gaussian(1.1), 0.01)^1000");
  const plaudit::Band usual = plaudit::epsilon(run, "1e-5");
  REQUIRE(usual.reached());
  for (const double seconds : no_limits) {
    CAPTURE(seconds);
    for (const int threads : {1, 2}) {
      const plaudit::Band band =
          plaudit::epsilon(run, "1e-5", {.timeout_seconds = seconds, .threads = threads});
      CHECK(band.reached());
      CHECK(band.lower_decimal() == usual.lower_decimal());
      CHECK(band.upper_decimal() == usual.upper_decimal());
    }
    CHECK(plaudit::delta(run, "1", {.timeout_seconds = seconds}).reached());
    CHECK(plaudit::renyi(run, "5/2", {.timeout_seconds = seconds}).reached());
  }
}

TEST_CASE("every other question too") {
  const plaudit::Composition run = plaudit::parse("poisson(gaussian(1.1), 0.01)^100");
  for (const double seconds : {1e300, infinite}) {
    CAPTURE(seconds);
    const plaudit::Calibration found =
        plaudit::calibrate_epsilon("gaussian(sigma=?)", "1", "1e-5", {.timeout_seconds = seconds});
    CHECK(found.reached);
    const plaudit::Audit audit = plaudit::audit_csv("spec,delta,epsilon\ngaussian(1),1e-5,4.3\n",
                                                    {.timeout_seconds = seconds});
    CHECK(audit.refuted == 1);
    const plaudit::Certificate proof =
        plaudit::certify_epsilon(run, "1e-5", {.digits = 6, .timeout_seconds = seconds});
    CHECK(plaudit::check_certificate(proof.text, seconds, infinite).accepted);
    plaudit::BestTests tests(run, {.timeout_seconds = seconds});
    CHECK(tests.advantage().reached());
    CHECK(plaudit::gaussian_mu(plaudit::parse("gaussian(2)"), std::nullopt,
                               {.timeout_seconds = seconds})
              .reached);
    const plaudit::Comparison all = plaudit::compare_epsilon(
        run, "1e-5", {.timeout_seconds = seconds, .accountants = {"moments", "contour"}});
    CHECK(all.entries.back().band->reached());
    const plaudit::PrivacyLoss loss(run, plaudit::Direction::remove, {.timeout_seconds = seconds});
    CHECK(loss.p_above("1/2").lower > 0);
  }
}

TEST_CASE("what no precision narrows is asked once, not once for each longer plan") {
  const std::string file = std::filesystem::temp_directory_path() / "plaudit_no_limit_of_time.json";
  {
    std::ofstream out(file);
    out << R"({"adjacency": "add/remove", "both": {"losses": ["-1", "1"],
           "masses": [["0.26", "0.27"], ["0.73", "0.74"]]}})";
  }
  const plaudit::Composition run = plaudit::pld(file);
  const auto work_within = [&](double seconds) {
    const double before = plaudit::work_done();
    const plaudit::Band band = plaudit::delta(run, "0.3", {.timeout_seconds = seconds});
    CHECK(band.stopped_by() == "law");
    return plaudit::work_done() - before;
  };
  const double usual = work_within(60);
  CHECK(work_within(infinite) < 1.5 * usual + 1e-3);
  std::filesystem::remove(file);
}

TEST_CASE("deadlines of any number of seconds are points in time") {
  const auto now = plaudit::Deadline::Clock::now();
  for (const double seconds : no_limits) {
    CHECK(plaudit::Deadline(seconds).time > now + std::chrono::hours(24 * 365));
  }
  for (const double seconds : {std::numeric_limits<double>::quiet_NaN(), -infinite, -1.0, 0.0}) {
    const plaudit::WorkLimit limit(seconds);
    CHECK_THROWS_AS(plaudit::check_work_limit(), plaudit::WorkLimitReached);
  }
}

TEST_CASE("what is no limit of time is refused by its name") {
  const plaudit::Composition run = plaudit::parse("gaussian(1)");
  for (const double seconds : {std::numeric_limits<double>::quiet_NaN(), -infinite, -1.0, 0.0}) {
    CHECK_THROWS_WITH_AS(plaudit::epsilon(run, "1e-5", {.timeout_seconds = seconds}),
                         "timeout_seconds: must be > 0", std::invalid_argument);
  }
}
