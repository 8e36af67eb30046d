#include "mechanisms/mixtures/mixture_integral.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lib/analysis/fixed/fixed_sizes.hpp"
#include "lib/analysis/fixed/fixed_terms.hpp"
#include "lib/analysis/normal/normal_tail.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

namespace {
constexpr ErrorTerm quadrature_term{"mixture.quadrature",
                                    "docs/proofs/straight_contour.md#line-quadrature"};
constexpr ErrorTerm tails_term{"mixture.tails", "docs/proofs/straight_contour.md#tails"};
constexpr double share_of_height = 0.97;  ///< of pi / a_max, below which all edges of strips stay
constexpr double out_of_strip = 1e300;    ///< log of a norm that is not finite
constexpr double log_spare = 4;           ///< of log f beyond its values at the ends
constexpr double cost_of_split = 0.1;     ///< nats that the mass beyond a split adds to a norm
// split_point(): too great a point, or none, makes the norm larger and the step shorter.
constexpr double excess_worth_a_split = 3;  ///< log of the crude factor from which on one is sought
constexpr double harmless_nats = -2;        ///< log of phi f^r times that factor beyond the point
constexpr double first_split = 4;           ///< the first point tried
constexpr double next_split = 1.2;          ///< ratio of the following ones
constexpr int most_splits = 200;
}  // namespace

MixtureIntegral::MixtureIntegral(const GaussianMixture& mixture)
    : StripIntegral(quadrature_term, tails_term), estimate_(mixture), ratios_(mixture) {
  least_log_ = estimate_log(mixture.probabilities.front());
  mean_log_ = estimate_.integral(0).mean;
}

// ---- the integrand

void MixtureIntegral::axis_points(const Strip& strip, const Sink<Ball>& sink) const {
  const std::vector<Ball> logs = ratio()->logs_on_grid(strip.d, strip.first, strip.last);
  const Ball d(strip.d);
  for (long j = strip.first; j <= strip.last; ++j) {
    const Ball y = d * Ball(j);
    sink(logs[static_cast<std::size_t>(j - strip.first)], -ldexp(square(y), -1));
  }
}

void MixtureIntegral::line_points(const Strip& strip, const Sink<ComplexBall>& sink) const {
  const Ball d(strip.d);
  const Ball eta(strip.eta);
  long j = strip.first;
  for (const ComplexBall& f : ratio()->on_grid(strip.d, strip.first, strip.last, eta)) {
    const Ball y = d * Ball(j++);
    // arg f lies in [0, a_max eta], below pi: the principal branch is the right one.
    sink(log(f), ComplexBall(ldexp(square(eta) - square(y), -1), -(y * eta)));
  }
}

std::optional<FixedTerms> MixtureIntegral::fixed_points(const Strip& strip, const Ball& r,
                                                        const Ball& step, long bits) const {
  if (bits > most_bits_of_fixed_terms) return std::nullopt;
  // arg f lies in [0, a_max eta], as above.
  return fixed_terms(ratio()->on_grid(strip.d, strip.first, strip.last, Ball(strip.eta)),
                     {strip.d, strip.eta, strip.first}, r, step, bits);
}

std::optional<Ball> MixtureIntegral::fixed_sum(const Strip& strip, const Ball& r,
                                               const Ball& s) const {
  if (working_precision() > most_bits_of_fixed_sizes) return std::nullopt;
  return fixed_sum_of_sizes(ratio()->on_grid(strip.d, strip.first, strip.last, Ball(strip.eta)),
                            {strip.d, strip.eta, strip.first}, r, s, working_precision());
}

std::optional<Ball> MixtureIntegral::known(const Ball& r) const {
  if (r.is_exact_zero() || (r - Ball(1)).is_exact_zero()) return Ball(1);
  return std::nullopt;
}

