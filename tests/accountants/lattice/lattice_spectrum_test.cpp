// Transforms of lattice laws in doubles against sums in balls, at computed values and between them.
#include "accountants/lattice/lattice_spectrum.hpp"

#include "lib/analysis/unit_roots.hpp"
#include "support/containment.hpp"
#include "support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

/// A law of `points` points: of random masses, or uniform (its transform is 0 at many values).
LatticeLaw some_law(Random& random, std::size_t points) {
  LatticeLaw law;
  law.mesh = Ball(0x1p-12);
  law.first = random.integer(-5000, 100);
  const bool uniform = random.one_in(2);
  for (std::size_t i = 0; i < points; ++i) {
    law.masses.emplace_back(uniform ? 0x1p-10 : random.uniform(0, 1));
  }
  return law;
}

}  // namespace

TEST_CASE("values of whole and thinned transforms, and a bound between them") {
  Random random(451);
  const PrecisionScope scope(128);
  for (int i = 0; i < trials(12); ++i) {
    const std::size_t size = std::size_t{1} << random.integer(13, 15);
    const std::size_t stride = std::size_t{1} << random.integer(0, 5);
    const std::size_t points = size / stride / (random.one_in(2) ? 1 : 4);
    const LatticeLaw law = some_law(random, points);
    const Ball tilt(random.uniform(0, 2));
    const LatticeSpectrum found = spectrum_of(law, tilt, size, stride);
    std::vector<Ball> weights = law.tilted(tilt);
    for (Ball& weight : weights) weight /= found.divisor;
    const UnitRoots roots(size);
    const auto first = static_cast<std::size_t>(static_cast<unsigned long>(law.first)) & (size - 1);
    const auto exact = [&](std::size_t k) { return fourier_sum(weights, first, k, roots); };
    const auto check = [&](const std::complex<double>& value, std::size_t k) {
      const ComplexBall difference = exact(k) - ComplexBall(Ball(value.real()), Ball(value.imag()));
      CHECK_FALSE(certainly_greater(abs(difference), found.error));
    };
    CHECK(found.error.upper_double() < 1e-12);
    for (int n = 0; n < 20; ++n) {
      const auto m =
          static_cast<std::size_t>(random.integer(0, static_cast<long>(size / 2 / stride) - 1));
      check(found.values[m], m * stride);
      if (stride == 1) continue;
      const auto k = static_cast<std::size_t>(random.integer(0, central_values - 1));
      check(found.central[k], k);
      const std::size_t between =
          m * stride + static_cast<std::size_t>(random.integer(1, static_cast<long>(stride) - 1));
      const Ball most = max(abs(exact(m * stride)), abs(exact((m + 1) * stride)));
      CAPTURE(stride);
      CAPTURE(points);
      CHECK_FALSE(certainly_greater(square(abs(exact(between))), square(most) + found.between));
    }
  }
}
