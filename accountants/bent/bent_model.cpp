#include "accountants/bent/bent_model.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"

namespace plaudit {

namespace {

using Complex = std::complex<double>;

constexpr double farthest_dominance = 1e4;
constexpr double negligible_square = 1e-12;  ///< |u|^2 where log(1 + u) is u

// The sum over the real line of a moment.
constexpr double reach_of_phi = 9;        ///< deviations beyond the peak of the integrand
constexpr long cells_of_phi = 160;        ///< of a sum over phi alone
constexpr double cells_of_deviation = 4;  ///< more, for each deviation that the peak is away
constexpr long most_more_cells = 3840;
constexpr double top_alone = 30;      ///< beyond the dominance: l is v to a double
constexpr double small_growth = 0.7;  ///< where the 1 that is left out of the product matters

// The distance from the pole is searched between these: on a grid, then by halving its step.
constexpr double least_distance = 1e-3;
constexpr double most_distance = 3e3;
constexpr int distances = 32;
constexpr int halvings = 8;
constexpr double nats_beyond_least = 20;
constexpr double difference = 0.02;  ///< relative, of the second difference at the best one

double log_add(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == -infinity ? a : a + std::log1p(std::exp(b - a));
}

}  // namespace

FactorModel::FactorModel(const GaussianMixture& mixture, double count_) : count(count_) {
  const std::size_t top = mixture.sensitivities.size() - 1;
  const double noise = estimate(mixture.sigma);
  const double shift = estimate(mixture.sensitivities[top]) / noise;
  const double base = estimate_log(mixture.probabilities[0]);
  const double complement = estimate(Rational(1 - mixture.probabilities[0]));
  lambda = complement < 0.5 ? -std::log1p(-complement) : -base;
  sigma = 1 / shift;
  origin = sigma * (base - estimate_log(mixture.probabilities[top])) + shift / 2;
  for (std::size_t i = 1; i < top; ++i) {
    const double c = estimate(mixture.sensitivities[i]) / noise;
    rate.push_back(c / shift);
    offset.push_back(c * (origin - c / 2) + estimate_log(mixture.probabilities[i]) - base);
    least_rate = std::min(least_rate, rate.back());
  }
  if (!rate.empty()) {
    double step = 1;
    while (remainder(dominance) >= 1 && dominance < farthest_dominance) {
      dominance += step;
      step *= 1.2;
    }
  }
}

double FactorModel::excess(double v) const {
  double sum = std::exp(v);
  for (std::size_t i = 0; i < rate.size(); ++i) sum += std::exp(rate[i] * v + offset[i]);
  return sum;
}

double FactorModel::remainder(double v) const {
  double sum = std::exp(-v);
  for (std::size_t i = 0; i < rate.size(); ++i) sum += std::exp((rate[i] - 1) * v + offset[i]);
  return sum;
}

Complex FactorModel::log_ratio(Complex v) const {
  if (v.real() > dominance + 1) {
    Complex q = std::exp(-v);
    for (std::size_t i = 0; i < rate.size(); ++i) q += std::exp((rate[i] - 1) * v + offset[i]);
    return v + std::log(1.0 + q);
  }
  Complex u = std::exp(v);
  for (std::size_t i = 0; i < rate.size(); ++i) u += std::exp(rate[i] * v + offset[i]);
  return std::norm(u) < negligible_square ? u : std::log(1.0 + u);
}

FactorModel::Moment FactorModel::moment(double w) const {
  const double high = std::max(w, 0.0) / sigma + reach_of_phi, low = -reach_of_phi;
  const auto cells =
      static_cast<int>(cells_of_phi + clamped_integer(cells_of_deviation * (high - reach_of_phi), 0,
                                                      most_more_cells));
  const double step = (high - low) / cells;
  double sum = 0, ones = 0, log_sum = -infinity;
  for (int j = 0; j <= cells; ++j) {
    const double y = low + j * step;
    const double v = (y - origin) / sigma;
    const double l = v > dominance + top_alone ? v : std::log1p(excess(v));
    ones += std::exp(-y * y / 2);
    sum += std::exp(-y * y / 2) * std::expm1(w * l);
    log_sum = log_add(log_sum, w * l - y * y / 2);
  }
  return {log_sum - std::log(ones), sum / ones};
}

BentModel::BentModel(const BentProblem& problem, double epsilon)
    : gaussian_(estimate(problem.gaussian_mean)),
      prefix_(problem.direction == Direction::remove ? epsilon : 0),
      has_gaussian_(problem.gaussian_mean != 0),
      removes_(problem.direction == Direction::remove) {
  double total = 0;
  for (const auto& factor : problem.mixtures) {
    factors_.emplace_back(factor.mixture, static_cast<double>(factor.count));
    total += factors_.back().count * factors_.back().lambda;
  }
  kappa_ = total + (removes_ ? epsilon : -epsilon);
}

double BentModel::log_integrand(double distance) const {
  const double w = removes_ ? 1 + distance : -distance;
  const double base = prefix_ - kappa_ * w - std::log(distance * (1 + distance));
  double whole = gaussian_ * w * (w - 1), small = 0;
  for (const FactorModel& factor : factors_) {
    const FactorModel::Moment moment = factor.moment(w);
    whole += factor.count * moment.logarithm;
    small += factor.count * std::log1p(moment.minus_one);
  }
  // remove: the 1 contributes nothing, so it can be left out
  if (removes_ && !has_gaussian_ && small < small_growth && small > 0) {
    whole = std::log(std::expm1(small));
  }
  return base + whole;
}

double BentModel::log_delta(double* best_distance) const {
  const double low = std::log(least_distance), high = std::log(most_distance);
  double best = infinity, where = 0;
  for (int i = 0; i <= distances; ++i) {
    const double u = low + (high - low) * i / distances;
    const double value = log_integrand(std::exp(u));
    if (value < best) best = value, where = u;
    if (value > best + nats_beyond_least) break;  // it is convex, and costs more far out
  }
  double reach = (high - low) / distances;
  for (int i = 0; i < halvings; ++i) {
    reach /= 2;
    for (const double side : {-reach, reach}) {
      const double value = log_integrand(std::exp(where + side));
      if (value < best) {
        best = value, where += side;
        break;
      }
    }
  }
  const double t = std::exp(where), d = difference;
  const double curvature =
      (log_integrand(t * (1 + d)) + log_integrand(t * (1 - d)) - 2 * best) / (d * d * t * t);
  if (best_distance != nullptr) *best_distance = t;
  return best - 0.5 * std::log(2 * std::numbers::pi * std::max(curvature, 1e-300));
}

}  // namespace plaudit
