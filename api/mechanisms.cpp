// The public interface: every mechanism of the registry as a function.
#include <array>

#include "api/core.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit::inline v0 {

namespace {

using Given = std::vector<GivenArgument>;

Composition built(const char* name, Given arguments) {
  return composed({{make_mechanism(name, std::move(arguments)), 1}});
}

/// The argument `name` of `mechanism`, exactly.
GivenArgument number(const char* mechanism, const char* name, const Number& value) {
  return {name, exact(value, (std::string(mechanism) + ": " + name).c_str())};
}

GivenArgument list(const char* mechanism, const char* name, const std::vector<Number>& values) {
  std::vector<Rational> numbers;
  numbers.reserve(values.size());
  for (const Number& value : values) {
    numbers.push_back(exact(value, (std::string(mechanism) + ": " + name).c_str()));
  }
  return {name, std::move(numbers)};
}

/// The argument `mechanism` of `user`: the one mechanism that the composition consists of.
GivenArgument single(const char* user, const Composition& composition) {
  const std::vector<Factor>& factors = composition.data().composition.factors();
  if (factors.size() != 1 || factors[0].count != 1) {
    throw SpecError(std::string(user) + ": mechanism must be a single mechanism, not " +
                    abbreviated(composition.spec()));
  }
  return {"mechanism", factors[0].mechanism};
}

}  // namespace

Composition composed(const std::vector<Factor>& factors) {
  return Composition(
      std::make_shared<CompositionData>(CompositionData{core::Composition(factors)}));
}

Composition gaussian(const Number& sigma, const Number& sensitivity) {
  return built("gaussian", {number("gaussian", "sigma", sigma),
                            number("gaussian", "sensitivity", sensitivity)});
}

Composition gaussian_of_variance(const Number& variance, const Number& sensitivity) {
  return built("gaussian", {number("gaussian", "variance", variance),
                            number("gaussian", "sensitivity", sensitivity)});
}

Composition laplace(const Number& scale, const Number& sensitivity) {
  return built("laplace",
               {number("laplace", "scale", scale), number("laplace", "sensitivity", sensitivity)});
}

Composition discrete_gaussian(const Number& sigma, const Number& sensitivity) {
  return built("discrete_gaussian", {number("discrete_gaussian", "sigma", sigma),
                                     number("discrete_gaussian", "sensitivity", sensitivity)});
}

Composition discrete_gaussian_of_variance(const Number& variance, const Number& sensitivity) {
  return built("discrete_gaussian", {number("discrete_gaussian", "variance", variance),
                                     number("discrete_gaussian", "sensitivity", sensitivity)});
}

Composition discrete_laplace(const Number& scale, const Number& sensitivity) {
  return built("discrete_laplace", {number("discrete_laplace", "scale", scale),
                                    number("discrete_laplace", "sensitivity", sensitivity)});
}

Composition truncated_laplace(const Number& scale, const Number& bound, const Number& sensitivity) {
  constexpr const char* name = "truncated_laplace";
  return built(name, {number(name, "scale", scale), number(name, "bound", bound),
                      number(name, "sensitivity", sensitivity)});
}

Composition truncated_discrete_laplace(const Number& scale, const Number& bound,
                                       const Number& sensitivity) {
  constexpr const char* name = "truncated_discrete_laplace";
  return built(name, {number(name, "scale", scale), number(name, "bound", bound),
                      number(name, "sensitivity", sensitivity)});
}

Composition truncated_gaussian(const Number& sigma, const Number& bound,
                               const Number& sensitivity) {
  constexpr const char* name = "truncated_gaussian";
  return built(name, {number(name, "sigma", sigma), number(name, "bound", bound),
                      number(name, "sensitivity", sensitivity)});
}

Composition skellam(const Number& variance, const Number& sensitivity) {
  return built("skellam", {number("skellam", "variance", variance),
                           number("skellam", "sensitivity", sensitivity)});
}

Composition discrete_gaussian_sum(const Number& parties, const Number& sigma,
                                  const Number& sensitivity) {
  constexpr const char* name = "discrete_gaussian_sum";
  return built(name, {number(name, "parties", parties), number(name, "sigma", sigma),
                      number(name, "sensitivity", sensitivity)});
}

