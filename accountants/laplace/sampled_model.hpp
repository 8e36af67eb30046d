// One step of Poisson-sampled Laplace noise on a line Re W = r, in floating point and relative to
// A(r): what the choice of parameters reckons with. Nothing here enters a bound.
#pragma once

#include <vector>

#include "accountants/laplace/sampled_values.hpp"
#include "accountants/sweep/sampled_density.hpp"

namespace plaudit {

/// What does not depend on the line.
struct SampledShape {
  explicit SampledShape(const SampledLaplaceLaw& law);

  double a, rate;
  double top, bottom, width;                ///< x_1, x_2, D
  std::vector<double> log_top, log_bottom;  ///< log d_i(x_1), log d_i(x_2)
};

class SampledModel {
 public:
  /// @param log_size log A(r).
  SampledModel(const SampledShape& shape, double r, double log_size);

  double r() const { return r_; }
  /// |atoms of A(r + is)| / A(r).
  double atoms(double s) const;
  /// Bound of |c(W)| / A(r) for |W| >= x.
  double curve(double x) const;
  /// The polynomial of integration by parts with the moduli of its coefficients, at u.
  double parts(double s, std::size_t count, double u) const;
  /// log(|R_I| |W|^I / A(r)).
  double log_rest(std::size_t parts) const { return log_rest_[parts]; }
  /// The rule of fewest points with errors below e^log_target A(r) for |Im W| <= s.
  SampledRule rule(double s, double log_target) const;

 private:
  double log_on_ellipse(double rho, double s) const;

  const SampledShape& shape_;
  double r_;
  double log_size_;
  double high_atom_, low_atom_;
  std::vector<double> log_rest_;
};

constexpr std::size_t most_sampled_parts = 120;

}  // namespace plaudit
