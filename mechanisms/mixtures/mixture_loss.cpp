#include "mechanisms/mixtures/mixture_loss.hpp"

#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>

#include "lib/analysis/increasing_root.hpp"
#include "lib/analysis/normal/normal_cdf_table.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/square_root.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/mixtures/cut_integral.hpp"
#include "mechanisms/mixtures/cut_loss.hpp"
#include "mechanisms/mixtures/likelihood_ratio.hpp"

namespace plaudit {

namespace {
constexpr int most_calls = 50;        ///< in search of a cut
constexpr unsigned bits_of_cut = 40;  ///< to which it is searched
// A bound beyond a height is made by parts where the shift eta of the line is below narrow_shift
// and eta a_max below narrow_angle, while -r a_max^2 is above greatest_power_of_strip and a
// component has rate 0: the strip around such a line would be as narrow as its shift, and its norms
// huge.
constexpr double narrow_shift = 0.2;
constexpr double narrow_angle = 0.2;
constexpr double greatest_power_of_strip = 150;
constexpr double least_part = 4;       ///< the point between the two parts lies from here ..
constexpr double greatest_part = 500;  ///< .. to here
constexpr double spare_nats_of_parts = 5;
constexpr int log_steps_of_tail = 6;  ///< right_tail() has Y as the point 2^6 of its grid
}  // namespace

MixtureLoss::MixtureLoss(GaussianMixture mixture, Direction direction)
    : IntegralLoss(direction == Direction::remove ? Power::one_more : Power::negated),
      mixture_(std::move(mixture)),
      direction_(direction),
      integral_(mixture_) {
  if (mixture_.radicand == 1) facts_.gaussian_mixture = &mixture_;
}

std::optional<Ball> MixtureLoss::root(const LikelihoodRatio& f, const Ball& x) const {
  if (!x.is_finite()) {
    return certainly_positive(x) || certainly_negative(x) ? std::optional(x) : std::nullopt;
  }
  // e^x - f(-inf) = (e^x - 1) + (1 - f(-inf)), which keeps its digits near x = 0
  Ball rest(1);
  if (mixture_.sensitivities.front() == 0) rest = Ball(Rational(1 - mixture_.probabilities[0]));
  const Ball above = expm1(x) + rest;
  if (mixture_.sensitivities.front() == 0) {
    if (certainly_less_equal(above, Ball(0))) return -positive_infinity();
    if (!certainly_positive(above)) return std::nullopt;
    if (mixture_.sensitivities.size() == 2) {
      const Ball& rate = f.greatest_rate();
      return (log(above / rest) + ldexp(square(rate), -1)) / rate;
    }
  }
  // Monotone f: bracket the root in floating point, then certify.
  const MixtureEstimate& estimate = integral_.estimates();
  const double goal = x.estimate();
  double low = -1;
  double high = 1;
  while (estimate.log_f(low) > goal && low > -1e300) low *= 2;
  while (estimate.log_f(high) < goal && high < 1e300) high *= 2;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    if (middle == low || middle == high) break;
    (estimate.log_f(middle) < goal ? low : high) = middle;
  }
  const Ball target = exp(x);
  return increasing_root(
      Ball((low + high) / 2), Ball(1), [&](const Ball& y) { return f.value(y) - target; },
      [&](const Ball& y) {
        const Ball value = f.value(y);
        return (value - target) / (value * f.mean_rate(y));
      });
}

std::optional<Ball> MixtureLoss::place(const Ball& x) const {
  std::optional<Ball> y = root(removes() ? x : -x);
  if (y && !removes()) y = -*y;
  return y;
}

Ball MixtureLoss::upper_mass(const Ball& y, bool mixture_side) const {
  // remove: mass of (y, inf); add: mass of (-inf, y); under the mixture or under N(0, 1)
  const Ball end = removes() ? y : -y;
  return mixture_side ? mass_above(mixture_, end, removes() ? 1 : -1) : normal_cdf(-end);
}

Ball MixtureLoss::delta(const Ball& epsilon) const {
  const TailMasses tails = tails_above({epsilon});  // one root for both
  return tails.p.front() - exp(epsilon) * tails.q.front();
}

Ball MixtureLoss::p_above(const Ball& x) const { return above(x, removes()); }

Ball MixtureLoss::q_above(const Ball& x) const { return above(x, !removes()); }

