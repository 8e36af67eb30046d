#include "mechanisms/forms/attack.hpp"

#include <algorithm>
#include <cmath>

#include "lib/balls/decimal.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/exact/square_root.hpp"
#include "mechanisms/forms/directed_mechanism.hpp"
#include "mechanisms/forms/gaussian_mixture_mechanism.hpp"
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/arguments.hpp"
#include "mechanisms/laws/finite_loss.hpp"
#include "mechanisms/laws/two_point_loss.hpp"

namespace plaudit {

namespace {

/// Digits to which parameters of attacks are rounded: lower ends lose about 1e-15 of themselves.
constexpr int attack_digits = 15;
/// Positive values of a count that an attack keeps. More would make its lower end slightly better
/// and its law slower.
constexpr std::size_t most_levels = 16;
/// Values k with P(K >= k) below this times that of the first one are left out, so that deltas of
/// about that size or less have weaker lower ends.
const Rational least_tail = parse_rational("1e-20");
/// The values reach this many standard deviations of a Poisson count beyond its mean.
constexpr double deviations = 6;

/// A decimal below a positive number; 0 where the number is not certainly positive.
Rational rounded_down(const Ball& x) {
  if (!certainly_positive(x) || !x.is_finite()) return 0;
  return parse_rational(decimal_below(x.lower(), attack_digits));
}

constexpr int tests = 160;  ///< thresholds, evenly spaced: more bring lower ends 1e-5 nearer
/// Deviations beyond the thresholds that tell most, for deltas that are near 1 and tiny ones.
constexpr double tests_below = 3;
constexpr double tests_above = 8;

MechanismPointer mixture_attack(std::string spec, GaussianMixture mixture) {
  GaussianMixtureMechanism::Origin origin;
  origin.attainment = {Attained::yes, by_two_data_sets};
  return std::make_shared<GaussianMixtureMechanism>(std::move(spec), std::move(mixture),
                                                    std::move(origin));
}

/// A decimal that is no less.
Rational decimal_at_least(const Ball& x) {
  return parse_rational(decimal_above(x.upper(), attack_digits));
}

struct Point {
  Rational q;
  Rational p;
};

/// The corners of the upper hull of (0, 0), the points and (1, 1).
std::vector<Point> upper_hull(const std::vector<Point>& points) {
  std::vector<Point> hull{{0, 0}};
  const auto add = [&](const Point& next) {
    if (next.q < hull.back().q || next.p <= hull.back().p) return;
    if (next.q == hull.back().q) hull.pop_back();
    const auto bends = [&](const Point& a, const Point& b) {
      return (b.p - a.p) * (next.q - b.q) > (next.p - b.p) * (b.q - a.q);
    };
    while (hull.size() > 1 && !bends(hull[hull.size() - 2], hull.back())) hull.pop_back();
    hull.push_back(next);
  };
  for (const Point& each : points) add(each);
  add({1, 1});
  return hull;
}

std::shared_ptr<const PrivacyLoss> law_of(const std::string& text, const std::vector<Point>& hull,
                                          bool swapped) {
  return std::make_shared<FiniteLoss>(text, [hull, swapped] {
    FiniteLaw law;
    for (std::size_t i = 1; i < hull.size(); ++i) {
      const Rational p = hull[i].p - hull[i - 1].p;
      const Rational q = hull[i].q - hull[i - 1].q;
      const Ball loss = log(Ball(Rational(p / q)));
      law.atoms.push_back(swapped ? Atom{-loss, Ball(q), Ball(p)} : Atom{loss, Ball(p), Ball(q)});
    }
    return law;
  });
}

}  // namespace

const char* name_of(Attained attained) {
  switch (attained) {
    case Attained::yes:
      return "yes";
    case Attained::each_epsilon:
      return "each_epsilon";
    case Attained::unknown:
      return "unknown";
    case Attained::no_pair:
      break;
  }
  return "no_pair";
}

MechanismPointer two_point_attack(const Ball& log_odds) {
  const Rational epsilon = rounded_down(log_odds);
  if (epsilon <= 0) return nullptr;
  return std::make_shared<SymmetricMechanism>("pure(epsilon=" + to_string(epsilon) + ')',
                                              TwoPointLoss::of_epsilon(epsilon, 0),
                                              Attainment{Attained::yes, by_two_data_sets});
}

MechanismPointer gaussian_attack(const Rational& squared_ratio) {
  const Rational ratio = root_below(squared_ratio);
  if (ratio <= 0) return nullptr;
  return mixture_attack("gaussian(sigma=1, sensitivity=" + to_string(ratio) + ')',
                        {1, {ratio}, {1}});
}

MechanismPointer sampled_gaussian_attack(const Rational& sigma, const Rational& sensitivity,
                                         const Rational& rate) {
  std::string gaussian = "gaussian(sigma=" + to_string(sigma);
  if (sensitivity != 1) gaussian += ", sensitivity=" + to_string(sensitivity);
  return mixture_attack("poisson(" + gaussian + "), rate=" + to_string(rate) + ')',
                        {sigma, {0, sensitivity}, {1 - rate, rate}});
}

// Proof: docs/proofs/attainment.md#counts
MechanismPointer count_attack(const Rational& sigma, const Rational& sensitivity,
                              const std::function<Ball(std::uint64_t)>& tail, double mean,
                              std::uint64_t most) {
  const double reach = std::min(static_cast<double>(most),
                                std::ceil(mean + deviations * std::sqrt(mean) + deviations));
  const auto step = static_cast<std::uint64_t>(
      clamped_integer(std::ceil(reach / static_cast<double>(most_levels)), 1, most_index));
  std::vector<Rational> places{0};
  std::vector<Rational> tails{1};
  for (std::uint64_t k = step; k <= most && tails.size() <= most_levels; k += step) {
    const Rational above = rounded_down(tail(k));
    if (above == 0 || (tails.size() > 1 && above < least_tail * tails[1])) break;
    places.push_back(sensitivity * Rational(Integer(k)));
    tails.push_back(std::min(above, Rational(1)));
  }
  if (places.size() == 1) return nullptr;
  // A tail that was rounded below the next one is at least that one.
  for (std::size_t i = tails.size() - 1; i > 1; --i)
    tails[i - 1] = std::max(tails[i - 1], tails[i]);
  std::vector<Rational> masses;
  for (std::size_t i = 0; i < tails.size(); ++i) {
    masses.push_back(i + 1 < tails.size() ? Rational(tails[i] - tails[i + 1]) : tails[i]);
  }
  const std::string text = "mixture(sigma=" + to_string(sigma) +
                           ", sensitivities=" + list_text(places) +
                           ", probabilities=" + list_text(masses) + ")";
  return mixture_attack(text, {sigma, std::move(places), std::move(masses)});
}

// Proof: docs/proofs/attainment.md#tests
MechanismPointer events_attack(const std::string& spec, const std::vector<EventRates>& events) {
  std::vector<Point> points;
  for (const EventRates& event : events) {
    // deltas below it have weaker lower ends
    const Rational rarest = least_tail * least_tail;
    if (!certainly_less(Ball(rarest), event.p) || !event.q.is_finite()) continue;
    const Point point{certainly_less(event.q, Ball(rarest)) ? rarest : decimal_at_least(event.q),
                      rounded_down(event.p)};
    if (point.q < point.p && point.p < 1) points.push_back(point);
  }
  std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.q < b.q; });
  const std::vector<Point> hull = upper_hull(points);
  if (hull.size() < 3) return nullptr;
  const std::string text = "privacy loss of " + spec;
  return std::make_shared<DirectedMechanism>(spec, law_of(text + ", remove", hull, false),
                                             law_of(text + ", add", hull, true), Adjacency{},
                                             Attainment{Attained::yes, by_two_data_sets});
}

MechanismPointer test_attack(const std::string& spec, const std::vector<Tests>& families) {
  std::vector<EventRates> events;
  for (const Tests& family : families) {
    const double first = family.least - tests_below;
    const double last = family.greatest + tests_above;
    for (int i = tests; i >= 0; --i) {
      events.push_back(family.above(Ball(first + (last - first) * i / tests)));
    }
  }
  return events_attack(spec, events);
}

}  // namespace plaudit
