#include "mechanisms/mixtures/mixture_integral.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "lib/analysis/power_sums.hpp"
#include "lib/analysis/strip_quadrature.hpp"
#include "lib/balls/error_term.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/mixtures/likelihood_ratio.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm quadrature_term{"mixture.quadrature", "Theorem 3 (trapezoid on a strip)"};
constexpr ErrorTerm tails_term{"mixture.tails", "(3.T), tails of the integration over y"};
constexpr double log_two = 0.69314718055994530942;
constexpr double most_points = 4e5;
constexpr std::size_t most_ratios = 8;

long bits_for(double nats, double exponent_size, double points) {
  return 40 + precision_bits(std::max(0.0, nats) / log_two +
                             std::log2(2 + std::fabs(exponent_size)) + std::log2(2 + points));
}

using Bounds = MixtureBounds;
using Grid = MixtureGrid;

/// Heuristic choice of the line y + i eta and of the strip around it.
struct StripChoice {
  double eta = 0;
  double v = 0;
  double d = 0;
};

StripChoice choose_strip(const Bounds& bounds, const MixtureEstimate& estimate, double r, double s,
                         double nats, bool on_axis) {
  StripChoice best;
  double best_score = 0;
  const double most =
      std::min(0.97 * std::numbers::pi / estimate.greatest_rate(), 1.5 * std::sqrt(2 * nats) + 1);
  for (int i = 0; i < 16; ++i) {
    const double top = most * std::pow(0.8, i);  // eta + v
    for (const double share : {0.0, 0.5, 0.35, 0.2, 0.65}) {
      if (on_axis && share > 0) break;
      const double eta = short_double(share * top);
      const double v = short_double(top - eta);
      const double edges = std::max(bounds.log_norm(eta + v, r, s), bounds.log_norm(eta - v, r, s));
      const double d = strip_step(v, nats + edges + log_two);
      const double price = eta > 0 ? 1.3 : 1.0;  // complex logarithms
      if (d / price > best_score) {
        best_score = d / price;
        best = {eta, v, short_double(d)};
      }
    }
  }
  return best;
}

/// Chooses the grid so that what it leaves outside is below e^-nats (heuristically; the bound is
/// evaluated again by the caller).
Grid choose_grid(const Bounds& bounds, const MixtureEstimate& estimate, const Ball& r, double eta,
                 double d, double nats, double log_axis) {
  Grid grid;
  grid.d = d;
  double drop = nats + 3;
  for (int attempt = 0; attempt < 12; ++attempt) {
    const MixtureEstimate::Window window = estimate.window(r.estimate(), drop);
    const double low = std::min(window.low, 0.0);
    double high = std::max(window.high, 0.0);
    // A bump further right that hardly matters is passed where the bound of the tail is too rough.
    if (attempt > 1) {
      high = std::max(high, r.estimate() * estimate.greatest_rate() + std::sqrt(2 * drop));
    }
    if ((high - low) / d > most_points || !std::isfinite(high - low)) {
      throw std::domain_error("integral needs too many points");
    }
    grid.first = checked_integer(std::floor(low / d), "integral: the grid");
    grid.last = checked_integer(std::ceil(high / d), "integral: the grid");
    const PrecisionScope scope(64);
    const Ball rest = bounds.outside(r, eta, grid);
    if (rest.is_finite() && rest.upper().estimate_log() < log_axis - nats) break;
    drop = drop * 1.15 + 6;
  }
  return grid;
}

}  // namespace

MixtureIntegral::MixtureIntegral(const GaussianMixture& mixture)
    : mixture_(mixture), estimate_(mixture) {}

std::shared_ptr<const LikelihoodRatio> MixtureIntegral::ratio() const {
  const long bits = (working_precision() + 63) / 64 * 64;
  const std::lock_guard<std::mutex> lock(ratios_->mutex);
  auto& known = ratios_->known;
  const auto found = known.find(bits);
  if (found != known.end()) return found->second;
  const PrecisionScope scope(bits);
  const UncountedWork kept;
  auto made = std::make_shared<const LikelihoodRatio>(mixture_);
  if (known.size() >= most_ratios) known.clear();
  known.emplace(bits, made);
  return made;
}

MixtureBounds MixtureIntegral::rough_bounds() const {
  const PrecisionScope scope(64);
  return bounds();
}

