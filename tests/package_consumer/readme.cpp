#include <iostream>
#include <plaudit/plaudit.hpp>

int main() {
  const plaudit::Composition run = plaudit::parse("poisson(gaussian(sigma=0.8), rate=0.004)^1000");
  const plaudit::Band epsilon = plaudit::epsilon(run, "1e-7", {.digits = 12});
  std::cout << epsilon.lower_decimal() << ' ' << epsilon.upper_decimal() << '\n';
}
