#include "verification/forms/floating_forms.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/laplace.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

namespace plaudit {

namespace {

namespace bm = boost::math;

// Boost documents errors of some ulps for erfc, and of up to some thousands for the incomplete beta
// function at arguments of this size; an argument that is itself rounded adds its own.
constexpr double unit = std::numeric_limits<double>::epsilon();
constexpr double ulps_of_normal = 16;
constexpr double ulps_of_beta = 1e5;
constexpr double most_steps = 1e6;        ///< of a binomial sum; n of more has no form here
constexpr double greatest_epsilon = 600;  ///< e^eps is a double
constexpr std::uintmax_t most_calls = 200;

/// P(above) - e^eps Q(above), both given with relative tolerances; what is below 1e-300 may be 0 as
/// a double.
FloatingForm difference(double p, double p_error, double q, double q_error, double epsilon) {
  const double growth = std::exp(epsilon);
  const double scaled = growth * q;
  const double tolerance =
      p * p_error + scaled * (q_error + unit * (4 + std::fabs(epsilon))) + 1e-300 * (1 + growth);
  return {std::max(0.0, p - scaled), tolerance};
}

struct Tail {
  double value = 0;
  double relative = 0;
};

/// Phi(x).
Tail normal_below(double x) {
  return {bm::cdf(bm::normal(), x), ulps_of_normal * unit * (1 + x * x)};
}

struct FloatingEvaluation {
  double epsilon;

  std::optional<FloatingForm> operator()(const pairs::Gaussian& run) const {
    const double mean = estimate(run.mean);
    const double deviation = std::sqrt(2 * mean);
    const Tail p = normal_below((mean - epsilon) / deviation);
    const Tail q = normal_below((-mean - epsilon) / deviation);
    // a difference of nearly equal arguments: mean and epsilon are rounded each
    const double apart = (mean + std::fabs(epsilon)) / deviation;
    const double more = ulps_of_normal * unit * apart * (1 + apart);
    return difference(p.value, p.relative + more, q.value, q.relative + more, epsilon);
  }

  std::optional<FloatingForm> operator()(const pairs::Box& run) const {
    // remove: L > eps where the output lies beyond (mu + eps) / 2 towards P's centre
    const double mu = estimate(run.width);
    const double relative = ulps_of_normal * unit * (1 + mu + std::fabs(epsilon));
    if (epsilon >= mu) return FloatingForm{0, relative};  // next to a tie both are rounded
    const bm::laplace law;
    const double threshold = std::max(0.0, (mu + epsilon) / 2);
    if (epsilon < -mu) return difference(1, 4 * unit, 1, 4 * unit, epsilon);
    return difference(bm::cdf(bm::complement(law, threshold - mu)), relative,
                      bm::cdf(bm::complement(law, threshold)), relative, epsilon);
  }

  /// Equal steps of losses +-e0, with any masses at infinity.
  std::optional<FloatingForm> two_points(const std::vector<pairs::Step>& steps) const {
    const pairs::TwoPoints law = *pairs::two_points_of(*steps[0].law);
    const double loss = estimate(law.loss) + estimate_log(law.odds);
    double n = 0;
    for (const pairs::Step& step : steps) n += static_cast<double>(step.count);
    if (n > most_steps) return std::nullopt;
    if (!(loss > 0)) return std::nullopt;
    double finite = 1;
    for (const pairs::Step& step : steps) {
      finite *= std::pow(1 - estimate(std::get<pairs::Finite>(*step.law).infinite),
                         static_cast<double>(step.count));
    }
    // L = (n - 2 i) loss exceeds eps where i < (n - eps / loss) / 2
    const double edge = (n - epsilon / loss) / 2;
    if (std::fabs(edge - std::round(edge)) < 1e-6 * (1 + n)) return std::nullopt;  // a tie
    if (edge < 0) return FloatingForm{1 - finite, unit * n};
    const double most = std::min(std::floor(edge), n);
    const double rare = 1 / (1 + std::exp(loss));
    // Of the other law i is n - j, j draws of the rare one: 1 - rare would be rounded.
    const bm::binomial draws(n, rare);
    const double other = n - most - 1;
    // the share is rounded: the logarithm of a mass changes by (i - n share) / (1 - share) as much
    const double relative = unit * (ulps_of_beta + ulps_of_normal * n);
    const FloatingForm found =
        difference(bm::cdf(draws, most), relative,
                   other < 0 ? 1 : bm::cdf(bm::complement(draws, other)), relative, epsilon);
    return FloatingForm{(1 - finite) + finite * found.value,
                        finite * found.tolerance + unit * (4 + n)};
  }