// Proof: docs/proofs/straight_contour.md#strip
std::vector<StripIntegral::Norm> MixtureIntegral::norms(double e, const Ball& r, const Ball& s_max,
                                                        double d) const {
  const auto f = ratio();
  const Ball height(e);
  if (!certainly_less(abs(height) * f->greatest_rate(),
                      PLAUDIT_BOUND("mixture.strip_without_zeros", pi(), ldexp(pi(), 1))))
    return {{positive_infinity(), Ball(0)}};
  const Ball gauss = PLAUDIT_BOUND("mixture.norm_gauss", exp(ldexp(square(height), -1)), Ball(1));
  Ball crude = gauss * PLAUDIT_BOUND("mixture.norm_turned", f->turn_factor(r, height, std::nullopt),
                                     Ball(1));
  if (e < 0)
    crude *= PLAUDIT_BOUND("mixture.norm_angle", exp(s_max * f->turn_angle(height, std::nullopt)),
                           Ball(1));
  std::vector<Norm> result{{crude.upper(), Ball(0)}};
  if (right_half(r, height)) {  // Proof: docs/proofs/straight_contour.md#one-sided-strip
    Ball base = gauss * PLAUDIT_BOUND("mixture.norm_of_least_ratio",
                                      real_power(f->at_minus_infinity(), r), Ball(1));
    if (e < 0) base *= exp(s_max * f->turn_angle(height, std::nullopt));
    result.push_back({Ball(0), base.upper()});
  }
  const double reach = split_point(e, r.estimate(), s_max.estimate());
  if (reach > 0) {
    const long index = checked_integer(std::ceil(reach / d), "integral: the grid");
    const Ball split = Ball(d) * Ball(index);
    Ball refined = gauss * f->turn_factor(r, height, split);
    if (e < 0) refined *= exp(s_max * f->turn_angle(height, split));
    const Ball beyond = crude * f->right_tail(r, index, d);
    result.push_back(
        {refined.upper(), PLAUDIT_BOUND("mixture.norm_beyond_split", beyond, Ball(0)).upper()});
  }
  return result;
}

bool MixtureIntegral::right_half(const Ball& r, const Ball& height) const {
  const auto f = ratio();
  return certainly_negative(r) && certainly_positive(f->at_minus_infinity()) &&
         certainly_less(abs(height) * f->greatest_rate(), ldexp(pi(), -1));
}

// Proof: docs/proofs/straight_contour.md#tails
Ball MixtureIntegral::outside(const Ball& r, const Strip& strip) const {
  const auto f = ratio();
  const Ball height(strip.eta);
  Ball right = f->right_tail(r, strip.last, strip.d);
  Ball left = f->left_tail(r, strip.first, strip.d);
  if (strip.eta > 0) {
    const Ball crude = f->turn_factor(r, height, std::nullopt);
    left *= PLAUDIT_BOUND("mixture.left_tail_turned",
                          f->turn_factor(r, height, Ball(strip.d) * Ball(strip.first)), Ball(1));
    const double reach = split_point(strip.eta, r.estimate(), 0);
    if (reach > strip.high()) {
      const long index = checked_integer(std::ceil(reach / strip.d), "integral: the grid");
      right = right * f->turn_factor(r, height, Ball(strip.d) * Ball(index)) +
              f->right_tail(r, index, strip.d) * crude;
    } else {
      right *= PLAUDIT_BOUND("mixture.right_tail_turned", crude, Ball(1));
    }
    if (right_half(r, height) && strip.first <= 0 && strip.last >= 0) {
      // Proof: docs/proofs/straight_contour.md#one-sided-strip
      const Ball at_end = abs(f->on_grid(strip.d, strip.last, strip.last, height).front());
      const Ball falls =
          PLAUDIT_BOUND("mixture.right_tail_of_ratio", real_power(at_end, r), Ball(0)) *
          normal_tail_above(Ball(strip.d) * Ball(strip.last));
      const Ball flat = PLAUDIT_BOUND("mixture.left_tail_of_ratio",
                                      real_power(f->at_minus_infinity(), r), Ball(0)) *
                        normal_tail_above(-Ball(strip.d) * Ball(strip.first));
      if (falls.is_finite()) right = right.is_finite() ? min(right, falls) : falls;
      if (flat.is_finite()) left = left.is_finite() ? min(left, flat) : flat;
    }
  }
  const Ball result = PLAUDIT_BOUND("mixture.tail_gauss", exp(ldexp(square(height), -1)), Ball(1)) *
                      (PLAUDIT_BOUND("mixture.left_tail", left, Ball(0)) +
                       PLAUDIT_BOUND("mixture.right_tail", right, Ball(0)));
  return result.is_finite() ? result : positive_infinity();
}

