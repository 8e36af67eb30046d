// Thresholds of noisy counts, propose-test-release and the sparse vector technique with Gaussian
// noise: bounds against integrals over the outputs of the mechanisms themselves, known numbers,
// canonical forms and refusals.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "support/containment.hpp"
#include "support/losses.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

struct Noise {
  std::function<double(double)> density;
  std::function<double(double)> below;  ///< its distribution function
};

Noise gaussian_noise(double sigma) {
  return {[=](double y) { return std::exp(-y * y / (2 * sigma * sigma)) / (sigma * 2.5066282746); },
          [=](double y) { return std::erfc(-y / (sigma * std::sqrt(2.0))) / 2; }};
}

Noise laplace_noise(double b) {
  return {[=](double y) { return std::exp(-std::fabs(y) / b) / (2 * b); },
          [=](double y) { return y < 0 ? std::exp(y / b) / 2 : 1 - std::exp(-y / b) / 2; }};
}

/// sum over the outputs of (P - x Q)_+ for a group of `others` users and one more: hidden, or shown
/// with its noisy count. @param remove whether P is the one with the user.
double threshold_stick(const Noise& noise, double threshold, int others, bool remove, double eps) {
  const double x = std::exp(eps);
  const auto hidden = [&](int users) { return users == 0 ? 1.0 : noise.below(threshold - users); };
  const auto shown = [&](int users, double y) {
    return users == 0 ? 0.0 : noise.density(y - users);
  };
  const int p = remove ? others + 1 : others;
  const int q = remove ? others : others + 1;
  double sum = std::max(0.0, hidden(p) - x * hidden(q));
  const int cells = 4000;
  const double width = 60.0 / cells;
  for (int i = 0; i < cells; ++i) {
    const double y = threshold + (i + 0.5) * width;
    sum += width * std::max(0.0, shown(p, y) - x * shown(q, y));
  }
  return sum;
}

void check_threshold(const std::string& spec, const Noise& noise, double threshold, double above) {
  CAPTURE(spec);
  for (const Direction direction : both_directions) {
    const auto loss = step_loss(spec, direction);
    for (const double eps : {-1.5, -0.3, 0.0, 0.2, 0.6, 1.1, 3.0}) {
      CAPTURE(eps);
      double greatest = 0;
      for (const int others : {0, 1, 2, 3, 5, 9, 40}) {
        greatest = std::max(greatest, threshold_stick(noise, threshold, others,
                                                      direction == Direction::remove, eps));
      }
      const double found = loss->delta(Ball(eps)).estimate();
      CHECK(greatest <= found + 5e-5);
      CHECK(found <= greatest * (1 + above) + 1e-4);
    }
  }
}

double bound_of(const std::string& spec, double eps, Direction direction = Direction::remove) {
  return step_loss(spec, direction)->delta(Ball(eps)).estimate();
}

}  // namespace

TEST_CASE(
    "thresholds of noisy counts: every group's own curve is below the bound, one reaches it") {
  check_threshold("gaussian_threshold(1, 3)", gaussian_noise(1), 3, 0.003);
  check_threshold("gaussian_threshold(2, 4)", gaussian_noise(2), 4, 0.003);
  check_threshold("gaussian_threshold(0.7, 0.5)", gaussian_noise(0.7), 0.5, 0.003);
  check_threshold("laplace_threshold(1, 4)", laplace_noise(1), 4, 0);
  check_threshold("laplace_threshold(2, 1.5)", laplace_noise(2), 1.5, 0);
  check_threshold("laplace_threshold(0.5, 0)", laplace_noise(0.5), 0, 0);
}

TEST_CASE("thresholds: known numbers, several groups") {
  // (sigma, threshold, groups) = (2, 5, 4), epsilon = 2: all four new, 1 - Phi(2)^4; add
  const double remove = bound_of("gaussian_threshold(2, 5, 4)", 2);
  const double add = bound_of("gaussian_threshold(2, 5, 4)", 2, Direction::add);
  CHECK(std::fabs(remove - .0879419479) < 1e-9);
  CHECK(add >= .0209236358 - 1e-10);
  CHECK(add < .0209236358 * 1.001);
  // a far threshold leaves the noise of all groups
  const double far = bound_of("gaussian(sigma=2, sensitivity=2)", 0.5);
  CHECK(bound_of("gaussian_threshold(2, 60, 4)", 0.5) >= far - 1e-12);
  CHECK(bound_of("gaussian_threshold(2, 60, 4)", 0.5) < far * 1.0001);
  // (e^(ratio) - 1) with m = e^-19 / 2
  CHECK(std::fabs(bound_of("laplace_threshold(1, 20)", 5) - std::exp(-19.0) / 2) < 1e-18);
  CHECK(std::fabs(bound_of("laplace_threshold(1, 20)", 0.5) - (1 - std::exp(-0.25))) < 1e-10);
}

