// Fixed batches: the laws of the counts, the half-line integrals and the privacy loss under replace
// adjacency, and what the schemes have in common.
#include <doctest/doctest.h>

#include "lib/balls/error_term.hpp"
#include "mechanisms/forms/gaussian_mixture_mechanism.hpp"
#include "mechanisms/forms/sampling_laws.hpp"
#include "mechanisms/mixtures/gaussian_loss.hpp"
#include "mechanisms/mixtures/mixture_loss.hpp"
#include "mechanisms/replacement/replacement_loss.hpp"
#include "mechanisms/spec_error.hpp"
#include "support/containment.hpp"
#include "support/losses.hpp"
#include "support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

Rational choose(long n, long k) {
  Rational result = 1;
  for (long i = 0; i < k; ++i) result = result * (n - i) / (i + 1);
  return k < 0 || k > n ? Rational(0) : result;
}

const GaussianMixture& mixture_of(const Composition& composition) {
  return dynamic_cast<const GaussianMixtureMechanism&>(*composition.factors()[0].mechanism)
      .mixture();
}

}  // namespace

TEST_CASE("laws of the number of records in a batch") {
  for (const auto& [drawn, white, black] :
       {std::tuple{3L, 7L, 2L}, {5, 5, 9}, {1, 1, 1}, {4, 9, 4}}) {
    const CountLaw law =
        hypergeometric_law("test", static_cast<std::uint64_t>(drawn),
                           static_cast<std::uint64_t>(white), static_cast<std::uint64_t>(black));
    CHECK(law.size() == static_cast<std::size_t>(std::min(drawn, black)) + 1);
    Rational sum = 0;
    for (std::size_t j = 0; j < law.size(); ++j) {
      const long k = static_cast<long>(j);
      CHECK(law[j] == choose(black, k) * choose(white, drawn - k) / choose(white + black, drawn));
      sum += law[j];
    }
    CHECK(sum == 1);
  }
  const CountLaw law = binomial_law("test", 5, Rational(1, 3));
  for (long k = 0; k <= 5; ++k) {
    CHECK(law[static_cast<std::size_t>(k)] == choose(5, k) * (1L << (5 - k)) / 243);
  }
  CHECK_THROWS_AS(binomial_law("test", 100000, Rational(1, 1000003)), SpecError);
}

TEST_CASE("half-line integrals: both halves of a pair make the whole moment") {
  test::Random random(11);
  for (int i = 0; i < 25; ++i) {
    const Rational sigma = parse_rational(std::to_string(random.uniform(0.4, 4)));
    const Rational rate = parse_rational(std::to_string(random.uniform(0.001, 0.95)));
    const HalfIntegral half(Rational(1 / sigma), rate);
    const MixtureIntegral whole({sigma, {0, 1}, {1 - rate, rate}});
    // int_{-inf}^{a/2} phi f^r = whole - half must lie in (0, Phi(a/2)] for r >= 0, and G(1) is
    // known.
    const Ball a(Rational(1 / sigma));
    const Ball known =
        (Ball(1) - Ball(rate)) * normal_cdf(-ldexp(a, -1)) + Ball(rate) * normal_cdf(ldexp(a, -1));
    CHECK_OVERLAPS(half.on_axis(Ball(1), 70), known);
    CHECK_OVERLAPS(half.on_axis(Ball(0), 70), normal_cdf(-ldexp(a, -1)));
    CHECK_WIDTH_BELOW(half.on_axis(Ball(1), 70), 1e-28);
    const Ball r(random.uniform(-4, 6));
    const Ball axis = half.on_axis(r, 60);
    CHECK_WIDTH_BELOW(axis, 1e-24);
    CHECK(certainly_less(axis, whole.on_axis(r, 60)));
    CHECK_OVERLAPS(axis, half.on_axis(r, 20));  // another grid
    const Ball step(0.37);
    const LineValues line = half.on_line(r, step, 12, 50);
    CHECK_OVERLAPS(line.values[0].real(), axis);
    const LineValues other = half.on_line(r, ldexp(step, 1), 6, 30);  // another grid
    for (std::size_t k = 0; k < 6; ++k) {
      CHECK_OVERLAPS(other.values[k].real(), line.values[2 * k].real());
      CHECK_OVERLAPS(other.values[k].imaginary(), line.values[2 * k].imaginary());
    }
    const Ball bound = half.bound_beyond(r, step * Ball(5), 20);
    for (std::size_t k = 5; k < 12; ++k) CHECK(certainly_less_equal(abs(line.values[k]), bound));
    CHECK(certainly_less_equal(bound, axis.upper() + ldexp(axis, -30).upper()));
  }
}

