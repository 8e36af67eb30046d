// Mechanisms of which only bounds of the moments are known, by their definitions.
// Proof: docs/proofs/bounded_moments.md#moments
#include <algorithm>

#include "verification/checker/specs/builders.hpp"

namespace plaudit::proof {

namespace {

Mechanism of_moments(std::string text, Bounded bounds) {
  Mechanism result;
  result.text = std::move(text);
  set_law(result, law(std::move(bounds)));
  return result;
}

constexpr std::size_t most_orders = 1000;
constexpr std::uint64_t most_queries = 1'000'000'000'000;
constexpr unsigned long bits_of_outcomes =
    90;  ///< behind the point, of log(queries + 1), from above

using Point = std::pair<Rational, Rational>;  ///< (t, a bound of log M(t))

/// The lower hull of (0, 0) and the points, from the left; t rises.
Bounded bounded_at(const std::vector<Point>& points) {
  std::vector<Point> hull{{0, 0}};
  const auto slope = [](const Point& a, const Point& b) -> Rational {
    return (b.second - a.second) / (b.first - a.first);
  };
  for (const Point& point : points) {
    while (hull.size() > 1 &&
           slope(hull[hull.size() - 2], hull.back()) >= slope(hull.back(), point)) {
      hull.pop_back();
    }
    hull.push_back(point);
  }
  Bounded bounds{0, 0, Rational(points.back().first + 1), {}};
  for (std::size_t i = 1; i < hull.size(); ++i) {
    const Rational rise = slope(hull[i - 1], hull[i]);
    bounds.lines.push_back({rise, hull[i].second - rise * hull[i].first});
  }
  return bounds;
}

}  // namespace

// Proof: docs/proofs/bounded_moments.md#zcdp
Mechanism zcdp(const Arguments& arguments) {
  const Rational rho = arguments.positive("rho");
  return of_moments("zcdp(rho=" + to_string(rho) + ")", {rho, rho, std::nullopt});
}

// Proof: docs/proofs/bounded_moments.md#zcdp
Mechanism tcdp(const Arguments& arguments) {
  const Rational rho = arguments.positive("rho");
  const Rational omega = arguments.number("omega");
  if (omega <= 1) arguments.fail("omega", "must exceed 1");
  return of_moments("tcdp(rho=" + to_string(rho) + ", omega=" + to_string(omega) + ")",
                    {rho, rho, omega});
}

// Proof: docs/proofs/bounded_moments.md#cdp
Mechanism cdp(const Arguments& arguments) {
  const Rational mu = arguments.number("mu");
  if (mu < 0) arguments.fail("mu", "must not be negative");
  const Rational tau = arguments.positive("tau");
  return of_moments("cdp(mu=" + to_string(mu) + ", tau=" + to_string(tau) + ")",
                    {mu, tau * tau / 2, std::nullopt});
}

// Proof: docs/proofs/bounded_moments.md#profile
Mechanism renyi_profile(const Arguments& arguments) {
  const auto& orders = arguments.typed<std::vector<Rational>>("orders");
  const auto& divergences = arguments.typed<std::vector<Rational>>("divergences");
  if (orders.size() != divergences.size() || orders.empty() || orders.size() > most_orders) {
    arguments.fail("orders", "must be as many as divergences, from 1 to 1000");
  }
  std::vector<Point> points;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    if (orders[i] <= (i == 0 ? Rational(1) : orders[i - 1])) {
      arguments.fail("orders", "must rise from above 1");
    }
    if (divergences[i] <= 0) arguments.fail("divergences", "must be positive");
    points.emplace_back(orders[i] - 1, (orders[i] - 1) * divergences[i]);
  }
  return of_moments(
      "renyi_profile(orders=" + list_text(orders) + ", divergences=" + list_text(divergences) + ")",
      bounded_at(points));
}

// Proof: docs/proofs/thresholds.md#sparse-vector
Mechanism gaussian_sparse_vector(const Arguments& arguments) {
  const Rational threshold = arguments.positive("threshold_sigma");
  const Rational query = arguments.positive("query_sigma");
  const std::uint64_t queries = arguments.count("queries", most_queries);
  const Rational sensitivity = arguments.sensitivity();
  const Rational square = sensitivity * sensitivity;
  const Rational one = square / (2 * threshold * threshold) + 2 * square / (query * query);
  const Rational all = Rational(Integer(queries)) * square / (2 * query * query);
  const Integer unit = Integer(1) << bits_of_outcomes;
  const PrecisionScope scope(2 * bits_of_outcomes);
  const Interval outcomes = log(Interval(Rational(Integer(queries) + 1)));
  const Rational added(Integer(floor_of(Rational(upper(outcomes) * unit)) + 1), unit);
  std::vector<Point> points;
  for (int k = -12; k <= 40; ++k) {
    const Rational power = k < 0 ? Rational(Integer(1), Integer(1) << static_cast<unsigned>(-k))
                                 : Rational(Integer(1) << static_cast<unsigned>(k));
    for (int i = 8; i < 16; ++i) {
      const Rational t = power * i / 8;
      const Rational both = t * (1 + t);
      points.emplace_back(t, std::min(Rational(both * one + added), Rational(both * all)));
    }
  }
  return of_moments("gaussian_sparse_vector(threshold_sigma=" + to_string(threshold) +
                        ", query_sigma=" + to_string(query) + ", queries=" +
                        std::to_string(queries) + sensitivity_text(sensitivity) + ")",
                    bounded_at(points));
}

}  // namespace plaudit::proof
