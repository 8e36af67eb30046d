#include "mechanisms/replacement/half_integral.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "lib/analysis/power_sums.hpp"
#include "lib/analysis/strip_quadrature.hpp"
#include "lib/balls/error_term.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm quadrature_term{"half.quadrature", "strip trapezoid on a half line"};
constexpr ErrorTerm tails_term{"half.tails", "ends of the integration over the half line"};
constexpr double log_two = 0.69314718055994530942;
constexpr double log_sqrt_two_pi = 0.91893853320467274178;
constexpr double table_step = 0.25;
constexpr double table_low = -36;
constexpr double table_reach = 60;   // of modes that the table covers
constexpr double table_margin = 14;  // beyond a mode
constexpr long most_points = 400000;

double softplus(double u) { return u > 0 ? u + std::log1p(std::exp(-u)) : std::log1p(std::exp(u)); }

long bits_for(double nats, double exponent, double points) {
  return 48 + precision_bits(std::max(nats, 0.0) / log_two + std::log2(2 + std::fabs(exponent)) +
                             std::log2(2 + points));
}

/// log(1 - q + q e^x) at x = a y - a^2 / 2 = a * rise.
Ball log_ratio_ball(const Ball& q, const Ball& x) { return log1p(q * expm1(x)); }

}  // namespace

HalfIntegral::HalfIntegral(Rational distance, Rational rate)
    : distance_(std::move(distance)),
      rate_(std::move(rate)),
      a_(plaudit::estimate(distance_)),
      q_(plaudit::estimate(rate_)) {}

HalfIntegral::Constants HalfIntegral::constants() const {
  return {Ball(distance_), Ball(Rational(distance_ / 2)), Ball(rate_)};
}

void HalfIntegral::add_places(std::vector<Place>& result, double low, double high) const {
  const double steps = (high - low) / table_step;
  for (int i = 0; i < steps; ++i) {  // counted: far out u + table_step is u
    const double u = low + i * table_step;
    const double rise = softplus(u);
    const double y = a_ / 2 + rise;
    const double log_f = log_ratio(a_ * rise);
    result.push_back({u, y, log_f, -y * y / 2 + u - rise + std::log(table_step) - log_sqrt_two_pi});
  }
}