TEST_CASE("half-line integrals against a midpoint sum in plain arithmetic") {
  const HalfIntegral half(Rational(1), Rational(1, 10));
  for (const double r : {-2.0, -0.5, 0.5, 3.0}) {
    double sum = 0;
    const double d = 1e-4;
    for (double y = 0.5 + d / 2; y < 14; y += d) {
      sum += std::exp(-y * y / 2) * std::pow(0.9 + 0.1 * std::exp(y - 0.5), r) * d;
    }
    sum /= std::sqrt(2 * 3.14159265358979323846);
    CHECK(std::fabs(half.on_axis(Ball(r), 40).estimate() / sum - 1) < 1e-7);
    CHECK(std::fabs(half.estimate(r).value - std::log(sum)) < 1e-6);
  }
}

TEST_CASE("replace adjacency: distribution functions, atom, density and moments fit together") {
  const PrecisionScope scope(120);
  for (const char* spec : {"without_replacement(gaussian(1, 2), 3, 10, replace)",
                           "with_replacement(gaussian(2), 4, 9)",
                           "group(without_replacement(gaussian(3), 20, 60, replace), 3)"}) {
    const auto loss = step_loss(spec);
    CHECK_CONTAINS(loss->log_mgf(Ball(0)), 0);
    // M(t) = M(-1-t): the law is the same in both directions
    CHECK_OVERLAPS(loss->log_mgf(Ball(1.5)), loss->log_mgf(Ball(-2.5)));
    // P(L > 0) + P(L = 0) + P(L < 0) = 1, and P(L < 0) = Q(L > 0)
    const Ball zero(0);
    CHECK_OVERLAPS(loss->p_above(zero) + loss->p_atom(zero) + loss->q_above(zero), Ball(1));
    CHECK(loss->p_atom(Ball(0.5)).is_exact_zero());
    // Stieltjes sums on a grid enclose the moment: sum over cells of e^{t x} P(cell)
    const double t = 0.75;
    const double h = 1.0 / 64;
    Ball low;
    Ball high;
    for (int j = -20 * 64; j < 20 * 64; ++j) {
      const Ball left(j * h);
      const Ball mass = loss->p_above(left) - loss->p_above(Ball((j + 1) * h));
      low += mass * exp(Ball(t) * left);
      high += mass * exp(Ball(t) * Ball((j + 1) * h));
    }
    const Ball moment = exp(loss->log_mgf(Ball(t)));
    CHECK(certainly_less(low, moment));
    CHECK(std::fabs(high.estimate() / moment.estimate() - 1) < 0.02);
    // density: the derivative of P(L > x)
    for (const double x : {-1.25, -0.1, 0.2, 1.5}) {
      const double e = 1e-6;
      const double slope =
          (loss->p_above(Ball(x - e)) - loss->p_above(Ball(x + e))).estimate() / (2 * e);
      CHECK(std::fabs(loss->density(Ball(x))->estimate() / slope - 1) < 1e-5);
    }
    // floating point beside balls
    for (const double at : {-3.0, -0.3, 1e-7, 0.4, 2.0}) {
      const double exact = loss->log_mgf(Ball(at)).estimate();
      CHECK(std::fabs(loss->estimate_cumulant(at).value - exact) < 1e-8 + 1e-6 * std::fabs(exact));
    }
    // a vertical line
    const LineValues line = loss->mgf_on_line(Ball(0.5), Ball(0.8), 10, 40);
    CHECK_OVERLAPS(line.values[0].real(), exp(loss->log_mgf(Ball(0.5))));
    const ComplexBall three = exp(loss->log_mgf(ComplexBall(Ball(0.5), Ball(0.8) * Ball(3))));
    CHECK_OVERLAPS(line.values[3].real(), three.real());
    CHECK_OVERLAPS(line.values[3].imaginary(), three.imaginary());
    const Ball bound = loss->mgf_bound_beyond(Ball(0.5), Ball(0.8) * Ball(4), 20);
    for (std::size_t k = 4; k < 10; ++k) CHECK(certainly_less_equal(abs(line.values[k]), bound));
    CHECK(certainly_less(bound, line.values[0].real()));
  }
}

