// Private selection: the epsilon of pure bases and the bounds of other ones, against known numbers
// and random bases whose runs are enumerated; canonical forms and refusals.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <tuple>
#include <vector>

#include "lib/balls/precision.hpp"
#include "support/containment.hpp"
#include "support/losses.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

struct Repeat {
  std::string text;
  std::function<double(double)> phi;
};

const std::vector<Repeat>& all_repeats() {
  static const std::vector<Repeat> all{
      {"repeats=poisson, mean=10", [](double s) { return std::exp(10 * (s - 1)); }},
      {"repeats=poisson, mean=0.7", [](double s) { return std::exp(0.7 * (s - 1)); }},
      {"repeats=geometric, gamma=0.1", [](double s) { return 0.1 * s / (1 - 0.9 * s); }},
      {"repeats=logarithmic, gamma=0.01",
       [](double s) { return std::log1p(-0.99 * s) / std::log(0.01); }},
      {"repeats=negative_binomial, eta=-1/2, gamma=0.2",
       [](double s) { return (std::sqrt(1 - 0.8 * s) - 1) / (std::sqrt(0.2) - 1); }},
      {"repeats=binomial, trials=20, probability=1/2",
       [](double s) { return std::pow(0.5 + 0.5 * s, 20); }}};
  return all;
}

std::string of(const std::string& base, const Repeat& repeat) {
  return "select(" + base + ", " + repeat.text + ")";
}

/// The released laws of outputs in this order, worst first: phi at the sums of the base's masses.
std::vector<double> released(const std::vector<double>& p,
                             const std::function<double(double)>& phi) {
  std::vector<double> result{phi(0)};  // "none"
  double sum = 0;
  for (const double mass : p) {
    const double before = phi(sum);
    sum = std::min(1.0, sum + mass);
    result.push_back(phi(sum) - before);
  }
  return result;
}

double stick(const std::vector<double>& p, const std::vector<double>& q, double eps) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += std::max(0.0, p[i] - std::exp(eps) * q[i]);
  return sum;
}

}  // namespace

TEST_CASE("select: the epsilon of a pure base, known numbers") {
  const double known[] = {5.6211715726, 0, 2.5913440783, 1.9768521171, 0, 6.9004517124};
  for (std::size_t i = 0; i < all_repeats().size(); ++i) {
    if (known[i] == 0) continue;
    const auto loss = step_loss(of("pure(1)", all_repeats()[i]));
    CHECK(std::fabs(loss->greatest_loss().estimate() - known[i]) < 1e-10);
    CHECK_OVERLAPS(loss->least_loss(), -loss->greatest_loss());
    CHECK_CONTAINS(loss->log_mgf(Ball(0)), 0);
    CHECK_CONTAINS(loss->log_mgf(Ball(-1)), 0);
  }
}

TEST_CASE("select: a law of repeats stated by its mean is that of its gamma, from above") {
  const std::pair<std::string, std::string> alike[] = {
      {"repeats=geometric, mean=10", "repeats=geometric, gamma=0.1"},
      // (1/gamma - 1) / log(1/gamma) = 9 / log(10), eta (1/gamma - 1) / (1 - gamma^eta) = 3 / (2 (1
      // - 1/2)), rounded down
      {"repeats=logarithmic, mean=3.908650337129266", "repeats=logarithmic, gamma=0.1"},
      {"repeats=negative_binomial, eta=1/2, mean=3",
       "repeats=negative_binomial, eta=1/2, gamma=0.25"},
      {"repeats=negative_binomial, eta=-1/2, mean=1.25",
       "repeats=negative_binomial, eta=-1/2, gamma=4/9"}};
  for (const char* base : {"pure(1)", "gaussian(5)"}) {
    for (const auto& [by_mean, gamma] : alike) {
      const std::string mean = by_mean;
      CAPTURE(mean);
      const auto of_mean = step_loss("select(" + std::string(base) + ", " + mean + ")");
      const auto of_gamma = step_loss("select(" + std::string(base) + ", " + gamma + ")");
      const double above = of_mean->delta(Ball(0)).estimate() - of_gamma->delta(Ball(0)).estimate();
      CHECK(above > -1e-15);
      CHECK(above < 1e-12);
    }
  }
}

