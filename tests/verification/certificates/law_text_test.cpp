// The texts of laws in a certificate: all that enters a proof, in one way only.
#include "verification/checker/laws/law_text.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "verification/checker/specs/specs.hpp"

using namespace plaudit;

namespace {

std::string law_of(const std::string& spec, proof::Direction direction = proof::Direction::remove) {
  return proof::text_of(*proof::read_spec(spec, {}).run(direction).factors.front().law);
}

}  // namespace

TEST_CASE("a law is its name and its numbers, as a spec has them") {
  CHECK(law_of("gaussian(sigma=3)") == "Gaussian(a^2 = 1/9)");
  CHECK(law_of("poisson(gaussian(sigma=0.8), rate=0.004)") ==
        "Mixture(a = 0 1.25; p = 0.996 0.004)");
  CHECK(law_of("poisson(gaussian(sigma=2), rate=1/3, adjacency=replace)") ==
        "Mirrored(a = 0 0.25; p = 2/3 1/3)");
  CHECK(law_of("with_replacement(gaussian(sigma=2), batch=2, population=4)") ==
        "Labelled(q = 0.4375; w = 6/7 1/7; a = 0.5 1)");
  CHECK(law_of("gaussian(variance=2, sensitivity=3)") == law_of("gaussian(variance=2/9)"));
  CHECK(law_of("gaussian(variance=2)") == "Gaussian(a^2 = 0.5)");
  CHECK(law_of("tree(steps=8, variance=2)") == "Gaussian(a^2 = 2)");
  CHECK(law_of("joint(gaussian(sigma=1), gaussian(variance=2))") == "Gaussian(a^2 = 1.5)");
  CHECK(law_of("adaptive_clipping(noise_multiplier=1.1, count_noise=10)") ==
        "Gaussian(a^2 = 40121/48400)");
  CHECK(law_of("adaptive_clipping(noise_multiplier=1.25, count_noise=5/6, rate=0.5)") ==
        "Mixture(a = 0 1; p = 0.5 0.5)");
  CHECK(law_of("adaptive_clipping(noise_multiplier=1, count_noise=1, rate=0.5)") ==
        "Mixture(a^2 = 0 1.25; p = 0.5 0.5)");
  CHECK(law_of("poisson(gaussian(variance=2, sensitivity=3), rate=0.25)") ==
        "Mixture(a^2 = 0 4.5; p = 0.75 0.25)");
  CHECK(law_of("laplace(scale=2)") == "Laplace(a = 0.5)");
  CHECK(law_of("exponential(epsilon=0.5)") == "Range(epsilon = 0.5)");
  CHECK(law_of("approximate(epsilon=1, delta=1e-9)") == "TwoPoints(epsilon = 1; delta = 1e-9)");
  CHECK(law_of("randomized_response(probability=0.75)") == "TwoPoints(odds = 3; delta = 0)");
  CHECK(law_of("joint(pure(epsilon=1), discrete_laplace(scale=2))") ==
        "Joint(first = TwoPoints(epsilon = 1; delta = 0); "
        "second = DiscreteLaplace(scale = 2; D = 1))");
  CHECK(law_of("truncated_discrete_laplace(scale=2, bound=9)") ==
        "TruncatedDiscreteLaplace(scale = 2; A = 9; D = 1)");
  CHECK(law_of("truncated_laplace(scale=2, bound=9)") == "TruncatedLaplace(a = 0.5; beyond = 4)");
  CHECK(law_of("privacy_profile(epsilons=[0, 0.5, 0.6, 1], deltas=[0.3, 0.1, 0.1, 0.01])") ==
        "Curve(epsilon = 0 0.5 1; delta = 0.3 0.1 0.01)");
  CHECK(law_of("shuffle(epsilon=1, users=12)") == "Shuffle(epsilon = 1; n = 12)");
  CHECK(law_of("select(pure(epsilon=1), repeats=geometric, gamma=0.1)") ==
        "BestOfNegativeBinomial(epsilon = 1; eta = 1; gamma = 0.1)");
  CHECK(law_of("parallel(pure(epsilon=0.5), approximate(epsilon=0.1, delta=0.01))") ==
        "Greater(first = TwoPoints(epsilon = 0.5; delta = 0); "
        "second = TwoPoints(epsilon = 0.1; delta = 0.01))");
  CHECK(law_of("parallel(laplace(scale=2), laplace(scale=4))") == "Laplace(a = 0.5)");
  CHECK(law_of("parallel(laplace(scale=4), pure(epsilon=0.25))") ==
        "TwoPoints(epsilon = 0.25; delta = 0)");
  CHECK(law_of("staircase(epsilon=1, gamma=0.3)") == "Staircase(epsilon = 1; gamma = 0.3)");
  CHECK(law_of("staircase(epsilon=1, gamma=0.5)") == "TwoPoints(epsilon = 1; delta = 0)");
  CHECK(law_of("discrete_gaussian(sigma=2, sensitivity=3)") == "DiscreteGaussian(v = 4; D = 3)");
  CHECK(law_of("poisson(laplace(scale=2), rate=0.1)") ==
        "Sampled(base = Laplace(a = 0.5); g = 0.1)");
  CHECK(law_of("truncated_poisson(gaussian(sigma=1), rate=0.5, cap=2, population=3)") ==
        "Capped(n = 3; g = 0.5; cap = 2; under = Mixture(a = 0 1; p = 0.5 0.5); "
        "reached = Mixture(a = 0 2; p = 0.5 0.5))");
  CHECK(law_of("averaged(gaussian(sigma=2), rate=0.5, population=9)") ==
        "Averaged(a = 0.5; g = 0.5; n = 9)");
  CHECK(law_of("averaged(gaussian(sigma=2), rate=0.5, population=9, adjacency=replace)") ==
        "AveragedReplaced(a = 0.5; g = 0.5; n = 9)");
  CHECK(law_of("laplace_threshold(scale=2, threshold=9)") == "LaplaceThreshold(a = 0.5; r = 4)");
  CHECK(law_of("truncated_gaussian(sigma=2, bound=9)") ==
        "TruncatedGaussian(a^2 = 0.25; end = 2.125)");
  CHECK(law_of("skellam(variance=3, sensitivity=2)") == "Skellam(v = 3; D = 2)");
  CHECK(law_of("discrete_gaussian_sum(parties=4, sigma=3)") ==
        "DiscreteGaussianSum(n = 4; v = 9; D = 1)");
  CHECK(law_of("shuffled(gaussian(sigma=2), steps=10, adjacency=replace)") ==
        law_of("gaussian(sigma=2)"));
  CHECK(law_of("random_allocation(gaussian(sigma=2), steps=10, selected=3, bound=blocks)") ==
        "Allocation(a^2 = 0.25; blocks = 1x4 2x3)");
  CHECK(law_of("zcdp(rho=0.1)") == "Bounded(linear = 0.1; quadratic = 0.1)");
  CHECK(law_of("tcdp(rho=0.1, omega=3)") == "Bounded(linear = 0.1; quadratic = 0.1; limit = 3)");
}