// The curve of the pair for one step is that of the mixture for eps >= 0, of its swap for eps < 0.
TEST_CASE("replace adjacency, one record without replacement: the curve of Zhu, Dong and Wang") {
  const PrecisionScope scope(150);
  const auto loss = step_loss("without_replacement(gaussian(1.5), 3, 10, replace)");
  const auto remove = step_loss("poisson(gaussian(1.5), 0.3)", Direction::remove);
  const auto add = step_loss("poisson(gaussian(1.5), 0.3)", Direction::add);
  for (const double eps : {-2.0, -0.7, -0.01, 0.0, 0.01, 0.4, 1.1, 3.0}) {
    const Ball x(eps);
    CHECK_OVERLAPS(loss->delta(x), (eps < 0 ? add : remove)->delta(x));
    CHECK_WIDTH_BELOW(loss->delta(x), 1e-25);
  }
}

// With n = 2 and batch = 1 all of it can be written down: D = {u, x}, D' = {u, x'}.
TEST_CASE("replace adjacency: data sets stay below the pair, at all orders") {
  const PrecisionScope scope(90);
  const auto loss = step_loss("without_replacement(gaussian(1, 2), 1, 2, replace)");
  const auto density = [](double y, double c) {
    return std::exp(-(y - c) * (y - c) / 2) / 2.5066282746310002;
  };
  for (const double u : {-1.0, -0.3, 0.0, 0.6, 1.0}) {  // records are numbers in [-1, 1]
    for (const auto& [x, z] : {std::pair{1.0, -1.0}, {1.0, 0.0}, {-1.0, 1.0}, {0.5, -1.0}}) {
      for (const double eps : {-1.5, -0.5, 0.0, 0.5, 1.5}) {
        double delta = 0;
        const double d = 1e-3;
        for (double y = -9; y < 9; y += d) {
          const double p = (density(y, u) + density(y, x)) / 2;
          const double q = (density(y, u) + density(y, z)) / 2;
          delta += std::max(0.0, p - std::exp(eps) * q) * d;
        }
        CHECK(delta < loss->delta(Ball(eps)).upper_double() + 1e-5);
      }
    }
  }
}

TEST_CASE("sampling schemes that coincide") {
  CHECK(step_loss("without_replacement(gaussian(2, 3), 7, 7, replace)")->facts().gaussian_mean ==
        step_loss("gaussian(2, 3)")->facts().gaussian_mean);
  CHECK(step_loss("with_replacement(gaussian(2), 3, 1)")->facts().gaussian_mean ==
        step_loss("gaussian(2, 3)")->facts().gaussian_mean);
  CHECK(step_loss("group(without_replacement(gaussian(2), 7, 7, replace), 3)")
            ->facts()
            .gaussian_mean == step_loss("gaussian(2, 3)")->facts().gaussian_mean);
  // add/remove: a record among population + 1, and the sum moves twice
  CHECK(mixture_of(parse_spec("without_replacement(gaussian(2), 3, 9, add_remove)")) ==
        mixture_of(parse_spec("poisson(gaussian(2, 2), 0.3)")));
  CHECK(mixture_of(parse_spec("group(without_replacement(gaussian(2), 3, 9, add_remove), 1)")) ==
        mixture_of(parse_spec("without_replacement(gaussian(2), 3, 9, add_remove)")));
  CHECK(mixture_of(parse_spec("mixture(2, [0, 1], [0.75, 0.25])")) ==
        mixture_of(parse_spec("poisson(gaussian(2), 0.25)")));
  CHECK(mixture_of(parse_spec("group(poisson(gaussian(2), 0.25), 1)")) ==
        mixture_of(parse_spec("poisson(gaussian(2), 0.25)")));
  for (const char* base :
       {"without_replacement(gaussian(2), 3, 9, replace)", "with_replacement(gaussian(2), 3, 9)"}) {
    const PrecisionScope scope(120);
    const auto one = step_loss(base);
    const auto same = step_loss("group(" + std::string(base) + ", 1)");
    CHECK_OVERLAPS(one->delta(Ball(0.3)), same->delta(Ball(0.3)));
    CHECK_OVERLAPS(one->log_mgf(Ball(0.8)), same->log_mgf(Ball(0.8)));
  }
  // one draw is the same with and without replacement
  const PrecisionScope scope(120);
  const Ball eps(0.2);
  CHECK_OVERLAPS(step_loss("with_replacement(gaussian(2), 1, 9)")->delta(eps),
                 step_loss("without_replacement(gaussian(2), 1, 9, replace)")->delta(eps));
}

