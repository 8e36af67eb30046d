#include "verification/calibration/monotone.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "mechanisms/composition.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/language/shorthand.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

enum class Domain {
  positive,     ///< (0, inf)
  nonnegative,  ///< [0, inf)
  above_one,    ///< (1, inf)
  rate,         ///< (0, 1]
  open_rate,    ///< (0, 1)
  share,        ///< [0, 1)
  truthful,     ///< (1/2, 1)
  count,        ///< 1, 2, ...
};

enum class Trend { rises, falls };

/// That delta(epsilon) rises, or falls, with a parameter of a mechanism, for each epsilon.
struct Fact {
  std::string_view mechanism;
  std::string_view parameter;
  Trend trend;
  Domain domain;
  std::string_view theorem;
};

namespace by {
constexpr std::string_view noise = "docs/proofs/monotone.md#noise";
constexpr std::string_view discrete_laplace = "docs/proofs/monotone.md#discrete-laplace";
constexpr std::string_view integer_sensitivity = "docs/proofs/monotone.md#integer-sensitivity";
constexpr std::string_view thresholds = "docs/proofs/monotone.md#thresholds";
constexpr std::string_view more_noise = "docs/proofs/monotone.md#more-noise";
constexpr std::string_view truncated = "docs/proofs/monotone.md#truncated";
constexpr std::string_view staircase = "docs/proofs/monotone.md#staircase";
constexpr std::string_view rate = "docs/proofs/monotone.md#rate";
constexpr std::string_view caps = "docs/proofs/monotone.md#caps";
constexpr std::string_view streams = "docs/proofs/monotone.md#streams";
constexpr std::string_view selections = "docs/proofs/monotone.md#selections";
constexpr std::string_view batches = "docs/proofs/monotone.md#batches";
constexpr std::string_view dpsgd = "docs/proofs/monotone.md#dpsgd";
constexpr std::string_view bandmf = "docs/proofs/monotone.md#bandmf";
constexpr std::string_view stated = "docs/proofs/monotone.md#stated";
constexpr std::string_view allocation = "docs/proofs/monotone.md#allocation";
}  // namespace by

