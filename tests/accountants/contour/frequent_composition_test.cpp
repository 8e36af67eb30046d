// Mixtures without their rare great sensitivities: the band of the whole mixture from the smaller
// one.
//
// Truth: the straight contour on the whole mixture. What is left out is made large on purpose; the
// error term, scaled to 0, must make the band miss the truth.
#include "accountants/contour/frequent_composition.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "accountants/contour/straight_contour.hpp"
#include "lib/balls/precision.hpp"
#include "mechanisms/forms/sampling_laws.hpp"
#include "mechanisms/mixtures/gaussian_mixture_loss.hpp"
#include "mechanisms/mixtures/likelihood_ratio.hpp"
#include "support/frequent.hpp"
#include "support/sabotage.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

GaussianMixture group_of(std::uint64_t size, const char* rate, const char* sigma) {
  GaussianMixture mixture{
      parse_rational(sigma), {}, binomial_law("test", size, parse_rational(rate))};
  for (std::uint64_t k = 0; k <= size; ++k) mixture.sensitivities.emplace_back(k);
  return mixture;
}

ComposedLoss composed(const GaussianMixture& mixture, std::uint64_t count, Direction direction) {
  return ComposedLoss({{gaussian_mixture_loss(mixture, direction), count}}, direction);
}

/// Almost one component: what it is given raises f by the whole factor that is charged; and those
/// left out lie where only they are.
GaussianMixture nearly_gaussian(const char* rate, const char* first_rare) {
  GaussianMixture mixture{Rational(1), {0, parse_rational(rate)}, {Rational(1, 100)}};
  mixture.probabilities.emplace_back(96, 100);
  for (int i = 0; i < 6; ++i) {
    mixture.sensitivities.push_back(parse_rational(first_rare) + Rational(i, 10));
    mixture.probabilities.emplace_back(1, 200);
  }
  return mixture;
}

struct RareSensitivities {
  GaussianMixture mixture;
  std::uint64_t count;
  double epsilon;
};

std::vector<RareSensitivities> rare_sensitivities() {
  return {{group_of(16, "0.1", "4"), 10, 4},
          {group_of(16, "0.1", "2"), 30, 12},
          {group_of(40, "0.02", "20"), 50, 0.7}};
}

}  // namespace

TEST_CASE("the curve of a mixture lies in the band made without its rare components") {
  const PrecisionScope scope(256);
  for (const RareSensitivities& each : rare_sensitivities()) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const ComposedLoss loss = composed(each.mixture, each.count, direction);
      const Enclosure truth = band_of_all(loss, each.epsilon);
      for (const double log_mass : {-2.0, -6.0, -15.0, -25.0}) {
        INFO(each.mixture.sensitivities.size(), " components, ", std::string(name_of(direction)),
             ", log of the mass left out ", log_mass);
        CHECK(certainly_overlap(band_without(loss, log_mass, each.epsilon), truth));
      }
    }
  }
}

TEST_CASE("what leaving components out costs is little more than their probability") {
  const PrecisionScope scope(256);
  for (const RareSensitivities& each : rare_sensitivities()) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const ComposedLoss loss = composed(each.mixture, each.count, direction);
      const Enclosure band = band_without(loss, -20, each.epsilon);
      INFO(each.mixture.sensitivities.size(), " components, ", std::string(name_of(direction)));
      CHECK((band.upper - band.lower).upper_double() < 100 * std::exp(-20.0));
    }
  }
}

TEST_CASE("components left out without their error term: a wrong band") {
  const PrecisionScope scope(256);
  for (const RareSensitivities& each : rare_sensitivities()) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const ComposedLoss loss = composed(each.mixture, each.count, direction);
      const Enclosure truth = band_of_all(loss, each.epsilon);
      const Scaled scaled("contour.rare_components", 0);
      INFO(each.mixture.sensitivities.size(), " components, ", std::string(name_of(direction)));
      CHECK_FALSE(certainly_overlap(band_without(loss, -6, each.epsilon), truth));
    }
  }
}

