// Compositions of batches of fixed size: the accountants agree, and schemes that coincide do so at
// 30 digits.
#include <doctest/doctest.h>

#include "accountants/registry.hpp"
#include "lib/work/work_limit.hpp"
#include "support/curves.hpp"
#include "support/losses.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

Enclosure delta_by(const char* accountant, const std::string& spec, const char* epsilon,
                   int digits) {
  const ComposedLoss loss = loss_from(spec);
  for (const auto& candidate : accountants()) {
    if (candidate->name() == accountant) {
      return candidate->open(loss, Goal{digits})->delta(parse_rational(epsilon));
    }
  }
  throw std::logic_error("no such accountant");
}

}  // namespace

TEST_CASE("compositions under replace adjacency: contour inside the other bands") {
  for (const char* spec : {"without_replacement(gaussian(2, 2), 5, 500, replace)^2000",
                           "group(without_replacement(gaussian(4, 2), 5, 100, replace), 2)^300",
                           "pair(without_replacement, 1, rate=0.01)^2000"}) {
    const Enclosure sharp = delta_by("contour", spec, "1", 10);
    INFO(std::string(spec), ": ", sharp.remark);
    CHECK(reached(sharp, 10));
    CHECK_BANDS_OVERLAP(sharp, delta_by("moments", spec, "1", 4));
    CHECK(certainly_less(sharp.upper, delta_by("moments", spec, "1", 4).upper));
    CHECK(certainly_greater(sharp.lower, delta_by("moments", spec, "1", 4).lower));
  }
}

TEST_CASE("schemes that coincide, composed, at 30 digits") {
  for (const auto& same :
       {std::pair{"mixture(2, [0, 1], [0.75, 0.25])^50", "poisson(gaussian(2), 0.25)^50"},
        {"without_replacement(gaussian(2), 3, 9, add_remove)^50",
         "poisson(gaussian(2, 2), 0.3)^50"},
        {"group(poisson(gaussian(2), 0.25), 1)^50", "poisson(gaussian(2), 0.25)^50"},
        {"with_replacement(gaussian(2), 1, 9)^200",
         "without_replacement(gaussian(2), 1, 9, replace)^200"}}) {
    const char* const one = same.first;
    const char* const other = same.second;
    const Enclosure left = delta_by("contour", one, "0.75", 30);
    const Enclosure right = delta_by("contour", other, "0.75", 30);
    INFO(std::string(one), " and ", std::string(other), ": ", left.remark);
    CHECK(reached(left, 30));
    CHECK(reached(right, 30));
    CHECK_BANDS_OVERLAP(left, right);
  }
}