Composition laplace_threshold(const Number& scale, const Number& threshold) {
  constexpr const char* name = "laplace_threshold";
  return built(name, {number(name, "scale", scale), number(name, "threshold", threshold)});
}

Composition gaussian_threshold(const Number& sigma, const Number& threshold, const Number& groups) {
  constexpr const char* name = "gaussian_threshold";
  return built(name, {number(name, "sigma", sigma), number(name, "threshold", threshold),
                      number(name, "groups", groups)});
}

Composition propose_test_release(const Composition& mechanism, const Number& scale,
                                 const Number& miss) {
  constexpr const char* name = "propose_test_release";
  return built(name,
               {single(name, mechanism), number(name, "scale", scale), number(name, "miss", miss)});
}

Composition gaussian_sparse_vector(const Number& threshold_sigma, const Number& query_sigma,
                                   const Number& queries, const Number& sensitivity) {
  constexpr const char* name = "gaussian_sparse_vector";
  return built(name, {number(name, "threshold_sigma", threshold_sigma),
                      number(name, "query_sigma", query_sigma), number(name, "queries", queries),
                      number(name, "sensitivity", sensitivity)});
}

Composition pate(const std::vector<Number>& votes, const Number& sigma) {
  return built("pate", {list("pate", "votes", votes), number("pate", "sigma", sigma)});
}

Composition partition_selection(const Number& epsilon, const Number& delta) {
  constexpr const char* name = "partition_selection";
  return built(name, {number(name, "epsilon", epsilon), number(name, "delta", delta)});
}

Composition shuffle(const Number& epsilon, const Number& users) {
  return built("shuffle",
               {number("shuffle", "epsilon", epsilon), number("shuffle", "users", users)});
}

Composition shuffle(const Number& epsilon, const Number& users, const Number& categories) {
  return built("shuffle", {number("shuffle", "epsilon", epsilon), number("shuffle", "users", users),
                           number("shuffle", "categories", categories)});
}

Composition staircase(const Number& epsilon, const Number& gamma) {
  return built("staircase",
               {number("staircase", "epsilon", epsilon), number("staircase", "gamma", gamma)});
}

Composition mixture(const Number& sigma, const std::vector<Number>& sensitivities,
                    const std::vector<Number>& probabilities) {
  return built("mixture",
               {number("mixture", "sigma", sigma), list("mixture", "sensitivities", sensitivities),
                list("mixture", "probabilities", probabilities)});
}

Composition poisson(const Composition& mechanism, const Number& rate,
                    const std::string& adjacency) {
  return built("poisson", {single("poisson", mechanism),
                           number("poisson", "rate", rate),
                           {"adjacency", syntax::Word{adjacency}}});
}

Composition joint(const Composition& first, const Composition& second) {
  GivenArgument one = single("joint", first);
  GivenArgument other = single("joint", second);
  one.first = "first";
  other.first = "second";
  return built("joint", {std::move(one), std::move(other)});
}

Composition adaptive_clipping(const Number& noise_multiplier, const Number& count_noise,
                              const Number& rate, bool shifted) {
  constexpr const char* name = "adaptive_clipping";
  return built(name, {number(name, "noise_multiplier", noise_multiplier),
                      number(name, "count_noise", count_noise),
                      number(name, "rate", rate),
                      {"shifted", syntax::Word{shifted ? "yes" : "no"}}});
}

Composition parallel(const std::vector<Composition>& mechanisms) {
  static constexpr std::array names{"first", "second", "third", "fourth", "fifth", "sixth"};
  if (mechanisms.size() > names.size()) {
    throw SpecError(
        "parallel: takes at most 6 mechanisms; parallel(A, parallel(B, ...)) takes more");
  }
  Given given;
  for (const Composition& each : mechanisms) {
    given.push_back({names[given.size()], single("parallel", each).second});
  }
  return built("parallel", std::move(given));
}

Composition privacy_profile(const std::vector<Number>& epsilons,
                            const std::vector<Number>& deltas) {
  return built("privacy_profile", {list("privacy_profile", "epsilons", epsilons),
                                   list("privacy_profile", "deltas", deltas)});
}

Composition select_poisson(const Composition& mechanism, const Number& mean) {
  return built("select", {single("select", mechanism),
                          {"repeats", syntax::Word{"poisson"}},
                          number("select", "mean", mean)});
}

