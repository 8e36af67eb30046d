#include "accountants/prv/prv_rounding.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "accountants/cumulants/order_search.hpp"
#include "accountants/fourier/density_aliases.hpp"
#include "accountants/prv/prv_cells.hpp"
#include "lib/balls/error_term.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm derivative_term{"prv.derivative", "docs/proofs/prv.md#moments"};
constexpr ErrorTerm fraction_term{"prv.fraction", "docs/proofs/prv.md#uniform"};
constexpr ErrorTerm moment_term{"prv.mean", "docs/proofs/prv.md#moments"};
constexpr int circle_points = 64;
// Chernoff bounds of what is outside have at most this order, or a factor of e^-50 for small
// windows.
constexpr double greatest_order = 1000;
constexpr double greatest_exponent = 50;
// Orders of Chernoff bounds, as exponents of sqrt 2, and the least end of a window they may choose.
constexpr int least_far_order = -8;
constexpr int greatest_far_order = 20;
constexpr double least_far_end = 0.05;
constexpr double poor_chernoff = 8;  ///< times the mass itself: layers are tried beyond
constexpr int most_layers = 12;
constexpr double wave_nats = 40;  ///< accuracy of bounds of |M| at 2 pi k / h, far below 1

/// log M, not finite where the integral has no error bound.
Ball finite_log_mgf(const PrivacyLoss& loss, const Ball& t) {
  try {
    return loss.log_mgf(t);
  } catch (const std::domain_error&) {
    return positive_infinity();
  }
}

/// P(L >= length) and E[L; L >= length] of the finite part by Chernoff; sign -1: of -L.
// Proof: docs/proofs/prv.md#moments
WindowTails one_tail(const PrivacyLoss& loss, const Ball& length, int sign) {
  const double near = length.estimate();
  const auto cumulant = [&](double t) {
    CumulantEstimate k = loss.estimate_cumulant(sign * t);
    k.mean *= sign;
    return k;
  };
  const double found = chernoff_order_at_epsilon(cumulant, near);
  WindowTails best{Ball(1), positive_infinity()};
  const double most = std::max(greatest_order, greatest_exponent / near);
  for (double t = std::clamp(found, 1 / near, most); t >= 1 / near; t /= 2) {
    const Ball order = max(Ball(t), Ball(1) / length).upper();
    const Ball mass = exp(finite_log_mgf(loss, sign > 0 ? order : -order) - order * length);
    if (!mass.is_finite()) continue;  // too high an order
    best = {min(Ball(1), mass).upper(), (length * mass).upper()};
    break;
  }
  return best;
}

/// The same of P(L > length) or P(-L >= length) by the distribution function, and of the mean by
/// layers where Chernoff's bound is poor, as it is for rare sampling.
// Proof: docs/proofs/prv.md#moments
WindowTails best_tail(const PrivacyLoss& loss, const Ball& length, int sign) {
  const auto exact = [&](const Ball& x) {
    return sign > 0 ? loss.p_above(x) - loss.mass_at_infinity() : Ball(1) - loss.p_above(-x);
  };
  WindowTails best = one_tail(loss, length, sign);
  const Ball beyond = exact(length).upper();
  const bool poor = !certainly_less_equal(best.mass, Ball(poor_chernoff) * beyond);
  best.mass = min(best.mass, beyond).upper();
  Ball inner;
  Ball end = length;
  for (int layer = 0; poor && layer < most_layers; ++layer) {
    const Ball next = ldexp(end, 1);
    inner += next * PLAUDIT_BOUND("prv.layer", exact(end).upper(), Ball(0));
    end = next;
    const Ball rest = one_tail(loss, end, sign).moment;
    best.moment = min(best.moment, inner + rest).upper();
    if (certainly_less(rest, inner)) break;
  }
  return best;
}

/// The loss, above or below (sign -1) zero, beyond which only about e^-nats of the law lies, but
/// not too near zero, where Chernoff's bound would need great orders. Heuristic.
double far_end(const PrivacyLoss& loss, double nats, int sign) {
  double end = std::numeric_limits<double>::infinity();
  for (int k = least_far_order; k <= greatest_far_order; ++k) {
    const double t = std::exp2(k / 2.0);
    const double reach = (loss.estimate_cumulant(sign * t).value + nats) / t;
    if (std::isfinite(reach)) end = std::min(end, reach);
  }
  return std::max(end, least_far_end);
}

/// Upper bound of h times the density of Y - round Y on (-h/2, h/2]; +inf where none is known.
// Proof: docs/proofs/prv.md#uniform
Ball rounding_density(const PrivacyLoss& loss, Direction direction, const Ball& h) {
  if (loss.facts().gaussian_mixture == nullptr) return positive_infinity();
  const Ball waves = charged(
      fraction_term, alias_bound(loss, direction, Ball(0), ldexp(pi(), 1) / h, Ball(0), wave_nats));
  return waves.is_finite() ? (Ball(1) + waves).upper() : positive_infinity();
}

}  // namespace

