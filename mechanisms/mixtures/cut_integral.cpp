#include "mechanisms/mixtures/cut_integral.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "lib/analysis/normal/normal_tail.hpp"
#include "lib/analysis/strip_quadrature.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "mechanisms/mixtures/mixture_shape.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm cut_quadrature_term{"cut.quadrature", "docs/proofs/cut.md#quadrature"};
constexpr ErrorTerm cut_tails_term{"cut.tails", "docs/proofs/cut.md#ends"};
// The table of places reaches from u = -24, where |y'| is e^-24, to u = Y + 12, where y is -12.
constexpr double table_low = -24;
constexpr double table_beyond = 12;
constexpr double log_no_excess = -300;  ///< log of terms that do not count in A - 1
// Points next to the cut are left out where the drop asked for and deeper_than_asked (1 + attempt)
// nats more lie between them and the peak; from the fourth attempt on none is.
constexpr double deeper_than_asked = 4;
constexpr double room_of_edge = 1;  ///< in u, before the first point that counts
constexpr int most_attempts_without_edge = 3;
constexpr double near_no_log = 0.1;  ///< |log A| below which it is computed from A - 1

}  // namespace

CutIntegral::CutIntegral(const GaussianMixture& mixture, double cut)
    : MixtureHalfLine(cut_quadrature_term, cut_tails_term, -1, mixture, short_double(cut)) {
  const MixtureShape shape(mixture);
  const long last = checked_integer((edge() + table_beyond) / table_step, "integral: the grid");
  for (long j = checked_integer(table_low / table_step, "integral: the grid"); j <= last; ++j) {
    places_.push_back(place(static_cast<double>(j) * table_step,
                            [&](double rise) { return shape.log_f(edge() - rise); }));
    weights_.push_back(std::exp(places_.back().g));
  }
}

// Proof: docs/proofs/cut.md#ends
Ball CutIntegral::outside(const Ball& r, const Strip& strip) const {
  const Ball cut = end();
  const Ball high = Ball(strip.d) * Ball(strip.last);
  if (!certainly_greater_equal(high, cut)) return positive_infinity();
  const bool negative = certainly_negative(r);
  if (!negative && !certainly_nonnegative(r)) return positive_infinity();
  const Ball lift =
      PLAUDIT_BOUND("cut.tail_gauss", exp(ldexp(square(Ball(strip.eta)), -1)), Ball(1)) *
      PLAUDIT_BOUND("cut.tail_turned", turn(Ball(strip.eta), r), Ball(1));
  const Ball left = next_to_cut(r, strip);
  const Ball last = cut - high;
  const Ball right = negative ? ratio()->left_tail(r, -1, std::max(-last.upper_double(), 0.0))
                              : exp(r * ratio()->log_value(last)) * normal_tail_above(-last);
  const Ball result = lift * (PLAUDIT_BOUND("cut.near_end", left, Ball(0)) +
                              PLAUDIT_BOUND("cut.far_end", right, Ball(0)));
  return result.is_finite() ? result : positive_infinity();
}

// Proof: docs/proofs/cut.md#ends
Ball CutIntegral::next_to_cut(const Ball& r, const Strip& strip) const {
  const Ball edge_of_y = end();
  const auto f = ratio();
  const Ball low = Ball(strip.d) * Ball(strip.first);
  const auto least_y = [&](const Ball& u) {
    return PLAUDIT_BOUND("cut.nearest_to_peak",
                         clipped_nonnegative(edge_of_y - log1p(exp(u))).lower(), edge_of_y);
  };
  // f^r is greatest at the greater end, or for r < 0 at the lesser one
  const auto power_between = [&](const Ball& least, const Ball& greatest) {
    return exp(r * f->log_value(certainly_negative(r)
                                    ? PLAUDIT_BOUND("cut.least_of_piece", least, greatest)
                                    : greatest));
  };
  if (certainly_less_equal(low, Ball(0))) {
    const Ball least = edge_of_y - log1p(exp(low));
    return normal_density(least_y(low)) * power_between(least, edge_of_y) * exp(low);
  }
  // The points u <= 0, then pieces of (0, low] from above: each as wide as it can be while its
  // phi(least y) f(greatest y)^r is no greater than that of the pieces before it.
  const Ball d(strip.d);
  Ball sum = normal_density(least_y(Ball(0))) *
             power_between(edge_of_y - log1p(Ball(1)), edge_of_y) *
             (Ball(1) + PLAUDIT_BOUND("cut.one_more_point", d, -Ball(1)));
  const double order = r.estimate();
  const auto log_of_piece = [&](double from, double to) {
    const auto index = static_cast<std::size_t>(
        clamped_integer((from - table_low) / table_step, 0, static_cast<long>(places_.size()) - 1));
    const double y = std::max(0.0, cut() - to - std::log1p(std::exp(-to)));
    return order * places_[index].l - y * y / 2;
  };
  double to = strip.low();
  double width = table_step;
  double most = -infinity;
  for (Ball end_of_piece = low; to > 0;) {
    double from = 0;
    const auto start_of = [&](double w) {
      return std::max(0.0, std::floor((to - w) / table_step) * table_step);
    };
    from = start_of(table_step);
    while (width > table_step && log_of_piece(start_of(width), to) > most) width /= 2;
    if (log_of_piece(start_of(width), to) <= most) from = start_of(width);
    most = std::max(most, log_of_piece(from, to));
    const Ball start(from);
    sum += (end_of_piece - start + d) * normal_density(least_y(end_of_piece)) *
           power_between(edge_of_y - log1p(exp(end_of_piece)), edge_of_y - start);
    to = from;
    end_of_piece = start;
    width *= 4;
  }
  return sum;
}

// ---- choices in floating point

CumulantEstimate CutIntegral::estimate(double r) const {
  CumulantEstimate result = tabulated_cumulant(places_, r);
  if (std::fabs(result.value) < near_no_log) {
    double excess = 0;  // near 1: sum what differs from the mass of (-inf, Y)
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const Place& p = places_[i];
      if (p.g + std::max(r * p.l, 0.0) < log_no_excess) continue;
      excess +=
          r * p.l > 1 ? std::exp(p.g + r * p.l) - weights_[i] : weights_[i] * std::expm1(r * p.l);
    }
    result.value = std::log1p(excess - 0.5 * std::erfc(cut() / std::numbers::sqrt2));
  }
  return result;
}

StripIntegral::Window CutIntegral::window(double r, double drop, int attempt) const {
  const double peak = log_peak(places_, r);
  const double edge = r * places_.front().l - cut() * cut() / 2 - log_sqrt_two_pi - peak;
  const double high = cut() + std::sqrt(2 * (drop + 5 + std::fabs(peak)));
  const double least = peak - drop - deeper_than_asked * (1 + attempt);
  const auto first = std::find_if(places_.begin(), places_.end(),
                                  [&](const Place& p) { return r * p.l + p.g > least; });
  if (attempt < most_attempts_without_edge && first != places_.end() &&
      first->x > 2 * room_of_edge) {
    return {first->x - room_of_edge, high};
  }
  return {std::min(-2.0, -(drop + edge + 1)), high};
}

double CutIntegral::rough_points(double nats) const {
  return (nats + cut() + std::sqrt(2 * nats)) / strip_step(greatest_height() / 2, nats + 2);
}

double CutIntegral::largest_exponent(const Strip&, double r, double s) const {
  return (r + s) * (std::fabs(places_.front().l) + 4) + cut() * cut();
}

}  // namespace plaudit
