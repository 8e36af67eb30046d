#include "mechanisms/replacement/half_integral.hpp"

#include <algorithm>
#include <cmath>

#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm half_quadrature_term{"half.quadrature",
                                         "docs/proofs/sampling.md#half-quadrature"};
constexpr ErrorTerm half_tails_term{"half.tails", "docs/proofs/sampling.md#half-ends"};
constexpr double half_spare_nats = 4;  ///< by which the quadrature is to be finer than the tails
// The table of places covers u from table_low, where |y'| is e^-36, to table_margin beyond modes up
// to table_reach.
constexpr double table_low = -36;
constexpr double table_reach = 60;
constexpr double table_margin = 14;
constexpr double far_out = 12;  ///< deviations of log f from log r to its mode: f is q e^x there

/// log(1 - q + q e^x) at x = a y - a^2 / 2 = a * rise.
Ball log_ratio_ball(const Ball& q, const Ball& x) { return log1p(q * expm1(x)); }

}  // namespace

HalfIntegral::HalfIntegral(Rational distance, Rational rate)
    : HalfIntegral(std::move(distance), [q = std::move(rate)] { return Ball(q); }) {}

HalfIntegral::HalfIntegral(Rational distance, std::function<Ball()> rate)
    : HalfLineIntegral(half_quadrature_term, half_tails_term, +1, plaudit::estimate(distance) / 2,
                       plaudit::estimate(distance)),
      distance_(std::move(distance)),
      rate_(std::move(rate)),
      a_(plaudit::estimate(distance_)),
      q_(rate_().estimate()) {}

// ---- the integrand

std::function<Ball(const Ball&)> HalfIntegral::log_f() const {
  return
      [a = Ball(distance_), q = rate_()](const Ball& rise) { return log_ratio_ball(q, a * rise); };
}

std::function<ComplexBall(const ComplexBall&)> HalfIntegral::complex_log_f() const {
  return [a = Ball(distance_), q = rate_()](const ComplexBall& rise) {
    ComplexBall scaled = rise;
    // f - 1 = q (e^{a rise} - 1); arg f in [0, pi), so the principal logarithm is the right one
    ComplexBall excess = exp(scaled.scale(a)) - ComplexBall(1);
    return log1p(excess.scale(q));
  };
}

/// (|f(y + i tau)| / f(y))^r at most: 1 for r >= 0, cos(a tau / 2)^r for r < 0.
Ball HalfIntegral::turn(const Ball& angle, const Ball& r) const {
  if (certainly_nonnegative(r)) return Ball(1);
  const Ball cosine = cos(ldexp(Ball(distance_) * angle, -1));
  if (!certainly_positive(cosine)) return positive_infinity();
  const Ball factor = exp(r * log(cosine));
  return factor.is_finite() ? PLAUDIT_BOUND("half.turned", max(factor, Ball(1)), Ball(1))
                            : positive_infinity();
}

// Proof: docs/proofs/sampling.md#half-ends
Ball HalfIntegral::outside(const Ball& r, const Strip& strip) const {
  const Ball a(distance_);
  const Ball q = rate_();
  const Ball low = Ball(strip.d) * Ball(strip.first);
  const Ball high = Ball(strip.d) * Ball(strip.last);
  const Ball far = end() + high;
  const Ball slope = max(r, Ball(0)) * a;
  if (!certainly_less_equal(low, Ball(0)) || !certainly_greater_equal(high, Ball(0)) ||
      PLAUDIT_BOUND("half.far_end_falls", !certainly_greater_equal(far, slope), false)) {
    return positive_infinity();
  }
  const Ball angle(strip.eta);
  const Ball lift =
      PLAUDIT_BOUND("half.tail_gauss", exp(ldexp(square(angle), -1)), Ball(1)) * turn(angle, r);
  // f^r on [a/2, a/2 + e^low] is at most its value at one of the ends
  const Ball near = max(Ball(1), PLAUDIT_BOUND("half.near_end_grows",
                                               exp(r * log_ratio_ball(q, a * exp(low))), Ball(1)));
  const Ball left = normal_density(end()) * near * exp(low);
  const Ball right = exp(r * log_ratio_ball(q, a * high) + ldexp(square(slope), -1) - slope * far) *
                     normal_cdf(slope - far);
  const Ball result = lift * (PLAUDIT_BOUND("half.near_end", left, Ball(0)) +
                              PLAUDIT_BOUND("half.far_end", right, Ball(0)));
  return result.is_finite() ? result : positive_infinity();
}

