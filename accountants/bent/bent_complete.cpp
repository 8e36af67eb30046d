// BentModel::complete: norms, errors and cost of a candidate in floating point.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "accountants/bent/bent_model.hpp"
#include "accountants/cost_models.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

using Complex = std::complex<double>;
constexpr std::size_t arcs_of_edge = 18;
/// A path of more cells than this is not worth a plan.
constexpr std::size_t most_cells = 4000;

/// By how much (radians) the boxes of the rigorous bounds blur arg l.
constexpr double looseness = 0.03;
constexpr double arc_term = 0.3;

struct Point {
  double x, weight;  // weight: |phi dy| of the cell
  Complex l;
  double modulus;  // |l|
};

struct Bound {
  double plain, minus_one;
};

/// The ends of the boxes: where the closed forms of bent_boxes.cpp hold and are below e^-depth.
bool find_ends(const FactorModel& f, const BentShape& s, double steepest, double largest_c,
               double depth, double* left, double* right) {
  double x = std::min(-2.0, (-std::sqrt(2 * depth) - f.origin) / f.sigma) - s.half_width;
  while (f.excess(x + s.half_width) > 0.02) x -= 1;
  *left = x;
  const double tangent = std::tan(steepest);
  const double c = std::max(largest_c, 0.0);
  const double tau_nu = s.slope * s.half_width;
  x = std::max({f.dominance + 3, s.knee + 3 * s.bend, -f.origin / f.sigma + 1}) + tau_nu;
  for (int i = 0; i < 400; ++i, x += 0.25 + 0.05 * std::fabs(x)) {
    const double low = x - tau_nu, high = x + tau_nu;
    const double q = f.remainder(low);
    if (q > 0.3) continue;
    const double rho = q / (1 - q);
    const double height = s.rise + s.slope * (x - s.knee);
    const double re = f.origin + f.sigma * low;
    const double im = f.sigma * (height + s.half_width + 0.05 * s.bend);
    const double slope = f.sigma * (s.slope * im - re) + c;
    const double exponent = (im * im - re * re) / 2 + c * (high + rho);
    if (re > 0 && slope < -1 && exponent < -depth && height - rho > 1.001 * tangent * (x + rho) &&
        height - s.half_width - rho > 1.001 * tangent * (high + rho) - s.half_width) {
      *right = x;
      return true;
    }
  }
  return false;
}

std::vector<Point> path_points(const FactorModel& f, const BentShape& s, double shift, double left,
                               double right) {
  std::vector<Point> points;
  double x = left;
  while (x < right && points.size() <= most_cells) {
    const double y = std::fabs(f.origin + f.sigma * x);
    double width = 0.9 / (f.sigma * (1 + y));
    const bool near_bend = x > -4 && x < 4 + f.dominance;
    width = std::min(width, near_bend ? 0.4 : (x < 0 ? 0.8 : 0.12 * (x + 1)));
    const Complex xi(x + width / 2, shift);
    const Complex e = (xi - s.knee) / s.bend;
    const bool right_side = e.real() > 0;
    const Complex u = std::exp(right_side ? -e : e);
    const Complex softplus = std::log(1.0 + u) + (right_side ? e : 0.0);
    const Complex logistic = (right_side ? 1.0 : u) / (1.0 + u);
    const Complex v = xi + Complex(0, s.rise) + Complex(0, s.slope * s.bend) * softplus;
    const Complex dv = 1.0 + Complex(0, s.slope) * logistic;
    const Complex yc = f.origin + f.sigma * v;
    const double phi = std::exp(-(yc * yc).real() / 2) / std::sqrt(2 * std::numbers::pi);
    const Complex l = f.log_ratio(v);
    points.push_back({x + width / 2, phi * f.sigma * std::abs(dv) * width, l, std::abs(l)});
    x += width;
  }
  return points;
}

