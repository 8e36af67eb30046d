#include "mechanisms/mixtures/cut_integral.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <stdexcept>

#include "lib/analysis/power_sums.hpp"
#include "lib/analysis/strip_quadrature.hpp"
#include "lib/balls/error_term.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/mixtures/mixture_estimate.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm quadrature_term{"cut.quadrature", "strip trapezoid on a half line"};
constexpr ErrorTerm tails_term{"cut.tails", "ends of the integration over the half line"};
constexpr double log_two = 0.69314718055994530942;
constexpr double log_sqrt_two_pi = 0.91893853320467274178;
constexpr double table_step = 0.25;

}  // namespace

CutIntegral::CutIntegral(const GaussianMixture& mixture, double cut)
    : mixture_(mixture), cut_(short_double(cut)) {
  const MixtureEstimate estimate(mixture);
  greatest_rate_ = estimate.greatest_rate();
  const long last = checked_integer((cut_ + 20) / table_step, "integral: the grid");
  for (long j = checked_integer(-40 / table_step, "integral: the grid"); j <= last; ++j) {
    const double u = static_cast<double>(j) * table_step;
    const double softplus = u > 0 ? u + std::log1p(std::exp(-u)) : std::log1p(std::exp(u));
    const double y = cut_ - softplus;
    y_.push_back(y);
    log_f_.push_back(estimate.log_f(y));
    log_weight_.push_back(-y * y / 2 + u - softplus + std::log(table_step) - log_sqrt_two_pi);
  }
}

CumulantEstimate CutIntegral::estimate(double r) const {
  double peak = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < y_.size(); ++i) peak = std::max(peak, r * log_f_[i] + log_weight_[i]);
  double sum = 0;
  double sum1 = 0;
  for (std::size_t i = 0; i < y_.size(); ++i) {
    const double weight = std::exp(r * log_f_[i] + log_weight_[i] - peak);
    sum += weight;
    sum1 += weight * log_f_[i];
  }
  const double mean = sum1 / sum;
  double sum2 = 0;
  for (std::size_t i = 0; i < y_.size(); ++i) {
    sum2 +=
        std::exp(r * log_f_[i] + log_weight_[i] - peak) * (log_f_[i] - mean) * (log_f_[i] - mean);
  }
  double value = peak + std::log(sum);
  if (std::fabs(value) < 0.1) {  // near 1: sum what differs from the mass of (-inf, Y)
    double excess = 0;
    for (std::size_t i = 0; i < y_.size(); ++i) {
      excess += std::exp(log_weight_[i]) * std::expm1(r * log_f_[i]);
    }
    value = std::log1p(excess - 0.5 * std::erfc(cut_ / std::numbers::sqrt2));
  }
  return {value, mean, sum2 / sum};
}

double CutIntegral::greatest_angle() const {
  return 0.97 * std::min(std::numbers::pi / 2, std::numbers::pi / greatest_rate_);
}

