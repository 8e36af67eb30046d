// What a user of the installed package writes.
#include <iostream>
#include <plaudit/audit.hpp>
#include <plaudit/calibrate.hpp>
#include <plaudit/catalogue.hpp>
#include <plaudit/certificate.hpp>
#include <plaudit/crosscheck.hpp>
#include <plaudit/plaudit.hpp>
#include <plaudit/requests.hpp>

int main() {
  const auto band = plaudit::epsilon(plaudit::parse("gaussian(sigma=1)"), "1e-5");
  std::cout << band.lower() << '\n';
  const auto audit = plaudit::audit(
      {{.id = "claim", .spec = "gaussian(sigma=1)", .delta = "1e-5", .epsilon = "4.4"}});
  return audit.valid == 1 && !plaudit::list_mechanisms().empty() ? 0 : 1;
}
