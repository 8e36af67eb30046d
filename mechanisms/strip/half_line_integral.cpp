#include "mechanisms/strip/half_line_integral.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lib/constants.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

namespace {
constexpr double share_of_height = 0.97;  ///< of the strip in which the integrand has no zeros
constexpr double linear_from = 30;        ///< log(1 + e^x) is x to a double
}  // namespace

HalfLineIntegral::HalfLineIntegral(const ErrorTerm& quadrature, const ErrorTerm& tails, int side,
                                   double end, double greatest_rate)
    : StripIntegral(quadrature, tails), side_(side), end_(end), rate_(greatest_rate) {}

// ---- the integrand

void HalfLineIntegral::axis_points(const Strip& strip, const Sink<Ball>& sink) const {
  const Ball start = end();
  const Ball d(strip.d);
  const Ball ratio = exp(d);
  const auto log_f = this->log_f();
  Ball size = exp(d * Ball(strip.first));
  for (long j = strip.first; j <= strip.last; ++j) {
    const Ball rise = log1p(size);
    const Ball y = side_ > 0 ? start + rise : start - rise;
    // |dy / dx| = e^{x - rise}
    sink(log_f(rise), d * Ball(j) - rise - ldexp(square(y), -1));
    size *= ratio;
  }
}

void HalfLineIntegral::line_points(const Strip& strip, const Sink<ComplexBall>& sink) const {
  const ComplexBall start(end());
  const Ball d(strip.d);
  const Ball eta(side_ * strip.eta);
  const ComplexBall turn(cos(eta), sin(eta));
  const Ball ratio = exp(d);
  const auto log_f = complex_log_f();
  Ball size = exp(d * Ball(strip.first));
  for (long j = strip.first; j <= strip.last; ++j) {
    // rise = log(1 + e^zeta), principal as |Im zeta| < pi / 2
    ComplexBall grown = turn;
    grown.scale(size);
    const ComplexBall rise = log1p(grown);
    const ComplexBall y = side_ > 0 ? start + rise : start - rise;
    const ComplexBall zeta(d * Ball(j), eta);
    sink(log_f(rise), zeta - rise - ldexp(square(y), -1));
    size *= ratio;
  }
}

// Proof: docs/proofs/cut.md#norm, docs/proofs/sampling.md#half-norm
std::vector<StripIntegral::Norm> HalfLineIntegral::norms(double e, const Ball& r, const Ball& s_max,
                                                         double) const {
  const Ball angle = abs(Ball(e));
  const Ball cosine = cos(angle);
  const Ball rate = greatest_rate();
  if (!certainly_less(angle, ldexp(pi(), -1)) || !certainly_positive(cosine) ||
      !certainly_less(angle * rate,
                      PLAUDIT_BOUND("half_line.strip_without_zeros", pi(), ldexp(pi(), 1)))) {
    return {{positive_infinity(), Ball(0)}};
  }
  Ball slope = PLAUDIT_BOUND("half_line.norm_gauss", exp(ldexp(square(angle), -1)), Ball(1)) /
               PLAUDIT_BOUND("half_line.norm_cosine", cosine, Ball(1)) * turn(angle, r);
  if (e < 0) {
    slope *= exp(PLAUDIT_BOUND("half_line.norm_angle", s_max, Ball(0)) * greatest_argument(angle));
  }
  return {{slope.is_finite() ? slope.upper() : positive_infinity(), Ball(0)}};
}

// ---- choices in floating point

Place HalfLineIntegral::place(double x, const std::function<double(double)>& log_f_of) const {
  const double rise = x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
  const double y = end_ + side_ * rise;
  return {x, log_f_of(rise), x - rise - y * y / 2 + std::log(table_step) - log_sqrt_two_pi};
}

CumulantEstimate HalfLineIntegral::estimate(double r) const {
  return tabulated_cumulant(places(r), r);
}

double HalfLineIntegral::estimate_log_decay(double r, double s, double* best_eta) const {
  const auto turned = [&](const Place& p, double eta) -> TurnedPlace {
    const std::complex<double> zeta(p.x, side_ * eta);
    const std::complex<double> rise = p.x > linear_from ? zeta : std::log(1.0 + std::exp(zeta));
    const std::complex<double> y = end_ + static_cast<double>(side_) * rise;
    return {turned_log_f(p, rise),
            (zeta - rise - y * y / 2.0).real() + std::log(table_step) - log_sqrt_two_pi};
  };
  return tabulated_log_decay(places(r), r, s, greatest_height(), turned, best_eta);
}

double HalfLineIntegral::greatest_height() const {
  return share_of_height * std::min(std::numbers::pi / 2, std::numbers::pi / rate_);
}

double HalfLineIntegral::log_norm(double e, double r, double s_max) const {
  return e * e / 2 - std::log(std::cos(e)) + log_turn(std::fabs(e), r) +
         (e < 0 ? s_max * argument(-e) : 0.0);
}

double HalfLineIntegral::log_turn(double angle, double r) const {
  return std::min(r, 0.0) * std::log(std::cos(rate_ * angle / 2));
}

}  // namespace plaudit