WindowTails tails_outside(const PrivacyLoss& loss, const Ball& below, const Ball& above) {
  WindowTails result{Ball(0), Ball(0)};
  const Ball infinite = loss.mass_at_infinity();
  const Ball finite = Ball(1) - infinite;
  if (!certainly_less_equal(loss.greatest_loss(), above)) {
    const WindowTails right = best_tail(loss, above, +1);
    result.mass += right.mass;
    result.moment += right.moment;
  }
  if (!certainly_greater(loss.least_loss(), -below)) {
    const WindowTails left = best_tail(loss, below, -1);
    result.mass += left.mass;
    result.moment += left.moment;
  }
  result.mass = (result.mass / finite).upper();
  result.moment = (result.moment / finite).upper();
  return result;
}

// Proof: docs/proofs/prv.md#moments
Ball finite_mean(const PrivacyLoss& loss) {
  const Ball radius = ldexp(Ball(1), -2);
  // odd multiples of pi / 64: none on either axis, conjugates in pairs
  Ball sum;
  for (long k = 0; k < circle_points / 2; ++k) {
    check_work_limit();
    const Ball angle = pi() * Ball(2 * k + 1) / Ball(circle_points);
    const ComplexBall root(cos(angle), sin(angle));
    const ComplexBall value = exp(loss.log_mgf(root * ComplexBall(radius)));
    sum += ldexp((value * conjugate(root)).real(), 1);
  }
  const Ball derivative = sum / (Ball(circle_points) * radius);
  const Ball most = max(exp(loss.log_mgf(Ball(1))), exp(loss.log_mgf(Ball(-1))));
  const Ball alias = power(radius, circle_points);
  const Ball error = charged(derivative_term, most * alias / (Ball(1) - alias));
  if (!error.is_finite()) throw std::domain_error("prv: the mean of the loss was not enclosed");
  return widened(derivative, error);
}

// Proof: docs/proofs/prv.md#variance
Ball rounding_variance(const PrivacyLoss& loss, const Ball& h) {
  const Ball finite = Ball(1) - loss.mass_at_infinity();
  const Ball bound = loss.mgf_bound_beyond(Ball(0), ldexp(pi(), 1) / h, wave_nats) / finite;
  const Ball waves = charged(fraction_term, bound.is_finite() ? min(Ball(1), bound) : Ball(1));
  return (square(h) * (Ball(1) + ldexp(waves, 1)) / Ball(12)).upper();
}

double cells_of_window(const PrivacyLoss& loss, double h, long half, double nats) {
  const double length = (static_cast<double>(half) + 0.5) * h;
  const auto end = [&](int sign) {
    return std::isfinite(nats) ? std::min(length, far_end(loss, nats, sign)) : length;
  };
  const double top = std::min(end(+1), loss.greatest_loss().estimate());
  const double bottom = std::max(-end(-1), loss.least_loss().estimate());
  return std::max(0.0, top - bottom) / h + 3;
}

// Proof: docs/proofs/prv.md#moments
RoundedFactor rounded(const PrivacyLoss& loss, Direction direction, std::uint64_t count,
                      const Ball& h, long half, double nats) {
  // cells that certainly lie off the support are empty
  const auto cut = [&](const Ball& end, long fallback, int sign) {
    const double x = (end / h).estimate();
    if (!(std::fabs(x) < static_cast<double>(half))) return fallback;
    const long j = std::clamp(
        checked_integer(std::round(x), "prv: the end of the window") + 2L * sign, -half, half);
    return j;
  };
  const auto far_cut = [&](int sign) {
    const double cells = std::ceil(far_end(loss, nats, sign) / h.estimate());
    return clamped_integer(cells, 1, half);
  };
  const long below = std::isfinite(nats) ? far_cut(-1) : half;
  const long above = std::isfinite(nats) ? far_cut(+1) : half;
  const long first = std::max(-below, cut(loss.least_loss(), -half, -1));
  const long last = std::min(above, cut(loss.greatest_loss(), half, +1));
  if (last < first) throw std::domain_error("prv: the window misses the loss");

  auto law = std::make_shared<LatticeLaw>();
  law->mesh = h;
  law->first = first;
  law->infinite = loss.mass_at_infinity();
  law->masses = loss_cells(loss, direction, h, first, last);
  Ball inside;
  Ball moment;
  for (long j = first; j <= last; ++j) {
    const Ball& mass = law->masses[static_cast<std::size_t>(j - first)];
    inside += mass;
    moment += Ball(j) * mass;
  }
  const Ball finite = Ball(1) - law->infinite;
  if (!certainly_positive(inside)) throw std::domain_error("prv: nothing was found in the window");

  RoundedFactor result;
  result.count = count;
  const auto end = [&](long cells) { return (Ball(cells) + ldexp(Ball(1), -1)) * h; };
  result.tails = tails_outside(loss, end(PLAUDIT_BOUND("prv.window_below", below, half)),
                               end(PLAUDIT_BOUND("prv.window_above", above, half)));
  // E[Y^L] = (E[Y] - E[Y; outside]) / P(window), all for the finite part.
  const Ball outside = charged(moment_term, result.tails.moment * finite);
  const Ball mean = widened(finite_mean(loss), outside) / inside;
  const Ball shift = mean - h * moment / inside;
  law->offset = shift.middle();
  result.drift = (abs(shift - law->offset)).upper();
  // Var of X is at most its second moment around any point.
  result.variance = (rounding_variance(loss, h) * finite / inside).upper();
  result.density = (rounding_density(loss, direction, h) * finite / inside).upper();
  const Ball lift = finite / inside;
  for (Ball& mass : law->masses) mass *= lift;
  result.law = std::move(law);
  return result;
}

}  // namespace plaudit