// Proof: docs/proofs/hockey_stick.md#mixture
Ball MixtureLoss::above(const Ball& x, bool mixture_side) const {
  const std::optional<Ball> y = root(removes() ? x : -x);
  if (y && y->is_finite()) return upper_mass(*y, mixture_side);
  if (y && certainly_negative(*y)) return Ball(removes() ? 1 : 0);
  if (y && certainly_positive(*y)) return Ball(removes() ? 0 : 1);
  return hull(Ball(0), Ball(1));
}

// Proof: docs/proofs/hockey_stick.md#mixture
TailMasses MixtureLoss::tails_above(const std::vector<Ball>& points) const {
  const std::size_t components = mixture_.sensitivities.size();
  const auto ratio = integral_.ratio();
  const LikelihoodRatio& f = *ratio;
  std::vector<Ball> rates;
  std::vector<Ball> weights;
  for (std::size_t i = 0; i < components; ++i) {
    rates.push_back(mixture_.rate(i));
    weights.emplace_back(mixture_.probabilities[i]);
  }
  // Two components, one at 0: f - 1 = q (e^{a y - a^2/2} - 1) is solved in closed form.
  const bool direct = components == 2 && rates[0].is_exact_zero();
  const Ball inverse_weight = Ball(1) / weights[1];
  const Ball inverse_rate = Ball(1) / rates.back();
  const Ball shift = ldexp(rates.back(), -1);
  const auto root_near = [&](const Ball& x) -> std::optional<Ball> {
    if (direct) {
      const Ball above = Ball(1) + expm1(x) * inverse_weight;
      if (certainly_positive(above)) return log(above) * inverse_rate + shift;
    }
    return root(f, x);
  };
  std::vector<NormalCdfTable> shifted(components);  // one per component: its points are neighbours
  NormalCdfTable plain;
  TailMasses tails;
  tails.p.reserve(points.size());
  tails.q.reserve(points.size());
  for (const Ball& x : points) {
    if ((tails.p.size() & 63) == 0) check_work_limit();
    const std::optional<Ball> y = root_near(removes() ? x : -x);
    if (!y || !y->is_finite()) {
      tails.p.push_back(p_above(x));
      tails.q.push_back(q_above(x));
      continue;
    }
    Ball mixed;
    const Ball alone = plain.at(removes() ? -*y : *y);
    for (std::size_t i = 0; i < components; ++i) {
      if (rates[i].is_exact_zero()) {
        mixed += weights[i] * alone;
      } else {
        mixed += weights[i] * shifted[i].at(removes() ? rates[i] - *y : *y - rates[i]);
      }
    }
    tails.p.push_back(removes() ? mixed : alone);
    tails.q.push_back(removes() ? alone : mixed);
  }
  return tails;
}

std::optional<Ball> MixtureLoss::density(const Ball& x) const {
  const std::optional<Ball> y = root(removes() ? x : -x);
  if (!y) return std::nullopt;
  if (!y->is_finite()) return Ball(0);
  const auto ratio = integral_.ratio();
  const LikelihoodRatio& f = *ratio;
  // change of variables: |dL/dy| is the mean rate at y, and P has density phi f (remove) or phi
  const Ball normal = normal_density(*y);
  return (removes() ? normal * exp(x) : normal) / f.mean_rate(*y);
}

Ball MixtureLoss::least_loss() const {
  if (!removes() || mixture_.sensitivities.front() != 0) return -positive_infinity();
  return log(Ball(mixture_.probabilities.front()));
}

Ball MixtureLoss::greatest_loss() const {
  if (removes() || mixture_.sensitivities.front() != 0) return positive_infinity();
  return -log(Ball(mixture_.probabilities.front()));
}