// Proof: docs/proofs/monotone.md#lifting carries each of them to any spec around it; those of
// truncated noise are docs/proofs/truncated.md#monotone.
constexpr auto facts = [] {
  using enum Trend;
  using enum Domain;
  return std::to_array<Fact>({
      {"gaussian", "sigma", falls, positive, by::noise},
      {"gaussian", "sensitivity", rises, positive, by::noise},
      {"gaussian", "variance", falls, positive, by::noise},
      {"adaptive_clipping", "noise_multiplier", falls, positive, by::noise},
      {"adaptive_clipping", "count_noise", falls, positive, by::noise},
      {"mixture", "sigma", falls, positive, by::noise},
      {"laplace", "scale", falls, positive, by::noise},
      {"laplace", "sensitivity", rises, positive, by::noise},
      {"pair", "sigma", falls, positive, by::noise},
      {"discrete_laplace", "scale", falls, positive, by::discrete_laplace},
      {"discrete_laplace", "sensitivity", rises, count, by::integer_sensitivity},
      {"discrete_gaussian", "sensitivity", rises, count, by::integer_sensitivity},
      {"gaussian_sparse_vector", "threshold_sigma", falls, positive, by::thresholds},
      {"gaussian_sparse_vector", "query_sigma", falls, positive, by::thresholds},
      {"gaussian_sparse_vector", "queries", rises, count, by::thresholds},
      {"gaussian_sparse_vector", "sensitivity", rises, positive, by::thresholds},
      {"skellam", "variance", falls, positive, by::more_noise},
      {"discrete_gaussian_sum", "parties", falls, count, by::more_noise},
      {"skellam", "sensitivity", rises, count, by::integer_sensitivity},
      {"discrete_gaussian_sum", "sensitivity", rises, count, by::integer_sensitivity},
      {"truncated_laplace", "bound", falls, positive, by::truncated},
      {"truncated_laplace", "sensitivity", rises, positive, by::truncated},
      {"truncated_gaussian", "bound", falls, positive, by::truncated},
      {"truncated_gaussian", "sensitivity", rises, positive, by::truncated},
      {"truncated_discrete_laplace", "bound", falls, count, by::truncated},
      {"truncated_discrete_laplace", "sensitivity", rises, count, by::truncated},
      {"staircase", "epsilon", rises, positive, by::staircase},
      {"poisson", "rate", rises, rate, by::rate},
      {"pair", "rate", rises, rate, by::rate},
      {"adaptive_clipping", "rate", rises, rate, by::rate},
      {"truncated_poisson", "rate", rises, open_rate, by::caps},
      {"truncated_poisson", "cap", falls, count, by::caps},
      {"truncated_poisson", "population", rises, count, by::caps},
      {"matrix", "sigma", falls, positive, by::streams},
      {"matrix", "variance", falls, positive, by::streams},
      {"toeplitz", "variance", falls, positive, by::streams},
      {"tree", "variance", falls, positive, by::streams},
      {"matrix", "sensitivity", rises, positive, by::streams},
      {"matrix", "participations", rises, count, by::streams},
      {"matrix", "min_separation", falls, count, by::streams},
      {"toeplitz", "sigma", falls, positive, by::streams},
      {"toeplitz", "sensitivity", rises, positive, by::streams},
      {"toeplitz", "participations", rises, count, by::streams},
      {"toeplitz", "min_separation", falls, count, by::streams},
      {"toeplitz", "steps", rises, count, by::streams},
      {"tree", "sigma", falls, positive, by::streams},
      {"tree", "sensitivity", rises, positive, by::streams},
      {"tree", "participations", rises, count, by::streams},
      {"tree", "min_separation", falls, count, by::streams},
      {"tree", "steps", rises, count, by::streams},
      {"bounded_range", "epsilon", rises, positive, by::selections},
      {"exponential", "epsilon", rises, positive, by::selections},
      {"permute_and_flip", "epsilon", rises, positive, by::selections},
      {"report_noisy_max", "scale", falls, positive, by::selections},
      {"report_noisy_max", "sensitivity", rises, positive, by::selections},
      {"sparse_vector", "sensitivity", rises, positive, by::selections},
      {"sparse_vector", "positives", rises, count, by::selections},
      {"sparse_vector", "threshold_scale", falls, positive, by::selections},
      {"sparse_vector", "query_scale", falls, positive, by::selections},
      {"group", "size", rises, count, by::batches},
      {"without_replacement", "batch", rises, count, by::batches},
      {"without_replacement", "population", falls, count, by::batches},
      {"with_replacement", "batch", rises, count, by::batches},
      {"with_replacement", "population", falls, count, by::batches},
      {"dpsgd", "noise_multiplier", falls, positive, by::dpsgd},
      {"dpsgd", "epochs", rises, positive, by::dpsgd},
      {"dpsgd", "steps", rises, count, by::dpsgd},
      {"dpsgd", "sample_rate", rises, rate, by::dpsgd},
      {"dpsgd", "batch", rises, positive, by::dpsgd},
      {"dpsgd", "population", falls, count, by::dpsgd},
      {"bandmf", "sigma", falls, positive, by::bandmf},
      {"bandmf", "sensitivity", rises, positive, by::bandmf},
      {"bandmf", "rate", rises, rate, by::bandmf},
      {"bandmf", "steps", rises, count, by::bandmf},
      {"bandmf", "bands", falls, count, by::bandmf},
      {"pure", "epsilon", rises, positive, by::stated},
      {"randomized_response", "epsilon", rises, positive, by::stated},
      {"randomized_response", "probability", rises, truthful, by::stated},
      {"approximate", "epsilon", rises, nonnegative, by::stated},
      {"random_allocation", "steps", falls, count, by::allocation},
      {"random_allocation", "epochs_of_one_assignment", rises, count, by::allocation},
      {"approximate", "delta", rises, share, by::stated},
      {"zcdp", "rho", rises, positive, by::stated},
      {"tcdp", "rho", rises, positive, by::stated},
      {"tcdp", "omega", falls, above_one, by::stated},
      {"cdp", "mu", rises, nonnegative, by::stated},
      {"cdp", "tau", rises, positive, by::stated},
  });
}();

