#include "verification/crosscheck/random_composition.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>

#include "lib/exact/checked_integer.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/language/spec.hpp"
#include "mechanisms/spec_error.hpp"
#include "verification/crosscheck/random_law.hpp"

namespace plaudit {

namespace {

/// A decimal with three digits, log-uniform between the two.
std::string between(Dice& dice, double low, double high) {
  const double x = std::exp(dice.uniform(std::log(low), std::log(high)));
  char text[40];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

std::string noise(Dice& dice) { return between(dice, 0.3, 20); }

std::string gaussian(Dice& dice) {
  std::string text = "gaussian(sigma=" + noise(dice);
  if (dice.one_in(8)) text += ", sensitivity=" + between(dice, 0.5, 2);
  return text + ")";
}
std::string gaussian_of_variance(Dice& dice) {
  return "gaussian(variance=" + std::to_string(dice.integer(1, 400)) + "/" +
         std::to_string(dice.integer(1, 9)) + ")";
}
std::string laplace(Dice& dice) { return "laplace(scale=" + noise(dice) + ")"; }
std::string mixture(Dice& dice) {
  const long parts = dice.integer(2, 4);
  std::string sensitivities;
  std::string probabilities;
  long left = 60;
  for (long i = 0; i < parts; ++i) {
    const long share = i + 1 == parts ? left : dice.integer(1, left - (parts - 1 - i));
    left -= share;
    sensitivities += (i > 0 ? ", " : "") + std::to_string(i + (dice.one_in(4) && i > 0 ? 1 : 0));
    probabilities += (i > 0 ? ", " : "") + std::to_string(share) + "/60";
  }
  return "mixture(sigma=" + noise(dice) + ", sensitivities=[" + sensitivities +
         "], probabilities=[" + probabilities + "])";
}
std::string rate(Dice& dice) { return dice.one_in(12) ? "1" : between(dice, 1e-5, 0.99); }
std::string group(Dice& dice) {
  return "group(poisson(" + gaussian(dice) + ", rate=" + rate(dice) +
         "), size=" + std::to_string(dice.integer(1, 4)) + ")";
}
std::string randomized_response(Dice& dice) {
  const std::string categories =
      dice.one_in(2) ? ", categories=" + std::to_string(dice.integer(2, 9)) : "";
  if (dice.one_in(2)) {
    return "randomized_response(epsilon=" + between(dice, 0.01, 5) + categories + ")";
  }
  return "randomized_response(probability=" + std::to_string(dice.integer(51, 99)) + "/100" +
         categories + ")";
}
std::string pure(Dice& dice) { return "pure(epsilon=" + between(dice, 0.01, 5) + ")"; }
std::string approximate(Dice& dice) {
  return "approximate(epsilon=" + between(dice, 0.01, 5) + ", delta=" + between(dice, 1e-20, 1e-2) +
         ")";
}
std::string discrete_gaussian(Dice& dice) { return "discrete_gaussian(sigma=" + noise(dice) + ")"; }
std::string discrete_laplace(Dice& dice) { return "discrete_laplace(scale=" + noise(dice) + ")"; }
std::string truncated_laplace(Dice& dice) {
  return "truncated_laplace(scale=" + noise(dice) + ", bound=" + between(dice, 1, 200) + ")";
}
std::string truncated_discrete_laplace(Dice& dice) {
  const long sensitivity = dice.one_in(3) ? dice.integer(1, 5) : 1;
  return "truncated_discrete_laplace(scale=" + noise(dice) +
         ", bound=" + std::to_string(dice.integer(sensitivity, dice.one_in(2) ? 20 : 300)) +
         ", sensitivity=" + std::to_string(sensitivity) + ")";
}
std::string truncated_gaussian(Dice& dice) {
  return "truncated_gaussian(sigma=" + noise(dice) + ", bound=" + between(dice, 1, 200) + ")";
}
std::string skellam(Dice& dice) {
  const long sensitivity = dice.one_in(3) ? dice.integer(2, 5) : 1;
  return "skellam(variance=" + between(dice, 0.05, 60) +
         ", sensitivity=" + std::to_string(sensitivity) + ")";
}
std::string discrete_gaussian_sum(Dice& dice) {
  return "discrete_gaussian_sum(parties=" + std::to_string(dice.integer(1, 20)) +
         ", sigma=" + between(dice, 0.4, 2) + ")";
}
std::string partition_selection(Dice& dice) {
  return "partition_selection(epsilon=" + between(dice, 0.05, 5) +
         ", delta=" + between(dice, 1e-12, 0.3) + ")";
}
std::string laplace_threshold(Dice& dice) {
  return "laplace_threshold(scale=" + noise(dice) + ", threshold=" + between(dice, 1, 60) + ")";
}
std::string gaussian_threshold(Dice& dice) {
  return "gaussian_threshold(sigma=" + noise(dice) + ", threshold=" + between(dice, 1, 40) +
         ", groups=" + std::to_string(dice.integer(1, 4)) + ")";
}
std::string propose_test_release(Dice& dice) {
  return "propose_test_release(" + (dice.one_in(2) ? gaussian(dice) : laplace(dice)) +
         ", scale=" + noise(dice) + ", miss=" + between(dice, 1e-9, 1e-2) + ")";
}
std::string gaussian_sparse_vector(Dice& dice) {
  return "gaussian_sparse_vector(threshold_sigma=" + between(dice, 2, 40) +
         ", query_sigma=" + between(dice, 4, 80) +
         ", queries=" + std::to_string(dice.integer(1, 10000)) + ")";
}
std::string shuffle(Dice& dice) {
  const long users = dice.one_in(12) ? dice.integer(65, 400) : dice.integer(1, 20);
  const std::string kind =
      dice.one_in(3) ? ", categories=" + std::to_string(dice.integer(2, 12)) : "";
  return "shuffle(epsilon=" + between(dice, 0.05, 5) + ", users=" + std::to_string(users) + kind +
         ")";
}
std::string pate(Dice& dice) {
  std::string votes = std::to_string(dice.integer(20, 300));
  for (long i = dice.integer(1, 4); i > 0; --i) votes += ", " + std::to_string(dice.integer(0, 30));
  return "pate(votes=[" + votes + "], sigma=" + between(dice, 1, 60) + ")";
}
std::string staircase(Dice& dice) {
  return "staircase(epsilon=" + between(dice, 0.01, 5) +
         ", gamma=" + std::to_string(dice.integer(1, 99)) + "/100)";
}
std::string poisson(Dice& dice) {
  std::string (*const inner[])(Dice&) = {laplace,
                                         mixture,
                                         discrete_laplace,
                                         discrete_gaussian,
                                         pure,
                                         approximate,
                                         truncated_discrete_laplace,
                                         gaussian,
                                         gaussian_of_variance,
                                         staircase,
                                         gaussian,
                                         gaussian,
                                         gaussian};
  const bool replace = dice.one_in(6);
  const std::string mechanism =
      replace ? gaussian(dice) : inner[dice.below(std::size(inner))](dice);
  return "poisson(" + mechanism + ", rate=" + rate(dice) + (replace ? ", adjacency=replace)" : ")");
}
std::string pair(Dice& dice) {
  const std::string sigma = ", sigma=" + noise(dice);
  if (dice.one_in(3)) {
    return "pair(with_replacement" + sigma + ", batch=" + std::to_string(dice.integer(1, 20)) +
           ", population=" + std::to_string(dice.integer(2, 100000)) + ")";
  }
  return std::string("pair(") + (dice.one_in(2) ? "poisson" : "without_replacement") + sigma +
         ", rate=" + rate(dice) + ")";
}
std::string batches(Dice& dice, const char* name) {
  const long population = dice.integer(2, 100000);
  return std::string(name) + "(" + gaussian(dice) +
         ", batch=" + std::to_string(dice.integer(1, std::min(population, 1000L))) +
         ", population=" + std::to_string(population);
}
std::string without_replacement(Dice& dice) {
  return batches(dice, "without_replacement") +
         ", adjacency=" + (dice.one_in(2) ? "replace" : "add_remove") + ")";
}
std::string with_replacement(Dice& dice) { return batches(dice, "with_replacement") + ")"; }

std::string truncated_poisson(Dice& dice) {
  static const char* const adjacencies[] = {"add_remove", "zero_out", "replace"};
  return "truncated_poisson(" + gaussian(dice) + ", rate=" + between(dice, 1e-4, 0.5) +
         ", cap=" + std::to_string(dice.integer(1, 300)) +
         ", population=" + std::to_string(dice.integer(2, 5000)) +
         ", adjacency=" + adjacencies[dice.below(3)] + ")";
}
std::string shuffled(Dice& dice) {
  static const char* const orders[] = {"each_epoch", "once", "fixed"};
  return "shuffled(" + gaussian(dice) + ", steps=" + std::to_string(dice.integer(1, 1000)) +
         ", adjacency=" + (dice.one_in(2) ? "replace" : "zero_out") +
         ", order=" + orders[dice.below(3)] + ")";
}
std::string averaged(Dice& dice) {
  const long population = dice.one_in(8) ? dice.integer(11, 2000) : dice.integer(2, 10);
  return "averaged(" + gaussian(dice) + ", rate=" + between(dice, 0.01, 0.9) +
         ", population=" + std::to_string(population) +
         (dice.one_in(2) ? ", adjacency=replace)" : ")");
}
std::string joint(Dice& dice) {
  std::string (*const parts[])(Dice&) = {pure, approximate, discrete_laplace, staircase};
  // Gaussians beside what has no mass at infinity
  std::string (*const beside[])(Dice&) = {pure,    discrete_laplace, staircase,
                                          laplace, gaussian,         gaussian_of_variance};
  const bool noisy = dice.one_in(2);
  const std::string first = noisy ? gaussian(dice) : parts[dice.below(4)](dice);
  const std::string second =
      noisy ? beside[dice.below(std::size(beside))](dice) : parts[dice.below(4)](dice);
  const std::string both = "joint(" + first + ", " + second + ")";
  return dice.one_in(2) ? both : "poisson(" + both + ", rate=" + rate(dice) + ")";
}
std::string adaptive_clipping(Dice& dice) {
  return "adaptive_clipping(noise_multiplier=" + noise(dice) + ", count_noise=" + noise(dice) +
         ", rate=" + rate(dice) + (dice.one_in(3) ? ", shifted=no)" : ")");
}
std::string parallel(Dice& dice) {
  // of two noises on the line the maximum is bounded at points, which takes some time: rarely
  std::string (*const known[])(Dice&) = {pure, approximate, discrete_laplace, staircase};
  std::string (*const noises[])(Dice&) = {gaussian, laplace};
  const bool mixed = dice.one_in(12);
  const std::size_t which = dice.below(std::size(noises));
  const bool finite = dice.one_in(2);
  const auto part = [&](std::size_t noise) {
    return finite ? known[dice.below(std::size(known))](dice) : noises[noise](dice);
  };
  const std::string first = part(which);
  return "parallel(" + first + ", " + part(mixed ? 1 - which : which) + ")";
}
std::string privacy_profile(Dice& dice) {
  std::string epsilons;
  std::string deltas;
  long at = dice.integer(0, 20);
  long delta = dice.integer(100, 600);
  for (long i = dice.integer(1, 5); i > 0; --i) {
    epsilons += (epsilons.empty() ? "" : ", ") + std::to_string(at) + "/40";
    deltas += (deltas.empty() ? "" : ", ") + std::to_string(delta) + "/1000";
    at += dice.integer(1, 40);
    delta = delta * dice.integer(0, 9) / 10;
  }
  return "privacy_profile(epsilons=[" + epsilons + "], deltas=[" + deltas + "])";
}
std::string select(Dice& dice) {
  const std::string base = dice.one_in(12) ? gaussian(dice) : pure(dice);
  const std::string repeats[] = {"poisson, mean=" + between(dice, 0.1, 20),
                                 "geometric, gamma=" + between(dice, 0.01, 0.9),
                                 "logarithmic, gamma=" + between(dice, 0.01, 0.9)};
  return "select(" + base + ", repeats=" + repeats[dice.below(std::size(repeats))] + ")";
}
std::string random_allocation(Dice& dice) {
  const long steps = dice.one_in(2) ? dice.integer(2, 3) : dice.integer(1, 100);
  std::string text = "random_allocation(" + gaussian(dice) + ", steps=" + std::to_string(steps);
  if (dice.one_in(4))
    text += ", selected=" + std::to_string(dice.integer(1, steps)) + ", bound=blocks";
  if (dice.one_in(4)) text += ", epochs_of_one_assignment=" + std::to_string(dice.integer(1, 9));
  return text + ")";
}
/// What the matrix mechanisms end with.
std::string streamed(Dice& dice) {
  std::string text = ", sigma=" + between(dice, 0.7, 20);
  if (dice.one_in(3)) {
    text += ", participations=" + std::to_string(dice.integer(1, 3)) +
            ", min_separation=" + std::to_string(dice.integer(1, 8));
  }
  return text + ")";
}
std::string matrix(Dice& dice) {
  const long steps = dice.integer(1, 4);
  std::string rows;
  for (long i = 0; i < steps; ++i) {
    rows += i > 0 ? ", [" : "[";
    for (long j = 0; j < steps; ++j) {
      rows += (j > 0 ? ", " : "") + (j > i ? "0" : j == i ? "1" : between(dice, 0.1, 1));
    }
    rows += "]";
  }
  return "matrix(encoder=[" + rows + "]" + streamed(dice);
}
std::string random_participation(Dice& dice) {
  const bool two = dice.one_in(2);
  const std::string coefficients = two ? "[1, " + between(dice, 0.1, 1) + "]" : "[1]";
  const long period = dice.integer(2, 5);
  return "random_participation(coefficients=" + coefficients + ", sigma=" + noise(dice) +
         ", steps=" + std::to_string(dice.integer(1, 6)) +
         (dice.one_in(2) ? ", bins=" + std::to_string(period)
                         : ", separation=" + std::to_string(period) + ", rate=" + rate(dice)) +
         ")";
}
std::string toeplitz(Dice& dice) {
  return "toeplitz(coefficients=[1, " + between(dice, 0.1, 1) + ", " + between(dice, 0.1, 0.5) +
         "], steps=" + std::to_string(dice.integer(1, 300)) + streamed(dice);
}
std::string tree(Dice& dice) {
  return "tree(steps=" + std::to_string(dice.integer(1, 300)) + streamed(dice);
}
std::string bounded_range(Dice& dice) {
  return "bounded_range(epsilon=" + between(dice, 0.02, 4) + ")";
}
std::string exponential(Dice& dice) {
  return "exponential(epsilon=" + between(dice, 0.02, 4) + ")";
}
std::string permute_and_flip(Dice& dice) {
  return "permute_and_flip(epsilon=" + between(dice, 0.02, 4) + ")";
}
std::string report_noisy_max(Dice& dice) { return "report_noisy_max(scale=" + noise(dice) + ")"; }
std::string sparse_vector(Dice& dice) {
  return "sparse_vector(threshold_scale=" + noise(dice) + ", query_scale=" + noise(dice) +
         ", positives=" + std::to_string(dice.integer(1, 5)) + ")";
}
std::string zcdp(Dice& dice) { return "zcdp(rho=" + between(dice, 1e-4, 1) + ")"; }
std::string renyi_profile(Dice& dice) {
  std::string orders;
  std::string divergences;
  long order = 10;
  long slope = dice.integer(1, 50);
  for (long i = dice.integer(1, 6); i > 0; --i) {
    order += dice.integer(1, 60);
    slope += dice.integer(-5, 60);
    orders += (orders.empty() ? "" : ", ") + std::to_string(order) + "/10";
    divergences += (divergences.empty() ? "" : ", ") + std::to_string(std::max(slope, 1L)) + "/100";
  }
  return "renyi_profile(orders=[" + orders + "], divergences=[" + divergences + "])";
}
std::string tcdp(Dice& dice) {
  return "tcdp(rho=" + between(dice, 1e-4, 0.5) + ", omega=" + between(dice, 1.5, 100) + ")";
}
std::string cdp(Dice& dice) {
  return "cdp(mu=" + between(dice, 1e-4, 0.5) + ", tau=" + between(dice, 0.01, 1) + ")";
}

/// Sampled at times.
std::string pld(Dice& dice, const std::string& file) {
  const std::string spec = random_law(dice, file);
  return dice.one_in(2) ? spec : "poisson(" + spec + ", rate=" + rate(dice) + ")";
}

struct Recipe {
  const char* mechanism;
  std::string (*make)(Dice&);
  int weight;
};

constexpr Recipe recipes[] = {{"gaussian", gaussian, 2},
                              {"gaussian", gaussian_of_variance, 1},
                              {"laplace", laplace, 2},
                              {"mixture", mixture, 1},
                              {"poisson", poisson, 8},
                              {"group", group, 1},
                              {"pair", pair, 1},
                              {"randomized_response", randomized_response, 1},
                              {"pure", pure, 1},
                              {"approximate", approximate, 1},
                              {"discrete_gaussian", discrete_gaussian, 1},
                              {"discrete_laplace", discrete_laplace, 1},
                              {"truncated_laplace", truncated_laplace, 1},
                              {"truncated_discrete_laplace", truncated_discrete_laplace, 1},
                              {"truncated_gaussian", truncated_gaussian, 1},
                              {"skellam", skellam, 1},
                              {"discrete_gaussian_sum", discrete_gaussian_sum, 1},
                              {"partition_selection", partition_selection, 1},
                              {"laplace_threshold", laplace_threshold, 1},
                              {"gaussian_threshold", gaussian_threshold, 1},
                              {"propose_test_release", propose_test_release, 1},
                              {"gaussian_sparse_vector", gaussian_sparse_vector, 1},
                              {"pate", pate, 1},
                              {"parallel", parallel, 1},
                              {"privacy_profile", privacy_profile, 1},
                              {"select", select, 1},
                              {"shuffle", shuffle, 1},
                              {"staircase", staircase, 1},
                              {"without_replacement", without_replacement, 1},
                              {"with_replacement", with_replacement, 1},
                              {"truncated_poisson", truncated_poisson, 1},
                              {"joint", joint, 1},
                              {"adaptive_clipping", adaptive_clipping, 1},
                              {"random_allocation", random_allocation, 1},
                              {"shuffled", shuffled, 1},
                              {"averaged", averaged, 1},
                              {"matrix", matrix, 1},
                              {"toeplitz", toeplitz, 1},
                              {"random_participation", random_participation, 1},
                              {"tree", tree, 1},
                              {"bounded_range", bounded_range, 1},
                              {"exponential", exponential, 1},
                              {"permute_and_flip", permute_and_flip, 1},
                              {"report_noisy_max", report_noisy_max, 1},
                              {"sparse_vector", sparse_vector, 1},
                              {"zcdp", zcdp, 1},
                              {"tcdp", tcdp, 1},
                              {"renyi_profile", renyi_profile, 1},
                              {"cdp", cdp, 1}};

bool registered(std::string_view name) {
  const auto& kinds = mechanism_kinds();
  return std::any_of(kinds.begin(), kinds.end(),
                     [&](const MechanismKind& kind) { return kind.name == name; });
}

const std::vector<Recipe>& known_recipes() {
  static const std::vector<Recipe> known = [] {
    std::vector<Recipe> list;
    for (const Recipe& recipe : recipes) {
      for (int i = 0; registered(recipe.mechanism) && i < recipe.weight; ++i)
        list.push_back(recipe);
    }
    return list;
  }();
  return known;
}

constexpr const char* written = "pld";  ///< has no recipe above: it needs a file

/// @param file to write a law to if it comes to that; "": it does not.
/// @param mechanism whose recipes are used; "": any.
std::string one_factor(Dice& dice, const std::string& file, const std::string& mechanism) {
  const auto& known = known_recipes();
  std::string text;
  if (!mechanism.empty()) {
    text = random_mechanism(dice, mechanism, file);
  } else if (!file.empty() && registered(written) && dice.below(known.size() + 1) == 0) {
    text = pld(dice, file);
  } else {
    text = known[dice.below(known.size())].make(dice);
  }
  if (dice.one_in(3)) return text;  // few steps have most of the closed forms
  if (dice.one_in(3)) return text + "^" + std::to_string(dice.integer(2, 3));
  return text + "^" +
         std::to_string(checked_integer(std::round(std::exp(dice.uniform(0, std::log(1e6)))),
                                        "a random power"));
}

}  // namespace

std::string random_composition(Dice& dice, const std::string& files, const std::string& mechanism) {
  const long factors = dice.one_in(2) ? 1 : dice.integer(1, 4);
  std::string spec;
  long joined = 0;
  // A draw that this build refuses (a sampled mechanism without a proven pair, another adjacency
  // than that of the factors before) is drawn again, the first one until there is one.
  for (long drawn = 0; joined < factors && (joined == 0 || drawn < 20); ++drawn) {
    const std::string factor =
        one_factor(dice, files.empty() ? files : files + std::to_string(drawn) + ".json",
                   joined == 0 ? mechanism : std::string());
    try {
      std::string longer = spec;
      if (joined > 0) longer += " * ";
      spec = parse_spec(longer += factor).spec();
      ++joined;
    } catch (const SpecError&) {
      continue;
    }
  }
  return spec;
}

std::string random_mechanism(Dice& dice, std::string_view mechanism, const std::string& file) {
  if (mechanism == written) return pld(dice, file);
  std::vector<Recipe> own;
  for (const Recipe& recipe : recipes) {
    if (recipe.mechanism == mechanism) own.push_back(recipe);
  }
  return own.empty() ? std::string() : own[dice.below(own.size())].make(dice);
}

std::string random_delta(Dice& dice) {
  return dice.one_in(10) ? "0.3" : "1e-" + std::to_string(dice.integer(2, 40));
}

std::vector<std::string> mechanisms_without_recipe() {
  std::vector<std::string> names;
  for (const MechanismKind& kind : mechanism_kinds()) {
    const bool has = std::any_of(std::begin(recipes), std::end(recipes), [&](const Recipe& recipe) {
      return recipe.mechanism == kind.name;
    });
    if (!has && kind.name != written) names.emplace_back(kind.name);
  }
  return names;
}

}  // namespace plaudit
