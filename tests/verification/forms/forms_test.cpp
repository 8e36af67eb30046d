// The table of forms: all mechanisms have one, and a form that is off is noticed.
#include "verification/forms/forms.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "lib/work/work_limit.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/language/spec.hpp"
#include "support/slow.hpp"
#include "verification/crosscheck/cross_check.hpp"
#include "verification/crosscheck/random_composition.hpp"

using namespace plaudit;
using plaudit::test::slow_tests;

namespace {

/// The report of the first check of the example in which the form was compared, from the seed on,
/// which is then that of the check. Few seconds are tried first: most forms need no more.
CrossCheckReport held_against(const Form& form, double factor, std::uint64_t& seed) {
  Form changed = form;
  changed.value = [&](const std::vector<pairs::Step>& steps, const Rational& argument) {
    auto value = form.value(steps, argument);
    if (value) value = *value * Directed(factor);
    return value;
  };
  for (; seed < 40; ++seed) {
    for (const double seconds : {slow_tests() ? 0.2 : 0.03, 0.2}) {
      CrossCheckReport report;
      cross_check_one(parse_spec(form.example).spec(), Direction::remove, "1e-2", seed, seconds,
                      report, {changed});
      const Tally& tally = report.forms[form.name][""];
      if (tally.compared > 0 && (factor == 1 || tally.apart > 0 || seconds == 0.2)) return report;
    }
  }
  FAIL("never compared");
  return {};
}

}  // namespace

TEST_CASE(
    "each form of the table meets the program on its example, and is noticed where it is off") {
  std::set<std::string> names;
  for (const Form& form : all_forms()) {
    INFO(form.name);
    CHECK(names.insert(form.name).second);
    std::uint64_t seed = 1;
    const CrossCheckReport right = held_against(form, 1, seed);
    CHECK(right.defects.empty());
    CHECK(right.forms.at(form.name).at("").apart == 0);
    // a lower end alone need not be near
    const bool far = form.name == std::string("mu_from_below");
    const CrossCheckReport wrong = held_against(form, far ? 4 : 1.001, seed);
    CHECK(wrong.forms.at(form.name).at("").apart > 0);
    CHECK_FALSE(wrong.defects.empty());
  }
}

/// One of the forms has a value at epsilon 1/4: those first that take little.
bool has_form(const std::string& spec) {
  const auto steps = pairs::steps_of(spec, Direction::remove);
  const auto within = [&](double seconds) {
    return std::any_of(all_forms().begin(), all_forms().end(), [&](const Form& form) {
      const WorkLimit limit(seconds);
      try {
        return form.of == FormOf::delta && form.value(*steps, parse_rational("1/4"));
      } catch (const WorkLimitReached&) {
        return false;
      }
    });
  };
  return steps && (within(0.01) || within(0.3));
}

TEST_CASE("every mechanism has a recipe whose draws have a form") {
  const auto file = std::filesystem::temp_directory_path() / "plaudit-forms-test.json";
  CHECK(mechanism_kinds().size() > 40);
  for (const MechanismKind& kind : mechanism_kinds()) {
    bool found = false;
    for (std::uint64_t seed = 0; seed < 200 && !found; ++seed) {
      Dice dice(seed);
      const std::string drawn = random_mechanism(dice, kind.name, file.string());
      REQUIRE_MESSAGE(!drawn.empty(), "without a recipe: " << kind.name);
      found = has_form(parse_spec(drawn).spec());
    }
    CHECK_MESSAGE(found, "without a form: " << kind.name);
  }
  std::filesystem::remove(file);
}

TEST_CASE("long streams have a form where a record takes part once") {
  const std::string stream = "toeplitz(coefficients=[1, 0.5], steps=401, sigma=1";
  CHECK(pairs::steps_of(stream + ")", Direction::remove).has_value());
  CHECK_FALSE(pairs::steps_of(stream + ", participations=2)", Direction::remove).has_value());
}

TEST_CASE("forms of the same number by different arithmetics") {
  const auto value = [](const char* name, const char* spec, Direction direction,
                        const char* argument) {
    for (const Form& form : all_forms()) {
      if (form.name != std::string(name)) continue;
      const auto steps = pairs::steps_of(parse_spec(spec).spec(), direction);
      const auto found = form.value(*steps, parse_rational(argument));
      REQUIRE_MESSAGE(found.has_value(), name);
      return *found;
    }
    FAIL(name);
    return Directed();
  };
  struct Same {
    const char* spec;
    const char* one;
    const char* other;
  };
  for (const Same& same : std::initializer_list<Same>{
           {"laplace(scale=1)^2", "laplace_sum", "convolution"},
           {"bounded_range(epsilon=1)^2", "laplace_sum", "convolution"},
           {"pure(epsilon=1) * poisson(gaussian(sigma=1), rate=0.1)", "atoms_and_one",
            "convolution"},
           {"poisson(gaussian(sigma=1), rate=0.1) * pure(epsilon=0.5)^2", "atoms_and_one",
            "convolution"},
           {"discrete_gaussian(sigma=1)^2", "atoms", "convolution"},
           {"poisson(laplace(scale=1), rate=0.1)", "amplification", "quadrature"},
           {"poisson(gaussian(sigma=1), rate=0.1, adjacency=replace)", "likelihood_ratio",
            "quadrature"},
           {"with_replacement(gaussian(sigma=2), batch=3, population=20)", "labels", "quadrature"},
           {"truncated_poisson(gaussian(sigma=1), rate=0.1, cap=9, population=50)", "labels",
            "quadrature"},
           {"pure(epsilon=1) * approximate(epsilon=0.5, delta=0.01)", "subsets", "atoms"}}) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      for (const char* epsilon : {"0.25", "-0.05", "0.75"}) {
        INFO(same.spec, " ", epsilon);
        const Directed a = value(same.one, same.spec, direction, epsilon);
        const Directed b = value(same.other, same.spec, direction, epsilon);
        CHECK_FALSE(a.certainly_less(b));
        CHECK_FALSE(b.certainly_less(a));
        CHECK((b.high_end() - b.low_end()).certainly_less(Directed(1e-7)));
      }
    }
  }
  // All that counts lies within 0.002 of an end of the density.
  const char* spec = "report_noisy_max(scale=0.604)^2";
  const Directed sum = value("laplace_sum", spec, Direction::remove, "6.62051684535");
  const Directed integral = value("convolution", spec, Direction::remove, "6.62051684535");
  CHECK_FALSE(sum.certainly_less(integral));
  CHECK_FALSE(integral.certainly_less(sum));
  // Next to the greatest ratio of a line, where doubles do not tell ratios apart.
  spec =
      "poisson(joint(discrete_laplace(scale=2.48), pure(epsilon=0.245)), rate=0.00652) * "
      "mixture(sigma=0.617, sensitivities=[0, 2], probabilities=[7/12, 5/12])";
  const char* far = "0.542111564795206835043472892721183598041534423828125";
  const Directed exact = value("atoms_and_one", spec, Direction::add, far);
  const Directed estimated = value("convolution", spec, Direction::add, far);
  CHECK(Directed(0).certainly_less(exact));
  CHECK_FALSE(exact.certainly_less(estimated));
  CHECK_FALSE(estimated.certainly_less(exact));
}
