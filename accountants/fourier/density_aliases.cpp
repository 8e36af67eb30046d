#include "accountants/fourier/density_aliases.hpp"

#include <algorithm>
#include <cmath>

#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/mixtures/mixture_density.hpp"

namespace plaudit {

namespace {
// Choices: any bound that they lead to is valid.
constexpr int most_blocks = 80;     ///< ranges [S_i, 2 S_i) of heights, one bound of |M| for each
constexpr double moment_nats = 5;   ///< accuracy of bounds of moments
constexpr double most_nats = 1500;  ///< accuracy of a bound of |M| at most
constexpr double nats_of_rest = 4;  ///< by which the rest, after the blocks, is to be below e^-nats
constexpr double more_nats = 8;     ///< accuracy of a bound of |M| at least, beyond the nats wanted
constexpr double enough_nats = 3;   ///< by which it is below e^-nats, or the blocks, at the end
}  // namespace

namespace {

/// fourth_order_bound for a mixture against its mirror image, from |M(t + i s)| <= N e^{-|s| theta}
/// and e^{-x} <= (4 / (e x))^4.
// Proof: docs/proofs/mirrored.md#far
Ball mirrored_fourth_order(const PrivacyLoss& loss, const Ball& t) {
  const GaussianMixture& mixture = *loss.facts().mirrored_mixture;
  std::optional<Ball> least_rate;
  Ball greatest_rate;
  Ball rest;   // sum of w_i over the components with positive rates
  Ball whole;  // sum of all w_i: the ratio is 1 - p_0 / a(0)
  for (std::size_t i = 0; i < mixture.sensitivities.size(); ++i) {
    const Rational rate = mixture.sensitivities[i] / mixture.sigma;
    const Ball weight = Ball(mixture.probabilities[i]) * exp(Ball(Rational(-rate * rate / 2)));
    whole += weight;
    if (rate == 0) continue;
    rest += weight;
    if (!least_rate) least_rate = Ball(rate);
    greatest_rate = Ball(rate);
  }
  if (!least_rate) return positive_infinity();
  // any eta in (0, pi / (2 a)]; at most 2 by choice
  const Ball quarter = (ldexp(pi(), -1) / greatest_rate).lower();
  const Ball eta = certainly_less(Ball(2), quarter) ? Ball(2) : quarter;
  const Ball theta = sin(*least_rate * eta) * rest / whole;
  const Ball powers = max(Ball(0), t) + max(Ball(0), -t - Ball(1));
  const Ball norm = exp(ldexp(square(eta), -1) + ldexp(powers, -1) * log(Ball(2))) *
                    loss.mgf_upper(t, moment_nats);
  const Ball bound = norm * PLAUDIT_BOUND("density.mirrored_far",
                                          power(Ball(4) / (exp(Ball(1)) * theta), 4), Ball(0));
  return bound.is_finite() ? bound.upper() : positive_infinity();
}

}  // namespace

// Proof: docs/proofs/fourier.md#far
Ball fourth_order_bound(const PrivacyLoss& loss, Direction direction, const Ball& t) {
  if (const std::optional<Rational> mean = loss.facts().gaussian_mean) {
    // s^4 e^{-mu s^2} <= (2 / (e mu))^2
    return (loss.mgf_upper(t, moment_nats) * square(Ball(2) / (exp(Ball(1)) * Ball(*mean))))
        .upper();
  }
  const GaussianMixture* mixture = loss.facts().gaussian_mixture;
  if (loss.facts().mirrored_mixture != nullptr) return mirrored_fourth_order(loss, t);
  if (mixture == nullptr) return positive_infinity();
  const bool removes = direction == Direction::remove;
  const MixtureDensity density(*mixture, removes ? t + Ball(1) : -t);
  // A(r + 4) is M(t + 4), resp. M(t - 4)
  return density.fourth_order(loss.mgf_upper(removes ? t + Ball(4) : t - Ball(4), moment_nats));
}

// Proof: docs/proofs/fourier.md#aliases
Ball alias_bound(const PrivacyLoss& loss, Direction direction, const Ball& t, const Ball& period,
                 const Ball& s_max, double nats) {
  const Ball far = fourth_order_bound(loss, direction, t);
  Ball height = (period - PLAUDIT_BOUND("density.nearest_alias", s_max, -s_max)).lower();
  if (!certainly_positive(height)) return positive_infinity();
  Ball blocks;
  Ball best = positive_infinity();
  const double log_moment = loss.mgf_upper(t, moment_nats).estimate_log();
  const double wanted = log_moment - nats;
  for (int i = 0; i < most_blocks; ++i) {
    check_work_limit();
    const Ball slope = Ball(1) / square(height) + Ball(1) / (period * height);
    // log of the bound of |M| that makes the rest small enough
    const double needed = 2 * (wanted - nats_of_rest - slope.estimate_log()) - far.estimate_log();
    const double accuracy =
        std::clamp(log_moment - needed, nats + more_nats, std::max(nats + more_nats, most_nats));
    const Ball bound = loss.mgf_bound_beyond(t, height, accuracy);
    const Ball rest = sqrt(bound * far) * slope;  // all that is left, from here on
    if (rest.is_finite()) {
      best = min(best, ldexp(blocks + PLAUDIT_BOUND("density.far_aliases", rest, Ball(0)),
                             PLAUDIT_BOUND("density.aliases_on_both_sides", 1, -1)))
                 .upper();
      const double enough = std::max(wanted, blocks.estimate_log()) - enough_nats;
      if (rest.estimate_log() < enough) break;
    }
    blocks += PLAUDIT_BOUND("density.block_of_aliases", bound, Ball(0)) *
              (height / period + Ball(1));  // the points in [height, 2 height)
    height = ldexp(height, 1);
  }
  return best;
}

}  // namespace plaudit
