// Means over Poisson samples, divided by the realised size: known numbers, the labels one by one,
// all samples of small data sets, lower ends, canonical forms and refusals.
#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "mechanisms/composition.hpp"
#include "support/containment.hpp"
#include "support/losses.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

double tail_of_mean(double x) { return std::erfc(x / std::sqrt(2.0)) / 2; }

MechanismPointer mean_of(const std::string& spec) {
  return parse_spec(spec).factors()[0].mechanism;
}
double mean_delta(const Mechanism& mechanism, Direction direction, double epsilon) {
  return mechanism.loss(direction)->delta(Ball(epsilon)).estimate();
}

/// (1-q) N(0) + q N(d), noise 1, against N(0), or the other way round: the ratio rises.
double sampled_mean_stick(double q, double d, bool removes, double epsilon) {
  const double x = std::exp(epsilon);
  const double at = removes ? x : 1 / x;
  if (at <= 1 - q) return removes ? 1 - x : 0;
  const double y = std::log((at - 1 + q) / q) / d + d / 2;
  const double p = (1 - q) * tail_of_mean(y) + q * tail_of_mean(y - d);
  return removes ? p - x * tail_of_mean(y) : 1 - tail_of_mean(y) - x * (1 - p);
}

double share_of_size(int n, int k, double q) {
  return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
                  k * std::log(q) + (n - k) * std::log1p(-q));
}

/// The sum over all labels.
double mean_by_labels(int n, double q, double worth, bool replaces, Direction direction,
                      double epsilon) {
  double sum = 0;
  const int trials = replaces ? n : n - 1;
  for (int k = 0; k <= trials; ++k) {
    const int size = k == 0 ? n : k;  // of an empty batch the pair of the largest one stands
    const double moved = replaces ? 2 * worth / size : (k == 0 ? worth : 2 * worth / (k + 1));
    const bool removes = replaces ? epsilon >= 0 : direction == Direction::remove;
    const double rate = replaces ? size / static_cast<double>(n) : q;
    sum += share_of_size(trials, k, q) * sampled_mean_stick(rate, moved, removes, epsilon);
  }
  return sum;
}

struct Means {
  std::vector<double> weights;
  std::vector<double> centres;
  double at(double y) const {
    double sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      sum += weights[i] * std::exp(-(y - centres[i]) * (y - centres[i]) / 2);
    }
    return sum / std::sqrt(2 * M_PI);
  }
};

/// The mean over every sample of these values, in units of the noise.
Means means_of(const std::vector<double>& values, double q, double worth) {
  Means result;
  for (unsigned sample = 0; sample < 1U << values.size(); ++sample) {
    double weight = 1;
    double sum = 0;
    int drawn = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool in = (sample >> i & 1U) != 0;
      weight *= in ? q : 1 - q;
      sum += in ? values[i] : 0;
      drawn += in ? 1 : 0;
    }
    result.weights.push_back(weight);
    result.centres.push_back(drawn > 0 ? worth * sum / drawn : 0);
  }
  return result;
}

double stick_of_means(const Means& p, const Means& q, double epsilon) {
  double sum = 0;
  const double width = 0.01;
  for (double y = -14; y < 14; y += width) {
    sum += std::max(0.0, p.at(y) - std::exp(epsilon) * q.at(y));
  }
  return sum * width;
}

}  // namespace

TEST_CASE("averaged: the numbers of 100 records at rate 0.1") {
  const MechanismPointer mean = mean_of("averaged(gaussian(0.2), 0.1, 100)");
  const MechanismPointer attack = mean->attainment().attack;
  REQUIRE(attack);
  CHECK(std::fabs(mean_delta(*mean, Direction::remove, 0.2) - 0.011138186) < 1e-9);
  CHECK(std::fabs(mean_delta(*mean, Direction::remove, 1) - 0.00155541) < 1e-8);
  // two data sets have .010679432 and .00070695; their tests of one threshold a little less
  CHECK(mean_delta(*attack, Direction::remove, 0.2) < 0.010679433);
  CHECK(mean_delta(*attack, Direction::remove, 0.2) > 0.99 * 0.010679432);
  CHECK(mean_delta(*attack, Direction::remove, 1) < 0.00070696);
  CHECK(mean_delta(*attack, Direction::remove, 1) > 0.96 * 0.00070695);
  // a fixed divisor is another mechanism
  CHECK(std::fabs(step_loss("poisson(gaussian(2), 0.1)")->delta(Ball(0.2)).estimate() -
                  0.00028857) < 1e-8);
  CHECK_CONTAINS(attack->loss(Direction::remove)->log_mgf(Ball(0)), 0);
  CHECK_CONTAINS(attack->loss(Direction::remove)->log_mgf(Ball(-1)), 0);
}

