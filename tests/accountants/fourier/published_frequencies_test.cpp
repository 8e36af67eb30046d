// The frequencies of the published Fourier accountant: two ways to the same numbers, and the
// difference between a sum over a coarse lattice and the law's own transform, which is charged.
#include <doctest/doctest.h>

#include "accountants/fourier/published_frequencies.hpp"
#include "lib/balls/precision.hpp"
#include "support/curves.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

constexpr double all = 1e9;

struct Both {
  std::vector<ComplexBall> sum;
  std::vector<ComplexBall> law;
};

Both frequencies(const char* spec, Direction direction, long length, std::uint64_t points,
                 std::size_t count) {
  const ComposedLoss loss = loss_from(spec, direction);
  const PrivacyLoss& law = *loss.terms()[0].loss;
  const Ball mesh = Ball(2 * length) / Ball(points);
  const SampledWeights factor =
      sample_weights(law, direction, mesh, static_cast<long>(points / 2), all).value();
  const Ball outside(1e-9);  // far more than lies beyond [-L, L) in these cases
  return {frequencies_of_sum(factor, points, count),
          frequencies_of_law(law, direction, 1, Ball(length), mesh, outside, count)};
}

bool overlap(const ComplexBall& a, const ComplexBall& b) {
  return !certainly_positive(abs(a - b).lower());
}

}  // namespace

TEST_CASE("published frequencies: the sum and the law agree") {
  const PrecisionScope scope(128);
  struct Case {
    const char* spec;
    Direction direction;
    std::uint64_t points;
  };
  // 40 and 60 points: aliases of more than 1 / 1000
  const Case cases[] = {{"poisson(gaussian(2), 0.3)", Direction::remove, 40},
                        {"poisson(gaussian(2), 0.3)", Direction::add, 60},
                        {"gaussian(2)", Direction::remove, 40},
                        {"poisson(gaussian(2), 0.3)", Direction::remove, 4000}};
  for (const Case& c : cases) {
    const Both both = frequencies(c.spec, c.direction, 12, c.points, 15);
    for (std::size_t k = 0; k < 15; ++k) {
      INFO(std::string(c.spec), " ", c.points, " frequency ", k);
      CHECK(overlap(both.sum[k], both.law[k]));
    }
  }
}

TEST_CASE("published frequencies: many, by Riemann sums of their own") {
  const PrecisionScope scope(128);
  const ComposedLoss loss = loss_from("poisson(gaussian(2), 0.1)");
  const PrivacyLoss& law = *loss.terms()[0].loss;
  const std::size_t count = std::size_t{1} << 18;
  const std::vector<ComplexBall> values = frequencies_of_law(
      law, Direction::remove, 1, Ball(12), Ball(12) / Ball(500000), Ball(1e-30), count);
  for (const long k : {0L, 3L, 1000L, 4097L}) {
    const ComplexBall z(Ball(0), -pi() * Ball(k) / Ball(12));
    const ComplexBall& value = values[static_cast<std::size_t>(k)];
    CHECK(overlap(value, exp(law.log_mgf(z))));
    CHECK(value.real().radius_double() < 1e-9);
  }
}

TEST_CASE("published frequencies: powers of a root") {
  const PrecisionScope scope(128);
  RootPowers powers(Ball(1) / Ball(7));
  for (std::size_t k = 0; k < 500; ++k) {
    const ComplexBall value = powers(k);
    const Ball angle = Ball(std::uint64_t{k}) / Ball(7);
    CHECK(overlap(value, ComplexBall(cos(angle), sin(angle))));
    CHECK(value.real().radius_double() < 1e-30);
  }
}