Composition select_negative_binomial(const Composition& mechanism, const Number& eta,
                                     const Number& gamma) {
  return built("select", {single("select", mechanism),
                          {"repeats", syntax::Word{"negative_binomial"}},
                          number("select", "eta", eta),
                          number("select", "gamma", gamma)});
}

Composition select_binomial(const Composition& mechanism, const Number& trials,
                            const Number& probability) {
  return built("select", {single("select", mechanism),
                          {"repeats", syntax::Word{"binomial"}},
                          number("select", "trials", trials),
                          number("select", "probability", probability)});
}

Composition truncated_poisson(const Composition& mechanism, const Number& rate, const Number& cap,
                              const Number& population, const std::string& adjacency,
                              const std::string& size) {
  constexpr const char* name = "truncated_poisson";
  return built(name, {single(name, mechanism),
                      number(name, "rate", rate),
                      number(name, "cap", cap),
                      number(name, "population", population),
                      {"adjacency", syntax::Word{adjacency}},
                      {"size", syntax::Word{size}}});
}

Composition random_allocation(const Composition& mechanism, const Number& steps,
                              const Number& selected, const std::string& bound,
                              const Number& epochs_of_one_assignment,
                              const std::string& adjacency) {
  constexpr const char* name = "random_allocation";
  return built(name, {single(name, mechanism),
                      number(name, "steps", steps),
                      number(name, "selected", selected),
                      {"bound", syntax::Word{bound}},
                      number(name, "epochs_of_one_assignment", epochs_of_one_assignment),
                      {"adjacency", syntax::Word{adjacency}}});
}

Composition shuffled(const Composition& mechanism, const Number& steps,
                     const std::string& adjacency, const std::string& order) {
  return built("shuffled", {single("shuffled", mechanism),
                            number("shuffled", "steps", steps),
                            {"adjacency", syntax::Word{adjacency}},
                            {"order", syntax::Word{order}}});
}

Composition averaged(const Composition& mechanism, const Number& rate, const Number& population,
                     const std::string& adjacency) {
  return built("averaged", {single("averaged", mechanism),
                            number("averaged", "rate", rate),
                            number("averaged", "population", population),
                            {"adjacency", syntax::Word{adjacency}}});
}

Composition without_replacement(const Composition& mechanism, const Number& batch,
                                const Number& population, const std::string& adjacency) {
  constexpr const char* name = "without_replacement";
  return built(name, {single(name, mechanism),
                      number(name, "batch", batch),
                      number(name, "population", population),
                      {"adjacency", syntax::Word{adjacency}}});
}

Composition with_replacement(const Composition& mechanism, const Number& batch,
                             const Number& population) {
  constexpr const char* name = "with_replacement";
  return built(name, {single(name, mechanism), number(name, "batch", batch),
                      number(name, "population", population)});
}

Composition pair(const std::string& scheme, const Number& sigma, const Number& rate) {
  return built("pair", {{"scheme", syntax::Word{scheme}},
                        number("pair", "sigma", sigma),
                        number("pair", "rate", rate)});
}

Composition pair(const std::string& scheme, const Number& sigma, const Number& batch,
                 const Number& population) {
  return built("pair", {{"scheme", syntax::Word{scheme}},
                        number("pair", "sigma", sigma),
                        number("pair", "batch", batch),
                        number("pair", "population", population)});
}

Composition group(const Composition& mechanism, const Number& size) {
  return built("group", {single("group", mechanism), number("group", "size", size)});
}

Composition pure(const Number& epsilon) {
  return built("pure", {number("pure", "epsilon", epsilon)});
}

Composition approximate(const Number& epsilon, const Number& delta) {
  return built("approximate",
               {number("approximate", "epsilon", epsilon), number("approximate", "delta", delta)});
}

Composition renyi_profile(const std::vector<Number>& orders,
                          const std::vector<Number>& divergences) {
  return built("renyi_profile", {list("renyi_profile", "orders", orders),
                                 list("renyi_profile", "divergences", divergences)});
}

Composition zcdp(const Number& rho) { return built("zcdp", {number("zcdp", "rho", rho)}); }

