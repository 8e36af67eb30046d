// The mechanisms of the spec language (docs/mechanisms.md) by name, batches apart.
#include <map>

#include "verification/checker/specs/builders.hpp"

namespace plaudit::checker {

namespace {

std::string with_sensitivity(std::string text, const Rational& sensitivity) {
  if (sensitivity != 1) text += ", sensitivity=" + printed(sensitivity);
  return text + ")";
}

Mechanism gaussian(const Arguments& arguments) {
  const Rational sigma = arguments.positive("sigma");
  const Rational sensitivity = arguments.sensitivity();
  Mechanism result;
  result.text = with_sensitivity("gaussian(sigma=" + printed(sigma), sensitivity);
  result.one_record = true;
  result.gaussian = {sigma, sensitivity, 1};
  set_mixture(result, {{sensitivity / sigma}, {1}});
  return result;
}

Mechanism laplace(const Arguments& arguments) {
  const Rational scale = arguments.positive("scale");
  const Rational sensitivity = arguments.sensitivity();
  Mechanism result;
  result.text = with_sensitivity("laplace(scale=" + printed(scale), sensitivity);
  result.one_record = true;
  set_law(result, law(Laplace{sensitivity / scale}));
  return result;
}

std::string list(const std::vector<Rational>& numbers) {
  std::string text;
  for (const Rational& number : numbers) text += (text.empty() ? "" : ", ") + printed(number);
  return "[" + text + "]";
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
  result.text = "mixture(sigma=" + printed(sigma) + ", sensitivities=" + list(shown.rates) +
                ", probabilities=" + list(shown.probabilities) + ")";
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

// Proof: docs/proofs/discrete.md#sampled
Mechanism poisson(const Arguments& arguments) {
  Mechanism base = arguments.inner();
  const Rational rate = arguments.rate();
  if (!base.one_record) arguments.fail("", "is not for one record added or removed");
  Mechanism result = base;
  result.text = "poisson(" + base.text + ", rate=" + printed(rate) + ")";
  result.adjacency = of_one_record("add_remove");
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

Mechanism two_point_mechanism(std::string text, const Rational& value, bool odds,
                              const Rational& delta, bool one_record) {
  Mechanism result;
  result.text = std::move(text);
  result.one_record = one_record;
  set_law(result, law(two_points(value, odds, delta)));
  return result;
}

Mechanism randomized_response(const Arguments& arguments) {
  if (!arguments.has("probability")) {
    const Rational epsilon = arguments.positive("epsilon");
    return two_point_mechanism("randomized_response(epsilon=" + printed(epsilon) + ")", epsilon,
                               false, 0, false);
  }
  const Rational p = arguments.number("probability");
  if (2 * p <= 1 || p >= 1) arguments.fail("probability", "must lie between 1/2 and 1");
  return two_point_mechanism("randomized_response(probability=" + printed(p) + ")", p / (1 - p),
                             true, 0, false);
}

Mechanism pure(const Arguments& arguments) {
  const Rational epsilon = arguments.positive("epsilon");
  return two_point_mechanism("pure(epsilon=" + printed(epsilon) + ")", epsilon, false, 0, true);
}

Mechanism approximate(const Arguments& arguments) {
  const Rational epsilon = arguments.number("epsilon");
  const Rational delta = arguments.number("delta");
  if (epsilon < 0) arguments.fail("epsilon", "must not be negative");
  if (delta < 0 || delta >= 1) arguments.fail("delta", "must lie in [0, 1)");
  return two_point_mechanism(
      "approximate(epsilon=" + printed(epsilon) + ", delta=" + printed(delta) + ")", epsilon, false,
      delta, true);
}

Mechanism discrete_gaussian(const Arguments& arguments) {
  const bool by_variance = arguments.has("variance");
  const char* key = by_variance ? "variance" : "sigma";
  const Rational given = arguments.positive(key);
  const Rational variance = by_variance ? given : Rational(given * given);
  if (variance > Rational(Integer(10'000'000'000L))) arguments.fail(key, "is too large");
  std::uint64_t sensitivity = 1;
  if (arguments.has("sensitivity")) sensitivity = arguments.count("sensitivity", 1'000'000'000);
  Mechanism result;
  result.text = with_sensitivity(std::string("discrete_gaussian(") + key + "=" + printed(given),
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
  result.text = with_sensitivity("discrete_laplace(scale=" + printed(scale), Rational(sensitivity));
  result.one_record = true;
  set_law(result, law(discrete_laplace(scale, static_cast<long>(sensitivity))));
  return result;
}

/// Mirrored pairs are evaluated, not vouched for (docs/proofs/mirrored.md#not-dominating).
void set_mirrored(Mechanism& mechanism, const Mechanism::Components& given) {
  const Mechanism::Components parts = merged(given);
  mechanism.adjacency = {"none", 1, false};
  if (parts.rates.size() == 1) return set_law(mechanism, law(Gaussian{2 * parts.rates.front()}));
  set_law(mechanism, law(Mirrored{parts.rates, parts.probabilities}));
}

Mechanism pair(const Arguments& arguments) {
  const std::string scheme = arguments.typed<Name>("").text;
  const Rational sigma = arguments.positive("sigma");
  Mechanism result;
  result.text = "pair(" + scheme + ", sigma=" + printed(sigma);
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
  result.text += ", rate=" + printed(rate) + ")";
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
  const auto found = arguments.files.find(path);
  if (found == arguments.files.end()) arguments.fail("file", "is not among the laws");
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

}  // namespace

Mechanism build(const Call& call, const NamedLaws& files) {
  static const std::map<std::string, Mechanism (*)(const Arguments&)> builders = {
      {"gaussian", gaussian},
      {"laplace", laplace},
      {"mixture", mixture},
      {"poisson", poisson},
      {"without_replacement", without_replacement},
      {"with_replacement", with_replacement},
      {"group", group},
      {"randomized_response", randomized_response},
      {"pure", pure},
      {"approximate", approximate},
      {"discrete_gaussian", discrete_gaussian},
      {"discrete_laplace", discrete_laplace_mechanism},
      {"pair", pair},
      {"pld", pld}};
  const auto found = builders.find(call.name);
  require(found != builders.end(), "the spec: there is no mechanism " + in_quotes(call.name));
  return found->second(Arguments(call, files));
}

}  // namespace plaudit::checker