TEST_CASE("select: the epsilon of a pure base is reached by randomized response in pieces") {
  const double e = std::exp(1.0);
  const int pieces = 20'000;
  for (const Repeat& repeat : all_repeats()) {
    CAPTURE(repeat.text);
    const double most = step_loss(of("pure(1)", repeat))->greatest_loss().estimate();
    // pieces of the output that P has more often, below the one that Q has more often
    std::vector<double> p(pieces, e / (1 + e) / pieces);
    std::vector<double> q(pieces, 1 / (1 + e) / pieces);
    p.push_back(1 / (1 + e));
    q.push_back(e / (1 + e));
    const auto released_p = released(p, repeat.phi);
    const auto released_q = released(q, repeat.phi);
    double greatest = 0;
    for (std::size_t i = 0; i < released_p.size(); ++i) {
      if (released_p[i] > 1e-9)
        greatest = std::max(greatest, std::log(released_p[i] / released_q[i]));
    }
    CHECK(greatest < most + 1e-6);
    CHECK(greatest > most - 2e-3);
  }
}

TEST_CASE("select: random bases in random orders are below the bounds") {
  std::mt19937 random(20261128);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int trial = 0; trial < 4; ++trial) {
    // an (epsilon, delta)-private base of some outputs, known by its two points
    std::vector<double> p;
    std::vector<double> q;
    const int outputs = 2 + trial % 3;
    for (int i = 0; i < outputs; ++i) {
      p.push_back(0.02 + unit(random));
      q.push_back(0.02 + unit(random));
    }
    for (auto* law : {&p, &q}) {
      double sum = 0;
      for (const double mass : *law) sum += mass;
      for (double& mass : *law) mass /= sum;
    }
    std::string epsilons;
    std::string deltas;
    for (const double eps : {0.0, 0.2, 0.5, 1.0, 2.0, 4.0}) {
      const double delta = std::max(stick(p, q, eps), stick(q, p, eps));
      epsilons += (epsilons.empty() ? "" : ", ") + std::to_string(eps);
      deltas += (deltas.empty() ? "" : ", ") + std::to_string(std::min(1.0, delta + 1e-6));
    }
    const std::string base = "privacy_profile([" + epsilons + "], [" + deltas + "])";
    for (const Repeat& repeat : all_repeats()) {
      if (repeat.text.find("binomial, trials") != std::string::npos) continue;
      const auto loss = step_loss(of(base, repeat));
      const auto released_p = released(p, repeat.phi);
      const auto released_q = released(q, repeat.phi);
      CAPTURE(of(base, repeat));
      for (const double eps : {0.0, 0.3, 1.0, 2.5}) {
        const double bound = loss->delta(Ball(eps)).estimate();
        CHECK(stick(released_p, released_q, eps) <= bound + 1e-12);
        CHECK(stick(released_q, released_p, eps) <= bound + 1e-12);
      }
    }
  }
}

TEST_CASE("select: bounds of a Gaussian base, known numbers") {
  const auto delta = [](const std::string& repeat) {
    return step_loss("select(gaussian(5), " + repeat + ")")->delta(Ball(1)).estimate();
  };
  // the bound of the theorem, of which the hull over all epsilons leaves less
  const double poisson = delta("repeats=poisson, mean=10");
  CHECK(poisson <= .1630034972);
  CHECK(poisson > .12);
  const double geometric = delta("repeats=geometric, gamma=0.1");
  CHECK(geometric >= 5.0761368e-4 - 1e-11);
  CHECK(geometric <= 5.0761368e-4 * 1.01);
  // mean near 0: hardly more than one run at its rate
  CHECK(delta("repeats=poisson, mean=1e-6") < 1e-6);
}