Composition tcdp(const Number& rho, const Number& omega) {
  return built("tcdp", {number("tcdp", "rho", rho), number("tcdp", "omega", omega)});
}

Composition cdp(const Number& mu, const Number& tau) {
  return built("cdp", {number("cdp", "mu", mu), number("cdp", "tau", tau)});
}

Composition randomized_response(const Number& epsilon, const Number& categories) {
  constexpr const char* name = "randomized_response";
  return built(name, {number(name, "epsilon", epsilon), number(name, "categories", categories)});
}

Composition randomized_response_of_probability(const Number& probability,
                                               const Number& categories) {
  constexpr const char* name = "randomized_response";
  return built(name,
               {number(name, "probability", probability), number(name, "categories", categories)});
}

Composition bounded_range(const Number& epsilon) {
  return built("bounded_range", {number("bounded_range", "epsilon", epsilon)});
}

Composition exponential(const Number& epsilon) {
  return built("exponential", {number("exponential", "epsilon", epsilon)});
}

Composition permute_and_flip(const Number& epsilon) {
  return built("permute_and_flip", {number("permute_and_flip", "epsilon", epsilon)});
}

Composition report_noisy_max(const Number& scale, const Number& sensitivity) {
  constexpr const char* name = "report_noisy_max";
  return built(name, {number(name, "scale", scale), number(name, "sensitivity", sensitivity)});
}

Composition sparse_vector(const Number& threshold_scale, const Number& query_scale,
                          const Number& sensitivity, const Number& positives) {
  constexpr const char* name = "sparse_vector";
  return built(
      name,
      {number(name, "threshold_scale", threshold_scale), number(name, "query_scale", query_scale),
       number(name, "sensitivity", sensitivity), number(name, "positives", positives)});
}

namespace {

/// A mechanism on a stream: the arguments that matrix, toeplitz and tree share, behind `first`.
Composition stream(const char* name, Given first, const Number& sigma, const Participations& who) {
  first.push_back(number(name, "sigma", sigma));
  first.push_back(number(name, "sensitivity", who.sensitivity));
  first.push_back(number(name, "participations", who.participations));
  first.push_back(number(name, "min_separation", who.min_separation));
  return built(name, std::move(first));
}

}  // namespace

Composition matrix(const std::vector<std::vector<Number>>& encoder, const Number& sigma,
                   const Participations& who) {
  syntax::Vectors rows;
  for (const std::vector<Number>& row : encoder) {
    rows.push_back(std::get<std::vector<Rational>>(list("matrix", "encoder", row).second));
  }
  return stream("matrix", {{"encoder", std::move(rows)}}, sigma, who);
}

Composition matrix(const std::string& file, const Number& sigma, const Participations& who) {
  return stream("matrix", {{"encoder", syntax::Quoted{file}}}, sigma, who);
}

Composition toeplitz(const std::vector<Number>& coefficients, const Number& steps,
                     const Number& sigma, const Participations& who) {
  return stream(
      "toeplitz",
      {list("toeplitz", "coefficients", coefficients), number("toeplitz", "steps", steps)}, sigma,
      who);
}

Composition random_participation_in_bins(const std::vector<Number>& coefficients,
                                         const Number& sigma, const Number& steps,
                                         const Number& bins, const Number& sensitivity) {
  constexpr const char* name = "random_participation";
  return built(name, {list(name, "coefficients", coefficients), number(name, "sigma", sigma),
                      number(name, "steps", steps), number(name, "bins", bins),
                      number(name, "sensitivity", sensitivity)});
}

Composition random_participation_separated(const std::vector<Number>& coefficients,
                                           const Number& sigma, const Number& steps,
                                           const Number& separation, const Number& rate,
                                           const Number& sensitivity) {
  constexpr const char* name = "random_participation";
  return built(name, {list(name, "coefficients", coefficients), number(name, "sigma", sigma),
                      number(name, "steps", steps), number(name, "separation", separation),
                      number(name, "rate", rate), number(name, "sensitivity", sensitivity)});
}

Composition tree(const Number& steps, const Number& sigma, const Participations& who) {
  return stream("tree", {number("tree", "steps", steps)}, sigma, who);
}

Composition pld(const std::string& file) { return built("pld", {{"file", syntax::Quoted{file}}}); }

}  // namespace plaudit::inline v0
