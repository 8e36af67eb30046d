#include "lib/balls/error_term.hpp"

#include <cmath>

#include "tests/support/containment.hpp"

using namespace plaudit;

namespace {
constexpr ErrorTerm first{"test.first", "docs/proofs/none.md"};
constexpr ErrorTerm second{"test.second", "docs/proofs/none.md"};
}  // namespace

TEST_CASE("the upper end of a bound is charged, exactly") {
  const Ball bound = widened(Ball(1), Ball(0.25));
  const Ball amount = charged(first, bound);
  CHECK(amount.is_exact());
  CHECK(certainly_greater_equal(amount, Ball(1.25)));
  CHECK(charged(first, Ball(0)).is_exact_zero());
}

TEST_CASE("a bound that proves nothing is charged as infinite") {
  for (const Ball& bound : {Ball(std::nan("")), Ball(-1), positive_infinity(), Ball(1) / Ball(0)}) {
    const Ball amount = charged(first, bound);
    CHECK_FALSE(amount.is_finite());
    CHECK(certainly_greater(amount, Ball(1e300)));
  }
}

TEST_CASE("the ledger sums what is charged to a term") {
  Ledger ledger;
  CHECK(ledger.entries().empty());
  ledger.add(first, Ball(1));
  ledger.add(second, Ball(0.5));
  CHECK_CONTAINS(ledger.add(first, Ball(2)), 2);
  ledger.note(second, Ball(0.25));
  REQUIRE(ledger.entries().size() == 2);
  CHECK(ledger.entries()[0].name == "test.first");
  CHECK(ledger.entries()[0].theorem == "docs/proofs/none.md");
  CHECK_CONTAINS(ledger.entries()[0].size, 3);
  CHECK_CONTAINS(ledger.entries()[1].size, "0.75");
}

TEST_CASE("sabotage scales one term and can be undone") {
  sabotage::scale("test.first", 0);
  CHECK(charged(first, Ball(1)).is_exact_zero());
  CHECK_CONTAINS(charged(second, Ball(1)), 1);
  sabotage::clear();
  CHECK_CONTAINS(charged(first, Ball(1)), 1);
}
