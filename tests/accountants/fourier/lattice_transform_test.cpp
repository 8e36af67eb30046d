// Sums over a lattice in binary64 against the same sums in balls, at terms of which doubles lose as
// much as the bound allows for.
#include "accountants/fourier/lattice_transform.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "lib/balls/precision.hpp"
#include "support/containment.hpp"
#include "support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

/// The terms term(j), first <= j <= last.
template <class Term>
LatticeTerms terms_of(const LatticeRange& range, Term&& term) {
  return [=](const std::function<void(long, const Ball&)>& sink) {
    for (long j = range.first; j <= range.last; ++j) sink(j, term(j));
  };
}

/// How many of the exact values lie further from those in doubles than these say.
int missing(const LatticeSums& found, const LatticeSums& exact) {
  REQUIRE(found.values.size() == exact.values.size());
  int count = 0;
  for (std::size_t k = 0; k < found.values.size(); ++k) {
    if (certainly_greater(abs(found.values[k] - exact.values[k]), found.rounding)) ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("sums in doubles are as near as they say") {
  Random random(91);
  const PrecisionScope scope(160);
  for (int i = 0; i < trials(20); ++i) {
    const std::size_t size = std::size_t{1} << random.integer(3, 10);
    LatticeRange range;
    range.first = random.integer(-2000, 2000);
    range.last = range.first + random.integer(1, 3000);
    range.scale = random.uniform(-30, 30);
    range.size = size;
    range.count = static_cast<std::size_t>(random.integer(1, static_cast<long>(size) / 2));
    const double rate = random.uniform(0, 0.05);
    const LatticeTerms terms =
        terms_of(range, [=](long j) { return exp(Ball(-rate) * abs(Ball(j - range.first))); });
    const LatticeSums found = sums_in_doubles(range, terms);
    const LatticeSums exact = sums_in_balls(range, terms);
    CHECK(missing(found, exact) == 0);
    CHECK(exact.rounding.is_exact_zero());
    CHECK((found.rounding / abs(exact.values[0])).upper_double() < 1e-11);
  }
}

TEST_CASE("what additions round away when many terms share a place is counted") {
  // 1, and 2^18 terms of 2^-54 in the same place: each addition loses one, 2^-36 in all
  const PrecisionScope scope(160);
  const LatticeRange range{0, 1 << 19, 0, 2, 1};
  const LatticeTerms terms =
      terms_of(range, [](long j) { return j == 0 ? Ball(1) : Ball(0x1p-54); });
  const LatticeSums exact = sums_in_balls(range, terms);
  const LatticeSums found = sums_in_doubles(range, terms);
  CHECK(missing(found, exact) == 0);
  CHECK(found.rounding.upper_double() < 1e-9);
}

TEST_CASE("a term known to a few bits counts whole") {
  const PrecisionScope scope(160);
  const LatticeRange range{-5, 5, 0, 16, 4};
  const auto sums = [&](bool doubles, const Ball& vague) {
    const LatticeTerms terms = terms_of(range, [=](long j) { return j == 2 ? vague : Ball(1); });
    return doubles ? sums_in_doubles(range, terms) : sums_in_balls(range, terms);
  };
  for (const Ball& radius : {Ball(0.25), Ball(0x1p-40), Ball(0x1p-58)}) {
    const LatticeSums found = sums(true, widened(Ball(1), radius));
    for (const Ball& truth : {Ball(1), Ball(1) - radius, Ball(1) + radius}) {
      CHECK(missing(found, sums(false, truth)) == 0);
    }
  }
}
