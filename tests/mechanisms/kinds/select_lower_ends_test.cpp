// Private selection from below: what the tests of one order of the outputs tell, beside the same
// tests in doubles and beside a search over other orders.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "mechanisms/language/spec.hpp"
#include "support/losses.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

using Phi = std::function<double(double)>;

struct Law {
  const char* text;
  Phi phi;
};

const std::vector<Law>& laws() {
  static const std::vector<Law> all{
      {"repeats=poisson, mean=10", [](double s) { return std::exp(10 * (s - 1)); }},
      {"repeats=poisson, mean=0.5", [](double s) { return std::exp((s - 1) / 2); }},
      {"repeats=geometric, gamma=0.1", [](double s) { return 0.1 * s / (1 - 0.9 * s); }},
      {"repeats=logarithmic, gamma=0.01",
       [](double s) { return std::log1p(-0.99 * s) / std::log(0.01); }},
      {"repeats=negative_binomial, eta=-1/2, gamma=0.2",
       [](double s) { return (std::sqrt(1 - 0.8 * s) - 1) / (std::sqrt(0.2) - 1); }}};
  return all;
}

/// That the best of K runs is in a set of probability h, with the probability `better` above it.
double released(const Phi& phi, double better, double h) {
  return phi(1 - better) - phi(std::max(0.0, 1 - better - h));
}

Attainment attainment_of(const std::string& spec) {
  return parse_spec(spec).factors()[0].mechanism->attainment();
}

std::shared_ptr<const PrivacyLoss> lower_law(const std::string& spec, Direction direction) {
  const auto attack = attainment_of(spec).attack;
  REQUIRE(attack != nullptr);
  return attack->loss(direction);
}

double lower_end(const std::string& spec, Direction direction, double epsilon) {
  return lower_law(spec, direction)->delta(Ball(epsilon)).estimate();
}

/// The most that sets of N(mu, 1) above u tell against N(0, 1), those up to v ranking first.
double most_told(const Phi& phi, double mu, double epsilon) {
  constexpr double step = 0.06;
  constexpr int first = -150;
  std::vector<double> p;
  std::vector<double> q;
  for (int k = first; k <= -first; ++k) {
    p.push_back(std::erfc((step * k - mu) / std::sqrt(2)) / 2);
    q.push_back(std::erfc(step * k / std::sqrt(2)) / 2);
  }
  double most = 0;
  for (std::size_t v = 0; v < p.size(); ++v) {
    const double none_p = phi(p[v]);
    const double none_q = phi(q[v]);
    for (std::size_t u = v; u < p.size(); ++u) {
      most = std::max(most,
                      none_p - phi(p[v] - p[u]) - std::exp(epsilon) * (none_q - phi(q[v] - q[u])));
    }
  }
  return most;
}

}  // namespace

TEST_CASE("select from below: of randomized response the very tests that are meant") {
  // the answer that Q has more often ranks first; parts of the other one, which has 2^-k of it
  const double e = std::exp(1.0);
  for (const Law& law : laws()) {
    CAPTURE(law.text);
    const std::string spec = "select(pure(1), " + std::string(law.text) + ")";
    const auto remove = lower_law(spec, Direction::remove);
    const auto add = lower_law(spec, Direction::add);
    for (const double epsilon : {0.0, 1.0, 1.9}) {
      CAPTURE(epsilon);
      double most = 0;
      for (int k = 0; k <= 40; ++k) {
        const double part = std::ldexp(1.0, -k);
        const double p = released(law.phi, 1 / (1 + e), part * e / (1 + e));
        const double q = released(law.phi, e / (1 + e), part / (1 + e));
        most = std::max(most, p - std::exp(epsilon) * q);
      }
      const double found = remove->delta(Ball(epsilon)).estimate();
      CHECK(found <= most + 1e-12);
      CHECK(found >= most * (1 - 1e-6));
      CHECK(found == add->delta(Ball(epsilon)).estimate());
    }
  }
}

