#include "mechanisms/cut/cut_integral.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "lib/analysis/strip_quadrature.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "mechanisms/mixtures/mixture_estimate.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm cut_quadrature_term{"cut.quadrature", "strip trapezoid on a half line"};
constexpr ErrorTerm cut_tails_term{"cut.tails", "ends of the integration over the half line"};
// The table, in the variable of the half line: far down the left, and beyond the cut.
constexpr double table_low = -40;
constexpr double table_beyond = 20;
constexpr double near_no_log = 0.1;  ///< log of the moment where it is taken from the moment - 1

}  // namespace

CutIntegral::CutIntegral(const GaussianMixture& mixture, double cut)
    : MixtureHalfLine(cut_quadrature_term, cut_tails_term, -1, mixture, short_double(cut)) {
  const MixtureEstimate estimate(mixture);
  const long last = checked_integer((edge() + table_beyond) / table_step, "integral: the grid");
  for (long j = checked_integer(table_low / table_step, "integral: the grid"); j <= last; ++j) {
    places_.push_back(place(static_cast<double>(j) * table_step,
                            [&](double rise) { return estimate.log_f(edge() - rise); }));
  }
}

// Proof: docs/proofs/cut.md#ends
Ball CutIntegral::outside(const Ball& r, const Strip& strip) const {
  const Ball cut = end();
  const Ball low = Ball(strip.d) * Ball(strip.first);
  const Ball high = Ball(strip.d) * Ball(strip.last);
  if (!certainly_less_equal(low, Ball(0)) || !certainly_greater_equal(high, cut) ||
      !certainly_nonnegative(r)) {
    return positive_infinity();
  }
  const auto f = ratio();
  const Ball lift =
      PLAUDIT_BOUND("cut.tail_gauss", exp(ldexp(square(Ball(strip.eta)), -1)), Ball(1));
  const Ball nearest =
      PLAUDIT_BOUND("cut.nearest_to_peak", clipped_nonnegative(cut - exp(low)).lower(), cut);
  const Ball left = normal_density(nearest) * exp(r * f->log_value(cut) + low);
  const Ball right = exp(r * f->log_value(cut - high)) * normal_cdf(cut - high);
  const Ball result = lift * (PLAUDIT_BOUND("cut.near_end", left, Ball(0)) +
                              PLAUDIT_BOUND("cut.far_end", right, Ball(0)));
  return result.is_finite() ? result : positive_infinity();
}

// ---- choices in floating point

CumulantEstimate CutIntegral::estimate(double r) const {
  CumulantEstimate result = tabulated_cumulant(places_, r);
  if (std::fabs(result.value) < near_no_log) {
    double excess = 0;  // near 1: sum what differs from the mass of (-inf, Y)
    for (const Place& p : places_) {
      excess += r * p.l > 1 ? std::exp(p.g + r * p.l) - std::exp(p.g)
                            : std::exp(p.g) * std::expm1(r * p.l);
    }
    result.value = std::log1p(excess - 0.5 * std::erfc(cut() / std::numbers::sqrt2));
  }
  return result;
}

StripIntegral::Window CutIntegral::window(double r, double drop, int) const {
  const double peak = log_peak(places_, r);
  const double edge = r * places_.front().l - cut() * cut() / 2 - log_sqrt_two_pi - peak;
  return {std::min(-2.0, -(drop + edge + 1)), cut() + std::sqrt(2 * (drop + 5 + std::fabs(peak)))};
}

double CutIntegral::rough_points(double nats) const {
  return (nats + cut() + std::sqrt(2 * nats)) / strip_step(greatest_height() / 2, nats + 2);
}

double CutIntegral::largest_exponent(const Strip&, double r, double s) const {
  return (r + s) * (std::fabs(places_.front().l) + 4) + cut() * cut();
}

}  // namespace plaudit