TEST_CASE("delta grows with the batch and with the group") {
  const PrecisionScope scope(100);
  for (const char* pattern :
       {"without_replacement(gaussian(2), #, 40, add_remove)",
        "without_replacement(gaussian(2), #, 40, replace)", "with_replacement(gaussian(2), #, 40)",
        "group(without_replacement(gaussian(2), 9, 40, add_remove), #)",
        "group(without_replacement(gaussian(2), 9, 40, replace), #)",
        "group(with_replacement(gaussian(2), 9, 40), #)"}) {
    const std::string text(pattern);
    const std::size_t place = text.find('#');
    for (const double eps : {-0.4, 0.0, 0.3, 1.0}) {
      for (const Direction direction : {Direction::remove, Direction::add}) {
        Ball last(-1);
        for (int value = 1; value <= 9; value += 2) {
          const std::string spec = std::string(text).replace(place, 1, std::to_string(value));
          const Ball delta = step_loss(spec, direction)->delta(Ball(eps));
          CHECK_MESSAGE(certainly_less_equal(last, delta.upper()), spec);
          last = delta.lower();
        }
      }
    }
  }
}

TEST_CASE("fixed batches: what is refused") {
  const auto refusal = [](const std::string& text) {
    try {
      parse_spec(text);
    } catch (const SpecError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const auto refused = [&](const std::string& text, const std::string& words) {
    CHECK_MESSAGE(refusal(text).find(words) != std::string::npos, text, ": ", refusal(text));
  };
  refused("without_replacement(gaussian(1), 5, 4, replace)", "batch must be an integer from 1 to");
  refused("without_replacement(gaussian(1), 2.5, 4, replace)", "not 2.5");
  refused("without_replacement(gaussian(1), 0, 4, replace)", "batch must be");
  refused("without_replacement(gaussian(1), 2, 4)", "adjacency");
  refused("without_replacement(gaussian(1), 2, 4, add)", "adjacency must be add_remove or replace");
  refused("without_replacement(poisson(gaussian(1), 0.5), 2, 4, replace)", "mechanism must be");
  refused("without_replacement(laplace(1), 2, 4, replace)", "mechanism must be");
  refused("poisson(without_replacement(gaussian(1), 2, 4, add_remove), 0.5)", "mechanism must be");
  refused("group(group(without_replacement(gaussian(1), 2, 9, replace), 2), 2)", "mechanism must");
  refused("group(group(without_replacement(gaussian(1), 2, 9, add_remove), 2), 2)", "mechanism");
  refused("group(without_replacement(gaussian(1), 7, 9, replace), 3)", "at least batch + size");
  refused("group(with_replacement(gaussian(1), 7, 9), 10)", "size must be at most the population");
  refused("with_replacement(gaussian(1), 2, 0)", "population must be");
  refused("with_replacement(laplace(1), 2, 5)", "mechanism must be");
}

TEST_CASE("each error term of the half-line integrals is needed") {
  for (const char* term : {"half.quadrature", "half.tails"}) {
    bool seen = false;
    for (const double r : {-1.5, 2.5, 8.0}) {
      for (const Rational& a : {Rational(1), Rational(8)}) {
        const HalfIntegral half(a, Rational(1, 2));
        const Ball step(2);
        const LineValues exact = half.on_line(Ball(r), step, 4, 90);
        sabotage::scale(term, 0);
        for (double nats = 2; nats < 12; nats += 0.5) {
          const LineValues line = half.on_line(Ball(r), step, 4, nats);
          for (std::size_t k = 0; k < 4; ++k) {
            seen = seen || !overlaps(line.values[k].real(), exact.values[k].real());
          }
        }
        sabotage::clear();
      }
    }
    CHECK_MESSAGE(seen, std::string(term));
  }
}

TEST_CASE("the bound of the rare labels is needed") {
  const auto loss = step_loss("with_replacement(gaussian(2), 40, 100)");
  const Ball t(0.25);
  const PrecisionScope scope(60);
  Ball exact;
  {
    const PrecisionScope finer(200);
    exact = exp(loss->log_mgf(t));
  }
  sabotage::scale("replacement.labels", 0);
  bool seen = false;
  for (double nats = 2; nats < 14; nats += 0.5) {
    seen = seen || certainly_less(loss->mgf_upper(t, nats), exact);
  }
  sabotage::clear();
  CHECK(seen);
}
