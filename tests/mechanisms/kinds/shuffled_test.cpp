// Shuffled and fixed-order batches: the pair against known numbers and all small data sets, its
// lower ends against the events and data sets that they stand for, canonical forms and refusals.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "mechanisms/composition.hpp"
#include "support/containment.hpp"
#include "support/losses.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

double upper_tail(double x) { return std::erfc(x / std::sqrt(2.0)) / 2; }
double bell(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * M_PI); }

double delta_at(const Mechanism& mechanism, Direction direction, double epsilon) {
  return mechanism.loss(direction)->delta(Ball(epsilon)).estimate();
}

MechanismPointer epoch_of(const std::string& spec) {
  return parse_spec(spec).factors()[0].mechanism;
}

/// P(E) - e^eps Q(E), E that the largest of t outputs is above u, at the best u of a grid.
double best_event(int t, double s, double epsilon) {
  double best = 0;
  for (double u = -6; u < 2 * s + 10; u += 1e-4) {
    const double rest = (t - 1) * std::log1p(-upper_tail(u));
    const double p = -std::expm1(rest + std::log1p(-upper_tail(u - 2 * s)));
    const double q = -std::expm1(rest + std::log1p(-upper_tail(u - s)));
    best = std::max(best, p - std::exp(epsilon) * q);
  }
  return best;
}

/// Two batches of one record each, shuffled: the other one is `other`, the record `mine` or
/// `theirs`; the curve by sums over a square, noise 1.
double two_batches(double other, double mine, double theirs, double epsilon) {
  const double width = 0.02;
  const auto law = [&](double record, double y, double z) {
    return (bell(y - record) * bell(z - other) + bell(y - other) * bell(z - record)) / 2;
  };
  double sum = 0;
  for (double y = -8; y < 8; y += width) {
    for (double z = -8; z < 8; z += width) {
      sum += std::max(0.0, law(mine, y, z) - std::exp(epsilon) * law(theirs, y, z));
    }
  }
  return sum * width * width;
}

}  // namespace

TEST_CASE("shuffled: one gaussian per epoch, and what the largest output tells") {
  const double upper = 0.1269367375;
  for (const auto& each : {std::pair{2, 0.1167603306}, {8, 0.0825027962}, {100, 0.0167057961}}) {
    const int steps = each.first;
    const double event = each.second;
    CAPTURE(steps);
    const MechanismPointer epoch =
        epoch_of("shuffled(gaussian(1), steps=" + std::to_string(steps) + ", adjacency=zero_out)");
    CHECK(std::fabs(delta_at(*epoch, Direction::remove, 1) - upper) < 1e-10);
    CHECK(std::fabs(best_event(steps, 1, 1) - event) < 1e-8);
    const MechanismPointer attack = epoch->attainment().attack;
    REQUIRE(attack);
    for (const double epsilon : {0.05, 0.3, 1.0, 2.0, 3.0}) {
      CAPTURE(epsilon);
      const double found = delta_at(*attack, Direction::remove, epsilon);
      const double best = best_event(steps, 1, epsilon);
      CHECK(found < best + 1e-9);
      CHECK(found > 0.99 * best);
      CHECK(found < delta_at(*epoch, Direction::remove, epsilon));
    }
    CHECK_CONTAINS(attack->loss(Direction::remove)->log_mgf(Ball(0)), 0);
    CHECK_CONTAINS(attack->loss(Direction::remove)->log_mgf(Ball(-1)), 0);
    CHECK_CONTAINS(attack->loss(Direction::add)->log_mgf(Ball(0)), 0);
    CHECK_CONTAINS(attack->loss(Direction::add)->log_mgf(Ball(-1)), 0);
  }
  // two batches of one record: .1172148216, of which the event has .1167603306
  CHECK(std::fabs(two_batches(-1, 1, 0, 1) - 0.1172148216) < 1e-5);
}

