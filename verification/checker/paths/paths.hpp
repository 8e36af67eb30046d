// The integrands of laws with a density, each with its path. Claims:
// docs/certificates/lines.md#paths
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "accountants/proof/arithmetic/intervals.hpp"
#include "accountants/proof/laws/plain_laws.hpp"

namespace plaudit::proof {

/// The logarithm of a modulus, and an angle.
struct Polar {
  Interval size;
  Interval angle;
};

/// The integrand F_r e^{is log g} at a point of a shifted line.
struct PathPoint {
  Polar weight;  ///< of F_r
  Polar g;       ///< its angle is not negative
};

/// An analytic integrand F_w = F_r e^{is log g} of one complex variable; r real, s >= 0.
class Path {
 public:
  virtual ~Path() = default;
  /// log F_r at a real y.
  virtual Interval log_size(const Interval& y) const = 0;
  /// At y + i eta, eta >= 0.
  virtual PathPoint point(const Interval& y, const Interval& eta) const = 0;
  /// A bound of int |F_w| along Im = e over int F_r along the axis.
  virtual Interval edge(const Interval& e, const Interval& s) const = 0;
  /// A bound of what the points below `first` and beyond `last` add on the line Im = eta.
  virtual Interval tails(const Interval& first, const Interval& last,
                         const Interval& eta) const = 0;
  /// A bound of int F_r that needs no quadrature.
  virtual Interval crude() const = 0;
  /// Interval operations of a point.
  virtual double work() const { return 30; }
};

/// f(y) = sum p_i e^{a_i y - a_i^2/2}, 0 <= a_0 < a_1 < ...
class Density {
 public:
  explicit Density(const Mixture& law);
  explicit Density(const Mirrored& law) : Density(law.rates, law.probabilities, 1) {}

  Interval log_real(const Interval& y) const;
  Polar log_shifted(const Interval& y, const Interval& eta) const;
  /// A bound of |f(y + ie)^r| / f(y)^r.
  Interval turn(const Interval& r, const Interval& e) const;
  /// Bounds of int phi f^r beyond y and below -y.
  Interval right(const Interval& r, const Interval& y) const;
  Interval left(const Interval& r, const Interval& y) const;
  double work() const { return 4 * static_cast<double>(rates_.size()) + 12; }
  const Interval& greatest() const { return rates_.back(); }
  const std::optional<Interval>& base() const { return base_; }
  /// log f(-inf), where it is finite.
  std::optional<Interval> lowest() const;
  /// sum p_i Phi(a_i - y)
  Interval mass_above(const Interval& y) const;
  /// sum p_i e^{a_i^2 x}
  Interval sum_of_squares(const Interval& x) const;

 private:
  /// @param unit of the rates.
  Density(const std::vector<Rational>& rates, const std::vector<Rational>& probabilities,
          const Interval& unit);
  Interval steep(const Interval& r, const Interval& log_value, const Interval& y) const;

  std::vector<Interval> rates_;
  std::vector<Interval> probabilities_;
  std::vector<Interval> logs_;
  std::optional<Interval> base_;  ///< the probability of a = 0
};

using PathPointer = std::unique_ptr<const Path>;
/// phi f^w over the line.
PathPointer mixture_path(std::shared_ptr<const Density> density, const Interval& r);
/// phi a(y)^{1+z} a(-y)^{-z}, z = t + is.
PathPointer mirrored_path(std::shared_ptr<const Density> density, const Interval& t);
/// phi f^w over (a/2, inf), f = 1 - q + q e^{ay - a^2/2}.
PathPointer half_path(const Interval& a, const Interval& q, const Interval& r);
/// phi f^w over (-inf, cut), r >= 0.
PathPointer cut_path(std::shared_ptr<const Density> density, const Interval& cut,
                     const Interval& r);
/// e^{-(l+a)/2} f^w / 4 over (-a, a), f = 1 - q + q e^l; `crude` bounds it with its atoms.
PathPointer interval_path(const Interval& a, const Interval& q, const Interval& r);

/// The density of N(mu, 2 mu) within +-end, times e^{zl}, z = t + is.
PathPointer bounded_gaussian_path(const Interval& mu, const Interval& end, const Interval& t);

/// Jensen: is r certainly in [0, 1]? @throws Rejected where it is not certainly outside either.
bool concave(const Interval& r);
/// Bounds of log(1 + q (e^x - 1)).
Interval log_mixed(const Interval& q, const Interval& x);

}  // namespace plaudit::proof
