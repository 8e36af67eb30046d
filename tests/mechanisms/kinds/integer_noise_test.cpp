// Noise on the integers beyond one Gaussian: Skellam noise and sums of discrete Gaussians against
// sums over outcomes, smaller moves below them, known numbers, canonical forms and refusals.
#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "lib/balls/bessel.hpp"
#include "lib/balls/precision.hpp"
#include "mechanisms/laws/discrete_gaussian_tails.hpp"
#include "mechanisms/laws/shifted_noise.hpp"
#include "support/containment.hpp"
#include "support/losses.hpp"
#include "support/slow.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

using Masses = std::map<long, double>;

Masses added(const Masses& a, const Masses& b) {
  Masses sum;
  for (const auto& [k, p] : a) {
    for (const auto& [j, q] : b) sum[k + j] += p * q;
  }
  return sum;
}

/// The difference of two Poisson variables, from their own probabilities.
Masses skellam_masses(double variance) {
  Masses one;
  Masses other;
  for (long k = 0; k < 60; ++k) {
    const double p = std::exp(-variance / 2 + static_cast<double>(k) * std::log(variance / 2) -
                              std::lgamma(static_cast<double>(k) + 1));
    one[k] = p;
    other[-k] = p;
  }
  return added(one, other);
}

Masses sum_masses(int parties, double variance) {
  Masses one;
  double whole = 0;
  for (long k = -40; k <= 40; ++k) {
    const double square = static_cast<double>(k) * static_cast<double>(k);
    whole += one[k] = std::exp(-square / (2 * variance));
  }
  for (auto& each : one) each.second /= whole;
  Masses sum = one;
  for (int i = 1; i < parties; ++i) sum = added(sum, one);
  return sum;
}

double moved_stick(const Masses& noise, long shift, double eps) {
  double sum = 0;
  for (const auto& [k, p] : noise) {
    const auto q = noise.find(k + shift);
    sum += std::max(0.0, p - std::exp(eps) * (q == noise.end() ? 0 : q->second));
  }
  return sum;
}

void check_noise(const std::string& start, const Masses& noise) {
  for (const long most : {1L, 2L, 5L}) {
    const std::string spec = start + ", sensitivity=" + std::to_string(most) + ")";
    CAPTURE(spec);
    const auto remove = step_loss(spec, Direction::remove);
    const auto add = step_loss(spec, Direction::add);
    for (const double eps : {-2.0, -0.4, 0.0, 0.1, 0.7, 1.9, 4.0}) {
      CAPTURE(eps);
      const double worst = moved_stick(noise, most, eps);
      for (const auto& loss : {remove, add}) {
        const Ball delta = loss->delta(Ball(eps));
        CHECK(std::fabs(delta.estimate() - worst) < 1e-11);
        CHECK(delta.radius_double() < 1e-14);
      }
      for (long shift = 0; shift < most; ++shift) {
        CHECK(moved_stick(noise, shift, eps) <= worst + 1e-12);
      }
    }
  }
}

double noise_delta(const std::string& spec, double eps) {
  return step_loss(spec)->delta(Ball(eps)).estimate();
}

}  // namespace

TEST_CASE("Skellam noise: differences of Poisson variables, outcome by outcome, all moves") {
  for (const char* variance : {"0.2", "1", "4", "9"}) {
    check_noise(std::string("skellam(variance=") + variance, skellam_masses(std::stod(variance)));
  }
}

TEST_CASE("sums of discrete Gaussians: outcome by outcome, all moves") {
  for (const int parties : {1, 2, 3, 7}) {
    for (const char* variance : {"0.1", "0.25", "1", "5"}) {
      check_noise(
          "discrete_gaussian_sum(parties=" + std::to_string(parties) + ", variance=" + variance,
          sum_masses(parties, std::stod(variance)));
    }
  }
}

TEST_CASE("integer noise: known numbers") {
  CHECK(std::fabs(noise_delta("skellam(variance=4)", 1) - .00350375978048) < 1e-13);
  CHECK(std::fabs(noise_delta("skellam(variance=4, sensitivity=2)", 1) - .12434004595803) < 1e-13);
  CHECK(std::fabs(noise_delta("discrete_gaussian_sum(3, sigma=1)", 1) - .0166555273) < 1e-10);
  CHECK(std::fabs(noise_delta("discrete_gaussian_sum(3, variance=1/4)", 1) - .1521975748) < 1e-10);
  // one party: discrete Gaussian noise, far out too
  const PrecisionScope scope(200);
  for (const double eps : {0.2, 2.0, 6.5}) {
    CHECK_OVERLAPS(step_loss("discrete_gaussian_sum(1, sigma=3, sensitivity=2)")->delta(Ball(eps)),
                   step_loss("discrete_gaussian(sigma=3, sensitivity=2)")->delta(Ball(eps)));
  }
  // hardly any noise, and a sensitivity far beyond it: the outcome behind the last one has e^-1000s
  CHECK(step_loss("discrete_gaussian_sum(1, variance=0.003)")->delta(Ball(200)).estimate_log() ==
        doctest::Approx(std::log(4.1455900e-73)));
  const char* far = slow_tests() ? "discrete_gaussian_sum(1, variance=1, sensitivity=300)"
                                 : "discrete_gaussian_sum(1, variance=1, sensitivity=100)";
  for (const char* spec : {"discrete_gaussian_sum(3, variance=1e-3)", far}) {
    CHECK(step_loss(spec)->delta(Ball(1)).lower_double() > 0.99);
  }
  // I_1(2) of tables
  CHECK(std::fabs(bessel_i(1, Ball(2)).estimate() - 1.590636854637329) < 1e-14);
}

