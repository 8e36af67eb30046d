#include "accountants/moments/moment_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "accountants/cumulants/chernoff_factor.hpp"
#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

const ErrorTerm moments_chernoff{"moments.chernoff", "docs/proofs/chernoff.md#chernoff"};
const ErrorTerm moments_concave{"moments.concave", "docs/proofs/moments_lower.md#concave"};

// Proof: docs/proofs/chernoff.md#chernoff
Ball chernoff_upper(MomentTable& moments, double t, const Ball& epsilon) {
  const Ball order(t);
  return exp(PLAUDIT_BOUND("moments.chernoff_factor", log_chernoff_factor(order), Ball(-8)) +
             moments.log_mgf(t) - order * epsilon);
}

// Proof: docs/proofs/chernoff.md#chernoff-complement
Ball complement_upper(MomentTable& moments, double u, const Ball& epsilon) {
  const Ball order(u);
  const Ball psi =
      exp(log_chernoff_factor(order - Ball(1)) + moments.log_mgf(-u) + order * epsilon);
  return moments.loss().finite_mass() - moments.loss().q_mass() * exp(epsilon) +
         PLAUDIT_BOUND("moments.complement", psi, Ball(0));
}

// Proof: docs/proofs/chernoff.md#chernoff
Ball chernoff_epsilon(MomentTable& moments, double t, const Ball& finite_delta) {
  const Ball order(t);
  return (log_chernoff_factor(order) + moments.log_mgf(t) - log(finite_delta)) / order;
}

double points_of_moment(const ComposedLoss& loss, double order) {
  const std::vector<ComposedLoss::Term>& terms = loss.terms();
  const std::size_t stride = (terms.size() + most_laws_looked_at - 1) / most_laws_looked_at;
  double points = 0;
  for (std::size_t i = 0; i < terms.size(); i += stride) {
    points += terms[i].loss->estimate_line_points(order, 0, 64);
  }
  return points;
}

namespace {

constexpr int first_cells = 8;         ///< of (0, w), equally long
constexpr int most_splits = 160;       ///< of cells; with fewer alpha is smaller, the bound valid
constexpr double tight_enough = 1.02;  ///< a value of g/b over its lower bound

/// A cell [u, v] of (0, w) with a lower bound of the ratio g/b on it.
struct Cell {
  double u;
  double v;
  Ball b_over_u;  ///< b(u)/u, or b'(0) at u = 0
  Ball g_over_v;  ///< g(v)/v
  Ball bound;     ///< exact
};

/// g(x) = e^{-t1 x} (1 - e^{-x}) over b(x), bounded from below on cells of (0, w). g(x)/x and
/// b(x)/x decrease, so on [u, v]: g/b >= (g(v)/v) / (b(u)/u).
// Proof: docs/proofs/moments_lower.md#alpha
class RatioCells {
 public:
  RatioCells(const LowerForm& form, const LowerConstants& constants)
      : t1_(form.t1),
        k1_(Ball(form.t2) - t1_),
        k2_(t1_ - Ball(form.t0)),
        a_(constants.a),
        b_(constants.b) {
    double u = 0;
    for (int i = 1; i <= first_cells; ++i) {
      const double v = i == first_cells ? form.w : form.w * i / first_cells;
      cells_.push_back(cell(
          u, v, b_over(PLAUDIT_BOUND("moments.greatest_in_first_cells", u, v == form.w ? u : v)),
          g_over(v)));
      u = v;
    }
  }

  /// Splits where the bound is lowest until that is within 2% of a value of g/b.
  void refine() {
    for (int i = 0; i < most_splits; ++i) {
      const auto worst = lowest();
      const double middle = worst->u + (worst->v - worst->u) / 2;
      if (middle <= worst->u || middle >= worst->v) break;
      const Ball b = b_over(middle);
      const Ball g = g_over(middle);
      const Cell left =
          cell(worst->u, middle, PLAUDIT_BOUND("moments.greatest_in_cell", worst->b_over_u, b), g);
      const Cell right = cell(middle, worst->v, b, worst->g_over_v);
      const bool good = certainly_greater(worst->bound * Ball(tight_enough), g / b);
      *worst = left;
      cells_.push_back(right);
      if (good) break;
    }
  }

  Ball least() { return lowest()->bound; }

 private:
  Ball b_over(double u) const {
    if (u == 0) return b_ * k2_ - a_ * k1_;
    const Ball x(u);
    return -(a_ * expm1(k1_ * x) + b_ * expm1(-k2_ * x)) / x;
  }

  Ball g_over(double v) const {
    const Ball x(v);
    return -exp(-t1_ * x) * expm1(-x) / x;
  }

  static Cell cell(double u, double v, const Ball& b, const Ball& g) {
    Ball bound = (g / b).lower();
    if (!bound.is_finite() || !certainly_positive(b)) bound = Ball(0);
    return Cell{u, v, b, g, bound};
  }

  std::vector<Cell>::iterator lowest() {
    return std::min_element(cells_.begin(), cells_.end(), [](const Cell& x, const Cell& y) {
      return certainly_less(x.bound, y.bound);
    });
  }

  Ball t1_;
  Ball k1_;
  Ball k2_;
  Ball a_;
  Ball b_;
  std::vector<Cell> cells_;
};

}  // namespace

// Proof: docs/proofs/moments_lower.md#concave, docs/proofs/moments_lower.md#alpha
LowerConstants lower_constants(const LowerForm& form) {
  const Ball t1(form.t1);
  const Ball k1 = Ball(form.t2) - t1;
  const Ball k2 = t1 - Ball(form.t0);
  const Ball w(form.w);
  LowerConstants result{Ball(0), Ball(0), Ball(0)};
  if (!certainly_positive(t1) || !certainly_positive(k1) || !certainly_positive(k2) ||
      !certainly_positive(w)) {
    return result;
  }
  // b(w) = 0 and A + B = 1: A = (1 - e^{-k2 w}) / ((e^{k1 w} - 1) + (1 - e^{-k2 w})).
  const Ball rise = expm1(k1 * w);
  const Ball fall = -expm1(-k2 * w);
  result.a = fall / (rise + fall);
  result.b = rise / (rise + fall);

  RatioCells cells(form, result);
  cells.refine();
  result.alpha = max(cells.least(), Ball(0)).lower();
  return result;
}

// Proof: docs/proofs/moments_lower.md#concave
Ball concave_lower(MomentTable& moments, const LowerForm& form, const LowerConstants& constants,
                   const Ball& epsilon, Ledger& ledger) {
  const auto weighted = [&](double t) { return exp(moments.log_mgf(t) - Ball(t) * epsilon); };
  const Ball outside =
      constants.alpha *
      (PLAUDIT_BOUND("moments.outside_above", constants.a, Ball(0)) * weighted(form.t2) +
       PLAUDIT_BOUND("moments.outside_below", constants.b, Ball(0)) * weighted(form.t0));
  return constants.alpha * weighted(form.t1) - ledger.add(moments_concave, outside);
}

}  // namespace plaudit
