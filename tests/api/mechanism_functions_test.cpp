// Every mechanism of the registry is a function of the interface, and says what its spec says.
#include <plaudit/catalogue.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

using plaudit::Composition;

namespace {

std::string law_file() {
  const std::string file = std::filesystem::temp_directory_path() / "plaudit_functions_law.json";
  std::ofstream(file) << R"({"adjacency": "add/remove", "both": {"losses": ["-1/2", "1/4"],
                             "masses": ["1/4", "3/4"]}})";
  return file;
}

/// By name: what the functions make, and the spec of the same.
std::map<std::string, std::vector<std::pair<Composition, std::string>>> all_functions() {
  using namespace plaudit;
  const std::string file = law_file();
  const Composition noise = gaussian(4, 2);
  return {
      {"gaussian", {{gaussian("0.8"), "gaussian(0.8)"}, {noise, "gaussian(4, 2)"}}},
      {"laplace", {{laplace(10), "laplace(10)"}, {laplace(10, "1/3"), "laplace(10, 1/3)"}}},
      {"discrete_gaussian",
       {{discrete_gaussian(10), "discrete_gaussian(10)"},
        {discrete_gaussian(10, 3), "discrete_gaussian(10, 3)"},
        {discrete_gaussian_of_variance(7, 2), "discrete_gaussian(variance=7, sensitivity=2)"}}},
      {"discrete_laplace", {{discrete_laplace("2.5", 4), "discrete_laplace(2.5, 4)"}}},
      {"mixture",
       {{mixture(2, {0, 1}, {"1/2", "0.5"}),
         "mixture(sigma=2, sensitivities=[0, 1], probabilities=[0.5, 0.5])"}}},
      {"poisson",
       {{poisson(laplace(2), "0.1"), "poisson(laplace(2), 0.1)"},
        {poisson(noise, "0.1", "replace"), "poisson(gaussian(4, 2), 0.1, replace)"}}},
      {"joint", {{joint(pure(1), pure(2)), "joint(pure(1), pure(2))"}}},
      {"random_allocation",
       {{random_allocation(gaussian(2), 8), "random_allocation(gaussian(2), 8)"},
        {random_allocation(gaussian(2), 8, 3, "blocks"),
         "random_allocation(gaussian(2), 8, 3, blocks)"},
        {random_allocation(gaussian(2), 8, 1, "exact", 5, "zero_out"),
         "random_allocation(gaussian(2), 8, epochs_of_one_assignment=5, adjacency=zero_out)"}}},
      {"shuffled",
       {{shuffled(gaussian(2), 8, "zero_out"), "shuffled(gaussian(2), 8, zero_out)"},
        {shuffled(noise, 8, "replace", "fixed"), "shuffled(gaussian(4, 2), 8, replace, fixed)"}}},
      {"averaged",
       {{averaged(gaussian(2), "0.1", 50), "averaged(gaussian(2), 0.1, 50)"},
        {averaged(gaussian(2), "0.1", 50, "replace"), "averaged(gaussian(2), 0.1, 50, replace)"}}},
      {"truncated_poisson",
       {{truncated_poisson(gaussian(2), "0.1", 8, 50),
         "truncated_poisson(gaussian(2), 0.1, 8, 50)"},
        {truncated_poisson(noise, "0.1", 8, 50, "replace"),
         "truncated_poisson(gaussian(4, 2), 0.1, 8, 50, replace)"},
        {truncated_poisson(noise, "0.1", 8, 50, "zero_out", "exact"),
         "truncated_poisson(gaussian(4, 2), 0.1, 8, 50, zero_out, exact)"}}},
      {"bounded_range", {{bounded_range("1/2"), "bounded_range(1/2)"}}},
      {"exponential", {{exponential("1/2"), "exponential(1/2)"}}},
      {"permute_and_flip", {{permute_and_flip("1/2"), "permute_and_flip(1/2)"}}},
      {"report_noisy_max", {{report_noisy_max(4, 3), "report_noisy_max(4, 3)"}}},
      {"sparse_vector", {{sparse_vector(2, 4, 1, 5), "sparse_vector(2, 4, positives=5)"}}},
      {"matrix",
       {{matrix({{1, 0}, {"1/2", 1}}, 2), "matrix([[1, 0], [0.5, 1]], 2)"},
        {matrix({{1, 0}, {"1/2", 1}}, 2, {.sensitivity = 3, .participations = 2}),
         "matrix([[1, 0], [0.5, 1]], 2, 3, 2)"}}},
      {"toeplitz",
       {{toeplitz({1, "0.5"}, 9, 4, {.participations = 3, .min_separation = 2}),
         "toeplitz([1, 0.5], 9, 4, k=3, b=2)"}}},
      {"tree", {{tree(100, 4), "tree(100, 4)"}}},
      {"random_participation",
       {{random_participation_in_bins({1, "0.5"}, 4, 9, 3),
         "random_participation([1, 0.5], 4, 9, bins=3)"},
        {random_participation_separated({1}, 4, 9, 3, "0.1", 2),
         "random_participation([1], 4, 9, separation=3, rate=0.1, sensitivity=2)"}}},
      {"group", {{group(poisson(gaussian(2), "0.01"), 4), "group(poisson(gaussian(2), 0.01), 4)"}}},
      {"without_replacement",
       {{without_replacement(noise, 100, 10000, "replace"),
         "without_replacement(gaussian(4, 2), 100, 10000, replace)"},
        {without_replacement(noise, 100, 10000, "add_remove"),
         "without_replacement(gaussian(4, 2), 100, 10000, add_remove)"}}},
      {"with_replacement",
       {{with_replacement(noise, 100, 10000), "with_replacement(gaussian(4, 2), 100, 10000)"}}},
      {"pair",
       {{plaudit::pair("poisson", 2, "0.01"), "pair(poisson, 2, rate=0.01)"},
        {plaudit::pair("with_replacement", 2, 10, 1000),
         "pair(with_replacement, 2, batch=10, population=1000)"}}},
      {"randomized_response",
       {{randomized_response("0.1"), "randomized_response(0.1)"},
        {randomized_response_of_probability("3/4"), "randomized_response(probability=3/4)"},
        {randomized_response("0.1", 10), "randomized_response(0.1, 10)"},
        {randomized_response_of_probability("0.3", 10),
         "randomized_response(probability=0.3, categories=10)"}}},
      {"truncated_laplace", {{truncated_laplace("2", "9", "0.5"), "truncated_laplace(2, 9, 0.5)"}}},
      {"truncated_discrete_laplace",
       {{truncated_discrete_laplace("2", "9", "3"), "truncated_discrete_laplace(2, 9, 3)"}}},
      {"shuffle",
       {{shuffle("0.5", 9), "shuffle(0.5, 9)"},
        {shuffle("0.5", 9, 4), "shuffle(0.5, 9, categories=4)"}}},
      {"pate", {{pate({90, 4}, "0.5"), "pate([90, 4], 0.5)"}}},
      {"parallel", {{parallel({pure(1), laplace(2)}), "parallel(pure(1), laplace(2))"}}},
      {"privacy_profile",
       {{privacy_profile({0, 1}, {"0.3", "0.1"}), "privacy_profile([0, 1], [0.3, 0.1])"}}},
      {"select",
       {{select_poisson(pure(1), 10), "select(pure(1), repeats=poisson, mean=10)"},
        {select_negative_binomial(pure(1), "0.5", "0.1"),
         "select(pure(1), repeats=negative_binomial, eta=0.5, gamma=0.1)"},
        {select_binomial(pure(1), 20, "0.5"),
         "select(pure(1), repeats=binomial, trials=20, probability=0.5)"}}},
      {"adaptive_clipping",
       {{adaptive_clipping("1.1", 10, "0.01"), "adaptive_clipping(1.1, 10, 0.01)"},
        {adaptive_clipping(1, 2, 1, false), "adaptive_clipping(1, 2, shifted=no)"}}},
      {"truncated_gaussian",
       {{truncated_gaussian("0.5", 3), "truncated_gaussian(0.5, 3)"},
        {truncated_gaussian(2, 9, 3), "truncated_gaussian(2, 9, sensitivity=3)"}}},
      {"skellam", {{skellam(4), "skellam(4)"}, {skellam("1/3", 2), "skellam(1/3, 2)"}}},
      {"discrete_gaussian_sum",
       {{discrete_gaussian_sum(5, "0.7"), "discrete_gaussian_sum(5, 0.7)"},
        {discrete_gaussian_sum(2, 1, 3), "discrete_gaussian_sum(2, 1, sensitivity=3)"}}},
      {"laplace_threshold", {{laplace_threshold("0.5", 9), "laplace_threshold(0.5, 9)"}}},
      {"gaussian_threshold",
       {{gaussian_threshold(2, 9), "gaussian_threshold(2, 9)"},
        {gaussian_threshold(2, 9, 3), "gaussian_threshold(2, 9, groups=3)"}}},
      {"propose_test_release",
       {{propose_test_release(gaussian(1), 2, "0.001"),
         "propose_test_release(gaussian(1), 2, 0.001)"}}},
      {"gaussian_sparse_vector",
       {{gaussian_sparse_vector(5, 9, 30), "gaussian_sparse_vector(5, 9, 30)"},
        {gaussian_sparse_vector(5, 9, 30, 2), "gaussian_sparse_vector(5, 9, 30, sensitivity=2)"}}},
      {"partition_selection", {{partition_selection(1, "1e-5"), "partition_selection(1, 1e-5)"}}},
      {"staircase", {{staircase("0.1", "1/3"), "staircase(0.1, 1/3)"}}},
      {"pure", {{pure("0.1"), "pure(0.1)"}}},
      {"approximate", {{approximate("0.1", "1e-8"), "approximate(0.1, 1e-8)"}}},
      {"zcdp", {{zcdp("0.1"), "zcdp(0.1)"}}},
      {"tcdp", {{tcdp("0.1", 20), "tcdp(0.1, 20)"}}},
      {"renyi_profile",
       {{renyi_profile({2, 3}, {"0.1", "0.2"}), "renyi_profile([2, 3], [0.1, 0.2])"}}},
      {"cdp", {{cdp("0.1", "1/2"), "cdp(0.1, 1/2)"}}},
      {"pld", {{pld(file), "pld(\"" + file + "\")"}}},
  };
}

}  // namespace

