// renyi() of an order like 1e-300 threw an exception of a type that the public interface does not
// name: order - 1 is -1 at any usual precision, where moments are not defined.
#include <doctest/doctest.h>
#include <plaudit/plaudit.hpp>

#include <stdexcept>

TEST_CASE("Renyi divergences of orders next to 0 and 1 are enclosed") {
  for (const char* spec :
       {"gaussian(sigma=2)", "laplace(1)", "poisson(gaussian(sigma=1), rate=0.1)",
        "randomized_response(1)", "discrete_gaussian(sigma=1)", "poisson(laplace(1), rate=0.1)",
        "approximate(epsilon=1, delta=1e-3)"}) {
    for (const char* order : {"1e-300", "1e-30", "1e-999"}) {
      CAPTURE(spec);
      CAPTURE(order);
      plaudit::Band band =
          plaudit::renyi(plaudit::parse(spec), order, {.digits = 6, .timeout_seconds = 0.2});
      CHECK(band.lower() >= 0);
      CHECK(band.lower() <= band.upper());
    }
  }
  const plaudit::Band band =
      plaudit::renyi(plaudit::parse("gaussian(sigma=2)"), "1e-300", {.digits = 20});
  CHECK(band.reached());
  // order / (2 sigma^2) = 1.25e-301 is no binary number: its neighbours of 19 digits
  const plaudit::Real below("1.249999999999999999e-301");
  const plaudit::Real above("1.250000000000000001e-301");
  CHECK(band.lower() > below);
  CHECK(band.lower() < above);
  CHECK(band.upper() > below);
  CHECK(band.upper() < above);
}