std::vector<HalfIntegral::Place> HalfIntegral::places(double r) const {
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

double HalfIntegral::log_ratio(double x) const {
  return x < 30 ? std::log1p(q_ * std::expm1(x))
                : std::log(q_) + x + std::log1p((1 - q_) / q_ * std::exp(-x));
}

CumulantEstimate HalfIntegral::estimate(double r) const {
  const std::vector<Place> table = places(r);
  double peak = -std::numeric_limits<double>::infinity();
  for (const Place& p : table) peak = std::max(peak, r * p.log_f + p.log_weight);
  double sum = 0;
  double sum1 = 0;
  double sum2 = 0;
  std::vector<double> weights;
  weights.reserve(table.size());
  for (const Place& p : table) {
    weights.push_back(std::exp(r * p.log_f + p.log_weight - peak));
    sum += weights.back();
    sum1 += weights.back() * p.log_f;
  }
  const double mean = sum1 / sum;
  for (std::size_t i = 0; i < table.size(); ++i) {
    sum2 += weights[i] * (table[i].log_f - mean) * (table[i].log_f - mean);
  }
  return {peak + std::log(sum), mean, sum2 / sum};
}

double HalfIntegral::estimate_excess(double t) const {
  double sum = 0;
  for (const Place& p : places(std::max(1 + t, -t))) {
    // (e^f - 1)(e^{tf} - 1) + e^{tf} + e^{-tf} - 2, without cancellation or 0 times infinity
    const double f = p.log_f;
    if (std::fabs(t * f) > 1) {
      sum += std::exp(p.log_weight + (1 + t) * f) + std::exp(p.log_weight - t * f) -
             std::exp(p.log_weight + f) - std::exp(p.log_weight);
      continue;
    }
    const double half = std::sinh(t * f / 2);
    sum += std::exp(p.log_weight) * (std::expm1(f) * std::expm1(t * f) + 4 * half * half);
  }
  return sum;
}

double HalfIntegral::greatest_angle() const {
  return 0.97 * std::min(std::numbers::pi / 2, std::numbers::pi / a_);
}

double HalfIntegral::log_norm(double tau, double r) const {
  return tau * tau / 2 - std::log(std::cos(tau)) +
         std::min(r, 0.0) * std::log(std::cos(a_ * tau / 2));
}

double HalfIntegral::estimate_log_decay(double r, double s, double* best_eta) const {
  if (best_eta != nullptr) *best_eta = 0;
  if (s <= 0) return 0;
  const std::vector<Place> table = places(r);
  double peak = -std::numeric_limits<double>::infinity();
  for (const Place& p : table) peak = std::max(peak, r * p.log_f + p.log_weight);
  double whole = 0;
  for (const Place& p : table) whole += std::exp(r * p.log_f + p.log_weight - peak);
  const auto value = [&](double eta) {
    double total = 0;
    for (const Place& p : table) {
      if (r * p.log_f + p.log_weight - peak < -30) continue;
      const std::complex<double> zeta(p.u, eta);
      const std::complex<double> rise = p.u > 30 ? zeta : std::log(1.0 + std::exp(zeta));
      const std::complex<double> y = a_ / 2 + rise;
      const std::complex<double> log_f =
          std::log((1 - q_) * std::exp(-p.log_f) + q_ * std::exp(a_ * rise - p.log_f)) + p.log_f;
      const double log_weight =
          (zeta - rise - y * y / 2.0).real() + std::log(table_step) - log_sqrt_two_pi;
      total += std::exp(r * log_f.real() - s * log_f.imag() + log_weight - peak);
    }
    return std::log(total / whole);
  };
  double best = 0;
  double at = 0;
  for (int i = 0; i < 14; ++i) {
    const double eta = 0.85 * greatest_angle() * std::pow(0.72, i);  // leaves room for a strip
    const double here = value(eta);
    if (here < best) {
      best = here;
      at = eta;
    } else if (best < 0) {
      break;
    }
  }
  if (best_eta != nullptr) *best_eta = at;
  return best;
}

double HalfIntegral::estimate_points(double r, double nats) const {
  const Strip strip = choose(r, nats, false);
  return static_cast<double>(strip.size());
}

HalfIntegral::Strip HalfIntegral::choose(double r, double nats, bool on_axis) const {
  Strip best{0, 0, 0, 0, 0};
  for (int i = 0; i < 16; ++i) {
    const double top = greatest_angle() * std::pow(0.85, i);
    const double eta = on_axis ? 0 : short_double(top / 2);
    const double v = on_axis ? short_double(top) : eta;
    const double d = strip_step(v, nats + 4 + log_norm(top, r) + log_two);
    if (d > best.d) best = {eta, v, short_double(d), 0, 0};
  }
  choose_range(best, r, nats);
  return best;
}

void HalfIntegral::choose_range(Strip& strip, double r, double nats) const {
  // Left: phi(a/2) f^r e^u against the whole, right: a Gaussian around max(a/2, r a).
  const double whole = estimate(r).value;
  const double low = std::min(-2.0, whole - nats + a_ * a_ / 8);
  const double top = std::max(0.0, r) * a_;
  double high = std::max(2.0, top - a_ / 2 + 1);
  const auto height = [&](double rise) {
    const double y = a_ / 2 + rise;
    const double x = a_ * rise;
    return r * log_ratio(x) - y * y / 2 - whole;
  };
  while (height(high) > -nats - 1 && high < 1e9) high += 1 + 0.02 * high;
  strip.first = checked_integer(std::floor(low / strip.d), "integral: the grid");
  strip.last = checked_integer(std::ceil(high / strip.d), "integral: the grid");
}

void HalfIntegral::check_affordable(const Strip& strip) {
  if (!(strip.d > 0) || strip.last - strip.first > most_points) {
    throw std::domain_error("integral needs too many points");
  }
}

double HalfIntegral::largest_exponent(const Strip& strip, double r, double s) const {
  const double high = a_ / 2 + static_cast<double>(strip.last) * strip.d + 1;
  return (std::fabs(r) + s) * (a_ * high + std::fabs(std::log(q_)) + 4) + high * high;
}

std::vector<HalfIntegral::Point> HalfIntegral::points(const Strip& strip) const {
  std::vector<Point> result;
  result.reserve(strip.size());
  const Constants c = constants();
  const Ball d(strip.d);
  const ComplexBall turn(cos(Ball(strip.eta)), sin(Ball(strip.eta)));
  const Ball ratio = exp(d);
  Ball size = exp(d * Ball(strip.first));
  for (long j = strip.first; j <= strip.last; ++j) {
    if ((j & 15) == 0) check_work_limit();
    // rise = log(1 + e^zeta), principal as |Im zeta| < pi / 2
    ComplexBall grown = turn;
    acb_mul_arb(grown.raw(), grown.raw(), size.raw(), working_precision());
    const ComplexBall rise = log1p(grown);
    ComplexBall scaled = rise;
    acb_mul_arb(scaled.raw(), scaled.raw(), c.a.raw(), working_precision());
    // f - 1 = q (e^{a rise} - 1); arg f in [0, pi), so the principal logarithm is the right one
    ComplexBall excess = exp(scaled) - ComplexBall(1);
    acb_mul_arb(excess.raw(), excess.raw(), c.q.raw(), working_precision());
    const ComplexBall y = ComplexBall(c.half) + rise;
    const ComplexBall zeta(d * Ball(j), Ball(strip.eta));
    ComplexBall half = square(y);
    acb_mul_2exp_si(half.raw(), half.raw(), -1);
    result.push_back({log1p(excess), zeta - rise - half});
    size *= ratio;
  }
  return result;
}

/// (|f(y + i tau)| / f(y))^r at most: 1 for r >= 0, cos(a tau / 2)^r for r < 0.
Ball HalfIntegral::turn(const Constants& c, const Ball& angle, const Ball& r) const {
  if (certainly_nonnegative(r)) return Ball(1);
  const Ball cosine = cos(ldexp(c.a * angle, -1));
  if (!certainly_positive(cosine)) return positive_infinity();
  const Ball factor = exp(r * log(cosine));
  return factor.is_finite() ? PLAUDIT_BOUND("half.turned", max(factor, Ball(1)), Ball(1))
                            : positive_infinity();
}

// Proof: docs/proofs/sampling.md#half-norm
Ball HalfIntegral::norm(const Constants& c, double tau, const Ball& r, const Ball& s_max,
                        const Ball& axis) const {
  const Ball angle = abs(Ball(tau));
  const Ball cosine = cos(angle);
  if (!certainly_less(angle, ldexp(pi(), -1)) || !certainly_positive(cosine) ||
      !certainly_less(angle * c.a,
                      PLAUDIT_BOUND("half.strip_without_zeros", pi(), ldexp(pi(), 1)))) {
    return positive_infinity();
  }
  Ball result = PLAUDIT_BOUND("half.norm_gauss", exp(ldexp(square(angle), -1)), Ball(1)) /
                PLAUDIT_BOUND("half.norm_cosine", cosine, Ball(1)) * turn(c, angle, r) * axis;
  if (tau < 0) result *= exp(PLAUDIT_BOUND("half.norm_angle", s_max, Ball(0)) * c.a * angle);
  return result.is_finite() ? result : positive_infinity();
}

// Proof: docs/proofs/sampling.md#half-ends
Ball HalfIntegral::outside(const Constants& c, const Ball& r, const Strip& strip) const {
  const Ball low = Ball(strip.d) * Ball(strip.first);
  const Ball high = Ball(strip.d) * Ball(strip.last);
  const Ball far = c.half + high;
  const Ball slope = max(r, Ball(0)) * c.a;
  if (!certainly_less_equal(low, Ball(0)) || !certainly_greater_equal(high, Ball(0)) ||
      PLAUDIT_BOUND("half.far_end_falls", !certainly_greater_equal(far, slope), false)) {
    return positive_infinity();
  }
  const Ball angle(strip.eta);
  const Ball lift =
      PLAUDIT_BOUND("half.tail_gauss", exp(ldexp(square(angle), -1)), Ball(1)) * turn(c, angle, r);
  // f^r on [a/2, a/2 + e^low] is at most its value at one of the ends
  const Ball near = max(
      Ball(1),
      PLAUDIT_BOUND("half.near_end_grows", exp(r * log_ratio_ball(c.q, c.a * exp(low))), Ball(1)));
  const Ball left = normal_density(c.half) * near * exp(low);
  const Ball right =
      exp(r * log_ratio_ball(c.q, c.a * high) + ldexp(square(slope), -1) - slope * far) *
      normal_cdf(slope - far);
  const Ball result = lift * (PLAUDIT_BOUND("half.near_end", left, Ball(0)) +
                              PLAUDIT_BOUND("half.far_end", right, Ball(0)));
  return result.is_finite() ? result : positive_infinity();
}

// Proof: docs/proofs/sampling.md#half-quadrature
Ball HalfIntegral::on_axis(const Ball& r, double nats) const {
  const double r_near = r.estimate();
  const Strip strip = choose(r_near, nats, true);
  check_affordable(strip);
  const PrecisionScope scope(std::max(
      working_precision(),
      bits_for(nats, largest_exponent(strip, r_near, 0), static_cast<double>(strip.size()))));
  if (const std::optional<Ball> value = by_points(r, strip)) return *value;
  if (nats < 40) return on_axis(r, nats + 10);
  throw std::domain_error("half integral: no finite error bound");
}

// Proof: docs/proofs/sampling.md#half-quadrature
std::optional<Ball> HalfIntegral::by_points(const Ball& r, const Strip& strip) const {
  const Constants c = constants();
  const Ball d(strip.d);
  const Ball ratio = exp(d);
  Ball size = exp(d * Ball(strip.first));
  Ball sum;
  for (long j = strip.first; j <= strip.last; ++j) {
    if ((j & 15) == 0) check_work_limit();
    const Ball rise = log1p(size);
    sum += exp(r * log_ratio_ball(c.q, c.a * rise) + d * Ball(j) - rise -
               ldexp(square(c.half + rise), -1));
    size *= ratio;
  }
  sum *= d / sqrt(ldexp(pi(), 1));
  const Ball tails = charged(tails_term, outside(c, r, strip));
  const Ball slope = (ldexp(norm(c, strip.v, r, Ball(0), Ball(1)),
                            PLAUDIT_BOUND("half.both_edges_on_axis", 1, -3)) *
                      strip_trapezoid_factor(Ball(strip.v), Ball(strip.d)))
                         .upper();
  if (!certainly_less(slope, Ball(1)) || !tails.is_finite()) return std::nullopt;
  const Ball error = slope * (sum + tails) / (Ball(1) - slope);
  return clipped_nonnegative(widened(widened(sum, charged(quadrature_term, error)), tails));
}

// Proof: docs/proofs/sampling.md#half-quadrature
LineValues HalfIntegral::on_line(const Ball& r, const Ball& step, std::size_t count,
                                 double nats) const {
  require_upward(step);
  const double r_near = r.estimate();
  const Ball s_max = step * Ball(static_cast<long>(count > 0 ? count - 1 : 0));
  const Strip strip = choose(r_near, nats, false);
  check_affordable(strip);
  const Ball axis = on_axis(r, std::min(nats, 20.0)).upper();
  const PrecisionScope scope(std::max(
      working_precision(), bits_for(nats + log_norm(strip.eta, r_near),
                                    largest_exponent(strip, r_near, s_max.estimate()),
                                    static_cast<double>(strip.size())) +
                               precision_bits(1.5 * std::log2(2.0 + static_cast<double>(count)))));
  const Constants c = constants();
  const Ball scale = Ball(strip.d) / sqrt(ldexp(pi(), 1));

  LineValues result;
  result.points = strip.size();
  std::vector<ComplexBall> weights;
  std::vector<ComplexBall> bases;
  weights.reserve(strip.size());
  bases.reserve(strip.size());
  for (const Point& point : points(strip)) {
    if ((weights.size() & 15) == 0) check_work_limit();
    ComplexBall scaled = point.log_f;
    acb_mul_arb(scaled.raw(), scaled.raw(), r.raw(), working_precision());
    weights.push_back(exp(scaled + point.log_weight));
    acb_mul_arb(weights.back().raw(), weights.back().raw(), scale.raw(), working_precision());
    bases.push_back(exp(ComplexBall(-(point.log_f.imaginary() * step), point.log_f.real() * step)));
  }
  result.values = power_sums(weights, bases, count);
  const Ball quadrature =
      charged(quadrature_term,
              strip_trapezoid_error(norm(c, exact_sum(strip.eta, strip.v), r, s_max, axis),
                                    norm(c, exact_sum(strip.eta, -strip.v), r, s_max, axis),
                                    Ball(strip.v), Ball(strip.d)));
  const Ball tails = charged(tails_term, outside(c, r, strip));
  result.quadrature = (quadrature + tails).upper();
  for (ComplexBall& value : result.values) value = widened(value, result.quadrature);
  return result;
}

// Proof: docs/proofs/sampling.md#half-truncation
Ball HalfIntegral::bound_beyond(const Ball& r, const Ball& s, double nats) const {
  const Ball axis = on_axis(r, nats).upper();
  const double r_near = r.estimate();
  double eta = 0;
  estimate_log_decay(r_near, s.estimate(), &eta);
  eta = short_double(eta);
  if (!(eta > 0) || !certainly_nonnegative(s)) return axis;
  Strip strip{eta, 0, 0, 0, 0};
  for (int i = 0; i < 16; ++i) {
    const double v = short_double((greatest_angle() - eta) * std::pow(0.85, i));
    if (!(v > 0)) break;
    const double edges = (log_norm(eta + v, r_near) + log_norm(std::fabs(eta - v), r_near)) / 2 +
                         log_two + std::max(0.0, v - eta) * a_ * s.estimate() / 2;
    const double d = strip_step(v, nats + 4 + edges);
    if (d > strip.d) {
      strip.d = short_double(d);
      strip.v = v;
    }
  }
  if (!(strip.d > 0)) return axis;
  choose_range(strip, r_near, nats);
  check_affordable(strip);
  const PrecisionScope scope(
      std::max(64L, bits_for(nats, largest_exponent(strip, r_near, s.estimate()),
                             static_cast<double>(strip.size()))));
  const Ball result = shifted(r, s, strip, axis);
  return result.is_finite() ? min(result, axis).upper() : axis;
}

// Proof: docs/proofs/sampling.md#half-truncation
Ball HalfIntegral::shifted(const Ball& r, const Ball& s, const Strip& strip,
                           const Ball& axis) const {
  const Constants c = constants();
  Ball sum;
  for (const Point& point : points(strip)) {
    sum += exp(r * point.log_f.real() - s * point.log_f.imaginary() + point.log_weight.real());
  }
  sum *= Ball(strip.d) / sqrt(ldexp(pi(), 1));
  const Ball quadrature =
      charged(quadrature_term, ldexp(sqrt(norm(c, exact_sum(strip.eta, strip.v), r, s, axis) *
                                          norm(c, exact_sum(strip.eta, -strip.v), r, s, axis)),
                                     1) *
                                   strip_trapezoid_factor(Ball(strip.v), Ball(strip.d)));
  const Ball tails = charged(tails_term, outside(c, r, strip));
  return (sum + PLAUDIT_BOUND("half.beyond_quadrature", quadrature, Ball(0)) +
          PLAUDIT_BOUND("half.beyond_tails", tails, Ball(0)))
      .upper();
}

}  // namespace plaudit
