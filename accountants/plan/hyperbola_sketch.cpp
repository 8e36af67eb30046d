#include "accountants/plan/hyperbola_sketch.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "lib/analysis/log_sums.hpp"
#include "lib/constants.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

/// log of |e^{mu w(w-1)}| at the end of an arc where it is greater.
double HyperbolaSketch::gaussian(const HyperbolaCurve& curve, double x1, double x2) const {
  if (!model.has_gaussian()) return 0;
  const auto at = [&](double x) {
    const std::complex<double> w = curve.at(x);
    return model.mean() * (w * (w - 1.0)).real();
  };
  return std::max(at(x1), at(x2));
}

double HyperbolaSketch::on_arc(const HyperbolaCurve& curve, int i, double* outside) const {
  const double x1 = i * arc, x2 = x1 + arc;
  const DoubleArc range = curve.arc(x1, x2);
  double sums = 0, products = 0;
  for (const PathSketch& path : paths) {
    check_work_limit(static_cast<double>(path.middle.size()) * seconds_of_piece_on_arc);
    const DoubleNorms norms = norms_above(path.middle, range);
    const double minus_one = norms.log_unit + std::log(norms.minus_one);
    const double plain = norms.log_unit + std::log(norms.plain);
    sums += path.mixture.count * log1p_exp(minus_one);
    products += path.mixture.count * std::min(log1p_exp(minus_one), plain);
  }
  const double size = model.has_gaussian() ? products + gaussian(curve, x1, x2)
                                           : std::min(log_expm1(sums), log1p_exp(products));
  const std::complex<double> begin = curve.at(x1), end = curve.at(x2);
  double factor = front + std::log(arc * curve.scale * std::hypot(std::sinh(x2), curve.cosine)) -
                  model.kappa() * begin.real();
  for (const double pole : {0.0, 1.0}) {
    const double apart = std::max({begin.real() - pole, pole - end.real(), 0.0});
    factor -= std::log(std::hypot(apart, begin.imag()));
  }
  if (outside != nullptr) *outside = factor + products + gaussian(curve, x1, x2);
  return factor + size;
}

/// log of the product of the factors beyond x, without what their growth takes from kappa.
double HyperbolaSketch::products_beyond(const HyperbolaCurve& curve, double x) const {
  const DoubleArc range{range_between(curve.center, curve.level(x)), {0, 0}, {0, 0}, {0, 0}, 0};
  double products = 0;
  for (const PathSketch& path : paths) {
    check_work_limit(static_cast<double>(path.middle.size()) * seconds_of_piece_on_arc);
    const DoubleNorms norms = norms_above(path.middle, range);
    products += path.mixture.count * (norms.log_unit + std::log(norms.plain));
  }
  return products;
}

/// log of the bound beyond x, where that is of the products.
double HyperbolaSketch::beyond(const HyperbolaCurve& curve, double x, double products) const {
  if (model.has_gaussian()) {
    const double turn =
        (curve.center - 0.5) * curve.sine - curve.scale * std::cos(2 * curve.angle) * std::cosh(x);
    if (turn > 0) return infinity;
    products += gaussian(curve, x, x);
  }
  const double rise = curve.scale * curve.sine * std::cosh(x);
  double size = products - model.kappa() * curve.center - rate * rise;
  if (!model.has_gaussian()) add_log(size, -model.kappa() * (curve.center + rise));
  return front + size - std::log(curve.scale * curve.cosine * curve.cosine * std::sinh(x));
}

int HyperbolaSketch::last_arc(int first, double log_share) const {
  int end = least_arcs;
  for (const HyperbolaCurve& curve : curves) {
    const double products = products_beyond(curve, first * arc);
    while (end < most_arcs && !(beyond(curve, end * arc, products) < log_share)) ++end;
  }
  return std::max(first, end);
}

}  // namespace plaudit