// Proof: docs/proofs/straight_contour.md#line-quadrature
Ball MixtureIntegral::on_axis(const Ball& r, double nats) const {
  if (r.is_exact_zero() || (r - Ball(1)).is_exact_zero()) return Ball(1);
  const double r_near = r.estimate();
  const CumulantEstimate picture = estimate_.integral(r_near);
  const Bounds rough = rough_bounds();
  const StripChoice strip = choose_strip(rough, estimate_, r_near, 0, nats, true);
  const Grid grid = choose_grid(rough, estimate_, r, 0, strip.d, nats, picture.value);
  const double largest_log =
      std::max(std::fabs(estimate_.log_f(grid.low())), std::fabs(estimate_.log_f(grid.high())));
  const PrecisionScope scope(
      std::max(working_precision(),
               bits_for(nats, std::fabs(r_near) * largest_log + grid.high() * grid.high(),
                        static_cast<double>(grid.size()))));
  const Bounds bounds = this->bounds();
  const std::vector<Ball> logs = bounds.f().logs_on_grid(grid.d, grid.first, grid.last);
  const Ball d(grid.d);
  Ball sum;
  for (long j = grid.first; j <= grid.last; ++j) {
    if ((j & 255) == 0) check_work_limit();
    const Ball y = d * Ball(j);
    sum += exp(r * logs[static_cast<std::size_t>(j - grid.first)] - ldexp(square(y), -1));
  }
  sum *= d / sqrt(ldexp(pi(), 1));
  // |sum - A| <= factor (N(v) + N(-v)) + tails with N(v) = N(-v) <= slope A + base: solve for A.
  const Ball factor = ldexp(strip_trapezoid_factor(Ball(strip.v), d),
                            PLAUDIT_BOUND("mixture.both_edges_on_axis", 1, -3));
  const Ball tails = charged(tails_term, bounds.outside(r, 0, grid));
  Ball error = positive_infinity();
  for (const Bounds::Norm& norm : bounds.norms(strip.v, r, Ball(0), grid.d)) {
    const Ball slope = (norm.slope * factor).upper();
    if (!certainly_less(slope, Ball(1))) continue;
    const Ball axis = (sum + tails + norm.base * factor) / (Ball(1) - slope);
    const Ball candidate = slope * axis + norm.base * factor;
    if (candidate.is_finite()) error = min(error, candidate).upper();
  }
  if (!error.is_finite()) {
    // few nats leave a coarse grid, on which the bound of the error may not be below A itself
    if (nats < 40) return on_axis(r, nats + 10);
    throw std::domain_error("integral: no finite error bound");
  }
  return clipped_nonnegative(widened(widened(sum, charged(quadrature_term, error)), tails));
}

// Proof: docs/proofs/straight_contour.md#line-quadrature
LineValues MixtureIntegral::on_line(const Ball& r, const Ball& step, std::size_t count,
                                    double nats) const {
  require_upward(step);
  const double r_near = r.estimate();
  const Ball s_max = step * Ball(static_cast<long>(count > 0 ? count - 1 : 0));
  const double s_near = s_max.estimate();
  const CumulantEstimate picture = estimate_.integral(r_near);
  const Bounds rough = rough_bounds();
  const StripChoice strip = choose_strip(rough, estimate_, r_near, s_near, nats, false);
  // e^{eta^2/2} C_r(eta) is what the shift may cost in cancellation and in the tails.
  const double lift = rough.log_norm(strip.eta, r_near, 0);
  const Grid grid = choose_grid(rough, estimate_, r, strip.eta, strip.d, nats, picture.value);
  const Ball axis = on_axis(r, std::min(nats, 20.0)).upper();
  const double largest_log =
      std::max(std::fabs(estimate_.log_f(grid.low())), std::fabs(estimate_.log_f(grid.high())));
  const double exponent = (std::fabs(r_near) + s_near) * (largest_log + 4) +
                          grid.high() * grid.high() + grid.low() * grid.low();
  const PrecisionScope scope(std::max(
      working_precision(), bits_for(nats + lift, exponent, static_cast<double>(grid.size())) +
                               precision_bits(1.5 * std::log2(2.0 + static_cast<double>(count)))));
  const Bounds bounds = this->bounds();
  const Ball d(grid.d);
  const Ball eta(strip.eta);

  LineValues result;
  result.points = grid.size();
  const Ball scale = d / sqrt(ldexp(pi(), 1));

  std::vector<ComplexBall> logs;
  logs.reserve(grid.size());
  if (strip.eta == 0) {
    for (Ball& real : bounds.f().logs_on_grid(grid.d, grid.first, grid.last)) {
      logs.emplace_back(std::move(real));
    }
  } else {
    // arg f lies in [0, a_max eta], below pi: the principal branch is the right one.
    for (const ComplexBall& f : bounds.f().on_grid(grid.d, grid.first, grid.last, eta)) {
      if ((logs.size() & 63) == 0) check_work_limit();
      logs.push_back(log(f));
    }
  }

  // values[k] = sum_j g_j u_j^k with g = d phi f^r and u = e^{i step log f} at the points
  std::vector<ComplexBall> weights;
  std::vector<ComplexBall> bases;
  weights.reserve(grid.size());
  bases.reserve(grid.size());
  for (long j = grid.first; j <= grid.last; ++j) {
    if ((j & 63) == 0) check_work_limit();
    const Ball y = d * Ball(j);
    const ComplexBall& l = logs[static_cast<std::size_t>(j - grid.first)];
    ComplexBall scaled = l;
    acb_mul_arb(scaled.raw(), scaled.raw(), r.raw(), working_precision());
    // -(y + i eta)^2 / 2 + r log f
    scaled += ComplexBall(ldexp(square(eta) - square(y), -1), -(y * eta));
    weights.push_back(exp(scaled));
    acb_mul_arb(weights.back().raw(), weights.back().raw(), scale.raw(), working_precision());
    bases.push_back(exp(ComplexBall(-(l.imaginary() * step), l.real() * step)));
  }
  result.values = power_sums(weights, bases, count);

  const Ball above = bounds.norm(exact_sum(strip.eta, strip.v), r, s_max, axis, grid.d);
  const Ball below = bounds.norm(exact_sum(strip.eta, -strip.v), r, s_max, axis, grid.d);
  const Ball quadrature = charged(
      quadrature_term,
      strip_trapezoid_error(PLAUDIT_BOUND("mixture.upper_edge", above, Ball(0)),
                            PLAUDIT_BOUND("mixture.lower_edge", below, Ball(0)), Ball(strip.v), d));
  const Ball tails = charged(tails_term, bounds.outside(r, strip.eta, grid));
  result.quadrature = (quadrature + tails).upper();
  for (ComplexBall& value : result.values) value = widened(value, result.quadrature);
  return result;
}

