// The mechanisms of the spec language (docs/mechanisms.md) by name; batches, selections, streams
// and bounds of moments have files of their own.
#include <algorithm>
#include <map>

#include "verification/checker/specs/builders.hpp"

namespace plaudit::proof {

namespace {

std::string with_sensitivity(const std::string& text, const Rational& sensitivity) {
  return text + sensitivity_text(sensitivity) + ")";
}

// Proof: docs/proofs/roots.md#gaussian
Mechanism gaussian(const Arguments& arguments) {
  if (arguments.has("variance")) {
    const Rational variance = arguments.variance();
    const Rational shift = arguments.sensitivity();
    Mechanism result;
    result.text = with_sensitivity("gaussian(variance=" + to_string(variance), shift);
    result.one_record = true;
    set_mixture(result, {{shift}, {1}, 1 / variance});
    return result;
  }
  const Rational sigma = arguments.positive("sigma");
  const Rational sensitivity = arguments.sensitivity();
  Mechanism result;
  result.text = with_sensitivity("gaussian(sigma=" + to_string(sigma), sensitivity);
  result.one_record = true;
  result.gaussian = {sigma, sensitivity, 1};
  set_mixture(result, {{sensitivity / sigma}, {1}});
  return result;
}

Mechanism laplace(const Arguments& arguments) {
  const Rational scale = arguments.positive("scale");
  const Rational sensitivity = arguments.sensitivity();
  Mechanism result;
  result.text = with_sensitivity("laplace(scale=" + to_string(scale), sensitivity);
  result.one_record = true;
  set_law(result, law(Laplace{sensitivity / scale}));
  return result;
}

Mechanism mixture(const Arguments& arguments) {
  const Rational sigma = arguments.positive("sigma");
  const auto& sensitivities = arguments.typed<std::vector<Rational>>("sensitivities");
  const auto& probabilities = arguments.typed<std::vector<Rational>>("probabilities");
  if (sensitivities.size() != probabilities.size() || sensitivities.size() > most_components) {
    arguments.fail("sensitivities", "must be as many as the probabilities, at most 1001");
  }
  Mechanism::Components parts{sensitivities, probabilities};
  for (std::size_t i = 0; i < parts.rates.size(); ++i) {
    if (sensitivities[i] < 0) arguments.fail("sensitivities", "must not be negative");
    if (probabilities[i] < 0) arguments.fail("probabilities", "must not be negative");
    parts.rates[i] /= sigma;
  }
  if (sum(probabilities) != 1) {
    arguments.fail("probabilities", "must have the sum 1");
  }
  Mechanism result;
  set_mixture(result, parts);
  Mechanism::Components shown = *result.components;
  for (Rational& rate : shown.rates) rate *= sigma;
  result.text = "mixture(sigma=" + to_string(sigma) + ", sensitivities=" + list_text(shown.rates) +
                ", probabilities=" + list_text(shown.probabilities) + ")";
  result.one_record = true;
  result.adjacency = of_one_record("add_remove");
  return result;
}

/// The law of a sample of something else than Gaussians, in one direction.
std::shared_ptr<const Law> sampled_law(const Law& base, const Rational& rate, Direction direction) {
  const bool removes = direction == Direction::remove;
  if (const auto* each = std::get_if<Laplace>(&base)) return law(Sampled{*each, rate, removes});
  if (const auto* each = std::get_if<DiscreteGaussian>(&base)) {
    return law(Sampled{*each, rate, removes});
  }
  if (const auto* each = std::get_if<Finite>(&base)) return law(sampled(*each, rate, direction));
  throw Rejected("the spec: poisson of what has no law under sampling");
}

/// P = sum p_i N(a_i, 1) against its mirror image Q = sum p_i N(-a_i, 1).
void set_mirrored(Mechanism& mechanism, const Mechanism::Components& given) {
  const Mechanism::Components parts = merged(given);
  if (parts.rates.size() == 1) return set_law(mechanism, law(gaussian_at(2 * parts.rates.front())));
  set_law(mechanism, law(Mirrored{parts.rates, parts.probabilities}));
}

/// A record is replaced by another one, both within half of the sensitivity from a record that adds
/// nothing. Proof: docs/proofs/poisson_adjacencies.md#replace
Mechanism sampled_replacement(const Arguments& arguments, const Mechanism& base, std::string text,
                              const Rational& rate) {
  if (!base.gaussian || base.gaussian->several || base.gaussian->rate != 1 ||
      base.adjacency != Adjacency{}) {
    arguments.fail("", "must be a gaussian under replace adjacency");
  }
  Mechanism result;
  result.text = std::move(text);
  result.adjacency = of_one_record("replace");
  const Rational centre = base.gaussian->sensitivity / base.gaussian->sigma / 2;
  set_mirrored(result, {{0, centre}, {1 - rate, rate}});
  return result;
}

// Proof: docs/proofs/discrete.md#sampled docs/proofs/poisson_adjacencies.md#zero-out
Mechanism poisson(const Arguments& arguments) {
  Mechanism base = arguments.inner();
  const Rational rate = arguments.rate();
  std::string text = "poisson(" + base.text + ", rate=" + to_string(rate);
  std::string adjacency = "add_remove";
  if (arguments.has("adjacency")) {
    adjacency = arguments.typed<Name>("adjacency").text;
    if (adjacency != "replace" && adjacency != "zero_out") {
      arguments.fail("adjacency", "must be replace or zero_out, or left out for add_remove");
    }
    text += ", adjacency=" + adjacency;
  }
  text += ")";
  if (adjacency == "replace") return sampled_replacement(arguments, base, text, rate);
  if (!base.one_record) arguments.fail("", "is not for one record added or removed");
  Mechanism result = base;
  result.text = text;
  result.adjacency = {adjacency, 1, true};
  result.one_record = adjacency == "add_remove";
  result.parts.clear();
  if (base.components) {
    Mechanism::Components parts = *base.components;
    for (Rational& probability : parts.probabilities) probability *= rate;
    parts.rates.emplace_back(0);
    parts.probabilities.emplace_back(1 - rate);
    set_mixture(result, parts);
    if (result.gaussian) result.gaussian->rate *= rate;
    return result;
  }
  // a sample of a sample is one at the product of the rates
  if (!base.sampled_base) result.sampled_base = std::make_shared<Mechanism>(base);
  result.sampled_rate = base.sampled_rate * rate;
  const Mechanism& inner = *result.sampled_base;
  if (result.sampled_rate == 1) return result;
  result.remove = sampled_law(*inner.remove, result.sampled_rate, Direction::remove);
  result.add = sampled_law(*inner.add, result.sampled_rate, Direction::add);
  result.symmetric = false;
  return result;
}

// Proof: docs/proofs/roots.md#adaptive-clipping
Mechanism adaptive_clipping(const Arguments& arguments) {
  const Rational multiplier = arguments.positive("noise_multiplier");
  const Rational count_noise = arguments.positive("count_noise");
  const Rational rate = arguments.has("rate") ? arguments.rate() : Rational(1);
  Rational moved(Integer(1), Integer(2));
  Mechanism result;
  result.text = "adaptive_clipping(noise_multiplier=" + to_string(multiplier) +
                ", count_noise=" + to_string(count_noise);
  if (rate != 1) result.text += ", rate=" + to_string(rate);
  if (arguments.has("shifted")) {
    if (arguments.typed<Name>("shifted").text != "no") arguments.fail("shifted", "must be no");
    moved = 1;
    result.text += ", shifted=no";
  }
  result.text += ")";
  const Rational square =
      1 / (multiplier * multiplier) + moved * moved / (count_noise * count_noise);
  if (rate == 1) {
    result.one_record = true;
    set_mixture(result, {{1}, {1}, square});
    return result;
  }
  result.adjacency = of_one_record("add_remove");
  set_mixture(result, {{0, 1}, {1 - rate, rate}, square});
  result.components.reset();
  return result;
}

Mechanism two_point_mechanism(std::string text, const Rational& value, bool odds,
                              const Rational& delta, bool one_record) {
  Mechanism result;
  result.text = std::move(text);
  result.one_record = one_record;
  set_law(result, law(two_points(value, odds, delta)));
  return result;
}

constexpr std::uint64_t most_categories = 1'000'000'000'000;

Mechanism randomized_response(const Arguments& arguments) {
  const bool by_probability = arguments.has("probability");
  const Rational value =
      by_probability ? arguments.number("probability") : arguments.positive("epsilon");
  const std::uint64_t categories =
      arguments.has("categories") ? arguments.count("categories", most_categories) : 2;
  if (categories < 2) arguments.fail("categories", "must be at least 2");
  const Integer k(categories);
  if (by_probability && (value * Rational(k) <= 1 || value >= 1)) {
    arguments.fail("probability", "must lie between 1/categories and 1");
  }
  std::string text = std::string("randomized_response(") +
                     (by_probability ? "probability=" : "epsilon=") + to_string(value);
  const Rational odds =
      by_probability ? Rational(value * Rational(Integer(k - 1)) / (1 - value)) : value;
  if (categories == 2) {
    return two_point_mechanism(text + ")", odds, by_probability, 0, false);
  }
  Mechanism result;
  result.text = text + ", categories=" + std::to_string(categories) + ")";
  set_law(result, law(answers(odds, by_probability, k)));
  return result;
}

Mechanism pure(const Arguments& arguments) {
  const Rational epsilon = arguments.positive("epsilon");
  return two_point_mechanism("pure(epsilon=" + to_string(epsilon) + ")", epsilon, false, 0, true);
}

Mechanism approximate(const Arguments& arguments) {
  const Rational epsilon = arguments.number("epsilon");
  const Rational delta = arguments.number("delta");
  if (epsilon < 0) arguments.fail("epsilon", "must not be negative");
  // NOLINTNEXTLINE(misc-redundant-expression): taken for two comparisons of one template
  if (delta < 0 || delta >= 1) arguments.fail("delta", "must lie in [0, 1)");
  return two_point_mechanism(
      "approximate(epsilon=" + to_string(epsilon) + ", delta=" + to_string(delta) + ")", epsilon,
      false, delta, true);
}

Mechanism discrete_gaussian(const Arguments& arguments) {
  const bool by_variance = arguments.has("variance");
  const char* key = by_variance ? "variance" : "sigma";
  const Rational given = by_variance ? arguments.variance() : arguments.positive(key);
  const Rational variance = by_variance ? given : Rational(given * given);
  if (variance > Rational(Integer(10'000'000'000L))) arguments.fail(key, "is too large");
  std::uint64_t sensitivity = 1;
  if (arguments.has("sensitivity")) sensitivity = arguments.count("sensitivity", 1'000'000'000);
  Mechanism result;
  result.text = with_sensitivity(std::string("discrete_gaussian(") + key + "=" + to_string(given),
                                 Rational(sensitivity));
  result.one_record = true;
  set_law(result, law(DiscreteGaussian{variance, Integer(sensitivity)}));
  return result;
}

Mechanism discrete_laplace_mechanism(const Arguments& arguments) {
  const Rational scale = arguments.positive("scale");
  std::uint64_t sensitivity = 1;
  if (arguments.has("sensitivity")) sensitivity = arguments.count("sensitivity", 100'000);
  Mechanism result;
  result.text =
      with_sensitivity("discrete_laplace(scale=" + to_string(scale), Rational(sensitivity));
  result.one_record = true;
  set_law(result, law(discrete_laplace(scale, static_cast<long>(sensitivity))));
  return result;
}

// Proof: docs/proofs/truncated.md#shift
Mechanism truncated_discrete_laplace_mechanism(const Arguments& arguments) {
  const Rational scale = arguments.positive("scale");
  const std::uint64_t bound = arguments.count("bound", 1'000'000'000);
  std::uint64_t sensitivity = 1;
  if (arguments.has("sensitivity")) sensitivity = arguments.count("sensitivity", 100'000);
  if (bound < sensitivity) arguments.fail("bound", "must be at least the sensitivity");
  Mechanism result;
  result.text = with_sensitivity(
      "truncated_discrete_laplace(scale=" + to_string(scale) + ", bound=" + std::to_string(bound),
      Rational(sensitivity));
  result.one_record = true;
  set_law(result, law(truncated_discrete_laplace(scale, Rational(Integer(bound)),
                                                 static_cast<long>(sensitivity))));
  return result;
}

// Proof: docs/proofs/truncated.md#shift
Mechanism truncated_laplace(const Arguments& arguments) {
  const Rational scale = arguments.positive("scale");
  const Rational bound = arguments.positive("bound");
  const Rational sensitivity = arguments.sensitivity();
  if (bound < sensitivity) arguments.fail("bound", "must be at least the sensitivity");
  Mechanism result;
  result.text = with_sensitivity(
      "truncated_laplace(scale=" + to_string(scale) + ", bound=" + to_string(bound), sensitivity);
  result.one_record = true;
  set_law(result, law(TruncatedLaplace{sensitivity / scale, (bound - sensitivity) / scale}));
  return result;
}

// Proof: docs/proofs/staircase.md#shift
Mechanism staircase_mechanism(const Arguments& arguments) {
  const Rational epsilon = arguments.positive("epsilon");
  const Rational gamma = arguments.positive("gamma");
  if (gamma >= 1) arguments.fail("gamma", "must be less than 1");
  Mechanism result;
  result.text = "staircase(epsilon=" + to_string(epsilon) + ", gamma=" + to_string(gamma) + ")";
  result.one_record = true;
  set_law(result, law(2 * gamma == 1 ? two_points(epsilon, false, 0) : staircase(epsilon, gamma)));
  return result;
}

Mechanism pair(const Arguments& arguments) {
  const std::string scheme = arguments.typed<Name>("").text;
  const Rational sigma = arguments.positive("sigma");
  Mechanism result;
  // Mirrored pairs are evaluated, not vouched for (docs/proofs/mirrored.md#not-dominating).
  result.adjacency = {"none", 1, false};
  result.text = "pair(" + scheme + ", sigma=" + to_string(sigma);
  if (scheme == "with_replacement") {
    const std::uint64_t batch = arguments.count("batch", 1000);
    const std::uint64_t population = arguments.count("population", most_records);
    result.text +=
        ", batch=" + std::to_string(batch) + ", population=" + std::to_string(population) + ")";
    set_mirrored(result,
                 counted(1 / sigma, binomial(batch, Rational(Integer(1), Integer(population)))));
    return result;
  }
  const Rational rate = arguments.rate();
  result.text += ", rate=" + to_string(rate) + ")";
  const Mechanism::Components parts{{0, 1 / sigma}, {1 - rate, rate}};
  if (scheme == "without_replacement") {
    set_mirrored(result, parts);
  } else if (scheme == "poisson") {
    result.adjacency = of_one_record("add_remove");
    set_mixture(result, parts);
    result.components.reset();
  } else {
    arguments.fail("", "must be poisson, without_replacement or with_replacement");
  }
  return result;
}

Mechanism pld(const Arguments& arguments) {
  const std::string& path = arguments.typed<Quoted>("file").text;
  const auto found = arguments.supplied.files.find(path);
  if (found == arguments.supplied.files.end()) arguments.fail("file", "is not among the laws");
  const WrittenLaws& laws = found->second;
  Mechanism result;
  result.text = "pld(file=\"" + path + "\")";
  result.remove = laws.remove;
  result.add = laws.add;
  result.symmetric = laws.symmetric;
  result.adjacency = laws.adjacency;
  result.one_record = laws.adjacency == of_one_record("add_remove");
  return result;
}

constexpr std::size_t most_joint_values = 1000;

bool all_known(const Finite& law) {
  const Finite::Exact& exact = law.exact();
  return exact.infinite && exact.q_mass &&
         std::all_of(exact.atoms.begin(), exact.atoms.end(),
                     [](const ExactAtom& atom) { return atom.loss.has_value(); });
}

// Proof: docs/proofs/poisson_adjacencies.md#joint
Mechanism joint(const Arguments& arguments) {
  const Mechanism first = arguments.inner(0);
  const Mechanism second = arguments.inner(1);
  Mechanism result;
  result.text = "joint(" + first.text + ", " + second.text + ")";
  result.one_record = first.one_record && second.one_record;
  result.operations = first.operations + second.operations;
  for (const Mechanism* each : {&first, &second}) {
    if (!each->symmetric || each->adjacency != Adjacency{}) {
      arguments.fail(each == &first ? "the first argument" : "the second argument",
                     "has not one law for the neighbours that are stated");
    }
  }
  const auto* a = std::get_if<Gaussian>(first.remove.get());
  const auto* b = std::get_if<Gaussian>(second.remove.get());
  if (a != nullptr && b != nullptr) {
    const Rational mean = a->mu + b->mu;
    if (!result.one_record) {
      set_law(result, law(Gaussian{mean}));
      return result;
    }
    const auto distance = exact_root(2 * mean);
    if (distance) result.gaussian = {1, *distance, 1, true};
    set_mixture(result, {{1}, {1}, 2 * mean});
    return result;
  }
  const auto known = [](const Mechanism& each) {
    const auto* finite = std::get_if<Finite>(each.remove.get());
    return finite != nullptr && all_known(*finite);
  };
  if (!known(first) || !known(second)) {
    const auto is_laplace = [](const Mechanism& each) {
      return std::holds_alternative<Laplace>(*each.remove);
    };
    const auto goes_with_gaussian = [&](const Mechanism& each) {
      return is_laplace(each) ||
             (known(each) && *std::get<Finite>(*each.remove).exact().infinite == 0);
    };
    const bool taken = a != nullptr   ? goes_with_gaussian(second)
                       : b != nullptr ? goes_with_gaussian(first)
                                      : is_laplace(first) && is_laplace(second);
    if (!taken) arguments.fail("", "and the second one have no joint law here");
    result.remove = result.add = first.remove;
    result.beside = {first.text, second.text, second.remove};
    return result;
  }
  const auto& one = std::get<Finite>(*first.remove);
  const auto& other = std::get<Finite>(*second.remove);
  if (one.size() * other.size() > most_joint_values) {
    arguments.fail("the second argument", "has too many losses");
  }
  set_law(result, law(joined(one, other)));
  return result;
}

}  // namespace

Mechanism build(const Call& call, Supplied& supplied) {
  static const std::map<std::string, Mechanism (*)(const Arguments&)> builders = {
      {"gaussian", gaussian},
      {"laplace", laplace},
      {"adaptive_clipping", adaptive_clipping},
      {"mixture", mixture},
      {"poisson", poisson},
      {"without_replacement", without_replacement},
      {"with_replacement", with_replacement},
      {"truncated_poisson", truncated_poisson},
      {"random_allocation", random_allocation},
      {"shuffled", shuffled},
      {"averaged", averaged},
      {"random_participation", random_participation},
      {"truncated_gaussian", truncated_gaussian},
      {"skellam", skellam},
      {"discrete_gaussian_sum", discrete_gaussian_sum},
      {"partition_selection", partition_selection},
      {"laplace_threshold", laplace_threshold},
      {"gaussian_threshold", gaussian_threshold},
      {"propose_test_release", propose_test_release},
      {"pate", pate},
      {"gaussian_sparse_vector", gaussian_sparse_vector},
      {"group", group},
      {"randomized_response", randomized_response},
      {"pure", pure},
      {"approximate", approximate},
      {"discrete_gaussian", discrete_gaussian},
      {"discrete_laplace", discrete_laplace_mechanism},
      {"truncated_discrete_laplace", truncated_discrete_laplace_mechanism},
      {"truncated_laplace", truncated_laplace},
      {"shuffle", shuffle},
      {"select", select},
      {"parallel", parallel},
      {"privacy_profile", privacy_profile},
      {"staircase", staircase_mechanism},
      {"pair", pair},
      {"joint", joint},
      {"bounded_range", bounded_range},
      {"exponential", exponential},
      {"permute_and_flip", permute_and_flip},
      {"report_noisy_max", report_noisy_max},
      {"sparse_vector", sparse_vector},
      {"matrix", matrix},
      {"toeplitz", toeplitz},
      {"tree", tree},
      {"zcdp", zcdp},
      {"tcdp", tcdp},
      {"cdp", cdp},
      {"renyi_profile", renyi_profile},
      {"pld", pld}};
  const auto found = builders.find(call.name);
  require(found != builders.end(), "the spec: there is no mechanism " + in_quotes(call.name));
  const Arguments arguments(call, supplied);
  Mechanism result = found->second(arguments);
  arguments.done();
  return result;
}

}  // namespace plaudit::proof
