// Mechanisms of which only bounds of the moments are known, by their definitions.
// Proof: docs/proofs/bounded_moments.md#moments
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
  // The lower hull of (0, 0) and the points, from the left.
  std::vector<std::pair<Rational, Rational>> hull{{0, 0}};
  const auto slope = [](const auto& a, const auto& b) -> Rational {
    return (b.second - a.second) / (b.first - a.first);
  };
  for (std::size_t i = 0; i < orders.size(); ++i) {
    if (orders[i] <= (i == 0 ? Rational(1) : orders[i - 1])) {
      arguments.fail("orders", "must rise from above 1");
    }
    if (divergences[i] <= 0) arguments.fail("divergences", "must be positive");
    const std::pair<Rational, Rational> point{orders[i] - 1, (orders[i] - 1) * divergences[i]};
    while (hull.size() > 1 &&
           slope(hull[hull.size() - 2], hull.back()) >= slope(hull.back(), point)) {
      hull.pop_back();
    }
    hull.push_back(point);
  }
  Bounded bounds{0, 0, orders.back(), {}};
  for (std::size_t i = 1; i < hull.size(); ++i) {
    const Rational rise = slope(hull[i - 1], hull[i]);
    bounds.lines.push_back({rise, hull[i].second - rise * hull[i].first});
  }
  return of_moments(
      "renyi_profile(orders=" + list_text(orders) + ", divergences=" + list_text(divergences) + ")",
      std::move(bounds));
}

}  // namespace plaudit::proof