TEST_CASE("functions and specs say the same, for every mechanism there is") {
  const auto functions = all_functions();
  const auto mechanisms = plaudit::list_mechanisms();
  CHECK(mechanisms.size() == functions.size());
  for (const plaudit::MechanismEntry& mechanism : mechanisms) {
    CAPTURE(mechanism.name);
    const auto place = functions.find(mechanism.name);
    const bool known = place != functions.end();
    CHECK_MESSAGE(known, "no function of this name: api/plaudit/mechanisms.hpp");
    CHECK_FALSE(mechanism.summary.empty());
    CHECK_FALSE(mechanism.theorem.empty());
    CHECK_FALSE(mechanism.parameters.empty());
    CHECK(mechanism.signature.rfind(mechanism.name + "(", 0) == 0);
    if (!known) continue;
    for (const auto& [composition, spec] : place->second) {
      CHECK(composition.spec() == plaudit::parse(spec).spec());
      CHECK(composition.spec().rfind(mechanism.name + "(", 0) == 0);
    }
  }
}

TEST_CASE("parameters outside of their domains are named") {
  using namespace plaudit;
  const auto said = [](auto&& f) {
    try {
      (void)f();
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  CHECK(said([] { return laplace(0); }).find("laplace: scale") != std::string::npos);
  CHECK(said([] { return laplace(1, -1); }).find("laplace: sensitivity") != std::string::npos);
  CHECK(said([] { return laplace("x"); }).find("laplace: scale 'x'") != std::string::npos);
  CHECK(said([] { return discrete_gaussian(1, "1/2"); }).find("sensitivity") != std::string::npos);
  CHECK(said([] { return discrete_laplace(1, 0); }).find("sensitivity") != std::string::npos);
  CHECK(said([] { return plaudit::pair("nothing", 1, 1); }).find("scheme") != std::string::npos);
  CHECK(said([] { return without_replacement(gaussian(1), 2, 1, "replace"); }).find("batch") !=
        std::string::npos);
  CHECK(said([] { return without_replacement(gaussian(1), 1, 2, "none"); }).find("adjacency") !=
        std::string::npos);
  CHECK(said([] { return with_replacement(laplace(1), 1, 2); }).find("mechanism") !=
        std::string::npos);
  CHECK(said([] { return pow(gaussian(1), 2) * pld("/nowhere/law.json"); }).find("pld") !=
        std::string::npos);
  CHECK(said([] { return pld("a\"b"); }) != "nothing");
  CHECK(said([] {
          return randomized_response_of_probability("1/2");
        }).find("randomized_response") != std::string::npos);
}

TEST_CASE("accountants are listed, and stand side by side") {
  const auto accountants = plaudit::list_accountants();
  CHECK(accountants.size() > 10);
  for (const plaudit::AccountantEntry& each : accountants) {
    CHECK_FALSE(each.summary.empty());
    CHECK_FALSE(each.theorem.empty());
  }
  const Composition run = plaudit::parse("gaussian(sigma=1)^10");
  const plaudit::Comparison all = plaudit::compare_epsilon(run, "1e-5", {.timeout_seconds = 2});
  CHECK(all.entries.size() == accountants.size());
  CHECK_FALSE(all.contradiction);
  const plaudit::Band answer = plaudit::epsilon(run, "1e-5");
  std::size_t reached = 0;
  for (const auto& entry : all.entries) {
    CAPTURE(entry.accountant);
    CAPTURE(entry.verdict);
    CHECK(entry.verdict.find("internal") == std::string::npos);
    reached += entry.verdict == "reached" ? 1 : 0;
    if (!entry.band || !entry.band->certified()) continue;
    CHECK(entry.band->lower() <= answer.upper());
    CHECK(answer.lower() <= entry.band->upper());
  }
  CHECK(reached >= 2);
  const plaudit::Comparison two =
      plaudit::compare_delta(run, 1, {.accountants = {"closed_form", "atom_sum"}});
  REQUIRE(two.entries.size() == 2);
  CHECK(two.entries[0].verdict == "reached");
  CHECK(two.entries[1].verdict.rfind("refused: ", 0) == 0);
  CHECK_THROWS_AS(plaudit::compare_delta(run, 1, {.accountants = {"nobody"}}),
                  std::invalid_argument);
  CHECK_THROWS_AS(plaudit::compare_epsilon(run, 2), std::invalid_argument);
  CHECK_THROWS_AS(plaudit::compare_epsilon(run, "0.1", {.digits = 0}), std::invalid_argument);
}

TEST_CASE("curves are the points one by one") {
  const Composition run = plaudit::parse("poisson(gaussian(sigma=1), rate=0.01)^100");
  const auto deltas = plaudit::delta_curve(run, {0, "0.5", 1}, {.digits = 8});
  const auto epsilons = plaudit::epsilon_curve(run, {"1e-3", "1e-6"}, {.digits = 8});
  REQUIRE(deltas.size() == 3);
  REQUIRE(epsilons.size() == 2);
  CHECK(deltas[0].lower() > deltas[1].upper());
  CHECK(deltas[1].lower() > deltas[2].upper());
  CHECK(epsilons[0].upper() < epsilons[1].lower());
  const plaudit::Band one = plaudit::delta(run, "0.5", {.digits = 8});
  CHECK(one.lower() <= deltas[1].upper());
  CHECK(deltas[1].lower() <= one.upper());
}
