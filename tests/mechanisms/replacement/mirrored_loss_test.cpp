// The pairs printed for sampling schemes: a mixture of Gaussians against its mirror image.
#include "mechanisms/replacement/mirrored_loss.hpp"

#include <doctest/doctest.h>

#include "lib/balls/error_term.hpp"
#include "mechanisms/spec_error.hpp"
#include "support/containment.hpp"
#include "support/losses.hpp"
#include "support/random.hpp"

using namespace plaudit;

namespace {

std::shared_ptr<const PrivacyLoss> loss_of(const std::string& spec,
                                           Direction direction = Direction::remove) {
  return parse_spec(spec).factors()[0].mechanism->loss(direction);
}

}  // namespace

TEST_CASE("mirrored mixtures: the closed form of the root without replacement") {
  const PrecisionScope scope(120);
  const auto loss = loss_of("pair(without_replacement, 1.5, rate=0.2)");
  const Ball q(Rational(1, 5));
  const Ball sigma(1.5);
  const Ball c = q * exp(-ldexp(Ball(1) / square(sigma), -1));
  const Ball p = Ball(1) - q;
  for (const double x : {-1.3, -0.02, 0.0, 0.3, 2.0}) {
    // sigma^2 log(...) of section 6.2, without the misprint of its 1/2
    const Ball s(x);
    const Ball e = Ball(1) - exp(s);
    const Ball t = square(sigma) *
                   log((-p * e + sqrt(square(p * e) + ldexp(square(c) * exp(s), 2))) / ldexp(c, 1));
    const Ball y = t / sigma;
    const Ball a = Ball(1) / sigma;
    CHECK_OVERLAPS(loss->p_above(s), p * normal_cdf(-y) + q * normal_cdf(a - y));
    CHECK_OVERLAPS(loss->q_above(s), p * normal_cdf(-y) + q * normal_cdf(-a - y));
    CHECK_WIDTH_BELOW(loss->p_above(s), 1e-28);
  }
}

TEST_CASE("mirrored mixtures: moments against sums in plain arithmetic, both signs of t") {
  const PrecisionScope scope(100);
  for (const char* spec : {"pair(without_replacement, 0.8, rate=0.3)",
                           "pair(with_replacement, 1.5, batch=3, population=11)"}) {
    const auto loss = loss_of(spec);
    CHECK_CONTAINS(loss->log_mgf(Ball(0)), 0);
    CHECK_OVERLAPS(loss->log_mgf(Ball(2.25)), loss->log_mgf(Ball(-3.25)));
    const double h = 1.0 / 16;
    std::vector<Ball> masses;
    {
      const PrecisionScope finer(220);
      Ball above = loss->p_above(Ball(-40));
      for (int j = -640; j < 640; ++j) {
        const Ball next = loss->p_above(Ball((j + 1) * h));
        masses.push_back(above - next);
        above = next;
      }
    }
    for (const double t : {-2.0, -0.5, 0.6, 1.0}) {
      Ball low;  // Stieltjes sums enclose the moment
      Ball high;
      for (int j = -640; j < 640; ++j) {
        const Ball& mass = masses[static_cast<std::size_t>(j + 640)];
        low += mass * exp(Ball(t * (t > 0 ? j : j + 1) * h));
        high += mass * exp(Ball(t * (t > 0 ? j + 1 : j) * h));
      }
      const Ball moment = exp(loss->log_mgf(Ball(t)));
      CHECK(certainly_less(low, moment));
      CHECK(certainly_less(moment, high * Ball(1.0001)));
      CHECK_WIDTH_BELOW(moment, 1e-20);
      CHECK(std::fabs(loss->estimate_cumulant(t).value - log(moment).estimate()) < 1e-6);
    }
    const LineValues line = loss->mgf_on_line(Ball(-2.5), Ball(0.7), 9, 50);
    const LineValues other = loss->mgf_on_line(Ball(-2.5), Ball(1.4), 4, 25);
    for (std::size_t k = 0; k < 4; ++k) {
      CHECK_OVERLAPS(line.values[2 * k].real(), other.values[k].real());
      CHECK_OVERLAPS(line.values[2 * k].imaginary(), other.values[k].imaginary());
    }
    const Ball bound = loss->mgf_bound_beyond(Ball(-2.5), Ball(0.7) * Ball(3), 20);
    for (std::size_t k = 3; k < 9; ++k) CHECK(certainly_less_equal(abs(line.values[k]), bound));
    CHECK(certainly_less(bound, line.values[0].real()));
    const double e = 1e-6;
    const double slope =
        (loss->p_above(Ball(0.4 - e)) - loss->p_above(Ball(0.4 + e))).estimate() / (2 * e);
    CHECK(std::fabs(loss->density(Ball(0.4))->estimate() / slope - 1) < 1e-5);
  }
}