TEST_CASE("select: a Gaussian base ranked by its output is below the bounds") {
  // outputs of N(0.2, 1) against N(0, 1), the greatest or the least of K released
  const auto phi = [](double y) { return std::exp(-y * y / 2) / std::sqrt(2 * M_PI); };
  const auto above = [](double y) { return std::erfc(y / std::sqrt(2)) / 2; };
  const auto slope_poisson = [](double s) { return 10 * std::exp(10 * (s - 1)); };
  const auto slope_geometric = [](double s) { return 0.1 / std::pow(1 - 0.9 * s, 2); };
  for (const bool geometric : {false, true}) {
    const auto loss = step_loss(std::string("select(gaussian(5), repeats=") +
                                (geometric ? "geometric, gamma=0.1)" : "poisson, mean=10)"));
    for (const double eps : {0.0, 0.5, 1.0, 1.5}) {
      const double bound = loss->delta(Ball(eps)).estimate();
      for (const double sign : {1.0, -1.0}) {
        for (const bool swapped : {false, true}) {
          double sum = geometric ? 0 : std::max(0.0, 1 - std::exp(eps)) * std::exp(-10);
          const double width = 1e-3;
          for (double y = -12; y < 12; y += width) {
            const double p = phi(y - 0.2), q = phi(y);
            const double rank_p = above(-sign * (y - 0.2)), rank_q = above(-sign * y);
            const double more_p = p * (geometric ? slope_geometric(rank_p) : slope_poisson(rank_p));
            const double more_q = q * (geometric ? slope_geometric(rank_q) : slope_poisson(rank_q));
            const double more =
                swapped ? more_q - std::exp(eps) * more_p : more_p - std::exp(eps) * more_q;
            sum += width * std::max(0.0, more);
          }
          CHECK(sum <= bound + 1e-6);
        }
      }
    }
  }
}

TEST_CASE("select: canonical forms and refusals") {
  CHECK(parse_spec("select(pure(1), poisson, 2)").spec() ==
        "select(pure(epsilon=1), repeats=poisson, mean=2)");
  CHECK(parse_spec("select(pure(1), repeats=geometric, gamma=1/4)^2").spec() ==
        "select(pure(epsilon=1), repeats=geometric, gamma=0.25)^2");
  CHECK(parse_spec("select(pure(1), repeats=negative_binomial, eta=-0.5, gamma=0.1)").spec() ==
        "select(pure(epsilon=1), repeats=negative_binomial, eta=-0.5, gamma=0.1)");
  CHECK(parse_spec("select(pure(1), repeats=binomial, trials=20, probability=0.5)").spec() ==
        "select(pure(epsilon=1), repeats=binomial, trials=20, probability=0.5)");
  const auto said = [](const std::string& spec, const char* words) {
    CHECK_MESSAGE(refusal_of(spec).find(words) != std::string::npos, refusal_of(spec));
  };
  CHECK(parse_spec("select(pure(1), repeats=logarithmic, mean=20/2)").spec() ==
        "select(pure(epsilon=1), repeats=logarithmic, mean=10)");
  said("select(pure(1))", "repeats");
  said("select(pure(1), repeats=fixed)", "repeats");
  said("select(pure(1), repeats=poisson)", "needs mean");
  said("select(pure(1), repeats=poisson, mean=2, gamma=0.1)", "has no gamma");
  said("select(pure(1), repeats=poisson, mean=0)", "mean");
  said("select(pure(1), repeats=geometric, gamma=1)", "gamma");
  said("select(pure(1), repeats=geometric, mean=1)", "mean");
  said("select(pure(1), repeats=geometric, mean=2, gamma=0.5)", "has no gamma");
  said("select(pure(1), repeats=negative_binomial, eta=-0.999, mean=1000)",
       "mean");  // gamma 1e-3000
  said("select(pure(1), repeats=negative_binomial, eta=-1, gamma=0.1)", "eta");
  said("select(gaussian(1), repeats=binomial, trials=2, probability=0.5)", "pure");
  said("select(zcdp(1), repeats=poisson, mean=2)", "mechanism");
}

