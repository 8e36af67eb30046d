// Random participation: moments beside the enumeration of all patterns, curves beside independently
// computed values and beside integrals over all rows, tests below and bounds above.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "lib/balls/precision.hpp"
#include "mechanisms/language/spec.hpp"
#include "mechanisms/participation/curve_from_moments.hpp"
#include "mechanisms/participation/participation_moments.hpp"
#include "mechanisms/participation/ring_filter.hpp"
#include "mechanisms/participation/ring_noise.hpp"
#include "mechanisms/participation/two_state_filter.hpp"
#include "mechanisms/spec_error.hpp"

using namespace plaudit;

namespace {

struct Pattern {
  double weight;
  std::vector<double> means;
};

/// All patterns with their probabilities, in doubles, by the scheme's words alone.
std::vector<Pattern> patterns_of(const RandomParticipation& scheme) {
  const double a = std::sqrt(estimate(scheme.ratio));
  const auto means = [&](const std::vector<bool>& taken) {
    std::vector<double> result(scheme.steps, 0.0);
    for (std::size_t j = 0; j < scheme.steps; ++j) {
      for (std::size_t d = 0; taken[j] && d < scheme.bands() && j + d < scheme.steps; ++d) {
        result[j + d] += a * estimate(scheme.coefficients[d]);
      }
    }
    return result;
  };
  std::vector<Pattern> result;
  if (!scheme.rate) {
    for (std::size_t bin = 0; bin < scheme.period; ++bin) {
      std::vector<bool> taken(scheme.steps, false);
      for (std::size_t j = bin; j < scheme.steps; j += scheme.period) taken[j] = true;
      result.push_back({1.0 / static_cast<double>(scheme.period), means(taken)});
    }
    return result;
  }
  const double q = estimate(*scheme.rate);
  std::vector<bool> taken(scheme.steps, false);
  const std::function<void(std::size_t, std::size_t, double)> draw =
      [&](std::size_t j, std::size_t free_at, double weight) {
        if (j == scheme.steps) {
          result.push_back({weight, means(taken)});
        } else if (j < free_at) {
          draw(j + 1, free_at, weight);
        } else {
          draw(j + 1, free_at, weight * (1 - q));
          taken[j] = true;
          draw(j + 1, j + scheme.period, weight * q);
          taken[j] = false;
        }
      };
  if (!scheme.stationary) {
    draw(0, 0, 1);
    return result;
  }
  // free at step s, for who drew s - separation steps before the first one
  const auto gap = static_cast<double>(scheme.period - 1);
  const double free = 1 / (1 + gap * q);
  draw(0, 0, free);
  for (std::size_t s = 1; s < scheme.period; ++s) draw(0, s, free * q);
  return result;
}

double inner(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double enumerated_moment(const std::vector<Pattern>& patterns, unsigned k) {
  double sum = 0;
  std::vector<const Pattern*> chosen;
  const std::function<void(double, double)> choose = [&](double weight, double exponent) {
    if (chosen.size() == k) {
      sum += weight * std::exp(exponent);
      return;
    }
    for (const Pattern& next : patterns) {
      double more = exponent;
      for (const Pattern* each : chosen) more += inner(each->means, next.means);
      chosen.push_back(&next);
      choose(weight * next.weight, more);
      chosen.pop_back();
    }
  };
  choose(1, 0);
  return sum;
}

/// E_Q (W - x)_+ by sums over a grid of all rows but the last, which is integrated to its root.
double integrated(const std::vector<Pattern>& patterns, double x) {
  const std::size_t n = patterns.front().means.size();
  constexpr double step = 0.2;  // of a smooth function that falls like e^(-y^2/2)
  constexpr int reach = 43;
  std::vector<double> y(n, 0.0);
  double total = 0;
  const auto last = [&] {
    // sum_T u_T e^(m y - m^2/2) - x, rising in y
    std::vector<std::pair<double, double>> terms;
    for (const Pattern& each : patterns) {
      double exponent = 0;
      for (std::size_t i = 0; i + 1 < n; ++i) {
        exponent += each.means[i] * y[i] - each.means[i] * each.means[i] / 2;
      }
      terms.emplace_back(each.weight * std::exp(exponent), each.means[n - 1]);
    }
    const auto ratio = [&](double z) {
      double sum = 0;
      for (const auto& [u, m] : terms) sum += u * std::exp(m * z - m * m / 2);
      return sum;
    };
    double low = -40;
    double high = 40;
    if (ratio(low) > x) high = low;
    if (ratio(high) < x) low = high;
    // the integral is greatest at the root, so half the digits of the root give all of its digits
    for (int i = 0; i < 27 && high > low; ++i) {
      const double middle = (low + high) / 2;
      (ratio(middle) < x ? low : high) = middle;
    }
    double sum = -x * std::erfc(low / std::sqrt(2.0)) / 2;
    for (const auto& [u, m] : terms) sum += u * std::erfc((low - m) / std::sqrt(2.0)) / 2;
    return sum;
  };
  const std::function<void(std::size_t, double)> rows = [&](std::size_t i, double weight) {
    if (i + 1 == n) {
      total += weight * last();
      return;
    }
    for (int k = -reach; k <= reach; ++k) {
      y[i] = step * k;
      rows(i + 1, weight * step * std::exp(-y[i] * y[i] / 2) / std::sqrt(2 * std::acos(-1.0)));
    }
  };
  rows(0, 1);
  return total;
}

/// Patterns with as many rows as there are of them, and the same inner products: Cholesky's factor.
std::vector<Pattern> condensed(const std::vector<Pattern>& patterns) {
  std::vector<Pattern> result;
  for (const Pattern& each : patterns) {
    Pattern next{each.weight, std::vector<double>(patterns.size(), 0.0)};
    double rest = inner(each.means, each.means);
    const std::size_t i = result.size();
    for (std::size_t j = 0; j < i; ++j) {
      double product = inner(each.means, patterns[j].means);
      for (std::size_t k = 0; k < j; ++k) product -= next.means[k] * result[j].means[k];
      next.means[j] = product / result[j].means[j];
      rest -= next.means[j] * next.means[j];
    }
    next.means[i] = std::sqrt(rest);
    result.push_back(std::move(next));
  }
  return result;
}

RandomParticipation in_bins(std::vector<Rational> coefficients, const Rational& sigma,
                            std::size_t steps, std::size_t bins) {
  return {std::move(coefficients), Rational(1 / (sigma * sigma)), steps, bins, std::nullopt, false};
}

RandomParticipation separated(std::vector<Rational> coefficients, const Rational& sigma,
                              std::size_t steps, std::size_t separation, const Rational& rate) {
  return {std::move(coefficients), Rational(1 / (sigma * sigma)), steps, separation, rate, false};
}

RandomParticipation stationary(RandomParticipation scheme) {
  scheme.stationary = true;
  return scheme;
}

double delta_of(const Mechanism& mechanism, Direction direction, const char* epsilon) {
  return mechanism.loss(direction)->delta(Ball(parse_rational(epsilon))).estimate();
}

/// The bound is above the truth and near it, the tests are below and near it.
void check_both(const Mechanism& mechanism, Direction direction, const char* epsilon, double truth,
                double above, double below) {
  INFO(name_of(direction) << " " << epsilon);
  const double upper = delta_of(mechanism, direction, epsilon);
  CHECK(upper >= truth * (1 - 1e-7));
  CHECK(upper <= truth * (1 + above));
  const auto attack = mechanism.attainment().attack;
  REQUIRE(attack);
  const double lower = delta_of(*attack, direction, epsilon);
  CHECK(lower <= truth * (1 + 1e-7));
  CHECK(lower >= truth * (1 - below));
}

}  // namespace

TEST_CASE("moments of a random participation are those of all patterns") {
  const PrecisionScope scope(256);
  const Rational half(1, 2);
  const Rational third(1, 3);
  const std::vector<RandomParticipation> schemes = {
      in_bins({1, half}, 2, 4, 2),
      in_bins({1}, 1, 7, 3),
      in_bins({1, half, third}, 2, 8, 3),
      in_bins({1, half}, 1, 9, 5),
      in_bins({1, half, third}, 2, 9, 7),
      separated({1, half}, 1, 3, 2, Rational(3, 10)),
      separated({1}, 2, 6, 3, half),
      separated({1, half, third}, 2, 7, 3, third),
      separated({1, half}, 2, 6, 4, third),
      stationary(separated({1, half, third}, 2, 6, 4, third)),
      stationary(separated({1, half}, 1, 3, 2, half))};
  for (const RandomParticipation& scheme : schemes) {
    const std::vector<Pattern> patterns = patterns_of(scheme);
    const std::vector<Ball> moments = participation_moments(scheme);
    REQUIRE(moments.size() > 4);
    for (unsigned k = 0; k <= 4; ++k) {
      const double truth = enumerated_moment(patterns, k);
      CHECK(moments[k].estimate() == doctest::Approx(truth).epsilon(1e-11));
    }
  }
  // computed elsewhere
  CHECK(participation_moments(schemes[0])[2].estimate() ==
        doctest::Approx(1.63332086091).epsilon(1e-10));
  CHECK(participation_moments(schemes[0])[3].estimate() ==
        doctest::Approx(4.36729380350).epsilon(1e-10));
  CHECK(participation_moments(schemes[5])[2].estimate() ==
        doctest::Approx(1.62735028257).epsilon(1e-10));
  CHECK(participation_moments(schemes[5])[3].estimate() ==
        doctest::Approx(6.72118169582).epsilon(1e-10));
}

TEST_CASE("curves from moments are above those of a law with these moments") {
  const PrecisionScope scope(256);
  // W is 1/2, 1 or 3 with the probabilities 1/2, 3/8, 1/8
  const std::vector<std::pair<double, double>> law = {{0.5, 0.5}, {1, 0.375}, {3, 0.125}};
  std::vector<Ball> moments;
  for (int k = 0; k <= 8; ++k) {
    Ball sum;
    for (const auto& [w, p] : law) sum += power(Ball(w), static_cast<std::uint64_t>(k)) * Ball(p);
    moments.push_back(sum);
  }
  const CurveFromMoments curve(moments);
  for (double x = 0.02; x < 6; x += 0.03) {
    double above = 0;
    double below = 0;
    for (const auto& [w, p] : law) {
      above += p * std::max(0.0, w - x);
      below += p * std::max(0.0, x - w);
    }
    CHECK(curve.above(Ball(x)).value.estimate() >= above);
    CHECK(curve.below(Ball(x)).value.estimate() >= below);
    CHECK(curve.below(Ball(x)).value.estimate() <= x);
  }
  // and not above what the best parabola proves, but for the grid of its centres
  const double variance = moments[2].estimate() - 1;
  for (const double x : {1.05, 1.2, 2.0}) {
    const double parabola = (std::sqrt(variance + (x - 1) * (x - 1)) - (x - 1)) / 2;
    CHECK(curve.above(Ball(x)).value.estimate() < 1.01 * parabola);
  }
}

TEST_CASE("two states: values computed elsewhere lie between tests and bounds") {
  const auto bins = parse_spec("random_participation([1, 0.5], sigma=2, steps=4, bins=2)");
  check_both(*bins.factors().front().mechanism, Direction::remove, "0.5", 0.12111688303, 2e-3,
             4e-3);
  check_both(*bins.factors().front().mechanism, Direction::add, "0.5", 0.12082514421, 2e-3, 4e-3);
  const auto draws =
      parse_spec("random_participation([1, 0.5], sigma=1, steps=3, separation=2, rate=0.3)");
  check_both(*draws.factors().front().mechanism, Direction::remove, "1", 0.04301408, 4e-3, 6e-3);
  check_both(*draws.factors().front().mechanism, Direction::add, "1", 2.48410616e-6, 1.5, 0.7);
}

TEST_CASE("bounds and tests beside integrals over all rows") {
  struct Case {
    RandomParticipation scheme;
    const char* spec;
  };
  const Rational half(1, 2);
  for (const Case& one : std::vector<Case>{
           {in_bins({1, half}, 1, 3, 3), "random_participation([1, 0.5], 1, 3, bins=3)"},
           {in_bins({1, half}, 2, 3, 2), "random_participation([1, 0.5], 2, 3, bins=2)"},
           {in_bins({1}, 1, 2, 2), "random_participation([1], 1, 2, bins=2)"},
           {separated({1, half}, 2, 3, 3, half),
            "random_participation([1, 0.5], 2, 3, separation=3, rate=0.5)"},
           {stationary(separated({1, half}, 1, 3, 2, half)),
            "random_participation([1, 0.5], 1, 3, separation=2, rate=0.5, start=stationary)"},
           {stationary(separated({1, half}, 1, 2, 3, half)),
            "random_participation([1, 0.5], 1, 2, separation=3, rate=0.5, start=stationary)"},
           {separated({1, 1}, 2, 3, 2, half),
            "random_participation([1, 1], 2, 3, separation=2, rate=0.5)"}}) {
    const std::vector<Pattern> patterns = patterns_of(one.scheme);
    const auto mechanism = parse_spec(one.spec).factors().front().mechanism;
    const auto attack = mechanism->attainment().attack;
    const auto bound_removed = mechanism->loss(Direction::remove);
    const auto bound_added = mechanism->loss(Direction::add);
    const auto test_removed = attack->loss(Direction::remove);
    const auto test_added = attack->loss(Direction::add);
    for (const char* epsilon : {"-0.5", "0.25", "1", "2"}) {
      INFO(one.spec << " " << epsilon);
      const Ball at(parse_rational(epsilon));
      const double x = std::exp(estimate(parse_rational(epsilon)));
      const double remove = integrated(patterns, x);
      const double add = 1 - x + x * integrated(patterns, 1 / x);
      CHECK(bound_removed->delta(at).estimate() >= remove - 1e-9);
      CHECK(bound_added->delta(at).estimate() >= add - 1e-9);
      CHECK(test_removed->delta(at).estimate() <= remove + 1e-9);
      CHECK(test_added->delta(at).estimate() <= add + 1e-9);
    }
  }
}

TEST_CASE("a ring of bins: bounds and tests are near integrals over the bins") {
  struct Case {
    std::vector<Rational> coefficients;
    Rational sigma;
    std::size_t steps;
    const char* spec;
  };
  const Rational half(1, 2);
  for (const Case& one :
       std::vector<Case>{{{1, half}, 1, 4, "random_participation([1, 0.5], 1, 4, bins=3)"},
                         {{half, 1}, 2, 9, "random_participation([0.5, 1], 2, 9, bins=3)"},
                         {{1, half}, 1, 3, "random_participation([1, 0.5], 1, 3, bins=3)"}}) {
    const auto patterns =
        condensed(patterns_of(in_bins(one.coefficients, one.sigma, one.steps, 3)));
    const auto mechanism = parse_spec(one.spec).factors().front().mechanism;
    for (const char* epsilon : {"-1", "0.5"}) {
      const double x = std::exp(estimate(parse_rational(epsilon)));
      INFO(one.spec);
      check_both(*mechanism, Direction::remove, epsilon, integrated(patterns, x), 0.05, 0.05);
      check_both(*mechanism, Direction::add, epsilon, 1 - x + x * integrated(patterns, 1 / x), 0.05,
                 0.05);
    }
  }
}

TEST_CASE("bins with more coefficients: bounds and tests are near integrals, by rings") {
  struct Case {
    std::vector<Rational> coefficients;
    std::size_t steps;
    std::size_t bins;
    const char* spec;
    double above;
    double below;
  };
  const Rational third(1, 3);
  for (const Case& one : std::vector<Case>{
           {{1, third, third},
            8,
            3,
            "random_participation([1, 1/3, 1/3], 2, 8, bins=3)",
            0.25,
            0.3},
           {{1, 1, 1}, 9, 4, "random_participation([1, 1, 1], 2, 9, bins=4)", 0.25, 0.5}}) {
    const auto patterns = condensed(patterns_of(in_bins(one.coefficients, 2, one.steps, one.bins)));
    const auto mechanism = parse_spec(one.spec).factors().front().mechanism;
    INFO(one.spec);
    const double x = std::exp(0.5);
    check_both(*mechanism, Direction::remove, "0.5", integrated(patterns, x), one.above, one.below);
    check_both(*mechanism, Direction::add, "0.5", 1 - x + x * integrated(patterns, 1 / x),
               one.above, one.below);
  }
}

TEST_CASE("a ring of bins: all of Q and of P is there") {
  CHECK_FALSE(ring_grid(in_bins({1, Rational(1, 2)}, 2, 40, 2)));
  CHECK_FALSE(ring_grid(separated({1}, 2, 40, 8, Rational(1, 2))));
  const Rational half(1, 2);
  for (const RandomParticipation& scheme :
       {in_bins({1, half}, 2, 16, 4), in_bins({1, half, half}, 2, 16, 4)}) {
    const auto grid = ring_grid(scheme);
    REQUIRE(grid);
    const RingUpper upper(scheme, *grid);
    const double far = std::exp(estimate(grid->mesh) * static_cast<double>(grid->last));
    // E (W - x)_+ >= 1 - x and E (x - W)_+ >= x - 1, of which the ends of the grid are not far
    CHECK(upper.excess().front().estimate() >= 1 - 1 / far);
    CHECK(upper.excess().front().estimate() <= 1.01);
    CHECK(upper.shortfall().back().estimate() >= far - 1);
    CHECK(upper.shortfall().back().estimate() <= far - (scheme.bands() > 2 ? 0.95 : 0.99));
    const EventRates nearly_all = RingAttack(scheme, *grid).above(-100);
    CHECK(nearly_all.q.estimate() >= 1 - 1e-6);
    CHECK(nearly_all.q.estimate() <= 1 + 1e-6);
    CHECK(nearly_all.p.estimate() <= 1);
    CHECK(nearly_all.p.estimate() >= 1 - 1e-6);
  }
}

TEST_CASE("rings above and below bins: no product of bins is on the wrong side, and one is met") {
  const PrecisionScope scope(128);
  const Rational third(1, 3);
  for (const RandomParticipation& scheme :
       {in_bins({1, third, third}, 2, 8, 3), in_bins({1, third}, 2, 11, 4),
        in_bins({1, 1, 1}, 2, 9, 4), in_bins({1, third, third}, 2, 4, 4),
        in_bins({1, 1, 1, 1, 1}, 3, 29, 7), in_bins({third, 1, 0, third}, 1, 40, 6),
        in_bins({1, third, third}, 2, 3, 5)}) {
    const std::vector<Pattern> patterns = patterns_of(scheme);
    const std::size_t b = scheme.period;
    for (const bool above : {true, false}) {
      const Ring ring = above ? ring_above(scheme) : ring_below(scheme);
      const auto number = [](const Ball& each) { return each.estimate(); };
      double nearest = 1;
      for (std::size_t r = 0; r < b; ++r) {
        for (std::size_t s = 0; s < b; ++s) {
          // what the exponents of bins r and s have in common: own noise, shared noise, the common
          double product = number(ring.common) * number(ring.common);
          const auto& own = ring.means;
          const std::size_t next = (r + 1) % b;
          if (r == s) {
            product += number(own[r].own) * number(own[r].own);
            product += number(own[next].before) * number(own[next].before);
            if (r == 0) product += number(ring.first) * number(ring.first);
          }
          if (s == next) product += number(own[s].own) * number(own[s].before);
          if (r == (s + 1) % b) product += number(own[r].own) * number(own[r].before);
          const double side =
              (product - inner(patterns[r].means, patterns[s].means)) * (above ? 1 : -1);
          INFO(above << " " << r << " " << s);
          CHECK(side >= -1e-12);
          nearest = std::min(nearest, std::fabs(side));
        }
      }
      CHECK(nearest < 1e-11);
    }
  }
}

TEST_CASE("a parabola that touches is met, from moments") {
  const PrecisionScope scope(256);
  // W is r or r + 2t: the parabola of the centre r touches (w - x)_+ in both, x = r + t
  const double distance = 0.1 * std::pow(1.17, 10);
  double centre = 0.1;
  for (int i = 0; i < 10; ++i) centre *= 1.17;
  CHECK(centre == doctest::Approx(distance));
  const Ball r = Ball(1 - centre);
  const Ball t = (Ball(centre) + Ball(1) / Ball(centre)) / Ball(2);  // the variance is 1
  const Ball p = Ball(centre) / (Ball(2) * t);
  std::vector<Ball> moments;
  for (std::uint64_t k = 0; k <= 2; ++k) {
    moments.push_back(p * power(r + Ball(2) * t, k) + (Ball(1) - p) * power(r, k));
  }
  const CurveFromMoments curve(moments);
  const double truth = (p * t).estimate();
  CHECK(curve.above(r + t).value.estimate() >= truth * (1 - 1e-12));
  CHECK(curve.above(r + t).value.estimate() <= truth * (1 + 1e-9));
  const Ball mirrored = Ball(1 + centre);  // the same law about 1, and x - W
  std::vector<Ball> others;
  for (std::uint64_t k = 0; k <= 2; ++k) {
    others.push_back(p * power(mirrored - Ball(2) * t, k) + (Ball(1) - p) * power(mirrored, k));
  }
  CHECK(CurveFromMoments(others).below(mirrored - t).value.estimate() >=
        std::min(truth, (mirrored - t).estimate()) * (1 - 1e-12));
}

TEST_CASE("the grid of the filter: all of Q and of P is there") {
  for (const RandomParticipation& scheme :
       {in_bins({1, Rational(1, 2)}, 2, 4, 2),
        stationary(separated({1, Rational(1, 2)}, 1, 3, 2, Rational(3, 10)))}) {
    const auto grid = two_state_grid(scheme);
    REQUIRE(grid);
    // E (W - x)_+ >= 1 - x, and at the least x it is not much more
    const TwoStateUpper upper(scheme, *grid);
    const double least = 1 - std::exp(estimate(grid->mesh) * static_cast<double>(grid->first));
    CHECK(upper.above().front().estimate() >= least);
    CHECK(upper.above().front().estimate() <= least + 1e-9);
    const EventRates nearly_all = TwoStateAttack(scheme, *grid).above(-100);
    CHECK(nearly_all.q.estimate() >= 1 - 1e-6);
    CHECK(nearly_all.q.estimate() <= 1 + 1e-9);
    CHECK(nearly_all.p.estimate() <= 1);
    CHECK(nearly_all.p.estimate() >= 1 - 1e-6);
  }
}

TEST_CASE("lower ends are those of two data sets: of other signs none is stated") {
  const auto has_attack = [](const std::string& coefficients) {
    const auto spec = "random_participation(" + coefficients + ", 2, 8, bins=4)";
    return parse_spec(spec).factors().front().mechanism->attainment().attack != nullptr;
  };
  CHECK(has_attack("[1, 0.5, 0.3]"));
  CHECK(has_attack("[-1, -0.5, -0.3]"));
  CHECK(has_attack("[1, -0.5, 0.3]"));
  CHECK(has_attack("[-1, 0.5, 0, 0.3]"));
  CHECK_FALSE(has_attack("[1, 0.5, -0.3]"));
  CHECK_FALSE(has_attack("[1, -0.5, -0.3]"));
  CHECK_FALSE(has_attack("[1, 0, -0.3]"));
}

TEST_CASE("random participation: much that is known keeps an answer") {
  const auto mechanism =
      parse_spec("random_participation([1, 0.5], 2, 100000, bins=2)").factors().front().mechanism;
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const double delta = mechanism->loss(direction)->delta(Ball(1)).estimate();
    CHECK(delta >= 0.999);
    CHECK(delta <= 1 + 1e-12);
  }
}

