// Gaussians on batches of fixed size, and groups of records.
// Proof: docs/proofs/sampling.md#replacement docs/proofs/sampling.md#fixed-batches
#include "verification/checker/laws/public_labels.hpp"
#include "verification/checker/specs/builders.hpp"

namespace plaudit::proof {

namespace {

/// sampling.md, "replacement": the labelled pair, or the Gaussian where every batch has as many.
std::shared_ptr<const Law> replaced_law(const Mechanism::Replaced& scheme, std::uint64_t size) {
  require(size <= scheme.population, "the spec: a group is greater than the population");
  const Rational rate = scheme.sensitivity / scheme.sigma;
  if (scheme.with_replacement && size == scheme.population) {
    return law(gaussian_at(rate * scheme.batch));
  }
  if (!scheme.with_replacement && scheme.batch == scheme.population) {
    return law(gaussian_at(rate * size));
  }
  require(scheme.with_replacement || scheme.batch <= scheme.population - size,
          "the spec: under replace adjacency the population must be at least batch + size");
  const CountLaw counts =
      scheme.with_replacement
          ? binomial(scheme.batch, Rational(Integer(size), Integer(scheme.population)))
          : hypergeometric(scheme.batch, scheme.population - size, size);
  Labelled result{1 - counts[0], {}};
  for (std::size_t j = 1; j < counts.size(); ++j) {
    if (counts[j] > 0) result.labels.push_back({counts[j] / result.q, rate * j});
  }
  return law(std::move(result));
}

/// The plain Gaussian under a sampling scheme of its own.
Mechanism::SampledGaussian plain_gaussian(const Arguments& arguments, const Mechanism& base) {
  if (!base.gaussian || base.gaussian->several || !base.one_record || base.gaussian->rate != 1 ||
      base.adjacency != Adjacency{}) {
    arguments.fail("", "must be a gaussian");
  }
  return *base.gaussian;
}

}  // namespace

Mechanism without_replacement(const Arguments& arguments) {
  const Mechanism base = arguments.inner();
  const Mechanism::SampledGaussian plain = plain_gaussian(arguments, base);
  const std::uint64_t population = arguments.count("population", most_records);
  const std::uint64_t batch = arguments.count("batch", population);
  const std::string adjacency = arguments.typed<Name>("adjacency").text;
  Mechanism result;
  result.text = "without_replacement(" + base.text + ", batch=" + std::to_string(batch) +
                ", population=" + std::to_string(population) + ", adjacency=" + adjacency + ")";
  if (adjacency == "replace") {
    result.adjacency = of_one_record("replace");
    result.replaced = {plain.sigma, plain.sensitivity, false, batch, population};
    set_law(result, replaced_law(*result.replaced, 1));
    return result;
  }
  if (adjacency != "add_remove") arguments.fail("adjacency", "must be add_remove or replace");
  result.adjacency = of_one_record("add_remove");
  result.fixed = {plain.sigma, plain.sensitivity, batch, population};
  set_mixture(result,
              {{0, 2 * plain.sensitivity / plain.sigma}, hypergeometric(batch, population, 1)});
  result.components.reset();
  return result;
}

Mechanism with_replacement(const Arguments& arguments) {
  const Mechanism base = arguments.inner();
  const Mechanism::SampledGaussian plain = plain_gaussian(arguments, base);
  const std::uint64_t batch = arguments.count("batch", 1'000'000);
  const std::uint64_t population = arguments.count("population", most_records);
  Mechanism result;
  result.text = "with_replacement(" + base.text + ", batch=" + std::to_string(batch) +
                ", population=" + std::to_string(population) + ")";
  result.adjacency = of_one_record("replace");
  result.replaced = {plain.sigma, plain.sensitivity, true, batch, population};
  set_law(result, replaced_law(*result.replaced, 1));
  return result;
}

namespace {

constexpr std::uint64_t greatest_cap = 100'000;  ///< of a certificate

std::shared_ptr<const Law> one_label(const Rational& rate, const Rational& distance) {
  return law(Labelled{rate, {{1, distance}}});
}

}  // namespace

// Proof: docs/proofs/poisson_adjacencies.md#capped docs/proofs/poisson_adjacencies.md#exact-size
Mechanism truncated_poisson(const Arguments& arguments) {
  const Mechanism base = arguments.inner();
  const Mechanism::SampledGaussian plain = plain_gaussian(arguments, base);
  const Rational rate = arguments.rate();
  if (rate == 1) arguments.fail("rate", "must be below 1");
  const std::uint64_t cap = arguments.count("cap", 1'000'000'000);
  const std::uint64_t population = arguments.count("population", most_records);
  Mechanism result;
  result.text = "truncated_poisson(" + base.text + ", rate=" + to_string(rate) +
                ", cap=" + std::to_string(cap) + ", population=" + std::to_string(population);
  std::string adjacency = "add_remove";
  if (arguments.has("adjacency")) {
    adjacency = arguments.typed<Name>("adjacency").text;
    if (adjacency != "replace" && adjacency != "zero_out") {
      arguments.fail("adjacency", "must be replace or zero_out, or left out for add_remove");
    }
    result.text += ", adjacency=" + adjacency;
  }
  Rational kept = rate;  // where the cap is reached
  if (arguments.has("size")) {
    if (arguments.typed<Name>("size").text != "exact" || adjacency == "add_remove") {
      arguments.fail("size", "must be exact, or left out; and left out for add_remove");
    }
    kept = std::min(rate, Rational(Rational(Integer(cap)) / Rational(Integer(population))));
    result.text += ", size=exact";
  }
  result.text += ")";
  result.adjacency = {adjacency, 1, true};
  const Rational worth = plain.sensitivity / plain.sigma;
  // The law where the cap is not reached, in each direction, and where it is.
  Mechanism under;
  Mechanism reached;
  if (adjacency == "replace") {
    set_law(under, law(Mirrored{{0, worth / 2}, {1 - rate, rate}}));
    set_law(reached, one_label(kept, worth));
  } else {
    set_mixture(under, {{0, worth}, {1 - rate, rate}});
    if (adjacency == "zero_out") {
      set_law(reached, one_label(kept, 2 * worth));
    } else {
      set_mixture(reached, {{0, 2 * worth}, {1 - rate, rate}});
    }
  }
  const std::uint64_t others = adjacency == "add_remove" ? population : population - 1;
  result.symmetric = under.symmetric;
  if (cap > others) {
    result.remove = under.remove;
    result.add = under.add;
    return result;
  }
  if (cap > greatest_cap) arguments.fail("cap", "must be at most 10^5 for a certificate");
  const auto capped = [&](const std::shared_ptr<const Law>& first,
                          const std::shared_ptr<const Law>& second) {
    return law(capped_law(others, rate, cap, first, second));
  };
  result.remove = capped(under.remove, reached.remove);
  result.add = capped(under.add, reached.add);
  return result;
}

// Proof: docs/proofs/averaged.md#labels
Mechanism averaged(const Arguments& arguments) {
  const Mechanism base = arguments.inner();
  const Mechanism::SampledGaussian plain = plain_gaussian(arguments, base);
  const Rational rate = arguments.rate();
  if (rate == 1) arguments.fail("rate", "must be below 1");
  const std::uint64_t population = arguments.count("population", 1'000'000'000);
  Mechanism result;
  result.text = "averaged(" + base.text + ", rate=" + to_string(rate) +
                ", population=" + std::to_string(population);
  result.adjacency = of_one_record("add_remove");
  if (arguments.has("adjacency")) {
    if (arguments.typed<Name>("adjacency").text != "replace") {
      arguments.fail("adjacency", "must be replace, or left out for add_remove");
    }
    result.adjacency = of_one_record("replace");
    result.text += ", adjacency=replace";
  }
  result.text += ")";
  result.symmetric = result.adjacency.kind == "replace";
  const auto law_of = [&](Direction direction) {
    return law(averaged_law(plain.sensitivity / plain.sigma, rate, population, result.symmetric,
                            direction));
  };
  result.remove = law_of(Direction::remove);
  result.add = result.symmetric ? result.remove : law_of(Direction::add);
  return result;
}

// Proof: docs/proofs/epochs.md#domination
Mechanism shuffled(const Arguments& arguments) {
  const Mechanism base = arguments.inner();
  const Mechanism::SampledGaussian plain = plain_gaussian(arguments, base);
  const std::uint64_t steps = arguments.count("steps", 1'000'000'000);
  const std::string adjacency = arguments.typed<Name>("adjacency").text;
  if (adjacency != "replace" && adjacency != "zero_out") {
    arguments.fail("adjacency", "must be replace or zero_out");
  }
  Mechanism result;
  result.text =
      "shuffled(" + base.text + ", steps=" + std::to_string(steps) + ", adjacency=" + adjacency;
  if (arguments.has("order")) {
    const std::string order = arguments.typed<Name>("order").text;
    if (order != "once" && order != "fixed") {
      arguments.fail("order", "must be once or fixed, or left out for each_epoch");
    }
    result.text += ", order=" + order;
  }
  result.text += ")";
  result.adjacency = {adjacency, 1, true};
  set_law(result, law(gaussian_at(plain.sensitivity / plain.sigma)));
  return result;
}

// Proof: docs/proofs/random_allocation.md#domination docs/proofs/random_allocation.md#blocks
Mechanism random_allocation(const Arguments& arguments) {
  const Mechanism base = arguments.inner();
  const Mechanism::SampledGaussian plain = plain_gaussian(arguments, base);
  const auto optional_count = [&](const char* key, std::uint64_t most) {
    return arguments.has(key) ? arguments.count(key, most) : 1;
  };
  constexpr std::uint64_t most_of_allocation = 1'000'000'000;
  const std::uint64_t steps = arguments.count("steps", most_of_allocation);
  const std::uint64_t selected = optional_count("selected", steps);
  const std::uint64_t epochs = optional_count("epochs_of_one_assignment", most_of_allocation);
  Mechanism result;
  result.text = "random_allocation(" + base.text + ", steps=" + std::to_string(steps);
  if (selected != 1) result.text += ", selected=" + std::to_string(selected);
  if (selected != 1 && selected != steps) {
    if (arguments.typed<Name>("bound").text != "blocks") arguments.fail("bound", "must be blocks");
    result.text += ", bound=blocks";
  }
  if (epochs != 1) result.text += ", epochs_of_one_assignment=" + std::to_string(epochs);
  std::string adjacency = "add_remove";
  if (arguments.has("adjacency")) {
    adjacency = arguments.typed<Name>("adjacency").text;
    if (adjacency != "zero_out") arguments.fail("adjacency", "must be zero_out, or left out");
    result.text += ", adjacency=" + adjacency;
  }
  result.text += ")";
  result.adjacency = {adjacency, 1, true};
  const Rational worth = plain.sensitivity / plain.sigma;
  Allocation of{worth * worth * Rational(Integer(epochs)), {}, true};
  const std::uint64_t longer = steps % selected;
  if (longer > 0) of.blocks.push_back({steps / selected + 1, longer});
  of.blocks.push_back({steps / selected, selected - longer});
  result.symmetric = false;
  result.remove = law(Allocation(of));
  of.removes = false;
  result.add = law(Allocation(of));
  return result;
}

Mechanism group(const Arguments& arguments) {
  const Mechanism base = arguments.inner();
  const std::uint64_t size = arguments.count("size", most_components - 1);
  Mechanism result;
  result.text = "group(" + base.text + ", size=" + std::to_string(size) + ")";
  result.adjacency = base.adjacency;
  result.adjacency.group = size;
  if (base.gaussian && !base.gaussian->several && base.one_record) {
    const auto& of = *base.gaussian;
    set_mixture(result, counted(of.sensitivity / of.sigma, binomial(size, of.rate)));
  } else if (base.fixed) {
    const auto& of = *base.fixed;
    set_mixture(result, counted(2 * of.sensitivity / of.sigma,
                                hypergeometric(of.batch, of.population, size)));
  } else if (base.replaced) {
    set_law(result, replaced_law(*base.replaced, size));
  } else {
    arguments.fail("", "has no pair for groups");
  }
  result.components.reset();
  return result;
}

}  // namespace plaudit::proof
