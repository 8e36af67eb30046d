#include "mechanisms/replacement/mirrored_loss.hpp"

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

constexpr ErrorTerm quadrature_term{"mirrored.quadrature", "strip trapezoid, mirrored mixtures"};
constexpr ErrorTerm tails_term{"mirrored.tails", "tails of the integration, mirrored mixtures"};
constexpr double log_two = 0.69314718055994530942;
constexpr double log_sqrt_two_pi = 0.91893853320467274178;
constexpr long most_points = 200000;

double nats_in_force() { return static_cast<double>(working_precision()) * log_two; }

}  // namespace

MirroredLoss::MirroredLoss(GaussianMixture mixture)
    : mixture_(std::move(mixture)), estimate_(mixture_) {}

// ---- distribution functions

double MirroredLoss::estimate_loss(double y, double* slope) const {
  double right = 0;
  double left = 0;
  const double result = estimate_.log_f(y, right) - estimate_.log_f(-y, left);
  if (slope != nullptr) *slope = right + left;
  return result;
}

// L(y) is odd and increasing: bracket in floating point, Newton on midpoints, certify by two signs.
std::optional<Ball> MirroredLoss::root(const Ball& x) const {
  const LikelihoodRatio a(mixture_);
  const auto loss = [&](const Ball& y) { return a.log_value(y) - a.log_value(-y); };
  const double goal = x.estimate();
  double high = 1;
  while (estimate_loss(high) < std::fabs(goal) && high < 1e300) high *= 2;
  double low = -high;
  for (int i = 0; i < 120; ++i) {
    const double middle = (low + high) / 2;
    (estimate_loss(middle) < goal ? low : high) = middle;
  }
  Ball y((low + high) / 2);
  for (int i = 0; i < 30; ++i) {
    const Ball change = ((loss(y) - x) / (a.mean_rate(y) + a.mean_rate(-y))).middle();
    if (!change.is_finite()) break;
    y = (y - change).middle();
    if (change.estimate_log() < y.estimate_log() - nats_in_force()) break;
  }
  Ball distance = ldexp(max(abs(y), ldexp(Ball(1), -20)), -working_precision() + 2).middle();
  for (int i = 0; i < 4 * working_precision(); ++i) {
    const Ball left = (y - distance).middle();
    const Ball right = (y + distance).middle();
    if (certainly_less(loss(left), x) && certainly_greater(loss(right), x)) {
      return hull(left, right);
    }
    distance = ldexp(distance, 1);
  }
  return std::nullopt;
}

Ball MirroredLoss::mass_above(const Ball& y, int sign) const {
  Ball sum;
  for (std::size_t i = 0; i < mixture_.sensitivities.size(); ++i) {
    const Ball rate(Rational(mixture_.sensitivities[i] / mixture_.sigma));
    sum += Ball(mixture_.probabilities[i]) * normal_cdf(Ball(sign) * rate - y);
  }
  return sum;
}

// Proof: docs/proofs/mirrored.md#law
Ball MirroredLoss::p_above(const Ball& x) const {
  const std::optional<Ball> y = root(x);
  return y ? mass_above(*y, 1) : ldexp(widened(Ball(1), Ball(1)), -1);
}

Ball MirroredLoss::q_above(const Ball& x) const {
  const std::optional<Ball> y = root(x);
  return y ? mass_above(*y, -1) : ldexp(widened(Ball(1), Ball(1)), -1);
}

Ball MirroredLoss::p_atom(const Ball&) const { return Ball(0); }

std::optional<Ball> MirroredLoss::density(const Ball& x) const {
  const std::optional<Ball> y = root(x);
  if (!y) return std::nullopt;
  const LikelihoodRatio a(mixture_);
  return normal_density(*y) * a.value(*y) / (a.mean_rate(*y) + a.mean_rate(-*y));
}

Ball MirroredLoss::least_loss() const { return -positive_infinity(); }
Ball MirroredLoss::greatest_loss() const { return positive_infinity(); }

