#include "mechanisms/mixtures/rare_draw_integral.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "lib/analysis/normal/normal_tail.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm rare_draw_quadrature_term{"rare_draw.quadrature",
                                              "docs/proofs/rare_draws.md#quadrature"};
constexpr ErrorTerm rare_draw_tails_term{"rare_draw.tails", "docs/proofs/rare_draws.md#ends"};
constexpr double table_drop = 60;          ///< nats from the peak to the ends of a table
constexpr int longest_walk = 20000;        ///< places on either side of the peak
constexpr double log_rise_is_linear = 30;  ///< log(1 + e^x) is x to a double from here on
constexpr int most_halvings = 60;          ///< of one piece
constexpr int most_pieces_out = 80;        ///< beyond the last point; if too few, the bound is +inf
constexpr double first_piece_out = 1;      ///< their first width, in u; each has twice that before
constexpr double share_of_quarter = 0.97;  ///< of pi / 2
constexpr double out_of_strip_of_draw = 1e300;  ///< log of a norm

/// log(1 + e^x).
double rise_at(double x) { return x > log_rise_is_linear ? x : std::log1p(std::exp(x)); }

}  // namespace

RareDrawIntegral::RareDrawIntegral(const GaussianMixture& mixture, double start)
    : MixtureHalfLine(rare_draw_quadrature_term, rare_draw_tails_term, +1, mixture, start),
      estimate_(mixture) {
  if (!(edge() > 0)) throw std::domain_error("rare draws: they begin above 0");
}

/// Upper bound of log(phi f^r sqrt(2 pi)) on [low, high], where log f is below its chord.
// Proof: docs/proofs/rare_draws.md#ends
Ball RareDrawIntegral::log_top(const Ball& r, const LikelihoodRatio& f, const Ball& low,
                               const Ball& high) {
  const Ball log_low = f.log_value(low);
  const Ball log_high = f.log_value(high);
  const Ball slope = r * (log_high - log_low) / (high - low);
  if (certainly_less_equal(slope, low)) return r * log_low - ldexp(square(low), -1);
  if (certainly_greater_equal(slope, high)) return r * log_high - ldexp(square(high), -1);
  const Ball top =
      PLAUDIT_BOUND("rare_draw.chord_top", r * log_low - slope * low + ldexp(square(slope), -1),
                    r * log_low - ldexp(square(low), -1));
  // on a tiny interval the slope is not known, nor needed
  const Ball crude = r * log_high - ldexp(square(low), -1);
  return top.is_finite() ? min(top, crude) : crude;
}

/// Upper bound of d sum phi f^r |y'| over the points of (from, to], from >= 0, by pieces in each of
/// which log f is below its chord. @param enough log of phi f^r sqrt(2 pi): pieces that are
/// certainly below it are not halved. Any value is valid.
// Proof: docs/proofs/rare_draws.md#ends
Ball RareDrawIntegral::between(const Ball& r, const LikelihoodRatio& f, double from, double to,
                               double d, const Ball& enough) const {
  struct Piece {
    double from, to;
    int depth;
  };
  std::vector<Piece> left{{from, to, 0}};
  const Ball start = end();
  Ball total;
  unsigned count = 0;
  while (!left.empty()) {
    if ((++count & 63) == 0) check_work_limit();
    const Piece piece = left.back();
    left.pop_back();
    // the point of u is between Y + u and Y + log(1 + e^u)
    const Ball low = start + Ball(piece.from);
    const Ball high =
        start + PLAUDIT_BOUND("rare_draw.rise", log1p(exp(Ball(piece.to))), Ball(piece.to));
    const Ball top = log_top(r, f, low, high);
    const double middle = (piece.from + piece.to) / 2;
    if (!certainly_less(top, enough) && piece.depth < most_halvings && piece.to - piece.from > d &&
        middle > piece.from && middle < piece.to) {
      left.push_back({piece.from, middle, piece.depth + 1});
      left.push_back({middle, piece.to, piece.depth + 1});
      continue;
    }
    const Ball width = Ball(piece.to) - Ball(piece.from);
    total += exp(top) * (width + PLAUDIT_BOUND("rare_draw.one_point_more", Ball(d), -width));
  }
  return total / sqrt(ldexp(pi(), 1));
}

