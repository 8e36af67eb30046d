// The density of the loss of a mixture pair on a lattice: against roots found by bisection, and the
// bound of what its window leaves out against the terms left out, one by one.
#include "mechanisms/mixtures/mixture_density.hpp"

#include "support/containment.hpp"
#include "support/mixtures.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

/// f(y) = sum p_i e^{a_i y - a_i^2 / 2} as printed, and its derivative.
struct PlainPair {
  std::vector<Ball> p;
  std::vector<Ball> a;

  explicit PlainPair(const GaussianMixture& mixture) {
    for (std::size_t i = 0; i < mixture.sensitivities.size(); ++i) {
      p.emplace_back(mixture.probabilities[i]);
      a.emplace_back(Rational(mixture.sensitivities[i] / mixture.sigma));
    }
  }
  Ball f(const Ball& y) const {
    Ball sum;
    for (std::size_t i = 0; i < p.size(); ++i)
      sum += p[i] * exp(a[i] * y - ldexp(square(a[i]), -1));
    return sum;
  }
  Ball slope(const Ball& y) const {
    Ball sum;
    for (std::size_t i = 0; i < p.size(); ++i) {
      sum += a[i] * p[i] * exp(a[i] * y - ldexp(square(a[i]), -1));
    }
    return sum;
  }
  /// The root of f(y) = e^l between -500 and 500, by bisection.
  Ball root(const Ball& l) const {
    const Ball goal = exp(l);
    Ball low(-500.3);  // no root is a middle
    Ball high(500.1);
    for (int i = 0; i < 2 * working_precision(); ++i) {
      const Ball middle = ldexp(low + high, -1).middle();
      const Ball value = f(middle);
      if (certainly_less(value, goal)) {
        low = middle;
      } else if (certainly_greater(value, goal)) {
        high = middle;
      } else {
        break;  // as far as the precision goes
      }
    }
    return hull(low, high);
  }
  /// phi e^{r l} / (f'/f) at the root.
  Ball density(const Ball& r, const Ball& l) const {
    const Ball y = root(l);
    return normal_density(y) * exp((r + Ball(1)) * l) / slope(y);
  }
};

}  // namespace

TEST_CASE("roots lie in their enclosures, to the last bit") {
  for (const char* spec :
       {"mixture(sigma=2, sensitivities=[0, 1, 2], probabilities=[0.5, 0.25, 0.25])",
        "mixture(sigma=1, sensitivities=[1, 3], probabilities=[0.75, 0.25])",
        "mixture(sigma=1/2, sensitivities=[1/4, 1, 2], probabilities=[1/2, 1/3, 1/6])",
        "poisson(gaussian(sigma=1), rate=0.3)"}) {
    const GaussianMixture mixture = mixture_of(spec);
    const Ball d(0.34375);
    const Ball r(1.5);
    std::vector<Ball> ends;
    std::vector<Ball> values;
    {
      // many bits more than a root in doubles has right
      const PrecisionScope scope(300);
      const MixtureDensity density(mixture, r);
      density.cell_ends(d, -3, 9, [&](long, const Ball& y) { ends.push_back(y); });
      density.sample(d, {-3, 9, Ball(0)}, Ball(0),
                     [&](long, const Ball& value) { values.push_back(value); });
    }
    REQUIRE(ends.size() == 14);
    REQUIRE(values.size() == 13);
    const PrecisionScope scope(500);
    const PlainPair pair(mixture);
    for (long j = -3; j <= 10; ++j) {
      INFO(std::string(spec), ", end ", j);
      const Ball& y = ends[static_cast<std::size_t>(j + 3)];
      const Ball goal = exp(d * Ball(Rational(2 * j - 1, 2)));
      if (!y.is_finite()) {  // e^l is at most f(-inf)
        CHECK(certainly_less(goal, pair.f(Ball(-500))));
        continue;
      }
      CHECK(y.radius().upper_double() < 1e-22);
      CHECK(certainly_less_equal(pair.f(y.lower()).lower(), goal));
      CHECK(certainly_less_equal(goal, pair.f(y.upper()).upper()));
    }
    for (long j = -3; j <= 9; ++j) {
      INFO(std::string(spec), ", point ", j);
      const Ball& value = values[static_cast<std::size_t>(j + 3)];
      if (value.is_exact_zero()) {
        CHECK(certainly_less(exp(d * Ball(j)), pair.f(Ball(-500))));
        continue;
      }
      CHECK_CONTAINS(value, d * pair.density(r, d * Ball(j)));
      CHECK_WIDTH_BELOW(value, 1e-20);
    }
  }
}

TEST_CASE("a window leaves out no more than it says, on either side") {
  // Few nats: the ends are where the density falls for sure, and leave out parts that count.
  struct Case {
    const char* spec;
    double r;
    double nats;
  };
  const PrecisionScope scope(128);
  for (const Case& each :
       {Case{"gaussian(sigma=1)", -3, -1}, Case{"gaussian(sigma=1)", -2, -2},
        Case{"gaussian(sigma=1)", 3, -2}, Case{"gaussian(sigma=4)", -3, -2},
        Case{"gaussian(sigma=4)", 1, 2}, Case{"poisson(gaussian(sigma=1), rate=0.3)", -2, 0},
        Case{"poisson(gaussian(sigma=4), rate=0.5)", -3, -2},
        Case{"mixture(sigma=2, sensitivities=[0, 1, 2], probabilities=[0.5, 0.25, 0.25])", 3, -2},
        Case{"mixture(sigma=1, sensitivities=[1, 3], probabilities=[0.75, 0.25])", -2, -1}}) {
    const GaussianMixture mixture = mixture_of(each.spec);
    const Ball r(each.r);
    const Ball d(0.0625);
    const MixtureDensity::Window window = MixtureDensity(mixture, r).window(d, each.nats);
    const PlainPair pair(mixture);
    const Ball least = log(pair.f(Ball(-500)));
    Ball outside;  // of 80 points on each side
    for (long j = window.first - 1; j > window.first - 80; --j) {
      if (!certainly_greater(d * Ball(j), least)) break;
      outside += d * pair.density(r, d * Ball(j));
    }
    for (long j = window.last + 1; j < window.last + 80; ++j) {
      outside += d * pair.density(r, d * Ball(j));
    }
    INFO(std::string(each.spec), ", r ", each.r, ", nats ", each.nats);
    CHECK(certainly_less_equal(outside, window.outside));
    CHECK(certainly_less(window.outside, Ball(50) * outside));
  }
}
