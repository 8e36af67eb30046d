// What a user of the installed package writes.
#include <iostream>
#include <plaudit/plaudit.hpp>

int main() {
  const auto band = plaudit::epsilon(plaudit::parse("gaussian(sigma=1)"), {.delta = "1e-5"});
  std::cout << band.lower() << '\n';
}
