// BentModel::complete: norms, errors and cost of a candidate in floating point.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "accountants/bent/bent_model.hpp"
#include "accountants/cost_models.hpp"
#include "lib/analysis/upper_exponential.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

using Complex = std::complex<double>;
constexpr std::size_t fine_arcs = 18;  ///< of an edge of the strip
constexpr std::size_t coarse_arcs = 10;
/// A path of more cells than this is not worth a plan.
constexpr std::size_t most_cells = 4000;

/// By how much (radians) the boxes of the rigorous bounds blur arg l.
constexpr double looseness = 0.03;
constexpr double arc_term = 0.3;
constexpr double boxes_are_not_points = 1.1;  ///< by what their bounds are greater

// What is checked strictly in ball arithmetic must hold here with something to spare.
constexpr double least_angle = 0.002;
constexpr double greatest_angle = 1.2;
constexpr double greatest_angle_with_gaussian = 0.78;  ///< pi / 4 is the limit
constexpr double least_share_to_pole = 0.02;  ///< of the distance, left between strip and pole
constexpr double nearly_one = 0.995;          ///< for the height of a path and its strip
constexpr double steepest_path = 0.98;
constexpr double angle_to_spare = 0.05;
constexpr double angle_to_spare_of_slope = 0.005;
constexpr double tangent_to_spare = 1.001;

// The ends of the boxes.
constexpr double small_excess = 0.02;    ///< of f / p_0 - 1 at the left end
constexpr double small_remainder = 0.3;  ///< of the lower components at the right end
constexpr int most_right_ends = 400;

constexpr double coarse_cells = 3;  ///< longer than fine ones, but for those where l turns

// Lengths of the cells of a path: fractions of the scale of phi, shorter where l turns.
constexpr double cell_of_phi = 0.9;
constexpr double cell_near_bend = 0.4;
constexpr double cell_left = 0.8;
constexpr double cell_right = 0.12;  ///< of the distance from -1
constexpr double near_zero = 4;      ///< where l turns: from -4 to 4 beyond the dominance

// Nats by which error terms are kept below what is wanted.
constexpr double nats_of_sum = 1.5;  ///< for all of them together
constexpr double nats_of_end = 15;   ///< of the hyperbola
constexpr double nats_of_tails = 10;
constexpr double nats_of_cells = 9;

constexpr double nats_that_pay = 0.7;  ///< to be gained where 1 is subtracted
constexpr double least_quadrature_nats = 2;
constexpr long spare_bits = 34;
constexpr long least_bits = 64;

// What a candidate costs, nominally.
constexpr double seconds_of_path_point = 4e-7;
constexpr double seconds_of_bound = 3e-8;  ///< at a point

// Plans beyond these are of no use.
constexpr double most_cancellation = 1e5;  ///< nats
constexpr double longest_plan = 1e4;       ///< seconds
constexpr std::size_t most_nodes = 200000;

struct Point {
  double x, weight;  // weight: |phi dy| of the cell
  Complex l;
  double modulus;  // |l|
  double log_weight, log_modulus;
};

struct Bound {
  double plain, minus_one;
};

/// The ends of the boxes: where the closed forms of bent_boxes.cpp hold and are below e^-depth.
bool find_ends(const FactorModel& f, const BentShape& s, double steepest, double largest_c,
               double depth, double* left, double* right) {
  double x = std::min(-2.0, (-std::sqrt(2 * depth) - f.origin) / f.sigma) - s.half_width;
  while (f.excess(x + s.half_width) > small_excess) x -= 1;
  *left = x;
  const double tangent = std::tan(steepest);
  const double c = std::max(largest_c, 0.0);
  const double tau_nu = s.slope * s.half_width;
  x = std::max({f.dominance + 3, s.knee + 3 * s.bend, -f.origin / f.sigma + 1}) + tau_nu;
  for (int i = 0; i < most_right_ends; ++i, x += 0.25 + 0.05 * std::fabs(x)) {
    const double low = x - tau_nu, high = x + tau_nu;
    const double q = f.remainder(low);
    if (q > small_remainder) continue;
    const double rho = q / (1 - q);
    const double height = s.rise + s.slope * (x - s.knee);
    const double re = f.origin + f.sigma * low;
    const double im = f.sigma * (height + s.half_width + 0.05 * s.bend);
    const double slope = f.sigma * (s.slope * im - re) + c;
    const double exponent = (im * im - re * re) / 2 + c * (high + rho);
    if (re > 0 && slope < -1 && exponent < -depth &&
        height - rho > tangent_to_spare * tangent * (x + rho) &&
        height - s.half_width - rho > tangent_to_spare * tangent * (high + rho) - s.half_width) {
      *right = x;
      return true;
    }
  }
  return false;
}

