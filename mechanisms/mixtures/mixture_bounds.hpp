// What bounds the errors of the trapezoid rule for A(w) = int phi f^w of a Gaussian mixture pair:
// norms on the edges of a strip and what a grid leaves outside, built from Lemma 2 and (3.T).
// F_w(y) = phi(y) f(y)^w, continued analytically.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "mechanisms/mixtures/likelihood_ratio.hpp"
#include "mechanisms/mixtures/mixture_estimate.hpp"

namespace plaudit {

/// The points j d, first <= j <= last.
struct MixtureGrid {
  double d = 0;
  long first = 0;
  long last = 0;
  std::size_t size() const { return static_cast<std::size_t>(last - first + 1); }
  double low() const { return static_cast<double>(first) * d; }
  double high() const { return static_cast<double>(last) * d; }
};

/// One mixture at the working precision in force.
class MixtureBounds {
 public:
  /// @param estimate must live on.
  MixtureBounds(std::shared_ptr<const LikelihoodRatio> f, const MixtureEstimate& estimate)
      : f_(std::move(f)), estimate_(estimate) {}

  const LikelihoodRatio& f() const { return *f_; }

  /// N(e) = int |F_{r + i s}(x + i e)| dx <= slope A(r) + base.
  struct Norm {
    Ball slope;
    Ball base;
    Ball at(const Ball& axis) const { return slope * axis + base; }
  };

  /// Bounds of N(e) for all heights 0 <= s <= s_max; infinite unless |e| < pi / a_max certainly.
  /// The first uses Lemma 2 (ii), (iii) on the whole line, the second (where it can help) splits
  /// the line and uses (iv), (v) on the left part, so its base is the mass beyond the split.
  std::vector<Norm> norms(double e, const Ball& r, const Ball& s_max, double d) const;
  /// Upper bound of N(e) from an upper bound of A(r).
  Ball norm(double e, const Ball& r, const Ball& s_max, const Ball& axis, double d) const;
  /// Upper bound of d sum |F_{r + i s}(y_j + i eta)| over the points outside of the grid, eta >= 0.
  Ball outside(const Ball& r, double eta, const MixtureGrid& grid) const;

  /// Heuristic: log of norm(e) / A(r).
  double log_norm(double e, double r, double s_max) const;

 private:
  /// Heuristic: where to split the line so that the crude bound of Lemma 2 beyond is harmless;
  /// 0 where the crude bound is good enough everywhere.
  double split_point(double e, double r, double s_max) const;

  std::shared_ptr<const LikelihoodRatio> f_;
  const MixtureEstimate& estimate_;
};

}  // namespace plaudit