double CutIntegral::estimate_log_decay(double r, double s, double* best_eta) const {
  if (best_eta != nullptr) *best_eta = 0;
  if (s <= 0) return 0;
  double peak = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < y_.size(); ++i) peak = std::max(peak, r * log_f_[i] + log_weight_[i]);
  std::vector<double> shares;
  const MixtureEstimate estimate(mixture_);
  struct Place {
    double u, weight, log_f;
  };
  std::vector<Place> places;
  double sum = 0;
  for (std::size_t i = 0; i < y_.size(); ++i) {
    const double weight = std::exp(r * log_f_[i] + log_weight_[i] - peak);
    sum += weight;
    if (weight < 1e-11) continue;
    const double u = (static_cast<double>(i) + std::floor(-40 / table_step)) * table_step;
    places.push_back({u, r * log_f_[i] + log_weight_[i] - peak, log_f_[i]});
  }
  std::vector<double> rates;
  std::vector<double> log_weights;
  for (std::size_t i = 0; i < mixture_.sensitivities.size(); ++i) {
    rates.push_back(plaudit::estimate(mixture_.sensitivities[i] / mixture_.sigma));
    log_weights.push_back(estimate_log(mixture_.probabilities[i]) - rates[i] * rates[i] / 2);
  }
  const auto value = [&](double eta) {
    double total = 0;
    for (const Place& place : places) {
      const std::complex<double> zeta(place.u, -eta);
      const std::complex<double> rise = place.u > 30 ? zeta : std::log(1.0 + std::exp(zeta));
      const std::complex<double> y = cut_ - rise;
      std::complex<double> f = 0;
      for (std::size_t i = 0; i < rates.size(); ++i) {
        f += std::exp(log_weights[i] + rates[i] * y - place.log_f);
      }
      const std::complex<double> log_f = std::log(f) + place.log_f;
      const double log_weight =
          -(y * y).real() / 2 + (zeta - rise).real() + std::log(table_step) - log_sqrt_two_pi;
      total += std::exp(r * log_f.real() - s * log_f.imag() + log_weight - peak);
    }
    return std::log(total / sum);
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

CutIntegral::Strip CutIntegral::choose(double r, double nats, bool on_axis) const {
  Strip best{0, 0, 0, 0, 0};
  for (int i = 0; i < 12; ++i) {
    const double top = greatest_angle() * std::pow(0.9, i);
    const double eta = on_axis ? 0 : short_double(top / 2);
    const double v = on_axis ? short_double(top) : eta;
    const double edges = top * top / 2 - std::log(std::cos(top)) + log_two;
    const double d = strip_step(v, nats + edges);
    if (d > best.d) best = {eta, v, short_double(d), 0, 0};
  }
  choose_range(best, r, nats);
  return best;
}

void CutIntegral::choose_range(Strip& strip, double r, double nats) const {
  double peak = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < y_.size(); ++i) peak = std::max(peak, r * log_f_[i] + log_weight_[i]);
  const double edge = r * log_f_.front() - cut_ * cut_ / 2 - log_sqrt_two_pi - peak;
  const double low = std::min(-2.0, -(nats + edge + 4));
  const double high = cut_ + std::sqrt(2 * (nats + 8 + std::fabs(peak)));
  strip.first = checked_integer(std::floor(low / strip.d), "integral: the grid");
  strip.last = checked_integer(std::ceil(high / strip.d), "integral: the grid");
  if (strip.last - strip.first > 400000) throw std::domain_error("integral needs too many points");
}

std::vector<CutIntegral::Point> CutIntegral::points(const Strip& strip) const {
  std::vector<Point> result;
  result.reserve(strip.size());
  const Ball d(strip.d);
  const Ball cut(cut_);
  const ComplexBall turn(cos(Ball(strip.eta)), -sin(Ball(strip.eta)));
  const Ball ratio = exp(d);
  Ball size = exp(d * Ball(strip.first));
  std::vector<Ball> rates;
  std::vector<Ball> weights;
  for (std::size_t i = 0; i < mixture_.sensitivities.size(); ++i) {
    const Rational rate = mixture_.sensitivities[i] / mixture_.sigma;
    rates.emplace_back(rate);
    weights.push_back(Ball(mixture_.probabilities[i]) *
                      exp(Ball(Rational(-rate * rate / 2)) + rates.back() * cut));
  }
  for (long j = strip.first; j <= strip.last; ++j) {
    if ((j & 63) == 0) check_work_limit();
    // zeta = u - i eta; rise = log(1 + e^zeta), principal as |Im zeta| < pi / 2
    ComplexBall grown = turn;
    acb_mul_arb(grown.raw(), grown.raw(), size.raw(), working_precision());
    const ComplexBall rise = log1p(grown);
    ComplexBall f;
    for (std::size_t i = 0; i < rates.size(); ++i) {
      if (rates[i].is_exact_zero()) {
        f += ComplexBall(weights[i]);
        continue;
      }
      ComplexBall scaled = rise;
      acb_mul_arb(scaled.raw(), scaled.raw(), rates[i].raw(), working_precision());
      ComplexBall term = exp(-scaled);
      acb_mul_arb(term.raw(), term.raw(), weights[i].raw(), working_precision());
      f += term;
    }
    const ComplexBall y = ComplexBall(cut) - rise;
    const ComplexBall zeta(d * Ball(j), Ball(-strip.eta));
    ComplexBall half = square(y);
    acb_mul_2exp_si(half.raw(), half.raw(), -1);
    // -dy / dzeta = e^{zeta - rise}; arg f in [0, pi), so the principal logarithm is the right one
    result.push_back({log(f), zeta - rise - half});
    size *= ratio;
  }
  return result;
}