ComplexBall MixtureIntegral::at(const ComplexBall& w, double nats) const {
  return by_reflection(w, [&](const ComplexBall& above) {
    const Ball s = above.imaginary();
    if (s.is_exact_zero()) return ComplexBall(on_axis(above.real(), nats));
    return on_line(above.real(), s, 2, nats).values[1];
  });
}

// Proof: docs/proofs/straight_contour.md#truncation
Ball MixtureIntegral::bound_beyond(const Ball& r, const Ball& s, double nats) const {
  const double r_near = r.estimate();
  const double s_near = s.estimate();
  const Ball axis = on_axis(r, nats).upper();
  double eta = 0;
  estimate_.log_decay(r_near, s_near, &eta);
  eta = short_double(eta);
  if (!(eta > 0) || !certainly_nonnegative(s)) return axis;

  // H(y), the holomorphic function that equals |F_w(y + i eta)| on the real line, in a strip of
  // half-width v around it.
  const Bounds rough = rough_bounds();
  const double room = 0.97 * std::numbers::pi / estimate_.greatest_rate() - eta;
  double v = 0;
  double d = 0;
  for (int i = 0; i < 24; ++i) {
    const double trial = short_double(std::min(room, 12.0) * std::pow(0.85, i));
    const double edges = (rough.log_norm(eta + trial, r_near, s_near) +
                          rough.log_norm(eta - trial, r_near, s_near)) /
                         2;
    const double step = strip_step(trial, nats + edges + log_two);
    if (step > d) {
      d = step;
      v = trial;
    }
  }
  d = short_double(d);
  if (!(v > 0) || !(d > 0)) return axis;
  const double log_axis = axis.estimate_log();
  const Grid grid = choose_grid(rough, estimate_, r, eta, d, nats, log_axis);
  const double largest_log =
      std::max(std::fabs(estimate_.log_f(grid.low())), std::fabs(estimate_.log_f(grid.high())));
  const PrecisionScope scope(std::max(
      64L, bits_for(nats + rough.log_norm(eta, r_near, 0),
                    (std::fabs(r_near) + s_near) * (largest_log + 4) + grid.high() * grid.high(),
                    static_cast<double>(grid.size()))));
  const Ball result = shifted(r, s, eta, v, grid, axis);
  if (!result.is_finite()) return axis;
  return min(result, axis).upper();
}

// Proof: docs/proofs/straight_contour.md#truncation
Ball MixtureIntegral::shifted(const Ball& r, const Ball& s, double eta, double v,
                              const MixtureGrid& grid, const Ball& axis) const {
  const Bounds bounds = this->bounds();
  const Ball step(grid.d);
  const Ball height(eta);
  const std::vector<ComplexBall> f = bounds.f().on_grid(grid.d, grid.first, grid.last, height);
  Ball sum;
  for (long j = grid.first; j <= grid.last; ++j) {
    if ((j & 255) == 0) check_work_limit();
    const Ball y = step * Ball(j);
    const ComplexBall l = log(f[static_cast<std::size_t>(j - grid.first)]);
    sum += exp(ldexp(square(height) - square(y), -1) + r * l.real() - s * l.imaginary());
  }
  sum *= step / sqrt(ldexp(pi(), 1));
  const Ball above = bounds.norm(exact_sum(eta, v), r, s, axis, grid.d);
  const Ball below = bounds.norm(exact_sum(eta, -v), r, s, axis, grid.d);
  const Ball quadrature = charged(
      quadrature_term, ldexp(sqrt(above * below), 1) * strip_trapezoid_factor(Ball(v), step));
  const Ball tails = charged(tails_term, bounds.outside(r, eta, grid));
  return (sum + PLAUDIT_BOUND("mixture.beyond_quadrature", quadrature, Ball(0)) +
          PLAUDIT_BOUND("mixture.beyond_tails", tails, Ball(0)))
      .upper();
}

double MixtureIntegral::estimate_points(double r, double s, double nats) const {
  const Bounds rough = rough_bounds();
  const StripChoice strip = choose_strip(rough, estimate_, r, s, nats, false);
  const MixtureEstimate::Window window = estimate_.window(r, nats);
  return (std::max(window.high, 0.0) - std::min(window.low, 0.0)) / strip.d;
}

}  // namespace plaudit
