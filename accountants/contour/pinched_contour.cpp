#include "accountants/contour/pinched_contour.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "accountants/cost_models.hpp"
#include "accountants/cumulants/order_search.hpp"
#include "lib/analysis/strip_quadrature.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/exact/rational.hpp"
#include "lib/mutant.hpp"
#include "lib/text.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/mixtures/gaussian_mixture_loss.hpp"

namespace plaudit {

namespace {

constexpr double lambda = PinchedContour::ratio;
constexpr double widest = PinchedContour::widest;
constexpr double most_pinched_blocks = 3e6;
constexpr double most_pinched_nodes = 1e5;
/// By which the nodes that are summed reach beyond the fall of the central peak: the bound of a
/// block next to it is greater by the block's width.
constexpr double room_of_peak = 1.2;
/// Nats by which nodes left out, and aliases, shall be below what is wanted of the band.
constexpr double nats_below_nodes = 4;
constexpr double nats_below_aliases = 1.5;
constexpr double room_of_period = 1.02;  ///< for the epsilons around the one asked for
constexpr double blocks_per_height = 3;  ///< times the deviation of one step; measured
constexpr long nodes_beyond_peak = 4;
constexpr double room_of_height = 1.001;  ///< for the rounding of its square root
constexpr double least_variance = 1e-300;
constexpr double nats_to_spare = 1;  ///< beyond those that tau allows
/// Abscissas that are tried, as shares of the saddle point.
constexpr double pinch_shares[] = {1.0, 0.7, 0.45};

ComposedLoss with_gaussian(const ComposedLoss& loss, const Rational& tau) {
  std::vector<ComposedLoss::Term> terms = loss.terms();
  terms.push_back({gaussian_mixture_loss(GaussianMixture{1 / tau, {1}, {1}}, loss.direction()), 1});
  return {std::move(terms), loss.direction()};
}

/// Mean loss of the Gaussian mechanism that makes lambda tau of tau.
Rational extra_mean(const Rational& tau) {
  constexpr int ratio = PinchedContour::ratio;
  return (ratio * ratio - 1) * tau * tau / 2;
}

}  // namespace

PinchedComposition::PinchedComposition(const ComposedLoss& composed, const Rational& tau)
    : loss(with_gaussian(composed, tau)), table(loss) {}

namespace {

/// A line at t for so many nats, or for those that can be had of them; infinite seconds where there
/// is none.
PinchChoice choose_pinch_at(const ComposedLoss& loss, CumulantTable& table, double epsilon,
                            double nats, double log_delta, double saddle, double t) {
  PinchChoice choice;
  choice.seconds = infinity;
  const CumulantEstimate k = table.at(t);
  const double excess = std::max(0.0, k.value - t * epsilon - log_delta);
  const double fall = nats + excess + nats_below_nodes;
  const LinePeriod least =
      least_period(loss, table, t, epsilon, log_delta - nats - nats_below_aliases);
  const double h = short_double(2 * std::numbers::pi / (room_of_period * least.period));
  const double peak = room_of_peak * std::sqrt(2 * fall / std::max(k.variance, least_variance));
  const double nodes = std::ceil(peak / h) + nodes_beyond_peak;
  if (!std::isfinite(least.period) || !(h > 0) || !(nodes < most_pinched_nodes)) return choice;
  // the band is about (lambda + 1) tau^2 / 2 times the density of L at epsilon, and that is about
  // saddle (1 + saddle) delta
  double tau = std::sqrt(2 * std::exp(-nats) / ((lambda + 1) * saddle * (1 + saddle)));
  const double of_one_step =
      std::sqrt(std::max(k.variance / std::max(loss.steps(), 1.0), least_variance));
  const double finest = blocks_per_height * std::sqrt(2 * fall) * of_one_step / most_pinched_blocks;
  if (!(finest < widest)) return choice;
  tau = short_double(std::clamp(tau, finest, widest));
  choice.tau = tau;
  choice.nats = -std::log(tau * tau * (lambda + 1) * saddle * (1 + saddle) / 2);
  choice.line.t = t;
  choice.line.h = h;
  choice.line.nodes = static_cast<std::size_t>(checked_integer(nodes, "the number of nodes"));
  choice.line.both_residues = least.both_residues;
  choice.line.nats = nats;
  choice.line.log_delta = log_delta;
  choice.line.cancellation = std::max({0.0, excess, -t * least.period - log_delta});
  choice.line.sweep_nats = fall;
  choice.line.sweep_height = room_of_height * std::sqrt(2 * fall) / tau;
  const double blocks = blocks_per_height * std::sqrt(2 * fall) / tau * of_one_step;
  choice.seconds = costs::swept_line(blocks, nodes);
  return choice;
}

}  // namespace

PinchChoice choose_pinch(const ComposedLoss& loss, CumulantTable& table, double epsilon,
                         double nats, double log_delta) {
  PinchChoice best;
  best.seconds = infinity;
  const double saddle = table.saddle(epsilon);
  for (const double share : pinch_shares) {
    check_work_limit();
    const double t = short_double(saddle * share);
    PinchChoice choice = choose_pinch_at(loss, table, epsilon, nats, log_delta, saddle, t);
    // Where tau allows fewer, the line needs no more: who asks more gets the same.
    const double had = choice.nats + nats_to_spare;
    if (std::isfinite(choice.seconds) && had > nats_to_spare && had < nats) {
      const double whole = choice.nats;
      choice = choose_pinch_at(loss, table, epsilon, had, log_delta, saddle, t);
      choice.nats = std::min(choice.nats, whole);
    }
    if (choice.nats > 0 && choice.seconds < best.seconds) best = choice;
  }
  return best;
}

PinchChoice coarser(PinchChoice choice) {
  constexpr double times = 8;
  const double fewer = 2 * std::log(times);
  choice.tau *= times;
  choice.nats -= fewer;
  // the nodes may be bounded that much less sharply too
  const double fall = choice.line.sweep_nats;
  const double lower = std::max(fall - fewer, fall / 2);
  choice.line.sweep_nats = lower;
  choice.line.sweep_height *= std::sqrt(lower / fall) / times;
  choice.seconds /= times;
  return choice;
}

PinchedContour::PinchedContour(const ComposedLoss& loss, double epsilon, const PinchChoice& choice)
    : tau_(choice.tau),
      near_composition_(loss, exact_rational(Ball(tau_))),
      far_composition_(loss, ratio * exact_rational(Ball(tau_))),
      near_(near_composition_.loss, near_composition_.table, epsilon, choice.line),
      far_(near_, far_composition_.loss, far_composition_.table,
           extra_mean(exact_rational(Ball(tau_)))) {}

long PinchedContour::bits() const { return std::min(near_.bits(), far_.bits()); }

// Proof: docs/proofs/pinch.md#pinch
Enclosure PinchedContour::delta(const Ball& epsilon) {
  Enclosure band = near_.delta(epsilon);
  const Enclosure far = far_.delta(epsilon);
  const PrecisionScope scope(near_.bits());
  const Ball tau(tau_);
  const Ball fall = exp(ldexp(-Ball(ratio * ratio - 1) * square(tau), -3));
  const Ball theta = Ball(ratio) * PLAUDIT_BOUND("pinch.theta", fall, Ball(1) / Ball(ratio) + fall);
  const Ball below = (theta * band.lower - far.upper) / (theta - Ball(1));
  if (!certainly_greater(theta, Ball(1)) || !below.is_finite()) {
    band.lower = Ball(0);
  } else {
    band.lower = max(PLAUDIT_BOUND("pinch.lower", below, band.lower), Ball(0)).lower();
  }
  band.ledger.note(pinch_term, band.upper - band.lower);
  band.method += ", between Gaussians of " + general_text(tau_, 3);
  return band;
}

}  // namespace plaudit
