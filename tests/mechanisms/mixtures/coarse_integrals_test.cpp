// The moment integrals with few nats: steps so wide and ranges so short that the error bounds carry
// the value. Every coarse value must overlap the precise one, and no bound of what lies beyond a
// height may be below a value there.
#include <doctest/doctest.h>

#include <functional>
#include <stdexcept>

#include "lib/balls/precision.hpp"
#include "mechanisms/mixtures/cut_integral.hpp"
#include "mechanisms/mixtures/mixture_integral.hpp"
#include "mechanisms/replacement/half_integral.hpp"
#include "mechanisms/replacement/mirrored_loss.hpp"
#include "support/containment.hpp"
#include "support/mixtures.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

struct Engine {
  std::function<Ball(const Ball&, double)> on_axis;
  std::function<LineValues(const Ball&, const Ball&, std::size_t, double)> on_line;
  std::function<Ball(const Ball&, const Ball&, double)> bound_beyond;
};

void check(const Engine& engine, Random& random, double order, const std::string& what) {
  const PrecisionScope scope(64);
  constexpr std::size_t count = 5;
  const Ball r(order);
  const Ball step(std::exp(random.uniform(-1.5, 2)));
  const LineValues exact = engine.on_line(r, step, count, 45);
  const Ball axis = engine.on_axis(r, 45);
  // Next to the axis the bound of what lies beyond is sharp: whatever it lacks shows.
  std::vector<std::pair<Ball, Ball>> near;
  for (const double s : {0.02, 0.07, 0.2}) {
    near.emplace_back(Ball(s), abs(engine.on_line(r, Ball(s), 2, 45).values[1]).lower());
  }
  for (const double nats : {0.3, 1.0, 2.0, 3.5, 6.0}) {
    INFO(what, " power ", order, " step ", step.estimate(), " nats ", nats);
    try {
      const Ball value = engine.on_axis(r, nats);
      CHECK_OVERLAPS(value, axis);
      const LineValues coarse = engine.on_line(r, step, count, nats);
      for (std::size_t k = 0; k < count; ++k) CHECK(overlaps(coarse.values[k], exact.values[k]));
      for (const std::size_t k : {std::size_t{1}, std::size_t{3}}) {
        const Ball bound = engine.bound_beyond(r, step * Ball(static_cast<long>(k)), nats);
        for (std::size_t i = k; i < count; ++i) {
          CHECK(certainly_less_equal(abs(exact.values[i]).lower(), bound));
        }
      }
      for (const auto& [s, size] : near) {
        const Ball bound = engine.bound_beyond(r, s, nats);
        CHECK(certainly_less_equal(size, bound));
      }
    } catch (const std::domain_error&) {  // no finite bound at so few nats
    }
  }
}

double random_coarse_order(Random& random) {
  return random.one_in(2) ? random.uniform(-4, 0) : random.uniform(0, 5);
}

}  // namespace

TEST_CASE("mixtures, coarsely") {
  Random random(71);
  for (int i = 0; i < trials(40); ++i) {
    const GaussianMixture mixture = random_mixture(random);
    const MixtureIntegral integral(mixture);
    check({[&](const Ball& r, double n) { return integral.on_axis(r, n); },
           [&](const Ball& r, const Ball& h, std::size_t k, double n) {
             return integral.on_line(r, h, k, n);
           },
           [&](const Ball& r, const Ball& s, double n) { return integral.bound_beyond(r, s, n); }},
          random, random_coarse_order(random), spec_of(mixture));
  }
}

TEST_CASE("cut mixtures, coarsely") {
  Random random(72);
  for (int i = 0; i < trials(40); ++i) {
    const GaussianMixture mixture = random_mixture(random);
    const CutIntegral integral(mixture, std::exp(random.uniform(-2, 2)));
    check({[&](const Ball& r, double n) { return integral.on_axis(r, n); },
           [&](const Ball& r, const Ball& h, std::size_t k, double n) {
             return integral.on_line(r, h, k, n);
           },
           [&](const Ball& r, const Ball& s, double n) { return integral.bound_beyond(r, s, n); }},
          random, random.uniform(0, 6), spec_of(mixture));
  }
}

TEST_CASE("half integrals, coarsely") {
  Random random(73);
  for (int i = 0; i < trials(40); ++i) {
    const Rational distance(random.integer(1, 16), 4);
    const Rational rate(random.integer(1, 99), random.one_in(4) ? 10000 : 100);
    const HalfIntegral integral(distance, rate);
    check({[&](const Ball& r, double n) { return integral.on_axis(r, n); },
           [&](const Ball& r, const Ball& h, std::size_t k, double n) {
             return integral.on_line(r, h, k, n);
           },
           [&](const Ball& r, const Ball& s, double n) { return integral.bound_beyond(r, s, n); }},
          random, random_coarse_order(random), to_string(distance) + " at " + to_string(rate));
  }
}

TEST_CASE("mirrored mixtures, coarsely") {
  Random random(74);
  for (int i = 0; i < trials(25); ++i) {
    const GaussianMixture mixture = random_with_zero(random);
    const MirroredLoss loss(mixture);
    check({[&](const Ball& t, double n) {
             return n < 40 ? loss.mgf_on_line(t, Ball(1), 1, n).values[0].real()
                           : exp(loss.log_mgf(t));
           },
           [&](const Ball& t, const Ball& h, std::size_t k, double n) {
             return loss.mgf_on_line(t, h, k, n);
           },
           [&](const Ball& t, const Ball& s, double n) { return loss.mgf_bound_beyond(t, s, n); }},
          random, random_coarse_order(random), spec_of(mixture));
  }
}
