#include "accountants/saddle_point/tilted_moments.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "lib/balls/complex_ball.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

const ErrorTerm tilted_moments_aliasing{"tilted_moments.aliasing",
                                        "docs/proofs/berry_esseen.md#circle"};

namespace {

constexpr std::size_t orders = TiltedMoments::orders;
constexpr long bits_per_node = 5;       ///< the radii of the two circles are 2^5 apart
constexpr double most_rise = 8;         ///< log of each term of B, about: greater R, greater B
constexpr double first_radius = 3;      ///< over the deviation: the R that is tried first
constexpr double smaller_radius = 1.5;  ///< factor from one R that is tried to the next
constexpr int most_radii = 200;
constexpr int radii_of_octave = 4;  ///< R is rounded down to a power of 2^(1/4) ...
constexpr int bits_of_radius = 20;  ///< ... of so few bits that t +- R stays exact
constexpr long spare_bits = 40;
constexpr int most_shrinks = 5;  ///< of the radius, where M far from t has no enclosure

/// Heuristic: the outer radius R, about 3 over the deviation, less where M rises steeply.
double choose_radius(const PrivacyLoss& loss, double t, const CumulantEstimate& at) {
  double radius = first_radius / std::sqrt(at.variance);
  const auto rise = [&](double w) {
    return loss.estimate_cumulant(t + w).value - at.value - w * at.mean;
  };
  for (int i = 0; i < most_radii; ++i) {
    if (rise(radius) <= most_rise && rise(-radius) <= most_rise) {
      const double power =
          std::exp2(std::floor(std::log2(radius) * radii_of_octave) / radii_of_octave);
      return std::ldexp(std::floor(std::ldexp(power, bits_of_radius - std::ilogb(power))),
                        std::ilogb(power) - bits_of_radius);
    }
    radius /= smaller_radius;
  }
  throw std::domain_error("no circle around this order on which the moments are finite");
}

/// E|X|^3 from the moments, and from the ends of the support where L is bounded on one side.
// Proof: docs/proofs/berry_esseen.md#third-moment
void enclose_third(const PrivacyLoss& loss, TiltedMoments& result) {
  const Ball variance = clipped_nonnegative(result.cumulants[2]);
  const Ball fourth = clipped_nonnegative(result.cumulants[4] + Ball(3) * square(variance));
  const Ball& third = result.cumulants[3];
  result.third_absolute_upper =
      sqrt(variance * PLAUDIT_BOUND("tilted.third_moment", fourth, square(variance))).upper();
  result.third_absolute_lower =
      PLAUDIT_BOUND("tilted.third_moment_least", max(abs(third), variance * sqrt(variance)).lower(),
                    ldexp(variance * sqrt(variance), 1).lower());
  // X >= -d: E|X|^3 = E X^3 + 2 E[|X|^3; X < 0] <= E X^3 + 2 d min(V, d sqrt(V) / 2)
  const auto bounded = [&](const Ball& signed_third, const Ball& d) {
    if (!d.is_finite() || !certainly_nonnegative(d)) return;
    const Ball part = PLAUDIT_BOUND("tilted.third_moment_bounded",
                                    min(ldexp(variance, 1), d * sqrt(variance)).upper(), Ball(0));
    const Ball candidate = (signed_third + d * part).upper();
    if (candidate.is_finite()) {
      result.third_absolute_upper = min(result.third_absolute_upper, candidate).upper();
    }
  };
  bounded(third, result.mean() - loss.least_loss());
  bounded(-third, loss.greatest_loss() - result.mean());
}

TiltedMoments of_gaussian(const Rational& mean, const Ball& t) {
  const Ball mu(mean);
  TiltedMoments result;
  result.log_mgf = mu * t * (t + Ball(1));
  result.cumulants[1] = mu * (ldexp(t, 1) + Ball(1));
  result.cumulants[2] = ldexp(mu, 1);
  // E|X|^3 = sqrt(8 / pi) V^{3/2}
  const Ball variance = result.cumulants[2];
  const Ball third = sqrt(Ball(8) / pi()) * variance * sqrt(variance);
  result.third_absolute_upper = third.upper();
  result.third_absolute_lower = third.lower();
  return result;
}

/// k-th cumulant from those below and the moments: kappa_k = m_k - sum C(k-1, j-1) kappa_j m_{k-j}.
void cumulants_of(const std::array<Ball, orders + 1>& moments, TiltedMoments& result) {
  for (std::size_t k = 1; k <= orders; ++k) {
    Ball value = moments[k];
    long binomial = 1;  // C(k-1, j-1)
    for (std::size_t j = 1; j < k; ++j) {
      value -= Ball(binomial) * result.cumulants[j] * moments[k - j];
      binomial = binomial * static_cast<long>(k - j) / static_cast<long>(j);
    }
    result.cumulants[k] = value;
  }
}

/// The moments of X from g at the upper half of the circle of radius `small` in the points `unit`,
/// and the bound B of |g| on the circle of radius `radius`:
/// |c_k - mean of g(r u) (r u)^{-k}| <= B R^{-k} q^N / (1 - q^N), q = r / R.
// Proof: docs/proofs/berry_esseen.md#circle
std::array<Ball, orders + 1> moments_of(const std::vector<ComplexBall>& values,
                                        const std::vector<ComplexBall>& unit, const Ball& small,
                                        const Ball& radius, const Ball& bound) {
  const std::size_t nodes = unit.size();
  const Ball ratio = ldexp(Ball(1), -bits_per_node * static_cast<long>(nodes));
  const Ball alias = bound * ratio / (Ball(1) - ratio);
  std::array<Ball, orders + 1> moments;
  moments[0] = Ball(1);
  Ball factorial(1);
  for (std::size_t k = 1; k <= orders; ++k) {
    Ball sum = values.front().real();
    if (k % 2 == 0) {
      sum += values.back().real();
    } else {
      sum -= values.back().real();
    }
    for (std::size_t j = 1; j + 1 < values.size(); ++j) {
      sum += ldexp((values[j] * conjugate(unit[j * k % nodes])).real(), 1);
    }
    const Ball coefficient = sum / (Ball(static_cast<long>(nodes)) * power(small, k));
    factorial *= Ball(static_cast<long>(k));
    const Ball error = charged(tilted_moments_aliasing, alias / power(radius, k));
    moments[k] = factorial * widened(coefficient, error);
  }
  return moments;
}

/// The cumulants from circles of radius `outer` and 2^-5 of it.
/// @throws std::domain_error where M(t +- outer) has no enclosure.
// Proof: docs/proofs/berry_esseen.md#circle
TiltedMoments from_circle(const PrivacyLoss& loss, double t, const CumulantEstimate& at,
                          double outer, long bits) {
  const double inner = std::ldexp(outer, -bits_per_node);
  const long half = 4 + (bits + precision_bits(1.5 * most_rise)) / (2 * bits_per_node);
  const auto nodes = static_cast<std::size_t>(2 * half);  // N > orders
  const PrecisionScope scope(bits + spare_bits + static_cast<long>(orders) * bits_per_node +
                             precision_bits(std::log2(1 + std::fabs(at.value))));
  const Ball order(t);
  const Ball centre(at.mean);
  TiltedMoments result;
  result.log_mgf = loss.log_mgf(order);

  // B = E[e^{R X}] + E[e^{-R X}] >= E[e^{R|X|}], X = L - m
  const Ball radius(outer);
  const auto lifted = [&](const Ball& w) {
    return exp(loss.log_mgf(order + w) - result.log_mgf - w * centre);
  };
  const Ball bound =
      lifted(PLAUDIT_BOUND("tilted.outer_circle", radius, ldexp(radius, -5))) + lifted(-radius);
  if (!bound.is_finite()) throw std::domain_error("moments around this order have no enclosure");

  // g on the upper half of the inner circle; the lower half is conjugate to it.
  const Ball small(inner);
  const ComplexBall root = exp(ComplexBall(Ball(0), pi() / Ball(half)));
  const std::vector<ComplexBall> unit = powers(root, nodes);
  std::vector<ComplexBall> values;
  for (long j = 0; j <= half; ++j) {
    check_work_limit();
    if (j == 0 || j == half) {
      values.emplace_back(lifted(j == 0 ? small : -small));
      continue;
    }
    const ComplexBall w = ComplexBall(small) * unit[static_cast<std::size_t>(j)];
    values.push_back(exp(loss.log_mgf(ComplexBall(order) + w) - ComplexBall(result.log_mgf) -
                         w * ComplexBall(centre)));
  }
  cumulants_of(moments_of(values, unit, small, radius, bound), result);
  result.cumulants[1] += centre;
  enclose_third(loss, result);
  return result;
}

}  // namespace

TiltedMoments tilted_moments(const PrivacyLoss& loss, double t, long bits) {
  if (const auto mean = loss.facts().gaussian_mean) return of_gaussian(*mean, Ball(t));
  const CumulantEstimate at = loss.estimate_cumulant(t);
  if (!(at.variance > 0) || !std::isfinite(at.variance) || !std::isfinite(at.mean)) {
    throw std::domain_error("the privacy loss has no spread at this order");
  }
  double outer = choose_radius(loss, t, at);
  for (int shrinks = 0;; ++shrinks) {
    // In units of the deviation the k-th moment loses k bits for each halving.
    const double lost = std::max(0.0, -std::log2(outer * std::sqrt(at.variance)));
    try {
      return from_circle(loss, t, at, outer, bits + precision_bits(4 * lost));
    } catch (const std::domain_error&) {
      if (shrinks == most_shrinks) throw;
      outer /= 4;
    }
  }
}

}  // namespace plaudit
