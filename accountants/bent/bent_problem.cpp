#include "accountants/bent/bent_problem.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace plaudit {

BentProblem::BentProblem(const ComposedLoss& loss) : direction(loss.direction()) {
  for (const ComposedLoss::Term& term : loss.terms()) {
    if (const auto mean = term.loss->facts().gaussian_mean) {
      gaussian_mean += *mean * Rational(term.count);
      continue;
    }
    const GaussianMixture* mixture = term.loss->facts().gaussian_mixture;
    if (mixture == nullptr || !BentPath::applies(*mixture)) {
      throw std::domain_error("bent contour: a factor has no component at sensitivity 0");
    }
    mixtures.push_back({*mixture, term.count});
  }
  if (mixtures.empty()) throw std::domain_error("bent contour: only Gaussian factors");
}

namespace {
constexpr double longest_first_arc = 0.8;  ///< in mean lengths of an arc
}  // namespace

std::vector<double> bent_arc_edges(double end, double first, std::size_t count) {
  const double n = static_cast<double>(count);
  // x_b = end (e^{c b / n} - 1) / (e^c - 1), c from the wanted first length
  const double ratio = std::min(first / 2 / end, longest_first_arc / n);
  double low = 1e-6, high = 60;
  for (int i = 0; i < 40; ++i) {
    const double c = (low + high) / 2;
    (std::expm1(c / n) / std::expm1(c) > ratio ? low : high) = c;
  }
  std::vector<double> edges;
  for (std::size_t b = 0; b <= count; ++b) {
    edges.push_back(end * std::expm1(low * static_cast<double>(b) / n) / std::expm1(low));
  }
  return edges;
}

}  // namespace plaudit
