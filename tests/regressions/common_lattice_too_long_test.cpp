// Two discrete Gaussians whose common lattice is short enough at 64 bits and too long at the
// precision of the answer: `fourier` read a result that was not there.
#include "accountants/registry.hpp"
#include "lib/work/work_limit.hpp"
#include "support/curves.hpp"

using namespace plaudit;
using namespace plaudit::test;

TEST_CASE("a common lattice that is too long at a higher precision is refused in words") {
  const ComposedLoss loss =
      loss_from("discrete_gaussian(sigma=1.03)^7468 * discrete_gaussian(sigma=1.34)^673");
  REQUIRE_FALSE(accountant("fourier")->refusal(loss));
  const WorkShare limit(20);
  const Enclosure band = accountant("fourier")->open(loss, {12})->epsilon(Rational(3, 10));
  CHECK(certainly_less_equal(band.lower, band.upper));
  CHECK_FALSE(band.remark.empty());
}