/// Like BentBoxes::integral on an arc [x, x + arc_term] at w = w(x): loose arg l, and where D(l) >
/// 0 the far end of the arc counts.
Bound path_bound(const std::vector<Point>& points, Complex w, double angle) {
  Bound total{0, 0};
  const double modulus = std::abs(w);
  const double tangent = std::tan(angle);
  for (const Point& p : points) {
    const double height = p.l.imag() - looseness * p.modulus;
    double exponent = w.real() * p.l.real() - w.imag() * height;
    const double excess = w.imag() * (tangent * p.l.real() - height);  // scale sinh(x) D
    if (excess > 0) exponent += arc_term * excess;
    const double growth = std::exp(exponent);
    total.plain += p.weight * growth;
    total.minus_one += p.weight * std::min(1 + growth, modulus * p.modulus * std::max(1.0, growth));
  }
  total.plain *= 1.1;  // boxes are not points
  total.minus_one *= 1.1;
  return total;
}

double log_power(const Bound& bound, double count) {
  return count * std::min(std::log(bound.plain), std::log1p(bound.minus_one));
}

double log_expm1(double x) { return x > 30 ? x : std::log(std::expm1(std::max(x, 1e-300))); }

/// log of the bound of |prod - 1| from sum n log(1 + m) and the log of the bound of |prod|.
double log_less_one(double growth, double power) {
  return std::min(log_expm1(growth), std::log1p(std::exp(std::min(power, 700.0))));
}

}  // namespace

