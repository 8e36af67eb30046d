// The curves of lattice laws as plain sums.
#pragma once

#include "mechanisms/laws/lattice_law.hpp"

namespace plaudit::test {

/// The curve of a lattice law at one step.
inline Ball summed_delta(const LatticeLaw& law, const Ball& epsilon) {
  Ball sum = law.infinite;
  for (long j = law.first; j <= law.last(); ++j) {
    const Ball part = clipped_nonnegative(-expm1(epsilon - law.point(j)));
    sum += law.masses[static_cast<std::size_t>(j - law.first)] * part;
  }
  return sum;
}

}  // namespace plaudit::test
