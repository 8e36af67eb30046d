// The optimal selection of partitions: its two laws against the greatest curve of all numbers of
// users, known numbers, canonical forms and refusals.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "lib/balls/precision.hpp"
#include "support/containment.hpp"
#include "support/losses.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

std::vector<double> shown_with(double epsilon, double delta) {
  std::vector<double> pi{0};
  while (pi.back() < 1) {
    const double last = pi.back();
    pi.push_back(std::min(
        {std::exp(epsilon) * last + delta, 1 - std::exp(-epsilon) * (1 - last - delta), 1.0}));
  }
  return pi;
}

/// The greatest of the curves of coins p against q over the numbers of users.
double greatest_stick(const std::vector<double>& pi, bool remove, double eps) {
  double greatest = 0;
  for (std::size_t n = 0; n + 1 < pi.size(); ++n) {
    const double p = remove ? pi[n + 1] : pi[n];
    const double q = remove ? pi[n] : pi[n + 1];
    const double x = std::exp(eps);
    greatest = std::max(greatest, std::max(0.0, p - x * q) + std::max(0.0, (1 - p) - x * (1 - q)));
  }
  return greatest;
}

std::string selection_of(double epsilon, double delta) {
  return "partition_selection(epsilon=" + std::to_string(epsilon) +
         ", delta=" + std::to_string(delta) + ")";
}

}  // namespace

TEST_CASE("partition selection: both laws are the greatest of all curves") {
  for (const double epsilon : {0.05, 0.3, 1.0, 2.5, 8.0}) {
    for (const double delta : {0.0001, 0.01, 0.2, 0.5, 0.7, 0.9}) {
      const std::string spec = selection_of(epsilon, delta);
      CAPTURE(spec);
      const std::vector<double> pi = shown_with(epsilon, delta);
      for (const double part : {-3.0, -1.0, -0.6, 0.0, 0.1, 0.5, 0.99, 1.0, 1.3, 4.0}) {
        const double eps = part * epsilon;
        CAPTURE(eps);
        for (const Direction direction : both_directions) {
          const double greatest = greatest_stick(pi, direction == Direction::remove, eps);
          CHECK(std::fabs(step_loss(spec, direction)->delta(Ball(eps)).estimate() - greatest) <
                1e-9);
        }
      }
      // (epsilon, delta) is met, with equality
      CHECK(std::fabs(step_loss(spec)->delta(Ball(epsilon)).estimate() - delta) < 1e-12);
    }
  }
}

TEST_CASE("partition selection: known numbers, masses, forms") {
  const PrecisionScope scope(150);
  const auto remove = step_loss("partition_selection(1, 0.01)", Direction::remove);
  const auto add = step_loss("partition_selection(1, 0.01)", Direction::add);
  CHECK(std::fabs(remove->delta(Ball(0.5)).estimate() - .2362679643) < 1e-10);
  CHECK(std::fabs(add->delta(Ball(0.5)).estimate() - .2768002480) < 1e-10);
  CHECK_CONTAINS(remove->mass_at_infinity(), Rational(1) / 100);
  CHECK_OVERLAPS(exp(remove->log_mgf(Ball(0))), Ball(1) - remove->mass_at_infinity());
  CHECK_OVERLAPS(exp(add->log_mgf(Ball(0))), Ball(1) - add->mass_at_infinity());
  CHECK_OVERLAPS(exp(remove->log_mgf(Ball(-1))), remove->q_mass());
  CHECK_OVERLAPS(exp(add->log_mgf(Ball(-1))), add->q_mass());
  CHECK_OVERLAPS(remove->log_mgf(Ball(1.5)), add->log_mgf(Ball(-2.5)));
  CHECK(parse_spec("partition_selection(1/2, 1e-5)^3").spec() ==
        "partition_selection(epsilon=0.5, delta=1e-5)^3");
  const auto refused = [](const std::string& spec, const std::string& word) {
    CHECK_MESSAGE(refusal_of(spec).find(word) != std::string::npos, refusal_of(spec));
  };
  refused("partition_selection(0, 0.1)", "partition_selection: epsilon");
  refused("partition_selection(1, 0)", "partition_selection: delta");
  refused("partition_selection(1, 1)", "partition_selection: delta");
  refused("partition_selection(1e-6, 1e-9)", "100000 users");
}