// ---- choices in floating point

double MirroredLoss::log_norm(double e, double t) const {
  const double spread = estimate_.greatest_rate() * std::fabs(e);
  if (spread >= 0.999 * std::numbers::pi) return 1e300;
  return e * e / 2 + (std::min(0.0, 1 + t) + std::min(0.0, -t)) * std::log(std::cos(spread / 2));
}

MirroredLoss::Strip MirroredLoss::choose(double t, double nats, bool on_axis) const {
  Strip best;
  const double most =
      std::min(0.97 * std::numbers::pi / estimate_.greatest_rate(), 1.5 * std::sqrt(2 * nats) + 1);
  for (int i = 0; i < 16; ++i) {
    const double top = most * std::pow(0.85, i);
    const double eta = on_axis ? 0 : short_double(top / 2);
    const double v = on_axis ? short_double(top) : eta;
    const double d = strip_step(v, nats + 2 + log_norm(top, t) + log_two);
    if (d > best.d) best = {eta, v, short_double(d), 0};
  }
  return best;
}

void MirroredLoss::choose_range(Strip& strip, const Ball& t, double nats, double log_axis) const {
  const double t_near = t.estimate();
  double drop = nats - 2;
  for (int attempt = 0; attempt < 12; ++attempt) {
    const double reach = std::max(
        {estimate_.window(1 + t_near, drop).high, estimate_.window(-t_near, drop).high, 1.0});
    strip.last = checked_integer(std::ceil(reach / strip.d), "integral: the grid");
    if (strip.last > most_points) throw std::domain_error("integral needs too many points");
    const PrecisionScope scope(64);
    const Ball rest = outside(LikelihoodRatio(mixture_), t, strip);
    if (rest.is_finite() && rest.upper().estimate_log() < log_axis - nats) return;
    drop = drop * 1.15 + 6;
  }
}

long MirroredLoss::bits_for(const Strip& strip, double t, double s, double nats) const {
  const double high = static_cast<double>(strip.last) * strip.d;
  const double largest = std::fabs(estimate_.log_f(high)) + std::fabs(estimate_.log_f(-high)) + 4;
  const double exponent = (1 + std::fabs(t) + s) * largest + high * high;
  return 48 + precision_bits((std::max(nats, 0.0) + log_norm(strip.eta, t)) / log_two +
                             std::log2(2 + exponent) +
                             std::log2(2.0 * static_cast<double>(strip.last) + 3));
}

// ---- the integral

// Proof: docs/proofs/mirrored.md#norm
Ball MirroredLoss::norm(const LikelihoodRatio& a, double e, const Ball& t, const Ball& s_max,
                        const Ball& axis) const {
  const Ball height(e);
  if (!certainly_less(abs(height) * a.greatest_rate(),
                      PLAUDIT_BOUND("mirrored.strip_without_zeros", pi(), ldexp(pi(), 1))))
    return positive_infinity();
  const Ball gauss = PLAUDIT_BOUND("mirrored.norm_gauss", exp(ldexp(square(height), -1)), Ball(1));
  const Ball turned = a.turn_factor(t + Ball(1), height, std::nullopt);
  const Ball mirrored = a.turn_factor(-t, height, std::nullopt);
  Ball result = gauss * PLAUDIT_BOUND("mirrored.norm_turned", turned, Ball(1)) *
                PLAUDIT_BOUND("mirrored.norm_mirrored", mirrored, Ball(1)) * axis;
  const Ball angle = a.turn_angle(height, std::nullopt);
  if (e < 0) result *= exp(ldexp(s_max * angle, PLAUDIT_BOUND("mirrored.norm_both_angles", 1, 0)));
  return result.is_finite() ? result : positive_infinity();
}

