#include "accountants/plan/mixture_model.hpp"

#include <cmath>

namespace plaudit {

namespace {

using Complex = std::complex<double>;

constexpr double negligible_square = 1e-12;  ///< |u|^2 where log(1 + u) is u

}  // namespace

MixtureModel::MixtureModel(const proof::MixtureLaw& law) : count(static_cast<double>(law.count)) {
  const double base = estimate_log(law.probabilities[0]);
  const double rest = estimate(Rational(1 - law.probabilities[0]));
  loss = rest < 0.5 ? -std::log1p(-rest) : -base;
  for (std::size_t i = 1; i < law.rates.size(); ++i) {
    rates.push_back(estimate(law.rates[i]) * std::sqrt(estimate(law.radicand)));
    shifts.push_back(estimate_log(law.probabilities[i]) - base - rates.back() * rates.back() / 2);
  }
  dominance = -shifts.back() / rate();
  double step = 1 / rate();
  while (rates.size() > 1 && remainder(dominance) >= 1 && std::isfinite(step)) {
    dominance += step;
    step *= 1.2;
  }
}

double MixtureModel::excess(double y) const {
  double sum = 0;
  for (std::size_t i = 0; i < rates.size(); ++i) sum += std::exp(rates[i] * y + shifts[i]);
  return sum;
}

double MixtureModel::remainder(double y) const {
  double sum = std::exp(-(rate() * y + shifts.back()));
  for (std::size_t i = 0; i + 1 < rates.size(); ++i) {
    sum += std::exp((rates[i] - rate()) * y + (shifts[i] - shifts.back()));
  }
  return sum;
}

Complex MixtureModel::log_ratio(Complex y) const {
  const Complex largest = rate() * y + shifts.back();
  const bool low = largest.real() <= 0;
  Complex sum = low ? 0 : std::exp(-largest);
  for (std::size_t i = 0; i + (low ? 0 : 1) < rates.size(); ++i) {
    sum += low ? std::exp(rates[i] * y + shifts[i])
               : std::exp((rates[i] - rate()) * y + (shifts[i] - shifts.back()));
  }
  const Complex rest = std::norm(sum) < negligible_square ? sum : std::log(1.0 + sum);
  return low ? rest : largest + rest;
}

}  // namespace plaudit