TEST_CASE("shuffled: all values of two records are below the pair") {
  for (const double epsilon : {0.0, 0.5, 1.0}) {
    const double zeroed =
        delta_at(*epoch_of("shuffled(gaussian(1), 2, zero_out)"), Direction::add, epsilon);
    const double replaced =
        delta_at(*epoch_of("shuffled(gaussian(1, 2), 2, replace)"), Direction::add, epsilon);
    double greatest = 0;
    for (const double other : {-1.0, 0.0, 1.0}) {
      for (const double mine : {-1.0, 0.0, 1.0}) {
        CHECK(two_batches(other, mine, 0, epsilon) < zeroed + 1e-6);
        CHECK(two_batches(other, 0, mine, epsilon) < zeroed + 1e-6);
        for (const double theirs : {-1.0, 0.0, 1.0}) {
          greatest = std::max(greatest, two_batches(other, mine, theirs, epsilon));
        }
      }
    }
    CHECK(greatest < replaced + 1e-6);
    // the attack under replace: the other record holds one of the two values
    const MechanismPointer attack =
        epoch_of("shuffled(gaussian(1, 2), 2, replace)")->attainment().attack;
    REQUIRE(attack);
    CHECK(std::fabs(delta_at(*attack, Direction::remove, epsilon) -
                    two_batches(-1, 1, -1, epsilon)) < 1e-5);
    CHECK(delta_at(*attack, Direction::remove, epsilon) < greatest + 1e-5);
  }
}

TEST_CASE("shuffled: much noise, where blank records tell more; orders and steps") {
  // 1000 batches at sigma 4: the largest output says little
  const auto attack = epoch_of("shuffled(gaussian(4), 1000, zero_out)")->attainment().attack;
  REQUIRE(attack);
  CHECK(attack->spec() == "random_allocation(gaussian(sigma=4), steps=1000)");
  for (const Direction direction : both_directions) {
    CHECK_OVERLAPS(attack->loss(direction)->delta(Ball(0.01)),
                   step_loss("random_allocation(gaussian(4), 1000)", direction)->delta(Ball(0.01)));
  }
  CHECK(!epoch_of("shuffled(gaussian(1), 10, zero_out, once)")->attainment().attack);
  // nothing is lost by a noise so small that whatever is seen tells all
  CHECK(delta_at(*epoch_of("shuffled(gaussian(1/1000), 10, zero_out)")->attainment().attack,
                 Direction::remove, 1) > 0.999);
  // other numbers of batches prescribe other data sets
  const Composition both =
      parse_spec("shuffled(gaussian(1), 10, zero_out)^2 * shuffled(gaussian(1), 7, zero_out)");
  REQUIRE(both.attack());
  CHECK(both.attack()->spec() ==
        "largest_output(shuffled(gaussian(sigma=1), steps=10, adjacency=zero_out))^2");
}

TEST_CASE("shuffled: canonical forms and refusals") {
  const Composition run =
      parse_spec("shuffled(gaussian(1/2), 8, adjacency=replace, order=fixed)^3");
  CHECK(run.spec() == "shuffled(gaussian(sigma=0.5), steps=8, adjacency=replace, order=fixed)^3");
  CHECK(parse_spec(run.spec()).spec() == run.spec());
  CHECK(parse_spec("shuffled(gaussian(1), 8, zero_out, each_epoch)").spec() ==
        "shuffled(gaussian(sigma=1), steps=8, adjacency=zero_out)");
  CHECK(run.symmetric());
  CHECK(run.adjacency() == Adjacency::of_one_record(Adjacency::replace));
  CHECK(refusal_of("shuffled(gaussian(1), 8)").find("adjacency") != std::string::npos);
  CHECK(refusal_of("shuffled(gaussian(1), 8, add_remove)").find("moves others") !=
        std::string::npos);
  CHECK(refusal_of("shuffled(gaussian(noise_multiplier=1), 8, replace)").find("noise_multiplier") !=
        std::string::npos);
  CHECK(refusal_of("shuffled(gaussian(noise_multiplier=1), 8, zero_out)") == "");
  for (const char* spec :
       {"shuffled(gaussian(1), 0, zero_out)", "shuffled(gaussian(1), 1.5, zero_out)",
        "shuffled(laplace(1), 8, zero_out)", "shuffled(poisson(gaussian(1), 0.1), 8, zero_out)",
        "shuffled(gaussian(1), 8, zero_out, sorted)", "shuffled(gaussian(1), 8, none)",
        "poisson(shuffled(gaussian(1), 8, zero_out), 0.1)",
        "group(shuffled(gaussian(1), 8, zero_out), 2)",
        "shuffled(gaussian(1), 8, zero_out) * poisson(gaussian(1), 0.1)"}) {
    CAPTURE(spec);
    CHECK(refusal_of(spec) != "");
  }
  CHECK(refusal_of("shuffled(gaussian(1), 8, zero_out) * poisson(gaussian(1), 0.1, zero_out)") ==
        "");
}