TEST_CASE("random participation: little noise and much of it, where a ring tells nothing") {
  const auto hidden =
      parse_spec("random_participation([1, 0.5], 1e40, 40, bins=8)").factors().front().mechanism;
  CHECK(delta_of(*hidden, Direction::remove, "0") <= 1e-40);
  const auto steep =
      parse_spec("random_participation([1e-40, 1], 1, 10, bins=4)").factors().front().mechanism;
  CHECK(delta_of(*steep, Direction::remove, "1") <= 0.14);
  // the sum of all rows tells more than a grid that is too coarse
  const auto much =
      parse_spec("random_participation([1, 0.5], 200, 40, bins=8)").factors().front().mechanism;
  CHECK(delta_of(*much->attainment().attack, Direction::add, "0.0004") >= 0.0021);
}

TEST_CASE("random participation: the unit of coefficients and noise tells nothing") {
  const auto tells = [](const std::string& of_a_unit) {
    const std::string spec = "random_participation([1e" + of_a_unit + ", 5e" + of_a_unit +
                             "/10, 25e" + of_a_unit + "/100], 2e" + of_a_unit + ", 16, bins=4)";
    const auto mechanism = parse_spec(spec).factors().front().mechanism;
    return std::pair(delta_of(*mechanism, Direction::remove, "0.5"),
                     delta_of(*mechanism->attainment().attack, Direction::remove, "0.5"));
  };
  const auto [upper, lower] = tells("0");
  CHECK(lower > 0.1);
  for (const char* unit : {"200", "-90"}) {
    CAPTURE(unit);
    const auto [other_upper, other_lower] = tells(unit);
    CHECK(std::fabs(other_upper - upper) < 1e-9);
    CHECK(std::fabs(other_lower - lower) < 1e-9);
  }
  for (const char* draws : {"bins=2", "separation=2, rate=0.1"}) {
    const auto of_unit = [&](const std::string& unit) {
      const auto mechanism = parse_spec("random_participation([1e" + unit + ", 5e" + unit +
                                        "/10], 2e" + unit + ", 8, " + draws + ")")
                                 .factors()[0]
                                 .mechanism;
      return delta_of(*mechanism, Direction::remove, "0.5");
    };
    CHECK(std::fabs(of_unit("0") - of_unit("-200")) < 1e-12);
  }
  // products of bins that are 0 as doubles, or not normal
  const auto none = parse_spec("random_participation([1], 2, 16, bins=4)").factors()[0].mechanism;
  for (const char* little : {"1e-400", "7e-324"}) {
    CAPTURE(little);
    const std::string spec = std::string("random_participation([1, ") + little + ", " + little;
    const auto hardly = parse_spec(spec + "], 2, 16, bins=4)").factors()[0].mechanism;
    CHECK(delta_of(*hardly, Direction::remove, "0.5") <
          1.1 * delta_of(*none, Direction::remove, "0.5"));
    CHECK(delta_of(*hardly->attainment().attack, Direction::remove, "0.5") > 0.03);
  }
}

TEST_CASE("random participation: what is refused") {
  for (const char* spec :
       {"random_participation([1, 0.5], 2, 8)", "random_participation([1, 0.5], 2, 8, bins=1)",
        "random_participation([1, 0.5, 0.2], 2, 8, bins=2)",
        "random_participation([0, 1], 2, 8, bins=2)",
        "random_participation([1], 2, 8, bins=2, rate=0.5)",
        "random_participation([1], 2, 8, separation=2)",
        "random_participation([1], 2, 8, bins=2, separation=2, rate=0.5)",
        "random_participation([1], noise_multiplier=2, steps=8, bins=2, sensitivity=3)",
        "random_participation([1], 2, 0, bins=2)", "random_participation([1], 0, 8, bins=2)"}) {
    CHECK_THROWS_AS(parse_spec(spec), SpecError);
  }
}
