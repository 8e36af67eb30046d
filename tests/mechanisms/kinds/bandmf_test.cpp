// bandmf: the composition that it stands for, and what is refused.
#include <doctest/doctest.h>

#include "mechanisms/language/spec.hpp"
#include "mechanisms/spec_error.hpp"

using namespace plaudit;

namespace {

std::string written(const std::string& spec) { return parse_spec(spec).spec(); }

}  // namespace

TEST_CASE("bandmf: the columns of one group of records") {
  // columns of 381/256 twice, and one that the last row cuts
  CHECK(
      written("bandmf([1, 1/2, 3/8, 5/16], sigma=1, steps=10, rate=0.1)") ==
      written("poisson(gaussian(variance=256/381), 0.1)^2 * poisson(gaussian(variance=4/5), 0.1)"));
  CHECK(written("bandmf([1], 2, 7, 0.1)") == written("poisson(gaussian(2), 0.1)^7"));
  CHECK(written("bandmf([1, 0], 2, 7, 0.1)^3") == written("poisson(gaussian(2), 0.1)^21"));
  CHECK(written("bandmf([1, -1], sigma=1, steps=4, rate=1/2, sensitivity=2)") ==
        written("poisson(gaussian(variance=1/8), 1/2)^2"));
  CHECK(written("bandmf([1, 1], sigma=1, steps=7, rate=1/2, bands=3)") ==
        written("poisson(gaussian(variance=1/2), 1/2)^2 * poisson(gaussian(1), 1/2)"));
  CHECK(written("BandMF(encoder=[[1, 0], [1, 1]], sigma=1, rate=1/2)") ==
        written("poisson(gaussian(variance=1/2), 1/2)"));
  // the group 1, 3 has the greatest columns, whatever their order
  CHECK(written("bandmf(encoder=[[1, 0, 0, 0], [0, 2, 0, 0], [0, 0, 1, 0], [0, 0, 0, 3]], sigma=6, "
                "rate=1/2, bands=2)") ==
        written("poisson(gaussian(2), 1/2) * poisson(gaussian(3), 1/2)"));
}

TEST_CASE("bandmf: what is refused") {
  for (const char* spec :
       {"bandmf([1, 0.5], 1, 10)", "bandmf([1, 0.5], 1, rate=0.1)", "bandmf([0, 1], 1, 10, 0.1)",
        "bandmf([1, 0.5], 1, 10, 0.1, bands=1)", "bandmf(sigma=1, steps=10, rate=0.1)",
        "bandmf([1], encoder=[[1]], sigma=1, rate=0.1)", "bandmf([1], 1, 10, 0)",
        "bandmf(encoder=[[1, 0], [1, 1]], sigma=1, steps=3, rate=0.1)",
        "bandmf(encoder=[[0, 0], [0, 0]], sigma=1, rate=0.1)",
        "bandmf([1], noise_multiplier=1, steps=2, rate=0.1, sensitivity=2)",
        // neither of the groups 0, 2 and 1, 3 has both of the greatest columns
        "bandmf(encoder=[[3, 0, 0, 0], [0, 2, 0, 0], [0, 0, 1, 0], [0, 0, 0, 2]], sigma=1, "
        "rate=0.1, "
        "bands=2)",
        "poisson(bandmf([1], 1, 10, 0.1), 0.1)"}) {
    INFO(spec);
    CHECK_THROWS_AS(parse_spec(spec), SpecError);
  }
}
