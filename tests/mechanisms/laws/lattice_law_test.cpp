// Tilted masses of lattice laws in doubles against balls.
#include "mechanisms/laws/lattice_law.hpp"

#include "support/containment.hpp"
#include "support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;

TEST_CASE("terms in doubles are as near as is said, for all masses within their balls") {
  Random random(434);
  for (int i = 0; i < trials(100); ++i) {
    const PrecisionScope scope(128);
    LatticeLaw law;
    // Fine meshes, and coarse ones for which doubles will not do.
    law.mesh = Ball(random.one_in(4) ? random.uniform(0.1, 3) : 0x1p-10);
    law.offset = Ball(random.uniform(-0.1, 0.1));
    law.first = random.integer(-300, 300);
    const double blur = random.one_in(2) ? 0 : 0x1p-40;
    const auto points = static_cast<std::size_t>(random.integer(1, 300));
    std::vector<Ball> exact;
    for (std::size_t j = 0; j < points; ++j) {
      const int scale = static_cast<int>(random.integer(-1080, 0));
      const Ball mass = Ball(std::ldexp(random.uniform(0, 1), random.one_in(8) ? scale : 0));
      law.masses.push_back(widened(mass, mass * Ball(blur)));
      exact.push_back(mass + Ball(0.9 * blur) * mass);
    }
    const Ball tilt(random.uniform(0, random.one_in(4) ? 100 : 2));
    const Ball divisor = law.mgf(tilt).middle();
    Ball distance;
    const std::vector<double> found = law.tilted_doubles(tilt, divisor, distance);
    const PrecisionScope more(1000);
    law.masses = exact;
    const std::vector<Ball> terms = law.tilted(tilt);
    Ball sum;
    for (std::size_t j = 0; j < points; ++j) sum += abs(terms[j] / divisor - Ball(found[j]));
    CAPTURE(points);
    CHECK_FALSE(certainly_greater(sum, distance));
    CHECK(certainly_less(distance, Ball(0x1p-38)));
    if (blur == 0) CHECK(certainly_less(distance, Ball(0x1p-49)));
  }
}
