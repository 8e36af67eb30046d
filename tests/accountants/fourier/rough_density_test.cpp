// Densities of privacy losses in doubles against the laws' own in balls.
#include <doctest/doctest.h>

#include <cmath>

#include "accountants/fourier/rough_density.hpp"
#include "lib/balls/precision.hpp"
#include "support/curves.hpp"

using namespace plaudit;
using namespace plaudit::test;

TEST_CASE("densities in doubles: those of the laws in balls") {
  const PrecisionScope scope(128);
  for (const char* spec :
       {"gaussian(2)", "poisson(gaussian(2), 0.01)", "poisson(gaussian(0.5), 0.3)",
        "group(poisson(gaussian(2), 0.01), 3)",
        "mixture(sigma=1, sensitivities=[1, 2], probabilities=[0.5, 0.5])",
        "pair(without_replacement, sigma=2, rate=0.01)",
        "pair(with_replacement, sigma=2, batch=50, population=5000)",
        "with_replacement(gaussian(2), batch=50, population=5000)",
        "without_replacement(gaussian(1), batch=5, population=50, adjacency=replace)",
        "laplace(2)"}) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const ComposedLoss loss = loss_from(spec, direction);
      const PrivacyLoss& law = *loss.terms()[0].loss;
      const auto f = rough_log_density(law, direction);
      for (const double x : {-6.1, -1.3, -0.3, -0.004, -1e-5, 2e-5, 0.003, 0.25, 0.9, 5.2}) {
        const Ball at(x);
        if (!certainly_greater(at, law.least_loss()) || !certainly_less(at, law.greatest_loss())) {
          CHECK(std::exp(f(x)) == 0);
          continue;
        }
        const Ball exact = law.density(at).value();
        INFO(std::string(spec), " ", x);
        // relative: logarithms of small densities lose some digits
        CHECK(std::fabs(f(x) - exact.estimate_log()) < 1e-11 * (1 + std::fabs(f(x))));
      }
    }
  }
}