// Proof: docs/proofs/mirrored.md#tails
Ball MirroredLoss::outside(const LikelihoodRatio& a, const Ball& t, const Strip& strip) const {
  const Ball edge = Ball(strip.d) * Ball(strip.last);
  const auto right = [&](const Ball& order) {
    const Ball mirrored = certainly_nonnegative(order)
                              ? exp(-order * log(a.at_minus_infinity()))
                              : PLAUDIT_BOUND("mirrored.tail_factor_grows",
                                              max(Ball(1), exp(-order * a.log_value(-edge))),
                                              exp(-order * a.log_value(-edge)));
    return a.right_tail(order + Ball(1), strip.last, strip.d) *
           PLAUDIT_BOUND("mirrored.tail_factor", mirrored, Ball(1));
  };
  const Ball height(strip.eta);
  const Ball turned =
      a.turn_factor(t + Ball(1), height, std::nullopt) * a.turn_factor(-t, height, std::nullopt);
  const Ball both = PLAUDIT_BOUND("mirrored.right_tail", right(t), Ball(0)) +
                    PLAUDIT_BOUND("mirrored.left_tail", right(-Ball(1) - t), Ball(0));
  const Ball result =
      PLAUDIT_BOUND("mirrored.tail_gauss", exp(ldexp(square(height), -1)), Ball(1)) *
      PLAUDIT_BOUND("mirrored.tail_turned", turned, Ball(1)) * both;
  return result.is_finite() ? result : positive_infinity();
}

// Proof: docs/proofs/mirrored.md#quadrature
Ball MirroredLoss::mgf(const Ball& t, double nats) const {
  if (t.is_exact_zero() || (t + Ball(1)).is_exact_zero()) return Ball(1);
  const double t_near = t.estimate();
  Strip strip = choose(t_near, nats, true);
  choose_range(strip, t, nats, estimate_cumulant(t_near).value);
  const PrecisionScope scope(std::max(working_precision(), bits_for(strip, t_near, 0, nats)));
  const LikelihoodRatio a(mixture_);
  const Ball d(strip.d);
  const std::vector<Ball> logs = a.logs_on_grid(strip.d, -strip.last, strip.last);
  Ball sum;
  for (std::size_t j = 0; j < logs.size(); ++j) {
    if ((j & 255) == 0) check_work_limit();
    const Ball y = d * Ball(static_cast<long>(j) - strip.last);
    sum += exp((t + Ball(1)) * logs[j] - t * logs[logs.size() - 1 - j] - ldexp(square(y), -1));
  }
  sum *= d / sqrt(ldexp(pi(), 1));
  const Ball tails = charged(tails_term, outside(a, t, strip));
  const Ball slope = (ldexp(norm(a, strip.v, t, Ball(0), Ball(1)),
                            PLAUDIT_BOUND("mirrored.both_edges_on_axis", 1, -3)) *
                      strip_trapezoid_factor(Ball(strip.v), d))
                         .upper();
  if (!certainly_less(slope, Ball(1)) || !tails.is_finite()) {
    if (nats < 40) return mgf(t, nats + 10);
    throw std::domain_error("integral: no finite error bound");
  }
  const Ball error = slope * (sum + tails) / (Ball(1) - slope);
  return clipped_nonnegative(widened(widened(sum, charged(quadrature_term, error)), tails));
}

Ball MirroredLoss::log_mgf(const Ball& t) const { return log(mgf(t, nats_in_force())); }

ComplexBall MirroredLoss::log_mgf(const ComplexBall& z) const {
  return by_reflection(z, [&](const ComplexBall& above) {
    const Ball s = above.imaginary();
    if (s.is_exact_zero()) return ComplexBall(log_mgf(above.real()));
    return log(mgf_on_line(above.real(), s, 2, nats_in_force()).values[1]);
  });
}

Ball MirroredLoss::mgf_upper(const Ball& t, double nats) const { return mgf(t, nats).upper(); }

