#include "mechanisms/mixtures/mixture_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

// Proof: docs/proofs/straight_contour.md#strip
std::vector<MixtureBounds::Norm> MixtureBounds::norms(double e, const Ball& r, const Ball& s_max,
                                                      double d) const {
  const Ball height(e);
  if (!certainly_less(abs(height) * f_->greatest_rate(),
                      PLAUDIT_BOUND("mixture.strip_without_zeros", pi(), ldexp(pi(), 1))))
    return {{positive_infinity(), Ball(0)}};
  const Ball gauss = PLAUDIT_BOUND("mixture.norm_gauss", exp(ldexp(square(height), -1)), Ball(1));
  Ball crude = gauss * PLAUDIT_BOUND("mixture.norm_turned",
                                     f_->turn_factor(r, height, std::nullopt), Ball(1));
  if (e < 0)
    crude *= PLAUDIT_BOUND("mixture.norm_angle", exp(s_max * f_->turn_angle(height, std::nullopt)),
                           Ball(1));
  std::vector<Norm> result{{crude.upper(), Ball(0)}};
  const double reach = split_point(e, r.estimate(), s_max.estimate());
  if (reach > 0) {
    const long index = checked_integer(std::ceil(reach / d), "integral: the grid");
    const Ball split = Ball(d) * Ball(index);
    Ball refined = gauss * f_->turn_factor(r, height, split);
    if (e < 0) refined *= exp(s_max * f_->turn_angle(height, split));
    const Ball beyond = crude * f_->right_tail(r, index, d);
    result.push_back(
        {refined.upper(), PLAUDIT_BOUND("mixture.norm_beyond_split", beyond, Ball(0)).upper()});
  }
  return result;
}

Ball MixtureBounds::norm(double e, const Ball& r, const Ball& s_max, const Ball& axis,
                         double d) const {
  Ball best = positive_infinity();
  for (const Norm& candidate : norms(e, r, s_max, d)) {
    const Ball value = candidate.at(axis);
    if (value.is_finite()) best = min(best, value).upper();
  }
  return best;
}

// Proof: docs/proofs/straight_contour.md#tails
Ball MixtureBounds::outside(const Ball& r, double eta, const MixtureGrid& grid) const {
  const Ball height(eta);
  Ball right = f_->right_tail(r, grid.last, grid.d);
  Ball left = f_->left_tail(r, grid.first, grid.d);
  if (eta > 0) {
    const Ball crude = f_->turn_factor(r, height, std::nullopt);
    left *= PLAUDIT_BOUND("mixture.left_tail_turned",
                          f_->turn_factor(r, height, Ball(grid.d) * Ball(grid.first)), Ball(1));
    const double reach = split_point(eta, r.estimate(), 0);
    if (reach > grid.high()) {
      const long index = checked_integer(std::ceil(reach / grid.d), "integral: the grid");
      right = right * f_->turn_factor(r, height, Ball(grid.d) * Ball(index)) +
              f_->right_tail(r, index, grid.d) * crude;
    } else {
      right *= PLAUDIT_BOUND("mixture.right_tail_turned", crude, Ball(1));
    }
  }
  const Ball result = PLAUDIT_BOUND("mixture.tail_gauss", exp(ldexp(square(height), -1)), Ball(1)) *
                      (PLAUDIT_BOUND("mixture.left_tail", left, Ball(0)) +
                       PLAUDIT_BOUND("mixture.right_tail", right, Ball(0)));
  return result.is_finite() ? result : positive_infinity();
}

double MixtureBounds::log_norm(double e, double r, double s_max) const {
  const double spread = (estimate_.greatest_rate() - estimate_.least_rate()) * std::fabs(e);
  if (estimate_.greatest_rate() * std::fabs(e) >= 0.999 * std::numbers::pi) return 1e300;
  double crude = 0;
  if (r < 0) crude += r * std::log(std::cos(spread / 2));
  if (e < 0) crude += s_max * estimate_.greatest_rate() * std::fabs(e);
  const double reach = split_point(e, r, s_max);
  if (reach > 0) {
    double rate = 0;
    estimate_.log_f(reach, rate);
    const double kept = 1 - e * e * rate * estimate_.greatest_rate();
    double refined = r < 0 ? (kept > 0 ? r / 2 * std::log(kept) : 1e300) : 0;
    if (e < 0) refined += s_max * rate * std::fabs(e);
    crude = std::min(crude, refined + 0.1);
  }
  return e * e / 2 + crude;
}

double MixtureBounds::split_point(double e, double r, double s_max) const {
  const double spread = (estimate_.greatest_rate() - estimate_.least_rate()) * std::fabs(e);
  double excess = 0;
  if (r < 0) excess += r * std::log(std::cos(std::min(spread / 2, 1.57)));
  if (e < 0) excess += s_max * estimate_.greatest_rate() * std::fabs(e);
  if (!(excess > 3)) return 0;
  // phi f^r can rise again beyond its first fall; past r a_max it only falls.
  const double last_rise = r * estimate_.greatest_rate();
  double split = 0;
  double y = 4;
  for (int i = 0; i < 400; ++i, y *= 1.1) {
    const bool harmless = r * estimate_.log_f(y) - y * y / 2 + excess < -2;
    if (!harmless) split = 0;
    if (harmless && split == 0) split = y;
    if (split > 0 && y >= last_rise) return split;
  }
  return 0;
}

}  // namespace plaudit