/// Calls that may stand around the one with the parameter (docs/proofs/monotone.md#lifting).
constexpr auto keeping_order = std::to_array<std::string_view>(
    {"poisson", "truncated_poisson", "group", "without_replacement", "with_replacement",
     "random_allocation", "shuffled", "averaged", "joint"});

void set_domain(MonotoneParameter& parameter, Domain domain) {
  using enum Domain;
  parameter.integer = domain == count;
  const bool from_one = domain == above_one || domain == count;
  parameter.least = {domain == truthful ? Rational(1, 2) : Rational(from_one ? 1 : 0),
                     domain == nonnegative || domain == share || domain == count};
  if (domain == count) {
    parameter.greatest = {most_steps, true};
  } else if (domain == rate || domain == open_rate || domain == share || domain == truthful) {
    parameter.greatest = {1, domain == rate};
  }
}

/// What a mechanism's parameter is called in its declaration: by its key, or by its position.
std::string declared_name(const std::string& call, const std::vector<Parameter>& parameters,
                          const FreeParameter& free) {
  if (free.key.empty()) {
    if (free.position < parameters.size()) return std::string(parameters[free.position].name);
    throw SpecError(call + ": takes at most " + std::to_string(parameters.size()) + " arguments");
  }
  for (const Parameter& each : parameters) {
    const auto& aliases = each.aliases;
    if (each.name == free.key ||
        std::find(aliases.begin(), aliases.end(), free.key) != aliases.end()) {
      return std::string(each.name);
    }
  }
  throw SpecError(call + ": has no parameter " + abbreviated(free.key));
}

/// Epochs make the number of steps depend on the rate: more of one is less of the other.
bool states_epochs(const FreeParameter& free) {
  constexpr std::size_t place_of_epochs = 3;  // among arguments without a key, from 0
  const auto& keys = free.keys;
  return free.arguments - keys.size() > place_of_epochs ||
         std::find(keys.begin(), keys.end(), "epochs") != keys.end() ||
         std::find(keys.begin(), keys.end(), "num_epochs") != keys.end();
}

/// `selected` bounds the steps from below; monotony in them is proven for one selected step.
bool states_selected(const FreeParameter& free) {
  constexpr std::size_t place_of_selected = 2;  // among arguments without a key, from 0
  const auto& keys = free.keys;
  return free.arguments - keys.size() > place_of_selected ||
         std::any_of(keys.begin(), keys.end(), [](const std::string& key) {
           return key == "selected" || key == "num_selected" || key == "k";
         });
}

/// Where the cap is reached the share of data sets of exactly `population` records falls with it
/// and rises with the cap, against the probability of reaching it.
bool states_exact_size(const FreeParameter& free) {
  constexpr std::size_t place_of_size = 5;  // among arguments without a key, from 0
  const auto& keys = free.keys;
  return free.arguments - keys.size() > place_of_size ||
         std::find(keys.begin(), keys.end(), "size") != keys.end();
}

const std::vector<Parameter>* parameters_of(std::string_view call) {
  if (const Shorthand* shorthand = shorthand_named(call)) return &shorthand->parameters;
  for (const MechanismKind& kind : mechanism_kinds()) {
    if (kind.name == call) return &kind.parameters;
  }
  return nullptr;
}

/// Keys that say something else than the parameter's own name does.
bool has_meaning_of_its_own(const std::string& key) {
  return key == "probability" || key == "variance";
}

[[noreturn]] void refuse(const std::string& what, const std::string& why) {
  throw SpecError(what + ": no ? here: " + why);
}

/// Parameters in which curves are known to turn.
void refuse_turning(const std::string& call, const std::string& name, const std::string& what) {
  const bool by_sigma = name == "sigma" || name == "variance";
  if ((call == "discrete_gaussian" || call == "discrete_gaussian_sum") && by_sigma) {
    refuse(what, "the curve is not monotone in it (docs/proofs/monotone.md#discrete-gaussian)");
  }
  // Proof: docs/proofs/shuffle.md#monotone
  if (call == "shuffle") {
    refuse(
        what,
        "the curve of the theorem moves one way with it, but for many users the law is one above "
        "it, from points that move too (docs/proofs/shuffle.md#monotone)");
  }
  // Proof: docs/proofs/teachers.md#bound
  if (call == "pate") {
    refuse(what, "more noise hides one vote better and makes other classes likelier");
  }
  if (call == "staircase" && name == "gamma") {
    refuse(
        what,
        "the curve rises with it up to 1/2 and falls beyond (docs/proofs/monotone.md#staircase)");
  }
  if (call.rfind("truncated_", 0) == 0 && (name == "scale" || by_sigma)) {
    refuse(
        what,
        "delta falls with it at small epsilon, but the noise has ends and rises with it at large "
        "epsilon (docs/proofs/monotone.md#truncated)");
  }
}

