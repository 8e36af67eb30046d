// Poisson samples under zero-out and replace adjacency: the pair that is stated is above the curves
// of data sets in the plane, integrated on a grid, and is attained by two of them.
#include <doctest/doctest.h>

#include <cmath>

#include "mechanisms/spec_error.hpp"
#include "support/containment.hpp"
#include "support/losses.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

struct Point {
  double x, y;
};

/// H_x of (1-q) N(0, I) + q N(v, I) against (1-q) N(0, I) + q N(w, I) in the plane: a sum over a
/// grid.
double in_the_plane(double q, Point v, Point w, double x) {
  const double step = 0.03;
  const auto density = [](double a, double b, Point m) {
    return std::exp(-((a - m.x) * (a - m.x) + (b - m.y) * (b - m.y)) / 2);
  };
  double sum = 0;
  for (double a = -9; a <= 9; a += step) {
    for (double b = -9; b <= 9; b += step) {
      const double common = (1 - q) * density(a, b, {0, 0});
      const double difference = common + q * density(a, b, v) - x * (common + q * density(a, b, w));
      if (difference > 0) sum += difference;
    }
  }
  return sum * step * step / (2 * std::acos(-1.0));
}

}  // namespace

TEST_CASE("a replaced record: no pair of vectors in the plane is above the mirrored pair") {
  const double a = 1.25;  // sensitivity / 2 over sigma
  const double pi = std::acos(-1.0);
  for (const double q : {0.1, 0.6}) {
    const auto loss =
        step_loss("poisson(gaussian(sigma=0.8, sensitivity=2), rate=" + std::to_string(q) +
                  ", adjacency=replace)");
    for (const double eps : {-0.8, 0.0, 0.3, 1.2}) {
      const double bound = loss->delta(Ball(eps)).estimate();
      double greatest = 0;
      for (const double length : {0.0, 0.6, 1.0}) {
        for (const double other : {0.3, 1.0}) {
          for (int angle = 0; angle <= 4; ++angle) {
            const double turn = angle * pi / 4;
            greatest = std::max(
                greatest, in_the_plane(q, {length * a, 0},
                                       {other * a * std::cos(turn), other * a * std::sin(turn)},
                                       std::exp(eps)));
          }
        }
      }
      CHECK(greatest <= bound + 3e-5);
      CHECK(greatest >= bound - 3e-5);  // vectors of opposite directions attain it
    }
  }
}

TEST_CASE("a replaced record: the same law in both directions, and the one that is printed") {
  const PrecisionScope scope(100);
  const std::string spec =
      "poisson(gaussian(sigma=1.5, sensitivity=2), rate=0.2, adjacency=replace)";
  for (const double x : {-1.0, 0.0, 0.7}) {
    const Ball delta = step_loss(spec)->delta(Ball(x));
    CHECK_OVERLAPS(delta, step_loss(spec, Direction::add)->delta(Ball(x)));
    CHECK_OVERLAPS(delta,
                   step_loss("pair(without_replacement, sigma=1.5, rate=0.2)")->delta(Ball(x)));
    // batches of fixed size are worse: the record that enters pushes another one out
    CHECK(certainly_less_equal(delta.lower(),
                               step_loss("without_replacement(gaussian(1.5, 2), 2, 10, "
                                         "replace)")
                                   ->delta(Ball(x))
                                   .upper()));
  }
  const Composition run = parse_spec(spec);
  CHECK(run.spec() == "poisson(gaussian(sigma=1.5, sensitivity=2), rate=0.2, adjacency=replace)");
  CHECK(parse_spec(run.spec()).spec() == run.spec());
  CHECK(run.adjacency() == Adjacency::of_one_record(Adjacency::replace));
  CHECK(run.symmetric());
  CHECK(step_loss("poisson(gaussian(2, 3), 1, replace)")->facts().gaussian_mean == Rational(9, 8));
}

TEST_CASE("a blank record: the pairs of a record that is not there") {
  const PrecisionScope scope(100);
  for (const char* base :
       {"gaussian(sigma=2)", "laplace(scale=3)", "pure(epsilon=0.5)", "discrete_gaussian(sigma=2)",
        "mixture(sigma=2, sensitivities=[0, 1], probabilities=[0.5, 0.5])",
        "poisson(gaussian(sigma=2), rate=0.5)"}) {
    const std::string plain = std::string("poisson(") + base + ", rate=0.25)";
    const std::string blank = std::string("poisson(") + base + ", rate=0.25, adjacency=zero_out)";
    for (const Direction direction : {Direction::remove, Direction::add}) {
      CHECK_OVERLAPS(step_loss(blank, direction)->delta(Ball(0.05)),
                     step_loss(plain, direction)->delta(Ball(0.05)));
    }
    CHECK(parse_spec(blank).adjacency() == Adjacency::of_one_record(Adjacency::zero_out));
    CHECK(parse_spec(blank).spec() == blank);
    CHECK(parse_spec(plain).spec() == plain);
    CHECK(parse_spec(std::string("poisson(") + base + ", 0.25, add_remove)").spec() == plain);
  }
}

TEST_CASE("samples of which nothing is proven are refused, with the reason") {
  CHECK(refusal_of("poisson(laplace(2), 0.1, replace)") ==
        "poisson: 'laplace(scale=2)' has no proven pair for a Poisson sample under replace "
        "adjacency: "
        "only gaussian has one");
  CHECK(refusal_of("poisson(poisson(gaussian(2), 0.1), 0.1, replace)").find("only gaussian") !=
        std::string::npos);
  CHECK(refusal_of("poisson(group(gaussian(2), 2), 0.1, replace)").find("only gaussian") !=
        std::string::npos);
  CHECK(refusal_of("poisson(gaussian(noise_multiplier=2), 0.1, replace)").find("two readings") !=
        std::string::npos);
  CHECK(refusal_of("poisson(randomized_response(2), 0.1, zero_out)") != "");
  CHECK(refusal_of("poisson(group(gaussian(2), 2), 0.1, zero_out)") != "");
  CHECK(refusal_of("poisson(poisson(gaussian(2), 0.1, zero_out), 0.1)") != "");
  CHECK(refusal_of("group(poisson(gaussian(2), 0.1, zero_out), 2)") != "");
  CHECK(refusal_of("group(poisson(gaussian(2), 0.1, replace), 2)") != "");
  CHECK(refusal_of("poisson(gaussian(2), 0.1, shuffled)").find("add_remove, replace or zero_out") !=
        std::string::npos);
  CHECK(refusal_of("poisson(gaussian(2), 0.1, replace) * poisson(gaussian(2), 0.1)")
            .find("must be for one adjacency") != std::string::npos);
}