// Proof: docs/proofs/largest_draw.md#quadrature
std::vector<StripIntegral::Norm> RareDrawIntegral::norms(double e, const Ball& r, const Ball& s_max,
                                                         double d) const {
  if (!certainly_negative(r)) return MixtureHalfLine::norms(e, r, s_max, d);
  const Ball angle = abs(Ball(e));
  if (!right_half(angle)) return {{positive_infinity(), Ball(0)}};
  Ball base = exp(r * ratio()->log_value(end())) * normal_tail_above(end()) /
              PLAUDIT_BOUND("rare_draw.negative_norm_cosine", cos(angle), Ball(1));
  if (e < 0) {
    base *= exp(PLAUDIT_BOUND("rare_draw.negative_norm_angle", s_max, Ball(0)) * greatest_rate() *
                angle);
  }
  if (!base.is_finite()) return {{positive_infinity(), Ball(0)}};
  return {{Ball(0), base.upper()}};
}

/// Whether Re f certainly does not decrease outward on the line of this angle.
bool RareDrawIntegral::right_half(const Ball& angle) const {
  const Ball quarter = ldexp(pi(), -1);
  return certainly_less(angle, quarter) && certainly_less(angle * greatest_rate(), quarter);
}

// Proof: docs/proofs/largest_draw.md#quadrature
Ball RareDrawIntegral::outside_of_negative(const Ball& r, const Strip& strip) const {
  const Ball angle(strip.eta);
  if (!right_half(angle) || strip.first > strip.last) return positive_infinity();
  const PrecisionScope scope(std::max(
      working_precision(),
      64 + 2 * precision_bits(std::log2(2 + std::fabs(largest_exponent(strip, r.estimate(), 0))))));
  const Ball start = end();
  const Ball d(strip.d);
  const Ball low = d * Ball(strip.first);
  const Ball high = d * Ball(strip.last);
  const Ball at_start = normal_density(start);
  // points below the strip's: |y'| <= e^u
  Ball below = exp(r * ratio()->log_value(start)) * at_start;
  if (certainly_less_equal(low, Ball(0))) {
    below *= exp(low);
  } else {
    below *= Ball(1) + d + low;
  }
  // points above: |f| is at least Re f at the last point
  const ComplexBall log_f = complex_log_f()(log1p(exp(ComplexBall(high, angle))));
  const Ball least =
      log_f.real() + log(PLAUDIT_BOUND("rare_draw.real_part", cos(log_f.imaginary()), Ball(2)));
  Ball reach = normal_tail_above(start + max(high, Ball(0)));
  if (!certainly_nonnegative(high)) reach += (Ball(1) + d) * at_start;
  const Ball above = exp(r * least) * reach;
  const Ball lift =
      PLAUDIT_BOUND("rare_draw.negative_tail_gauss", exp(ldexp(square(angle), -1)), Ball(1));
  const Ball result = lift * (PLAUDIT_BOUND("rare_draw.negative_below", below, Ball(0)) +
                              PLAUDIT_BOUND("rare_draw.negative_above", above, Ball(0)));
  return result.is_finite() ? result : positive_infinity();
}

// Proof: docs/proofs/rare_draws.md#ends
Ball RareDrawIntegral::outside(const Ball& r, const Strip& strip) const {
  if (certainly_negative(r)) return outside_of_negative(r, strip);
  const Ball angle(strip.eta);
  if (!certainly_nonnegative(r) || !certainly_less(angle, ldexp(pi(), -1)) ||
      strip.first > strip.last) {
    return positive_infinity();
  }
  const PrecisionScope scope(std::max(
      working_precision(),
      64 + 2 * precision_bits(std::log2(2 + std::fabs(largest_exponent(strip, r.estimate(), 0))))));
  const auto f = ratio();
  const Ball start = end();
  const double low = strip.low();
  const double high = strip.high();
  if (!(Ball(strip.d) * Ball(strip.first) - Ball(low)).is_exact_zero() ||
      !(Ball(strip.d) * Ball(strip.last) - Ball(high)).is_exact_zero()) {
    return positive_infinity();  // the pieces below are to begin and end at the strip's points
  }
  const auto log_size = [&](double u) {  // of phi f^r, less log sqrt(2 pi)
    const Ball y = start + log1p(exp(Ball(u)));
    return r * f->log_value(y) - ldexp(square(y), -1);
  };
  // points below the strip's: |y'| <= e^u, of which the sum up to 0 is below e^0
  const double near = std::min(low, 0.0);
  const Ball reach = start + log1p(exp(Ball(near)));
  Ball below = exp(log_top(r, *f, start, reach) + Ball(near)) / sqrt(ldexp(pi(), 1));
  const Ball enough = max(log_size(low), log_size(near)) + Ball(1);
  if (low > 0) {
    below *= Ball(1) + Ball(strip.d);
    below += between(r, *f, 0, low, strip.d, enough);
  }
  // points above
  Ball above;
  double from = std::max(high, 0.0);
  if (high < 0) above += Ball(infinity);  // the bounds of points above are for u >= 0
  const Ball steepest = r * f->greatest_rate();
  const Ball enough_above = log_size(high) + Ball(1);
  double width = first_piece_out;
  for (int i = 0;; ++i) {
    const Ball far = start + Ball(from);
    if (certainly_greater_equal(far, ldexp(steepest, 1))) {
      // (log phi f^r)' <= -y + r a <= -y / 2
      above += PLAUDIT_BOUND("rare_draw.far_end",
                             exp(r * f->log_value(far) - ldexp(square(far), -1)) * Ball(2) / far /
                                 sqrt(ldexp(pi(), 1)),
                             Ball(0));
      break;
    }
    if (i == most_pieces_out) return positive_infinity();
    above += PLAUDIT_BOUND("rare_draw.beyond",
                           between(r, *f, from, from + width, strip.d, enough_above), Ball(0));
    from += width;
    width *= 2;
  }
  const Ball lift = PLAUDIT_BOUND("rare_draw.tail_gauss", exp(ldexp(square(angle), -1)), Ball(1));
  const Ball result = lift * (PLAUDIT_BOUND("rare_draw.below", below, Ball(0)) + above);
  return result.is_finite() ? result : positive_infinity();
}