std::shared_ptr<const PrivacyLoss> MixtureLoss::without_rare_draws(double log_mass) const {
  if (!removes()) return nullptr;
  // Where P(y > cut) = sum_i p_i Phi(a_i - cut) is about e^log_mass: its greatest term, with
  // Phi(-x) about e^(-x^2/2) / (2.5 (1 + x)), times 2.
  double low = 1;
  double high = 1;
  const auto excess = [&](double cut) {
    double greatest = -infinity;
    for (std::size_t i = 0; i < mixture_.sensitivities.size(); ++i) {
      const double x = cut - mixture_.estimated_rate(i);
      const double tail = x > 0 ? -x * x / 2 - std::log(2.5 * (1 + x)) : 0;
      greatest = std::max(greatest, estimate_log(mixture_.probabilities[i]) + tail);
    }
    return greatest + 0.7 - log_mass;
  };
  while (excess(high) > 0 && high < 1e8) high *= 2;
  if (excess(low) > 0 && excess(high) < 0) {
    std::uintmax_t calls = most_calls;
    const boost::math::tools::eps_tolerance<double> close(bits_of_cut);
    high = boost::math::tools::toms748_solve(excess, low, high, close, calls).second;
  }
  if (!(high < 1e4)) return nullptr;
  const std::shared_ptr<const MixtureLoss> whole = weak_from_this().lock();
  return std::make_shared<CutLoss>(
      mixture_, high, whole ? whole : std::make_shared<MixtureLoss>(mixture_, direction_));
}

Ball MixtureLoss::mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const {
  return mgf_bound_beyond_below(t, s, nats, mgf_upper(t, nats));
}

Ball MixtureLoss::mgf_bound_beyond_below(const Ball& t, const Ball& s, double nats,
                                         const Ball& mgf_above) const {
  const Ball r = power_at(t);
  double eta = 0;
  integral_.estimate_log_decay(r.estimate(), s.estimate(), &eta);
  const MixtureEstimate& estimate = integral_.estimates();
  const double rate = estimate.greatest_rate();
  const bool hardly = eta * rate < narrow_angle && eta < narrow_shift;
  // negative powers widen the norms of a strip by cos(rate v / 2)^r
  const bool narrow = -r.estimate() * rate * rate > greatest_power_of_strip;
  if (!hardly || !narrow || estimate.least_rate() != 0) {
    return integral_.bound_beyond(r, s, nats, {.known_above = &mgf_above, .eta = eta});
  }
  const double end = end_of_part(r.estimate(), nats);
  return min(bound_by_parts(r, s, nats, mgf_above, end, eta), mgf_above).upper();
}

double MixtureLoss::end_of_part(double r, double nats) const {
  const MixtureEstimate& estimate = integral_.estimates();
  const double whole = estimate.integral(r).value;
  double end =
      std::max(least_part, estimate.mode_from(r > 0 ? r * estimate.greatest_rate() : 0, r) + 1);
  while (end < greatest_part &&
         r * estimate.log_f(end) - end * end / 2 > whole - nats - spare_nats_of_parts) {
    end += 1;
  }
  return end;
}

// Proof: docs/proofs/straight_contour.md#truncation-by-parts
Ball MixtureLoss::bound_by_parts(const Ball& r, const Ball& s, double nats, const Ball& whole,
                                 double end, double eta) const {
  const CutIntegral cut(mixture_, end);
  // the grid of a tail begins at Y and goes on in steps of a part of it
  const double step = std::ldexp(cut.cut(), -log_steps_of_tail);
  const Ball beyond = integral_.ratio()->right_tail(r, 1L << log_steps_of_tail, step);
  return cut.bound_beyond(r, s, nats, {.known_above = &whole, .eta = eta}) +
         PLAUDIT_BOUND("mixture.beyond_the_part", beyond, Ball(0));
}

std::optional<CumulantEstimates> MixtureLoss::estimate_cumulants(double t) const {
  std::optional<CumulantEstimates> result = integral_.estimates().cumulants(power_at(t));
  if (result && !removes()) {
    for (std::size_t j = 1; j < result->size(); j += 2) (*result)[j] = -(*result)[j];
  }
  return result;
}

std::string MixtureLoss::describe() const {
  std::string text = "mixture of gaussians, " + std::string(name_of(direction_)) + ", sigma " +
                     to_string(Root{mixture_.sigma} * root_of(mixture_.radicand)) + ":";
  for (std::size_t i = 0; i < mixture_.sensitivities.size(); ++i) {
    text += " " + to_string(mixture_.sensitivities[i]) + "@" + to_string(mixture_.probabilities[i]);
  }
  return text;
}

const GaussianMixture* rooted_mixture(const PrivacyLoss& loss) {
  const auto* law = dynamic_cast<const MixtureLoss*>(&loss);
  return law == nullptr ? nullptr : &law->mixture();
}

}  // namespace plaudit