TEST_CASE(
    "thresholds: the law of both cases of Laplace noise is their maximum, to the last digits") {
  for (const auto& [scale, threshold] :
       {std::pair(1.0, 3.0), {2.0, 1.5}, {0.5, 0.0}, {3.0, 8.0}, {1.0, 0.25}}) {
    const double a = 1 / scale;
    const double x = threshold - 1;
    const double w = x < 0 ? std::exp(x / scale) / 2 : 1 - std::exp(-x / scale) / 2;
    const std::string spec = "laplace_threshold(scale=" + std::to_string(scale) +
                             ", threshold=" + std::to_string(threshold) + ")";
    CAPTURE(spec);
    const auto remove = step_loss(spec, Direction::remove);
    const auto add = step_loss(spec, Direction::add);
    for (double eps = -3; eps < 3; eps += 0.173) {
      const double y = std::exp(eps);
      const double old = eps <= -a ? 1 - y : std::max(0.0, 1 - std::exp((eps - a) / 2));
      CHECK(std::fabs(remove->delta(Ball(eps)).estimate() -
                      std::max(old, 1 - w + std::max(0.0, w - y))) < 1e-14);
      CHECK(std::fabs(add->delta(Ball(eps)).estimate() - std::max({old, 1 - y * w, 0.0})) < 1e-14);
    }
  }
}

TEST_CASE("propose-test-release: pairs of data sets at all distances are below the bound") {
  const std::string spec = "propose_test_release(gaussian(sigma=2), scale=1.5, miss=0.01)";
  const Noise test = laplace_noise(1.5);
  const Noise answer = gaussian_noise(2);
  // passes at distance 0 with probability 0.01
  const double needed = -1.5 * std::log(0.02);
  const auto loss = step_loss(spec);
  for (const double eps : {0.0, 0.3, 0.8, 2.0}) {
    CAPTURE(eps);
    const double x = std::exp(eps);
    const double bound = loss->delta(Ball(eps)).estimate();
    for (int first = 0; first <= 6; ++first) {
      for (int second = std::max(0, first - 1); second <= first + 1; ++second) {
        const double p = 1 - test.below(needed - first);
        const double q = 1 - test.below(needed - second);
        double sum = std::max(0.0, (1 - p) - x * (1 - q));
        if (first == 0 && second == 0) {
          sum += p;  // answers that have nothing to do with each other
        } else {
          for (int i = -4000; i < 4000; ++i) {
            const double y = (i + 0.5) * 0.005;
            sum += 0.005 * std::max(0.0, p * answer.density(y - 1) - x * q * answer.density(y));
          }
        }
        CHECK(sum <= bound + 1e-6);
      }
    }
  }
  const double known = bound_of("propose_test_release(gaussian(2), 2, 0.001)", 1);
  CHECK(known >= .0292891572 - 1e-10);
  CHECK(known < .0292891572 * 1.0002);
  CHECK(std::fabs(bound_of("propose_test_release(gaussian(2), 2, 0)", 1) - .0292891572) < 1e-9);
}

