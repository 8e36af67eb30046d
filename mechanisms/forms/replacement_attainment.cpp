#include "mechanisms/forms/replacement_attainment.hpp"

#include "lib/balls/binomial.hpp"
#include "lib/mutant.hpp"
#include "mechanisms/forms/attack.hpp"
#include "mechanisms/forms/sampling_laws.hpp"

namespace plaudit {

namespace {

using Scheme = ReplacementMechanism::Scheme;
using Draws = ReplacementMechanism::Draws;

double mean_count(const Scheme& scheme) {
  return static_cast<double>(scheme.batch) * static_cast<double>(scheme.size) /
         static_cast<double>(scheme.population);
}

MechanismPointer attack_with_replacement(const Scheme& scheme) {
  const Rational rate(Integer(scheme.size), Integer(scheme.population));
  const auto tail = [&](std::uint64_t k) {
    return PLAUDIT_BOUND("attack.draws", binomial_tail(scheme.batch, rate, k),
                         binomial_tail(scheme.batch, rate, k - 1));
  };
  return count_attack(scheme.sigma, scheme.sensitivity, tail, mean_count(scheme), scheme.batch);
}

MechanismPointer attack_without_replacement(const Scheme& scheme) {
  const CountNumbers law =
      hypergeometric_numbers("attack", scheme.batch, scheme.population - scheme.size, scheme.size);
  const auto tail = [&](std::uint64_t k) {
    Integer above = 0;
    for (std::size_t i = k; i < law.counts.size(); ++i) above += law.counts[i];
    return Ball(Rational(above, law.whole));
  };
  return count_attack(scheme.sigma, scheme.sensitivity, tail, mean_count(scheme),
                      law.counts.size() - 1);
}

}  // namespace

Attainment replacement_attainment(const Scheme& scheme) {
  const OtherRecords others{scheme.population - scheme.size, scheme.population - scheme.size};
  if (scheme.certain_count() > 0) {
    return {Attained::yes, "records that all move the sum the same way have it", nullptr, others};
  }
  if (scheme.size == 1 && (scheme.draws == Draws::without_replacement || scheme.batch == 1)) {
    const Rational rate(Integer(scheme.batch), Integer(scheme.population));
    return {Attained::each_epsilon,
            "two data sets have its delta at epsilon >= 0, and in the other order at epsilon < 0, "
            "so several steps are only bounded by it",
            sampled_gaussian_attack(scheme.sigma, scheme.sensitivity, rate), others};
  }
  return {
      Attained::unknown,
      "it tells how many of the replaced records were drawn, and no data sets are known that do",
      scheme.draws == Draws::with_replacement ? attack_with_replacement(scheme)
                                              : attack_without_replacement(scheme),
      others};
}

}  // namespace plaudit