std::vector<Point> path_points(const FactorModel& f, const BentShape& s, double shift, double left,
                               double right, double stretch) {
  std::vector<Point> points;
  double x = left;
  while (x < right && points.size() <= most_cells) {
    const double y = std::fabs(f.origin + f.sigma * x);
    double width = cell_of_phi / (f.sigma * (1 + y));
    const bool near_bend = x > -near_zero && x < near_zero + f.dominance;
    width =
        std::min(width, near_bend ? cell_near_bend : (x < 0 ? cell_left : cell_right * (x + 1)));
    if (!near_bend) width *= stretch;
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
    const double weight = phi * f.sigma * std::abs(dv) * width, modulus = std::abs(l);
    points.push_back(
        {x + width / 2, weight, l, modulus, std::log(weight + 1e-300), std::log(modulus)});
    x += width;
  }
  check_work_limit(static_cast<double>(points.size()) * seconds_of_path_point);
  return points;
}

/// Like BentBoxes::integral on an arc [x, x + arc_term] at w = w(x): loose arg l, and where D(l) >
/// 0 the far end of the arc counts.
Bound path_bound(const std::vector<Point>& points, Complex w, double angle) {
  check_work_limit(static_cast<double>(points.size()) * seconds_of_bound);
  Bound total{0, 0};
  const double modulus = std::abs(w);
  const double tangent = std::tan(angle);
  for (const Point& p : points) {
    const double height = p.l.imag() - looseness * p.modulus;
    double exponent = w.real() * p.l.real() - w.imag() * height;
    const double excess = w.imag() * (tangent * p.l.real() - height);  // scale sinh(x) D
    if (excess > 0) exponent += arc_term * excess;
    const double growth = upper_exponential(exponent);  // the fastest at hand
    total.plain += p.weight * growth;
    total.minus_one += p.weight * std::min(1 + growth, modulus * p.modulus * std::max(1.0, growth));
  }
  total.plain *= boxes_are_not_points;
  total.minus_one *= boxes_are_not_points;
  return total;
}

double log_power(const Bound& bound, double count) {
  return count * std::min(std::log(bound.plain), std::log1p(bound.minus_one));
}

double log_expm1(double x) { return x > 30 ? x : std::log(std::expm1(std::max(x, 1e-300))); }

/// log of the bound of |prod - 1| from sum n log(1 + m) and the log of the bound of |prod|.
double log_less_one(double growth, double power) {
  return std::min(log_expm1(growth), power > 700 ? power : std::log1p(std::exp(power)));
}

void add_log(double& sum, double value) {
  const double high = std::max(sum, value);
  if (high > -infinity) sum = high + std::log(std::exp(sum - high) + std::exp(value - high));
}

/// The conditions (1) to (3) on the path, and that it stays above the outer hyperbola at both ends.
/// Mirrors docs/proofs/bent_contour.md#path.
bool path_fits(const FactorModel& f, const BentShape& s, double angle, double outer) {
  const double edge = f.dominance + s.slope * s.half_width;
  const double highest =
      s.half_width + s.rise + s.slope * s.bend * std::log1p(std::exp((edge - s.knee) / s.bend));
  return s.half_width > 0 && s.half_width < nearly_one * s.rise && s.slope > 0 &&
         s.slope < steepest_path && highest < nearly_one * std::numbers::pi &&
         s.bend >= 2 * s.half_width / std::numbers::pi &&
         f.least_rate * s.rise > outer + angle_to_spare &&
         std::atan(s.slope) > outer + angle_to_spare_of_slope &&
         f.least_rate * (s.rise - s.half_width) > angle + angle_to_spare;
}