TEST_CASE("sparse vector with Gaussian noise: moments of all small instances are below the bound") {
  const double first = 1.3;
  const double second = 2.1;
  const Noise threshold = gaussian_noise(first);
  const Noise query = gaussian_noise(second);
  // The probabilities of each query to be the first above, and of none.
  const auto outcomes = [&](const std::vector<double>& answers) {
    std::vector<double> masses(answers.size() + 1);
    for (int i = -600; i < 600; ++i) {
      const double r = (i + 0.5) * 0.02;
      double all_below = 0.02 * threshold.density(r);
      for (std::size_t j = 0; j < answers.size(); ++j) {
        const double below = query.below(r - answers[j]);
        masses[j] += all_below * (1 - below);
        all_below *= below;
      }
      masses.back() += all_below;
    }
    return masses;
  };
  for (const std::size_t count : {1UL, 2UL, 3UL}) {
    const auto loss =
        step_loss("gaussian_sparse_vector(threshold_sigma=1.3, query_sigma=2.1, queries=" +
                  std::to_string(count) + ")");
    for (unsigned which = 0; which < 8 * 27; ++which) {
      std::vector<double> here;
      std::vector<double> there;
      unsigned code = which / 8;
      for (std::size_t j = 0; j < count; ++j) {
        here.push_back(static_cast<double>((which >> j) % 2) * 2 - 1);
        there.push_back(here.back() + static_cast<double>(code % 3) - 1);
        code /= 3;
      }
      const auto p = outcomes(here);
      const auto q = outcomes(there);
      for (const double t : {0.5, 1.0, 3.0, 9.0}) {
        double moment = 0;
        for (std::size_t j = 0; j < p.size(); ++j) moment += p[j] * std::pow(p[j] / q[j], t);
        CHECK(std::log(moment) <= loss->log_mgf(Ball(t)).upper_double() + 1e-9);
      }
    }
  }
  // t (1 + t) (1 / (2 s1^2) + 2 / s2^2) + log(k + 1) at the orders of the bound, chords between
  const auto loss = step_loss("gaussian_sparse_vector(5, 10, 100)");
  for (const double t : {0.5, 1.0, 6.0, 7.3, 120.0}) {
    const double formula =
        std::min(t * (1 + t) * (1.0 / 50 + 2.0 / 100) + std::log(101.0), t * (1 + t) * 100 / 200.0);
    // chords of a minimum of both may be below it, as the true one is convex
    if (t > 100) CHECK(loss->log_mgf(Ball(t)).upper_double() >= formula - 1e-12);
    CHECK(loss->log_mgf(Ball(t)).upper_double() <= formula * 1.003);
  }
}

TEST_CASE("thresholds and tests: canonical forms and refusals") {
  CHECK(parse_spec("gaussian_threshold(2, 12)").spec() ==
        "gaussian_threshold(sigma=2, threshold=12)");
  CHECK(parse_spec("gaussian_threshold(variance=2, threshold=12, groups=3)").spec() ==
        "gaussian_threshold(variance=2, threshold=12, groups=3)");
  CHECK(parse_spec("laplace_threshold(b=1/2, threshold=7)^3").spec() ==
        "laplace_threshold(scale=0.5, threshold=7)^3");
  CHECK(parse_spec("propose_test_release(laplace(1), 2, 1e-3)").spec() ==
        "propose_test_release(laplace(scale=1), scale=2, miss=0.001)");
  CHECK(parse_spec(parse_spec("propose_test_release(gaussian(1), 2, 1e-3)").spec()).spec() ==
        "propose_test_release(gaussian(sigma=1), scale=2, miss=0.001)");
  CHECK(parse_spec("gaussian_sparse_vector(1, 2, 9, sensitivity=3)^2").spec() ==
        "gaussian_sparse_vector(threshold_sigma=1, query_sigma=2, queries=9, sensitivity=3)^2");
  const auto refused = [](const std::string& spec, const std::string& word) {
    CHECK_MESSAGE(refusal_of(spec).find(word) != std::string::npos, refusal_of(spec));
  };
  refused("gaussian_threshold(0, 3)", "sigma");
  refused("gaussian_threshold(1, 3, 101)", "groups");
  refused("laplace_threshold(0, 3)", "scale");
  refused("propose_test_release(gaussian(1), 0, 0.1)", "scale");
  refused("propose_test_release(gaussian(1), 1, 1)", "miss");
  refused("propose_test_release(poisson(gaussian(1), 0.1), 1, 0.1)", "mechanism must be gaussian");
  refused("propose_test_release(pure(1), 1, 0.1)", "mechanism must be gaussian");
  refused("gaussian_sparse_vector(1, 2, 0)", "queries");
  refused("gaussian_sparse_vector(1, 2)", "queries");
  refused("gaussian_sparse_vector(0, 2, 5)", "threshold_sigma");
  CHECK(refusal_of("poisson(gaussian_threshold(1, 3), 0.1)") != "");
}
