#include "accountants/plan/hyperbola_model.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "accountants/cost_models.hpp"
#include "lib/analysis/exponential_norms.hpp"
#include "lib/analysis/fixed/fixed_exponentials.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

using Complex = std::complex<double>;
constexpr double half_turn = std::numbers::pi;

constexpr double negligible_square = 1e-12;  ///< |u|^2 where log(1 + u) is u

// What is checked strictly must hold here with something to spare.
constexpr double least_angle = 0.002;
constexpr double greatest_angle = 1.2;
constexpr double greatest_angle_with_gaussian = 0.78;  ///< pi / 4 is the limit
constexpr double least_share_to_pole = 0.02;           ///< of the distance, left beside the strip
constexpr double greatest_share_of_strip = 0.995;      ///< of the angle, and of the rise
constexpr double nearly_one = 0.97;                    ///< for the height of a path
constexpr double steepest_path = 0.98;
constexpr double growth_unseen = 1.1;        ///< of factors, between the cells
constexpr double share_of_left_ends = 0.05;  ///< of kappa, that they may grow to the left of paths
constexpr double least_rate = 0.02;          ///< of kappa, that the growth of the factors leaves
constexpr double least_accuracy = 1e-4;
constexpr double greatest_accuracy = 0.6;

// Arcs, and the nats below delta at which they and the paths end.
constexpr double usual_arc = 0.2;
constexpr double coarseness = 2;  ///< of arcs and cells, in a search
constexpr double arcs_of_reach = 60;
constexpr int least_arcs = 4;
constexpr int most_arcs = 200;
constexpr double nats_of_end = 15;
constexpr double nats_of_path = 10;
constexpr double nats_of_beyond = 3;
constexpr double nats_of_rule = 0.5;   ///< by which norms on the strip of a path exceed the model
constexpr double share_of_errors = 5;  ///< four errors, and the rounding
constexpr double nats_of_nodes = 2;    ///< by which norms on the strip in w stay below the model
constexpr double least_nats = 2;       ///< of a trapezoidal rule

// The ends of a path.
constexpr double greatest_small = 0.7;  ///< of what is below 1 there
constexpr double least_slope = 0.1;
constexpr double step_outward = 0.25;
constexpr int most_steps_outward = 400;
constexpr double steps_inward = 400;

// Lengths of the cells at which a path is looked at, and of its pieces.
constexpr double cell_of_phi = 0.9;
constexpr double more_of_depth = 0.12;   ///< for each nat that phi is below its peak
constexpr double cell_near_bend = 0.35;  ///< in v
constexpr double cell_on_strip = 0.1;    ///< there e^{w l} rises and falls steeply
constexpr double cell_left = 0.8;
constexpr double cell_right = 0.12;  ///< of the distance from -1
constexpr double near_zero = 4;
constexpr std::size_t most_cells = 4000;
constexpr double longest_radius = 0.09;     ///< of a piece; halving leaves 1/16 to 1/8
constexpr double radius_of_accuracy = 0.7;  ///< the same
constexpr double error_of_accuracy = 1.05;  ///< halving leaves 1/2 to 1: the worst counts
constexpr double growth_of_error = 0.28;    ///< of a piece that is as long as may be, in |dl / dy|

// Precision.
constexpr long least_bits = 64;
constexpr long spare_bits_of_hyperbola = 22;
constexpr long spare_bits_of_logarithms = 16;
constexpr double most_cancellation = 1e5;  ///< nats

// What a plan costs, and what is of no use.
constexpr double seconds_of_piece = 1.6e-5;
constexpr double seconds_of_piece_on_arc = 2e-8;
constexpr double seconds_of_node = 3e-5;
constexpr double longest_plan = 1e4;  ///< seconds
constexpr double most_nodes = 200000;
constexpr double most_points = 1e5;
constexpr double longest_rule = 1e6;  ///< of certificates
constexpr double steps_of_arc = 1000;

double log_expm1(double x) { return x > 30 ? x : std::log(std::expm1(std::max(x, 1e-300))); }
double log1p_exp(double x) { return x > 700 ? x : std::log1p(std::exp(x)); }
void add_log(double& sum, double value) {
  const double high = std::max(sum, value);
  if (high > -infinity) sum = high + std::log(std::exp(sum - high) + std::exp(value - high));
}

DoubleRange between(double a, double b) { return {std::min(a, b), std::max(a, b)}; }

