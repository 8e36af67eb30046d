// Parallel composition: the greatest of the curves, which is one of them, exact, or bounded at
// points; adjacencies, attainment and refusals. And laws from bounds of curves at points.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "lib/balls/precision.hpp"
#include "mechanisms/composition.hpp"
#include "mechanisms/laws/piecewise_curve.hpp"
#include "support/containment.hpp"
#include "support/losses.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

const double places[] = {-2.0, -0.7, -0.1, 0.0, 0.05, 0.3, 0.8, 1.2, 2.5};

double parallel_delta(const std::string& spec, double eps,
                      Direction direction = Direction::remove) {
  return step_loss(spec, direction)->delta(Ball(eps)).estimate();
}

struct Both {
  std::string first;
  std::string second;
  std::string spec() const { return "parallel(" + first + ", " + second + ")"; }
  double greatest(double eps, Direction direction) const {
    return std::max(parallel_delta(first, eps, direction), parallel_delta(second, eps, direction));
  }
};

/// M(0) is what is finite, M(-1) what Q has, and tails say the curve.
void check_pair(const PrivacyLoss& loss) {
  const PrecisionScope scope(160);
  CHECK_OVERLAPS(exp(loss.log_mgf(Ball(0))), Ball(1) - loss.mass_at_infinity());
  CHECK_OVERLAPS(exp(loss.log_mgf(Ball(-1))), loss.q_mass());
  for (const double eps : places) {
    const Ball at(eps);
    CHECK_OVERLAPS(loss.delta(at), loss.p_above(at) - exp(at) * loss.q_above(at));
  }
}

}  // namespace

TEST_CASE("parallel: where one curve is above, it is that mechanism") {
  const Both examples[] = {{"gaussian(1)", "gaussian(2)"},
                           {"gaussian(3, sensitivity=3)", "gaussian(1)"},
                           {"laplace(1)", "laplace(3)"},
                           {"pure(1)", "laplace(1)"},
                           {"pure(1)", "staircase(1, 0.3)"},
                           {"pure(1)", "discrete_laplace(2)"},
                           {"approximate(1, 0.1)", "pure(1)"},
                           {"poisson(gaussian(1), 0.1)", "poisson(gaussian(1), 0.1)"}};
  for (const Both& each : examples) {
    CAPTURE(each.spec());
    for (const Direction direction : both_directions) {
      CHECK(step_loss(each.spec(), direction)->describe() ==
            step_loss(each.first, direction)->describe());
      CHECK(step_loss("parallel(" + each.second + ", " + each.first + ")", direction)->describe() ==
            step_loss(each.first, direction)->describe());
      for (const double eps : places) {
        CHECK(std::fabs(parallel_delta(each.spec(), eps, direction) -
                        each.greatest(eps, direction)) < 1e-14);
      }
    }
    CHECK(parse_spec(each.spec()).attainment().attained == Attained::yes);
  }
}

TEST_CASE("parallel: two laws of finitely many known values, exactly") {
  const Both examples[] = {{"pure(0.5)", "approximate(0.1, 0.01)"},
                           {"approximate(1, 0.01)", "approximate(0.2, 0.1)"},
                           {"approximate(0, 0.3)", "pure(1)"},
                           {"staircase(2, 0.2)", "pure(1)"},
                           {"staircase(1, 0.1)", "staircase(0.9, 0.6)"},
                           {"discrete_laplace(1, sensitivity=3)", "pure(1.5)"},
                           {"discrete_laplace(2, sensitivity=5)", "approximate(0.5, 0.2)"},
                           {"staircase(1, 0.2)", "staircase(1.1, 0.1)"}};
  int crossing = 0;
  for (const Both& each : examples) {
    const std::string spec = each.spec();
    CAPTURE(spec);
    for (const Direction direction : both_directions) {
      const auto loss = step_loss(spec, direction);
      const auto first = step_loss(each.first, direction);
      const auto second = step_loss(each.second, direction);
      for (double eps = -3; eps <= 3; eps += 0.02) {
        const Ball at(eps);
        const double exact = std::max(first->delta(at).estimate(), second->delta(at).estimate());
        CHECK(std::fabs(loss->delta(at).estimate() - exact) < 1e-14);
      }
    }
    const auto loss = step_loss(spec);
    check_pair(*loss);
    CHECK_OVERLAPS(loss->log_mgf(Ball(1.5)), loss->log_mgf(Ball(-2.5)));
    const Composition run = parse_spec(spec);
    crossing += run.attainment().attained == Attained::each_epsilon ? 1 : 0;
    CHECK(run.attainment().attained <= Attained::each_epsilon);
  }
  CHECK(crossing >= 5);
  CHECK(parse_spec("parallel(pure(0.5), approximate(0.1, 0.01))^2").attainment().attained ==
        Attained::unknown);
  // pure(0.5) and approximate(0.1, 0.01) cross where (e^.5 - x)/(1 + e^.5) is .01 + .99 (e^.1 -
  // x)/(1 + e^.1)
  const PrecisionScope scope(128);
  const auto atoms = step_loss("parallel(pure(0.5), approximate(0.1, 0.01))")->atoms(0, 0)->law;
  const Ball a = exp(Ball(Rational(1, 2)));
  const Ball b = exp(Ball(Rational(1, 10)));
  CHECK_OVERLAPS(atoms.infinite, Ball(Rational(1, 100)));
  // at x > b the second curve is .01: they cross at a - .01 (1 + a)
  CHECK_OVERLAPS(atoms.atoms.back().loss, log(a - Ball(Rational(1, 100)) * (Ball(1) + a)));
  CHECK(certainly_less(b, a));
}