  std::optional<FloatingForm> operator()(const pairs::Line& run) const {
    if (run.q != pairs::Weights{{0, 1}}) return std::nullopt;
    const bool remove = !run.swapped;
    const double least = run.p.contains(0) ? estimate(run.p.at(0)) : 0;
    const double level = std::exp(remove ? epsilon : -epsilon);
    if (level <= least * (1 + 1e-9)) return std::nullopt;
    const std::optional<double> root = crossing(run, std::log(level));
    if (!root) return std::nullopt;
    // at the root itself the difference is greatest, so that its rounding matters in second order
    const double sigma = estimate(run.sigma);
    const double sign = remove ? 1 : -1;
    Tail mixed;
    for (const auto& [centre, weight] : run.p) {
      const double c = estimate(centre);
      const Tail one = normal_below(sign * (c - *root) / sigma);
      const double apart = (std::fabs(c) + std::fabs(*root)) / sigma;
      mixed.value += estimate(weight) * one.value;
      mixed.relative =
          std::max(mixed.relative, one.relative + ulps_of_normal * unit * apart * (1 + apart));
    }
    const Tail plain = normal_below(-sign * *root / sigma);
    const Tail& p = remove ? mixed : plain;
    const Tail& q = remove ? plain : mixed;
    return difference(p.value, p.relative, q.value, q.relative, epsilon);
  }

 private:
  /// Where the likelihood ratio of the mixture is e^log_level.
  static std::optional<double> crossing(const pairs::Line& run, double log_level) {
    const double sigma = estimate(run.sigma);
    const auto excess = [&](double y) {
      double sum = 0;
      for (const auto& [centre, weight] : run.p) {
        const double c = estimate(centre);
        sum += estimate(weight) *
               std::exp(std::min(700.0, c * (y - c / 2) / (sigma * sigma) - log_level));
      }
      return sum - 1;
    };
    double low = -sigma;
    double high = sigma;
    while (excess(low) > 0 && low > -1e9 * sigma) low *= 2;
    while (excess(high) < 0 && high < 1e9 * sigma) high *= 2;
    if (!(excess(low) < 0 && excess(high) > 0)) return std::nullopt;
    std::uintmax_t calls = most_calls;
    const auto found =
        bm::tools::toms748_solve(excess, low, high, bm::tools::eps_tolerance<double>(), calls);
    return (found.first + found.second) / 2;
  }
};

/// One law of delta, where all steps together have one.
std::optional<FloatingForm> evaluated(const std::vector<pairs::Step>& steps, double epsilon) {
  const FloatingEvaluation evaluation{epsilon};
  Rational mean = 0;
  for (const pairs::Step& step : steps) {
    const auto* one = std::get_if<pairs::Gaussian>(step.law.get());
    if (one != nullptr) mean += one->mean * Rational(Integer(step.count));
    if (one == nullptr && mean > 0) return std::nullopt;
    if (one == nullptr) break;
  }
  if (steps.empty()) return std::nullopt;
  if (mean > 0) return evaluation(pairs::Gaussian{mean});
  const auto law = pairs::two_points_of(*steps[0].law);
  const auto equal = [&](const pairs::Step& step) {
    return law && pairs::two_points_of(*step.law) == law;
  };
  if (std::all_of(steps.begin(), steps.end(), equal)) return evaluation.two_points(steps);
  if (steps.size() != 1 || steps[0].count != 1) return std::nullopt;
  if (const auto* one = std::get_if<pairs::Line>(steps[0].law.get())) return evaluation(*one);
  const auto* box = std::get_if<pairs::Box>(steps[0].law.get());
  return box != nullptr && box->atoms ? evaluation(*box) : std::nullopt;
}

}  // namespace

std::optional<FloatingForm> floating_delta(const std::vector<pairs::Step>& steps,
                                           const Rational& epsilon) {
  const double near = estimate(epsilon);
  if (!(std::fabs(near) < greatest_epsilon)) return std::nullopt;
  const std::optional<FloatingForm> found = evaluated(steps, near);
  if (!found || !std::isfinite(found->value) || !std::isfinite(found->tolerance)) {
    return std::nullopt;
  }
  return found;
}

std::optional<FloatingForm> floating_form_delta(const std::string& spec, Direction direction,
                                                const Rational& epsilon) {
  const auto steps = pairs::steps_of(spec, direction);
  return steps ? floating_delta(*steps, epsilon) : std::nullopt;
}

}  // namespace plaudit
