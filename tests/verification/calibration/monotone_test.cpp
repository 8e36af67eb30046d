// Parameters that calibrations accept: all of them decided, and monotone where it is said.
#include "verification/calibration/monotone.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "accountants/session/answer.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/language/spec.hpp"
#include "mechanisms/spec_error.hpp"
#include "support/slow.hpp"

namespace plaudit {

namespace {

std::unique_ptr<Session> curve_of(const std::string& spec, DirectionChoice direction) {
  AnswerOptions options;
  options.digits = 9;
  options.direction = direction;
  return std::make_unique<Session>(parse_spec(spec), options);
}

Enclosure curve_at(const std::string& spec, const Rational& epsilon, DirectionChoice direction) {
  return curve_of(spec, direction)->answer(Quantity::delta, epsilon).band;
}

struct Example {
  const char* spec;
  std::vector<const char*> values;  ///< rising
};

}  // namespace

TEST_CASE("monotone: every number that a mechanism takes is accepted or refused by name") {
  const std::set<std::string> refused = {"discrete_gaussian.sigma",
                                         "discrete_gaussian_sum.sigma",
                                         "gaussian_threshold.groups",
                                         "gaussian_threshold.sigma",
                                         "gaussian_threshold.threshold",
                                         "laplace_threshold.scale",
                                         "laplace_threshold.threshold",
                                         "partition_selection.delta",
                                         "partition_selection.epsilon",
                                         "propose_test_release.miss",
                                         "propose_test_release.scale",
                                         "truncated_gaussian.sigma",
                                         "pate.sigma",
                                         "pair.batch",
                                         "pair.population",
                                         "random_allocation.selected",
                                         "random_participation.bins",
                                         "random_participation.rate",
                                         "random_participation.sensitivity",
                                         "random_participation.separation",
                                         "random_participation.sigma",
                                         "random_participation.steps",
                                         "randomized_response.categories",
                                         "select.eta",
                                         "select.gamma",
                                         "select.mean",
                                         "select.probability",
                                         "select.trials",
                                         "shuffle.categories",
                                         "shuffle.epsilon",
                                         "shuffle.users",
                                         "averaged.population",
                                         "averaged.rate",
                                         "shuffled.steps",
                                         "staircase.gamma",
                                         "truncated_discrete_laplace.scale",
                                         "truncated_laplace.scale"};
  std::set<std::string> seen;
  for (const MechanismKind& kind : mechanism_kinds()) {
    for (const Parameter& parameter : kind.parameters) {
      if (parameter.domain.find("number") == std::string_view::npos &&
          parameter.domain.find("integer") == std::string_view::npos) {
        continue;
      }
      const std::string name = std::string(kind.name) + '.' + std::string(parameter.name);
      if (parameter.domain.find("list") != std::string_view::npos) continue;
      const FreeParameter free =
          find_free_parameter(std::string(kind.name) + '(' + std::string(parameter.name) + "=?)");
      if (refused.count(name) > 0) {
        seen.insert(name);
        CHECK_THROWS_AS_MESSAGE(monotone_parameter(free), SpecError, name);
        continue;
      }
      MonotoneParameter found;
      CHECK_NOTHROW_MESSAGE(found = monotone_parameter(free), name);
      const bool whole = parameter.domain.find("an integer") != std::string_view::npos;
      CHECK_MESSAGE(found.integer == whole, name);
      CHECK_MESSAGE(found.theorem.find("docs/proofs/monotone.md#") == 0, name);
    }
  }
  CHECK(seen == refused);
}

TEST_CASE("monotone: the curve moves the way that is said, in both directions, at any epsilon") {
  const Example examples[] = {
      {"gaussian(sigma=?)^2", {"0.5", "0.7", "1", "3"}},
      {"gaussian(sigma=1, sensitivity=?)", {"0.5", "0.7", "1", "3"}},
      {"poisson(gaussian(variance=?), rate=0.3)^2", {"0.5", "0.7", "1", "3"}},
      {"adaptive_clipping(?, 2, rate=0.3)", {"0.5", "0.7", "1", "3"}},
      {"adaptive_clipping(1, ?, rate=0.3)", {"0.1", "0.5", "1", "30"}},
      {"adaptive_clipping(1, 2, rate=?)", {"0.01", "0.3", "0.7", "1"}},
      {"poisson(joint(laplace(scale=?), gaussian(sigma=2*?)), rate=0.3)", {"0.5", "0.7", "1", "3"}},
      {"mixture(sigma=?, sensitivities=[0, 1, 3], probabilities=[0.5, 0.4, 0.1])",
       {"0.4", "0.5", "0.7", "1", "3"}},
      {"laplace(scale=?)", {"0.3", "0.7", "1", "3"}},
      {"poisson(laplace(scale=?), rate=0.3)", {"0.3", "0.7", "1", "3"}},
      {"discrete_laplace(scale=?, sensitivity=2)", {"0.1", "0.12", "0.2", "0.7", "1", "3"}},
      {"discrete_laplace(scale=1, sensitivity=?)", {"1", "2", "5"}},
      {"discrete_gaussian(sigma=1, sensitivity=?)", {"1", "2", "5"}},
      {"skellam(variance=?)", {"0.1", "0.5", "0.6", "3", "40"}},
      {"skellam(variance=2, sensitivity=?)", {"1", "2", "5"}},
      {"discrete_gaussian_sum(parties=?, variance=0.2)", {"1", "2", "3", "9"}},
      {"discrete_gaussian_sum(parties=2, sigma=1, sensitivity=?)", {"1", "2", "5"}},
      {"gaussian_sparse_vector(?, 9, 30)", {"2", "5", "50"}},
      {"gaussian_sparse_vector(5, ?, 30)", {"2", "5", "50"}},
      {"gaussian_sparse_vector(5, 9, ?)", {"1", "2", "50"}},
      {"gaussian_sparse_vector(5, 9, 30, sensitivity=?)", {"0.1", "1", "3"}},
      {"truncated_gaussian(sigma=1, bound=?)", {"1", "1.2", "2", "5", "9"}},
      {"truncated_gaussian(sigma=2, bound=4, sensitivity=?)", {"0.1", "1", "2.5", "4"}},
      {"truncated_laplace(scale=1, bound=?)", {"1", "1.2", "2", "5", "50"}},
      {"truncated_laplace(scale=2, bound=4, sensitivity=?)", {"0.1", "1", "2.5", "4"}},
      {"truncated_discrete_laplace(scale=1.5, bound=?, sensitivity=3)", {"3", "4", "5", "9", "90"}},
      {"truncated_discrete_laplace(scale=1, bound=6, sensitivity=?)", {"1", "2", "3", "6"}},
      {"staircase(epsilon=?, gamma=0.2)", {"0.01", "0.1", "0.5", "1", "2", "5"}},
      {"staircase(epsilon=?, gamma=0.7)^2", {"0.01", "0.1", "0.5", "1", "2", "5"}},
      {"poisson(gaussian(sigma=0.6), rate=?)^3", {"0.01", "0.1", "0.5", "0.99", "1"}},
      {"poisson(approximate(0.5, 0.1), rate=?)", {"0.01", "0.1", "0.5", "0.99", "1"}},
      {"poisson(gaussian(sigma=1, sensitivity=2), rate=?, adjacency=replace)",
       {"0.01", "0.1", "0.5", "0.99", "1"}},
      {"poisson(gaussian(sigma=?, sensitivity=2), rate=0.2, adjacency=replace)",
       {"0.4", "0.7", "1", "3"}},
      {"truncated_poisson(gaussian(sigma=?), rate=0.2, cap=3, population=9)", {"0.4", "1", "3"}},
      {"truncated_poisson(gaussian(sigma=1), rate=?, cap=3, population=9)",
       {"0.01", "0.1", "0.5", "0.99"}},
      {"truncated_poisson(gaussian(sigma=1), rate=0.2, cap=?, population=9)",
       {"1", "2", "5", "9", "10"}},
      {"truncated_poisson(gaussian(sigma=1), rate=0.2, cap=3, population=?, adjacency=zero_out)",
       {"1", "3", "4", "9", "100"}},
      {"truncated_poisson(gaussian(1, 2), rate=0.2, cap=3, population=?, adjacency=replace)",
       {"1", "3", "4", "9", "100"}},
      {"toeplitz([1, 0.5, 0.25], steps=?, sigma=2, participations=3, min_separation=2)",
       {"1", "2", "3", "5", "20"}},
      {"toeplitz([1, 0.5, 0.25], steps=20, sigma=2, participations=?, min_separation=2)",
       {"1", "2", "3", "50"}},
      {"toeplitz([1, -0.5, 0.25], steps=20, sigma=2, participations=4, min_separation=?)",
       {"1", "2", "3", "5", "30"}},
      {"tree(steps=?, sigma=2, participations=2)", {"1", "2", "3", "5", "20"}},
      {"matrix([[1, 0], [0.5, 1]], sigma=?)", {"0.5", "1", "2"}},
      {"bounded_range(?)^2", {"0.1", "0.5", "2"}},
      {"permute_and_flip(?)", {"0.1", "0.5", "2"}},
      {"report_noisy_max(scale=?)", {"0.5", "1", "4"}},
      {"sparse_vector(2, 4, positives=?)", {"1", "2", "9"}},
      {"sparse_vector(2, query_scale=?)", {"1", "2", "9"}},
      {"pair(without_replacement, sigma=1, rate=?)", {"0.01", "0.1", "0.5", "0.99"}},
      {"pair(without_replacement, sigma=?, rate=0.3)", {"0.3", "0.5", "1", "2"}},
      {"group(poisson(gaussian(sigma=1), rate=0.3), size=?)", {"1", "2", "3", "7"}},
      {"group(poisson(gaussian(sigma=1), rate=?), size=3)", {"0.1", "0.3", "0.7"}},
      {"group(without_replacement(gaussian(sigma=2), batch=?, population=9, "
       "adjacency=add_remove), size=2)",
       {"1", "2", "5", "9"}},
      {"without_replacement(gaussian(sigma=2), batch=3, population=?, adjacency=add_remove)",
       {"3", "4", "9", "100"}},
      {"without_replacement(gaussian(sigma=1), batch=?, population=9, adjacency=replace)",
       {"1", "2", "5", "8", "9"}},
      {"without_replacement(gaussian(sigma=1), batch=3, population=?, adjacency=replace)",
       {"3", "4", "9", "100"}},
      {"without_replacement(gaussian(sigma=?), batch=3, population=8, adjacency=replace)",
       {"0.5", "1", "2"}},
      {"with_replacement(gaussian(sigma=2), batch=?, population=9)", {"1", "2", "5", "20"}},
      {"with_replacement(gaussian(sigma=2), batch=3, population=?)", {"1", "2", "5", "20"}},
      {"group(with_replacement(gaussian(sigma=2), batch=3, population=9), size=?)",
       {"1", "2", "5"}},
      {"random_allocation(gaussian(sigma=?), steps=4)", {"0.5", "1", "3"}},
      {"shuffled(gaussian(sigma=?), steps=4, adjacency=zero_out)", {"0.5", "1", "3"}},
      {"averaged(gaussian(sigma=?), rate=0.3, population=6)", {"0.2", "0.5", "1"}},
      {"averaged(gaussian(sigma=1, sensitivity=?), 0.3, 6, replace)", {"0.5", "1", "3"}},
      {"random_allocation(gaussian(sigma=1), steps=?)", {"1", "2", "3", "20"}},
      {"random_allocation(gaussian(sigma=4), steps=3, epochs_of_one_assignment=?)",
       {"1", "2", "9"}},
      {"pure(epsilon=?)", {"0.1", "0.5", "2"}},
      {"approximate(epsilon=?, delta=0.1)", {"0", "0.1", "0.5", "2"}},
      {"approximate(epsilon=0.5, delta=?)", {"0", "0.1", "0.5", "0.99"}},
      {"randomized_response(epsilon=?)", {"0.1", "0.5", "2"}},
      {"randomized_response(probability=?)", {"0.51", "0.6", "0.99"}},
      {"(gaussian(sigma=3) * laplace(4))^?", {"1", "2", "3", "9"}},
  };
  for (const Example& example : examples) {
    const FreeParameter free = find_free_parameter(example.spec);
    const MonotoneParameter parameter = monotone_parameter(free);
    for (const DirectionChoice direction : {DirectionChoice::remove, DirectionChoice::add}) {
      std::vector<std::unique_ptr<Session>> curves;  // each opens its law once for all epsilons
      for (const char* value : example.values) {
        curves.push_back(curve_of(free.with(parse_rational(value)), direction));
      }
      for (const char* epsilon : {"-1", "-0.1", "0", "0.3", "1", "4"}) {
        // one below 0 and two above, on both sides of most corners; far out a few laws take long
        const std::string_view text = epsilon;
        if (!test::slow_tests() && (text == "-0.1" || text == "0" || text == "4")) continue;
        std::optional<Enclosure> former;
        for (std::size_t i = 0; i < curves.size(); ++i) {
          const char* value = example.values[i];
          const Enclosure here = curves[i]->answer(Quantity::delta, parse_rational(epsilon)).band;
          if (former) {
            const Enclosure& more = parameter.falls ? *former : here;
            const Enclosure& less = parameter.falls ? here : *former;
            CHECK_MESSAGE(!certainly_less(more.upper, less.lower), std::string(example.spec),
                          " at ", std::string(value), ", epsilon ", std::string(epsilon));
          }
          former = here;
        }
      }
    }
  }
}

TEST_CASE("monotone: the discrete Gaussian is not, so it is refused") {
  // docs/proofs/monotone.md#discrete-gaussian
  const Enclosure less = curve_at("discrete_gaussian(variance=0.1)", 5, DirectionChoice::both);
  const Enclosure more = curve_at("discrete_gaussian(variance=0.12)", 5, DirectionChoice::both);
  CHECK(certainly_less(less.upper, more.lower));
  for (const char* spec : {"discrete_gaussian(sigma=?)", "discrete_gaussian(?)",
                           "poisson(discrete_gaussian(variance=?), rate=0.1)"}) {
    CHECK_THROWS_AS_MESSAGE(monotone_parameter(find_free_parameter(spec)), SpecError, spec);
  }
}

TEST_CASE("monotone: aliases, positions and what is around") {
  const auto name = [](const char* spec) {
    return monotone_parameter(find_free_parameter(spec)).name;
  };
  CHECK(name("gaussian(?)") == "sigma");
  CHECK(name("gaussian(noise_multiplier=?)") == "noise_multiplier");
  CHECK(name("poisson(gaussian(1), sample_rate=?)") == "sample_rate");
  CHECK(name("gaussian(1)^?") == "power");
  CHECK(name("randomized_response(probability=?)") == "probability");
  CHECK(monotone_parameter(find_free_parameter("gaussian(1)^(3 * ?)")).integer);
  // shorthand for steps of DP-SGD
  CHECK(monotone_parameter(find_free_parameter("dpsgd(noise_multiplier=?, batch=5, population=9, "
                                               "epochs=3)"))
            .falls);
  CHECK(monotone_parameter(find_free_parameter("DPSGD(1, ?, 9, steps=3)")).name == "batch");
  CHECK(monotone_parameter(find_free_parameter("dpsgd(1, 5, ?, steps=3)")).falls);
  CHECK_FALSE(monotone_parameter(find_free_parameter("dpsgd(1, 5, 9, num_epochs=?)")).integer);
  for (const char* spec : {"dpsgd(1, ?, 9, 3)", "dpsgd(1, ?, 9, epochs=3)",
                           "dpsgd(noise_multiplier=1, q=?, num_epochs=3)"}) {
    CHECK_THROWS_AS_MESSAGE(monotone_parameter(find_free_parameter(spec)), SpecError, spec);
  }
  for (const char* spec : {"mine(gaussian(?))", "gaussian(1)^(9 - ?)", "gaussian(a=?)",
                           "gaussian(1, 1, ?)", "pld(file=?)", "mixture(1, [?], [1])",
                           "truncated_poisson(gaussian(1), 0.1, ?, 50, zero_out, size=exact)",
                           "truncated_poisson(gaussian(1), 0.1, 8, ?, zero_out, exact)"}) {
    CHECK_THROWS_AS_MESSAGE(monotone_parameter(find_free_parameter(spec)), SpecError, spec);
  }
}

}  // namespace plaudit
