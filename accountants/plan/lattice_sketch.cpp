#include "accountants/plan/lattice_sketch.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lib/constants.hpp"

namespace plaudit {

namespace {
// Neighbours are lumped: so many parts at most of one width, and narrower ones around the greatest
// mass, where a part is at most 1/64 of its distance wide. So the variance of the law is kept to
// 1/(12 * 64^2), however far its tails reach, which the number of steps multiplies.
constexpr std::size_t most_parts = 1024;
constexpr std::size_t parts_of_distance = 64;
constexpr double nothing = -infinity;  ///< log 0
constexpr double greatest_log_tilt = 30;
constexpr int saddle_halvings = 30;
constexpr double negligible = -40;  ///< log of a part of the greatest one
// Orders that are tried for the aliases, on logarithmic scales: beyond the tilt, and down from 1.
constexpr int least_right = -8;
constexpr int greatest_right = 10;
constexpr double octaves_of_right = 0.75;
constexpr int greatest_left = 40;
constexpr double octaves_of_left = 0.5;
}  // namespace

template <class Loss, class LogMass>
void LatticeSketch::add(std::size_t points, std::uint64_t count, Loss&& loss, LogMass&& log_mass) {
  std::vector<double> logs;
  for (std::size_t i = 0; i < points; ++i) logs.push_back(log_mass(i));
  const auto peak =
      static_cast<std::size_t>(std::max_element(logs.begin(), logs.end()) - logs.begin());
  const std::size_t widest = std::max<std::size_t>(1, points / most_parts);
  Term term{{}, static_cast<double>(count)};
  std::size_t end = 0;
  for (std::size_t begin = 0; begin < points; begin = end) {
    const std::size_t distance = begin < peak ? peak - begin : begin - peak;
    const std::size_t width = std::clamp<std::size_t>(distance / parts_of_distance, 1, widest);
    end = std::min(begin + width, points);
    double greatest = nothing;
    for (std::size_t i = begin; i < end; ++i) greatest = std::max(greatest, logs[i]);
    if (greatest == nothing) continue;
    double mass = 0;
    double moment = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const double share = std::exp(logs[i] - greatest);
      mass += share;
      moment += share * loss(i);
    }
    term.parts.push_back({moment / mass, greatest + std::log(mass)});
  }
  terms_.push_back(std::move(term));
  known_.clear();
}

void LatticeSketch::add(const LatticeLaw& law, std::uint64_t count) {
  const double mesh = law.mesh.estimate();
  const double offset = law.offset.estimate();
  add(
      law.masses.size(), count,
      [&](std::size_t i) {
        return offset + mesh * static_cast<double>(law.first + static_cast<long>(i));
      },
      [&](std::size_t i) { return law.masses[i].estimate_log(); });
}

void LatticeSketch::add(std::function<CumulantEstimate(double)> cumulant, std::uint64_t count) {
  terms_.push_back({{}, static_cast<double>(count), std::move(cumulant)});
  known_.clear();
}

const CumulantEstimate& LatticeSketch::cumulant(double t) const {
  const auto place = known_.find(t);
  return place == known_.end() ? known_.emplace(t, sum_at(t)).first->second : place->second;
}

CumulantEstimate LatticeSketch::sum_at(double t) const {
  CumulantEstimate sum{0, 0, 0};
  for (const Term& term : terms_) {
    if (term.cumulant) {
      const CumulantEstimate one = term.cumulant(t);
      sum.value += term.count * one.value;
      sum.mean += term.count * one.mean;
      sum.variance += term.count * one.variance;
      continue;
    }
    double greatest = nothing;
    for (const Part& part : term.parts)
      greatest = std::max(greatest, part.log_mass + t * part.loss);
    double zero = 0;
    double one = 0;
    double two = 0;
    for (const Part& part : term.parts) {
      const double exponent = part.log_mass + t * part.loss - greatest;
      if (exponent < negligible) continue;
      const double weight = std::exp(exponent);
      zero += weight;
      one += weight * part.loss;
      two += weight * part.loss * part.loss;
    }
    const double mean = one / zero;
    sum.value += term.count * (greatest + std::log(zero));
    sum.mean += term.count * mean;
    sum.variance += term.count * std::max(0.0, two / zero - mean * mean);
  }
  return sum;
}

double LatticeSketch::saddle(double epsilon) const {
  double low = -greatest_log_tilt;
  double high = greatest_log_tilt;
  for (int i = 0; i < saddle_halvings; ++i) {
    const double u = (low + high) / 2;
    const double t = std::exp(u);
    (cumulant(t).mean < epsilon + 1 / t + 1 / (1 + t) ? low : high) = u;
  }
  return std::exp((low + high) / 2);
}

double LatticeSketch::log_delta(double epsilon, double t) const {
  const CumulantEstimate k = cumulant(t);
  const double curvature = k.variance + 1 / (t * t) + 1 / ((1 + t) * (1 + t));
  const double value = k.value - t * epsilon - std::log(t * (1 + t)) -
                       0.5 * std::log(2 * std::numbers::pi * curvature);
  return std::min(value, 0.0);
}

double LatticeSketch::epsilon_for(double wanted) const {
  double low = -greatest_log_tilt;
  double high = greatest_log_tilt;
  double epsilon = 0;
  for (int i = 0; i < saddle_halvings; ++i) {
    const double u = (low + high) / 2;
    const double t = std::exp(u);
    epsilon = cumulant(t).mean - 1 / t - 1 / (1 + t);
    // both epsilon and -log delta grow with the order
    (log_delta(epsilon, t) > wanted ? low : high) = u;
  }
  return epsilon;
}

LatticeSketch::Alias LatticeSketch::right_alias(double t, double epsilon, double log_size) const {
  Alias best{2 * t, infinity};
  for (int j = least_right; j <= greatest_right; ++j) {
    const double order = t * (1 + std::exp2(octaves_of_right * j));
    const double size =
        estimate_log_chernoff_factor(order) + cumulant(order).value - order * epsilon;
    const double period = (size - log_size) / (order - t);
    if (period < best.period) best = {order, period};
  }
  return best;
}

LatticeSketch::Alias LatticeSketch::left_alias(double t, double epsilon, double log_size) const {
  Alias best{1, infinity};
  for (int j = 0; j <= greatest_left; ++j) {
    const double order = std::exp2(-octaves_of_left * j);
    const double period = (cumulant(-order).value + order * epsilon - log_size) / (t + order);
    if (period < best.period) best = {order, period};
  }
  return best;
}

}  // namespace plaudit