TEST_CASE("averaged: labels one by one, and joined into groups") {
  for (const bool replaces : {false, true}) {
    const std::string end = replaces ? ", replace)" : ")";
    for (const int n : {1, 2, 3, 7, 10, 40}) {
      for (const double epsilon : {-0.4, 0.0, 0.3, 1.0}) {
        for (const Direction direction : both_directions) {
          const double found =
              mean_delta(*mean_of("averaged(gaussian(0.8), 0.3, " + std::to_string(n) + end),
                         direction, epsilon);
          const double exact = mean_by_labels(n, 0.3, 1.25, replaces, direction, epsilon);
          CAPTURE(n);
          CAPTURE(epsilon);
          CHECK(found > exact - 1e-12);
          CHECK(found < exact + 1e-11);
        }
      }
    }
    // the sizes 0 and 1 are one group, of which 1 is the worse one: it has most of so small a delta
    for (const double epsilon : {4.0, 6.0, 8.0}) {
      CAPTURE(epsilon);
      const double found = mean_delta(*mean_of("averaged(gaussian(0.8), 0.02, 1000" + end),
                                      Direction::remove, epsilon);
      CHECK(found >
            mean_by_labels(1000, 0.02, 1.25, replaces, Direction::remove, epsilon) * (1 - 1e-9));
    }
    for (const double epsilon : {0.02, 0.1, 0.3}) {
      const double found = mean_delta(*mean_of("averaged(gaussian(0.02), 0.05, 4000" + end),
                                      Direction::remove, epsilon);
      const double exact = mean_by_labels(4000, 0.05, 50, replaces, Direction::remove, epsilon);
      CHECK(found > exact);
      CHECK(found < 1.5 * exact);
    }
  }
}

TEST_CASE("averaged: all samples of small data sets are below the pair, and the attack is one") {
  std::mt19937 random(5);
  const double values[] = {-1, -0.5, 0, 1};
  const double q = 0.4;
  for (int trial = 0; trial < 12; ++trial) {
    std::vector<double> others(3);
    for (double& each : others) each = values[random() % 4];
    if (trial == 0) others = {-1, -1, -1};
    const double worth = trial % 2 == 0 ? 1 : 3;
    const std::string noise = "gaussian(1, " + std::to_string(worth) + ")";
    const MechanismPointer pair = mean_of("averaged(" + noise + ", 0.4, 4)");
    const MechanismPointer swapped = mean_of("averaged(" + noise + ", 0.4, 4, replace)");
    std::vector<double> with = others;
    with.push_back(1);
    std::vector<double> replaced = others;
    replaced.push_back(-1);
    for (const double epsilon : {0.0, 0.3, 1.0}) {
      CAPTURE(trial);
      CAPTURE(epsilon);
      const Means here = means_of(with, q, worth);
      const Means there = means_of(others, q, worth);
      const double removed = stick_of_means(here, there, epsilon);
      CHECK(removed < mean_delta(*pair, Direction::remove, epsilon) + 1e-6);
      CHECK(stick_of_means(there, here, epsilon) <
            mean_delta(*pair, Direction::add, epsilon) + 1e-6);
      const double other = stick_of_means(here, means_of(replaced, q, worth), epsilon);
      CHECK(other < mean_delta(*swapped, Direction::remove, epsilon) + 1e-6);
      if (trial == 0) {
        const double attack = mean_delta(*pair->attainment().attack, Direction::remove, epsilon);
        CHECK(attack < removed + 1e-6);
        CHECK(attack > 0.9 * removed);
        const double opposite =
            mean_delta(*swapped->attainment().attack, Direction::remove, epsilon);
        CHECK(opposite < other + 1e-6);
        CHECK(opposite > 0.9 * other);
      }
    }
  }
}

TEST_CASE("averaged: canonical forms and refusals") {
  const Composition run = parse_spec("averaged(gaussian(1/2), sample_rate=1/4, population=9)^3");
  CHECK(run.spec() == "averaged(gaussian(sigma=0.5), rate=0.25, population=9)^3");
  CHECK(parse_spec(run.spec()).spec() == run.spec());
  CHECK(!run.symmetric());
  CHECK(run.adjacency() == Adjacency::of_one_record(Adjacency::add_remove));
  const Composition other = parse_spec("averaged(gaussian(1), 0.25, 9, replace)");
  CHECK(other.spec() == "averaged(gaussian(sigma=1), rate=0.25, population=9, adjacency=replace)");
  CHECK(other.symmetric());
  CHECK(refusal_of("averaged(gaussian(noise_multiplier=1), 0.1, 9)").find("two readings") !=
        std::string::npos);
  for (const char* spec :
       {"averaged(laplace(1), 0.1, 9)", "averaged(gaussian(1), 0, 9)",
        "averaged(gaussian(1), 1, 9)", "averaged(gaussian(1), 0.1, 0)",
        "averaged(gaussian(1), 0.1)", "averaged(gaussian(1), 0.1, 2e9)",
        "averaged(gaussian(1), 0.1, 9, zero_out)", "averaged(poisson(gaussian(1), 0.5), 0.1, 9)",
        "poisson(averaged(gaussian(1), 0.1, 9), 0.5)", "group(averaged(gaussian(1), 0.1, 9), 2)",
        "averaged(gaussian(1), 0.1, 9) * averaged(gaussian(1), 0.1, 9, replace)"}) {
    CAPTURE(spec);
    CHECK(refusal_of(spec) != "");
  }
}