/// One candidate on its way to a plan. A step that returns false refuses the candidate.
class Completion {
 public:
  Completion(const BentModel& model, const BentCandidate& candidate, const BentGoal& goal,
             BentModel::Detail detail)
      : stretch_(detail == BentModel::Detail::fine ? 1 : coarse_cells),
        arcs_(detail == BentModel::Detail::fine ? fine_arcs : coarse_arcs),
        model_(model),
        factors_(model.factors()),
        c_(candidate),
        wanted_(goal),
        log_prefix_(model.prefix() - std::log(std::numbers::pi)),
        goal_(goal.log_delta - goal.nats - nats_of_sum),
        nu_(candidate.angle * candidate.width_ratio),
        inner_(candidate.angle - nu_),
        outer_(candidate.angle + nu_) {
    plan_.seconds = infinity;
  }

  BentPlan plan() {
    if (place_hyperbola() && lay_paths() && choose_step() && sum_nodes() && choose_grids()) {
      finish();
    }
    return std::move(plan_);
  }

 private:
  /// The path of one factor, its two shifts, and what the nodes say about it.
  struct Path {
    std::vector<Point> center, above, below;
    double quadrature = -infinity;  ///< log of the norms on the shifted paths, over all nodes
    std::vector<double> share;      ///< log of the greatest part that a cell has in a node
  };

  /// Bounds of all factors at one point of the hyperbola in the middle.
  struct Factors {
    double power = 0;   ///< log of the bound of |prod|
    double growth = 0;  ///< sum n log(1 + m), from which that of |prod - 1| comes
    double size = 0;    ///< the greatest of a factor
    std::vector<double> single;
  };

  bool place_hyperbola() {
    if (!(c_.distance > 0 && c_.scale > 0 && inner_ > least_angle &&
          outer_ < (model_.has_gaussian() ? greatest_angle_with_gaussian : greatest_angle))) {
      return false;
    }
    const double r = model_.removes() ? 1 + c_.distance : -c_.distance;
    center_ = r - c_.scale * std::sin(c_.angle);
    const double pole_distance = model_.removes() ? center_ + c_.scale * std::sin(inner_) - 1
                                                  : -(center_ + c_.scale * std::sin(outer_));
    if (pole_distance < least_share_to_pole * c_.distance || model_.kappa() <= 0) return false;
    // the arcs: enough of x that e^{-kappa Re w} alone suffices
    const double reach = std::max(0.0, model_.prefix() - model_.kappa() * r - wanted_.log_delta) +
                         wanted_.nats + nats_of_end + wanted_.more_truncation;
    x_top_ = std::acosh(1 + reach / (model_.kappa() * c_.scale * std::sin(c_.angle)));
    dx_ = x_top_ / static_cast<double>(arcs_);
    depth_ = reach + nats_of_tails + wanted_.more_tails;
    return true;
  }

  bool lay_paths() {
    for (std::size_t i = 0; i < factors_.size(); ++i) {
      const FactorModel& f = factors_[i];
      const BentShape& s = c_.shapes[i];
      BentGrid grid{};
      if (!path_fits(f, s, c_.angle, outer_) ||
          !find_ends(f, s, outer_, center_ + c_.scale * std::sin(outer_),
                     depth_ + std::log(f.count), &grid.left, &grid.right)) {
        return false;
      }
      plan_.grids.push_back(grid);
      Path path;
      path.center = path_points(f, s, 0, grid.left, grid.right, stretch_);
      if (path.center.size() > most_cells) return false;
      for (const Point& p : path.center) {  // the conditions on the outer hyperbola
        if (std::sin(outer_) * p.l.real() > std::cos(outer_) * p.l.imag() - looseness * p.modulus) {
          return false;
        }
      }
      path.above = path_points(f, s, s.half_width, grid.left, grid.right, stretch_);
      path.below = path_points(f, s, -s.half_width, grid.left, grid.right, stretch_);
      path.share.assign(path.center.size(), -infinity);
      paths_.push_back(std::move(path));
    }
    return true;
  }

  Complex at(double angle, double x) const {
    return {center_ + c_.scale * std::sin(angle) * std::cosh(x),
            c_.scale * std::cos(angle) * std::sinh(x)};
  }

  /// log of |e^{mu w(w-1)} e^{-kappa w}| and of what stands before the integral.
  double log_front(Complex w) const {
    return log_prefix_ - model_.kappa() * w.real() + model_.gaussian() * (w * (w - 1.0)).real();
  }