// Proof: docs/proofs/mirrored.md#quadrature
LineValues MirroredLoss::mgf_on_line(const Ball& t, const Ball& step, std::size_t count,
                                     double nats) const {
  require_upward(step);
  const double t_near = t.estimate();
  const Ball s_max = step * Ball(static_cast<long>(count > 0 ? count - 1 : 0));
  const Ball axis = mgf_upper(t, std::min(nats, 20.0));
  Strip strip = choose(t_near, nats, false);
  choose_range(strip, t, nats, axis.estimate_log());
  const PrecisionScope scope(std::max(
      working_precision(), bits_for(strip, t_near, s_max.estimate(), nats) +
                               precision_bits(1.5 * std::log2(2.0 + static_cast<double>(count)))));
  return by_points(t, step, count, strip, axis);
}

// Proof: docs/proofs/mirrored.md#quadrature
LineValues MirroredLoss::by_points(const Ball& t, const Ball& step, std::size_t count,
                                   const Strip& strip, const Ball& axis) const {
  const Ball s_max = step * Ball(static_cast<long>(count > 0 ? count - 1 : 0));
  const LikelihoodRatio a(mixture_);
  const Ball d(strip.d);
  const Ball eta(strip.eta);
  const Ball scale = d / sqrt(ldexp(pi(), 1));
  // arg a lies in [0, a_max eta], below pi: the principal branch is the right one
  std::vector<ComplexBall> logs;
  for (const ComplexBall& value : a.on_grid(strip.d, -strip.last, strip.last, eta)) {
    if ((logs.size() & 63) == 0) check_work_limit();
    logs.push_back(log(value));
  }
  LineValues result;
  result.points = logs.size();
  std::vector<ComplexBall> weights;
  std::vector<ComplexBall> bases;
  for (std::size_t j = 0; j < logs.size(); ++j) {
    if ((j & 63) == 0) check_work_limit();
    const Ball y = d * Ball(static_cast<long>(j) - strip.last);
    // a(-(y + i eta)) is the conjugate of a(-y + i eta)
    const ComplexBall loss = logs[j] - conjugate(logs[logs.size() - 1 - j]);
    ComplexBall exponent = loss;
    acb_mul_arb(exponent.raw(), exponent.raw(), t.raw(), working_precision());
    exponent += logs[j] + ComplexBall(ldexp(square(eta) - square(y), -1), -(y * eta));
    weights.push_back(exp(exponent));
    acb_mul_arb(weights.back().raw(), weights.back().raw(), scale.raw(), working_precision());
    bases.push_back(exp(ComplexBall(-(loss.imaginary() * step), loss.real() * step)));
  }
  result.values = power_sums(weights, bases, count);
  const Ball quadrature =
      charged(quadrature_term,
              strip_trapezoid_error(
                  PLAUDIT_BOUND("mirrored.upper_edge",
                                norm(a, exact_sum(strip.eta, strip.v), t, s_max, axis), Ball(0)),
                  PLAUDIT_BOUND("mirrored.lower_edge",
                                norm(a, exact_sum(strip.eta, -strip.v), t, s_max, axis), Ball(0)),
                  Ball(strip.v), d));
  result.quadrature = (quadrature + charged(tails_term, outside(a, t, strip))).upper();
  for (ComplexBall& value : result.values) value = widened(value, result.quadrature);
  return result;
}

// Proof: docs/proofs/mirrored.md#truncation
Ball MirroredLoss::mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const {
  const Ball axis = mgf_upper(t, nats);
  const double t_near = t.estimate();
  const double s_near = s.estimate();
  Strip strip;
  estimate_log_decay(t_near, s_near, strip.eta);
  strip.eta = short_double(strip.eta);
  if (!(strip.eta > 0) || !certainly_nonnegative(s)) return axis;
  const double most = 0.97 * std::numbers::pi / estimate_.greatest_rate();
  for (int i = 0; i < 16; ++i) {
    const double v = short_double((std::min(most, 12.0) - strip.eta) * std::pow(0.85, i));
    const double edges = (log_norm(strip.eta + v, t_near) + log_norm(strip.eta - v, t_near)) / 2 +
                         std::max(0.0, v - strip.eta) * estimate_.greatest_rate() * s_near;
    const double d = strip_step(v, nats + edges + log_two);
    if (d > strip.d) {
      strip.d = short_double(d);
      strip.v = v;
    }
  }
  if (!(strip.d > 0)) return axis;
  choose_range(strip, t, nats, axis.estimate_log());
  const PrecisionScope scope(std::max(64L, bits_for(strip, t_near, s_near, nats)));
  const Ball bound = shifted(t, s, strip, axis);
  return bound.is_finite() ? min(axis, bound).upper() : axis;
}

