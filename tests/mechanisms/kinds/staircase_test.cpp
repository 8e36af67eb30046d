// Staircase noise: the law against densities that are integrated piece by piece, all shifts up to 1
// below it, canonical forms and refusals.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "lib/balls/precision.hpp"
#include "mechanisms/laws/exact_law.hpp"
#include "mechanisms/laws/lattice_law.hpp"
#include "support/containment.hpp"
#include "support/losses.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

const double gammas[] = {0.02, 0.3, 0.5, 0.51, 0.75, 0.96};

/// As Geng and Viswanath write it, up to its normaliser.
double step_height(double epsilon, double gamma, double y) {
  const double place = std::fabs(y);
  const double k = std::floor(place);
  return std::exp(-epsilon * (place - k < gamma ? k : k + 1));
}

/// H of X + shift against X: both densities are constant between two neighbouring ends of steps.
double shifted_stick(double epsilon, double gamma, double shift, double eps) {
  const int reach = static_cast<int>(40 / epsilon) + 3;
  std::vector<double> ends;
  for (int k = -reach; k <= reach; ++k) {
    for (const double moved : {0.0, shift}) {
      for (const double end : {k + 0.0, k + gamma, k - gamma}) ends.push_back(end + moved);
    }
  }
  std::sort(ends.begin(), ends.end());
  double whole = 0;
  double sum = 0;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    const double middle = (ends[i] + ends[i + 1]) / 2;
    const double length = ends[i + 1] - ends[i];
    const double q = step_height(epsilon, gamma, middle) * length;
    const double p = step_height(epsilon, gamma, middle - shift) * length;
    whole += q;
    sum += std::max(0.0, p - std::exp(eps) * q);
  }
  return sum / whole;
}

std::string staircase_of(double epsilon, double gamma) {
  return "staircase(epsilon=" + std::to_string(epsilon) + ", gamma=" + std::to_string(gamma) + ")";
}

}  // namespace

TEST_CASE("staircase: the curve is that of the densities, and smaller shifts are below it") {
  for (const double epsilon : {0.1, 1.0, 3.0}) {
    for (const double gamma : gammas) {
      const std::string spec = staircase_of(epsilon, gamma);
      CAPTURE(spec);
      for (const double part : {-1.5, -0.7, 0.0, 0.2, 0.9, 1.0, 1.5}) {
        const double eps = part * epsilon;
        CAPTURE(eps);
        for (const Direction direction : both_directions) {
          CHECK(std::fabs(step_loss(spec, direction)->delta(Ball(eps)).estimate() -
                          shifted_stick(epsilon, gamma, 1, eps)) < 1e-12);
        }
        for (double shift = -0.975; shift < 1; shift += 0.075) {
          CHECK(shifted_stick(epsilon, gamma, shift, eps) <=
                step_loss(spec)->delta(Ball(eps)).estimate() + 1e-12);
        }
        // beyond 1 it is not: the sensitivity counts
        CHECK(shifted_stick(epsilon, gamma, 1.5, 0) >
              step_loss(spec)->delta(Ball(0)).estimate() - 1e-12);
      }
    }
  }
}

TEST_CASE("staircase: known numbers of a loss of three values") {
  const PrecisionScope scope(150);
  // epsilon = 1, gamma = 0.25: delta(0) = P(|X| <= 1/2) = (1 - r)(1 + r) / (1 + 3 r), r = 1/e
  const Ball r = exp(Ball(-1));
  const auto narrow = step_loss("staircase(1, 0.25)");
  CHECK_OVERLAPS(narrow->delta(Ball(0)), (Ball(1) - r) * (Ball(1) + r) / (Ball(1) + Ball(3) * r));
  // gamma = 0.75: (1 - r) 2 / (3 + r)
  const auto wide = step_loss("staircase(1, 0.75)");
  CHECK_OVERLAPS(wide->delta(Ball(0)), (Ball(1) - r) * Ball(2) / (Ball(3) + r));
  for (const auto& loss : {narrow, wide}) {
    CHECK_CONTAINS(loss->log_mgf(Ball(0)), 0);
    CHECK_CONTAINS(loss->log_mgf(Ball(-1)), 0);
    CHECK_OVERLAPS(loss->log_mgf(Ball(2.5)), loss->log_mgf(Ball(-3.5)));
    CHECK(loss->facts().greatest_loss == Rational(1));
    CHECK(loss->delta(Ball(1)).upper_double() < 1e-40);
    REQUIRE(loss->lattice());
    CHECK(loss->lattice()->masses.size() == 3);
    REQUIRE(loss->exact_law());
    const auto& exact = *loss->exact_law();
    ExponentialSum p;
    ExponentialSum q;
    for (const ExactAtom& atom : exact.atoms) {
      p += atom.p;
      q += atom.q;
    }
    CHECK(p == exact.scale);
    CHECK(q == exact.scale);
    for (std::size_t i = 0; i < 3; ++i) {
      const Rational at(static_cast<long>(i) - 1);
      CHECK_OVERLAPS(loss->masses_at(at).p_atom,
                     exact.atoms[i].p.enclosed() / exact.scale.enclosed());
    }
  }
  // one half: randomized response
  const auto half = step_loss("staircase(1, 1/2)");
  CHECK(half->facts().two_points != nullptr);
  for (const double eps : {-0.5, 0.0, 0.7}) {
    CHECK_OVERLAPS(half->delta(Ball(eps)), step_loss("pure(1)")->delta(Ball(eps)));
    CHECK(narrow->delta(Ball(eps)).estimate() < half->delta(Ball(eps)).estimate());
    CHECK(wide->delta(Ball(eps)).estimate() < half->delta(Ball(eps)).estimate());
  }
}

TEST_CASE("staircase: canonical forms and refusals") {
  CHECK(parse_spec("staircase(1/2, 1/3)").spec() == "staircase(epsilon=0.5, gamma=1/3)");
  CHECK(parse_spec("staircase(gamma=0.5, eps=2)^3").spec() == "staircase(epsilon=2, gamma=0.5)^3");
  CHECK(parse_spec(parse_spec("staircase(1/2, 1/3)").spec()).spec() ==
        "staircase(epsilon=0.5, gamma=1/3)");
  CHECK(refusal_of("staircase(0, 0.5)").find("staircase: epsilon") != std::string::npos);
  CHECK(refusal_of("staircase(-1, 0.5)").find("staircase: epsilon") != std::string::npos);
  for (const char* gamma : {"0", "1", "-0.5", "1.5", "x"}) {
    CHECK(refusal_of("staircase(1, " + std::string(gamma) + ")").find("staircase: gamma") !=
          std::string::npos);
  }
  CHECK(refusal_of("staircase(1)").find("gamma") != std::string::npos);
  CHECK(refusal_of("group(staircase(1, 0.3), 2)") != "");
  CHECK(refusal_of("poisson(staircase(1, 0.3), 0.1)") == "");
  CHECK(refusal_of("joint(staircase(1, 0.3), pure(1))") == "");
}