TEST_CASE("select: the epsilon of a pure base by a mean is enclosed") {
  // gamma by 80 digits of mpmath, in 1 - gamma
  const std::tuple<const char*, const char*, const char*> known[] = {
      {"1000000000000", "3", "2.303835542025586585514"},
      {"10000", "1.5", "1.403984101319351086"},
      {"0", "5", "1.85139064808117926506480"}};
  for (const auto& [given_eta, mean, number] : known) {
    const std::string eta = given_eta;
    CAPTURE(eta);
    const auto loss =
        step_loss("select(pure(1), repeats=negative_binomial, eta=" + eta + ", mean=" + mean + ")");
    const Ball truth(parse_rational(number));
    const Ball ulp(parse_rational("1e-17"));
    for (const long bits : {53, 128, 256}) {
      const PrecisionScope scope(bits);
      const Ball found = loss->greatest_loss();
      CHECK(certainly_less(found.lower(), truth + ulp));
      CHECK(certainly_less(truth - ulp, found.upper()));
      if (bits > 53) CHECK(found.radius().upper_double() < 1e-19);
    }
    // gamma is irrational: at no precision is it one number
    const PrecisionScope scope(4096);
    CHECK(certainly_greater(loss->greatest_loss().radius(), ldexp(Ball(1), -1024)));
  }
}

TEST_CASE("select: of a bound that is 1 everywhere nothing is known") {
  for (const char* spec : {"select(approximate(1, 0.5), repeats=poisson, mean=1000)",
                           "select(approximate(1, 0.9), repeats=geometric, gamma=1e-32)",
                           "parallel(approximate(1, 0.99999999999999999999999999999999999999999), "
                           "poisson(gaussian(1), 0.1))"}) {
    CHECK_MESSAGE(refusal_of(spec).find("says nothing") != std::string::npos, refusal_of(spec));
  }
}

TEST_CASE("select: bounds of Gaussian bases, known numbers") {
  // log C by a search over the error rates, 1 - phi(1 - H_(x/C)) at 16000 points, their lower hull;
  // in doubles
  const std::tuple<const char*, double, double> known[] = {
      {"repeats=poisson, mean=10", 1, 0.13006602138716417},
      {"repeats=poisson, mean=10", 2, 5.09520869940161e-10},
      {"repeats=logarithmic, gamma=0.01", 0.5, 0.17843878916102307},
      {"repeats=negative_binomial, eta=2, gamma=0.2", 0.5, 0.15798034302966724},
      {"repeats=negative_binomial, eta=-1/2, gamma=0.05", 0.5, 0.006823320374352293},
      {"repeats=geometric, gamma=0.1", 1, 0.0005076136715049806}};
  for (const auto& [law, epsilon, number] : known) {
    const std::string repeats = law;
    CAPTURE(repeats);
    const auto loss = step_loss("select(gaussian(5), " + repeats + ")");
    const double found = loss->delta(Ball(epsilon)).estimate();
    CHECK(found > number * (1 - 1e-5));
    CHECK(found < number * (1 + 2e-4));
  }
}

TEST_CASE("select: of an atom at a number that is no dyadic one the bound is near") {
  // all that laplace(scale=10) releases is a post-processing of pure(0.1)
  for (const char* repeats : {"repeats=geometric, gamma=0.1", "repeats=poisson, mean=5"}) {
    for (const char* epsilon : {"0.1", "1/3", "2.7"}) {
      const auto pure = step_loss("select(pure(" + std::string(epsilon) + "), " + repeats + ")");
      const auto laplace =
          step_loss("select(laplace(1, " + std::string(epsilon) + "), " + repeats + ")");
      CHECK(laplace->greatest_loss().estimate() < 1.01 * pure->greatest_loss().estimate());
    }
  }
}

TEST_CASE("select: many repeats need no more points") {
  const auto loss = step_loss("select(laplace(1), repeats=poisson, mean=10000000000)");
  const double shift = 1e10 * -std::expm1(-0.5);
  CHECK(std::fabs(loss->greatest_loss().estimate() - shift) < 2);
}
