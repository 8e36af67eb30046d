#include "mechanisms/forms/replacement_mechanism.hpp"

#include "mechanisms/forms/replacement_attainment.hpp"
#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/mixtures/gaussian_mixture_loss.hpp"
#include "mechanisms/replacement/replacement_loss.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

using Scheme = ReplacementMechanism::Scheme;

/// The law of the number of differing records in a batch that has any.
std::shared_ptr<const BatchLabels> labels_of(const char* mechanism, const Scheme& scheme) {
  if (scheme.draws == ReplacementMechanism::Draws::with_replacement) {
    return binomial_labels(scheme.batch,
                           Rational(Integer(scheme.size), Integer(scheme.population)));
  }
  const CountNumbers law =
      hypergeometric_numbers(mechanism, scheme.batch, scheme.population - scheme.size, scheme.size);
  const Integer some = law.whole - law.counts[0];
  std::vector<std::uint64_t> labels;
  std::vector<Integer> counts;
  for (std::size_t k = 1; k < law.counts.size(); ++k) {
    if (law.counts[k] == 0) continue;
    labels.push_back(k);
    counts.push_back(law.counts[k]);
  }
  return counted_labels(Rational(some, law.whole), std::move(labels), std::move(counts), some);
}

// Proof: docs/proofs/sampling.md#replacement
std::shared_ptr<const PrivacyLoss> loss_of(const char* mechanism, const Scheme& scheme) {
  if (scheme.size > scheme.population) {
    throw SpecError(std::string(mechanism) + ": size must be at most the population, " +
                    std::to_string(scheme.population) + ", not " + std::to_string(scheme.size));
  }
  if (const std::uint64_t count = scheme.certain_count()) {
    return gaussian_mixture_loss({scheme.sigma, {scheme.sensitivity * count}, {1}},
                                 Direction::remove);
  }
  if (scheme.draws == ReplacementMechanism::Draws::without_replacement &&
      scheme.batch > scheme.population - scheme.size) {
    throw SpecError(std::string(mechanism) +
                    ": under replace adjacency the population must be at least batch + size (or "
                    "the batch): no pair is proven for others");
  }
  return std::make_shared<ReplacementLoss>(scheme.sigma, scheme.sensitivity,
                                           labels_of(mechanism, scheme));
}

}  // namespace

std::uint64_t ReplacementMechanism::Scheme::certain_count() const {
  const bool with = draws == Draws::with_replacement;
  if (with && size == population) return batch;
  if (!with && batch == population) return size;
  return 0;
}

ReplacementMechanism::ReplacementMechanism(const char* mechanism, std::string spec, Scheme scheme,
                                           bool grouped)
    : spec_(std::move(spec)),
      scheme_(std::move(scheme)),
      grouped_(grouped),
      loss_(loss_of(mechanism, scheme_)),
      attainment_(replacement_attainment(scheme_)) {}

}  // namespace plaudit
