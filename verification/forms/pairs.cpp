#include "verification/forms/pairs.hpp"

#include <algorithm>
#include <cmath>

namespace plaudit::pairs {

std::optional<TwoPoints> two_points_of(const Law& law) {
  const auto* finite = std::get_if<Finite>(&law);
  if (finite == nullptr || finite->terms.size() != 2 || !finite->outside.empty())
    return std::nullopt;
  Term high = finite->terms[0];
  Term low = finite->terms[1];
  if (high.loss < low.loss || high.odds < low.odds) std::swap(high, low);
  if (high.loss != -low.loss || high.odds * low.odds != 1) return std::nullopt;
  const bool by_tilt = high.odds == 1 && high.weight == low.weight && high.weight > 0 &&
                       high.tilt - low.tilt == high.loss;
  const bool by_odds =
      high.loss == 0 && high.tilt == low.tilt && high.weight == high.odds * low.weight;
  return by_tilt || by_odds ? std::optional(TwoPoints{high.loss, high.odds}) : std::nullopt;
}

double log_ratio(const Line& line, double y) {
  const double sigma = estimate(line.sigma);
  double most = -HUGE_VAL;
  std::vector<double> terms;
  for (const auto& [centre, weight] : line.p) {
    const double c = estimate(centre);
    terms.push_back(estimate_log(weight) + c * (y - c / 2) / (sigma * sigma));
    most = std::max(most, terms.back());
  }
  double sum = 0;
  for (const double x : terms) sum += std::exp(x - most);
  return most + std::log(sum);
}

}  // namespace plaudit::pairs