  double log_weight(Complex w, double angle, double x) const {
    const double derivative = c_.scale * std::hypot(std::sinh(x), std::cos(angle));
    return log_front(w) + std::log(derivative / std::abs(w * (w - 1.0)));
  }

  /// Adds the norms on an edge of the strip, with and without subtracting 1.
  void add_norms(double angle, double& whole, double& less_one) const {
    const double gap = std::fabs(center_ + c_.scale * std::sin(angle) - (model_.removes() ? 1 : 0));
    const std::vector<double> edges = bent_arc_edges(x_top_, gap / c_.scale, arcs_);
    for (std::size_t i = 0; i < arcs_; ++i) {
      const double x = edges[i];  // the start of an arc is what its bound sees
      const Complex w = at(angle, x);
      double power = 0, growth = 0;
      for (std::size_t f = 0; f < factors_.size(); ++f) {
        const Bound bound = path_bound(paths_[f].center, w, angle);
        power += log_power(bound, factors_[f].count);
        growth += factors_[f].count * std::log1p(bound.minus_one);
      }
      const double base = log_weight(w, angle, x) + std::log(edges[i + 1] - edges[i]);
      add_log(whole, base + power);
      add_log(less_one, base + log_less_one(growth, power));
    }
  }

  /// The step in x, from the norms on the two edges of the strip.
  bool choose_step() {
    double whole = -infinity, less_one = -infinity;
    for (const double angle : {inner_, outer_}) add_norms(angle, whole, less_one);
    if (!std::isfinite(whole) || !std::isfinite(less_one)) return false;
    plan_.subtract_one = !model_.has_gaussian() && less_one < whole - nats_that_pay;
    const double norm = std::min(whole, plan_.subtract_one ? less_one : whole);
    const double z_nats = std::max(least_quadrature_nats, norm - goal_ + wanted_.more_z);
    const double h = 2 * std::numbers::pi * nu_ / z_nats;
    // what is too large to be a number of nodes is refused in the end, by the seconds it would take
    plan_.per_octave =
        static_cast<std::size_t>(clamped_integer(std::ceil(std::log(2.0) / h), 1, most_index));
    return true;
  }

  Factors factors_at(Complex w) const {
    Factors result;
    for (std::size_t f = 0; f < factors_.size(); ++f) {
      const Bound bound = path_bound(paths_[f].center, w, c_.angle);
      result.power += log_power(bound, factors_[f].count);
      result.growth += factors_[f].count * std::log1p(bound.minus_one);
      result.single.push_back(log_power(bound, 1));
      result.size = std::max(result.size, bound.plain + bound.minus_one + 2);
    }
    return result;
  }

  /// What a node at w adds to the errors in y and of rounding, and which cells it needs.
  void add_node(Complex w, double base, const Factors& node, double& rounding) {
    const double log_w = std::log(std::abs(w));
    for (std::size_t f = 0; f < factors_.size(); ++f) {
      Path& path = paths_[f];
      const double each = base + std::log(dx_ * factors_[f].count) + node.power - node.single[f];
      add_log(path.quadrature, each + std::log(path_bound(path.above, w, c_.angle).minus_one +
                                               path_bound(path.below, w, c_.angle).minus_one));
      for (std::size_t j = 0; j < path.share.size(); ++j) {
        const Point& p = path.center[j];
        const double re = w.real() * p.l.real() - w.imag() * p.l.imag();
        const double term = std::min(log_two, log_w + p.log_modulus) + std::max(re, 0.0);
        path.share[j] = std::max(path.share[j], each + term + p.log_weight);
      }
      add_log(rounding, each + std::log(node.size));
    }
  }