TEST_CASE("the printed pairs and what dominates") {
  const PrecisionScope scope(100);
  const Ball eps(1);
  // docs/proofs/mirrored.md#not-dominating
  const Ball printed = loss_of("pair(without_replacement, 1, rate=0.01)")->delta(eps);
  const Ball other = loss_of("mixture(1, [0, 2], [0.99, 0.01])")->delta(eps);
  CHECK_CONTAINS(printed + widened(Ball(0), Ball(1e-16)), "2.9569489755e-9");
  CHECK_CONTAINS(other + widened(Ball(0), Ball(1e-13)), "2.736374922e-4");
  CHECK(certainly_less(printed, other));
  CHECK(certainly_less(
      loss_of("pair(with_replacement, 1, batch=5, population=100)")->delta(eps),
      loss_of("mixture(1, [0, 2, 4], [0.9509900499, 0.0480297500, 0.0009802001])")->delta(eps)));
  // the dominating pairs are above the printed ones: clipped records are at most 2 apart
  for (const double x : {-1.0, -0.2, 0.0, 0.4, 2.0}) {
    CHECK(certainly_less_equal(
        loss_of("pair(without_replacement, 1.3, batch=4, population=10)")->delta(Ball(x)).lower(),
        loss_of("without_replacement(gaussian(1.3, 2), 4, 10, replace)")->delta(Ball(x)).upper()));
    CHECK(certainly_less_equal(
        loss_of("pair(with_replacement, 1.3, batch=4, population=10)")->delta(Ball(x)).lower(),
        loss_of("with_replacement(gaussian(1.3, 2), 4, 10)")->delta(Ball(x)).upper()));
  }
  for (const Direction direction : {Direction::remove, Direction::add}) {
    CHECK_OVERLAPS(loss_of("pair(poisson, 1.3, rate=0.2)", direction)->delta(Ball(0.1)),
                   loss_of("poisson(gaussian(1.3), 0.2)", direction)->delta(Ball(0.1)));
  }
  CHECK(loss_of("pair(without_replacement, 2, rate=1)")->facts().gaussian_mean ==
        loss_of("gaussian(2, 2)")->facts().gaussian_mean);
  CHECK(parse_spec("pair(without_replacement, 2, batch=1, population=10)").spec() ==
        "pair(without_replacement, sigma=2, rate=0.1)");
  CHECK_THROWS_AS(parse_spec("pair(without_replacement, 2)"), SpecError);
  CHECK_THROWS_AS(parse_spec("pair(without_replacement, 2, rate=0.1, batch=3)"), SpecError);
  CHECK_THROWS_AS(parse_spec("pair(with_replacement, 2, rate=0.1)"), SpecError);
  CHECK_THROWS_AS(parse_spec("pair(shuffle, 2, rate=0.1)"), SpecError);
  CHECK_THROWS_AS(parse_spec("poisson(pair(poisson, 2, rate=0.1), 0.5)"), SpecError);
  CHECK_THROWS_AS(parse_spec("group(pair(poisson, 2, rate=0.1), 2)"), SpecError);
}

TEST_CASE("each error term of the mirrored integrals is needed") {
  for (const char* term : {"mirrored.quadrature", "mirrored.tails"}) {
    bool seen = false;
    for (const char* spec :
         {"pair(without_replacement, 0.4, rate=0.5)", "pair(without_replacement, 2, rate=0.3)"}) {
      const auto loss = loss_of(spec);
      for (const double t : {-3.0, 0.5, 2.0}) {
        const LineValues exact = loss->mgf_on_line(Ball(t), Ball(2), 4, 90);
        sabotage::scale(term, 0);
        for (double nats = 2; nats < 12; nats += 0.5) {
          const LineValues line = loss->mgf_on_line(Ball(t), Ball(2), 4, nats);
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
