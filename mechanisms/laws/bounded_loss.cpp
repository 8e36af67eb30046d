#include "mechanisms/laws/bounded_loss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "lib/mutant.hpp"

namespace plaudit {

BoundedLoss::BoundedLoss(std::string name, Bounds bounds)
    : name_(std::move(name)), bounds_(std::move(bounds)) {
  facts_.mass_at_infinity = Rational(0);
  facts_.moment_bounds = bounds_.proven.get();
}

// Proof: docs/proofs/bounded_moments.md#profile
BoundedLoss::Bounds BoundedLoss::bounds_at(const std::vector<Point>& points) {
  std::vector<Point> hull{{Rational(0), Rational(0)}};
  const auto slope = [](const Point& a, const Point& b) {
    return Rational((b.value - a.value) / (b.t - a.t));
  };
  for (const Point& point : points) {
    while (hull.size() > 1 &&
           slope(hull[hull.size() - 2], hull.back()) >= slope(hull.back(), point)) {
      hull.pop_back();
    }
    hull.push_back(point);
  }
  Bounds bounds{.linear = slope(hull[0], hull[1]),
                .quadratic = Rational(0),
                .negative = Rational(0),
                .limit = Rational(points.back().t + 1)};
  for (std::size_t i = 1; i < hull.size(); ++i) {
    const Rational rise = slope(hull[i - 1], hull[i]);
    bounds.lines.push_back({rise, Rational(hull[i].value - rise * hull[i].t)});
  }
  return bounds;
}

double BoundedLoss::greatest_order() const {
  if (!bounds_.limit) return std::numeric_limits<double>::infinity();
  // below limit - 1 by a part that no rounding reaches; log_mgf compares exactly in any case
  return plaudit::estimate(Rational(*bounds_.limit - 1)) * (1 - 0x1p-40);
}

std::vector<double> BoundedLoss::corners() const {
  std::vector<double> orders;
  for (std::size_t i = 1; i < bounds_.lines.size(); ++i) {
    const Line& left = bounds_.lines[i - 1];
    const Line& right = bounds_.lines[i];
    const Rational at = (left.at_zero - right.at_zero) / (right.slope - left.slope);
    orders.push_back(plaudit::estimate(at) * (1 - 0x1p-40));
  }
  return orders;
}

// Proof: docs/proofs/bounded_moments.md#moments
Ball BoundedLoss::log_mgf(const Ball& t) const {
  if (!bounds_.lines.empty()) {
    const Ball last(Rational(*bounds_.limit - 1));
    const Ball beyond = max(t, -t - Ball(1));
    const Ball least = min(Ball(0), Ball(bounds_.linear) * t);
    if (!certainly_less_equal(beyond, last)) return widened(Ball(0), positive_infinity());
    const Ball at = max(beyond, Ball(0));
    const bool right = certainly_less_equal(Ball(-1), t);
    const bool left = certainly_less(t, Ball(0));
    Ball most = right ? greatest_line(lines(false), at) : greatest_line(lines(true), at);
    if (!right && !left) most = max(most, greatest_line(lines(false), at));
    return hull(least, most);
  }
  if (bounds_.limit) {
    const Ball limit = PLAUDIT_BOUND("bounded.limit", Ball(*bounds_.limit), positive_infinity());
    if (!certainly_less(t + Ball(1), limit) || !certainly_less(-t, limit)) {
      return widened(Ball(0), positive_infinity());
    }
  }
  const Ball square_part = Ball(bounds_.quadratic) * square(t);
  const Ball linear = Ball(bounds_.linear) * t;
  const Ball lower = min(Ball(0), PLAUDIT_BOUND("bounded.mean", linear, Ball(0)));
  Ball upper = max(linear, Ball(bounds_.negative) * t) + square_part;
  if (certainly_nonnegative(t)) {
    upper = linear + PLAUDIT_BOUND("bounded.quadratic", square_part, ldexp(square_part, -1));
  } else if (certainly_less_equal(t, Ball(0)) && certainly_less_equal(Ball(-1), t)) {
    upper = Ball(0);
  }
  return hull(lower, max(Ball(0), upper));
}

ComplexBall BoundedLoss::log_mgf(const ComplexBall&) const {
  throw std::logic_error("only bounds of the moments of " + name_ + " are known");
}

Ball BoundedLoss::p_above(const Ball&) const { return hull(Ball(0), Ball(1)); }
Ball BoundedLoss::q_above(const Ball&) const { return hull(Ball(0), Ball(1)); }
Ball BoundedLoss::p_atom(const Ball&) const { return hull(Ball(0), Ball(1)); }
Ball BoundedLoss::delta(const Ball&) const { return hull(Ball(0), Ball(1)); }
Ball BoundedLoss::q_mass() const { return hull(Ball(0), Ball(1)); }
// Anything: a pair within the bounds may have a bounded loss.
Ball BoundedLoss::least_loss() const { return widened(Ball(0), positive_infinity()); }
Ball BoundedLoss::greatest_loss() const { return widened(Ball(0), positive_infinity()); }

/// At t >= 0.
Ball BoundedLoss::greatest_line(const std::vector<Line>& lines, const Ball& t) {
  Ball most(0);
  for (const Line& line : lines) {
    const Ball rise = PLAUDIT_BOUND("bounded.line", Ball(line.slope), ldexp(Ball(line.slope), -1));
    most = max(most, Ball(line.at_zero) + rise * t);
  }
  return most;
}

CumulantEstimate BoundedLoss::estimate_cumulant(double t) const {
  if (!bounds_.lines.empty()) {
    const double at = std::max({t, -1 - t, 0.0});
    CumulantEstimate most{0, 0, 0};
    for (const Line& line : lines(t < 0)) {
      const double slope = plaudit::estimate(line.slope);
      const double value = plaudit::estimate(line.at_zero) + slope * at;
      if (value >= most.value) most = {value, t < 0 ? -slope : slope, 0};
    }
    return most;
  }
  const double linear = plaudit::estimate(t >= 0 ? bounds_.linear : bounds_.negative);
  const double quadratic = plaudit::estimate(bounds_.quadratic);
  return {t * (linear + quadratic * t), linear + 2 * quadratic * t, 2 * quadratic};
}

const BoundedLoss* bounded_factor(const ComposedLoss& loss) {
  for (const ComposedLoss::Term& term : loss.terms()) {
    if (const auto* bounded = dynamic_cast<const BoundedLoss*>(term.loss.get())) return bounded;
  }
  return nullptr;
}

double greatest_bounded_order(const ComposedLoss& loss) {
  double least = std::numeric_limits<double>::infinity();
  for (const ComposedLoss::Term& term : loss.terms()) {
    if (const auto* bounded = dynamic_cast<const BoundedLoss*>(term.loss.get())) {
      least = std::min(least, bounded->greatest_order());
    }
  }
  return least;
}

}  // namespace plaudit
