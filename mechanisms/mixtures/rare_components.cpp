#include "mechanisms/mixtures/rare_components.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "lib/constants.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

namespace {

constexpr std::size_t least_components = 8;  // fewer are fast as they are
constexpr double part_that_pays = 0.9;       // more left than that is not worth the loss

}  // namespace

std::optional<FrequentMixture> without_rare_components(const GaussianMixture& mixture,
                                                       double log_mass) {
  const std::size_t all = mixture.sensitivities.size();
  if (all < least_components) return std::nullopt;
  std::vector<double> logs;
  logs.reserve(all);
  for (const Rational& probability : mixture.probabilities) {
    logs.push_back(estimate_log(probability));
  }
  // Components from `end` on have at most e^log_mass together.
  std::size_t end = all;
  double greatest = -infinity;
  double sum = 0;  // of e^(logs - greatest)
  while (end > 2) {
    const double next = logs[end - 1];
    if (next > greatest) {
      sum = sum * std::exp(greatest - next) + 1;
      greatest = next;
    } else {
      sum += std::exp(next - greatest);
    }
    if (greatest + std::log(sum) > log_mass) break;
    --end;
  }
  if (static_cast<double>(end) > part_that_pays * static_cast<double>(all)) return std::nullopt;

  FrequentMixture frequent;
  frequent.mixture.sigma = mixture.sigma;
  frequent.mixture.radicand = mixture.radicand;
  const auto count = static_cast<std::ptrdiff_t>(end);
  frequent.mixture.sensitivities.assign(mixture.sensitivities.begin(),
                                        mixture.sensitivities.begin() + count);
  frequent.mixture.probabilities.assign(mixture.probabilities.begin(),
                                        mixture.probabilities.begin() + count);
  frequent.first_dropped = mixture.sensitivities[end];
  frequent.moved = 1 - sum_of(frequent.mixture.probabilities);
  // Not to the least sensitivity: its probability is the end of the support of the loss.
  frequent.keeper = static_cast<std::size_t>(
      std::max_element(logs.begin() + 1, logs.begin() + count) - logs.begin());
  frequent.mixture.probabilities[frequent.keeper] += frequent.moved;
  return frequent;
}

// Proof: docs/proofs/rare_components.md#share
RareShare::RareShare(const FrequentMixture& frequent) {
  const Ball moved(frequent.moved);
  const Ball ratio =
      moved / Ball(Rational(frequent.mixture.probabilities[frequent.keeper] - frequent.moved));
  log_growth_ = PLAUDIT_BOUND("rare.keeper_grows", log1p(ratio).upper(), Ball(0));
  bound_ =
      (PLAUDIT_BOUND("rare.keeper_share", ratio, Ball(0)) +
       PLAUDIT_BOUND("rare.dropped_share", moved / Ball(Rational(1 - frequent.moved)), Ball(0)))
          .upper();
}

}  // namespace plaudit