// Proof: docs/proofs/cut.md#ends
Ball CutIntegral::outside(const LikelihoodRatio& f, const Ball& r, const Strip& strip) const {
  const Ball cut(cut_);
  const Ball low = Ball(strip.d) * Ball(strip.first);
  const Ball high = Ball(strip.d) * Ball(strip.last);
  if (!certainly_less_equal(low, Ball(0)) || !certainly_greater_equal(high, cut) ||
      !certainly_nonnegative(r)) {
    return positive_infinity();
  }
  const Ball lift =
      PLAUDIT_BOUND("cut.tail_gauss", exp(ldexp(square(Ball(strip.eta)), -1)), Ball(1));
  const Ball nearest =
      PLAUDIT_BOUND("cut.nearest_to_peak", clipped_nonnegative(cut - exp(low)).lower(), cut);
  const Ball left = normal_density(nearest) * exp(r * f.log_value(cut) + low);
  const Ball right = exp(r * f.log_value(cut - high)) * normal_cdf(cut - high);
  const Ball result = lift * (PLAUDIT_BOUND("cut.near_end", left, Ball(0)) +
                              PLAUDIT_BOUND("cut.far_end", right, Ball(0)));
  return result.is_finite() ? result : positive_infinity();
}

// Proof: docs/proofs/cut.md#norm
Ball CutIntegral::norm(const LikelihoodRatio& f, double tau, const Ball& s_max,
                       const Ball& axis) const {
  const Ball angle(tau);
  const Ball cosine = cos(angle);
  if (!certainly_less(abs(angle), ldexp(pi(), -1)) || !certainly_positive(cosine) ||
      !certainly_less(abs(angle) * f.greatest_rate(),
                      PLAUDIT_BOUND("cut.strip_without_zeros", pi(), ldexp(pi(), 1)))) {
    return positive_infinity();
  }
  Ball result = PLAUDIT_BOUND("cut.norm_gauss", exp(ldexp(square(angle), -1)), Ball(1)) /
                PLAUDIT_BOUND("cut.norm_cosine", cosine, Ball(1)) * axis;
  if (tau < 0)
    result *= exp(PLAUDIT_BOUND("cut.norm_angle", s_max, Ball(0)) * f.greatest_rate() * abs(angle));
  return result.is_finite() ? result : positive_infinity();
}

namespace {
long bits_for(double nats, double exponent, double points) {
  return 48 + precision_bits(std::max(nats, 0.0) / log_two + std::log2(2 + std::fabs(exponent)) +
                             std::log2(2 + points));
}
}  // namespace

// Proof: docs/proofs/cut.md#quadrature
Ball CutIntegral::on_axis(const Ball& r, double nats) const {
  if (!certainly_nonnegative(r)) throw std::domain_error("cut integral needs a nonnegative power");
  const double r_near = r.estimate();
  const Strip strip = choose(r_near, nats, true);
  const double largest = r_near * std::fabs(log_f_.front()) + cut_ * cut_;
  const PrecisionScope scope(
      std::max(working_precision(), bits_for(nats, largest, static_cast<double>(strip.size()))));
  const LikelihoodRatio f(mixture_);
  const Ball d(strip.d);
  const Ball cut(cut_);
  const Ball ratio = exp(d);
  Ball size = exp(d * Ball(strip.first));
  Ball sum;
  for (long j = strip.first; j <= strip.last; ++j) {
    if ((j & 63) == 0) check_work_limit();
    const Ball rise = log1p(size);
    const Ball y = cut - rise;
    sum += exp(r * f.log_value(y) + d * Ball(j) - rise - ldexp(square(y), -1));
    size *= ratio;
  }
  sum *= d / sqrt(ldexp(pi(), 1));
  const Ball tails = charged(tails_term, outside(f, r, strip));
  const Ball slope =
      (ldexp(norm(f, strip.v, Ball(0), Ball(1)), PLAUDIT_BOUND("cut.both_edges_on_axis", 1, -3)) *
       strip_trapezoid_factor(Ball(strip.v), Ball(strip.d)))
          .upper();
  if (!certainly_less(slope, Ball(1)) || !tails.is_finite()) {
    throw std::domain_error("cut integral: no finite error bound");
  }
  const Ball error = slope * (sum + tails) / (Ball(1) - slope);
  return clipped_nonnegative(widened(widened(sum, charged(quadrature_term, error)), tails));
}