  /// Truncation and precision: how many nodes, of how many bits.
  bool sum_nodes() {
    double rounding = -infinity, x_max = x_top_;
    for (std::size_t i = 0; i <= arcs_; ++i) {
      const double x = i == 0 ? 0.25 * dx_ : static_cast<double>(i) * dx_;
      const Complex w = at(c_.angle, x);
      const Factors node = factors_at(w);
      const double rest =
          log_front(w) + (plan_.subtract_one ? log_less_one(node.growth, node.power) : node.power) -
          std::log(c_.scale * std::pow(std::cos(c_.angle), 2) * std::sinh(x));
      if (i > 0 && rest < goal_ - wanted_.more_truncation) {
        x_max = x;
        break;
      }
      add_node(w, log_weight(w, c_.angle, x), node, rounding);
    }
    const auto seen = [](const Path& path) { return std::isfinite(path.quadrature); };
    if (!std::isfinite(rounding) || !std::all_of(paths_.begin(), paths_.end(), seen) ||
        rounding - goal_ > most_cancellation) {
      return false;
    }
    const double step = std::log(2.0) / static_cast<double>(plan_.per_octave);
    plan_.nodes =
        static_cast<std::size_t>(clamped_integer(std::ceil(x_max / step), 0, most_index)) + 1;
    plan_.bits =
        precision_bits((rounding - goal_ + wanted_.more_bits) / std::log(2.0)) + spare_bits;
    plan_.bits = std::max(plan_.bits, least_bits);
    return true;
  }

  /// Step and cut of a path: all cells above the goal are kept.
  bool choose_grid(const BentShape& s, const Path& path, BentGrid& grid) const {
    grid.step = 2 * std::numbers::pi * s.half_width /
                std::max(least_quadrature_nats, path.quadrature - goal_ + wanted_.more_y);
    std::size_t first = 0, last = path.share.size() - 1;
    const double least = goal_ - nats_of_cells - wanted_.more_tails;
    while (first < last && path.share[first] < least) ++first;
    while (last > first && path.share[last] < least) --last;
    const double from = first > 0 ? path.center[first - 1].x : grid.left;
    const double to = last + 1 < path.share.size() ? path.center[last + 1].x : grid.right;
    grid.first = clamped_integer(std::ceil(from / grid.step), -most_index, most_index);
    grid.last = clamped_integer(std::floor(to / grid.step), -most_index, most_index);
    return grid.last > grid.first;
  }

  /// The grids of all paths, and what the plan costs.
  bool choose_grids() {
    double seconds = 0;
    const double octaves =
        std::ceil(static_cast<double>(plan_.nodes) / static_cast<double>(plan_.per_octave));
    for (std::size_t f = 0; f < factors_.size(); ++f) {
      BentGrid& grid = plan_.grids[f];
      if (!choose_grid(c_.shapes[f], paths_[f], grid)) return false;
      const double points = static_cast<double>(grid.last - grid.first + 1);
      const double exponentials =
          2.0 * static_cast<double>(plan_.per_octave) * std::ceil(octaves / 8);
      const auto nodes = static_cast<double>(plan_.nodes);
      const std::size_t limbs =
          BentFactor::limbs(plan_.bits, static_cast<std::size_t>(grid.last - grid.first + 1));
      seconds += limbs > 0 ? costs::fixed_bent_factor(points, nodes, limbs)
                           : costs::bent_factor(points, nodes, exponentials,
                                                static_cast<double>(plan_.bits));
    }
    if (!(seconds < longest_plan) || plan_.nodes > most_nodes) return false;
    plan_.seconds = seconds;
    return true;
  }

  void finish() {
    plan_.feasible = true;
    plan_.center = center_;
    plan_.scale = c_.scale;
    plan_.angle = c_.angle;
    plan_.half_width = nu_;
    plan_.shapes = c_.shapes;
    plan_.log_delta = wanted_.log_delta;
    plan_.candidate = c_;
    plan_.kappa = model_.kappa();
  }

  double stretch_;    ///< of the cells of a path
  std::size_t arcs_;  ///< of an edge of the strip
  const BentModel& model_;
  const std::vector<FactorModel>& factors_;
  const BentCandidate& c_;
  const BentGoal& wanted_;
  double log_prefix_;
  double goal_;                ///< log of what an error term may be
  double nu_, inner_, outer_;  ///< half the width of the strip, and the angles of its edges
  double center_ = 0;
  double x_top_ = 0, dx_ = 0;  ///< end of the arcs, and their mean length
  double depth_ = 0;           ///< nats that the ends of the paths lie below their middle
  std::vector<Path> paths_;
  BentPlan plan_;
};

}  // namespace

BentPlan BentModel::complete(const BentCandidate& candidate, const BentGoal& goal,
                             Detail detail) const {
  check_work_limit();
  return Completion(*this, candidate, goal, detail).plan();
}

}  // namespace plaudit