// Proof: docs/proofs/mirrored.md#truncation
Ball MirroredLoss::shifted(const Ball& t, const Ball& s, const Strip& strip,
                           const Ball& axis) const {
  const LikelihoodRatio a(mixture_);
  const Ball d(strip.d);
  const Ball height(strip.eta);
  const std::vector<ComplexBall> values = a.on_grid(strip.d, -strip.last, strip.last, height);
  std::vector<ComplexBall> logs;
  logs.reserve(values.size());
  for (const ComplexBall& value : values) logs.push_back(log(value));
  Ball sum;
  for (std::size_t j = 0; j < logs.size(); ++j) {
    if ((j & 255) == 0) check_work_limit();
    const Ball y = d * Ball(static_cast<long>(j) - strip.last);
    const ComplexBall& mirrored = logs[logs.size() - 1 - j];
    sum += exp(ldexp(square(height) - square(y), -1) + (t + Ball(1)) * logs[j].real() -
               t * mirrored.real() - s * (logs[j].imaginary() + mirrored.imaginary()));
  }
  sum *= d / sqrt(ldexp(pi(), 1));
  const Ball quadrature =
      charged(quadrature_term, ldexp(sqrt(norm(a, exact_sum(strip.eta, strip.v), t, s, axis) *
                                          norm(a, exact_sum(strip.eta, -strip.v), t, s, axis)),
                                     1) *
                                   strip_trapezoid_factor(Ball(strip.v), d));
  const Ball tails = charged(tails_term, outside(a, t, strip));
  return (sum + PLAUDIT_BOUND("mirrored.beyond_quadrature", quadrature, Ball(0)) +
          PLAUDIT_BOUND("mirrored.beyond_tails", tails, Ball(0)))
      .upper();
}

// ---- estimates

CumulantEstimate MirroredLoss::estimate_cumulant(double t) const {
  const double step = std::min(0.3, 0.75 / estimate_.greatest_rate());
  const double reach =
      std::max({estimate_.window(1 + t, 40).high, estimate_.window(-t, 40).high, 9.0});
  const long last = clamped_integer(reach / step, 0, 40000);
  std::vector<double> losses;
  std::vector<double> heights;
  double peak = -std::numeric_limits<double>::infinity();
  double excess = 0;  // M(t) - 1 = int phi a (e^{tL} - 1), by the pairs +-y: no cancellation
  for (long j = -last; j <= last; ++j) {
    const double y = static_cast<double>(j) * step;
    const double log_a = estimate_.log_f(y);
    const double loss = log_a - estimate_.log_f(-y);
    losses.push_back(loss);
    heights.push_back(log_a + t * loss - y * y / 2 + std::log(step) - log_sqrt_two_pi);
    peak = std::max(peak, heights.back());
    if (j > 0) {
      // phi (a (e^{tl} - 1) + b (e^{-tl} - 1)), a = b e^l
      const double b = std::exp(log_a - loss - y * y / 2 - log_sqrt_two_pi) * step;
      const double sinh = std::sinh(t * loss / 2);
      excess += b * (std::expm1(loss) * std::expm1(t * loss) + 4 * sinh * sinh);
    }
  }
  double sum = 0;
  double sum1 = 0;
  for (std::size_t j = 0; j < losses.size(); ++j) {
    sum += std::exp(heights[j] - peak);
    sum1 += std::exp(heights[j] - peak) * losses[j];
  }
  const double mean = sum1 / sum;
  double sum2 = 0;
  for (std::size_t j = 0; j < losses.size(); ++j) {
    sum2 += std::exp(heights[j] - peak) * (losses[j] - mean) * (losses[j] - mean);
  }
  const double value = peak + std::log(sum);
  return {std::fabs(value) < 0.1 ? std::log1p(excess) : value, mean, sum2 / sum};
}