// ---- choices in floating point

double HalfIntegral::log_ratio(double x) const {
  return x < 30 ? std::log1p(q_ * std::expm1(x))
                : std::log(q_) + x + std::log1p((1 - q_) / q_ * std::exp(-x));
}

void HalfIntegral::add_places(std::vector<Place>& result, double low, double high) const {
  const double steps = (high - low) / table_step;
  for (int i = 0; i < steps; ++i) {  // counted: far out x + table_step is x
    result.push_back(
        place(low + i * table_step, [&](double rise) { return log_ratio(a_ * rise); }));
  }
}

std::vector<Place> HalfIntegral::places(double r) const {
  std::call_once(table_->made,
                 [&] { add_places(table_->places, table_low, table_reach + table_margin); });
  // phi f^r has its mass near a/2 and, for large r, near y = r a.
  const double mode = std::max(0.0, r) * a_ - a_ / 2;
  const bool near = mode < table_reach;
  const double high = (near ? std::max(mode, 0.0) : 0.0) + table_margin;
  const long count = clamped_integer(std::ceil((high - table_low) / table_step), 0,
                                     static_cast<long>(table_->places.size()));
  std::vector<Place> result(table_->places.begin(), table_->places.begin() + count);
  if (!near) add_places(result, mode - table_margin, mode + table_margin);
  return result;
}

// Where f^r has nearly all of its mass so far out that f is q e^x there, the integral is Gaussian.
CumulantEstimate HalfIntegral::estimate(double r) const {
  const double log_q = std::log(q_);
  const double middle = a_ * a_ * (r - 0.5) + log_q;  // log f where phi f^r is greatest
  if (!(r > 1) || !(middle - std::log(r) > far_out * std::max(1.0, a_))) {
    return HalfLineIntegral::estimate(r);
  }
  return {r * log_q + a_ * a_ * r * (r - 1) / 2, middle, a_ * a_};
}

double HalfIntegral::estimate_excess(double t) const {
  double sum = 0;
  for (const Place& p : places(std::max(1 + t, -t))) sum += moment_excess(t, p.l, p.g);
  return sum;
}

std::complex<double> HalfIntegral::turned_log_f(const Place& p, std::complex<double> rise) const {
  return std::log((1 - q_) * std::exp(-p.l) + q_ * std::exp(a_ * rise - p.l)) + p.l;
}

double HalfIntegral::log_norm(double e, double r, double s_max) const {
  return half_spare_nats + HalfLineIntegral::log_norm(e, r, s_max);
}

StripIntegral::Window HalfIntegral::window(double r, double drop, int) const {
  // Left: phi(a/2) f^r e^x against the whole, right: a Gaussian around max(a/2, r a).
  const double whole = estimate(r).value;
  const double top = std::max(0.0, r) * a_;
  const auto height = [&](double rise) {
    const double y = a_ / 2 + rise;
    return r * log_ratio(a_ * rise) - y * y / 2 - whole;
  };
  double high = std::max(2.0, top - a_ / 2 + 1);
  while (height(high) > 2 - drop && high < 1e9) high += 1 + 0.02 * high;
  return {std::min(-2.0, whole + 3 - drop + a_ * a_ / 8), high};
}

double HalfIntegral::largest_exponent(const Strip& strip, double r, double s) const {
  const double high = a_ / 2 + strip.high() + 1;
  return (std::fabs(r) + s) * (a_ * high + std::fabs(std::log(q_)) + 4) + high * high;
}

}  // namespace plaudit