TEST_CASE("parallel: bounds at points of the greatest curve") {
  const double crossing = .8023303163;
  const Both both{"laplace(1)", "gaussian(1.25)"};
  CHECK(std::fabs(parallel_delta("laplace(1)", crossing) - .0941076888) < 1e-10);
  CHECK(std::fabs(parallel_delta("gaussian(1.25)", crossing) - .0941076888) < 1e-10);
  const double at = parallel_delta(both.spec(), crossing);
  CHECK(at >= .0941076888 - 1e-10);
  CHECK(at <= .0941076888 + 5e-5);
  // the atom at the crossing, within some points of the mesh: Q .1227267013, P .2737705260
  const auto crossed = step_loss(both.spec());
  const Ball low(crossing - 0.015);
  const Ball high(crossing + 0.015);
  CHECK(std::fabs((crossed->q_above(low) - crossed->q_above(high)).estimate() - .1227267013) <
        0.01);
  CHECK(std::fabs((crossed->p_above(low) - crossed->p_above(high)).estimate() - .2737705260) <
        0.02);
  const Both examples[] = {both,
                           {"gaussian(2)", "pure(0.4)"},
                           {"poisson(gaussian(1), 0.2)", "laplace(3)"},
                           {"truncated_laplace(1, 5)", "gaussian(1.5)"},
                           {"discrete_laplace(2)", "gaussian(3)"}};
  for (const Both& each : examples) {
    const std::string spec = each.spec();
    CAPTURE(spec);
    for (const Direction direction : both_directions) {
      const auto loss = step_loss(spec, direction);
      for (const double eps : places) {
        CAPTURE(eps);
        const double exact = each.greatest(eps, direction);
        const double bound = loss->delta(Ball(eps)).estimate();
        CHECK(bound >= exact * (1 - 1e-12) - 1e-30);
        CHECK(bound <= exact + 1e-4);
      }
      check_pair(*loss);
    }
    CHECK(parse_spec(spec).attainment().attained == Attained::unknown);
  }
  // three of which none is above the others
  const std::string three = "parallel(pure(1), approximate(0.5, 0.2), approximate(0.1, 0.25))";
  for (const double eps : places) {
    const double exact =
        std::max({parallel_delta("pure(1)", eps), parallel_delta("approximate(0.5, 0.2)", eps),
                  parallel_delta("approximate(0.1, 0.25)", eps)});
    CHECK(std::fabs(parallel_delta(three, eps) - exact) < 1e-3);
    CHECK(parallel_delta(three, eps) >= exact - 1e-15);
  }
}

TEST_CASE("bounds of a curve at points: corners, constant ends, both forms") {
  const auto law = [](std::vector<CurveBound> bounds, bool symmetric) {
    return piecewise_loss("a test", std::move(bounds), symmetric).loss;
  };
  // one point is approximate
  const auto one = law({{1, Rational(1, 10)}}, true);
  for (const double eps : places) {
    CHECK(std::fabs(one->delta(Ball(eps)).estimate() - parallel_delta("approximate(1, 0.1)", eps)) <
          1e-15);
  }
  // what a lower point says is not lost: 1, .3, .4 is constant after .3
  const auto rising = law({{0, Rational(3, 10)}, {1, Rational(4, 10)}}, true);
  CHECK(std::fabs(rising->delta(Ball(5)).estimate() - 0.3) < 1e-15);
  // a point above a chord is no corner
  const auto above = law({{0, Rational(9, 10)}, {1, 0}}, true);
  CHECK(std::fabs(above->delta(Ball(0)).estimate() - parallel_delta("pure(1)", 0)) < 1e-15);
  for (const auto& loss : {one, rising, above}) check_pair(*loss);
  // one direction alone: the curve of approximate(1, .1) at its corners
  const auto side = law({{-1, rounded_up(step_loss("approximate(1, 0.1)")->delta(Ball(-1)))},
                         {1, rounded_up(step_loss("approximate(1, 0.1)")->delta(Ball(1)))}},
                        false);
  check_pair(*side);
  for (const double eps : places) {
    CHECK(std::fabs(side->delta(Ball(eps)).estimate() -
                    parallel_delta("approximate(1, 0.1)", eps)) < 1e-15);
  }
}