// ---- choices in floating point

/// The greatest point where phi f^r has a maximum, or Y.
double RareDrawIntegral::peak(double r) const {
  return std::max(estimate_.mode_from(r * estimate_.greatest_rate(), r, 0), start());
}

Place RareDrawIntegral::place_at(double x) const {
  return place(x, [&](double rise) { return estimate_.log_f(start() + rise); });
}

/// Points table_step apart from the peak outward until phi f^r has fallen by the drop; inward on to
/// Y and beyond, where it rises again to that height.
template <class Use>
void RareDrawIntegral::walk(double r, double drop, Use&& use) const {
  const double rise = std::max(peak(r) - start(), 1e-3);
  const double middle = rise > log_rise_is_linear ? rise : std::log(std::expm1(rise));
  const auto height = [&](const Place& p) { return r * p.l + p.g; };
  const Place first = place_at(middle);
  double top = height(first);
  use(first);
  const double edge = height(place_at(0));
  for (const double side : {1.0, -1.0}) {
    for (int i = 1; i < longest_walk; ++i) {
      const Place next = place_at(middle + side * i * table_step);
      const double here = height(next);
      use(next);
      top = std::max(top, here);
      const bool edge_beyond = side < 0 && next.x > 0 && edge > top - drop;
      if (!(here > top - drop) && !edge_beyond) break;
    }
  }
}

std::vector<Place> RareDrawIntegral::places(double r) const {
  std::vector<Place> result;
  walk(r, table_drop, [&](const Place& p) { result.push_back(p); });
  return result;
}

StripIntegral::Window RareDrawIntegral::window(double r, double drop, int) const {
  Window result{infinity, -infinity};
  walk(r, drop, [&](const Place& p) {
    result.low = std::min(result.low, p.x);
    result.high = std::max(result.high, p.x);
  });
  return result;
}

/// For r < 0 the bound beyond a height is I(r): 0 and no shift. The integrand jumps at Y, so that
/// the integral falls slowly along the line in any case.
double RareDrawIntegral::estimate_log_decay(double r, double s, double* best_eta) const {
  if (r >= 0) return MixtureHalfLine::estimate_log_decay(r, s, best_eta);
  if (best_eta != nullptr) *best_eta = 0;
  return 0;
}

double RareDrawIntegral::log_norm(double e, double r, double s_max) const {
  if (r >= 0) return MixtureHalfLine::log_norm(e, r, s_max);
  const double rate = estimate_.greatest_rate();
  if (std::max(1.0, rate) * std::fabs(e) >= share_of_quarter * std::numbers::pi / 2) {
    return out_of_strip_of_draw;
  }
  double mean_rate = 0;
  estimate_.log_f(start(), mean_rate);
  // phi f^r falls from Y at this rate, phi alone at that of Y
  const double fall = start() - r * mean_rate;
  return -std::log(std::cos(e)) + (e < 0 ? -e * s_max * rate : 0.0) +
         std::log(1 + fall / std::max(start(), 1.0));
}

double RareDrawIntegral::largest_exponent(const Strip& strip, double r, double s) const {
  const double high = start() + rise_at(strip.high()) + 1;
  return (std::fabs(r) + s) * (std::fabs(estimate_.log_f(high)) + 4) + high * high;
}

}  // namespace plaudit
