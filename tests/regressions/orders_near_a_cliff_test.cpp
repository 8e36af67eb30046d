// Where rare draws take over beyond the best order, moments explode within a percent of it. Orders
// of the bounds of aliases were rounded to the nearest number of 5 bits, over that cliff: the bound
// was e^100000, and epsilon stayed at a factor of 2 after seconds. And the search for epsilon went
// on with nodes that were worth nothing at the epsilon that they had been made for.
#include <doctest/doctest.h>
#include <plaudit/plaudit.hpp>

TEST_CASE("Epsilon reaches its digits where moments explode beyond the best order") {
  for (const auto& each :
       {std::pair{"poisson(gaussian(sigma=1.63), rate=0.003)^173159", "3.6118737483"},
        std::pair{"poisson(gaussian(sigma=2.6652), rate=2.56e-05)^14997", "0.0024637777178"}}) {
    const auto& spec = each.first;
    const auto& near = each.second;
    CAPTURE(spec);
    const plaudit::Band band =
        plaudit::epsilon(plaudit::parse(spec), "1e-5", {.timeout_seconds = 60});
    CHECK(band.reached());
    CHECK(band.lower() > plaudit::Real(near));
    CHECK(band.upper() < plaudit::Real(near) * plaudit::Real("1.0000000001"));
  }
}
