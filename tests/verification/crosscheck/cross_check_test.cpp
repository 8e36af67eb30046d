// Every accountant and closed form against each other on random compositions over all mechanisms.
//
// PLAUDIT_TEST_MULTIPLIER=20 makes it the soak of 1200 compositions.
#include "verification/crosscheck/cross_check.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <set>

#include "accountants/registry.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/language/spec.hpp"
#include "support/losses.hpp"
#include "support/random.hpp"
#include "support/random_specs.hpp"
#include "support/sabotage.hpp"
#include "support/slow.hpp"
#include "verification/crosscheck/random_composition.hpp"

using namespace plaudit;
using namespace plaudit::test;

TEST_CASE("bands of all accountants and closed forms meet on random compositions") {
  CrossCheckOptions options;
  options.count = static_cast<std::size_t>(trials(usually(12, 60)));
  options.seed = 31;
  options.threads = 2;
  options.seconds_each = slow_tests() ? 0.1 : 0.05;
  const CrossCheckReport report = cross_check(options, [](std::size_t) {});
  for (const std::string& defect : report.defects) FAIL_CHECK(defect);
  CHECK(report.checks == options.count);
  CHECK(report.comparisons > options.count);
  for (const auto& [name, heard] : report.accountants) {
    MESSAGE(name << ": " << heard.two_sided << " two-sided bands of " << heard.bands << ", "
                 << heard.reached << " as narrow as asked, " << heard.compared << " comparisons, "
                 << heard.seconds << " s");
  }
  // An accountant that stopped answering would agree with everything.
  for (const char* name : {"closed_form", "contour", "moments"}) {
    if (options.count < 30 && report.accountants.count(name) == 0) continue;
    CHECK_MESSAGE(report.accountants.at(name).two_sided > 0, name);
  }
  // 12 digits; 2 count are asked, some of mechanisms that take it longer than it is given here.
  CHECK(4 * report.accountants.at("contour").reached > options.count);
  for (const std::string& name : report.not_drawn) FAIL_CHECK("never drawn: " << name);
  if (options.count < 30) return;
  for (const char* name : {"gaussians", "likelihood_ratio", "atoms", "doubles", "quadrature"}) {
    CHECK_MESSAGE(report.forms.at(name).at("").compared > 0, name);
  }
}

TEST_CASE("contour reaches 12 digits of epsilon on more than half of compositions of Gaussians") {
  Random random(31);
  const int count = trials(25);
  int reached_twelve = 0;
  for (int i = 0; i < count; ++i) {
    const std::string spec = random_spec(random, 4);
    const Rational delta = parse_rational(test::random_delta(random));
    random.integer(2, 9);  // the same draws as ever
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const ComposedLoss loss = loss_from(spec, direction);
      try {
        const WorkShare limit(0.25);
        const Enclosure band = accountant("contour")->open(loss, Goal{12})->epsilon(delta);
        CHECK(band.certified);
        reached_twelve += reached(band, 12) ? 1 : 0;
      } catch (const WorkLimitReached&) {  // nothing was claimed
      }
    }
  }
  MESSAGE(reached_twelve << " of " << 2 * count);
  CHECK(reached_twelve > count);
}

TEST_CASE("a mechanism is counted where any of its calls is in the spec") {
  const auto counted = [](const std::string& spec) {
    CrossCheckReport report;
    cross_check_one(spec, Direction::remove, "1e-2", 5, 0.01, report);
    return report.mechanisms;
  };
  CHECK(counted("discrete_gaussian(sigma=1) * gaussian(sigma=2)").at("gaussian") == 1);
  const auto one = counted("discrete_gaussian(sigma=1)");
  CHECK(one.count("gaussian") == 0);
  CHECK(one.at("discrete_gaussian") == 1);
}

TEST_CASE("a band that misses the truth is a defect, with what is needed to see it again") {
  const std::string spec = "poisson(gaussian(sigma=1), rate=0.1)^100";
  const auto defects = [&] {
    CrossCheckReport report;
    cross_check_one(spec, Direction::remove, "1e-2", 5, 0.25, report);
    return report.defects;
  };
  CHECK(defects().empty());
  const Scaled without("berry_esseen.normal_approximation", 0);
  const std::vector<std::string> found = defects();
  REQUIRE_FALSE(found.empty());
  CHECK(found[0].find("plaudit compare '" + spec + "'") != std::string::npos);
  CHECK(found[0].find("berry_esseen") != std::string::npos);
}

TEST_CASE("draws repeat, vary and are what they say") {
  std::set<std::string> specs;
  const auto folder = std::filesystem::temp_directory_path() / "plaudit-cross-check-test";
  std::filesystem::create_directories(folder);
  const std::string files = (folder / "law-").string();
  const auto count = static_cast<std::uint64_t>(usually(20, 150));
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    Dice one(seed);
    const std::string spec = random_composition(one, files);
    specs.insert(spec);
    if (seed % static_cast<std::uint64_t>(usually(3, 1)) != 0) continue;
    Dice other(seed);
    CHECK(spec == random_composition(other, files));
    CHECK(parse_spec(spec).spec() == spec);
  }
  std::filesystem::remove_all(folder);
  CHECK(specs.size() > count - 10);
  CHECK(mechanisms_without_recipe().empty());
}