TEST_CASE("parallel: one law for both directions that is no mirror image of itself") {
  const std::string path =
      (std::filesystem::temp_directory_path() / "plaudit_parallel_law.json").string();
  for (const char* law : {R"("losses": ["-1/2"], "masses": ["6/10"], "infinite": "4/10")",
                          R"("losses": ["1"], "masses": ["1"])",
                          R"("losses": ["-1/2", "1/4"], "masses": ["1/4", "3/4"])"}) {
    CAPTURE(law);
    std::ofstream(path) << R"({"adjacency": "add/remove", "both": {)" << law << "}}";
    const std::string file = "pld(file=\"" + path + "\")";
    for (const char* part : {"pure(5)", "pure(1)", "approximate(0, 0.1)", "staircase(1, 0.3)",
                             "gaussian(1/100)", "laplace(2)", "discrete_laplace(2)"}) {
      CAPTURE(part);
      const Both each{file, part};
      for (const std::string& spec : {each.spec(), Both{part, file}.spec()}) {
        const auto loss = step_loss(spec);
        check_pair(*loss);
        for (const double eps : places) {
          if (eps < 0) continue;  // below, its author's law says nothing of the other direction
          const double greatest = each.greatest(eps, Direction::remove);
          CHECK(loss->delta(Ball(eps)).upper_double() >= greatest * (1 - 1e-13));
          CHECK(loss->delta(Ball(eps)).lower_double() <= greatest * 1.02 + 1e-13);
        }
      }
    }
  }
  std::filesystem::remove(path);
}

TEST_CASE("parallel: a curve that is nearly 0 where another one matters is read at once") {
  // the Gaussian one is below 2^-10^9 at epsilon = 2
  CHECK(std::fabs(parallel_delta("parallel(gaussian(1000000), pure(2))", 0) - std::tanh(1.0)) <
        1e-9);
}

TEST_CASE("bounds of a curve: corners that are stated are kept, however far apart") {
  const auto near = [](const std::string& spec, double eps, double expected) {
    CAPTURE(spec);
    const Ball found = step_loss("privacy_profile(" + spec + ")")->delta(Ball(eps));
    CHECK(std::fabs(found.estimate() - expected) <= 1e-12 * expected);
    CHECK(parse_spec("privacy_profile(" + spec + ")").attainment().attained == Attained::yes);
  };
  near("[0.5, 20], [1e-150, 0]", 20, 0);
  near("[0.5, 60], [1e-140, 0]", 60, 0);
  near("[0.5, 300], [1e-30, 0]", 300, 0);
  near("[400, 401], [0.25, 1]", 401, 0.25);
  near("[400, 401, 402], [0.25, 1, 0.5]", 500, 0.25);
  near("[1, 400], [1e-5, 0]", 1, 1e-5);
  CHECK(step_loss("privacy_profile([1, 400], [1e-5, 0])")->greatest_loss().estimate() == 400);
  // of bounds beyond what precisions are tried for nothing is said to be attained
  CHECK(parse_spec("privacy_profile([0, 100000], [1e-5, 1e-6])").attainment().attained ==
        Attained::unknown);
}

TEST_CASE("parallel: adjacency, canonical form and refusals") {
  CHECK(parse_spec("parallel(poisson(laplace(1), 0.1), poisson(gaussian(1), 0.2))")
            .adjacency()
            .reading.find("laplace") != std::string::npos);
  CHECK(parse_spec("poisson(parallel(laplace(1), gaussian(3)), 0.1)")
            .adjacency()
            .reading.find("laplace") != std::string::npos);
  const Composition run = parse_spec("parallel(pure(1), parallel(gaussian(2), laplace(3)))^2");
  CHECK(run.spec() == "parallel(pure(epsilon=1), parallel(gaussian(sigma=2), laplace(scale=3)))^2");
  CHECK(parse_spec(run.spec()).spec() == run.spec());
  CHECK(run.adjacency() == Adjacency::of_one_record(Adjacency::add_remove));
  CHECK(run.adjacency().reading.find("added or removed") != std::string::npos);
  CHECK(parse_spec("parallel(pure(1), poisson(gaussian(1), 0.1, adjacency=zero_out))")
            .adjacency()
            .kind == "zero_out");
  CHECK(refusal_of("parallel(pure(1))").find("second") != std::string::npos);
  CHECK(refusal_of("parallel(pure(1), 2)").find("parallel: second") != std::string::npos);
  CHECK(refusal_of("parallel(pure(1), zcdp(1))").find("parallel: second") != std::string::npos);
  CHECK(refusal_of("parallel(pure(1), group(gaussian(1), 2))") != "");
  CHECK(refusal_of("parallel(pure(1), randomized_response(1))") != "");
  CHECK(refusal_of("parallel(pure(1), without_replacement(gaussian(1), 2, 9))") != "");
  CHECK(refusal_of("parallel(poisson(gaussian(1), 0.1), "
                   "poisson(gaussian(1), 0.1, adjacency=zero_out))")
            .find("add_remove") != std::string::npos);
}