TEST_CASE("integer noise: probabilities at thousands of bits, and all of the tail") {
  const PrecisionScope scope(40000);  // the mass a period away is e^-22000
  const auto law = step_loss("discrete_gaussian_sum(1, variance=1/4)")->atoms(0, 0)->law;
  const std::size_t window = (law.atoms.size() - 4) / 2;  // the first atom is all below -window
  const DiscreteGaussianTails one(Rational(1, 4));
  CHECK_OVERLAPS(law.atoms[window + 2].p, one.mass(0));
  CHECK_OVERLAPS(law.atoms[window + 4].p, one.mass(2));
  const PrecisionScope low(200);
  // at little noise the bound of the tail is next to the tail
  for (const char* variance : {"0.01", "400"}) {
    const auto skellam = step_loss(std::string("skellam(variance=") + variance + ")");
    const auto end = static_cast<long>((skellam->atoms(0, 0)->law.atoms.size() - 4) / 2);
    const Ball v(parse_rational(variance));
    Ball beyond;
    for (long k = end + 1; k < end + 200; ++k) beyond += exp(-v) * bessel_i(k, v);
    CHECK(certainly_less_equal(beyond.lower(), skellam->mass_at_infinity().upper()));
    CHECK(certainly_less(skellam->mass_at_infinity().upper(), beyond * Ball(1.1)));
  }
}

TEST_CASE("integer noise: what lies outside of the window is in the law") {
  const PrecisionScope scope(128);
  // Noise 4^-|k| 3/5 as if nothing beyond 3 were known: both laws, and the true curve between them.
  IntegerNoise noise;
  for (long k = 0; k <= 3; ++k) noise.masses.push_back(Ball(0.6) * ldexp(Ball(1), -2 * k));
  noise.least_beyond = ldexp(Ball(0.6), -8);
  noise.most_beyond = ldexp(Ball(0.8), -8);  // 3/5 4^-4 4/3
  const FiniteLaw law = shifted_noise_law(noise, 1);
  Ball p = law.infinite;
  Ball q;
  Ball lower;
  Ball upper;
  const Ball e = exp(Ball(0.5));
  for (const Atom& atom : law.atoms) {
    p += atom.p;
    q += atom.q;
    upper += max(Ball(0), atom.p - e * atom.q).upper();
  }
  CHECK_CONTAINS(p, 1);
  CHECK_CONTAINS(q, 1);
  CHECK_CONTAINS(law.q_mass, 1);
  CHECK(law.infinite.upper_double() > 0.6 / 64);
  // truth: (1 - r e^eps) of the mass of k > 0 moved up, r = 1/4, and of k = 0: sum_(k >= 1) f(k -
  // 1)
  // - e f(k)
  const Ball truth = (Ball(1) - ldexp(e, -2)) * (Ball(0.6) + Ball(0.2));
  upper += law.infinite.upper();
  CHECK(certainly_less_equal(truth, upper));
  CHECK(certainly_less(upper, truth + Ball(0.05)));
}

TEST_CASE("integer noise: canonical forms and refusals") {
  CHECK(parse_spec("skellam(4)").spec() == "skellam(variance=4)");
  CHECK(parse_spec("skellam(1/3, 2)^4").spec() == "skellam(variance=1/3, sensitivity=2)^4");
  CHECK(parse_spec("discrete_gaussian_sum(5, 2)").spec() ==
        "discrete_gaussian_sum(parties=5, sigma=2)");
  CHECK(parse_spec("discrete_gaussian_sum(5, variance=2, sensitivity=3)").spec() ==
        "discrete_gaussian_sum(parties=5, variance=2, sensitivity=3)");
  const auto refused = [](const std::string& spec, const std::string& word) {
    CHECK_MESSAGE(refusal_of(spec).find(word) != std::string::npos, spec);
  };
  refused("skellam(0)", "skellam: variance");
  refused("skellam(1e6)", "skellam: variance");
  refused("skellam(1, 0)", "skellam: sensitivity");
  refused("skellam(1, 1.5)", "skellam: sensitivity");
  refused("discrete_gaussian_sum(0, 1)", "parties");
  refused("discrete_gaussian_sum(2, 0)", "sigma");
  refused("discrete_gaussian_sum(1000, 11)", "together");
  refused("discrete_gaussian_sum(1000000, variance=0.05)", "parties / variance");
  refused("group(skellam(4), 2)", "");
  CHECK(refusal_of("poisson(skellam(4), 0.1)") == "");
  CHECK(refusal_of("poisson(discrete_gaussian_sum(2, 1), 0.1)") == "");
}