BentPlan BentModel::complete(const BentCandidate& c, const BentGoal& wanted) const {
  check_work_limit();
  BentPlan plan;
  plan.seconds = infinity;
  const double nu = c.angle * c.width_ratio;
  const double inner = c.angle - nu, outer = c.angle + nu;
  if (!(c.distance > 0 && c.scale > 0 && inner > 0.002 && outer < (has_gaussian_ ? 0.78 : 1.2))) {
    return plan;
  }
  const double r = removes_ ? 1 + c.distance : -c.distance;
  const double center = r - c.scale * std::sin(c.angle);
  const double pole_distance =
      removes_ ? center + c.scale * std::sin(inner) - 1 : -(center + c.scale * std::sin(outer));
  if (pole_distance < 0.02 * c.distance || kappa_ <= 0) return plan;
  const double log_prefix = prefix_ - std::log(std::numbers::pi);

  // the arcs: enough of x that e^{-kappa Re w} alone suffices
  const double goal = wanted.log_delta - wanted.nats - 1.5;
  const double reach = std::max(0.0, prefix_ - kappa_ * r - wanted.log_delta) + wanted.nats + 15 +
                       wanted.more_truncation;
  const double x_top = std::acosh(1 + reach / (kappa_ * c.scale * std::sin(c.angle)));
  const double dx = x_top / static_cast<double>(arcs_of_edge);
  const double depth = reach + 10 + wanted.more_tails;

  std::vector<std::vector<Point>> center_path, above, below;
  for (std::size_t i = 0; i < factors_.size(); ++i) {
    const FactorModel& f = factors_[i];
    const BentShape& s = c.shapes[i];
    const double edge = f.dominance + s.slope * s.half_width;
    const double highest =
        s.half_width + s.rise + s.slope * s.bend * std::log1p(std::exp((edge - s.knee) / s.bend));
    BentGrid grid{};
    if (!(s.half_width > 0 && s.half_width < 0.995 * s.rise && s.slope > 0 && s.slope < 0.98 &&
          highest < 0.995 * std::numbers::pi && s.bend >= 2 * s.half_width / std::numbers::pi &&
          f.least_rate * s.rise > outer + 0.05 && std::atan(s.slope) > outer + 0.005 &&
          f.least_rate * (s.rise - s.half_width) > c.angle + 0.05) ||
        !find_ends(f, s, outer, center + c.scale * std::sin(outer), depth + std::log(f.count),
                   &grid.left, &grid.right)) {
      return plan;
    }
    plan.grids.push_back(grid);
    center_path.push_back(path_points(f, s, 0, grid.left, grid.right));
    if (center_path.back().size() > most_cells) return plan;
    above.push_back(path_points(f, s, s.half_width, grid.left, grid.right));
    below.push_back(path_points(f, s, -s.half_width, grid.left, grid.right));
    for (const Point& p : center_path.back()) {  // the conditions on the outer hyperbola
      if (std::sin(outer) * p.l.real() > std::cos(outer) * p.l.imag() - looseness * p.modulus) {
        return plan;
      }
    }
  }

  // norms on the two outer hyperbolas, with and without subtracting 1
  const auto at = [&](double angle, double x) {
    return Complex(center + c.scale * std::sin(angle) * std::cosh(x),
                   c.scale * std::cos(angle) * std::sinh(x));
  };
  const auto log_weight = [&](Complex w, double angle, double x) {
    const double derivative = c.scale * std::hypot(std::sinh(x), std::cos(angle));
    return log_prefix - kappa_ * w.real() + gaussian_ * (w * (w - 1.0)).real() +
           std::log(derivative / std::abs(w * (w - 1.0)));
  };
  double whole = -infinity, less_one = -infinity;
  const auto add = [](double& sum, double value) {
    const double high = std::max(sum, value);
    if (high > -infinity) sum = high + std::log(std::exp(sum - high) + std::exp(value - high));
  };
  for (const double angle : {inner, outer}) {
    const double gap = std::fabs(center + c.scale * std::sin(angle) - (removes_ ? 1 : 0));
    const std::vector<double> edges = bent_arc_edges(x_top, gap / c.scale, arcs_of_edge);
    for (std::size_t i = 0; i < arcs_of_edge; ++i) {
      const double x = edges[i];  // the start of an arc is what its bound sees
      const Complex w = at(angle, x);
      double power = 0, growth = 0;
      for (std::size_t f = 0; f < factors_.size(); ++f) {
        const Bound bound = path_bound(center_path[f], w, angle);
        power += log_power(bound, factors_[f].count);
        growth += factors_[f].count * std::log1p(bound.minus_one);
      }
      const double base = log_weight(w, angle, x) + std::log(edges[i + 1] - edges[i]);
      add(whole, base + power);
      add(less_one, base + log_less_one(growth, power));
    }
  }
  if (!std::isfinite(whole) || !std::isfinite(less_one)) return plan;
  plan.subtract_one = !has_gaussian_ && less_one < whole - 0.7;
  const double z_nats =
      std::max(2.0, std::min(whole, plan.subtract_one ? less_one : whole) - goal + wanted.more_z);
  const double h = 2 * std::numbers::pi * nu / z_nats;
  // what is too large to be a number of nodes is refused below, by the seconds it would take
  plan.per_octave =
      static_cast<std::size_t>(clamped_integer(std::ceil(std::log(2.0) / h), 1, most_index));
  const double step = std::log(2.0) / static_cast<double>(plan.per_octave);

  // the nodes: truncation, quadrature in y, cut of the path, precision
  std::vector<double> quadrature(factors_.size(), -infinity);
  std::vector<std::vector<double>> share(factors_.size());
  for (std::size_t f = 0; f < factors_.size(); ++f) {
    share[f].assign(center_path[f].size(), -infinity);
  }
  double rounding = -infinity, x_max = x_top;
  for (std::size_t i = 0; i <= arcs_of_edge; ++i) {
    const double x = i == 0 ? 0.25 * dx : static_cast<double>(i) * dx;
    const Complex w = at(c.angle, x);
    double power = 0, growth = 0, size = 0;
    std::vector<double> single(factors_.size());
    for (std::size_t f = 0; f < factors_.size(); ++f) {
      const Bound bound = path_bound(center_path[f], w, c.angle);
      power += log_power(bound, factors_[f].count);
      growth += factors_[f].count * std::log1p(bound.minus_one);
      single[f] = log_power(bound, 1);
      size = std::max(size, bound.plain + bound.minus_one + 2);
    }
    const double base = log_weight(w, c.angle, x);
    const double rest = log_prefix - kappa_ * w.real() + gaussian_ * (w * (w - 1.0)).real() +
                        (plan.subtract_one ? log_less_one(growth, power) : power) -
                        std::log(c.scale * std::pow(std::cos(c.angle), 2) * std::sinh(x));
    if (i > 0 && rest < goal - wanted.more_truncation) {
      x_max = x;
      break;
    }
    for (std::size_t f = 0; f < factors_.size(); ++f) {
      const double each = base + std::log(dx * factors_[f].count) + power - single[f];
      add(quadrature[f], each + std::log(path_bound(above[f], w, c.angle).minus_one +
                                         path_bound(below[f], w, c.angle).minus_one));
      for (std::size_t j = 0; j < share[f].size(); ++j) {
        const Point& p = center_path[f][j];
        const double re = w.real() * p.l.real() - w.imag() * p.l.imag();
        const double term = std::log(std::min(2.0, std::abs(w) * p.modulus)) + std::max(re, 0.0);
        share[f][j] = std::max(share[f][j], each + term + std::log(p.weight + 1e-300));
      }
      add(rounding, each + std::log(size));
    }
  }
  const auto finite = [](double x) { return std::isfinite(x); };
  if (!finite(rounding) || !std::all_of(quadrature.begin(), quadrature.end(), finite) ||
      rounding - goal > 1e5) {
    return plan;
  }
  plan.nodes =
      static_cast<std::size_t>(clamped_integer(std::ceil(x_max / step), 0, most_index)) + 1;
  plan.bits = precision_bits((rounding - goal + wanted.more_bits) / std::log(2.0)) + 34;
  plan.bits = std::max(plan.bits, 64L);
  plan.seconds = 0;
  const double octaves =
      std::ceil(static_cast<double>(plan.nodes) / static_cast<double>(plan.per_octave));
  for (std::size_t f = 0; f < factors_.size(); ++f) {
    const BentShape& s = c.shapes[f];
    BentGrid& grid = plan.grids[f];
    grid.step =
        2 * std::numbers::pi * s.half_width / std::max(2.0, quadrature[f] - goal + wanted.more_y);
    // keep all cells above the goal
    std::size_t first = 0, last = share[f].size() - 1;
    const double least = goal - 9 - wanted.more_tails;
    while (first < last && share[f][first] < least) ++first;
    while (last > first && share[f][last] < least) --last;
    const double from = first > 0 ? center_path[f][first - 1].x : grid.left;
    const double to = last + 1 < share[f].size() ? center_path[f][last + 1].x : grid.right;
    grid.first = clamped_integer(std::ceil(from / grid.step), -most_index, most_index);
    grid.last = clamped_integer(std::floor(to / grid.step), -most_index, most_index);
    if (grid.last <= grid.first) return plan;
    const double points = static_cast<double>(grid.last - grid.first + 1);
    const double exponentials = 2.0 * static_cast<double>(plan.per_octave) * std::ceil(octaves / 8);
    plan.seconds += costs::bent_factor(points, static_cast<double>(plan.nodes), exponentials,
                                       static_cast<double>(plan.bits));
  }
  if (!(plan.seconds < 1e4) || plan.nodes > 200000) {
    plan.seconds = infinity;
    return plan;
  }
  plan.feasible = true;
  plan.center = center;
  plan.scale = c.scale;
  plan.angle = c.angle;
  plan.half_width = nu;
  plan.shapes = c.shapes;
  plan.log_delta = wanted.log_delta;
  plan.candidate = c;
  plan.kappa = kappa_;
  return plan;
}

}  // namespace plaudit