TEST_CASE("long lists stand there by their digest, and each number of them counts") {
  std::vector<Rational> numbers(30, Rational(1, 3));
  CHECK(proof::numbers_text(numbers).substr(0, 8) == "1/3 1/3 ");
  numbers.assign(1000, Rational(-31, 32));
  // printf -- '-1f/20 ... -1f/20' | sha256sum, a thousand of them
  CHECK(proof::numbers_text(numbers) ==
        "1000 numbers, SHA-256 "
        "031cb5a56ce80b15f0a90cca11e4f00b9646b54ce6dba267e068bd5d28a9eb8c");
  const std::string before = proof::numbers_text(numbers);
  numbers[500] += Rational(1, 1000000);
  CHECK(proof::numbers_text(numbers) != before);
  const Rational long_one = Rational(1, Integer(1) << 2047U);
  CHECK(proof::number_text(long_one).substr(0, 18) == "1 number, SHA-256 ");
}

TEST_CASE("both directions have one list where their laws are alike") {
  const proof::Json alike = proof::law_list(proof::read_spec("gaussian(sigma=3)^2", {}));
  CHECK(alike.size() == 1);
  CHECK(alike["both"][0]["law"] == "Gaussian(a^2 = 1/9)");
  CHECK(alike["both"][0]["count"] == 2);
  const proof::Json apart =
      proof::law_list(proof::read_spec("poisson(pure(epsilon=1), rate=0.5)", {}));
  CHECK(apart.size() == 2);
  CHECK(apart["remove"] == apart["add"]);  // each is read in its own direction
}