TEST_CASE("select from below: of a pure base nearly its epsilon is shown") {
  for (const Law& law : laws()) {
    CAPTURE(law.text);
    const std::string spec = "select(pure(1), " + std::string(law.text) + ")";
    const double epsilon = step_loss(spec)->greatest_loss().estimate();
    CHECK(lower_end(spec, Direction::remove, epsilon) == 0);
    CHECK(lower_end(spec, Direction::remove, 0.97 * epsilon) > 0);
  }
}

TEST_CASE(
    "select from below: of a Gaussian base no more than a search over orders, and not far from "
    "it") {
  for (const Law& law : laws()) {
    for (const double mu : {0.2, 1.0}) {
      const std::string spec =
          "select(gaussian(" + std::to_string(1 / mu) + "), " + std::string(law.text) + ")";
      CAPTURE(spec);
      const auto lower = lower_law(spec, Direction::remove);
      const auto upper = step_loss(spec);
      for (const double epsilon : {0.0, 0.3, 1.0, 2.0}) {
        const double most = most_told(law.phi, mu, epsilon);
        const double found = lower->delta(Ball(epsilon)).estimate();
        CAPTURE(epsilon);
        CAPTURE(most);
        CHECK(found <= most * (1 + 5e-3) + 1e-12);  // the search has steps of 0.06
        if (most > 5e-5 && most < 5e-3) CHECK(found > 0.65 * most);
        CHECK(found <= upper->delta(Ball(epsilon)).estimate());
      }
    }
  }
}

TEST_CASE("select from below: each direction of a sampled base, none of a base by bounds") {
  const std::string spec = "select(poisson(gaussian(1), 0.1), repeats=geometric, gamma=0.1)";
  const double remove = lower_end(spec, Direction::remove, 0.15);
  const double add = lower_end(spec, Direction::add, 0.15);
  CHECK(add > 0);
  CHECK(remove > 1.2 * add);
  CHECK(
      attainment_of("select(privacy_profile([0, 1], [0.3, 0]), repeats=poisson, mean=2)").attack !=
      nullptr);
  // pairs that are those of two data sets at one epsilon each; bounds; and of an attack
  for (const char* base : {"partition_selection(1, 0.01)", "laplace_threshold(2, 20)",
                           "truncated_poisson(gaussian(1), rate=0.01, cap=30, population=1000)"}) {
    CHECK(attainment_of("select(" + std::string(base) + ", repeats=poisson, mean=2)").attack ==
          nullptr);
  }
}

TEST_CASE("select from below: a law of repeats by its mean tells as much as by its gamma") {
  const auto end = [](const std::string& law) {
    return lower_end("select(gaussian(2), " + law + ")", Direction::remove, 0.5);
  };
  CHECK(std::fabs(end("repeats=geometric, mean=10") - end("repeats=geometric, gamma=0.1")) < 1e-12);
  // eta (1/gamma - 1) / (1 - gamma^eta) = 3 / (2 (1 - 1/2))
  CHECK(std::fabs(end("repeats=negative_binomial, eta=1/2, mean=3") -
                  end("repeats=negative_binomial, eta=1/2, gamma=0.25")) < 1e-12);
}

TEST_CASE("select from below: outputs of a mechanism that says nothing else are ranked whole") {
  // the greatest over all orders of the outputs: of two there are two, which show nothing there
  CHECK(lower_end("select(randomized_response(epsilon=1), repeats=geometric, gamma=0.01)",
                  Direction::remove, 2.2) == 0);
  CHECK(lower_end("select(randomized_response(epsilon=0.5), repeats=geometric, gamma=0.1)",
                  Direction::remove, 1) == 0);
  const double four =
      lower_end("select(randomized_response(epsilon=0.5, categories=4), repeats=poisson, mean=10)",
                Direction::remove, 1);
  CHECK(std::fabs(four - 0.04376838965) < 1e-10);
  // all 720 orders of the outputs -2..3, of which the rest has 10^-12
  const double integers =
      lower_end("select(discrete_gaussian(sigma=0.4), repeats=negative_binomial, eta=1, gamma=0.1)",
                Direction::remove, 5);
  CHECK(integers < 0.293476 + 1e-6);
  CHECK(integers > 0.1);
}