// Proof: docs/proofs/cut.md#quadrature
LineValues CutIntegral::on_line(const Ball& r, const Ball& step, std::size_t count,
                                double nats) const {
  require_upward(step);
  const double r_near = r.estimate();
  const Ball s_max = step * Ball(static_cast<long>(count > 0 ? count - 1 : 0));
  const Strip strip = choose(r_near, nats, false);
  const Ball axis = on_axis(r, std::min(nats, 20.0)).upper();
  const double exponent =
      (r_near + s_max.estimate()) * (std::fabs(log_f_.front()) + 4) + cut_ * cut_;
  const PrecisionScope scope(std::max(
      working_precision(), bits_for(nats + 2, exponent, static_cast<double>(strip.size())) +
                               precision_bits(1.5 * std::log2(2.0 + static_cast<double>(count)))));
  const LikelihoodRatio f(mixture_);
  const std::vector<Point> path = points(strip);
  const Ball scale = Ball(strip.d) / sqrt(ldexp(pi(), 1));

  LineValues result;
  result.points = strip.size();
  std::vector<ComplexBall> weights;
  std::vector<ComplexBall> bases;
  weights.reserve(path.size());
  bases.reserve(path.size());
  for (const Point& point : path) {
    if ((weights.size() & 63) == 0) check_work_limit();
    ComplexBall scaled = point.log_f;
    acb_mul_arb(scaled.raw(), scaled.raw(), r.raw(), working_precision());
    weights.push_back(exp(scaled + point.log_weight));
    acb_mul_arb(weights.back().raw(), weights.back().raw(), scale.raw(), working_precision());
    bases.push_back(exp(ComplexBall(-(point.log_f.imaginary() * step), point.log_f.real() * step)));
  }
  result.values = power_sums(weights, bases, count);
  const Ball quadrature = charged(
      quadrature_term, strip_trapezoid_error(norm(f, exact_sum(strip.eta, strip.v), s_max, axis),
                                             norm(f, exact_sum(strip.eta, -strip.v), s_max, axis),
                                             Ball(strip.v), Ball(strip.d)));
  const Ball tails = charged(tails_term, outside(f, r, strip));
  result.quadrature = (quadrature + tails).upper();
  for (ComplexBall& value : result.values) value = widened(value, result.quadrature);
  return result;
}

// Proof: docs/proofs/cut.md#truncation
Ball CutIntegral::bound_beyond(const Ball& r, const Ball& s, double nats) const {
  const Ball axis = on_axis(r, nats).upper();
  double eta = 0;
  estimate_log_decay(r.estimate(), s.estimate(), &eta);
  eta = short_double(eta);
  if (!(eta > 0) || !certainly_nonnegative(s)) return axis;
  Strip strip{eta, 0, 0, 0, 0};
  const double rate = greatest_rate_ * s.estimate();
  for (int i = 0; i < 16; ++i) {
    const double v = short_double((greatest_angle() - eta) * std::pow(0.85, i));
    if (!(v > 0)) break;
    const double top = eta + v;
    const double edges =
        top * top / 4 - std::log(std::cos(top)) / 2 + log_two + std::max(0.0, v - eta) * rate / 2;
    const double d = strip_step(v, nats + edges);
    if (d > strip.d) {
      strip.d = short_double(d);
      strip.v = v;
    }
  }
  if (!(strip.d > 0)) return axis;
  choose_range(strip, r.estimate(), nats);
  const double exponent =
      (r.estimate() + s.estimate()) * (std::fabs(log_f_.front()) + 4) + cut_ * cut_;
  const PrecisionScope scope(
      std::max(64L, bits_for(nats, exponent, static_cast<double>(strip.size()))));
  const Ball result = shifted(r, s, strip, axis);
  return result.is_finite() ? min(result, axis).upper() : axis;
}

// Proof: docs/proofs/cut.md#truncation
Ball CutIntegral::shifted(const Ball& r, const Ball& s, const Strip& strip,
                          const Ball& axis) const {
  const LikelihoodRatio f(mixture_);
  Ball sum;
  for (const Point& point : points(strip)) {
    sum += exp(r * point.log_f.real() - s * point.log_f.imaginary() + point.log_weight.real());
  }
  sum *= Ball(strip.d) / sqrt(ldexp(pi(), 1));
  const Ball quadrature =
      charged(quadrature_term, ldexp(sqrt(norm(f, exact_sum(strip.eta, strip.v), s, axis) *
                                          norm(f, exact_sum(strip.eta, -strip.v), s, axis)),
                                     1) *
                                   strip_trapezoid_factor(Ball(strip.v), Ball(strip.d)));
  const Ball tails = charged(tails_term, outside(f, r, strip));
  return (sum + PLAUDIT_BOUND("cut.beyond_quadrature", quadrature, Ball(0)) +
          PLAUDIT_BOUND("cut.beyond_tails", tails, Ball(0)))
      .upper();
}

double CutIntegral::estimate_points(double nats) const {
  return (nats + cut_ + std::sqrt(2 * nats)) / strip_step(greatest_angle() / 2, nats + 2);
}

}  // namespace plaudit