struct Curve {
  double center, scale, angle;
  double sine = std::sin(angle), cosine = std::cos(angle);

  Complex at(double x) const {
    return {center + scale * sine * std::cosh(x), scale * cosine * std::sinh(x)};
  }
  double crossing() const { return center + scale * sine; }
  double level(double x) const { return center + scale * sine * std::exp(-x); }
  DoubleArc arc(double x1, double x2) const {
    return {between(level(x1), level(x2)),
            {scale * std::sinh(x1), scale * std::sinh(x2)},
            {sine, sine},
            {cosine, cosine},
            std::fabs(center) + scale * std::cosh(x2)};
  }
};

}  // namespace

MixtureModel::MixtureModel(const proof::MixtureLaw& law) : count(static_cast<double>(law.count)) {
  const double base = estimate_log(law.probabilities[0]);
  const double rest = estimate(Rational(1 - law.probabilities[0]));
  loss = rest < 0.5 ? -std::log1p(-rest) : -base;
  for (std::size_t i = 1; i < law.rates.size(); ++i) {
    rates.push_back(estimate(law.rates[i]));
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

double estimate_kappa(const proof::HyperbolaLaw& law, double epsilon) {
  double sum = 0;
  for (const proof::MixtureLaw& mixture : law.mixtures) {
    const MixtureModel model(mixture);
    sum += model.count * model.loss;
  }
  return law.removes ? sum + epsilon : sum - epsilon;
}

HyperbolaModel::HyperbolaModel(const proof::HyperbolaLaw& law, const HyperbolaGoal& goal)
    : goal_(goal),
      removes_(law.removes),
      has_gaussian_(law.mean != 0),
      mean_(estimate(law.mean)),
      kappa_(estimate_kappa(law, goal.epsilon)) {
  for (const proof::MixtureLaw& mixture : law.mixtures) mixtures_.emplace_back(mixture);
}

/// A step that returns false refuses the attempt.
class HyperbolaAttempt {
 public:
  HyperbolaAttempt(const HyperbolaModel& model, const std::vector<double>& place,
                   HyperbolaModel::Detail detail)
      : model_(model),
        goal_(model.goal_),
        place_(place),
        stretch_(detail == HyperbolaModel::Detail::fine ? 1 : coarseness) {}

  HyperbolaPlan plan() {
    if (lay_hyperbola() && lay_paths() && bound_arcs() && choose_points()) finish();
    return std::move(plan_);
  }

 private:
  /// y(x + i offset) on one mixture, its cells, and what the plan makes of it.
  struct Path {
    const MixtureModel& mixture;
    double rise, tilt, knee, bend, strip, accuracy;
    double from = 0, to = 0, step = 0;
    std::vector<DoublePiece> middle = {};
    double pieces = 0;

    Complex at(double x, double offset) const {
      const Complex place((x - knee) / bend, offset / bend);
      const bool right = place.real() > 0;
      const Complex soft = std::log(1.0 + std::exp(right ? -place : place)) + (right ? place : 0);
      return Complex(x, offset + rise) + Complex(0, tilt * bend) * soft;
    }
  };

  bool lay_hyperbola() {
    const double distance = std::exp(place_[0]), angle = place_[2], strip = angle * place_[3];
    const double scale = std::exp(place_[1]);
    if (!(distance > 0 && scale > 0 && std::isfinite(distance) && std::isfinite(scale) &&
          strip > 0 && strip < greatest_share_of_strip * angle && angle - strip > least_angle &&
          angle + strip < (model_.has_gaussian_ ? greatest_angle_with_gaussian : greatest_angle)) ||
        !(model_.kappa_ > 0)) {
      return false;
    }
    const double crossing = model_.removes_ ? 1 + distance : -distance;
    const double center = crossing - scale * std::sin(angle);
    for (const double shift : {-strip, 0.0, strip})
      curves_.push_back({center, scale, angle + shift});
    const double to_pole = model_.removes_ ? curves_[0].crossing() - 1 : -curves_[2].crossing();
    if (to_pole < least_share_to_pole * distance) return false;
    strip_ = strip;
    front_ = (model_.removes_ ? goal_.epsilon : 0) - std::log(half_turn);
    reach_ = std::max(0.0, front_ - model_.kappa_ * crossing - goal_.log_delta) + goal_.log_delta -
             goal_.log_error + nats_of_end;
    const double end = std::acosh(1 + reach_ / (model_.kappa_ * scale * std::sin(angle - strip)));
    arc_ = stretch_ * std::max(usual_arc, end / arcs_of_reach);
    return std::isfinite(end);
  }

  bool lay_paths() {
    double growth = 0;
    for (std::size_t i = 0; i < model_.mixtures_.size(); ++i) {
      const MixtureModel& mixture = model_.mixtures_[i];
      const double* v = &place_[4 + 6 * i];
      const double rate = mixture.rate(), strip = v[0] * v[3];
      const double tilt = std::tan(std::min(curves_[2].angle + std::exp(v[1]), 0.77));
      const double knee = mixture.dominance + v[2] / rate;
      const double bend = 2 * strip / half_turn * (1 + std::exp(v[4]));
      paths_.push_back(
          {mixture, v[0] / rate, tilt, knee, bend / rate, strip / rate, std::exp(v[5])});
      Path& path = paths_.back();
      // the height where the real part is that of the dominance, on the upper path
      const double edge = mixture.dominance + tilt * path.strip + 0.1 / rate;
      const double highest =
          rate * (path.strip + path.rise +
                  tilt * path.bend * std::log1p(std::exp((edge - knee) / path.bend)));
      if (!(v[0] > 0 && v[3] > 0 && v[3] < greatest_share_of_strip && tilt < steepest_path &&
            highest < nearly_one * half_turn && path.accuracy > least_accuracy &&
            path.accuracy < greatest_accuracy) ||
          !find_ends(path)) {
        return false;
      }
      path.middle = along(path, 0, &path.pieces);
      if (path.middle.size() > most_cells) return false;
      double worst = 0;
      for (const std::size_t edge_of_strip : {std::size_t{0}, std::size_t{2}}) {
        const Curve& curve = curves_[edge_of_strip];
        worst = std::max(worst, steepest_above(path.middle, {curve.sine, curve.sine},
                                               {curve.cosine, curve.cosine}) /
                                    curve.sine);
      }
      growth += mixture.count * worst;
    }
    rate_ = (1 - share_of_left_ends) * model_.kappa_ - growth_unseen * growth;
    return rate_ > least_rate * model_.kappa_;
  }

  /// log of what lies to the left of x, infinite where the bound does not hold.
  double left_end(const Path& path, double x, double size) const {
    const double drift = path.tilt * path.bend * std::exp((x - path.knee) / path.bend);
    const double y = x + drift, bound = path.mixture.excess(y), height = path.rise + drift;
    if (!(bound < greatest_small) || !(y < -least_slope)) return infinity;
    const double growth = size * bound / (1 - bound);
    return std::log((1 + path.tilt) / 2 / -y) + (height * height - y * y) / 2 +
           std::min(log1p_exp(growth), std::log(growth) + growth);
  }

  /// The same to the right.
  double right_end(const Path& path, double x) const {
    const MixtureModel& mixture = path.mixture;
    const Curve& outer = curves_[2];
    const double rate = mixture.rate();
    const double drift = path.tilt * path.bend * std::exp((path.knee - x) / path.bend);
    const double least = x - path.tilt * path.strip - drift;
    const double bound = mixture.remainder(least);
    if (!(bound < greatest_small) || !(least > least_slope)) return infinity;
    const double error = bound / (1 - bound), height = path.rise + path.tilt * (x - path.knee);
    const double order = std::max(outer.crossing(), 0.0);
    const double slope = least - drift - path.tilt * (height + path.strip + drift) - order * rate;
    const double real = rate * (x + path.tilt * path.strip + drift) + mixture.shifts.back();
    const double imaginary = rate * (height - path.strip - drift);
    if (!(slope > least_slope) || height - path.strip < drift ||
        rate * least + mixture.shifts.back() < error ||
        outer.sine * real - outer.cosine * imaginary + error > 0) {
      return infinity;
    }
    const double low = x - drift, high = height + drift;
    const double most = rate * (x + drift) + mixture.shifts.back() + error;
    return std::log((1 + path.tilt) / slope) + (high * high - low * low) / 2 + order * most;
  }

  /// Where the ends are far below what is wanted.
  bool find_ends(Path& path) const {
    const double depth = -(reach_ + nats_of_path + std::log(path.mixture.count));
    path.from = -1;
    path.to = std::max({1.0, path.mixture.dominance, path.knee});
    int steps = 0;
    while (!(left_end(path, path.from, 1) < depth)) {
      path.from -= step_outward;
      if (++steps > most_steps_outward) return false;
    }
    while (!(right_end(path, path.to) < depth)) {
      path.to += step_outward + 0.05 * std::fabs(path.to);
      if (++steps > most_steps_outward) return false;
    }
    return path.from < path.to;
  }

  std::vector<DoublePiece> along(const Path& path, double offset, double* pieces) const {
    std::vector<DoublePiece> result;
    const MixtureModel& mixture = path.mixture;
    const double rate = mixture.rate();
    for (double x = path.from; x < path.to && result.size() <= most_cells;) {
      const double v = rate * (x - mixture.dominance);
      double width = cell_of_phi * (1 + more_of_depth * x * x / 2) / (1 + std::fabs(x));
      const bool turns = std::fabs(v) < near_zero;
      const double near_bend = offset == 0 ? cell_near_bend : cell_on_strip * stretch_;
      width = std::min(width, (turns   ? near_bend
                               : v < 0 ? cell_left
                                       : cell_right * (v + 1)) /
                                  rate);
      if (!turns) width *= stretch_;
      width = std::min(width, path.to - x + 1e-9);
      const Complex y = path.at(x + width / 2, offset);
      const Complex value = mixture.log_ratio(y);
      const double slope = std::abs(mixture.log_ratio(y + 1e-4) - value) / 1e-4;
      const double modulus = std::abs(value);
      const double radius =
          std::min(longest_radius, radius_of_accuracy * path.accuracy * modulus / slope);
      const double error =
          std::min(error_of_accuracy * path.accuracy * modulus, growth_of_error * slope);
      const double log_weight = -(y * y).real() / 2 + std::abs(y) * radius +
                                std::log(width * (1 + path.tilt) / std::sqrt(2 * half_turn));
      result.push_back({log_weight, value.real(), value.imag(), error, modulus + error});
      if (pieces != nullptr) *pieces += width * (1 + path.tilt) / (2 * radius);
      x += width;
    }
    check_work_limit(static_cast<double>(result.size()) * 4e-7);
    return result;
  }

  /// log of |e^{mu w(w-1)}| at the end of an arc where it is greater.
  double gaussian(const Curve& curve, double x1, double x2) const {
    if (!model_.has_gaussian_) return 0;
    const auto at = [&](double x) {
      const Complex w = curve.at(x);
      return model_.mean_ * (w * (w - 1.0)).real();
    };
    return std::max(at(x1), at(x2));
  }

  /// log of the bound of an arc; `outside` is that of all but |Pi - s|, times |Pi|.
  double on_arc(const Curve& curve, int i, double* outside = nullptr) const {
    const double x1 = i * arc_, x2 = x1 + arc_;
    const DoubleArc arc = curve.arc(x1, x2);
    double sums = 0, products = 0;
    for (const Path& path : paths_) {
      check_work_limit(static_cast<double>(path.middle.size()) * seconds_of_piece_on_arc);
      const DoubleNorms norms = norms_above(path.middle, arc);
      const double minus_one = norms.log_unit + std::log(norms.minus_one);
      const double plain = norms.log_unit + std::log(norms.plain);
      sums += path.mixture.count * log1p_exp(minus_one);
      products += path.mixture.count * std::min(log1p_exp(minus_one), plain);
    }
    const double size = model_.has_gaussian_ ? products + gaussian(curve, x1, x2)
                                             : std::min(log_expm1(sums), log1p_exp(products));
    const Complex begin = curve.at(x1), end = curve.at(x2);
    double factor = front_ +
                    std::log(arc_ * curve.scale * std::hypot(std::sinh(x2), curve.cosine)) -
                    model_.kappa_ * begin.real();
    for (const double pole : {0.0, 1.0}) {
      const double apart = std::max({begin.real() - pole, pole - end.real(), 0.0});
      factor -= std::log(std::hypot(apart, begin.imag()));
    }
    if (outside != nullptr) *outside = factor + products + gaussian(curve, x1, x2);
    return factor + size;
  }

  /// log of the product of the factors beyond x, without what their growth takes from kappa.
  double products_beyond(const Curve& curve, double x) const {
    const DoubleArc arc{between(curve.center, curve.level(x)), {0, 0}, {0, 0}, {0, 0}, 0};
    double products = 0;
    for (const Path& path : paths_) {
      check_work_limit(static_cast<double>(path.middle.size()) * seconds_of_piece_on_arc);
      const DoubleNorms norms = norms_above(path.middle, arc);
      products += path.mixture.count * (norms.log_unit + std::log(norms.plain));
    }
    return products;
  }

  /// log of the bound beyond x, where that is of the products.
  double beyond(const Curve& curve, double x, double products) const {
    if (model_.has_gaussian_) {
      const double turn = (curve.center - 0.5) * curve.sine -
                          curve.scale * std::cos(2 * curve.angle) * std::cosh(x);
      if (turn > 0) return infinity;
      products += gaussian(curve, x, x);
    }
    const double rise = curve.scale * curve.sine * std::cosh(x);
    double size = products - model_.kappa_ * curve.center - rate_ * rise;
    if (!model_.has_gaussian_) add_log(size, -model_.kappa_ * (curve.center + rise));
    return front_ + size - std::log(curve.scale * curve.cosine * curve.cosine * std::sinh(x));
  }

  /// The arc at which what follows is below e^log_share on all hyperbolas, at least `first`.
  int last_arc(int first, double log_share) const {
    int end = least_arcs;
    for (const Curve& curve : curves_) {
      const double products = products_beyond(curve, first * arc_);
      while (end < most_arcs && !(beyond(curve, end * arc_, products) < log_share)) ++end;
    }
    return std::max(first, end);
  }

  /// Where the nodes and the arcs end, and the step between nodes.
  bool bound_arcs() {
    const double share = goal_.log_error - std::log(share_of_errors);
    // what follows late is less: found late first, it shows where to look for it
    const int late = last_arc(least_arcs, share - nats_of_beyond);
    const int end = last_arc(std::max(least_arcs, late / 2), share - nats_of_beyond);
    if (end == most_arcs) return false;
    double edges = -infinity;
    amplification_ = -infinity;
    std::vector<double> bounds;
    for (int i = 0; i < end; ++i) {
      double outside = 0;
      bounds.push_back(on_arc(curves_[1], i, &outside));
      add_log(amplification_, outside);
      add_log(edges, on_arc(curves_[0], i));
      add_log(edges, on_arc(curves_[2], i));
    }
    if (!std::isfinite(edges) || !std::isfinite(amplification_) ||
        amplification_ - goal_.log_error > most_cancellation) {
      return false;
    }
    int kept = end;
    double rest = -infinity;
    while (kept > 1) {
      double more = rest;
      add_log(more, bounds[static_cast<std::size_t>(kept - 1)]);
      if (!(more < share - log_two)) break;
      rest = more;
      --kept;
    }
    const double step =
        2 * half_turn * strip_ / std::max(least_nats, edges - share - nats_of_nodes);
    const double per_arc = std::ceil(arc_ / step);
    if (!(per_arc < steps_of_arc) || !(kept * per_arc < most_nodes)) return false;
    per_arc_ = clamped_integer(per_arc, 1, most_index);
    arcs_ = kept;
    beyond_ = end - kept;
    // a smooth measure of the nodes, so that the search is not held up by whole numbers
    const double next = bounds[static_cast<std::size_t>(kept - 1)];
    const double before = kept > 1 ? bounds[static_cast<std::size_t>(kept - 2)] : next;
    const double part =
        before > next ? std::clamp(1 + (share - log_two - next) / (before - next), 0.0, 1.0) : 0.0;
    nodes_ = (kept - part) * arc_ / step;
    return true;
  }

  /// Step and ends of the rules in y.
  bool choose_points() {
    const double end = arcs_ * arc_;
    const DoubleArc whole = curves_[1].arc(0, end);
    for (Path& path : paths_) {
      const double share = goal_.log_error - std::log(share_of_errors) - nats_of_rule -
                           amplification_ -
                           std::log(static_cast<double>(paths_.size()) * path.mixture.count);
      double both = -infinity;
      for (const double offset : {path.strip, -path.strip}) {
        const DoubleNorms norms = norms_above(along(path, offset, nullptr), whole);
        add_log(both, norms.log_unit + std::log(norms.minus_one));
      }
      if (!std::isfinite(both)) return false;
      path.step = 2 * half_turn * path.strip / std::max(least_nats, both - share);
      if (!move_ends(path, share - log_two, whole.size)) return false;
      if (!(std::max(std::fabs(path.from), std::fabs(path.to)) / path.step < longest_rule) ||
          !((path.to - path.from) / path.step < most_points)) {
        return false;
      }
      const DoubleNorms norms = norms_above(path.middle, curves_[1].arc(0, 0));
      const double log_size = log1p_exp(norms.log_unit + std::log(norms.plain));
      rounding_ = std::max(rounding_, log_size + std::log(path.mixture.count) + amplification_);
    }
    return true;
  }

  /// Outward until they are small enough, inward as long as they are.
  bool move_ends(Path& path, double share, double size) const {
    const double step = (path.to - path.from) / steps_inward;
    int outward = 0;
    const double growth = share_of_left_ends * model_.kappa_ /
                          (static_cast<double>(paths_.size()) * path.mixture.count);
    const auto left_fits = [&](double x) {
      const double drift = path.tilt * path.bend * std::exp((x - path.knee) / path.bend);
      const double bound = path.mixture.excess(x + drift);
      return bound / (1 - bound) < growth * curves_[0].sine && left_end(path, x, size) < share;
    };
    while (!left_fits(path.from)) {
      path.from -= step;
      if (++outward > most_steps_outward) return false;
    }
    while (left_fits(path.from + step)) path.from += step;
    while (!(right_end(path, path.to) < share)) {
      path.to += step;
      if (++outward > most_steps_outward) return false;
    }
    while (right_end(path, path.to - step) < share) path.to -= step;
    return path.from < path.to;
  }

  void finish() {
    proof::HyperbolaChoices& choices = plan_.choices;
    const Curve& middle = curves_[1];
    const double step = arc_ / static_cast<double>(per_arc_);
    choices.center = checked_rational(middle.center, "a center");
    choices.scale = checked_rational(middle.scale, "a scale");
    choices.angle = checked_rational(middle.angle, "an angle");
    choices.strip = checked_rational(strip_, "a strip");
    choices.step = checked_rational(step, "a step");
    choices.per_arc = per_arc_;
    choices.arcs = arcs_;
    choices.arcs_beyond = beyond_;
    plan_.bits = std::max(least_bits, precision_bits((rounding_ - goal_.log_error) / log_two) +
                                          spare_bits_of_hyperbola);
    plan_.bits_to_check = plan_.bits;
    double seconds = nodes_ * seconds_of_node;
    for (const Path& path : paths_) {
      choices.paths.push_back(
          {checked_rational(path.rise, "a rise"), checked_rational(path.tilt, "a tilt"),
           checked_rational(path.knee, "a knee"), checked_rational(path.bend, "a bend"),
           checked_rational(path.strip, "a strip"), checked_rational(path.step, "a step"),
           checked_integer(std::floor(path.from / path.step), "a point"),
           checked_integer(std::ceil(path.to / path.step), "a point"),
           checked_rational(path.accuracy, "an accuracy")});
      const double points = (path.to - path.from) / path.step + 1;
      const std::size_t limbs = limbs_of_exponentials(
          plan_.bits - 24, static_cast<std::size_t>(clamped_integer(points, 1, most_index)));
      seconds +=
          (limbs > 0 ? costs::fixed_bent_factor(points, nodes_, limbs)
                     : costs::bent_factor(points, 4 * nodes_, 0, static_cast<double>(plan_.bits))) +
          3 * path.pieces *
              (seconds_of_piece + (2 * arcs_ + 3 * beyond_) * seconds_of_piece_on_arc / 3);
      plan_.bits_to_check =
          std::max(plan_.bits_to_check, precision_bits(-std::log2(path.mixture.excess(path.from))) +
                                            spare_bits_of_logarithms);
    }
    if (!(seconds < longest_plan)) return;
    plan_.seconds = seconds;
    plan_.place = place_;
  }

  const HyperbolaModel& model_;
  const HyperbolaGoal& goal_;
  const std::vector<double>& place_;
  std::vector<Curve> curves_;  ///< inner, middle, outer
  std::vector<Path> paths_;
  double stretch_;  ///< of arcs and cells
  double strip_ = 0, front_ = 0, reach_ = 0, arc_ = 0, rate_ = 0;
  double amplification_ = 0, nodes_ = 0;
  double rounding_ = -infinity;
  long per_arc_ = 1;
  int arcs_ = 1, beyond_ = 0;
  HyperbolaPlan plan_;
};

HyperbolaPlan HyperbolaModel::complete(const std::vector<double>& place, Detail detail) const {
  check_work_limit();
  return HyperbolaAttempt(*this, place, detail).plan();
}

}  // namespace plaudit