/// In one place, whatever others there are.
MonotoneParameter monotone_place(const FreeParameter& free) {
  MonotoneParameter result;
  if (free.is_power()) {
    if (free.falls) {
      refuse("power",
             "the number of steps is not proven to grow with it where the expression "
             "subtracts or divides");
    }
    result.name = "power";
    result.theorem = "docs/proofs/monotone.md#power";
    set_domain(result, Domain::count);
    return result;
  }
  const std::vector<Parameter>* parameters = parameters_of(free.call);
  if (parameters == nullptr) {
    refuse(abbreviated(free.call), "nothing is proven of the curve's dependence on its parameters");
  }
  const std::string declared = declared_name(free.call, *parameters, free);
  const std::string name = has_meaning_of_its_own(free.key) ? free.key : declared;
  const std::string what = free.call + ": " + name;
  if (free.in_list) refuse(what, "it is one number of a list");
  refuse_turning(free.call, name, what);
  const auto fact = std::find_if(facts.begin(), facts.end(), [&](const Fact& each) {
    return each.mechanism == free.call && each.parameter == name;
  });
  if (fact == facts.end()) refuse(what, "the curve is not proven to be monotone in it");
  const bool by_rate = name == "sample_rate" || name == "batch" || name == "population";
  if (free.call == "dpsgd" && by_rate && states_epochs(free)) {
    refuse(what,
           "with epochs it changes the rate and the number of steps in opposite ways; state steps");
  }
  if (free.call == "random_allocation" && name == "steps" && states_selected(free)) {
    refuse(what, "it is at least what is selected; leave `selected` out");
  }
  if (free.call == "truncated_poisson" && states_exact_size(free)) {
    refuse(what, "in data sets of exactly one size nothing is proven of it; leave `size` out");
  }
  if (free.call == "randomized_response" && name == "probability" && free.arguments > 1) {
    refuse(what, "with categories, look for epsilon");
  }
  for (const std::string& outer : free.around) {
    if (std::find(keeping_order.begin(), keeping_order.end(), outer) == keeping_order.end()) {
      refuse(what, "nothing is proven of what " + abbreviated(outer) + " makes of it");
    }
  }
  result.name = free.key.empty() ? name : free.key;
  result.mechanism = free.call;
  result.falls = fact->trend == Trend::falls;
  result.theorem = fact->theorem;
  set_domain(result, fact->domain);
  if (free.scaled && fact->domain != Domain::positive) {
    refuse(what, "it may be times a number only where all numbers > 0 are values");
  }
  return result;
}

}  // namespace

// Proof: docs/proofs/monotone.md#several
MonotoneParameter monotone_parameter(const FreeParameter& free) {
  MonotoneParameter result = monotone_place(free);
  for (const FreeParameter& place : free.others) {
    const MonotoneParameter other = monotone_place(place);
    if (other.falls != result.falls) {
      refuse(result.name + " and " + other.name,
             "more of it is more privacy in one place and less in the other");
    }
    if (other.integer != result.integer) {
      refuse(result.name + " and " + other.name, "it is an integer in one place alone");
    }
    const bool higher = other.least.value > result.least.value ||
                        (other.least.value == result.least.value && !other.least.allowed);
    if (higher) result.least = other.least;
    const auto& top = other.greatest;
    const auto& so_far = result.greatest;
    const bool lower = top && (!so_far || top->value < so_far->value ||
                               (top->value == so_far->value && !top->allowed));
    if (lower) result.greatest = top;
    if (result.theorem.find(other.theorem) == std::string::npos) {
      result.theorem += ", " + other.theorem;
    }
  }
  return result;
}

}  // namespace plaudit