TEST_CASE("at any order, the curve changes by no more than is said") {
  const PrecisionScope scope(256);
  constexpr std::uint64_t count = 20;
  int seen = 0;
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const ComposedLoss loss = composed(nearly_gaussian("0.1", "4"), count, direction);
    const auto frequent = frequent_composition(loss, -3.4 + std::log(count));
    REQUIRE(frequent->changed());
    for (const double epsilon : {0.1, 1.0, 2.5, 4.0}) {
      const Enclosure whole = band_of_all(loss, epsilon);
      const Enclosure kept = straight_band(frequent->loss, frequent->table, epsilon);
      const Ball change = max(whole.lower - kept.upper, kept.lower - whole.upper).lower();
      seen += certainly_positive(change);
      for (const double order : {0.0, 0.5, 2.0, frequent->table.saddle(epsilon)}) {
        INFO(std::string(name_of(direction)), ", epsilon ", epsilon, ", order ", order, ", change ",
             change.estimate());
        CHECK(certainly_less_equal(change, frequent->change(order).at(Ball(epsilon))));
      }
    }
  }
  CHECK(seen >= 6);
}

TEST_CASE("the share of rare components bounds the integral it stands for") {
  const PrecisionScope scope(128);
  std::vector<GaussianMixture> mixtures{nearly_gaussian("0.02", "0.5"), nearly_gaussian("1", "3")};
  for (const RareSensitivities& each : rare_sensitivities()) mixtures.push_back(each.mixture);
  for (const GaussianMixture& mixture : mixtures) {
    const auto frequent = without_rare_components(mixture, -3.4);
    REQUIRE(frequent);
    const std::size_t kept = frequent->mixture.sensitivities.size();
    CHECK(kept < mixture.sensitivities.size());
    const double bound = RareShare(*frequent).bound().upper_double();
    const double moved = estimate(frequent->moved);
    std::vector<double> rates, probabilities;
    for (std::size_t i = 0; i < mixture.sensitivities.size(); ++i) {
      rates.push_back(estimate(Rational(mixture.sensitivities[i] / mixture.sigma)));
      probabilities.push_back(estimate(mixture.probabilities[i]));
    }
    CHECK(bound < 2.001 * moved / probabilities[frequent->keeper]);
    for (const double t : {0.0, 0.4, 3.0, 11.0}) {
      // J / M' by the trapezoid in floating point
      double moment = 0;
      double added = 0;
      for (double y = -40; y <= 25; y += 1.0 / 64) {
        double f = 0;
        double g = 0;
        for (std::size_t i = 0; i < rates.size(); ++i) {
          const double ratio = std::exp(rates[i] * y - rates[i] * rates[i] / 2);
          (i < kept ? f : g) += probabilities[i] * ratio;
          if (i == frequent->keeper) g += moved * ratio;
        }
        const double log_f = std::log(f);
        moment += std::exp(-y * y / 2 - t * log_f);
        added += g * std::exp(-y * y / 2 - (1 + t) * log_f);
      }
      INFO("order ", t, ", kept ", kept, ", bound ", bound);
      CHECK(added / moment <= bound);
    }
  }
}

TEST_CASE("what the keeper is given raises the likelihood ratio by no more than is said") {
  const PrecisionScope scope(128);
  for (const RareSensitivities& each : rare_sensitivities()) {
    const auto frequent = without_rare_components(each.mixture, -5);
    REQUIRE(frequent);
    GaussianMixture kept = frequent->mixture;  // with what the keeper had
    kept.probabilities[frequent->keeper] -= frequent->moved;
    const LikelihoodRatio before(kept), after(frequent->mixture);
    const RareShare share(*frequent);
    for (double y = -20; y <= 20; y += 0.25) {
      const Ball growth = log(after.value(Ball(y)) / before.value(Ball(y)));
      CHECK(certainly_less_equal(growth.lower(), share.log_growth()));
    }
  }
}

TEST_CASE("few components, or none rare enough, stay as they are") {
  CHECK_FALSE(without_rare_components(group_of(6, "0.01", "1"), -5));
  CHECK_FALSE(without_rare_components(group_of(16, "0.5", "1"), -50));
}
