// Names of accountants: those that there are, and those that were retired.
#include "accountants/registry.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "mechanisms/spec_error.hpp"

using namespace plaudit;

TEST_CASE(
    "a retired accountant is answered with the one that took over, and its name stays taken") {
  CHECK(accountant("laplace_product_folded")->name() == "laplace_folded");
  CHECK(accountant("lattice_atoms")->name() == "atom_sum");
  CHECK(accountant("rare_draws")->name() == "largest_draw");
  for (const char* name : {"laplace_product_folded", "lattice_atoms", "rare_draws"}) {
    CHECK_FALSE(is_free_accountant_name(name));
  }
  // settings are those of the one that took over, which has none
  CHECK_THROWS_AS(accountant("rare_draws(x=1)"), SpecError);
  CHECK_THROWS_AS(accountant("rare_draw"), std::invalid_argument);
  CHECK(is_free_accountant_name("rare_draw"));
}