double MirroredLoss::estimate_log_decay(double t, double s) const {
  double unused = 0;
  return estimate_log_decay(t, s, unused);
}

double MirroredLoss::estimate_log_decay(double t, double s, double& best_eta) const {
  best_eta = 0;
  if (s <= 0) return 0;
  const double step = std::min(0.3, 0.75 / estimate_.greatest_rate());
  const double reach =
      std::max({estimate_.window(1 + t, 20).high, estimate_.window(-t, 20).high, 6.0});
  const long last = clamped_integer(reach / step, 0, 40000);
  std::vector<double> rates;
  std::vector<double> log_weights;
  for (std::size_t i = 0; i < mixture_.sensitivities.size(); ++i) {
    rates.push_back(estimate(mixture_.sensitivities[i] / mixture_.sigma));
    log_weights.push_back(estimate_log(mixture_.probabilities[i]) - rates[i] * rates[i] / 2);
  }
  struct Place {
    double y, log_a, log_b, height;
  };
  std::vector<Place> places;
  double peak = -std::numeric_limits<double>::infinity();
  for (long j = -last; j <= last; ++j) {
    const double y = static_cast<double>(j) * step;
    const double log_a = estimate_.log_f(y);
    const double log_b = estimate_.log_f(-y);
    places.push_back({y, log_a, log_b, (1 + t) * log_a - t * log_b - y * y / 2});
    peak = std::max(peak, places.back().height);
  }
  double whole = 0;
  for (const Place& p : places) whole += std::exp(p.height - peak);
  std::erase_if(places, [&](const Place& p) { return p.height - peak < -20; });
  const auto log_turned = [&](double y, double eta, double log_size) {
    std::complex<double> sum = 0;
    for (std::size_t i = 0; i < rates.size(); ++i) {
      const double size = log_weights[i] + rates[i] * y - log_size;
      if (size > -40) sum += std::polar(std::exp(size), rates[i] * eta);
    }
    return std::log(sum);
  };
  double best = 0;
  const double most = 0.97 * std::numbers::pi / estimate_.greatest_rate();
  for (int i = 0; i < 16; ++i) {
    const double eta = 0.85 * std::min(most, 8.0) * std::pow(0.75, i);
    double total = 0;
    for (const Place& p : places) {
      const std::complex<double> right = log_turned(p.y, eta, p.log_a);
      const std::complex<double> left = log_turned(-p.y, eta, p.log_b);
      total += std::exp(p.height - peak + eta * eta / 2 + (1 + t) * right.real() - t * left.real() -
                        s * (right.imag() + left.imag()));
    }
    const double here = std::log(total / whole);
    if (here < best) {
      best = here;
      best_eta = eta;
    } else if (best < 0) {
      break;
    }
  }
  return best;
}

double MirroredLoss::estimate_line_points(double t, double, double nats) const {
  const Strip strip = choose(t, nats, false);
  return 2 * std::max(estimate_.window(1 + t, nats).high, estimate_.window(-t, nats).high) /
         strip.d;
}

std::string MirroredLoss::describe() const {
  std::string text =
      "mixture of gaussians against its mirror image, sigma " + to_string(mixture_.sigma) + ":";
  for (std::size_t i = 0; i < mixture_.sensitivities.size(); ++i) {
    text += " " + to_string(mixture_.sensitivities[i]) + "@" + to_string(mixture_.probabilities[i]);
  }
  return text;
}

}  // namespace plaudit