// ---- choices in floating point

double MixtureIntegral::greatest_height() const {
  return share_of_height * std::numbers::pi / estimate_.greatest_rate();
}

StripIntegral::Window MixtureIntegral::window(double r, double drop, int attempt) const {
  const MixtureEstimate::Window window = estimate_.window(r, drop);
  double high = std::max(window.high, 0.0);
  // A bump further right that hardly matters is passed where the bound of the tail is too rough.
  if (attempt > 1) high = std::max(high, r * estimate_.greatest_rate() + std::sqrt(2 * drop));
  return {std::min(window.low, 0.0), high};
}

double MixtureIntegral::largest_exponent(const Strip& strip, double r, double s) const {
  const double largest_log =
      std::max(std::fabs(estimate_.log_f(strip.low())), std::fabs(estimate_.log_f(strip.high())));
  return (std::fabs(r) + s) * (largest_log + log_spare) + strip.high() * strip.high() +
         strip.low() * strip.low();
}

double MixtureIntegral::log_norm(double e, double r, double s_max) const {
  const double spread = (estimate_.greatest_rate() - estimate_.least_rate()) * std::fabs(e);
  if (estimate_.greatest_rate() * std::fabs(e) >= 0.999 * std::numbers::pi) return out_of_strip;
  double crude = 0;
  if (r < 0) crude += r * std::log(std::cos(spread / 2));
  if (e < 0) crude += s_max * estimate_.greatest_rate() * std::fabs(e);
  if (r < 0 && estimate_.least_rate() == 0 && spread < 0.4999 * std::numbers::pi) {
    double one_sided = r * least_log_ - r * mean_log_;  // by Jensen at least its log
    if (e < 0) one_sided += s_max * estimate_.greatest_rate() * std::fabs(e);
    crude = std::min(crude, one_sided);
  }
  const double reach = split_point(e, r, s_max);
  if (reach > 0) {
    double rate = 0;
    estimate_.log_f(reach, rate);
    const double kept = 1 - e * e * rate * estimate_.greatest_rate();
    double refined = r < 0 ? (kept > 0 ? r / 2 * std::log(kept) : out_of_strip) : 0;
    if (e < 0) {  // LikelihoodRatio::turn_angle, whose mean square rate is at most this product
      const double left = 1 - e * e * rate * estimate_.greatest_rate() / 2;
      const double angle = estimate_.greatest_rate() * std::fabs(e);
      refined +=
          s_max * (left > 0 ? std::min(angle, std::atan(rate * std::fabs(e) / left)) : angle);
    }
    crude = std::min(crude, refined + cost_of_split);
  }
  return e * e / 2 + crude;
}

double MixtureIntegral::split_point(double e, double r, double s_max) const {
  const double spread = (estimate_.greatest_rate() - estimate_.least_rate()) * std::fabs(e);
  double excess = 0;
  if (r < 0) excess += r * std::log(std::cos(std::min(spread / 2, 1.57)));
  if (e < 0) excess += s_max * estimate_.greatest_rate() * std::fabs(e);
  if (!(excess > excess_worth_a_split)) return 0;
  // phi f^r can rise again beyond its first fall; past r a_max it only falls.
  const double last_rise = r * estimate_.greatest_rate();
  double split = 0;
  // for r > 0 log f is about 0 or more there
  double y = r > 0 ? std::max(first_split, std::sqrt(2 * (excess - harmless_nats))) : first_split;
  for (int i = 0; i < most_splits; ++i, y *= next_split) {
    const bool harmless = r * estimate_.log_f(y) - y * y / 2 + excess < harmless_nats;
    if (!harmless) split = 0;
    if (harmless && split == 0) split = y;
    if (split > 0 && y >= last_rise) return split;
  }
  return 0;
}

}  // namespace plaudit
